//! Whole conversations.
