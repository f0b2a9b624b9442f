//! Reading a judge's reply.
//!
//! | the reply | it is |
//! |---|---|
//! | nothing but white space | unscored, `empty` |
//! | a refusal | unscored, `refused` |
//! | no object with `scores` in it | unscored, `not_a_verdict` |
//! | such an object that breaks off | unscored, `truncated` |
//! | a criterion without a score, an unknown confidence | unscored, `wrong_shape` |
//! | 85, -1, "good" as a score | unscored, `score_out_of_range`; nothing is divided by 100 |
//! | the `text_id` of another text, or none | unscored, `another_text` |
//! | several verdicts | the last well-formed one outside quotations |
//!
//! A reply may think aloud, fence its JSON or talk around it.

use redraft_text::json::{self, Kind, Node};
use redraft_text::reply;

use super::{
    Awarded, Confidence, Issue, IssueSeverity, Question, Reason, Unscored, Verdict, anchor,
};
use crate::ask::{Finish, Reply};
use crate::rubric::{Rubric, Score};
use crate::span::ComponentId;

/// Reads a reply as a verdict about the text in question.
///
/// # Errors
/// When it holds none that can be believed; the reason says why.
pub fn read(question: &Question<'_>, reply: &Reply) -> Result<Verdict, Unscored> {
    let text = reply.text.as_str();
    if reply.finish == Finish::Refusal {
        return Err(Unscored::new(
            Reason::Refused,
            format!("the judge declined: {}", first_lines(text)),
        ));
    }
    if text.trim().is_empty() {
        return Err(Unscored::new(Reason::Empty, "the reply was empty"));
    }
    let mut best = None;
    let mut trouble = None;
    let mut breaks_off = reply.finish == Finish::Length;
    for candidate in candidates(text) {
        if !candidate.complete() {
            breaks_off = true;
            continue;
        }
        match candidate.root().map(|root| verdict(question, text, root)) {
            Some(Ok(verdict)) => best = Some(verdict),
            Some(Err(unscored)) => trouble = Some(unscored),
            None => {}
        }
    }
    if let Some(verdict) = best {
        return Ok(verdict);
    }
    if let Some(trouble) = trouble {
        return Err(trouble);
    }
    if breaks_off {
        let message = format!("the reply breaks off: {}", first_lines(text));
        return Err(Unscored::new(Reason::Truncated, message));
    }
    let refuses = looks_like_refusal(text);
    let (reason, what) = if refuses {
        (Reason::Refused, "the judge declined")
    } else {
        (Reason::NotAVerdict, "there is no verdict in the reply")
    };
    Err(Unscored::new(
        reason,
        format!("{what}: {}", first_lines(text)),
    ))
}

/// The objects of a reply that may be verdicts, in order: with `scores` in them,
/// or cut off before they came.
fn candidates(text: &str) -> Vec<json::Json> {
    let mut found = reply::objects(text);
    found.retain(|value| {
        let has = |name: &str| value.root().is_some_and(|root| root.get(name).is_some());
        has("scores") || !value.complete() && (has("issues") || has("text_id"))
    });
    found
}

fn looks_like_refusal(text: &str) -> bool {
    const SIGNS: [&str; 8] = [
        "i can't",
        "i cannot",
        "i can’t",
        "i'm unable",
        "i am unable",
        "i'm sorry",
        "i’m sorry",
        "as an ai",
    ];
    let head: String = text.chars().take(300).collect::<String>().to_lowercase();
    SIGNS.iter().any(|sign| head.contains(sign))
}

fn verdict(question: &Question<'_>, text: &str, root: Node<'_>) -> Result<Verdict, Unscored> {
    let content = question.document.source().version();
    let given = root
        .get("text_id")
        .and_then(Node::as_str)
        .unwrap_or_default();
    if given.trim() != content.to_string() {
        let message = if given.is_empty() {
            "the verdict does not say which text it is about".to_owned()
        } else {
            format!("the verdict is about another text ({given}, not {content})")
        };
        return Err(Unscored::new(Reason::AnotherText, message));
    }
    let scores = root
        .get("scores")
        .filter(|scores| scores.kind() == Kind::Object)
        .ok_or_else(|| Unscored::new(Reason::WrongShape, "`scores` is no object"))?;
    let mut awarded = Vec::new();
    for criterion in &question.rubric.criteria {
        awarded.push(Awarded {
            score: score(question.rubric, text, scores, &criterion.name)?,
            criterion: criterion.name.clone(),
        });
    }
    let confidence = match root.get("confidence").and_then(Node::as_str).map(str::trim) {
        Some("high") => Confidence::High,
        Some("medium") => Confidence::Medium,
        Some("low") => Confidence::Low,
        other => {
            let message = format!(
                "`confidence` is {}; it must be high, medium or low",
                other.map_or("missing".to_owned(), |given| format!("“{given}”"))
            );
            return Err(Unscored::new(Reason::WrongShape, message));
        }
    };
    let issues = root
        .get("issues")
        .into_iter()
        .flat_map(Node::items)
        .map(|node| issue(question, node))
        .collect::<Result<_, _>>()?;
    Ok(Verdict {
        judge: question.judge.clone(),
        content,
        awarded,
        issues,
        strengths: root
            .get("strengths")
            .into_iter()
            .flat_map(Node::items)
            .filter_map(|node| node.as_str().map(str::to_owned))
            .collect(),
        confidence,
        own_overall: root
            .get("overall")
            .and_then(|overall| Score::parse(written(text, overall))),
    })
}

