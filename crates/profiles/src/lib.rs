//! What each kind of content brings to redraft: how it is recognised and cut
//! into components, its checks, the figures of its policy, its rubric and prompts.
//!
//! A profile is one folder behind `redraft_run::profile::Profile` and one line
//! in [`registry`]. Checks that hold for every kind of text live in [`shared`].
//! No file is opened here: whoever calls brings the bytes.

pub mod companions;
pub mod examples;
pub mod registry;
pub mod rubric_file;
pub mod shared;

pub mod clinical_mcq;
pub mod lesson;
pub mod sqa_lesson;

mod check_list;
mod fields;
mod folder;
mod policy_file;
mod prompts;
