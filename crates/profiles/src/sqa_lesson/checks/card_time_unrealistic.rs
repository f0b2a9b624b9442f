//! `card-time-unrealistic`: a card takes too little or too much time.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::COHERENCE_MINOR;
use crate::sqa_lesson::model::{self, LessonType};

pub(super) static CHECK: Check = Check {
    code: "SQA019",
    name: "card-time-unrealistic",
    severity: Severity::Warning,
    summary: "a card takes too little or too much time",
    what: "A card with its own minutes should take 5 to 15 of them, give or take two. The cards of a mock exam may take longer. Cards without minutes are ignored.",
    why: "In three minutes no one can read an explainer and answer a question; after twenty minutes a class has lost the thread. Caps `coherence` at .90; minutes that do not add up are reported by `timing-mismatch`.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"estMinutes\": 50, \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\", \"estMinutes\": 30}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"estMinutes\": 50, \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\", \"estMinutes\": 12}]}",
        fixed: None,
    }],
    parameters: &[
        Parameter { name: "least", what: "minimum minutes for a card" },
        Parameter { name: "most", what: "maximum minutes for a card" },
        Parameter { name: "tolerance", what: "minutes outside the range that are accepted" },
    ],
    caps: &[COHERENCE_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    let least = examination.number("least");
    let most = examination.number("most");
    let tolerance = examination.number("tolerance");
    for card in &template.cards {
        let Some(minutes) = &card.minutes else {
            continue;
        };
        let advice = if minutes.value < least - tolerance {
            "give it more time, or merge it with another card"
        } else if minutes.value > most + tolerance && template.kind() != Some(LessonType::MockExam) {
            "split it into two cards"
        } else {
            continue;
        };
        let message = format!(
            "card {} takes {} minutes, but {least} to {most} are realistic; {advice}",
            card.number, minutes.value
        );
        sink.in_source(minutes.range.clone(), message).caps(CHECK.caps);
    }
}

#[cfg(test)]
mod tests {
    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, lesson};

    #[test]
    fn a_card_takes_five_to_fifteen_minutes() {
        for (kind, minutes, fires) in [
            ("teach", "5", false),
            ("teach", "15", false),
            ("teach", "3", false),
            ("teach", "17", false),
            ("teach", "2", true),
            ("teach", "18", true),
            ("mock_exam", "20", false),
            ("mock_exam", "1", true),
            ("teach", "\"a while\"", false),
        ] {
            let card = format!(r#"{{"explainer": "e", "minutes": {minutes}}}"#);
            assert_eq!(!findings(&CHECK, &lesson(kind, &card)).is_empty(), fires, "{kind} {minutes}");
        }
    }
}
