//! The values of the weights, written by `lightcone tune`; [`super::weights`] says what each is
//! for.

use super::weights::Weights;

#[rustfmt::skip]
pub(super) const TABLE: Weights = [
    // With one active timeline.
    // material
    1600, 6229, 3128, 4000, 17577, 11200, 11149, 5161, 6480, 6469, 3900, 2677,
    // centre
    106, 553, 272, -639, -356, -612, -578, 163, 306, 437, -356, -657,
    // mobility
    0, 0, -244, -1287, 479, -1051, 580, 536, 332, 211, 0, 0,
    // ring attack
    0, 0, 143, 0, -1977, -1498, -298, -458, 1046, 1705, 0, 0,
    // open field
    -447,
    // pawn to go
    4788, 1165, 366, 931, 916, 862,
    // passed pawn
    3175, 2391, -200, -3128, -2136, -15,
    // guarded pawn
    -46,
    // line onto royal
    215, 177, 278, 966,
    // line in reach
    2459, 1651, 2744, -799,
    // may open
    4498,
    // opened
    -6415,
    // opened too many
    979,
    // board ahead
    -1676,
    // mandatory
    988,
    // tempo
    231,
    // prey
    1101, 0, 0, 0, 7167, 0, 573, 654, 2820, 994, 0, 0,
    // prey to come
    1071, 0, 0, 0, 2985, 0, 377, 668, 2436, 1058, 0, 0,

    // With many.
    // material
    2028, 6229, -2329, 4000, 7167, 11200, 9174, 4838, 3983, 1967, 3900, 2677,
    // centre
    -378, 553, -738, -639, -108, -612, -1224, 230, -125, 95, -356, -657,
    // mobility
    0, 0, -1218, -261, 183, -791, -747, -132, -79, 10, 0, 0,
    // ring attack
    0, 0, 190, 0, -1529, -1498, 3339, -206, 1741, 858, 0, 0,
    // open field
    79,
    // pawn to go
    2937, -748, 830, 1372, 165, -362,
    // passed pawn
    386, 163, -863, -1454, -2370, -1808,
    // guarded pawn
    -768,
    // line onto royal
    3133, -313, -127, 449,
    // line in reach
    6830, 1724, 2929, 3278,
    // may open
    3376,
    // opened
    -4035,
    // opened too many
    3517,
    // board ahead
    -503,
    // mandatory
    245,
    // tempo
    1658,
    // prey
    1165, 0, 0, 0, 4605, 0, 140, -307, 1282, 1038, 0, 0,
    // prey to come
    1232, 0, 0, 0, -181, 0, 128, -479, -290, 583, 0, 0,
];
