//! Reads a judge's reply.
//!
//! | the reply | result |
//! |---|---|
//! | not exactly one complete object with `scores` | unscored: see `reply/strict` |
//! | a criterion without a score, an unknown confidence | unscored, `wrong_shape` |
//! | 85, -1, "good" as a score | unscored, `score_out_of_range`; nothing is divided by 100 |
//! | the `text_id` of another text, or none | unscored, `another_text` |
//! | no reason for a score, or a long one | accepted without it, or with its beginning |
//! | more than eight issues | the least severe ones are dropped, but never a critical one |
//! | no list of issues, or an issue outside of it | unscored, `wrong_shape` |
//!
//! A statement that the sources do not cover is not necessarily wrong. If an issue of a factual
//! criterion says `not in sources`, its severity depends on its evidence:
//!
//! | it quotes words of the text, and says what is right | severity |
//! |---|---|
//! | yes: the judge knows better, without proof | at most major: a critical issue needs a source |
//! | no: the statement is merely unconfirmed | minor |
//!
//! Such an issue never causes a regeneration (see `arbitrate`). If the text has no sources, the
//! issue counts as if it named none.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;

use redraft_text::json::{Kind, Node};
use schemars::JsonSchema;
use serde::Deserialize;

use super::anchor::fold;
use super::{
    Anchored, Awarded, Confidence, Issue, IssueSeverity, Question, Quotes, Reason, Unscored,
    Verdict, credibility, location,
};
use crate::ask::{Reply, Schema};
use crate::memo::Memo;
use crate::reply::fields::{Choice, Choices, Each, List, Listed, Named, ScoreLiteral, Text};
use crate::reply::{StrictObject, from_node, restrict_to, schema_of};
use crate::rubric::Rubric;
use redraft_gate::companion::Companions;
use redraft_gate::score::Score;
use redraft_gate::span::ComponentId;

/// Reads a reply as a verdict about the text in question.
///
/// # Errors
/// If the reply has no reliable verdict; the reason says why.
pub fn read(question: &Question<'_>, reply: &Reply) -> Result<Verdict, Unscored> {
    let verdicts = StrictObject {
        name: "verdict",
        by: "judge",
        field: "scores",
        earlier: &["issues", "text_id"],
        strict: &["scores", "issues", "confidence"],
        nowhere_else: &["scores", "severity"],
    };
    let found = verdicts.find(reply)?;
    let root = found.root().ok_or_else(|| {
        let message = "the verdict is not JSON";
        Unscored::new(Reason::WrongShape, message)
    })?;
    verdict(question, reply, root)
}

/// A judge that is asked for more issues invents some.
const MOST_ISSUES: usize = 8;
const MOST_STRENGTHS: usize = 5;
/// In characters. The prompt asks for five words (seed 004 has two to four). A longer reason is
/// cut, not rejected, because a retry costs money.
const MOST_OF_A_REASON: usize = 240;

/// A verdict as a judge writes it.
#[derive(Deserialize, JsonSchema)]
struct VerdictReply {
    text_id: Text,
    #[schemars(length(max = MOST_ISSUES))]
    issues: Listed<IssueReply>,
    #[schemars(length(max = MOST_STRENGTHS))]
    strengths: List<Text>,
    /// Asked for only where the rubric wants them; before the scores, which follow from
    /// them.
    reasons: Each<Text>,
    scores: Named<ScoreLiteral>,
    #[schemars(required)]
    overall: Option<ScoreLiteral>,
    confidence: Choice<Confidence>,
}

/// An issue as a judge writes it.
#[derive(Deserialize, JsonSchema)]
struct IssueReply {
    criterion: Text,
    severity: Choice<IssueSeverity>,
    location: Text,
    quote: Text,
    /// Empty where no fact is wrong. Asked for where sources are shown.
    source: Text,
    description: Text,
    suggested_fix: Text,
}

impl Choices for Confidence {
    const NAMED: &'static [(&'static str, Self)] = &[
        ("high", Self::High),
        ("medium", Self::Medium),
        ("low", Self::Low),
    ];
}

impl Choices for IssueSeverity {
    const NAMED: &'static [(&'static str, Self)] = &[
        ("critical", Self::Critical),
        ("major", Self::Major),
        ("minor", Self::Minor),
    ];
}

