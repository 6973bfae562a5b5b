//! The values of the weights, written by `lightcone tune`; [`super::weights`] says what each is
//! for.

use super::weights::Weights;

#[rustfmt::skip]
pub(super) const TABLE: Weights = [
    // material
    1600, 2240, 1431, 4000, 17470, 11200, 11200, 7183, 6085, 5276, 4480, 2880,
    // centre
    -24, 215, -135, 12, 140, 12, 20, 34, 22, 74, 20, 12,
    // mobility
    0, 0, -101, -240, 64, -266, -75, 56, 65, 7, 0, 0,
    // ring attack
    0, 0, 0, 0, 814, 0, 0, 718, 277, 439, 0, 0,
    // open field
    -291,
    // pawn to go
    1401, 297, 78, -44, 70, 193,
    // passed pawn
    1120, -4, 605, 717, 917, -62,
    // guarded pawn
    -76,
    // line onto royal
    126, 51, 198, 645,
    // line in reach
    905, 749, 769, 1418,
    // may open
    2502,
    // opened
    -5007,
    // opened too many
    750,
    // board ahead
    85,
    // mandatory
    -14,
    // tempo
    206,
];
