//! The content of a Scottish lesson template, as its checks need it: the fields of
//! the lesson, its cards, their questions, rubrics and hints, each with its range
//! in the source. The parser fills it in one pass (`parse`); what a value should
//! be is up to the checks.
//!
//! A field that is missing or has the wrong type is absent. To point into a text,
//! get its field from the document (`Text::field`).

use std::ops::Range;

use redraft_gate::content::{ComponentKind, Document, TextField};
use redraft_gate::span::ComponentId;

use super::roles::Role;

/// The component of a card, by its number in the lesson.
pub(crate) fn component_of(document: &Document, number: usize) -> Option<ComponentId> {
    let index = number.checked_sub(1)?;
    let card = document.of_kind(ComponentKind::Card).nth(index)?;
    Some(card.id.clone())
}

#[must_use]
pub(crate) fn template(document: &Document) -> Option<&Template> {
    document.model::<Template>()
}

/// The cards of a template; none if the document is not one.
pub(crate) fn cards(document: &Document) -> &[Card] {
    template(document).map_or(&[], |template| &template.cards)
}

/// A value with its range in the source's text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Written<T> {
    pub value: T,
    pub range: Range<usize>,
}

/// A decoded string; its range includes the quotes.
pub(crate) type Text = Written<String>;

impl Text {
    /// The document's field for this string, to point into it.
    pub(crate) fn field<'a>(&self, document: &'a Document) -> Option<&'a TextField> {
        document.text_within(&self.range)
    }
}

/// A list with its range in the source's text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Listed<T> {
    /// `None` if there is no list.
    pub range: Option<Range<usize>>,
    pub items: Vec<T>,
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self {
            range: None,
            items: Vec::new(),
        }
    }
}

impl Listed<Text> {
    pub(crate) fn values(&self) -> impl Iterator<Item = &str> {
        self.items.iter().map(|item| item.value.as_str())
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Template {
    pub range: Range<usize>,
    /// `courseId`.
    pub course: Option<Text>,
    /// `title`, otherwise `label`.
    pub title: Option<Text>,
    pub lesson_type: Option<Written<LessonType>>,
    /// `estMinutes`.
    pub minutes: Option<Written<f64>>,
    /// `sow_order`.
    pub order: Option<Written<i64>>,
    /// `outcomeRefs`; authors also put the codes of assessment standards here.
    pub outcomes: Listed<Text>,
    /// `assessmentStandardRefs`.
    pub standards: Listed<Text>,
    pub engagement_tags: Listed<Text>,
    /// `policy.calculator_allowed`, otherwise from `policy.calculator_section`;
    /// `None` for a mixed section.
    pub calculator_allowed: Option<Written<bool>>,
    /// `policy.assessment_notes`.
    pub assessment_notes: Option<Text>,
    pub cards: Vec<Card>,
}

impl Template {
    pub(crate) fn kind(&self) -> Option<LessonType> {
        self.lesson_type.as_ref().map(|written| written.value)
    }

    /// The codes of all outcomes and assessment standards.
    pub(crate) fn codes(&self) -> impl Iterator<Item = &Text> {
        self.outcomes.items.iter().chain(&self.standards.items)
    }

    pub(crate) fn first_with(&self, role: Role) -> Option<&Card> {
        self.cards.iter().find(|card| card.role == Some(role))
    }

    /// Where to point for a finding about the whole lesson.
    pub(crate) fn anchor(&self) -> Range<usize> {
        anchor([self.title.as_ref()], &self.range)
    }
}

/// The kind of lesson (content.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LessonType {
    Teach,
    IndependentPractice,
    FormativeAssessment,
    /// Also written `spiral_revisit`.
    Revision,
    /// Also written `mock_assessment` in schemes of work.
    MockExam,
    /// Any other word.
    Other,
}

impl LessonType {
    /// Reads the field's value, ignoring case and the separator between words.
    pub(crate) fn parse(written: &str) -> Self {
        match written
            .trim()
            .to_lowercase()
            .replace(['-', ' '], "_")
            .as_str()
        {
            "teach" => Self::Teach,
            "independent_practice" => Self::IndependentPractice,
            "formative_assessment" => Self::FormativeAssessment,
            "revision" | "spiral_revisit" => Self::Revision,
            "mock_exam" | "mock_assessment" => Self::MockExam,
            _ => Self::Other,
        }
    }

