//! Prompts: a profile's templates, filled with what they may speak of.
//!
//! `data` makes foreign text harmless, `parts` shows a document with the names of
//! its parts, `beside` shows what came with it, `render` fills the templates.
//! What a prompt says stands in the `prompts` folders of the profiles and of
//! `shared`, nowhere in code.

mod beside;
mod data;
mod parts;
mod render;

pub(crate) use parts::Outside;
pub(crate) use render::{Wording, render, sources};
