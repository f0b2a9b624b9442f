//! Tolerant JSON with spans, for documents written by language models: any text
//! gives a tree and a list of what had to be forgiven. It never fails, and takes
//! time linear in its input. It knows nothing of lessons, and nothing of what
//! surrounds the value (fences, preambles): that is `framing`'s.
//!
//! In the order of reading: `scan` (the grammar), `brackets` (those that do not
//! fit), `trivia` (what comes between values), `words` (numbers, literals, bare
//! words), `quotes` (where a string ends), `string` (what it says), `tree` (the
//! result), `recovery` (the list), `escape` (writing back), `build` (trees by hand).

mod brackets;
mod build;
mod escape;
mod quotes;
mod recovery;
mod scan;
mod string;
mod tree;
mod trivia;
mod words;

pub use build::{Builder, ReadText};
pub use escape::EscapeStyle;
pub use recovery::{Opening, Recovery, RecoveryKind};
pub use scan::scan;
pub use tree::{Json, JsonString, Kind, Node, Quotes};

#[cfg(test)]
mod cases;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod testing;
