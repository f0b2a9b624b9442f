//! The form of replies: how what an actor has to say is written down, and what a
//! question looks like. It follows the program's reply formats and may change with
//! them; what is said, and how often it is wrong, is frozen (`frozen.rs`).

use redraft_run::ask::{Ask, CallFailure, FailureKind, Finish, Reply, Role, Tokens, Usage};
use serde_json::{Map, Value, json};

use super::prompt::Passage;
use crate::lessons;
use crate::tokeniser::remembered;

/// A reply and what it took: a second to begin, then sixty tokens a second.
pub(super) fn reply(ask: &Ask, text: String, finish: Finish) -> Reply {
    let prompt = &ask.prompt;
    let output = remembered(&text).min(u64::from(ask.model.max_tokens));
    Reply {
        usage: Usage {
            tokens: Tokens::new(
                remembered(&prompt.system) + remembered(&prompt.user),
                output,
            ),
            estimated: true,
        },
        finish,
        took: 1_000 + output * 1_000 / 60,
        reused: false,
        text,
    }
}

pub(super) fn failed() -> CallFailure {
    CallFailure {
        kind: FailureKind::Transient { retry_after: None },
        message: "the server is busy".to_owned(),
        usage: None,
        context: None,
    }
}

/// Words where an answer in form was asked for.
pub(super) const CHAT: &str = "I have looked at it, and it is fine by me.";

/// An issue that a judge names.
pub(super) struct Complaint {
    pub(super) criterion: &'static str,
    pub(super) severity: &'static str,
    /// The id of the part.
    pub(super) location: String,
    /// Empty where nothing can be quoted.
    pub(super) quote: String,
    pub(super) description: String,
    pub(super) fix: &'static str,
}

/// What a judge gives.
pub(super) struct Opinion {
    pub(super) issues: Vec<Complaint>,
    pub(super) scores: Vec<(String, f64)>,
    pub(super) overall: f64,
    pub(super) confidence: &'static str,
}

pub(super) fn verdict(ask: &Ask, opinion: &Opinion) -> String {
    let schema = ask.schema.as_ref().map(|schema| schema.value());
    let asks_for = |pointer: &str| schema.is_some_and(|schema| schema.pointer(pointer).is_some());
    let cites = asks_for("/properties/issues/items/properties/source");
    let issue = |issue: &Complaint| {
        let mut said = json!({
            "criterion": issue.criterion,
            "severity": issue.severity,
            "location": issue.location,
            "quote": issue.quote,
            "description": issue.description,
            "suggested_fix": issue.fix,
        });
        if cites {
            said["source"] = json!("");
        }
        said
    };
    let scores = opinion.scores.iter();
    let scores: Map<String, Value> = scores
        .map(|(name, score)| (name.clone(), json!(score)))
        .collect();
    let mut verdict = json!({
        "text_id": ask.content.to_string(),
        "issues": opinion.issues.iter().map(issue).collect::<Vec<Value>>(),
        "scores": scores,
        "confidence": opinion.confidence,
    });
    if asks_for("/properties/strengths") {
        verdict["strengths"] = json!([
            "the order of the parts",
            "short sentences, the same terms throughout",
        ]);
    }
    if asks_for("/properties/overall") {
        verdict["overall"] = json!(opinion.overall);
    }
    if asks_for("/properties/reasons") {
        verdict["reasons"] = reasons(opinion);
    }
    verdict.to_string()
}

/// Why each criterion has its score, as short as seed 004 has it.
fn reasons(opinion: &Opinion) -> Value {
    let reason = |(name, _): &(String, f64)| {
        let mut issues = opinion.issues.iter();
        match issues.any(|issue| issue.criterion == name) {
            true => "Not all of it holds",
            false => "Nothing wrong with it",
        }
    };
    opinion.scores.iter().map(reason).collect()
}

/// What a self-reviewer flags: a part, and what is wrong with it.
#[expect(
    clippy::needless_pass_by_value,
    reason = "the frozen world hands it over"
)]
pub(super) fn review(ask: &Ask, flagged: Option<(String, String)>) -> String {
    let issues: Vec<Value> = flagged
        .iter()
        .map(|(location, description)| {
            json!({
                "type": "ALIGNMENT",
                "severity": "COMPLEX",
                "location": location,
                "description": description,
            })
        })
        .collect();
    json!({
        "text_id": ask.content.to_string(),
        "issues": issues,
        "edits": [],
        "reasoning": "The text is whole and in its language.",
        "status": if flagged.is_some() { "FLAG_TO_JUDGE" } else { "PASS" },
    })
    .to_string()
}

/// What a delta judge is asked.
pub(super) enum DeltaQuestion {
    /// Which of two versions is better.
    Compare,
    /// Whether the next part still fits.
    Fits,
    /// Whether each of these was solved.
    Solved(Vec<String>),
}

