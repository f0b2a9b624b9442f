//! Whether a prompt fits, and the search for one that does.
//!
//! A prompt is first written as if everything fitted; only where it does not, it is
//! written again with less. It is counted by the upper estimate that reservations
//! are made with, as a whole, so that no word of a template is forgotten. What stays
//! and what goes is decided by `core::fit`; the words are the templates'.

use redraft_core::ask::estimated_tokens;
use redraft_core::fit::{Room, TooLong};
use redraft_core::prompt::{Fitted, Prompt, Unfit};

/// The tokens of a prompt by the upper estimate.
pub(super) fn tokens(prompt: &Prompt) -> u64 {
    estimated_tokens(&prompt.system) + estimated_tokens(&prompt.user)
}

/// How much there is room for, where that is less than a prompt takes.
pub(super) fn lacking(prompt: &Prompt, room: Room) -> Option<u64> {
    room.prompt.filter(|limit| tokens(prompt) > *limit)
}

/// A prompt of which nothing can be left out.
pub(super) fn whole(prompt: Prompt, room: Room) -> Result<Fitted, Unfit> {
    match lacking(&prompt, room) {
        Some(limit) => Err(too_long(&prompt, limit)),
        None => Ok(Fitted {
            prompt,
            cuts: Vec::new(),
        }),
    }
}

/// That a prompt does not fit.
pub(super) fn too_long(prompt: &Prompt, limit: u64) -> Unfit {
    let needed = tokens(prompt);
    TooLong { needed, limit }.into()
}

/// Writes a prompt with less and less until it fits. `write` is told how many tokens
/// its data may take; it was counted beforehand what the words around them take, and
/// what was miscounted is taken off the next time.
pub(super) fn until_it_fits(
    limit: u64,
    around: u64,
    mut write: impl FnMut(u64) -> Result<Fitted, Unfit>,
) -> Result<Fitted, Unfit> {
    /// A note that is longer than planned, or some escaped brackets: each time the
    /// excess is smaller.
    const TRIES: usize = 5;
    let mut excess = 0;
    for _ in 0..TRIES {
        let data = limit.saturating_sub(around).saturating_sub(excess);
        let fitted = write(data).map_err(|unfit| match unfit {
            // What does not fit are the data and the words around them.
            Unfit::TooLong(lack) => Unfit::TooLong(TooLong {
                needed: lack.needed.saturating_add(around),
                limit,
            }),
            fault @ Unfit::Fault(_) => fault,
        })?;
        match tokens(&fitted.prompt).saturating_sub(limit) {
            0 => return Ok(fitted),
            more => excess += more,
        }
    }
    Err(Unfit::TooLong(TooLong {
        needed: limit.saturating_add(excess),
        limit,
    }))
}
