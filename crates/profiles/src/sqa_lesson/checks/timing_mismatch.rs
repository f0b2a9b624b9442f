//! `timing-mismatch`: minutes do not add up.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::COHERENCE_BELOW;
use crate::sqa_lesson::model::{self, Card, Written};
use crate::sqa_lesson::scheme::{self, Matched};

pub(super) static CHECK: Check = Check {
    code: "SQA018",
    name: "timing-mismatch",
    severity: Severity::Warning,
    summary: "minutes do not add up",
    what: "If all cards have minutes, their sum must equal `estMinutes`, give or take two; if only the plan in the scheme of work has minutes, the plan’s sum must. Also reports a lesson whose time differs from its entry in the scheme of work. Cards without minutes are ignored.",
    why: "A period has a fixed length; what does not fit is cut. Caps `coherence` below its threshold of .85.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"estMinutes\": 50, \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\", \"estMinutes\": 15}, {\"title\": \"We Do: Thirds\", \"explainer\": \"Try it with me.\", \"estMinutes\": 15}, {\"title\": \"You Do: Tickets\", \"explainer\": \"Your turn.\", \"estMinutes\": 10}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"estMinutes\": 40, \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\", \"estMinutes\": 15}, {\"title\": \"We Do: Thirds\", \"explainer\": \"Try it with me.\", \"estMinutes\": 15}, {\"title\": \"You Do: Tickets\", \"explainer\": \"Your turn.\", \"estMinutes\": 10}]}",
        fixed: None,
    }],
    parameters: &[Parameter { name: "tolerance", what: "accepted difference in minutes" }],
    caps: &[COHERENCE_BELOW],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    let Some(minutes) = &template.minutes else {
        return;
    };
    let tolerance = examination.number("tolerance");
    let differs = |other: &f64| (other - minutes.value).abs() > tolerance;
    let matched = scheme::entry(template, examination.companions);
    let planned = matched.and_then(|matched| matched.entry.minutes).filter(differs);
    if let (Some(matched), Some(planned)) = (matched, planned) {
        let message = format!(
            "the lesson takes {} minutes, but {} plans {planned}; make them agree",
            minutes.value,
            matched.name()
        );
        sink.in_source(minutes.range.clone(), message)
            .caps(CHECK.caps);
    }
    // A plan with a different total has been reported already.
    let of_plan = matched.filter(|_| planned.is_none()).and_then(sum_of_plan);
    let (sum, whose) = match (sum_of_cards(&template.cards), of_plan) {
        (Some(sum), _) => (sum, "the cards"),
        (None, Some(sum)) => (sum, "the cards planned in the scheme of work"),
        (None, None) => return,
    };
    if differs(&sum) {
        let message = format!(
            "{whose} take {sum} minutes in total, but the lesson says {}; {}",
            minutes.value,
            advice(sum, minutes)
        );
        sink.in_source(minutes.range.clone(), message)
            .caps(CHECK.caps);
    }
}

fn advice(sum: f64, minutes: &Written<f64>) -> String {
    let difference = (sum - minutes.value).abs();
    if sum > minutes.value {
        format!("shorten the cards by {difference} minutes, or plan {sum}")
    } else {
        format!("give the cards {difference} more minutes, or plan {sum}")
    }
}

/// The minutes of all cards; `None` if a card has none.
fn sum_of_cards(cards: &[Card]) -> Option<f64> {
    if cards.is_empty() {
        return None;
    }
    cards
        .iter()
        .map(|card| card.minutes.as_ref().map(|minutes| minutes.value))
        .sum()
}

fn sum_of_plan(matched: Matched<'_>) -> Option<f64> {
    if matched.entry.cards.is_empty() {
        return None;
    }
    matched.entry.cards.iter().map(|card| card.minutes).sum()
}

#[cfg(test)]
mod tests {
    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, findings_beside, scheme, teach};

    #[test]
    fn the_minutes_of_the_cards_add_up_within_two() {
        for (minutes, fires) in [
            (&["10", "20", "20"][..], false),
            (&["10", "20", "22"], false),
            (&["10", "20", "23"], true),
            (&["10", "20", "17"], true),
            (&["10", "\"20\"", "20"], false),
            (&["10", "20", "null"], false),
            (&[], false),
        ] {
            let cards: Vec<String> = minutes
                .iter()
                .map(|minutes| format!(r#"{{"explainer": "e", "minutes": {minutes}}}"#))
                .collect();
            let found = findings(&CHECK, &teach(&cards.join(", ")));
            assert_eq!(!found.is_empty(), fires, "{minutes:?} {found:?}");
        }
    }

    #[test]
    fn the_plan_counts_where_cards_carry_no_minutes() {
        let plan = scheme(
            r#"{"order": 3, "label": "Speed", "estMinutes": 50, "lesson_plan": {"card_structure": [
                {"estimated_minutes": 5}, {"estimated_minutes": 10}, {"estimated_minutes": 10}, {"estimated_minutes": 15}, {"estimated_minutes": 5}]}}"#,
        );
        let found = findings_beside(&CHECK, &teach(r#"{"explainer": "e"}"#), &plan);
        assert_eq!(
            found[0].message,
            "the cards planned in the scheme of work take 45 minutes in total, but the lesson says 50; give the cards 5 more minutes, or plan 45"
        );
    }

    #[test]
    fn the_lesson_takes_as_long_as_its_entry_says() {
        let entry = scheme(r#"{"order": 3, "label": "Speed", "estMinutes": 40}"#);
        let found = findings_beside(&CHECK, &teach(r#"{"explainer": "e"}"#), &entry);
        assert_eq!(
            found[0].message,
            "the lesson takes 50 minutes, but entry 3 (“Speed”) of the scheme of work plans 40; make them agree"
        );
    }
}
