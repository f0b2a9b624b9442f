//! Fixtures for tests of judging: a small lesson, a rubric, and verdicts, which can only be made by
//! reading replies.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::ask::{ModelSettings, Reply, Role};
use crate::rubric::{Anchor, Criterion, FixAction, Repair, Rubric};
use crate::verdict::{self, Judge, Question, Verdict};
use redraft_gate::content::{
    Component, ComponentKind, Document, DocumentBuilder, NewText, TextRole,
};
use redraft_gate::score::{Precision, Score};
use redraft_gate::source::Source;
use redraft_gate::span::ComponentId;
use redraft_text::text_map::TextMap;

pub(crate) const LESSON: &str = "# Water\n\n\
## Heat\n\nWater boils at ninety degrees. The *plate* gets hot, and the water takes the heat up.\n\n\
## Steam\n\nSteam is water in the form of a gas. Bubbles rise in the kettle when it boils.\n\n\
## Ice\n\nIce is cold.\n";

/// A lesson with a section for each heading of the second level.
pub(crate) fn document(text: &str) -> Document {
    let mut builder = DocumentBuilder::new(Source::new(text.as_bytes().to_vec()), "markdown");
    let starts: Vec<usize> = text.match_indices("\n## ").map(|(at, _)| at + 1).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    for (index, (start, end)) in starts.iter().zip(ends).enumerate() {
        let title = text[start + 3..].lines().next().map(str::to_owned);
        builder.component(Component {
            id: ComponentId(format!("sec_{}", index + 1)),
            kind: ComponentKind::Section,
            title,
            range: *start..end,
            parent: Some(DocumentBuilder::WHOLE),
        });
    }
    let shared: Arc<str> = Arc::from(text);
    builder.text(NewText {
        component: DocumentBuilder::WHOLE,
        path: Arc::from(""),
        role: TextRole::Body,
        map: TextMap::identity(0, shared.len()),
        text: shared.into(),
        markdown: None,
    });
    builder.finish(None)
}

/// Three criteria in the order of the hierarchy: truth, clarity, completeness.
pub(crate) fn rubric() -> Rubric {
    let criterion = |name: &str, factual, major| Criterion {
        name: name.to_owned(),
        weight: 1,
        threshold: None,
        description: String::new(),
        not_about: String::new(),
        anchors: vec![Anchor {
            at: Score::ONE,
            means: String::new(),
        }],
        evidence: String::new(),
        factual,
        repair: Repair {
            critical: FixAction::RegenerateSection,
            major,
            major_addition: (name == "completeness").then_some(FixAction::SurgicalEdit),
            quoted: None,
            minor: FixAction::SurgicalEdit,
            target: None,
        },
    };
    Rubric {
        name: "test".to_owned(),
        criteria: vec![
            criterion("completeness", false, FixAction::RegenerateSection),
            criterion("truth", true, FixAction::RegenerateSection),
            criterion("clarity", false, FixAction::SurgicalEdit),
        ],
        hierarchy: ["truth", "clarity", "completeness"]
            .map(str::to_owned)
            .to_vec(),
        precision: Precision::Thousandths,
        reasons: false,
        terse: false,
    }
}

/// A judge's issue: criterion, severity, location, quote, description, fix.
pub(crate) fn issue(parts: [&str; 6]) -> Value {
    let [criterion, severity, location, quote, description, fix] = parts;
    json!({
        "criterion": criterion,
        "severity": severity,
        "location": location,
        "quote": quote,
        "description": description,
        "suggested_fix": fix,
    })
}

/// Credible scores with this mean, and the issues that explain low ones. Equal scores would be
/// doubted.
pub(crate) fn credible(mean: u16) -> ([u16; 3], Vec<Value>) {
    let apart = 20.min(1_000 - mean);
    let about = |criterion| issue([criterion, "minor", "", "", "It could be better.", ""]);
    let issues = ["completeness", "truth", "clarity"].map(about);
    ([mean + apart, mean, mean - apart], issues.to_vec())
}

/// The verdict of the judge `name`.
pub(crate) fn verdict(
    document: &Document,
    rubric: &Rubric,
    model: &str,
    scores: &[u16],
    confidence: &str,
    issues: &[Value],
) -> Verdict {
    let scores: serde_json::Map<String, Value> = rubric
        .criteria
        .iter()
        .zip(scores)
        .map(|(criterion, score)| (criterion.name.clone(), json!(f64::from(*score) / 1000.0)))
        .collect();
    let text = json!({
        "text_id": document.source().version().to_string(),
        "issues": issues,
        "strengths": [],
        "scores": scores,
        "overall": 0.5,
        "confidence": confidence,
    });
    let settings = ModelSettings::scripted(model, 100);
    let reply = Reply::of(text.to_string());
    let question = Question {
        document,
        rubric,
        judge: &Judge::new(Role::JudgePrimary, &settings),
        has_sources: true,
    };
    verdict::read(&question, &reply).expect("a verdict")
}