fn verdict(question: &Question<'_>, reply: &Reply, root: Node<'_>) -> Result<Verdict, Unscored> {
    let wrong = |what: String| Unscored::new(Reason::WrongShape, what);
    if let Some(name) = stray_issue(root) {
        let message = format!("`{name}` is not asked for; faults belong in the list `issues`");
        return Err(wrong(message));
    }
    let given: VerdictReply =
        from_node(&reply.text, root).map_err(|error| wrong(error.to_string()))?;
    let content = question.document.source().version();
    let text_id = given.text_id.whole();
    if text_id.trim() != content.to_string() {
        let message = if text_id.is_empty() {
            "the verdict does not say which text it is about".to_owned()
        } else {
            format!("the verdict is about another text ({text_id}, not {content})")
        };
        return Err(Unscored::new(Reason::AnotherText, message));
    }
    let scores = given
        .scores
        .0
        .ok_or_else(|| wrong("`scores` is not an object".to_owned()))?;
    let criteria = question.rubric.criteria.iter();
    let names: Vec<&str> = criteria.map(|criterion| criterion.name.as_str()).collect();
    let asks_why = question.rubric.reasons;
    let mut awarded = Vec::new();
    for criterion in &question.rubric.criteria {
        awarded.push(Awarded {
            score: score(question.rubric, &scores, &criterion.name)?,
            reason: (given.reasons.of(&criterion.name, &names))
                .filter(|_| asks_why)
                .and_then(reason),
            criterion: criterion.name.clone(),
        });
    }
    let confidence = given.confidence.known().ok_or_else(|| {
        let given = given.confidence.given().get().map(str::trim);
        wrong(format!(
            "`confidence` is {}; it must be high, medium or low",
            given.map_or("missing".to_owned(), |given| format!("“{given}”"))
        ))
    })?;
    let quotes = Quotes::new(question.document);
    let Some(issues) = &given.issues.0 else {
        return Err(wrong(
            "`issues` must be a list, if only an empty one".to_owned(),
        ));
    };
    let issues = issues
        .iter()
        .map(|given| issue(question, &quotes, given))
        .collect::<Result<Vec<_>, _>>()?;
    let issues = merge_identical(issues);
    // All issues count as reasons for the scores, including those beyond the eighth.
    let doubts = credibility::doubts(&awarded, &issues);
    let issues = most_severe(issues);
    let confidence = match doubts.is_empty() {
        true => confidence,
        false => Confidence::Low,
    };
    Ok(Verdict {
        judge: question.judge.clone(),
        content,
        unread: None,
        awarded,
        issues,
        strengths: given
            .strengths
            .0
            .iter()
            .filter_map(|strength| strength.get().map(str::to_owned))
            .take(MOST_STRENGTHS)
            .collect(),
        confidence,
        doubts,
        own_overall: given
            .overall
            .and_then(|overall| Score::parse(&overall.json)),
        tokens: reply.usage.tokens,
        took_ms: reply.took,
    })
}

/// A member that contains an issue in a place that is never read. Models put critical issues into a
/// separate list of any name, or inside another issue.
fn stray_issue(root: Node<'_>) -> Option<String> {
    let known = [
        "text_id",
        "issues",
        "strengths",
        "reasons",
        "scores",
        "overall",
        "confidence",
    ];
    root.members()
        .find(|(name, value)| match name.text.as_str() {
            "issues" => value.items().any(has_another_severity),
            name => {
                has_severity(*value)
                    || !known.contains(&name) && (lists(*value) || says_something(name, *value))
            }
        })
        .map(|(name, _)| name.text.clone())
}

/// Whether an issue has a second severity, such as `"is_critical": true`, or another issue inside.
fn has_another_severity(issue: Node<'_>) -> bool {
    let known = [
        "criterion",
        "severity",
        "location",
        "quote",
        "source",
        "description",
        "suggested_fix",
    ];
    issue.members().any(|(name, value)| {
        let name = name.text.to_lowercase();
        has_severity(value)
            || !known.contains(&name.as_str()) && (lists(value) || grades(&name, value))
    })
}

/// Whether an unexpected member of an issue says how severe it is.
fn grades(name: &str, value: Node<'_>) -> bool {
    let is_grade = |word: &str| IssueSeverity::NAMED.iter().any(|(name, _)| *name == word);
    match value.kind() {
        Kind::String => value.as_str().is_some_and(|words| {
            is_grade(&words.trim().to_lowercase()) || words.to_lowercase().contains("critical")
        }),
        Kind::Bool => value.as_bool() == Some(true) && name.split('_').any(is_grade),
        Kind::Object => (value.members()).any(|(name, value)| grades(&name.text, value)),
        _ => false,
    }
}

/// Whether an unexpected member lists something: words, or objects by name. A summary, or a few
/// facts about the judge, is not a list.
fn lists(value: Node<'_>) -> bool {
    let mut inside = value.members().map(|(_, value)| value);
    value.items().next().is_some()
        || inside.any(|one| one.kind() == Kind::Object || one.items().next().is_some())
}

/// Names of members that say nothing about the text, whatever their value.
const HARMLESS: [&str; 16] = [
    "summary",
    "model",
    "judge",
    "name",
    "id",
    "language",
    "rubric",
    "profile",
    "version",
    "date",
    "timestamp",
    "tokens",
    "words",
    "word_count",
    "duration",
    "weight",
];

