//! `misconception-shape`: misconceptions are missing, incomplete or too many.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::{COHERENCE_MINOR, PEDAGOGY_MINOR};
use crate::sqa_lesson::model::{self, LessonType, Text};
use crate::sqa_lesson::wording::counted;

pub(super) static CHECK: Check = Check {
    code: "SQA028",
    name: "misconception-shape",
    severity: Severity::Warning,
    summary: "misconceptions are missing, incomplete or too many",
    what: "Each misconception needs a description and a clarification that differs from it. A teach card that asks a question but names no misconception, more than three on one card, and a repeated id are info.",
    why: "A misconception without a clarification teaches the mistake. An incomplete one caps `coherence` at .90; a lesson that anticipates no mistake caps `pedagogical_design` at .95.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\", \"misconceptions\": [{\"id\": \"FRAC_TOP_1\", \"misconception\": \"Divides by the top number\"}]}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\", \"misconceptions\": [{\"id\": \"FRAC_TOP_1\", \"misconception\": \"Divides by the top number\", \"clarification\": \"The bottom number says how many equal parts there are.\"}]}]}",
        fixed: None,
    }],
    parameters: &[Parameter { name: "most", what: "maximum misconceptions on a card" }],
    caps: &[COHERENCE_MINOR, PEDAGOGY_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    let most = examination.count("most");
    let mut ids = std::collections::BTreeMap::new();
    for card in &template.cards {
        let items = &card.misconceptions.items;
        if items.is_empty() && !card.cfus.is_empty() && template.kind() == Some(LessonType::Teach) {
            let message = format!(
                "card {} names no misconception; add the mistake that learners are most likely to make, with a clarification",
                card.number
            );
            sink.in_source(card.anchor(), message)
                .severity(Severity::Info)
                .caps(&[PEDAGOGY_MINOR]);
        }
        if items.len() > most {
            let message = format!(
                "card {} names {}; keep the {most} most important ones",
                card.number,
                counted(items.len(), "misconception")
            );
            let range = card.misconceptions.range.clone();
            sink.in_source(range.unwrap_or_else(|| card.anchor()), message)
                .severity(Severity::Info)
                .caps(&[COHERENCE_MINOR]);
        }
        for item in items {
            let words = written(item.misconception.as_ref());
            let clarification = written(item.clarification.as_ref());
            let problem = match (words, clarification) {
                (None, _) => "does not say what learners get wrong; describe it",
                (_, None) => "has no clarification; say what to tell a learner who makes this mistake",
                (Some(words), Some(clarification)) if words == clarification => {
                    "has a clarification that only repeats it; say what is right instead"
                }
                _ => "",
            };
            let first = item.misconception.as_ref().or(item.id.as_ref());
            let anchor = first.map_or_else(|| model::opening(&item.range), |text| text.range.clone());
            if !problem.is_empty() {
                let message = format!("a misconception of card {} {problem}", card.number);
                sink.in_source(anchor, message).caps(&[COHERENCE_MINOR]);
            }
            let Some(id) = &item.id else { continue };
            if let Some(first) = ids.insert(id.value.as_str(), card.number) {
                let message = format!(
                    "the id “{}” is already used on card {first}; give this misconception its own id",
                    id.value
                );
                sink.in_source(id.range.clone(), message)
                    .severity(Severity::Info)
                    .caps(&[COHERENCE_MINOR]);
            }
        }
    }
}

fn written(text: Option<&Text>) -> Option<&str> {
    text.map(|text| text.value.trim())
        .filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity;

    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, lesson};

    #[test]
    fn a_misconception_has_two_sides() {
        let (info, warning) = (Some(Severity::Info), Some(Severity::Warning));
        for (kind, list, expected) in [
            ("teach", r#"[{"id": "M1", "misconception": "m", "clarification": "c"}]"#, None),
            ("teach", r#"[{"error_pattern": "m", "how_to_address": "c"}]"#, None),
            ("teach", r#"[{"id": "M1", "misconception": "m"}]"#, warning),
            ("teach", r#"[{"id": "M1", "clarification": "c"}]"#, warning),
            ("teach", r#"[{"misconception": "same", "clarification": "same"}]"#, warning),
            ("teach", r#"["Divides by the top number"]"#, warning),
            ("teach", "[]", info),
            ("revision", "[]", None),
            (
                "teach",
                r#"[{"misconception": "a", "clarification": "b"}, {"misconception": "c", "clarification": "d"}, {"misconception": "e", "clarification": "f"}, {"misconception": "g", "clarification": "h"}]"#,
                info,
            ),
            (
                "teach",
                r#"[{"id": "M", "misconception": "a", "clarification": "b"}, {"id": "M", "misconception": "c", "clarification": "d"}]"#,
                info,
            ),
        ] {
            let card = format!(r#"{{"explainer": "e", "cfu": {{"stem": "q"}}, "misconceptions": {list}}}"#);
            let found = findings(&CHECK, &lesson(kind, &card));
            assert_eq!(found.first().map(|said| said.severity), expected, "{list} {found:?}");
        }
    }
}
