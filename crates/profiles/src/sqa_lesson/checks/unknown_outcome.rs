//! `unknown-outcome`: a code that neither the course nor the scheme of work knows.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::finding::Severity;

use crate::sqa_lesson::caps::{SCHEME_BELOW, SCHEME_MINOR};
use crate::sqa_lesson::model;
use crate::sqa_lesson::scheme::{self, same_code};
use crate::sqa_lesson::wording::quoted;

pub(super) static CHECK: Check = Check {
    code: "SQA021",
    name: "unknown-outcome",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Semantics,
    concern: Concern::Alignment,
    summary: "a code that neither the course nor the scheme of work knows",
    what: "Looks up the codes in `outcomeRefs` and `assessmentStandardRefs`: among the outcomes of the course where they are given and are of the same course, else in the scheme of work. A code that exists, but that the lesson’s entry of the scheme does not ask for, is a remark; so is any such code where only the entry is given. Without outcomes and scheme it is silent.",
    why: "A code that nobody knows cannot be counted for anybody. Codes must match the course’s, and irrelevant ones have no place: failures of fidelity to the scheme of work lie below that dimension’s threshold of .88, a surplus code leaves .95.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"outcomeRefs\": [\"O1\", \"AS1.7\"], \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\"}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"outcomeRefs\": [\"O1\", \"AS1.2\"], \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\"}]}",
        fixed: None,
    }],
    parameters: &[],
    caps: &[SCHEME_BELOW, SCHEME_MINOR],
    run,
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
    // A scheme in which the lesson has no place is another one.
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
    // A single entry does not tell which codes there are, only which it asks for.
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
                "no outcome or assessment standard of {known} has the code “{}”; {}",
                code.value,
                nearest(codes)
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
                    "“{}” is not asked for by {}; remove it unless a card serves it",
                    code.value,
                    matched.name()
                );
                sink.in_source(code.range.clone(), message)
                    .severity(Severity::Info)
                    .caps(&[SCHEME_MINOR]);
            }
        }
    }
}

/// The codes to choose from, as far as one can take them in.
fn nearest(codes: &[&str]) -> String {
    let mut distinct: Vec<&str> = Vec::new();
    for code in codes {
        if !distinct.contains(code) && distinct.len() <= MOST_NAMED {
            distinct.push(code);
        }
    }
    if distinct.len() > MOST_NAMED {
        "take one that it has".to_owned()
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
                Some("no outcome or assessment standard of the course has the code “AS1.7”; it has “O1”, “AS1.1” and “AS1.2”"),
            ),
        ] {
            let found = findings_beside(&CHECK, &lesson(codes), &known);
            assert_eq!(found.first().map(|said| said.message.as_str()), expected, "{codes}");
        }
    }

    #[test]
    fn the_outcomes_of_another_course_say_nothing() {
        let other = outcomes(r#"[{"courseId": "course_2", "outcomeId": "O7"}]"#);
        assert!(findings_beside(&CHECK, &lesson(r#""O1""#), &other).is_empty());
        assert!(findings(&CHECK, &lesson(r#""O1""#)).is_empty());
    }

    #[test]
    fn a_single_entry_tells_only_what_it_asks_for() {
        let entry = scheme(r#"{"order": 1, "label": "Fractions", "outcomeRefs": ["O1"]}"#);
        let found = findings_beside(&CHECK, &lesson(r#""O1", "AS1.1""#), &entry);
        assert_eq!(found[0].severity, Severity::Info);
        assert_eq!(
            found[0].message,
            "“AS1.1” is not asked for by entry 1 (“Fractions”) of the scheme of work; remove it unless a card serves it"
        );
    }

    #[test]
    fn a_code_of_another_lesson_is_a_remark() {
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