/// A value as the reply has it: 0.85 is read as it is written, never through
/// floating point.
fn written<'t>(text: &'t str, node: Node<'_>) -> &'t str {
    text.get(node.span()).unwrap_or_default()
}

fn score(
    rubric: &Rubric,
    text: &str,
    scores: Node<'_>,
    criterion: &str,
) -> Result<Score, Unscored> {
    let node = scores.get(criterion).ok_or_else(|| {
        Unscored::new(
            Reason::WrongShape,
            format!("there is no score for `{criterion}`"),
        )
    })?;
    let written = written(text, node);
    let figure = node.as_str().unwrap_or(written);
    Score::parse_to(figure, rubric.precision).ok_or_else(|| {
        Unscored::new(
            Reason::ScoreOutOfRange,
            format!("the score for `{criterion}` is {written}, not a number from 0 to 1"),
        )
    })
}

fn issue(question: &Question<'_>, node: Node<'_>) -> Result<Issue, Unscored> {
    let text = |name: &str| {
        node.get(name)
            .and_then(Node::as_str)
            .unwrap_or_default()
            .trim()
    };
    let wrong = |what: String| Unscored::new(Reason::WrongShape, what);
    let criterion = text("criterion");
    if question.rubric.criterion(criterion).is_none() {
        return Err(wrong(format!(
            "an issue speaks to “{criterion}”, which is no criterion"
        )));
    }
    let severity = match text("severity") {
        "critical" => IssueSeverity::Critical,
        "major" => IssueSeverity::Major,
        "minor" => IssueSeverity::Minor,
        other => {
            return Err(wrong(format!(
                "an issue is “{other}”; it must be critical, major or minor"
            )));
        }
    };
    let description = text("description");
    if description.is_empty() {
        return Err(wrong("an issue says nothing".to_owned()));
    }
    let quote = Some(text("quote")).filter(|quote| !quote.is_empty());
    let (anchor, place) = quote.map_or((super::Anchored::NotQuoted, None), |quote| {
        anchor::look_up(question.document, quote)
    });
    let location = place
        .or_else(|| anchor::component(question.document, text("location")))
        .unwrap_or_else(ComponentId::whole);
    Ok(Issue {
        criterion: criterion.to_owned(),
        severity,
        location,
        quote: quote.map(str::to_owned),
        anchor,
        description: description.to_owned(),
        suggested_fix: text("suggested_fix").to_owned(),
    })
}

/// The beginning of a reply, for a message.
fn first_lines(text: &str) -> String {
    const MOST: usize = 160;
    let joined: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match joined.char_indices().nth(MOST) {
        Some((at, _)) => format!("“{}…”", &joined[..at]),
        None => format!("“{joined}”"),
    }
}

/// What a reply has to look like, as a JSON Schema.
#[must_use]
pub fn schema(rubric: &Rubric) -> serde_json::Value {
    let names: Vec<&str> = rubric
        .criteria
        .iter()
        .map(|criterion| criterion.name.as_str())
        .collect();
    let score = serde_json::json!({"type": "number", "minimum": 0, "maximum": 1});
    let scores: serde_json::Map<String, serde_json::Value> = names
        .iter()
        .map(|name| ((*name).to_owned(), score.clone()))
        .collect();
    serde_json::json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["text_id", "issues", "strengths", "scores", "overall", "confidence"],
        "properties": {
            "text_id": {"type": "string"},
            "issues": {"type": "array", "items": {
                "type": "object",
                "additionalProperties": false,
                "required": ["criterion", "severity", "location", "quote", "description", "suggested_fix"],
                "properties": {
                    "criterion": {"type": "string", "enum": names},
                    "severity": {"type": "string", "enum": ["critical", "major", "minor"]},
                    "location": {"type": "string"},
                    "quote": {"type": "string"},
                    "description": {"type": "string"},
                    "suggested_fix": {"type": "string"},
                },
            }},
            "strengths": {"type": "array", "items": {"type": "string"}},
            "scores": {
                "type": "object",
                "additionalProperties": false,
                "required": names,
                "properties": scores,
            },
            "overall": score,
            "confidence": {"type": "string", "enum": ["high", "medium", "low"]},
        },
    })
}
