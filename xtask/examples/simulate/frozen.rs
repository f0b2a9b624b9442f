//! The world is frozen: a change of what texts, defects, models and chance are like
//! would change the figures as well as a change of the program does. The forms of
//! prompts and replies (`actors/form.rs`, `actors/prompt.rs`) are not part of it, nor
//! are the arms and the counting.
//!
//! Kinds of models may be added in files of their own. Whoever has to change one of
//! these files measures before and after, says so in `docs/simulation.md`, and writes
//! the new hash here.

use redraft_gate::span::Version;

/// The files of the world.
const FILES: [&str; 12] = [
    include_str!("actors.rs"),
    include_str!("actors/judges.rs"),
    include_str!("actors/repairers.rs"),
    include_str!("actors/writers.rs"),
    include_str!("cards.rs"),
    include_str!("cards/kinds.rs"),
    include_str!("craft.rs"),
    include_str!("dice.rs"),
    include_str!("items.rs"),
    include_str!("lessons.rs"),
    include_str!("lessons/kinds.rs"),
    include_str!("world.rs"),
];

/// The hash of the world, as it was frozen.
const WORLD: &str = "3cf58e0cc5a85cfa";

/// The hash of the world as it is.
pub(crate) fn world() -> String {
    Version::of(FILES.concat().as_bytes()).to_string()
}

/// Which world it is, for the head of a report.
pub(crate) fn told() -> String {
    match world() {
        world if world == WORLD => format!("world {world}"),
        world => format!("world {world}: CHANGED, frozen was {WORLD}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_world_is_the_one_that_was_frozen() {
        assert_eq!(world(), WORLD, "a file of the world was changed");
    }
}
