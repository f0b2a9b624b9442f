//! `unknown-outcome`: a code is in neither the course nor the scheme of work.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::{SCHEME_BELOW, SCHEME_MINOR};
use crate::sqa_lesson::model;
use crate::sqa_lesson::scheme::{self, same_code};
use crate::sqa_lesson::wording::quoted;

pub(super) static CHECK: Check = Check {
    code: "SQA021",
    name: "unknown-outcome",
    severity: Severity::Warning,
    summary: "a code is in neither the course nor the scheme of work",
    what: "Looks up the codes in `outcomeRefs` and `assessmentStandardRefs`: in the outcomes if they are given and belong to the same course, otherwise in the scheme of work. An existing code that the lesson’s entry in the scheme does not ask for is info; so is any such code if only the entry is given. Without outcomes and scheme, nothing is reported.",
    why: "An unknown code cannot be credited to anyone. Caps `sow_template_fidelity` below its threshold of .88; a surplus code caps it at .95.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"outcomeRefs\": [\"O1\", \"AS1.7\"], \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\"}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"outcomeRefs\": [\"O1\", \"AS1.2\"], \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\"}]}",
        fixed: None,
    }],
    caps: &[SCHEME_BELOW, SCHEME_MINOR],
    run,
    ..DEFAULTS
};

pub(super) const OUTCOMES: &str = r#"[
  {
    "outcomeId": "O1",
    "outcomeTitle": "Use numerical skills",
    "assessmentStandards": [{"code": "AS1.1", "desc": "Select units"}, {"code": "AS1.2", "desc": "Calculate"}]
  }
]"#;

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    let companions = examination.companions;
    let course: Vec<&str> = scheme::outcomes(template, companions)
        .map(|outcome| outcome.code.as_str())
        .collect();
    let matched = scheme::entry(template, companions);
    // A scheme without an entry for the lesson does not apply to it.
    let in_scheme: Vec<&str> = companions
        .scheme_of_work
        .iter()
        .filter(|_| matched.is_some())
        .flat_map(|entry| entry.outcomes.iter().chain(&entry.standards))
        .map(String::as_str)
        .collect();
    if course.is_empty() && in_scheme.is_empty() {
        return;
    }
    // A single entry does not list all codes, only those it asks for.
    let is_whole = !course.is_empty() || companions.scheme_of_work.len() > 1;
    for code in template.codes() {
        let is_among = |codes: &[&str]| codes.iter().any(|other| same_code(&code.value, other));
        if is_whole && !is_among(&course) && !is_among(&in_scheme) {
            let (known, codes) = if course.is_empty() {
                ("the scheme of work", &in_scheme)
            } else {
                ("the course", &course)
            };
            let message = format!(
                "{known} has no outcome or assessment standard “{}”; {}",
                code.value,
                choices(codes)
            );
            sink.in_source(code.range.clone(), message)
                .caps(&[SCHEME_BELOW]);
        } else if let Some(matched) = matched {
            let entry = matched.entry;
            let asked: Vec<&str> = entry
                .outcomes
                .iter()
                .chain(&entry.standards)
                .map(String::as_str)
                .collect();
            if !asked.is_empty() && !is_among(&asked) {
                let message = format!(
                    "{} does not ask for “{}”; remove it unless a card covers it",
                    matched.name(),
                    code.value
                );
                sink.in_source(code.range.clone(), message)
                    .severity(Severity::Info)
                    .caps(&[SCHEME_MINOR]);
            }
        }
    }
}

/// The codes to choose from, unless there are too many to list.
fn choices(codes: &[&str]) -> String {
    let mut distinct: Vec<&str> = Vec::new();
    for code in codes {
        if !distinct.contains(code) && distinct.len() <= MOST_NAMED {
            distinct.push(code);
        }
    }
    if distinct.len() > MOST_NAMED {
        "use one that it has".to_owned()
    } else {
        format!("it has {}", quoted(&distinct))
    }
}

const MOST_NAMED: usize = 12;

#[cfg(test)]
mod tests {
    use redraft_gate::companion::Companions;
    use redraft_gate::finding::Severity;

    use super::{CHECK, OUTCOMES};
    use crate::companions;
    use crate::sqa_lesson::testing::{findings, findings_beside, scheme};

    fn lesson(codes: &str) -> String {
        format!(r#"{{"courseId": "course_1", "title": "Fractions", "lesson_type": "teach", "outcomeRefs": [{codes}], "cards": []}}"#)
    }

    fn outcomes(json: &str) -> Companions {
        Companions {
            outcomes: companions::outcomes(json.as_bytes().to_vec()).unwrap(),
            ..Companions::default()
        }
    }

    #[test]
    fn codes_are_looked_up_in_the_course() {
        let known = outcomes(OUTCOMES);
        for (codes, expected) in [
            (r#""O1", "AS1.2""#, None),
            (r#""1", "1.2""#, None),
            (
                r#""O1", "AS1.7""#,
                Some("the course has no outcome or assessment standard “AS1.7”; it has “O1”, “AS1.1” and “AS1.2”"),
            ),
        ] {
            let found = findings_beside(&CHECK, &lesson(codes), &known);
            assert_eq!(found.first().map(|said| said.message.as_str()), expected, "{codes}");
        }
    }

    #[test]
    fn the_outcomes_of_another_course_are_ignored() {
        let other = outcomes(r#"[{"courseId": "course_2", "outcomeId": "O7"}]"#);
        assert!(findings_beside(&CHECK, &lesson(r#""O1""#), &other).is_empty());
        assert!(findings(&CHECK, &lesson(r#""O1""#)).is_empty());
    }

    #[test]
    fn a_single_entry_only_lists_what_it_asks_for() {
        let entry = scheme(r#"{"order": 1, "label": "Fractions", "outcomeRefs": ["O1"]}"#);
        let found = findings_beside(&CHECK, &lesson(r#""O1", "AS1.1""#), &entry);
        assert_eq!(found[0].severity, Severity::Info);
        assert_eq!(
            found[0].message,
            "entry 1 (“Fractions”) of the scheme of work does not ask for “AS1.1”; remove it unless a card covers it"
        );
    }

    #[test]
    fn a_code_of_another_lesson_is_info() {
        let whole = scheme(
            r#"[{"order": 1, "label": "Fractions", "lesson_type": "teach", "outcomeRefs": ["O1"]},
                {"order": 2, "label": "Maps", "lesson_type": "teach", "outcomeRefs": ["O2"]}]"#,
        );
        for (codes, expected) in [
            (r#""O1""#, None),
            (r#""O1", "O2""#, Some(Severity::Info)),
            (r#""O1", "O3""#, Some(Severity::Warning)),
        ] {
            let found = findings_beside(&CHECK, &lesson(codes), &whole);
            assert_eq!(found.first().map(|said| said.severity), expected, "{codes}");
        }
    }
}
