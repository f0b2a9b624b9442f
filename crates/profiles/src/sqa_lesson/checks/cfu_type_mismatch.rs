//! `cfu-type-mismatch`: a question type does not suit its card or lesson.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::{ASSESSMENT_BELOW, ASSESSMENT_MINOR, PEDAGOGY_MINOR};
use crate::sqa_lesson::model::{self, Card, CfuKind, LessonType, Template};
use crate::sqa_lesson::roles::Role;
use crate::sqa_lesson::wording::counted;

pub(super) static CHECK: Check = Check {
    code: "SQA006",
    name: "cfu-type-mismatch",
    severity: Severity::Warning,
    summary: "a question type does not suit its card or lesson",
    what: "In a teach lesson, multiple choice where learners should work alone (You do) is a warning; multiple choice after modelling, a structured question as a starter, and the same type on every card are info. Independent practice should mostly use numeric and structured questions; a formative assessment needs a structured question; at most half of a mock exam should be multiple choice. Short-answer questions are never reported, because subjects other than mathematics rely on them.",
    why: "The type decides what can be seen: a starter checks recall at a glance, modelling needs the steps repeated, practice needs the skill applied rather than guessed. A wrong type for the stage of the lesson caps `assessment_design` below its threshold of .88; matters of taste cap it at .90, or `pedagogical_design` at .95.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"You Do: Tickets\", \"explainer\": \"Your turn.\", \"cfu\": {\"type\": \"mcq\", \"stem\": \"What is a third of £24?\", \"options\": [\"£6\", \"£8\", \"£12\"], \"answerIndex\": 1}}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"You Do: Tickets\", \"explainer\": \"Your turn.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"What is a third of £24?\", \"expected\": 8}}]}",
        fixed: None,
    }],
    parameters: &[
        Parameter { name: "practice-share", what: "minimum share of numeric and structured questions in independent practice" },
        Parameter { name: "exam-choice-share", what: "maximum share of multiple choice in a mock exam" },
    ],
    caps: &[ASSESSMENT_BELOW, ASSESSMENT_MINOR, PEDAGOGY_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    match template.kind() {
        Some(LessonType::Teach) => teach(template, sink),
        Some(LessonType::IndependentPractice) => {
            independent_practice(template, examination.number("practice-share"), sink);
        }
        Some(LessonType::FormativeAssessment) => formative(template, sink),
        Some(LessonType::MockExam) => {
            mock_exam(template, examination.number("exam-choice-share"), sink);
        }
        Some(LessonType::Revision | LessonType::Other) | None => {}
    }
}

/// | stage | type | severity |
/// |---|---|---|
/// | You do | multiple choice | warning |
/// | I do | multiple choice | info |
/// | starter | structured | info |
fn teach(template: &Template, sink: &mut Sink<'_>) {
    for card in &template.cards {
        let Some(kind) = kind(card) else { continue };
        let (severity, advice) = match (card.role, kind) {
            (Some(Role::Independent), CfuKind::Mcq) => (
                Severity::Warning,
                "use a numeric or structured question, so that the answer cannot be guessed",
            ),
            (Some(Role::Modelling), CfuKind::Mcq) => (
                Severity::Info,
                "a structured question would let learners repeat the steps shown",
            ),
            (Some(Role::Starter), CfuKind::Structured) => (
                Severity::Info,
                "multiple choice would check recall faster",
            ),
            _ => continue,
        };
        let Some(role) = card.role else { continue };
        let message = format!(
            "card {}, {}, uses a {}; {advice}",
            card.number,
            role.words(),
            kind.words()
        );
        let finding = sink.in_source(card.cfus[0].anchor(), message);
        finding.severity(severity);
        finding.caps(if severity == Severity::Warning {
            &[ASSESSMENT_BELOW]
        } else {
            &[PEDAGOGY_MINOR]
        });
    }
    let kinds: Vec<CfuKind> = template.cards.iter().filter_map(kind).collect();
    if let [first, rest @ ..] = kinds.as_slice()
        && kinds.len() >= LEAST_VARIED
        && rest.iter().all(|kind| kind == first)
    {
        let message = format!(
            "every card of this teach lesson uses a {}; vary the types, with a quick question to start and a structured one for the steps",
            first.words()
        );
        sink.in_source(template.anchor(), message)
            .severity(Severity::Info)
            .caps(&[ASSESSMENT_MINOR]);
    }
}

/// Two cards of one type are not monotonous.
const LEAST_VARIED: usize = 3;

