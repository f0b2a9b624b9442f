//! The profile `mcq`: multiple-choice items of any subject, alone or in banks. What it
//! shares with clinical items is in `items`; here are its prompts, its rubric and what
//! differs in its policy.

use redraft_gate::profile::ProfileId;

use crate::folder::Folder;
use crate::items::profile::{ItemProfile, Subject};
use crate::items::{self, checks};
use crate::prompts::{Around, Outside, Wording};

pub static MCQ: ItemProfile = ItemProfile {
    id: ProfileId("mcq"),
    summary: "multiple-choice items of any subject, and banks of them",
    subject: Subject::Any,
    wording: Wording::new(
        &[
            ("judge.md", include_str!("prompts/judge.md")),
            ("solve.md", include_str!("prompts/solve.md")),
            ("self_review.md", include_str!("prompts/self_review.md")),
            ("patch.md", include_str!("prompts/patch.md")),
            ("expand.md", include_str!("prompts/expand.md")),
            ("author.md", include_str!("prompts/author.md")),
        ],
        Outside::AllFields,
        Around::Item,
    )
    .with_only_answer(items::only_answer),
    folder: Folder::new(
        checks::CHECKS,
        concat!(
            include_str!("../items/policy.toml"),
            include_str!("policy.toml")
        ),
        include_str!("rubric.toml"),
    ),
    judge_pairs: include_str!("judge_pairs.jsonl"),
};
