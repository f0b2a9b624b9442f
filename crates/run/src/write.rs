//! Writing from a specification: what a planner's answer says, what a section has
//! to be, how sections become a text (seed 003 §1, ruling 18). Who is asked, and
//! how often, is the run's business; the words of the prompts are a profile's.
//!
//! | a planner's reply | it is |
//! |---|---|
//! | white space, a refusal, no object with `sections`, one that breaks off | an error of that name |
//! | without a title, an introduction, a section or a conclusion | an error, `wrong_shape` |
//! | a section without a title | an error, `wrong_shape` |
//! | more or fewer sections than the specification lists, or more than 20 | an error, `wrong_shape` |
//! | a number of words that is missing or beyond sense | read as the nearest that makes sense |
//! | fewer or more words in all than the minutes of the specification allow | every part longer, or shorter, alike |
//! | several objects | the last well-formed one outside quotations |
//!
//! | a section | then |
//! |---|---|
//! | broken off, refused, empty, edits instead of text | an error of that name |
//! | far shorter or longer than planned | an error, `rejected` |
//! | begins with its own heading, or has headings of its level | brought below its heading |
//!
//! Of an author's answer the last complete JSON object counts; whether it is of a
//! profile's form is for the profile to say.

mod joins;

use std::sync::{Arc, LazyLock};

use redraft_text::json::Node;
use redraft_text::words::count_words;
use serde::Serialize;

use crate::answer::{breaks_off, first_lines, looks_like_refusal, objects};
use crate::ask::{Finish, Reply, Schema};
use crate::repair::{self, Proposal};
use crate::verdict::{Reason, Unscored};
use redraft_gate::companion::Specification;
use redraft_gate::span::ComponentId;

pub use joins::{Join, JoinSide, joins, read_smoothed, smoothed};

/// How a kind of content is written from nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// By a planner, an expander for each section, and a smoother of the joins.
    Sections,
    /// By one author, in one answer.
    Whole,
}

/// What a lesson is to be, part by part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// Its title.
    pub title: String,
    /// Its parts: the introduction, the sections, the conclusion.
    pub parts: Vec<PlannedPart>,
}

/// What a part is to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedPart {
    /// The name that it will have: `sec_2`.
    pub id: ComponentId,
    /// What it is.
    pub kind: PartKind,
    /// Its heading; an introduction stands under the title of the whole.
    pub title: String,
    /// What it is there for.
    pub purpose: String,
    /// What it has to say.
    pub key_points: Vec<String>,
    /// About how many words it has.
    pub words: usize,
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// Before the first section.
    Introduction,
    /// In between.
    Section,
    /// Behind the last one.
    Conclusion,
}

impl Plan {
    /// The section of the specification that a part is to fulfil: the plan has as
    /// many sections as the specification lists, in that order.
    #[must_use]
    pub fn specified(&self, part: usize) -> Option<usize> {
        let is_section = |part: &PlannedPart| part.kind == PartKind::Section;
        self.parts.get(part).filter(|part| is_section(part))?;
        Some(
            self.parts
                .iter()
                .take(part)
                .filter(|part| is_section(part))
                .count(),
        )
    }
}

/// The fewest and the most words of a part. An answer of 4,000 tokens, which is
/// what an expander gives by default, holds some 1,500 words in any of the seven
/// languages.
const PART_WORDS: (usize, usize) = (40, 1_500);
/// What a part has where the plan does not say: twice the 100 words that a section
/// has at least (ruling 13), and half of that for introduction and conclusion.
const USUAL_WORDS: (usize, usize) = (200, 100);
/// Sections beyond this are a book.
const MOST_SECTIONS: usize = 20;
/// Words a minute, and what any lesson has at least and at most (ruling 11).
const WORDS_A_MINUTE: (usize, usize) = (120, 600);
const LESSON_WORDS: (usize, usize) = (300, 25_000);
/// Characters of a title, and of a purpose or a key point.
const TITLE: usize = 200;
const POINT: usize = 600;
/// Key points of one part.
const MOST_POINTS: usize = 20;

