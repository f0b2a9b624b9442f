//! `card-count`: too many or too few cards for this kind of lesson.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::{Remedy, Severity};

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::PEDAGOGY_BELOW;
use crate::sqa_lesson::model::{self, Card, LessonType, Template};
use crate::sqa_lesson::roles::Role;
use crate::sqa_lesson::scheme;
use crate::sqa_lesson::wording::{self, counted};

pub(super) static CHECK: Check = Check {
    code: "SQA001",
    name: "card-count",
    severity: Severity::Warning,
    summary: "too many or too few cards for this kind of lesson",
    what: "Counts the cards: 3 to 4 for teaching, independent practice and revision, 2 to 3 for a formative assessment (more if it covers more assessment standards), 8 to 15 for a mock exam. The number that the scheme of work plans is accepted, too. Suggests which cards to merge, or which stage is missing. Lessons of an unknown kind are ignored.",
    why: "Too many cards are rushed through; too few leave a step out. Caps `pedagogical_design` below its threshold of .88.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"estMinutes\": 50, \"cards\": [{\"title\": \"Starter: Halves\", \"explainer\": \"Halve it.\"}, {\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\"}, {\"title\": \"We Do: A Quarter of £20\", \"explainer\": \"Try it with me.\"}, {\"title\": \"We Do: A Third of £18\", \"explainer\": \"Once more.\"}, {\"title\": \"You Do: Tickets\", \"explainer\": \"Your turn.\"}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"estMinutes\": 50, \"cards\": [{\"title\": \"Starter: Halves\", \"explainer\": \"Halve it.\"}, {\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\"}, {\"title\": \"We Do: A Quarter of £20\", \"explainer\": \"Try it with me.\"}, {\"title\": \"You Do: Tickets\", \"explainer\": \"Your turn.\"}]}",
        fixed: None,
    }],
    parameters: &[
        Parameter { name: "teach-least", what: "minimum number of cards in a teach lesson" },
        Parameter { name: "teach-most", what: "maximum number of cards in a teach lesson" },
        Parameter { name: "independent-practice-least", what: "minimum number of cards in an independent practice lesson" },
        Parameter { name: "independent-practice-most", what: "maximum number of cards in an independent practice lesson" },
        Parameter { name: "formative-assessment-least", what: "minimum number of cards in a formative assessment" },
        Parameter { name: "formative-assessment-most", what: "maximum number of cards in a formative assessment" },
        Parameter { name: "revision-least", what: "minimum number of cards in a revision lesson" },
        Parameter { name: "revision-most", what: "maximum number of cards in a revision lesson" },
        Parameter { name: "mock-exam-least", what: "minimum number of cards in a mock exam" },
        Parameter { name: "mock-exam-most", what: "maximum number of cards in a mock exam" },
    ],
    caps: &[PEDAGOGY_BELOW],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    let Some((kind, name)) = template.kind().and_then(|kind| Some((kind, kind.name()?))) else {
        return;
    };
    let least = examination.count(&format!("{name}-least"));
    let mut most = examination.count(&format!("{name}-most"));
    let entry = scheme::entry(template, examination.companions);
    if kind == LessonType::FormativeAssessment {
        let asked = entry.map_or(0, |entry| entry.entry.standards.len());
        most = most.max(asked).max(template.standards.items.len());
    }
    let count = template.cards.len();
    let planned = entry.map_or(0, |entry| entry.entry.cards.len());
    if (least..=most).contains(&count) || (planned > 0 && planned == count) {
        return;
    }
    let mut message = format!(
        "{} should have {least} to {most} cards, but this one has {}",
        kind.words(),
        if count == 0 {
            "none".to_owned()
        } else {
            count.to_string()
        }
    );
    if planned > 0 {
        message.push_str(&format!(" (its scheme of work plans {planned})"));
    }
    message.push_str("; ");
    let (rest, remedy) = if count > most {
        let surplus = count - most;
        let pair = pair_to_merge(&template.cards).filter(|_| surplus == 1);
        let ids = |(a, b): (&Card, &Card)| {
            let ids = [a, b].map(|card| model::component_of(examination.document, card.number));
            ids.into_iter().flatten().collect()
        };
        let remedy = Remedy::Merge(pair.map(ids).unwrap_or_default());
        (too_many(template, (surplus, pair), most), remedy)
    } else {
        (too_few(template, kind, least - count), Remedy::Add)
    };
    message.push_str(&rest);
    let finding = sink.in_source(template.anchor(), message);
    finding.caps(CHECK.caps).remedy(remedy);
}

fn too_many(
    template: &Template,
    (surplus, pair): (usize, Option<(&Card, &Card)>),
    most: usize,
) -> String {
    let time = template
        .minutes
        .as_ref()
        .map_or_else(String::new, |minutes| {
            format!(" for {} minutes", minutes.value)
        });
    if surplus > 1 {
        return format!("merge or drop {surplus} cards to leave {most}{time}");
    }
    match pair {
        Some((a, b)) => {
            let role = a.role.filter(|role| b.role == Some(*role));
            let role = role.map_or_else(String::new, |role| format!(", both {},", role.words()));
            format!(
                "merge cards {} and {}{role} into one to leave {most}{time}",
                a.number, b.number
            )
        }
        None => format!("merge two of them to leave {most}{time}"),
    }
}