    /// The name in policy files: `formative-assessment`.
    pub(crate) fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::Teach => "teach",
            Self::IndependentPractice => "independent-practice",
            Self::FormativeAssessment => "formative-assessment",
            Self::Revision => "revision",
            Self::MockExam => "mock-exam",
            Self::Other => return None,
        })
    }

    /// For messages: `a formative assessment`.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Teach => "a teach lesson",
            Self::IndependentPractice => "an independent practice lesson",
            Self::FormativeAssessment => "a formative assessment",
            Self::Revision => "a revision lesson",
            Self::MockExam => "a mock exam",
            Self::Other => "a lesson",
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Card {
    pub range: Range<usize>,
    /// Counted from 1.
    pub number: usize,
    pub id: Option<Text>,
    pub title: Option<Text>,
    /// Its role in the lesson, if its type, title or id names one.
    pub role: Option<Role>,
    pub explainer: Option<Text>,
    pub explainer_plain: Option<Text>,
    /// A description of the picture on the card.
    pub picture: Option<Text>,
    /// Its checks for understanding: usually one, several if `cfu` is a list.
    pub cfus: Vec<Cfu>,
    /// A rubric on the card itself; questions have their own.
    pub rubric: Option<Rubric>,
    pub misconceptions: Listed<Misconception>,
    pub context_hooks: Listed<Text>,
    /// `estMinutes`, `minutes` or `estimated_minutes`.
    pub minutes: Option<Written<f64>>,
}

impl Card {
    /// Where to point for a finding about the whole card.
    pub(crate) fn anchor(&self) -> Range<usize> {
        anchor([self.title.as_ref(), self.id.as_ref()], &self.range)
    }

    /// Every question of the card in reading order: each check for understanding,
    /// followed by its subquestions and theirs.
    pub(crate) fn questions(&self) -> Vec<&Cfu> {
        let mut questions = Vec::new();
        for cfu in &self.cfus {
            cfu.collect(&mut questions);
        }
        questions
    }

    /// Every rubric of the card: its own and those of its questions.
    pub(crate) fn rubrics(&self) -> Vec<&Rubric> {
        self.rubric
            .iter()
            .chain(
                self.questions()
                    .into_iter()
                    .filter_map(|cfu| cfu.rubric.as_ref()),
            )
            .collect()
    }

    pub(crate) fn hints(&self) -> Vec<&Text> {
        self.questions()
            .into_iter()
            .flat_map(|cfu| &cfu.hints.items)
            .collect()
    }
}

/// Where to point for a finding about a whole object: the first of these texts,
/// otherwise the object's opening brace.
fn anchor<const N: usize>(texts: [Option<&Text>; N], object: &Range<usize>) -> Range<usize> {
    let first = texts.into_iter().flatten().next();
    first.map_or_else(|| opening(object), |text| text.range.clone())
}

/// The opening brace of an object, so that a finding does not mark a whole card.
pub(crate) fn opening(range: &Range<usize>) -> Range<usize> {
    range.start..range.end.min(range.start + 1)
}

