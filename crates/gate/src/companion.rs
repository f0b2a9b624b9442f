//! What may come with a document: the specification it was written from, its
//! sources, its scheme of work, the course outcomes.
//!
//! These are plain data. They are read leniently (`redraft-profiles`), and a
//! field that is missing or odd is simply absent here.

use redraft_text::language::Language;

/// Everything that came with a document.
#[derive(Clone, Debug, Default)]
pub struct Companions {
    /// What the lesson was to be.
    pub specification: Option<Specification>,
    /// The passages it was written from.
    pub sources: Vec<SourcePassage>,
    /// The entry of the scheme of work that it fulfils, or all entries of one.
    pub scheme_of_work: Vec<SchemeEntry>,
    /// The outcomes and standards of the course.
    pub outcomes: Vec<Outcome>,
    /// The language it is to be in, where the user said so.
    pub language: Option<Language>,
}

impl Companions {
    /// The language that was asked for: by the user, else by the specification.
    #[must_use]
    pub fn expected_language(&self) -> Option<&Language> {
        self.language.as_ref().or_else(|| {
            self.specification
                .as_ref()
                .and_then(|specification| specification.language.as_ref())
        })
    }
}

/// The specification of a lesson.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Specification {
    /// The lesson's title.
    pub title: Option<String>,
    pub language: Option<Language>,
    /// How long it takes to work through, in minutes.
    pub minutes: Option<f64>,
    /// `beginner`, `intermediate`, `advanced`.
    pub difficulty: Option<String>,
    /// For whom it is.
    pub audience: Option<String>,
    /// How it is to sound: `friendly`, `professional`.
    pub tone: Option<String>,
    /// The kind of lesson it is to be (`content_archetype`): `case_study`.
    pub archetype: Option<String>,
    /// What an item is about, where it is ordered alone.
    pub topic: Option<String>,
    /// The level of Bloom's taxonomy that an item is to reach.
    pub bloom_level: Option<String>,
    /// What the learner should be able to do afterwards.
    pub objectives: Vec<Objective>,
    pub sections: Vec<SectionSpecification>,
    /// How many exercises it is to have, where it lists them.
    pub exercises: Option<usize>,
}

/// A learning objective.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Objective {
    pub id: Option<String>,
    /// Its words.
    pub objective: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SectionSpecification {
    pub title: String,
    /// `summary`, `detailed_analysis`, `comprehensive`.
    pub depth: Option<String>,
    /// Words that must occur.
    pub required_keywords: Vec<String>,
    /// Words that must not.
    pub prohibited_terms: Vec<String>,
    /// What it has to cover.
    pub key_points: Vec<String>,
}

/// A passage that a lesson was written from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourcePassage {
    pub document: Option<String>,
    /// Where in it.
    pub place: Option<String>,
    /// Its words.
    pub content: String,
}

/// An entry of a scheme of work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchemeEntry {
    /// The course that the scheme is for, where it says.
    pub course: Option<String>,
    /// Its place in the scheme.
    pub order: Option<i64>,
    /// Its title.
    pub label: Option<String>,
    /// `teach`, `revision`, …
    pub lesson_type: Option<String>,
    /// How long the lesson takes.
    pub minutes: Option<f64>,
    /// The outcomes it serves.
    pub outcomes: Vec<String>,
    /// The assessment standards it serves, by code.
    pub standards: Vec<String>,
    /// Themes to draw on.
    pub engagement_tags: Vec<String>,
    /// Whether a calculator may be used, where the policy says.
    pub calculator_allowed: Option<bool>,
    /// What the standards mean, by code, where the entry says.
    pub standard_descriptions: Vec<(String, String)>,
    /// Everything else that it says, by name: `policy.assessment_notes`, `big_idea`.
    pub details: Vec<(String, String)>,
    /// The cards that its lesson plan asks for, where it has one.
    pub cards: Vec<PlannedCard>,
}

/// A card that a lesson plan asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlannedCard {
    /// What it is: `starter`, `guided_practice`, …
    pub kind: Option<String>,
    pub title: Option<String>,
    /// How long it takes.
    pub minutes: Option<f64>,
    /// The assessment standards it addresses, by code.
    pub standards: Vec<String>,
    /// Everything else that is said of it, by name: `purpose`, `cfu_strategy`.
    pub details: Vec<(String, String)>,
}

/// An outcome of a course, or one of its assessment standards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The course it belongs to, where the file says.
    pub course: Option<String>,
    pub code: String,
    pub description: String,
}
