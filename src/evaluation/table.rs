//! The values of the weights, written by `lightcone tune`; [`super::weights`] says what each is
//! for.

use super::weights::Weights;

#[rustfmt::skip]
pub(super) const TABLE: Weights = [
    // material
    1600, 2240, 0, 4000, 17600, 11200, 11200, 7200, 5600, 5600, 4480, 2880,
    // centre
    8, 8, -24, 12, 12, 12, 20, 4, 24, 48, 20, 12,
    // mobility
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    // ring attack
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    // open field
    -144,
    // pawn to go
    320, 256, 192, 128, 64, 0,
    // passed pawn
    0, 0, 0, 0, 0, 0,
    // guarded pawn
    0,
    // line onto royal
    0, 0, 0, 0,
    // line in reach
    0, 0, 0, 0,
    // may open
    2400,
    // opened
    -5120,
    // opened too many
    0,
    // board ahead
    240,
    // mandatory
    0,
    // tempo
    240,
];
