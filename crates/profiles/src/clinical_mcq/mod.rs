//! The profile `clinical-mcq`: multiple-choice items of medicine, with or without a
//! vignette, alone or in banks. What it shares with items of other subjects is in `items`;
//! here are its prompts, its rubric and what differs in its policy.

pub mod checks;

use redraft_gate::profile::ProfileId;

use crate::folder::Folder;
use crate::items;
use crate::items::profile::{ItemProfile, Subject};
use crate::prompts::{Around, Outside, Wording};

pub static CLINICAL_MCQ: ItemProfile = ItemProfile {
    id: ProfileId("clinical-mcq"),
    summary: "multiple-choice items with a clinical vignette or of a medical subject, and banks of them",
    subject: Subject::Medicine,
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
        items::checks::CHECKS,
        concat!(
            include_str!("../items/policy.toml"),
            include_str!("policy.toml")
        ),
        include_str!("rubric.toml"),
    )
    .and_checks(checks::CHECKS),
    judge_pairs: include_str!("judge_pairs.jsonl"),
};
