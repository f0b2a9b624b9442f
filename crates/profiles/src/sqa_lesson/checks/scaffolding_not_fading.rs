//! `scaffolding-not-fading`: independent work has more support than the
//! practice before it.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::PEDAGOGY_BELOW;
use crate::sqa_lesson::model::{self, Card, LessonType};
use crate::sqa_lesson::roles::Role;
use crate::sqa_lesson::wording::counted;

pub(super) static CHECK: Check = Check {
    code: "SQA005",
    name: "scaffolding-not-fading",
    severity: Severity::Warning,
    summary: "independent work has more support than the practice before it",
    what: "Compares the support that the cards of a teach lesson give: the hints of independent practice (You do) with those of guided practice (We do), and the worked steps (“Step 1”) in its explainer with those before it. Needs cards whose title or id names these stages. Whether the wording of an explainer helps more or less is left to a judge.",
    why: "Support should fade from modelling to independent work; if it grows, learners rely on it and no one sees what they can do alone. Caps `pedagogical_design` below its threshold of .88.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"We Do: Thirds\", \"explainer\": \"Try it with me.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"What is a third of £18?\"}}, {\"title\": \"You Do: Tickets\", \"explainer\": \"Your turn.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"What is a third of £24?\", \"hints\": [\"Read it again.\", \"Divide first.\", \"By what?\"]}}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"We Do: Thirds\", \"explainer\": \"Try it with me.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"What is a third of £18?\", \"hints\": [\"Read it again.\", \"Divide first.\", \"By what?\"]}}, {\"title\": \"You Do: Tickets\", \"explainer\": \"Your turn.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"What is a third of £24?\"}}]}",
        fixed: None,
    }],
    caps: &[PEDAGOGY_BELOW],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    if template.kind() != Some(LessonType::Teach) {
        return;
    }
    let (Some(guided), Some(own)) = (
        template.first_with(Role::Guided),
        template.first_with(Role::Independent),
    ) else {
        return;
    };
    let (given, more) = (guided.hints().len(), own.hints().len());
    if more > given {
        let message = format!(
            "card {} (independent practice) has {}, but card {} (guided practice) has {}; move them to card {} and let learners do card {} alone",
            own.number,
            counted(more, "hint"),
            guided.number,
            if given == 0 { "none".to_owned() } else { given.to_string() },
            guided.number,
            own.number
        );
        sink.in_source(own.anchor(), message).caps(CHECK.caps);
        return;
    }
    let before = template
        .cards
        .iter()
        .filter(|card| card.number < own.number)
        .map(steps)
        .max()
        .unwrap_or(0);
    let steps = steps(own);
    if steps >= LEAST_STEPS && steps > before {
        let message = format!(
            "card {} (independent practice) explains its task in {steps} steps, more than any card before it; move the steps to the modelling card and leave the task to the learner",
            own.number
        );
        sink.in_source(own.anchor(), message).caps(CHECK.caps);
    }
}

/// A single step is not a procedure.
const LEAST_STEPS: usize = 2;

/// The number of steps in an explainer: “Step 1”, “Step 2” …
fn steps(card: &Card) -> usize {
    let Some(explainer) = &card.explainer else {
        return 0;
    };
    let lower = explainer.value.to_lowercase();
    lower
        .match_indices("step ")
        .filter(|(at, word)| {
            lower
                .get(at + word.len()..)
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, lesson};

    fn card(title: &str, explainer: &str, hints: usize) -> String {
        let hints = vec!["\"Look.\""; hints].join(", ");
        format!(r#"{{"title": "{title}", "explainer": "{explainer}", "cfu": {{"type": "numeric", "hints": [{hints}]}}}}"#)
    }

    #[test]
    fn support_may_fade_or_stay_but_not_grow() {
        let stepwise = "Step 1: divide. Step 2: multiply.";
        for (kind, modelling, guided, own, fires) in [
            ("teach", ("x", 0), ("x", 3), ("x", 0), false),
            ("teach", ("x", 0), ("x", 3), ("x", 3), false),
            ("teach", ("x", 0), ("x", 3), ("x", 4), true),
            ("teach", ("x", 0), ("x", 0), ("x", 1), true),
            ("teach", (stepwise, 0), ("x", 3), (stepwise, 0), false),
            ("teach", ("x", 0), ("x", 3), (stepwise, 0), true),
            ("teach", ("x", 0), ("x", 0), ("Take the first step alone.", 0), false),
            ("revision", ("x", 0), ("x", 0), ("x", 3), false),
        ] {
            let cards = [
                card("I Do: a", modelling.0, modelling.1),
                card("We Do: b", guided.0, guided.1),
                card("You Do: c", own.0, own.1),
            ];
            let found = findings(&CHECK, &lesson(kind, &cards.join(", ")));
            assert_eq!(!found.is_empty(), fires, "{cards:?} {found:?}");
        }
    }

    #[test]
    fn the_message_says_where_the_hints_belong() {
        let cards = [card("We Do: b", "x", 0), card("You Do: c", "x", 3)].join(", ");
        assert_eq!(
            findings(&CHECK, &lesson("teach", &cards))[0].message,
            "card 2 (independent practice) has 3 hints, but card 1 (guided practice) has none; move them to card 1 and let learners do card 2 alone"
        );
    }
}