fn independent_practice(template: &Template, least: f64, sink: &mut Sink<'_>) {
    let kinds: Vec<CfuKind> = template.cards.iter().filter_map(kind).collect();
    let apply = kinds
        .iter()
        .filter(|kind| matches!(kind, CfuKind::Numeric | CfuKind::Structured))
        .count();
    let choice = kinds.iter().filter(|kind| **kind == CfuKind::Mcq).count();
    if choice > 0 && share(apply, kinds.len()) < least {
        let message = format!(
            "only {} of {} in this independent practice lesson ask learners to work something out; turn multiple choice into numeric or structured questions",
            apply,
            counted(kinds.len(), "card")
        );
        sink.in_source(template.anchor(), message)
            .caps(&[ASSESSMENT_BELOW]);
    }
}

fn formative(template: &Template, sink: &mut Sink<'_>) {
    let mut kinds = template
        .cards
        .iter()
        .flat_map(Card::questions)
        .map(|question| question.kind)
        .filter(|kind| *kind != CfuKind::Other)
        .peekable();
    if kinds.peek().is_some() && kinds.all(|kind| kind != CfuKind::Structured) {
        let message = "this formative assessment has no structured question; ask for at least one answer with working, marked with a detailed rubric";
        sink.in_source(template.anchor(), message)
            .caps(&[ASSESSMENT_BELOW]);
    }
}

fn mock_exam(template: &Template, most: f64, sink: &mut Sink<'_>) {
    let kinds: Vec<CfuKind> = template.cards.iter().filter_map(kind).collect();
    let choice = kinds.iter().filter(|kind| **kind == CfuKind::Mcq).count();
    if share(choice, kinds.len()) > most {
        let message = format!(
            "{choice} of {} in this mock exam are multiple choice; ask structured questions with method marks, as the examination does",
            counted(kinds.len(), "card")
        );
        sink.in_source(template.anchor(), message)
            .caps(&[ASSESSMENT_BELOW]);
    }
}

/// The type of a card's question, if it has a single one of a known type.
fn kind(card: &Card) -> Option<CfuKind> {
    match card.cfus.as_slice() {
        [only] => Some(only.kind),
        _ => None,
    }
    .filter(|kind| !matches!(kind, CfuKind::Other | CfuKind::Collection))
}

fn share(count: usize, total: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "cards are few")]
    let share = count as f64 / total.max(1) as f64;
    share
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity;

    use super::CHECK;
    use crate::sqa_lesson::testing::{card, findings, lesson};

    fn with(kind: &str, cards: &[(&str, &str)]) -> Vec<Severity> {
        let cards: Vec<String> = cards
            .iter()
            .map(|(title, cfu)| card(title, &format!(r#"{{"type": "{cfu}"}}"#)))
            .collect();
        findings(&CHECK, &lesson(kind, &cards.join(", ")))
            .into_iter()
            .map(|said| said.severity)
            .collect()
    }

    #[test]
    fn each_stage_of_a_teach_lesson_has_its_types() {
        for (title, cfu, expected) in [
            ("Starter: a", "mcq", &[][..]),
            ("Starter: a", "structured", &[Severity::Info]),
            ("I Do: a", "structured_response", &[]),
            ("I Do: a", "mcq", &[Severity::Info]),
            ("We Do: a", "mcq", &[]),
            ("You Do: a", "mcq", &[Severity::Warning]),
            ("You Do: a", "numeric", &[]),
            ("You Do: a", "short_text", &[]),
            ("You Do: a", "essay", &[]),
            ("Tickets", "mcq", &[]),
        ] {
            assert_eq!(with("teach", &[(title, cfu)]), expected, "{title} {cfu}");
        }
    }

    #[test]
    fn each_kind_of_lesson_has_its_types() {
        for (kind, cfus, expected) in [
            ("teach", &["numeric", "numeric", "numeric"][..], &[Severity::Info][..]),
            ("teach", &["numeric", "numeric", "mcq"], &[]),
            ("independent_practice", &["mcq", "mcq", "numeric"], &[Severity::Warning]),
            ("independent_practice", &["mcq", "structured", "numeric"], &[]),
            ("independent_practice", &["short_text", "short_text"], &[]),
            ("formative_assessment", &["mcq", "numeric"], &[Severity::Warning]),
            ("formative_assessment", &["mcq", "structured"], &[]),
            ("formative_assessment", &["essay"], &[]),
            ("mock_exam", &["mcq", "mcq", "numeric"], &[Severity::Warning]),
            ("mock_exam", &["mcq", "structured"], &[]),
            ("revision", &["mcq", "mcq", "mcq"], &[]),
        ] {
            let cards: Vec<(&str, &str)> = cfus.iter().map(|cfu| ("Card", *cfu)).collect();
            assert_eq!(with(kind, &cards), expected, "{kind} {cfus:?}");
        }
    }
}
