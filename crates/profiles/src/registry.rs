//! All profiles and all checks. Adding a profile adds one line here. Every profile and
//! check is below this module, so that nothing but the program uses it.

use std::sync::OnceLock;

use redraft_gate::check::Check;
use redraft_gate::reading::{Raw, Shapes};
use redraft_run::profile::Profile;

use crate::clinical_mcq::CLINICAL_MCQ;
use crate::examples::Beside;
use crate::lesson::{self, Lesson};
use crate::mcq::MCQ;
use crate::shared;
use crate::sqa_lesson::{self, SqaLesson};

/// All profiles, in the order of recognition: the more specific first, since almost any
/// text can be a lesson.
pub static PROFILES: &[&dyn Profile] = &[&SqaLesson, &CLINICAL_MCQ, &MCQ, &Lesson];

#[must_use]
pub fn recognise(raw: &Raw) -> Option<&'static dyn Profile> {
    PROFILES
        .iter()
        .copied()
        .find(|profile| profile.recognises(raw))
}

/// The shapes of JSON that some profile reads.
#[must_use]
pub fn shapes() -> Shapes {
    Shapes {
        json: |value| PROFILES.iter().find_map(|profile| profile.shape(value)),
        columns: None,
    }
}

/// The names of all profiles.
pub fn names() -> impl Iterator<Item = &'static str> + Clone {
    PROFILES.iter().map(|profile| profile.id().0)
}

#[must_use]
pub fn profile(id: &str) -> Option<&'static dyn Profile> {
    PROFILES
        .iter()
        .copied()
        .find(|profile| profile.id().0 == id)
}

/// Every check of every profile, once, sorted by code.
#[must_use]
pub fn all_checks() -> &'static [&'static Check] {
    static CHECKS: OnceLock<Vec<&'static Check>> = OnceLock::new();
    CHECKS.get_or_init(|| {
        let mut checks: Vec<&'static Check> = PROFILES
            .iter()
            .flat_map(|profile| profile.checks().iter().copied())
            .collect();
        checks.sort_by_key(|check| check.code);
        checks.dedup_by_key(|check| check.code);
        checks
    })
}

/// The check with this code (in any case) or name.
#[must_use]
pub fn find_check(code_or_name: &str) -> Option<&'static Check> {
    all_checks()
        .iter()
        .copied()
        .find(|check| check.is_called(code_or_name))
}

/// What the documented examples of a check come with; nothing for most.
#[must_use]
pub fn beside_examples(check: &Check) -> Beside {
    lesson::checks::beside_examples(check)
        .or_else(|| sqa_lesson::checks::beside_examples(check))
        .or_else(|| shared::checks::beside_examples(check))
        .unwrap_or_default()
}
