//! The lesson's own checks, one per file.

use redraft_gate::check::Check;

use crate::check_list::checks;
use crate::examples::Beside;

checks! {
    word_count
    missing_introduction
    missing_conclusion
    low_keyword_coverage
    prohibited_term
    thin_section
    few_examples
    few_exercises
    exercise_without_solution
    specification_section_missing
    section_not_in_specification
    reading_grade
}

/// What the documented examples of a check come with; `None` for checks of
/// another profile and for those that need nothing.
pub(crate) fn beside_examples(check: &Check) -> Option<Beside> {
    let specification = match check.name {
        "low-keyword-coverage" => low_keyword_coverage::SPECIFICATION,
        "prohibited-term" => prohibited_term::SPECIFICATION,
        "thin-section" => thin_section::SPECIFICATION,
        "few-examples" => few_examples::SPECIFICATION,
        "few-exercises" => few_exercises::SPECIFICATION,
        "specification-section-missing" => specification_section_missing::SPECIFICATION,
        "section-not-in-specification" => section_not_in_specification::SPECIFICATION,
        _ => return None,
    };
    Some(Beside {
        specification: Some(specification),
        ..Beside::default()
    })
}

#[cfg(test)]
pub(crate) mod testing {
    //! The one helper of the checks' tests: a lesson and its specification in,
    //! the severities of what is found out.

    use redraft_gate::check::Check;
    use redraft_gate::companion::Companions;
    use redraft_gate::examine::{self, Settings};
    use redraft_gate::finding::Severity;
    use redraft_gate::profile::GateProfile as _;
    use redraft_gate::reading::{self, Hint};
    use redraft_gate::source::Source;

    use crate::companions;
    use crate::lesson::Lesson;

    /// A lesson, its specification, and the severities it is to have.
    type Case<'a> = (&'a str, Option<&'a str>, &'a [Severity]);

    pub(crate) fn hold(check: &'static Check, cases: &[Case<'_>]) {
        for (lesson, specification, expected) in cases {
            assert_eq!(
                severities(check, lesson, *specification),
                *expected,
                "{lesson} {specification:?}"
            );
        }
    }

    pub(super) fn severities(
        check: &'static Check,
        lesson: &str,
        specification: Option<&str>,
    ) -> Vec<Severity> {
        let hint = if lesson.starts_with('{') {
            Hint::Json
        } else {
            Hint::Markdown
        };
        let companions = Companions {
            specification: specification.map(|specification| {
                companions::specification(specification.as_bytes().to_vec()).unwrap()
            }),
            ..Companions::default()
        };
        let raw = reading::read(Source::new(lesson.as_bytes().to_vec()), hint);
        let document = Lesson.parse(raw, companions.expected_language().copied());
        let settings = Settings {
            parameters: Lesson.parameters().clone(),
            ..Settings::default()
        };
        examine::examine(&[check], &document, &companions, &settings)
            .findings
            .iter()
            .map(|finding| finding.severity)
            .collect()
    }
}
