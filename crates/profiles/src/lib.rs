//! The profiles, one for each kind of content: how it is recognised and cut into
//! components, its checks, the parameters of its policy, its rubric and prompts.
//!
//! A profile is one folder that implements `redraft_run::profile::Profile`, and one line
//! in [`registry`]. Checks that apply to every kind of text are in [`shared`]. No file is
//! opened here: the caller passes the bytes.

pub mod companions;
pub mod examples;
pub mod judge_pairs;
pub mod registry;
pub mod rubric_file;
pub mod shared;

pub mod clinical_mcq;
pub mod items;
pub mod lesson;
pub mod mcq;
pub mod sqa_lesson;

mod check_list;
mod fields;
mod folder;
mod front_matter;
mod policy_file;
mod prompts;

/// The tags of the languages that texts can be written and judged in.
pub use prompts::known_tags as language_tags;
