//! Writing from a specification: reads a planner's answer, checks the sections, and assembles them
//! into a text (seed 003 §1, ruling 18). The run decides who is asked and how often; the prompts
//! belong to the profile.
//!
//! | a planner's reply | result |
//! |---|---|
//! | white space, a refusal, no object with `sections`, one that is cut off | an error of that name |
//! | without a title, an introduction, a section or a conclusion | an error, `wrong_shape` |
//! | a section without a title | an error, `wrong_shape` |
//! | more or fewer sections than the specification lists, or more than 20 | an error, `wrong_shape` |
//! | a number of words that is missing or unrealistic | the nearest realistic one |
//! | more words for one component, or in total, than any lesson has | an error, `wrong_shape` |
//! | more or fewer words in total than the minutes of the specification allow | all components are scaled |
//! | several objects | the last well-formed one outside quotations |
//!
//! | a section | then |
//! |---|---|
//! | cut off, refused, empty, edits instead of text | an error of that name |
//! | far shorter or longer than planned | an error, `rejected` |
//! | begins with its own heading, or has headings of its level | moved below its heading |
//!
//! The last complete JSON object of an author's answer counts. The profile decides whether it has
//! the right form.

mod joins;

use std::sync::{Arc, LazyLock};

use redraft_text::json::Node;
use redraft_text::words::count_words;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::ask::{Finish, Reply, Schema};
use crate::repair::{self, Proposal};
use crate::reply::fields::{List, Text, Whole};
use crate::reply::{
    ReadError, breaks_off, first_lines, from_node, looks_like_refusal, objects, schema_of,
};
use crate::verdict::{Reason, Unscored};
use redraft_gate::companion::Specification;
use redraft_gate::span::ComponentId;

pub use joins::{Join, JoinSide, joins, read_smoothed, smoothed};

/// How a profile's content is written from nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// By a planner, an expander for each section, and a smoother of the joins.
    Sections,
    /// By one author, in one answer.
    Whole,
}

