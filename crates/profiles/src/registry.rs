//! The profiles there are, and the checks by code or name. Adding a profile adds
//! one line here.

use std::sync::OnceLock;

use redraft_gate::check::Check;
use redraft_gate::reading::Raw;
use redraft_run::profile::Profile;

use crate::clinical_mcq::ClinicalMcq;
use crate::lesson::Lesson;
use crate::sqa_lesson::SqaLesson;

/// All profiles. The order is that of recognition: what is more particular
/// comes first, and a lesson may be nearly anything.
pub static PROFILES: &[&dyn Profile] = &[&SqaLesson, &ClinicalMcq, &Lesson];

/// The profile that recognises raw content.
#[must_use]
pub fn recognise(raw: &Raw) -> Option<&'static dyn Profile> {
    PROFILES
        .iter()
        .copied()
        .find(|profile| profile.recognises(raw))
}

/// The profile of this name.
#[must_use]
pub fn profile(id: &str) -> Option<&'static dyn Profile> {
    PROFILES
        .iter()
        .copied()
        .find(|profile| profile.id().0 == id)
}

/// Every check of every profile, once, by code.
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
        .find(|check| check.code.eq_ignore_ascii_case(code_or_name) || check.name == code_or_name)
}