/// Neighbours with the same role, otherwise those with the most similar wording.
fn pair_to_merge(cards: &[Card]) -> Option<(&Card, &Card)> {
    let pairs = || cards.iter().zip(cards.iter().skip(1)).take(MOST_COMPARED);
    pairs()
        .find(|(a, b)| a.role.is_some() && a.role == b.role)
        .or_else(|| {
            let words = |card: &Card| {
                let explainer = card.explainer.as_ref().map(|text| text.value.as_str());
                explainer.unwrap_or_default().to_owned()
            };
            pairs()
                .filter(|(a, _)| a.role != Some(Role::Starter))
                .max_by(|(a, b), (c, d)| {
                    wording::similarity(&words(a), &words(b))
                        .total_cmp(&wording::similarity(&words(c), &words(d)))
                })
        })
}

/// Beyond this, merging two cards does not help.
const MOST_COMPARED: usize = 50;

fn too_few(template: &Template, kind: LessonType, lacking: usize) -> String {
    let missing: Vec<String> = [
        Role::Starter,
        Role::Modelling,
        Role::Guided,
        Role::Independent,
    ]
    .into_iter()
    .filter(|role| template.cards.iter().all(|card| card.role != Some(*role)))
    .take(lacking)
    .map(|role| format!("a {} card", role.words()))
    .collect();
    let every_role_known = template.cards.iter().all(|card| card.role.is_some());
    if kind == LessonType::Teach && every_role_known && !missing.is_empty() {
        format!("add {}", wording::listed(&missing))
    } else {
        format!("add {}", counted(lacking, "card"))
    }
}

#[cfg(test)]
mod tests {
    use super::CHECK;
    use crate::sqa_lesson::testing::{card, findings, findings_beside, lesson, scheme};

    fn cards(count: usize) -> String {
        let cards: Vec<String> = (1..=count).map(|n| card(&format!("Part {n}"), "{}")).collect();
        cards.join(", ")
    }

    #[test]
    fn each_kind_of_lesson_has_its_number_of_cards() {
        for (kind, right, wrong) in [
            ("teach", vec![3, 4], vec![0, 1, 2, 5, 9]),
            ("independent_practice", vec![3, 4], vec![2, 5]),
            ("formative_assessment", vec![2, 3], vec![1, 4]),
            ("revision", vec![3, 4], vec![2, 5]),
            ("spiral_revisit", vec![3, 4], vec![2, 5]),
            ("mock_exam", vec![8, 15], vec![7, 16]),
            ("assembly", vec![1, 20], vec![]),
        ] {
            for count in right {
                let found = findings(&CHECK, &lesson(kind, &cards(count)));
                assert!(found.is_empty(), "{kind} {count} {found:?}");
            }
            for count in wrong {
                let found = findings(&CHECK, &lesson(kind, &cards(count)));
                assert_eq!(found.len(), 1, "{kind} {count}");
            }
        }
    }

    /// Seed 000, feedback example 5: five cards in a teach lesson of 50 minutes.
    #[test]
    fn five_cards_in_a_teach_lesson_name_the_two_to_merge() {
        let titles = ["Starter: A", "I Do: B", "We Do: C", "We Do: D", "You Do: E"];
        let cards: Vec<String> = titles.iter().map(|title| card(title, "{}")).collect();
        let found = findings(&CHECK, &lesson("teach", &cards.join(", ")));
        assert_eq!(
            found[0].message,
            "a teach lesson should have 3 to 4 cards, but this one has 5; merge cards 3 and 4, both guided practice (“We do”), into one to leave 4 for 50 minutes"
        );
        assert_eq!(found[0].at, "\"Fractions of Amounts\"");
    }

    #[test]
    fn too_few_cards_name_the_missing_stage() {
        let cards = [card("I Do: B", "{}"), card("You Do: E", "{}")].join(", ");
        let found = findings(&CHECK, &lesson("teach", &cards));
        assert!(found[0].message.ends_with("this one has 2; add a starter card"), "{found:?}");
    }

    #[test]
    fn the_number_that_the_scheme_plans_is_right_too() {
        let plan = |count: usize| {
            let cards = vec![r#"{"card_type": "starter"}"#; count].join(", ");
            scheme(&format!(
                r#"{{"order": 1, "label": "L", "lesson_plan": {{"card_structure": [{cards}]}}}}"#
            ))
        };
        let six = lesson("teach", &cards(6));
        assert!(findings_beside(&CHECK, &six, &plan(6)).is_empty());
        let found = findings_beside(&CHECK, &six, &plan(5));
        assert!(found[0].message.contains("(its scheme of work plans 5)"));
        let standards = scheme(
            r#"{"order": 1, "label": "L", "assessmentStandardRefs": ["AS1.1", "AS1.2", "AS1.3", "AS1.4"]}"#,
        );
        let four = lesson("formative_assessment", &cards(4));
        assert!(findings_beside(&CHECK, &four, &standards).is_empty());
    }
}
