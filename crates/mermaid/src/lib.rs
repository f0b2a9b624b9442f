//! Mermaid diagrams: whether mermaid would draw one, what is wrong with it in
//! plain words, and edits that make it parse. A diagram that is cut off is never
//! closed into one that parses ([`cut`]), and a repair is certain only if it keeps
//! every node, edge and label ([`kept`]).
//!
//! A library with mermaid's grammars does the reading ([`parser`], the only file
//! that knows it). Where it is known to differ from mermaid, [`differences`]
//! corrects it, and where its word is not reliable the verdict is *doubtful*
//! rather than *invalid*. Nothing here knows Markdown: the caller cuts the
//! diagram out of its fence.

mod cut;
mod differences;
mod draft;
mod flow_scan;
mod kept;
mod kind;
mod parser;
mod repair;
mod verdict;
mod wording;

pub use draft::Edit;
pub use repair::Certainty;
pub use verdict::{Diagnosis, Examined, Repair, Verdict, check, examine, repair};

#[cfg(test)]
mod properties;
