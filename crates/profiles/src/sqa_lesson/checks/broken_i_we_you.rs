//! `broken-i-we-you`: a teach lesson skips or mixes up I do, We do, You do.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::{Remedy, Severity};

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::PEDAGOGY_BELOW;
use crate::sqa_lesson::model::{self, Card, LessonType};
use crate::sqa_lesson::roles::Role;
use crate::sqa_lesson::wording;

pub(super) static CHECK: Check = Check {
    code: "SQA004",
    name: "broken-i-we-you",
    severity: Severity::Warning,
    summary: "a teach lesson skips or mixes up I do, We do, You do",
    what: "Looks at the stages that the cards of a teach lesson name in their titles or ids: modelling (I do), guided practice (We do), independent practice (You do). Reports a missing stage, and stages in the wrong order. An explainer can replace modelling and an exit ticket can replace independent work. Lessons in which enough cards name no stage are ignored, because the missing one may be among them.",
    why: "Learners who have to work alone before they have seen it done, and done it with help, practise their mistakes. Caps `pedagogical_design` below its threshold of .88.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"Starter: Halves\", \"explainer\": \"Halve it.\"}, {\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\"}, {\"title\": \"You Do: Tickets\", \"explainer\": \"Your turn.\"}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\"}, {\"title\": \"We Do: Thirds\", \"explainer\": \"Try it with me.\"}, {\"title\": \"You Do: Tickets\", \"explainer\": \"Your turn.\"}]}",
        fixed: None,
    }],
    caps: &[PEDAGOGY_BELOW],
    run,
    ..DEFAULTS
};

/// The stages in their order, and the role that can replace each.
const STAGES: [(Role, Option<Role>); 3] = [
    (Role::Modelling, Some(Role::Explainer)),
    (Role::Guided, None),
    (Role::Independent, Some(Role::Closing)),
];

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    if template.kind() != Some(LessonType::Teach) {
        return;
    }
    let named = STAGES.map(|(role, _)| template.first_with(role));
    if named.iter().all(Option::is_none) {
        return;
    }
    for (earlier, later) in [(0, 1), (1, 2), (0, 2)] {
        if let (Some(before), Some(after)) = (named[earlier], named[later])
            && before.number > after.number
        {
            let message = format!(
                "card {} is {}, but {} only comes on card {}; move card {} before card {}",
                after.number,
                STAGES[later].0.words(),
                STAGES[earlier].0.words(),
                before.number,
                before.number,
                after.number
            );
            let finding = sink.in_source(after.anchor(), message);
            finding.caps(CHECK.caps).remedy(Remedy::Move);
            return;
        }
    }
    let missing: Vec<Role> = STAGES
        .into_iter()
        .filter(|(role, other)| {
            template.first_with(*role).is_none()
                && other.is_none_or(|other| template.first_with(other).is_none())
        })
        .map(|(role, _)| role)
        .collect();
    let unnamed = template.cards.iter().filter(|card| card.role.is_none());
    if missing.is_empty() || unnamed.count() >= missing.len() {
        return;
    }
    let words: Vec<&str> = missing.iter().map(|role| role.words()).collect();
    let message = format!(
        "this teach lesson has no card for {}; add one {}",
        wording::listed(&words),
        where_to_add(&missing, &named)
    );
    let finding = sink.in_source(template.anchor(), message);
    finding.caps(CHECK.caps).remedy(Remedy::Add);
}

fn where_to_add(missing: &[Role], named: &[Option<&Card>; 3]) -> String {
    let [modelling, guided, independent] = named;
    let at = |card: &Option<&Card>| card.map_or(0, |card| card.number);
    match missing {
        [Role::Modelling] => format!("before card {}", at(guided).max(1)),
        [Role::Guided] => format!(
            "between cards {} and {}",
            at(modelling).max(at(independent).saturating_sub(1)),
            at(independent)
        ),
        [Role::Independent] => "at the end".to_owned(),
        _ => "each, in the order I do, We do, You do".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::CHECK;
    use crate::sqa_lesson::testing::{card, findings, lesson};

    fn with(kind: &str, titles: &[&str]) -> Vec<String> {
        let cards: Vec<String> = titles.iter().map(|title| card(title, "{}")).collect();
        findings(&CHECK, &lesson(kind, &cards.join(", ")))
            .into_iter()
            .map(|said| said.message)
            .collect()
    }

    #[test]
    fn stages_must_be_present_and_in_order() {
        for (titles, expected) in [
            (&["I Do: a", "We Do: b", "You Do: c"][..], None),
            (&["Starter: s", "Modelling: a", "Guided Practice: b", "Independent Practice: c", "Exit Ticket: d"], None),
            (&["Starter: s", "I Do: a", "We Do: b", "Exit Ticket: c"], None),
            (&["Explainer: a", "We Do: b", "You Do: c"], None),
            (&["I Do: a", "We Do: b", "You Do: c", "We Do: d", "You Do: e"], None),
            // The missing stage may be the card that names none.
            (&["I Do: a", "Train Tickets", "You Do: c"], None),
            (&["Fractions", "Halves", "Quarters"], None),
            (
                &["Starter: s", "I Do: a", "You Do: c"],
                Some("this teach lesson has no card for guided practice (“We do”); add one between cards 2 and 3"),
            ),
            (
                &["Starter: s", "We Do: a", "You Do: c"],
                Some("this teach lesson has no card for modelling (“I do”); add one before card 2"),
            ),
            (
                &["I Do: a", "We Do: b"],
                Some("this teach lesson has no card for independent practice (“You do”); add one at the end"),
            ),
            (
                &["I Do: a", "You Do: b", "We Do: c"],
                Some("card 2 is independent practice (“You do”), but guided practice (“We do”) only comes on card 3; move card 3 before card 2"),
            ),
            (
                &["You Do: a", "I Do: b"],
                Some("card 1 is independent practice (“You do”), but modelling (“I do”) only comes on card 2; move card 2 before card 1"),
            ),
        ] {
            assert_eq!(with("teach", titles).first().map(String::as_str), expected, "{titles:?}");
        }
    }

    #[test]
    fn only_teach_lessons_go_from_i_to_you() {
        assert!(with("revision", &["You Do: a", "You Do: b"]).is_empty());
    }
}
