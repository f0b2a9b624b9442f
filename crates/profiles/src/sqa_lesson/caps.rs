//! The six dimensions of a lesson's quality (seed 000) and what a finding may do
//! to each: `…_BELOW` where the seed's anchors put such a fault under the
//! dimension's threshold, `…_MINOR` where they allow it in a good lesson, but not
//! in a perfect one. Which finding sets which is said by its check.

use redraft_gate::score::{Cap, Score};

/// Threshold .88; “pedagogical issues” lie below it.
pub(crate) const PEDAGOGY_BELOW: Cap = cap("pedagogical_design", 870);
/// .95: strong design, minor improvements possible.
pub(crate) const PEDAGOGY_MINOR: Cap = cap("pedagogical_design", 950);
/// Threshold .88; wrong types of question and unclear rubrics lie below it.
pub(crate) const ASSESSMENT_BELOW: Cap = cap("assessment_design", 870);
/// .90: strong rubrics, appropriate types of question.
pub(crate) const ASSESSMENT_MINOR: Cap = cap("assessment_design", 900);
/// Threshold .88; accessibility issues lie below it.
pub(crate) const ACCESSIBILITY_BELOW: Cap = cap("accessibility", 870);
/// .90: good accessibility with occasional lapses.
pub(crate) const ACCESSIBILITY_MINOR: Cap = cap("accessibility", 900);
/// Threshold .88; wrong currency, foreign prices and brands lie below it.
pub(crate) const SCOTTISH_BELOW: Cap = cap("scottish_context", 870);
/// .95: strong Scottish contexts.
pub(crate) const SCOTTISH_MINOR: Cap = cap("scottish_context", 950);
/// Threshold .85; contradictions and wrong timings lie below it.
pub(crate) const COHERENCE_BELOW: Cap = cap("coherence", 840);
/// .90: strong coherence, minor inconsistencies.
pub(crate) const COHERENCE_MINOR: Cap = cap("coherence", 900);
/// Threshold .88; missing outcomes and a wrong policy lie below it.
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