/// Reads a planner's reply.
///
/// # Errors
/// When it holds no plan that can be followed; the reason says why.
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
        match candidate.root().map(|root| plan(root, specification)) {
            Some(Ok(plan)) => best = Some(plan),
            Some(Err(message)) => trouble = Some(message),
            None => {}
        }
    }
    if let Some(plan) = best.filter(|_| !breaks_off) {
        return Ok(plan);
    }
    Err(if let Some(message) = trouble.filter(|_| !breaks_off) {
        Unscored::new(Reason::WrongShape, message)
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

fn plan(root: Node<'_>, specification: Option<&Specification>) -> Result<Plan, String> {
    let title = line(root, "title", TITLE);
    if title.is_empty() {
        return Err("the plan has no `title`".to_owned());
    }
    let sections: Vec<Node<'_>> = root
        .get("sections")
        .into_iter()
        .flat_map(Node::items)
        .collect();
    let wanted = specification.map_or(0, |plan| plan.sections.len());
    if sections.is_empty() {
        return Err("the plan has no `sections`".to_owned());
    }
    if wanted > 0 && sections.len() != wanted {
        let titles: Vec<&str> = specification
            .iter()
            .flat_map(|plan| &plan.sections)
            .map(|section| section.title.as_str())
            .collect();
        return Err(format!(
            "the specification lists {wanted} sections ({}), the plan has {}",
            titles.join("; "),
            sections.len()
        ));
    }
    if sections.len() > MOST_SECTIONS.max(wanted) {
        return Err(format!(
            "the plan has {} sections; a lesson has at most {MOST_SECTIONS}",
            sections.len()
        ));
    }
    let outer = |name: &str| {
        root.get(name)
            .ok_or_else(|| format!("the plan has no `{name}`"))
    };
    let mut parts = vec![PlannedPart {
        id: ComponentId::from("sec_introduction"),
        kind: PartKind::Introduction,
        ..part(outer("introduction")?, USUAL_WORDS.1)
    }];
    for (index, node) in sections.into_iter().enumerate() {
        let section = part(node, USUAL_WORDS.0);
        if section.title.is_empty() {
            return Err(format!("section {} of the plan has no `title`", index + 1));
        }
        parts.push(PlannedPart {
            id: ComponentId(format!("sec_{}", index + 1)),
            ..section
        });
    }
    let conclusion = part(outer("conclusion")?, USUAL_WORDS.1);
    if conclusion.title.is_empty() {
        return Err("the conclusion of the plan has no `title`".to_owned());
    }
    parts.push(PlannedPart {
        id: ComponentId::from("sec_conclusion"),
        kind: PartKind::Conclusion,
        ..conclusion
    });
    fit_to_time(&mut parts, specification.and_then(|plan| plan.minutes));
    Ok(Plan { title, parts })
}

fn part(node: Node<'_>, usual: usize) -> PlannedPart {
    let key_points = node
        .get("key_points")
        .into_iter()
        .flat_map(Node::items)
        .filter_map(Node::as_str)
        .map(|point| one_line(point, POINT))
        .filter(|point| !point.is_empty())
        .take(MOST_POINTS)
        .collect();
    let words = node
        .get("words")
        .and_then(Node::as_i64)
        .and_then(|words| usize::try_from(words).ok())
        .filter(|words| *words > 0)
        .unwrap_or(usual);
    PlannedPart {
        id: ComponentId::whole(),
        kind: PartKind::Section,
        title: line(node, "title", TITLE),
        purpose: line(node, "purpose", POINT),
        key_points,
        words: words.clamp(PART_WORDS.0, PART_WORDS.1),
    }
}

/// Makes all parts longer or shorter alike, where the whole would not fit the time
/// there is.
fn fit_to_time(parts: &mut [PlannedPart], minutes: Option<f64>) {
    // Whole minutes will do; a lesson of a year is an odd specification.
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
    let planned: usize = parts.iter().map(|part| part.words).sum();
    let wanted = planned.clamp(least, most);
    if planned == 0 || wanted == planned {
        return;
    }
    for part in parts {
        part.words = (part.words * wanted)
            .div_ceil(planned)
            .clamp(PART_WORDS.0, PART_WORDS.1);
    }
}

fn line(node: Node<'_>, name: &str, most: usize) -> String {
    one_line(
        node.get(name).and_then(Node::as_str).unwrap_or_default(),
        most,
    )
}

/// On one line, without the marks of a heading in front.
fn one_line(text: &str, most: usize) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain = joined.trim_start_matches('#').trim();
    plain.chars().take(most).collect()
}

/// What a planner's reply has to look like, as a JSON Schema.
#[must_use]
pub fn plan_schema() -> Arc<Schema> {
    static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
        Arc::new(Schema::new({
            let part = |has_title: bool| {
                let mut required = vec!["purpose", "key_points", "words"];
                let mut properties = serde_json::json!({
                    "purpose": {"type": "string"},
                    "key_points": {"type": "array", "items": {"type": "string"}},
                    "words": {"type": "integer"},
                });
                if has_title {
                    required.insert(0, "title");
                    properties["title"] = serde_json::json!({"type": "string"});
                }
                serde_json::json!({
                    "type": "object",
                    "additionalProperties": false,
                    "required": required,
                    "properties": properties,
                })
            };
            serde_json::json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["title", "introduction", "sections", "conclusion"],
                "properties": {
                    "title": {"type": "string"},
                    "introduction": part(false),
                    "sections": {"type": "array", "items": part(true)},
                    "conclusion": part(true),
                },
            })
        }))
    });
    Arc::clone(&SCHEMA)
}

