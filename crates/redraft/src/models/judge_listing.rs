//! Judge tests in the output of `redraft models`: what they may cost, and what came of
//! them.

use std::fmt::Write as _;

use redraft_run::judge_test::JudgeTest;
use serde::Serialize;

use super::judge_questions::JudgeQuestions;
use super::judge_test::{Candidate, RankedPair, TestedJudge};
use super::listing::{dollars, table};

/// What is known of a judge from its test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JudgeTestReport {
    pub model: String,
    pub profile: &'static str,
    #[serde(flatten)]
    pub test: JudgeTest,
    /// The pairs that a judge must rank correctly.
    pub needed: u32,
    pub passed: bool,
}

impl JudgeTestReport {
    fn result(&self) -> &'static str {
        match (self.test.stale, self.passed) {
            (true, _) => "stale: prompts, rubric or pairs changed; test again",
            (false, true) => "tells good from bad",
            (false, false) => "cannot tell them apart; not trusted as the only judge",
        }
    }
}

/// What testing these judges may cost at most.
#[must_use]
pub fn costs(questions: &JudgeQuestions, candidates: &[Candidate]) -> String {
    let mut text = format!(
        "testing whether judges can tell good texts from bad ones ({}, {} texts)\n",
        questions.profile(),
        questions.calls()
    );
    let header = ["model", "calls", "tokens in", "tokens out", "cost"];
    let mut rows = vec![header.map(str::to_owned)];
    for Candidate { model, .. } in candidates {
        let worst = questions.worst(model);
        rows.push([
            model.name(),
            questions.calls().to_string(),
            format!("at most {}", worst.input),
            format!("at most {}", worst.output),
            if model.price_in == 0 && model.price_out == 0 {
                "free, or no price".to_owned()
            } else {
                format!("at most ${}", dollars(worst.cost(model)))
            },
        ]);
    }
    table(&mut text, &rows);
    text
}

/// What a judge gave the texts of a pair. Without a verdict on the good one it is not asked
/// about the other.
#[must_use]
pub fn pair_scores(pair: &RankedPair) -> String {
    match (pair.good, pair.bad) {
        (None, _) => "no verdict on the good text".to_owned(),
        (Some(good), None) => format!("good {good}, bad no verdict"),
        (Some(good), Some(bad)) => format!("good {good}, bad {bad}"),
    }
}

fn pairs(number: usize) -> String {
    match number {
        1 => "1 pair".to_owned(),
        number => format!("{number} pairs"),
    }
}

/// What was found out about judges.
#[must_use]
pub fn human(reports: &[JudgeTestReport], tested: Option<&[TestedJudge]>) -> String {
    let mut text = String::new();
    if !reports.is_empty() {
        let mut rows = vec![["judge", "profile", "pairs right", "result"].map(str::to_owned)];
        rows.extend(reports.iter().map(|report| {
            [
                report.model.clone(),
                report.profile.to_owned(),
                format!("{} of {}", report.test.right, report.test.pairs),
                report.result().to_owned(),
            ]
        }));
        table(&mut text, &rows);
    }
    for judge in tested.unwrap_or_default() {
        match &judge.result {
            Err(error) => {
                let _ = writeln!(text, "{}: not tested: {error}", judge.model);
                if !judge.pairs.is_empty() {
                    let _ = writeln!(
                        text,
                        "{}: {} ranked so far; run `redraft models --test` again to continue",
                        judge.model,
                        pairs(judge.pairs.len()),
                    );
                }
            }
            Ok(_) => {
                if judge.unasked > 0 {
                    let _ = writeln!(
                        text,
                        "{}: stopped with {} unasked: it can no longer pass",
                        judge.model,
                        pairs(judge.unasked),
                    );
                }
                let wrong = judge.pairs.iter().filter(|pair| !pair.right);
                for pair in wrong {
                    let scores = pair_scores(pair);
                    let _ = writeln!(text, "{}: {}: {scores}", judge.model, pair.id);
                }
            }
        }
    }
    text
}
