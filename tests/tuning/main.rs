//! `lightcone selfplay`, `lightcone tune` and `lightcone spsa`: the built binary writes and reads training games,
//! and the fit finds what it ought to.

#[path = "../common/folder.rs"]
mod folder;

mod fit;
mod games;
mod runner;
mod spsa;
mod tune;
