//! Perft: the number of actions so many deep, which tells whether rules and generator are right.

use super::{Generator, Limit, Step};
use crate::multiverse::Multiverse;

/// The leaves `depth` actions below a position, each made and unmade.
pub fn count_leaves(
    multiverse: &mut Multiverse,
    depth: u32,
    generators: &mut Vec<Generator>,
    limit: &Limit<'_>,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut generator = generators.pop().unwrap_or_default();
    generator.start(multiverse);
    let mut leaves = 0;
    while generator.next(multiverse, limit) == Step::Found {
        generator.make(multiverse);
        leaves += count_leaves(multiverse, depth - 1, generators, limit);
        generator.unmake(multiverse);
    }
    generator.finish(multiverse);
    generators.push(generator);
    leaves
}
