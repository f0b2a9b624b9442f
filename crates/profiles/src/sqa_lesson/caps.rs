//! The six quality dimensions of a lesson (seed 000) and how a finding caps each:
//! `…_BELOW` if the seed's anchors put such a finding below the dimension's
//! threshold, `…_MINOR` if they allow it in a good lesson, but not in a perfect
//! one. Each check says which caps it sets.

use redraft_gate::score::{Cap, Score};

/// Threshold .88; “pedagogical issues” are below it.
pub(crate) const PEDAGOGY_BELOW: Cap = cap("pedagogical_design", 870);
/// .95: strong design, minor improvements possible.
pub(crate) const PEDAGOGY_MINOR: Cap = cap("pedagogical_design", 950);
/// Threshold .88; wrong question types and unclear rubrics are below it.
pub(crate) const ASSESSMENT_BELOW: Cap = cap("assessment_design", 870);
/// .90: strong rubrics, appropriate question types.
pub(crate) const ASSESSMENT_MINOR: Cap = cap("assessment_design", 900);
/// Threshold .88; accessibility issues are below it.
pub(crate) const ACCESSIBILITY_BELOW: Cap = cap("accessibility", 870);
/// .90: good accessibility with occasional lapses.
pub(crate) const ACCESSIBILITY_MINOR: Cap = cap("accessibility", 900);
/// Threshold .88; wrong currency, foreign prices and brands are below it.
pub(crate) const SCOTTISH_BELOW: Cap = cap("scottish_context", 870);
/// .95: strong Scottish contexts.
pub(crate) const SCOTTISH_MINOR: Cap = cap("scottish_context", 950);
/// Threshold .85; contradictions and wrong timings are below it.
pub(crate) const COHERENCE_BELOW: Cap = cap("coherence", 840);
/// .90: strong coherence, minor inconsistencies.
pub(crate) const COHERENCE_MINOR: Cap = cap("coherence", 900);
/// Threshold .88; missing outcomes and a wrong policy are below it.
pub(crate) const SCHEME_BELOW: Cap = cap("sow_template_fidelity", 870);
/// .95: strong fidelity, minor omissions.
pub(crate) const SCHEME_MINOR: Cap = cap("sow_template_fidelity", 950);

const fn cap(criterion: &'static str, thousandths: u16) -> Cap {
    let at = match Score::from_thousandths(thousandths) {
        Some(score) => score,
        None => Score::ONE,
    };
    Cap { criterion, at }
}
