//! The values of the weights, written by `lightcone tune`; [`super::weights`] says what each is
//! for.

use super::weights::Weights;

#[rustfmt::skip]
pub(super) const TABLE: Weights = [
    // material
    1600, 6229, 266, 4000, 14745, 11200, 12726, 6085, 6191, 4443, 3900, 2677,
    // centre
    -1, 553, 429, -639, -37, -612, 109, 209, 52, 218, -356, -657,
    // mobility
    0, 0, 19, -261, 174, -791, 89, 213, 341, 38, 0, 0,
    // ring attack
    0, 0, 190, 0, -113, -1498, 4070, 698, 379, 2074, 0, 0,
    // open field
    -304,
    // pawn to go
    2010, 243, 250, -35, -48, 169,
    // passed pawn
    650, 740, 312, -83, -490, 56,
    // guarded pawn
    -443,
    // line onto royal
    26, 622, 408, 1085,
    // line in reach
    1197, 722, 1986, 1219,
    // may open
    2551,
    // opened
    -4558,
    // opened too many
    1793,
    // board ahead
    -1129,
    // mandatory
    197,
    // tempo
    220,
];