/// Reads an expander's reply: the text of one part, its headings below the part's.
///
/// # Errors
/// When there is no such text in it, or one that is nothing like as long as it was
/// to be.
pub fn read_part(reply: &Reply, planned: &PlannedPart) -> Result<String, Unscored> {
    let text = match repair::read_whole(reply).map_err(Unscored::from)? {
        Proposal::Whole(text) => repair::below(&text, Some(&planned.title), SECTION_LEVEL),
        Proposal::NoChange { .. } | Proposal::Blocks(_) => {
            return Err(Unscored::new(
                Reason::WrongShape,
                "the text of the part is wanted, nothing else",
            ));
        }
    };
    let (words, wanted) = (count_words(&text), planned.words);
    // A third and three times: a model that is asked for a number of words comes
    // within half of it.
    if words * 3 < wanted || words > wanted * 3 {
        return Err(Unscored::new(
            Reason::Rejected,
            format!("the part has {words} words; about {wanted} are wanted"),
        ));
    }
    Ok(text)
}

/// Reads an author's reply: the last complete JSON object in it, its slips put
/// right.
///
/// # Errors
/// When there is none.
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

/// The level of a section's heading.
const SECTION_LEVEL: u8 = 2;

/// A lesson whose parts are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Its title.
    pub title: String,
    /// Its parts, in order.
    pub parts: Vec<WrittenPart>,
}

/// A part that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenPart {
    /// What it is.
    pub kind: PartKind,
    /// Its heading.
    pub title: String,
    /// Its text, in Markdown.
    pub text: String,
}

/// A draft as a Markdown lesson.
#[must_use]
pub fn markdown(draft: &Draft) -> String {
    let mut text = format!("# {}\n", draft.title);
    for part in &draft.parts {
        if part.kind != PartKind::Introduction {
            text.push_str("\n## ");
            text.push_str(&part.title);
            text.push('\n');
        }
        text.push('\n');
        text.push_str(part.text.trim_matches('\n').trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests;
