//! `cards-for-time`: too many or too few cards for the time.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::{Remedy, Severity};

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::PEDAGOGY_BELOW;
use crate::sqa_lesson::model::{self, LessonType};
use crate::sqa_lesson::scheme;
use crate::sqa_lesson::wording::counted;

pub(super) static CHECK: Check = Check {
    code: "SQA002",
    name: "cards-for-time",
    severity: Severity::Warning,
    summary: "too many or too few cards for the time",
    what: "Compares the number of cards with `estMinutes`: 2 to 3 cards in 30 minutes, rounded in the lesson’s favour, so 3 to 5 in 50. Ignores mock exams, whose cards are questions, and lessons whose scheme of work plans exactly this number of cards.",
    why: "A lesson that does not fit its period is cut where it matters most: at independent work. Caps `pedagogical_design` below its threshold of .88.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Rounding Prices\", \"lesson_type\": \"teach\", \"estMinutes\": 90, \"cards\": [{\"title\": \"Starter: Tens\", \"explainer\": \"Count in tens.\"}, {\"title\": \"I Do: Rounding\", \"explainer\": \"Watch me.\"}, {\"title\": \"You Do: Prices\", \"explainer\": \"Your turn.\"}]}",
        passes: "{\"title\": \"Rounding Prices\", \"lesson_type\": \"teach\", \"estMinutes\": 45, \"cards\": [{\"title\": \"Starter: Tens\", \"explainer\": \"Count in tens.\"}, {\"title\": \"I Do: Rounding\", \"explainer\": \"Watch me.\"}, {\"title\": \"You Do: Prices\", \"explainer\": \"Your turn.\"}]}",
        fixed: None,
    }],
    parameters: &[
        Parameter { name: "least-in-30-minutes", what: "minimum number of cards in 30 minutes" },
        Parameter { name: "most-in-30-minutes", what: "maximum number of cards in 30 minutes" },
    ],
    caps: &[PEDAGOGY_BELOW],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    let Some(minutes) = template.minutes.as_ref().filter(|minutes| minutes.value > 0.0) else {
        return;
    };
    let count = template.cards.len();
    let planned = scheme::entry(template, examination.companions)
        .map_or(0, |entry| entry.entry.cards.len());
    if count == 0 || planned == count || template.kind() == Some(LessonType::MockExam) {
        return;
    }
    let halves = minutes.value / 30.0;
    let least = rounded(halves * examination.number("least-in-30-minutes"), f64::floor);
    let most = rounded(halves * examination.number("most-in-30-minutes"), f64::ceil);
    if (least..=most).contains(&count) {
        return;
    }
    let cards = counted(count, "card");
    let (message, remedy) = if count > most {
        let message = format!(
            "{cards} will not fit into {} minutes; merge cards to leave at most {most}, or plan {} minutes",
            minutes.value,
            count * 10
        );
        (message, Remedy::Merge(Vec::new()))
    } else {
        let message = format!(
            "{cards} will not fill {} minutes; plan about {} minutes, or add {}",
            minutes.value,
            count * 15,
            counted(least - count, "card")
        );
        (message, Remedy::Add)
    };
    let finding = sink.in_source(minutes.range.clone(), message);
    finding.caps(CHECK.caps).remedy(remedy);
}

fn rounded(cards: f64, towards: fn(f64) -> f64) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "cards are few and the cast saturates"
    )]
    let cards = towards(cards) as usize;
    cards
}

#[cfg(test)]
mod tests {
    use super::CHECK;
    use crate::sqa_lesson::testing::{card, findings, findings_beside, scheme};

    fn lesson(kind: &str, minutes: &str, count: usize) -> String {
        let cards = vec![card("Part", "{}"); count].join(", ");
        format!(r#"{{"title": "T", "lesson_type": "{kind}", "estMinutes": {minutes}, "cards": [{cards}]}}"#)
    }

    #[test]
    fn two_to_three_cards_fit_half_an_hour() {
        for (kind, minutes, count, fires) in [
            ("teach", "50", 3, false),
            ("teach", "50", 4, false),
            ("teach", "50", 5, false),
            ("teach", "50", 6, true),
            ("teach", "50", 2, true),
            ("teach", "25", 3, false),
            ("formative_assessment", "25", 2, false),
            ("teach", "25", 4, true),
            ("teach", "100", 4, true),
            ("mock_exam", "60", 12, false),
            ("teach", "0", 3, false),
            ("teach", "\"soon\"", 3, false),
            ("teach", "50", 0, false),
        ] {
            let found = findings(&CHECK, &lesson(kind, minutes, count));
            assert_eq!(!found.is_empty(), fires, "{kind} {minutes} {count} {found:?}");
        }
    }

    #[test]
    fn it_says_what_would_fit() {
        let found = findings(&CHECK, &lesson("teach", "50", 6));
        assert_eq!(
            found[0].message,
            "6 cards will not fit into 50 minutes; merge cards to leave at most 5, or plan 60 minutes"
        );
        assert_eq!(found[0].at, "50");
    }

    #[test]
    fn a_planned_number_of_cards_is_left_alone() {
        let plan = scheme(
            r#"{"order": 1, "label": "L", "lesson_plan": {"card_structure": [{}, {}, {}, {}, {}, {}]}}"#,
        );
        assert!(findings_beside(&CHECK, &lesson("teach", "50", 6), &plan).is_empty());
    }
}