/// The plan of a lesson, component by component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    pub title: String,
    /// The introduction, the sections and the conclusion.
    pub sections: Vec<PlannedSection>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedSection {
    /// The id that it will have: `sec_2`.
    pub id: ComponentId,
    pub kind: SectionKind,
    /// Its heading; the introduction comes directly below the document's title.
    pub title: String,
    /// What it is for.
    pub purpose: String,
    pub key_points: Vec<String>,
    /// The approximate number of words.
    pub words: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SectionKind {
    /// Before the first section.
    Introduction,
    Section,
    /// After the last section.
    Conclusion,
}

impl Plan {
    /// The section of the specification that a component implements. The plan has the
    /// specification's sections in the same number and order.
    #[must_use]
    pub fn specified(&self, index: usize) -> Option<usize> {
        let is_section = |section: &PlannedSection| section.kind == SectionKind::Section;
        self.sections
            .get(index)
            .filter(|section| is_section(section))?;
        Some(
            self.sections
                .iter()
                .take(index)
                .filter(|section| is_section(section))
                .count(),
        )
    }
}

/// The minimum and maximum words of a component. An expander's default answer limit of 4,000 tokens
/// holds about 1,500 words in any of the seven languages.
const PART_WORDS: (usize, usize) = (40, 1_500);
/// The default words of a section: twice the minimum of 100 (ruling 13); and of introduction and
/// conclusion: half as many.
const USUAL_WORDS: (usize, usize) = (200, 100);
/// With more sections it is a book.
const MOST_SECTIONS: usize = 20;
/// Words per minute, and the minimum and maximum words of any lesson (ruling 11).
const WORDS_A_MINUTE: (usize, usize) = (120, 600);
const LESSON_WORDS: (usize, usize) = (300, 25_000);
/// A number of words above this is not a plan.
const LONGEST: i64 = 25_000;
/// The maximum characters of a title, and of a purpose or a key point.
const TITLE: usize = 200;
const POINT: usize = 600;
/// The maximum number of key points of a component.
const MOST_POINTS: usize = 20;

/// Reads a planner's reply.
///
/// # Errors
/// If the reply has no usable plan; the reason says why.
pub fn read_plan(reply: &Reply, specification: Option<&Specification>) -> Result<Plan, Unscored> {
    let text = reply.text.as_str();
    let declined = || {
        let message = format!("the planner declined: {}", first_lines(text));
        Unscored::new(Reason::Refused, message)
    };
    if reply.finish == Finish::Refusal {
        return Err(declined());
    }
    if text.trim().is_empty() {
        return Err(Unscored::new(Reason::Empty, "the reply was empty"));
    }
    let mut best = None;
    let mut trouble = None;
    let mut breaks_off = breaks_off(reply);
    for candidate in objects(text, "sections", &["title", "introduction"]) {
        if !candidate.complete() {
            breaks_off = true;
            continue;
        }
        match candidate.root().map(|root| plan(text, root, specification)) {
            Some(Ok(plan)) => best = Some(plan),
            Some(Err(error)) => trouble = Some(error),
            None => {}
        }
    }
    if let Some(plan) = best.filter(|_| !breaks_off) {
        return Ok(plan);
    }
    Err(if let Some(error) = trouble.filter(|_| !breaks_off) {
        Unscored::new(Reason::WrongShape, error.to_string())
    } else if breaks_off {
        let message = format!("the plan breaks off: {}", first_lines(text));
        Unscored::new(Reason::Truncated, message)
    } else if looks_like_refusal(text) {
        declined()
    } else {
        let message = format!("there is no plan in the reply: {}", first_lines(text));
        Unscored::new(Reason::WrongShape, message)
    })
}

/// A plan as a planner writes it.
#[derive(Deserialize, JsonSchema)]
struct PlanReply {
    title: Text,
    #[schemars(required)]
    introduction: Option<PlannedReply>,
    sections: List<PlannedReply>,
    #[schemars(required)]
    conclusion: Option<PlannedReply>,
}

#[derive(Deserialize, JsonSchema)]
struct PlannedReply {
    title: Text,
    purpose: Text,
    key_points: List<Text>,
    #[schemars(range(min = 1, max = 1_500))]
    words: Whole,
}

/// Why a plan is not usable, worded for the next prompt.
#[derive(Debug, Error)]
enum PlanError {
    #[error("the plan has no `{0}`")]
    Missing(&'static str),
    #[error(
        "the specification lists {} sections ({}), the plan has {given}",
        .specified.len(),
        .specified.join("; ")
    )]
    OtherSections {
        specified: Vec<String>,
        given: usize,
    },
    #[error("the plan has {0} sections; a lesson has at most {MOST_SECTIONS}")]
    TooManySections(usize),
    #[error("section {0} of the plan has no `title`")]
    UntitledSection(usize),
    #[error("the conclusion of the plan has no `title`")]
    UntitledConclusion,
    #[error("a section of {0} words was planned; a whole lesson has at most {most}", most = LESSON_WORDS.1)]
    TooManyWords(i64),
    #[error("{0} words were planned in all; a whole lesson has at most {most}", most = LESSON_WORDS.1)]
    TooManyWordsInAll(i64),
    #[error(transparent)]
    Unreadable(#[from] ReadError),
}

fn plan(
    text: &str,
    root: Node<'_>,
    specification: Option<&Specification>,
) -> Result<Plan, PlanError> {
    let given: PlanReply = from_node(text, root)?;
    let title = one_line(given.title.whole(), TITLE);
    if title.is_empty() {
        return Err(PlanError::Missing("title"));
    }
    let listed = given.sections.0;
    if listed.is_empty() {
        return Err(PlanError::Missing("sections"));
    }
    let specified = specification.map_or(&[][..], |plan| &plan.sections);
    if !specified.is_empty() && listed.len() != specified.len() {
        return Err(PlanError::OtherSections {
            specified: specified
                .iter()
                .map(|section| section.title.clone())
                .collect(),
            given: listed.len(),
        });
    }
    if listed.len() > MOST_SECTIONS.max(specified.len()) {
        return Err(PlanError::TooManySections(listed.len()));
    }
    let introduction = given
        .introduction
        .ok_or(PlanError::Missing("introduction"))?;
    let mut in_all = 0i64;
    for planned in std::iter::once(&introduction)
        .chain(&listed)
        .chain(&given.conclusion)
    {
        if let Some(words) = planned.words.0.filter(|words| *words > LONGEST) {
            return Err(PlanError::TooManyWords(words));
        }
        in_all = in_all.saturating_add(planned.words.0.unwrap_or_default().max(0));
    }
    if in_all > LONGEST {
        return Err(PlanError::TooManyWordsInAll(in_all));
    }
    let mut sections = vec![PlannedSection {
        id: ComponentId::from("sec_introduction"),
        kind: SectionKind::Introduction,
        ..section(&introduction, USUAL_WORDS.1)
    }];
    for (index, given) in listed.iter().enumerate() {
        let section = section(given, USUAL_WORDS.0);
        if section.title.is_empty() {
            return Err(PlanError::UntitledSection(index + 1));
        }
        sections.push(PlannedSection {
            id: ComponentId(format!("sec_{}", index + 1)),
            ..section
        });
    }
    let conclusion = given.conclusion.ok_or(PlanError::Missing("conclusion"))?;
    let conclusion = section(&conclusion, USUAL_WORDS.1);
    if conclusion.title.is_empty() {
        return Err(PlanError::UntitledConclusion);
    }
    sections.push(PlannedSection {
        id: ComponentId::from("sec_conclusion"),
        kind: SectionKind::Conclusion,
        ..conclusion
    });
    fit_to_time(&mut sections, specification.and_then(|plan| plan.minutes));
    Ok(Plan { title, sections })
}

fn section(given: &PlannedReply, usual: usize) -> PlannedSection {
    let key_points = given
        .key_points
        .0
        .iter()
        .map(|point| one_line(point.whole(), POINT))
        .filter(|point| !point.is_empty())
        .take(MOST_POINTS)
        .collect();
    let words = given
        .words
        .0
        .and_then(|words| usize::try_from(words).ok())
        .filter(|words| *words > 0)
        .unwrap_or(usual);
    PlannedSection {
        id: ComponentId::whole(),
        kind: SectionKind::Section,
        title: one_line(given.title.whole(), TITLE),
        purpose: one_line(given.purpose.whole(), POINT),
        key_points,
        words: words.clamp(PART_WORDS.0, PART_WORDS.1),
    }
}

/// Scales all components if the whole would not fit the available time.
fn fit_to_time(sections: &mut [PlannedSection], minutes: Option<f64>) {
    // Rounded to minutes, and bounded against absurd specifications.
    const MOST_MINUTES: f64 = 10_000.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it was clamped to what fits"
    )]
    let minutes = minutes.map_or(0, |minutes| minutes.clamp(0.0, MOST_MINUTES) as usize);
    if minutes == 0 {
        return;
    }
    let within = |words: usize| words.clamp(LESSON_WORDS.0, LESSON_WORDS.1);
    let least = within(minutes * WORDS_A_MINUTE.0);
    let most = within(minutes * WORDS_A_MINUTE.1);
    let planned: usize = sections.iter().map(|section| section.words).sum();
    let wanted = planned.clamp(least, most);
    if planned == 0 || wanted == planned {
        return;
    }
    for section in sections {
        section.words = (section.words * wanted)
            .div_ceil(planned)
            .clamp(PART_WORDS.0, PART_WORDS.1);
    }
}