pub(super) fn delta_question(ask: &Ask) -> DeltaQuestion {
    let schema = ask.schema.as_ref().map(|schema| schema.value());
    if schema.is_some_and(|schema| schema.pointer("/properties/better").is_some()) {
        return DeltaQuestion::Compare;
    }
    let ids = schema
        .and_then(|schema| schema.pointer("/properties/answers/items/properties/id/enum"))
        .and_then(Value::as_array);
    match ids {
        Some(ids) => {
            let ids = ids.iter().filter_map(Value::as_str);
            DeltaQuestion::Solved(ids.map(str::to_owned).collect())
        }
        None => DeltaQuestion::Fits,
    }
}

pub(super) fn fits(yes: bool) -> String {
    json!({
        "reason": "It takes up what the part before it says.",
        "quote": "",
        "fits": if yes { "yes" } else { "no" },
    })
    .to_string()
}

pub(super) fn answers(answers: &[(String, bool)]) -> String {
    let answer = |(id, yes): &(String, bool)| {
        let reason = match yes {
            true => "The new text says it as it should be said.",
            false => "The new text still has what was to be mended.",
        };
        json!({"id": id, "reason": reason, "answer": if *yes { "yes" } else { "no" }})
    };
    json!({ "answers": answers.iter().map(answer).collect::<Vec<Value>>() }).to_string()
}

/// `better` is `first`, `second` or `same`.
pub(super) fn comparison(better: &str) -> String {
    json!({"reason": "It says what was to be said.", "better": better}).to_string()
}

/// A change of a passage.
pub(super) struct Change {
    pub(super) passage: usize,
    pub(super) old: String,
    pub(super) new: String,
    /// The issues that it serves.
    pub(super) serves: Vec<String>,
}

pub(super) fn edits(passages: &[Passage<'_>], changes: &[Change]) -> String {
    let many = passages.len() > 1;
    changes
        .iter()
        .map(|change| {
            let field = match many {
                true => format!("field: {}\n", passages[change.passage].name),
                false => String::new(),
            };
            let issues = match change.serves.as_slice() {
                [] => String::new(),
                issues => format!("issues: {}\n", issues.join(", ")),
            };
            format!("{issues}{field}{}", block(&change.old, &change.new))
        })
        .collect()
}

/// An edit of a sentence that is not in the part.
pub(super) fn edit_outside(sentence: &str) -> String {
    block(sentence, "This stood outside.")
}

fn block(old: &str, new: &str) -> String {
    format!("<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n")
}

/// A patcher that finds nothing of what is named, and says so of each issue.
pub(super) fn nothing_found(named: &str) -> String {
    let reasons = issues_named(named).map(|(id, _)| format!("\n{id}: I see nothing of it."));
    format!("NO CHANGE NEEDED{}", reasons.collect::<String>())
}

/// A patcher that does not care.
pub(super) const SHRUG: &str = "NO CHANGE NEEDED: it is good as it is.";

/// A patcher that talks instead.
pub(super) const TALK: &str = "I have mended the sentences that were named.";

/// Those who have nothing to add.
pub(super) const CONTENT: &str = "NO CHANGE NEEDED: all of it reads well.";

/// The ids of the issues that are named.
pub(super) fn issues_named(named: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = named.lines().filter(|line| line.starts_with("issue_"));
    lines.map(|line| {
        let is_id = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = line.find(|c| !is_id(c)).unwrap_or(line.len());
        line.split_at(end)
    })
}

/// Several passages as one answer.
pub(super) fn together(passages: &[Passage<'_>], texts: &[String]) -> String {
    if let [text] = texts {
        return without_heading(text).to_owned();
    }
    passages
        .iter()
        .zip(texts)
        .map(|(passage, text)| format!("field: {}\n{text}\n\n", passage.name))
        .collect()
}

/// A text without the heading that stays in its place anyway.
fn without_heading(text: &str) -> &str {
    let text = text.trim();
    match text.starts_with('#') {
        true => text.split_once('\n').map_or("", |(_, rest)| rest.trim()),
        false => text,
    }
}

/// Whether a whole part is asked for again, not edits of it.
pub(super) fn wants_whole(ask: &Ask) -> bool {
    ask.role == Role::Patcher && ask.id.0.contains("/rewrite/")
}

/// The plan of a lesson: its parts as they are.
pub(super) fn plan(order: usize) -> String {
    let subject = lessons::subject(order);
    let part = |term: &str, words: usize| {
        json!({
            "purpose": format!("The learner can say what the {term} does."),
            "key_points": [
                format!("What the {term} is."),
                format!("What the {term} does, shown by a case that the learner knows."),
                "A small task with its answer.".to_owned(),
            ],
            "words": words,
        })
    };
    let mut parts = lessons::parts(subject).into_iter();
    let introduction = parts.next().map(|one| part(one.term, 60));
    let mut sections: Vec<Value> = parts
        .map(|one| {
            let mut section = part(one.term, 200);
            section["title"] = json!(one.title);
            section
        })
        .collect();
    let mut conclusion = sections.pop().unwrap_or_default();
    conclusion["words"] = json!(60);
    json!({
        "title": subject.title,
        "introduction": introduction,
        "sections": sections,
        "conclusion": conclusion,
    })
    .to_string()
}
