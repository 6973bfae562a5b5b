//! The layout of the weights: what each of them is for. Their values stand in [`super::table`],
//! which `lightcone tune` writes.

use crate::board::PieceKind;

/// All weights, in [`UNIT`]s of a centipawn: those of every group for positions with one active
/// timeline, then all once more for positions with many.
pub type Weights = [i32; COUNT];

/// Weights of one centipawn.
pub const UNIT: i32 = 16;

/// Weights of one purpose.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Its name, as `eval` and the table show it.
    pub name: &'static str,
    /// How many weights it has.
    pub length: usize,
    /// What a count of one stands for.
    pub counts: &'static str,
}

const fn group(name: &'static str, length: usize, counts: &'static str) -> Group {
    Group { name, length, counts }
}

/// A weight for each kind of piece, in the order of [`PieceKind::ALL`].
const KINDS: usize = PieceKind::ALL.len();

/// Every group, in the order of the table.
pub const GROUPS: [Group; 18] = [
    group("material", KINDS, "a piece of the kind"),
    group("centre", KINDS, "a square nearer to the centre, for a piece of the kind"),
    group("mobility", KINDS, "a square that a piece of the kind reaches along its board"),
    group("ring attack", KINDS, "a square next to an enemy royal that a piece of the kind reaches"),
    group("open field", 1, "a vacant square next to an own royal"),
    group("pawn to go", 6, "a pawn or brawn that has 1, 2, … 6 or more ranks to go"),
    group("passed pawn", 6, "such a one that no enemy pawn can stop"),
    group("guarded pawn", 1, "a pawn or brawn that another one guards"),
    group(
        "line onto royal",
        4,
        "a square that a slider along 1, 2, 3, 4 axes would take a royal \
           on another board from, one turn on",
    ),
    group("line in reach", 4, "such a square that an own slider of the kind can go to"),
    group("may open", 1, "the next timeline of the side would be active"),
    group("opened", 1, "a timeline that the side has opened"),
    group("opened too many", 1, "such a timeline that is not active"),
    group("board ahead", 1, "an active board ahead of the present that waits for the opponent"),
    group("mandatory", 1, "a board that the side to move has to play"),
    group("tempo", 1, "the side is to move"),
    group(
        "prey",
        KINDS,
        "an enemy piece of the kind that the side may take along a board at once, by what is worth \
           less or without being taken back",
    ),
    group("prey to come", KINDS, "such a piece on a board where the opponent moves before"),
];

/// Where a group begins in the table.
const fn first(index: usize) -> usize {
    let (mut at, mut i) = (0, 0);
    while i < index {
        at += GROUPS[i].length;
        i += 1;
    }
    at
}

pub(super) const MATERIAL: usize = first(0);
pub(super) const CENTRE: usize = first(1);
pub(super) const MOBILITY: usize = first(2);
pub(super) const RING_ATTACK: usize = first(3);
pub(super) const OPEN_FIELD: usize = first(4);
pub(super) const PAWN_TO_GO: usize = first(5);
pub(super) const PASSED_PAWN: usize = first(6);
pub(super) const GUARDED_PAWN: usize = first(7);
pub(super) const LINE_ONTO_ROYAL: usize = first(8);
pub(super) const LINE_IN_REACH: usize = first(9);
pub(super) const MAY_OPEN: usize = first(10);
pub(super) const OPENED: usize = first(11);
pub(super) const OPENED_TOO_MANY: usize = first(12);
pub(super) const BOARD_AHEAD: usize = first(13);
pub(super) const MANDATORY: usize = first(14);
pub(super) const TEMPO: usize = first(15);
pub(super) const PREY: usize = first(16);
pub(super) const PREY_TO_COME: usize = first(17);

/// How many weights there are for either number of timelines.
pub const HALF: usize = first(GROUPS.len());

/// How many weights there are.
pub const COUNT: usize = 2 * HALF;

/// The group that a weight belongs to, by its place in [`GROUPS`].
pub const fn group_of(weight: usize) -> usize {
    let weight = weight % HALF;
    let mut group = 0;
    while group + 1 < GROUPS.len() && first(group + 1) <= weight {
        group += 1;
    }
    group
}

/// A weight's name: its group's, which of the group it is, and whether it is for many timelines.
pub fn name_of(weight: usize) -> String {
    let group = group_of(weight);
    let within = weight % HALF - first(group);
    let many = if weight < HALF { "" } else { ", many" };
    match GROUPS[group].length {
        1 => format!("{}{many}", GROUPS[group].name),
        KINDS => format!("{} {}{many}", GROUPS[group].name, PieceKind::ALL[within].letter()),
        _ => format!("{} {}{many}", GROUPS[group].name, within + 1),
    }
}
