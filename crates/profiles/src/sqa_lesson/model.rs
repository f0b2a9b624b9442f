//! What a Scottish lesson template says, as its checks need it: the fields about
//! the lesson, its cards, their questions, rubrics and hints, each with its place
//! in the source. The parser fills it in one pass (`parse`); what a figure should
//! be is a check's business and not known here.
//!
//! A field that is missing or of another type is simply absent. The words of a
//! text can be had here; to point into one, ask the document for the text that
//! lies within its range (`document.text_within(&text.range)`).

use std::ops::Range;

use redraft_gate::content::{Document, TextField};

use super::roles::Role;

/// The model of a document that was read as a lesson template.
#[must_use]
pub(crate) fn template(document: &Document) -> Option<&Template> {
    document.model::<Template>()
}

/// A value with its place in the source's text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Written<T> {
    pub value: T,
    pub range: Range<usize>,
}

/// A string as it is decoded; its range includes the quotes.
pub(crate) type Text = Written<String>;

impl Text {
    /// The text of the document that this string became, to point into it.
    pub(crate) fn field<'a>(&self, document: &'a Document) -> Option<&'a TextField> {
        document.text_within(&self.range)
    }
}

/// A list with its place in the source's text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Listed<T> {
    /// Where the list stands; `None` where there is none.
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
    /// The words of the items.
    pub(crate) fn values(&self) -> impl Iterator<Item = &str> {
        self.items.iter().map(|item| item.value.as_str())
    }
}

/// A lesson template.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Template {
    pub range: Range<usize>,
    /// `courseId`.
    pub course: Option<Text>,
    /// `title`, else `label`.
    pub title: Option<Text>,
    pub lesson_type: Option<Written<LessonType>>,
    /// `estMinutes`.
    pub minutes: Option<Written<f64>>,
    /// `sow_order`.
    pub order: Option<Written<i64>>,
    /// `outcomeRefs`; authors put the codes of assessment standards here, too.
    pub outcomes: Listed<Text>,
    /// `assessmentStandardRefs`.
    pub standards: Listed<Text>,
    pub engagement_tags: Listed<Text>,
    /// `policy.calculator_allowed`, or what `policy.calculator_section` says; a
    /// mixed section says neither.
    pub calculator_allowed: Option<Written<bool>>,
    /// `policy.assessment_notes`.
    pub assessment_notes: Option<Text>,
    pub cards: Vec<Card>,
}

impl Template {
    /// What kind of lesson it says it is.
    pub(crate) fn kind(&self) -> Option<LessonType> {
        self.lesson_type.as_ref().map(|written| written.value)
    }

    /// Its codes: outcomes and assessment standards, wherever they stand.
    pub(crate) fn codes(&self) -> impl Iterator<Item = &Text> {
        self.outcomes.items.iter().chain(&self.standards.items)
    }

    /// Where to point for something about the lesson as a whole: its title, else
    /// its opening brace.
    pub(crate) fn place(&self) -> Range<usize> {
        self.title.as_ref().map_or_else(
            || self.range.start..self.range.end.min(self.range.start + 1),
            |title| title.range.clone(),
        )
    }
}

/// What kind of lesson a template is for (content.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LessonType {
    Teach,
    IndependentPractice,
    FormativeAssessment,
    /// Also `spiral_revisit`, which is treated as one.
    Revision,
    /// Also written `mock_assessment` in schemes of work.
    MockExam,
    /// A word that is none of these.
    Other,
}

impl LessonType {
    /// Reads the field's value; case and the sign between words do not matter.
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

    /// How a teacher would call one: `a formative assessment`.
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

/// A card.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Card {
    pub range: Range<usize>,
    /// Its place among the cards, from 1, as a teacher counts.
    pub number: usize,
    pub id: Option<Text>,
    pub title: Option<Text>,
    /// Its part in the lesson, as far as its title or id tells.
    pub role: Option<Role>,
    pub explainer: Option<Text>,
    pub explainer_plain: Option<Text>,
    /// What a picture on the card shows, in words.
    pub picture: Option<Text>,
    /// Its checks for understanding: one as a rule, several where `cfu` is a list.
    pub cfus: Vec<Cfu>,
    /// A rubric on the card itself; those of its questions stand with them.
    pub rubric: Option<Rubric>,
    pub misconceptions: Listed<Misconception>,
    pub context_hooks: Listed<Text>,
    /// `estMinutes`, `minutes` or `estimated_minutes`.
    pub minutes: Option<Written<f64>>,
}