/// Names of members that are harmless if they say yes.
const WELCOME: [&str; 10] = [
    "passed", "pass", "passes", "accept", "accepted", "approve", "approved", "publish", "valid",
    "success",
];

/// Whether an unexpected member says something that nothing reads: that the text fails, that the
/// judge could not read it, how many faults there are, or a fault in words. A mean of the scores, a
/// count of nothing and a name are harmless.
fn says_something(name: &str, value: Node<'_>) -> bool {
    if HARMLESS.contains(&name) {
        return false;
    }
    let is_welcome = WELCOME.contains(&name);
    match value.kind() {
        Kind::Bool => !(is_welcome && value.as_bool() == Some(true)),
        Kind::String => (value.as_str()).is_some_and(|words| words.contains(char::is_alphanumeric)),
        Kind::Number => {
            let harmless = if is_welcome {
                0.0..=1.0
            } else {
                0.0..=0.999_999
            };
            let number = value.as_f64().filter(|number| harmless.contains(number));
            number.is_none_or(|number| is_welcome && number <= 0.0)
        }
        Kind::Object => (value.members()).any(|(name, value)| says_something(&name.text, value)),
        _ => false,
    }
}

/// Whether a value contains an object with a severity, at any depth.
fn has_severity(value: Node<'_>) -> bool {
    let mut left = vec![value];
    while let Some(node) = left.pop() {
        match node.kind() {
            Kind::Object if node.get("severity").is_some() => return true,
            Kind::Object => left.extend(node.members().map(|(_, value)| value)),
            _ => left.extend(node.items()),
        }
    }
    false
}

/// A reason, cut to the length of a short sentence.
fn reason(given: &Text) -> Option<String> {
    let words: Vec<&str> = given.trimmed().split_whitespace().collect();
    let said: String = words.join(" ").chars().take(MOST_OF_A_REASON).collect();
    Some(said).filter(|said| !said.is_empty())
}

fn score(
    rubric: &Rubric,
    scores: &BTreeMap<String, ScoreLiteral>,
    criterion: &str,
) -> Result<Score, Unscored> {
    let given = scores.get(criterion).ok_or_else(|| {
        Unscored::new(
            Reason::WrongShape,
            format!("there is no score for `{criterion}`"),
        )
    })?;
    Score::parse_to(given.digits(), rubric.precision).ok_or_else(|| {
        Unscored::new(
            Reason::ScoreOutOfRange,
            format!(
                "the score for `{criterion}` is {}, not a number from 0 to 1",
                given.json
            ),
        )
    })
}

fn issue(
    question: &Question<'_>,
    quotes: &Quotes<'_>,
    given: &IssueReply,
) -> Result<Issue, Unscored> {
    let wrong = |what: String| Unscored::new(Reason::WrongShape, what);
    let name = given.criterion.trimmed();
    let Some(criterion) = question.rubric.criterion(name) else {
        return Err(wrong(format!(
            "an issue names “{name}”, which is not a criterion"
        )));
    };
    let severity = given.severity.known().ok_or_else(|| {
        wrong(format!(
            "an issue is “{}”; it must be critical, major or minor",
            given.severity.given().trimmed()
        ))
    })?;
    let description = given.description.trimmed();
    if description.is_empty() {
        return Err(wrong("an issue says nothing".to_owned()));
    }
    let quote = Some(given.quote.trimmed()).filter(|quote| !quote.is_empty());
    let occurrence = quote.map_or(Err(Anchored::NotQuoted), |quote| quotes.look_up(quote));
    let anchor = match &occurrence {
        Ok(occurrence) => occurrence.anchored,
        Err(anchored) => *anchored,
    };
    // The quote determines the location, unless it is outside all components.
    let quoted = occurrence
        .ok()
        .and_then(|occurrence| quotes.component(&occurrence));
    let location = quoted
        .filter(|component| component.parent.is_some())
        .or_else(|| location::resolve(question.document, given.location.trimmed()))
        .map_or_else(ComponentId::whole, |component| component.id.clone());
    let suggested_fix = given.suggested_fix.trimmed();
    let source = source(given.source.trimmed())
        .filter(|source| question.has_sources || source != NOT_IN_SOURCES);
    let is_unconfirmed = criterion.factual && source.as_deref() == Some(NOT_IN_SOURCES);
    let is_shown =
        matches!(anchor, Anchored::Exact | Anchored::Normalised) && !suggested_fix.is_empty();
    Ok(Issue {
        criterion: criterion.name.clone(),
        severity: match (is_unconfirmed, is_shown) {
            (true, true) => severity.min(IssueSeverity::Major),
            (true, false) => IssueSeverity::Minor,
            (false, _) => severity,
        },
        location,
        quote: quote.map(str::to_owned),
        anchor,
        description: description.to_owned(),
        suggested_fix: suggested_fix.to_owned(),
        source,
    })
}