/// A check for understanding, or a subquestion of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Cfu {
    pub range: Range<usize>,
    pub kind: CfuKind,
    /// `type` as written.
    pub kind_written: Option<Text>,
    pub id: Option<Text>,
    /// `stem`, `question` or `prompt`.
    pub stem: Option<Text>,
    pub context: Option<Text>,
    pub options: Listed<Choice>,
    /// `answerIndex` and `answerIndices`.
    pub keys: Vec<Key>,
    /// The range of `answerIndices`.
    pub indices_range: Option<Range<usize>>,
    pub multi_select: Option<Written<bool>>,
    /// `expected`, `answer`, `expected_answer` and `correct_answer`.
    pub expected: Vec<Answer>,
    pub tolerance: Option<Written<f64>>,
    /// `money2dp`: the answer is money with two decimal places.
    pub money: Option<Written<bool>>,
    pub hints: Listed<Text>,
    pub rubric: Option<Rubric>,
    /// `marks` or `points` of a subquestion.
    pub points: Option<Written<f64>>,
    /// Explanations, feedback, model answers.
    pub explanations: Vec<Text>,
    /// Subquestions of a structured question, questions of a collection.
    pub subquestions: Vec<Cfu>,
}

impl Cfu {
    /// Where to point for a finding about the whole question.
    pub(crate) fn anchor(&self) -> Range<usize> {
        anchor(
            [self.stem.as_ref(), self.kind_written.as_ref()],
            &self.range,
        )
    }

    fn collect<'a>(&'a self, into: &mut Vec<&'a Self>) {
        into.push(self);
        for subquestion in &self.subquestions {
            subquestion.collect(into);
        }
    }
}

/// The type of a question; several spellings are in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum CfuKind {
    Mcq,
    Numeric,
    Structured,
    ShortText,
    /// Several questions on one card.
    Collection,
    /// No type, or any other word.
    #[default]
    Other,
}

impl CfuKind {
    pub(crate) fn parse(written: &str) -> Self {
        match written
            .trim()
            .to_lowercase()
            .replace(['-', ' '], "_")
            .as_str()
        {
            "mcq" | "multiple_choice" => Self::Mcq,
            "numeric" | "numerical" => Self::Numeric,
            "structured_response" | "structured" => Self::Structured,
            "short_text" | "short_answer" | "short" => Self::ShortText,
            "multi_cfu_collection" => Self::Collection,
            _ => Self::Other,
        }
    }

    /// For messages: `numeric question`.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Mcq => "multiple-choice question",
            Self::Numeric => "numeric question",
            Self::Structured => "structured question",
            Self::ShortText => "short-answer question",
            Self::Collection => "collection of questions",
            Self::Other => "question",
        }
    }
}

/// An option of a multiple-choice question: a string, a number, or an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    pub range: Range<usize>,
    pub text: Option<Text>,
    /// `isCorrect`, if the option has it.
    pub correct: Option<bool>,
    pub form: ChoiceForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChoiceForm {
    Plain,
    Object,
}

/// An index of a right option.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    pub range: Range<usize>,
    /// `None` if it is not a whole number.
    pub index: Option<i64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    pub range: Range<usize>,
    /// As a learner would write it; a number as written in the file.
    pub text: String,
    /// Set if the file has a number.
    pub number: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rubric {
    pub range: Range<usize>,
    pub total: Option<Written<f64>>,
    pub criteria: Vec<Criterion>,
}

impl Rubric {
    /// The sum of the criteria; `None` if one has no points.
    pub(crate) fn sum(&self) -> Option<f64> {
        self.criteria
            .iter()
            .map(|criterion| criterion.points.as_ref().map(|points| points.value))
            .sum()
    }

    /// Its total, otherwise the sum of its criteria.
    pub(crate) fn marks(&self) -> Option<f64> {
        self.total
            .as_ref()
            .map(|total| total.value)
            .or_else(|| self.sum().filter(|_| !self.criteria.is_empty()))
    }

    /// Where to point for a finding about the whole rubric.
    pub(crate) fn anchor(&self) -> Range<usize> {
        self.total
            .as_ref()
            .map_or_else(|| opening(&self.range), |total| total.range.clone())
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Criterion {
    pub range: Range<usize>,
    pub description: Option<Text>,
    pub points: Option<Written<f64>>,
}

/// A common mistake, and what to tell learners who make it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Misconception {
    pub range: Range<usize>,
    pub id: Option<Text>,
    pub misconception: Option<Text>,
    pub clarification: Option<Text>,
}
