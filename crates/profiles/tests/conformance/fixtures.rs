//! The one helper of these tests: bytes in, document and findings out.

use redraft_gate::check::Check;
use redraft_gate::companion::Companions;
use redraft_gate::examine::{self, Settings};
use redraft_gate::fix::{self, Fixed, Inspected};
use redraft_gate::reading::{self, Hint};
use redraft_gate::source::Source;
use redraft_profiles::registry;
use redraft_run::profile::Profile;

/// Reads content as the program does, with the profile it is recognised by; JSON
/// of no known kind is read as a lesson.
pub(crate) fn profile_of(bytes: &[u8], hint: Hint) -> &'static dyn Profile {
    let raw = reading::read_with(Source::new(bytes.to_vec()), hint, &registry::shapes());
    registry::recognise(&raw)
        .or_else(|| registry::profile("lesson"))
        .unwrap()
}

/// Examines content with some checks.
pub(crate) fn inspect_with(
    checks: &[&'static Check],
    profile: &dyn Profile,
    bytes: Vec<u8>,
    hint: Hint,
) -> Inspected {
    inspect_beside(&Companions::default(), checks, profile, (bytes, hint))
}

/// Examines content with some checks, beside its companions.
pub(crate) fn inspect_beside(
    companions: &Companions,
    checks: &[&'static Check],
    profile: &dyn Profile,
    (bytes, hint): (Vec<u8>, Hint),
) -> Inspected {
    let raw = reading::read_with(Source::new(bytes), hint, &registry::shapes());
    let document = profile.parse(raw, companions.expected_language().copied());
    let settings = Settings {
        parameters: profile.parameters().clone(),
        known_checks: registry::all_checks(),
        ..Settings::default()
    };
    let findings = examine::examine(checks, &document, companions, &settings).findings;
    Inspected { document, findings }
}

/// Examines content with all checks of its profile.
pub(crate) fn inspect(bytes: &[u8], hint: Hint) -> Inspected {
    let profile = profile_of(bytes, hint);
    inspect_with(profile.checks(), profile, bytes.to_vec(), hint)
}

/// Applies the safe fixes of all checks.
pub(crate) fn fix(bytes: &[u8], hint: Hint) -> Fixed {
    let profile = profile_of(bytes, hint);
    let start = inspect_with(profile.checks(), profile, bytes.to_vec(), hint);
    fix::fix(start, |bytes, form| {
        inspect_with(profile.checks(), profile, bytes, Hint::Decided(form))
    })
    .unwrap()
}