/// Merges issues that say the same about the same words, keeping the most severe.
fn merge_identical(issues: Vec<Issue>) -> Vec<Issue> {
    let same = |one: &Issue, other: &Issue| {
        let of = |issue: &Issue| {
            (
                issue.criterion.clone(),
                issue.location.clone(),
                fold(issue.quote.as_deref().unwrap_or_default()).text,
                fold(&issue.description).text,
            )
        };
        of(one) == of(other)
    };
    let mut merged: Vec<Issue> = Vec::new();
    for issue in issues {
        match merged.iter_mut().find(|known| same(known, &issue)) {
            Some(known) => known.severity = known.severity.max(issue.severity),
            None => merged.push(issue),
        }
    }
    merged
}

/// The eight most severe issues and every critical one, in their original order. On a tie the
/// earlier one is kept.
fn most_severe(issues: Vec<Issue>) -> Vec<Issue> {
    let mut ranked: Vec<usize> = (0..issues.len()).collect();
    ranked.sort_by_key(|at| std::cmp::Reverse(issues.get(*at).map(|issue| issue.severity)));
    let critical = issues
        .iter()
        .filter(|issue| issue.severity == IssueSeverity::Critical)
        .count();
    ranked.truncate(critical.max(MOST_ISSUES));
    let kept: BTreeSet<usize> = ranked.into_iter().collect();
    issues
        .into_iter()
        .enumerate()
        .filter(|(at, _)| kept.contains(at))
        .map(|(_, issue)| issue)
        .collect()
}

/// What a judge answers if the sources do not cover a statement.
pub const NOT_IN_SOURCES: &str = "not in sources";

/// The judge's citation: a chunk id, or [`NOT_IN_SOURCES`].
fn source(written: &str) -> Option<String> {
    let words = written.to_lowercase().replace(['_', '-'], " ");
    let is_none = [
        "none",
        "n/a",
        "no source",
        "not in source",
        "not in the source",
    ];
    if words.is_empty() {
        None
    } else if is_none.iter().any(|none| words.starts_with(none)) {
        Some(NOT_IN_SOURCES.to_owned())
    } else {
        Some(written.to_owned())
    }
}

/// The schema of a reply. Cached, because all documents of a batch are judged by one rubric.
#[must_use]
pub fn schema(rubric: &Rubric, companions: &Companions) -> Arc<Schema> {
    static KNOWN: Memo<([bool; 3], Vec<String>), Schema> = Memo::new();
    let names = || rubric.criteria.iter().map(|criterion| &criterion.name);
    let asks_for = [rubric.reasons, rubric.terse, !companions.sources.is_empty()];
    let known = KNOWN.get(
        |(known, criteria)| *known == asks_for && names().eq(criteria),
        || {
            let schema = Schema::new(schema_for(rubric, companions));
            let names = names().cloned().collect();
            Ok::<_, Infallible>(((asks_for, names), schema))
        },
    );
    match known {
        Ok(schema) => schema,
    }
}

/// The criteria come from the rubric, the rest from [`VerdictReply`].
fn schema_for(rubric: &Rubric, companions: &Companions) -> serde_json::Value {
    let names: Vec<String> = rubric.criteria.iter().map(|one| one.name.clone()).collect();
    let mut schema = schema_of::<VerdictReply>();
    restrict_to(
        &names,
        &mut schema,
        "/properties/issues/items/properties/criterion",
    );
    if let Some(scores) = schema.pointer_mut("/properties/scores") {
        let score = scores["additionalProperties"].take();
        let properties = names.iter().map(|name| (name.clone(), score.clone()));
        *scores = serde_json::json!({
            "type": "object",
            "additionalProperties": false,
            "required": names,
            "properties": properties.collect::<serde_json::Map<_, _>>(),
        });
    }
    if !rubric.reasons {
        leave_out("reasons", &mut schema);
    }
    if rubric.terse {
        leave_out("strengths", &mut schema);
        leave_out("overall", &mut schema);
    }
    if companions.sources.is_empty()
        && let Some(issue) = schema.pointer_mut("/properties/issues/items")
    {
        leave_out("source", issue);
    }
    schema
}

/// Removes a property from the schema of an object.
fn leave_out(name: &str, schema: &mut serde_json::Value) {
    if let Some(properties) = schema["properties"].as_object_mut() {
        properties.shift_remove(name);
    }
    if let Some(required) = schema["required"].as_array_mut() {
        required.retain(|known| known != name);
    }
}