impl Card {
    /// Where to point for something about the card as a whole: its title, else
    /// its id, else its opening brace.
    pub(crate) fn place(&self) -> Range<usize> {
        self.title
            .as_ref()
            .or(self.id.as_ref())
            .map_or_else(|| opening(&self.range), |text| text.range.clone())
    }

    /// Every question of the card in the order of reading: each check for
    /// understanding, followed by its parts and theirs.
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

    /// Every hint of the card.
    pub(crate) fn hints(&self) -> Vec<&Text> {
        self.questions()
            .into_iter()
            .flat_map(|cfu| &cfu.hints.items)
            .collect()
    }
}

/// The opening sign of an object, so that a finding does not mark a whole card.
pub(crate) fn opening(range: &Range<usize>) -> Range<usize> {
    range.start..range.end.min(range.start + 1)
}

/// A check for understanding, or a part of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Cfu {
    pub range: Range<usize>,
    pub kind: CfuKind,
    /// `type` as it is written.
    pub kind_written: Option<Text>,
    pub id: Option<Text>,
    /// `stem`, `question` or `prompt`.
    pub stem: Option<Text>,
    pub context: Option<Text>,
    pub options: Listed<Choice>,
    /// `answerIndex` and `answerIndices`.
    pub keys: Vec<Key>,
    /// Where `answerIndices` stands.
    pub indices_range: Option<Range<usize>>,
    pub multi_select: Option<Written<bool>>,
    /// What the learner should answer: `expected`, `answer` and their relatives.
    pub expected: Vec<Answer>,
    pub tolerance: Option<Written<f64>>,
    /// `money2dp`: the answer is money with two places.
    pub money: Option<Written<bool>>,
    pub hints: Listed<Text>,
    pub rubric: Option<Rubric>,
    /// `marks` or `points` of a part.
    pub points: Option<Written<f64>>,
    /// Explanations, feedback, model answers.
    pub remarks: Vec<Text>,
    /// Parts of a structured question, questions of a collection.
    pub parts: Vec<Cfu>,
}

impl Cfu {
    /// Where to point for something about the question as a whole: its stem, else
    /// its type, else its opening brace.
    pub(crate) fn place(&self) -> Range<usize> {
        self.stem
            .as_ref()
            .or(self.kind_written.as_ref())
            .map_or_else(|| opening(&self.range), |text| text.range.clone())
    }

    fn collect<'a>(&'a self, into: &mut Vec<&'a Self>) {
        into.push(self);
        for part in &self.parts {
            part.collect(into);
        }
    }
}

/// What kind of question it is; several spellings are in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum CfuKind {
    Mcq,
    Numeric,
    Structured,
    ShortText,
    /// Several questions on one card.
    Collection,
    /// No type, or a word that is none of these.
    #[default]
    Other,
}

impl CfuKind {
    /// Reads the field's value.
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

    /// How a teacher would call it.
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
    /// `isCorrect`, where options carry it.
    pub correct: Option<bool>,
    pub form: ChoiceForm,
}

/// How an option is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChoiceForm {
    Plain,
    Object,
}

/// An index that names a right option.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    pub range: Range<usize>,
    /// `None` where it is no whole number.
    pub index: Option<i64>,
}

/// An expected answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    pub range: Range<usize>,
    /// As a learner would write it; a number as the file has it.
    pub text: String,
    /// Where the file has a number.
    pub number: Option<f64>,
}

/// How an answer is marked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rubric {
    pub range: Range<usize>,
    pub total: Option<Written<f64>>,
    pub criteria: Vec<Criterion>,
}

impl Rubric {
    /// What the criteria add up to; `None` where one has no points.
    pub(crate) fn sum(&self) -> Option<f64> {
        self.criteria
            .iter()
            .map(|criterion| criterion.points.as_ref().map(|points| points.value))
            .sum()
    }

    /// The marks it gives: its total, else what its criteria add up to.
    pub(crate) fn marks(&self) -> Option<f64> {
        self.total
            .as_ref()
            .map(|total| total.value)
            .or_else(|| self.sum().filter(|_| !self.criteria.is_empty()))
    }

    /// Where to point for something about the rubric as a whole.
    pub(crate) fn place(&self) -> Range<usize> {
        self.total
            .as_ref()
            .map_or_else(|| opening(&self.range), |total| total.range.clone())
    }
}

/// What earns marks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Criterion {
    pub range: Range<usize>,
    pub description: Option<Text>,
    pub points: Option<Written<f64>>,
}

/// A usual mistake, and what to say to it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Misconception {
    pub range: Range<usize>,
    pub id: Option<Text>,
    pub misconception: Option<Text>,
    pub clarification: Option<Text>,
}