/// Joins a text into one line, without leading heading marks.
fn one_line(text: &str, most: usize) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain = joined.trim_start_matches('#').trim();
    plain.chars().take(most).collect()
}

/// The JSON Schema of a planner's reply.
#[must_use]
pub fn plan_schema() -> Arc<Schema> {
    static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
        let mut schema = schema_of::<PlanReply>();
        let properties = &mut schema["properties"];
        // An introduction comes directly below the title of the lesson.
        let introduction = &mut properties["introduction"];
        take_title(introduction);
        if let Some(required) = introduction["required"].as_array_mut() {
            required.retain(|name| name != "title");
        }
        // A model that follows the schema writes properties in order: first the purpose of a
        // section, then its title.
        for section in ["/sections/items", "/conclusion"] {
            if let Some(section) = properties.pointer_mut(section) {
                section["properties"]["title"] = take_title(section);
            }
        }
        Arc::new(Schema::new(schema))
    });
    Arc::clone(&SCHEMA)
}

fn take_title(schema: &mut Value) -> Value {
    let properties = schema["properties"].as_object_mut();
    properties
        .and_then(|properties| properties.shift_remove("title"))
        .unwrap_or_default()
}

/// Reads an expander's reply: the text of one component, with its headings below the component's.
///
/// # Errors
/// If the reply has no such text, or its length is far from the plan.
pub fn read_section(reply: &Reply, planned: &PlannedSection) -> Result<String, Unscored> {
    let text = match repair::read_whole(reply).map_err(Unscored::from)? {
        Proposal::Whole(text) => repair::below(&text, Some(&planned.title), SECTION_LEVEL),
        Proposal::NoChange { .. } | Proposal::Blocks(_) => {
            return Err(Unscored::new(
                Reason::WrongShape,
                "write the text of the part and nothing else",
            ));
        }
    };
    let (words, wanted) = (count_words(&text), planned.words);
    // A third and three times: models come within half of the requested number of words.
    if words * 3 < wanted || words > wanted * 3 {
        return Err(Unscored::new(
            Reason::Rejected,
            format!("the part has {words} words; about {wanted} are wanted"),
        ));
    }
    Ok(text)
}

/// Reads an author's reply: the last complete JSON object in it, with small errors repaired.
///
/// # Errors
/// If there is none.
pub fn read_object(reply: &Reply) -> Result<String, Unscored> {
    let text = repair::usable(reply).map_err(Unscored::from)?;
    let object = redraft_text::reply::objects(&text)
        .iter()
        .rev()
        .find_map(|object| redraft_text::reply::valid_json(&text, object));
    object.map(|object| object + "\n").ok_or_else(|| {
        let (reason, what) = if looks_like_refusal(&text) {
            (Reason::Refused, "the author declined")
        } else {
            (
                Reason::WrongShape,
                "there is no complete JSON object in the reply",
            )
        };
        Unscored::new(reason, format!("{what}: {}", first_lines(&text)))
    })
}

const SECTION_LEVEL: u8 = 2;

/// A lesson with all its components written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    pub title: String,
    /// Its components, in order.
    pub sections: Vec<WrittenSection>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenSection {
    pub kind: SectionKind,
    pub title: String,
    /// The text, in Markdown.
    pub text: String,
}

/// Formats a draft as a Markdown lesson.
#[must_use]
pub fn markdown(draft: &Draft) -> String {
    let mut text = format!("# {}\n", draft.title);
    for section in &draft.sections {
        if section.kind != SectionKind::Introduction {
            text.push_str("\n## ");
            text.push_str(&section.title);
            text.push('\n');
        }
        text.push('\n');
        text.push_str(section.text.trim_matches('\n').trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests;
