//! `missing-outcome`: the lesson does not name an outcome of its scheme of
//! work.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::SCHEME_BELOW;
use crate::sqa_lesson::codes;
use crate::sqa_lesson::model::{self, LessonType, Template};
use crate::sqa_lesson::scheme::{self, Matched};


pub(super) static CHECK: Check = Check {
    code: "SQA020",
    name: "missing-outcome",
    severity: Severity::Error,
    critical: true,
    summary: "the lesson does not name an outcome of its scheme of work",
    what: "With a scheme of work, every code in the `outcomeRefs` of the lesson’s entry must be in the lesson’s own `outcomeRefs` or `assessmentStandardRefs`. `1.1` matches `AS1.1`, and `1` matches `O1`. In a whole scheme, the entry is found by `sow_order`, title or codes; if it is only a likely match, this is a warning. Without a scheme of work, only a lesson without any outcome is reported, as a warning; revision lessons and mock exams may cover a whole course without naming outcomes.",
    why: "Progress is counted by outcome: learners get no credit for an outcome that the lesson does not name. Caps `sow_template_fidelity` below its threshold of .88.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"outcomeRefs\": [\"O1\"], \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\"}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"outcomeRefs\": [\"O1\", \"AS1.3\"], \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\"}]}",
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
  "outcomeRefs": ["O1", "AS1.3"]
}"#;

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    let matched = scheme::entry(template, examination.companions);
    let asked = matched.map_or(&[][..], |matched| matched.entry.outcomes.as_slice());
    let missing = codes::missing(template, asked);
    if let (Some(matched), false) = (matched, missing.is_empty()) {
        codes::report_missing(template, matched, &missing, CHECK.caps, sink);
    } else if template.codes().next().is_none() && needs_one(template, matched) {
        let message = "the lesson names no outcome; add the codes of the outcomes and assessment standards that it covers to outcomeRefs";
        let range = template.outcomes.range.clone();
        sink.in_source(range.unwrap_or_else(|| template.anchor()), message)
            .severity(Severity::Warning)
            .caps(CHECK.caps)
            .critical = false;
    }
}

/// Real schemes plan revision and mock exams for the whole course, without codes.
fn needs_one(template: &Template, matched: Option<Matched<'_>>) -> bool {
    let is_general = matches!(
        template.kind(),
        Some(LessonType::Revision | LessonType::MockExam | LessonType::Other)
    );
    matched.map_or(!is_general, |matched| !matched.entry.standards.is_empty())
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity;

    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, findings_beside, scheme};

    fn lesson(codes: &str) -> String {
        format!(
            r#"{{"title": "Fractions of Amounts", "lesson_type": "teach", {codes}, "cards": [{{"explainer": "e"}}, {{"explainer": "e"}}, {{"explainer": "e"}}]}}"#
        )
    }

    /// Seed 000, feedback example 4: AS1.3 is in the entry and not in the lesson.
    #[test]
    fn a_missing_outcome_is_named_with_what_to_do() {
        let entry = scheme(
            r#"{"order": 4, "label": "Fractions of Amounts", "outcomeRefs": ["O1", "O2", "AS1.3"],
                "lesson_plan": {"card_structure": [{}, {}, {"standards_addressed": ["AS1.3"]}]}}"#,
        );
        let found = findings_beside(&CHECK, &lesson(r#""outcomeRefs": ["O1", "O2"]"#), &entry);
        assert_eq!(found[0].severity, Severity::Error);
        assert_eq!(found[0].at, r#"["O1", "O2"]"#);
        assert_eq!(
            found[0].message,
            "outcomeRefs has “O1” and “O2”, but entry 4 (“Fractions of Amounts”) of the scheme of work also asks for “AS1.3”; add it to outcomeRefs and make sure that card 3 covers it, as the scheme plans"
        );
    }

    #[test]
    fn codes_are_found_wherever_and_however_they_are_written() {
        let entry = scheme(r#"{"order": 1, "label": "L", "outcomeRefs": ["O1", "AS1.1"]}"#);
        for (codes, fires) in [
            (r#""outcomeRefs": ["O1", "AS1.1"]"#, false),
            (r#""outcomeRefs": ["1", "1.1"]"#, false),
            (r#""outcomeRefs": ["O1"], "assessmentStandardRefs": [{"code": "AS1.1"}]"#, false),
            (r#""outcomeRefs": ["O1", "AS1.1", "AS9.9"]"#, false),
            (r#""outcomeRefs": ["O2", "AS1.1"]"#, true),
            (r#""outcomeRefs": []"#, true),
        ] {
            let found = findings_beside(&CHECK, &lesson(codes), &entry);
            assert_eq!(!found.is_empty(), fires, "{codes} {found:?}");
        }
    }

    #[test]
    fn without_a_scheme_only_no_outcome_at_all_is_reported() {
        assert!(findings(&CHECK, &lesson(r#""outcomeRefs": ["O1"]"#)).is_empty());
        let none = lesson(r#""outcomeRefs": []"#);
        let found = findings(&CHECK, &none);
        assert_eq!((found.len(), found[0].severity), (1, Severity::Warning));
        assert!(findings(&CHECK, &none.replace("\"teach\"", "\"mock_exam\"")).is_empty());
        let entry = scheme(r#"{"order": 9, "label": "Course review", "outcomeRefs": []}"#);
        assert!(findings_beside(&CHECK, &none, &entry).is_empty());
    }

    #[test]
    fn a_likely_entry_gives_a_warning() {
        let whole = scheme(
            r#"[{"label": "Amounts and Fractions of Them", "lesson_type": "teach", "outcomeRefs": ["O1"]},
                {"label": "Maps", "lesson_type": "teach", "outcomeRefs": ["O2"]}]"#,
        );
        let lesson = lesson(r#""outcomeRefs": ["O7"]"#).replace("Fractions of Amounts", "Fractions of Amounts and More of Them");
        let found = findings_beside(&CHECK, &lesson, &whole);
        assert_eq!(found.first().map(|said| said.severity), Some(Severity::Warning), "{found:?}");
    }
}
