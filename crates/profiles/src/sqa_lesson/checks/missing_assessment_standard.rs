//! `missing-assessment-standard`: the lesson does not name an assessment
//! standard of its scheme of work.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::{Remedy, Severity};

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::SCHEME_BELOW;
use crate::sqa_lesson::codes;
use crate::sqa_lesson::model::{self, LessonType};
use crate::sqa_lesson::scheme::{self, same_code};
use crate::sqa_lesson::wording::{counted, quoted};

pub(super) static CHECK: Check = Check {
    code: "SQA022",
    name: "missing-assessment-standard",
    severity: Severity::Error,
    critical: true,
    summary: "the lesson does not name an assessment standard of its scheme of work",
    what: "With a scheme of work, every assessment standard of the lesson’s entry must be in the lesson’s `outcomeRefs` or `assessmentStandardRefs`; if the entry is only a likely match, this is a warning. A formative assessment needs at least one card for each standard. Codes that the entry also lists as outcomes are only reported by `missing-outcome`.",
    why: "Assessment standards are what learners are credited for; a standard that is left out has to be taught again. Caps `sow_template_fidelity` below its threshold of .88.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"outcomeRefs\": [\"O1\"], \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\"}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"outcomeRefs\": [\"O1\", \"AS1.2\"], \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\"}]}",
        fixed: None,
    }],
    caps: &[SCHEME_BELOW],
    run,
    ..DEFAULTS
};

pub(super) const SCHEME: &str = r#"{
  "order": 4,
  "label": "Fractions of Amounts",
  "lesson_type": "teach",
  "outcomeRefs": ["O1"],
  "assessmentStandardRefs": [{"code": "AS1.2", "description": "Calculate", "outcome": "O1"}]
}"#;

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    let matched = scheme::entry(template, examination.companions);
    if let Some(matched) = matched {
        let entry = matched.entry;
        let is_outcome = |code: &str| entry.outcomes.iter().any(|other| same_code(code, other));
        let mut missing = codes::missing(template, &entry.standards);
        missing.retain(|code| !is_outcome(code));
        if !missing.is_empty() {
            codes::report_missing(template, matched, &missing, CHECK.caps, sink);
        }
    }
    if template.kind() == Some(LessonType::FormativeAssessment) {
        let own: Vec<&str> = template.standards.values().collect();
        let standards: Vec<&str> = matched.map_or(own, |matched| {
            matched.entry.standards.iter().map(String::as_str).collect()
        });
        let cards = template.cards.len();
        if cards < standards.len() {
            let message = format!(
                "this formative assessment has {} for {} assessment standards ({}); add {}, so that each standard has its own card",
                counted(cards, "card"),
                standards.len(),
                quoted(&standards),
                counted(standards.len() - cards, "card")
            );
            sink.in_source(template.anchor(), message)
                .severity(Severity::Warning)
                .caps(CHECK.caps)
                .remedy(Remedy::Add)
                .critical = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity;

    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, findings_beside, scheme};

    fn lesson(kind: &str, codes: &str, cards: usize) -> String {
        let cards = vec![r#"{"explainer": "e"}"#; cards].join(", ");
        format!(r#"{{"title": "Fractions", "lesson_type": "{kind}", {codes}, "cards": [{cards}]}}"#)
    }

    #[test]
    fn the_standards_of_the_entry_are_named() {
        let entry = scheme(
            r#"{"order": 1, "label": "Fractions", "outcomeRefs": ["O1"], "assessmentStandardRefs": ["AS1.1", {"code": "AS1.2"}]}"#,
        );
        for (codes, expected) in [
            (r#""outcomeRefs": ["O1", "AS1.1", "AS1.2"]"#, None),
            (r#""outcomeRefs": ["O1"], "assessmentStandardRefs": ["1.1", "1.2"]"#, None),
            (
                r#""outcomeRefs": ["O1", "AS1.1"]"#,
                Some("outcomeRefs has “O1” and “AS1.1”, but entry 1 (“Fractions”) of the scheme of work also asks for “AS1.2”; add it to outcomeRefs and make sure that a card covers it"),
            ),
            (
                r#""outcomeRefs": []"#,
                Some("outcomeRefs is empty, but entry 1 (“Fractions”) of the scheme of work also asks for “AS1.1” and “AS1.2”; add them to outcomeRefs and make sure that cards cover them"),
            ),
        ] {
            let found = findings_beside(&CHECK, &lesson("teach", codes, 3), &entry);
            assert_eq!(found.first().map(|said| said.message.as_str()), expected, "{codes}");
        }
    }

    #[test]
    fn a_code_that_is_also_an_outcome_is_reported_once() {
        let entry = scheme(r#"{"order": 1, "label": "F", "outcomeRefs": ["AS1.1"], "assessmentStandardRefs": ["AS1.1"]}"#);
        assert!(findings_beside(&CHECK, &lesson("teach", r#""outcomeRefs": []"#, 3), &entry).is_empty());
    }

    #[test]
    fn a_formative_assessment_has_a_card_for_each_standard() {
        let codes = r#""assessmentStandardRefs": ["AS1.1", "AS1.2", "AS1.3"]"#;
        for (kind, cards, fires) in [
            ("formative_assessment", 3, false),
            ("formative_assessment", 2, true),
            ("teach", 2, false),
        ] {
            let found = findings(&CHECK, &lesson(kind, codes, cards));
            assert_eq!(!found.is_empty(), fires, "{kind} {cards}");
            assert!(found.iter().all(|said| said.severity == Severity::Warning));
        }
    }
}
