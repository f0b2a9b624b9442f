//! One analysis of a Markdown text, made once and shared by all checks: blocks,
//! links, prose, what is verbatim, and the outline. All offsets are bytes of the
//! text that was given. The parser is visible in `events` alone, and nothing here knows
//! what a lesson is.

mod block;
mod dialect;
mod events;
mod front_matter;
mod guard;
mod inline;
mod line_edges;
mod outline;
mod parse;
#[cfg(test)]
mod properties;
mod ranges;
mod shared;
mod urls;
mod view;

pub use block::{Block, BlockKind, Fence};
pub use dialect::{ConflictMarker, conflict_marker};
pub use events::for_each_event;
pub use guard::{Degraded, DegradedWhy};
pub use inline::{FootnoteReference, Link, LinkKind};
pub use outline::{OutlineEntry, outline, preamble};
pub use parse::analyse;
pub use shared::Analysis;
pub use view::Markdown;
