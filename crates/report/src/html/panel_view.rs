//! What the judges said: each criterion with every judge's score as a bar and their
//! reasons, how far they agree, conflicts, and what was set aside.

use redraft_run::agreement::AgreementLevel;
use serde::Serialize;

use super::chart::{self, Thresholds};
use super::data::{CriterionData, IssueData, RunData, SetAsideData, VerdictData};
use super::groups;
use super::templates::{self, HtmlError};
use super::text_view::issue_level;
use crate::panel;
use crate::planning_sentences;

#[derive(Serialize)]
struct PanelView {
    overall: String,
    overall_html: String,
    accept: Option<String>,
    confidence: String,
    agreement: String,
    alpha: Option<String>,
    /// Why there is no alpha.
    no_alpha: Option<String>,
    /// Why a third judge was asked.
    third: Option<String>,
    criteria: Vec<CriterionView>,
    judges: Vec<JudgeView>,
    absent: Vec<AbsentView>,
    conflicts: Vec<ConflictView>,
    set_aside: Vec<IssueView>,
}

#[derive(Serialize)]
struct CriterionView {
    label: String,
    score: String,
    before: Option<String>,
    is_better: bool,
    threshold: Option<String>,
    is_below: bool,
    capped_from: Option<String>,
    bars: Vec<BarView>,
    issues: Vec<IssueView>,
}

#[derive(Serialize)]
struct BarView {
    model: String,
    score: String,
    bar_html: String,
    reason: Option<String>,
}

#[derive(Serialize)]
struct IssueView {
    level: &'static str,
    severity: String,
    place: String,
    message: String,
    by: String,
}

#[derive(Serialize)]
struct JudgeView {
    model: String,
    confidence: String,
    strengths: Vec<String>,
}

#[derive(Serialize)]
struct AbsentView {
    role: String,
    message: String,
}

#[derive(Serialize)]
struct ConflictView {
    place: String,
    about: &'static str,
    resolution: String,
    constraint: String,
}

/// The fragment; `None` if nobody judged.
///
/// # Errors
/// When a template fails, which is an internal error.
pub fn panel(run: &RunData, thresholds: Thresholds) -> Result<Option<String>, HtmlError> {
    let Some(score) = &run.score else {
        return Ok(None);
    };
    let view = PanelView {
        overall: format!("{:.3}", score.overall),
        overall_html: chart::count_bar(score.overall, thresholds.accept, 1.0),
        accept: thresholds.accept.map(|accept| format!("{accept:.2}")),
        confidence: score.confidence.clone(),
        agreement: agreement(run),
        alpha: run
            .agreement
            .as_ref()
            .and_then(|agreement| agreement.alpha)
            .map(|alpha| format!("{alpha:.2}")),
        no_alpha: run
            .agreement
            .as_ref()
            .filter(|_| run.verdicts.len() > 1)
            .and_then(|agreement| agreement.undefined_because.clone()),
        third: third(run),
        criteria: score
            .criteria
            .iter()
            .map(|criterion| criterion_view(run, criterion))
            .collect(),
        judges: run.verdicts.iter().map(judge_view).collect(),
        absent: run
            .unscored_seats
            .iter()
            .map(|(role, unscored)| AbsentView {
                role: groups::humanised(role),
                message: unscored.message.clone(),
            })
            .collect(),
        conflicts: run
            .conflicts
            .iter()
            .map(|conflict| ConflictView {
                place: conflict.section_id.clone(),
                about: conflict
                    .about
                    .map(planning_sentences::opposition)
                    .unwrap_or_default(),
                resolution: conflict
                    .because
                    .as_ref()
                    .map(|because| {
                        let (winner, loser) =
                            (&conflict.winner_criterion, &conflict.loser_criterion);
                        let words = planning_sentences::settled(winner, loser, because);
                        in_words(&words, &score.criteria)
                    })
                    .unwrap_or_default(),
                constraint: in_words(&conflict.constraint, &score.criteria),
            })
            .collect(),
        set_aside: run
            .set_aside
            .iter()
            .map(|aside| issue_view(&aside.issue, set_aside(run, aside)))
            .collect(),
    };
    templates::fill("panel.html", &view).map(Some)
}

fn set_aside(run: &RunData, aside: &SetAsideData) -> String {
    let alpha = run.agreement.as_ref().and_then(|agreement| agreement.alpha);
    let because = aside.because.as_ref();
    because
        .map(|because| planning_sentences::set_aside(because, alpha))
        .unwrap_or_default()
}

fn agreement(run: &RunData) -> String {
    let level = run
        .agreement
        .as_ref()
        .map(|agreement| match agreement.level.as_str() {
            "high" => AgreementLevel::High,
            "moderate" => AgreementLevel::Moderate,
            "low" => AgreementLevel::Low,
            _ => AgreementLevel::NotApplicable,
        });
    let spread = run
        .agreement
        .as_ref()
        .map_or(0, |agreement| agreement.widest_spread);
    panel::agreement_words(level.unwrap_or(AgreementLevel::NotApplicable), spread)
}

/// Why a third judge was asked, by the rules of the cascade (rulings 22, 23).
fn third(run: &RunData) -> Option<String> {
    const TIEBREAKER: &str = "judge_tiebreaker";
    let (third, others): (Vec<&VerdictData>, Vec<&VerdictData>) = run
        .verdicts
        .iter()
        .partition(|verdict| verdict.judge.role == TIEBREAKER);
    let model = &third.first()?.judge.model;
    let unsure = others.iter().find(|verdict| verdict.confidence == "low");
    let why = match (others.len(), unsure) {
        (0 | 1, _) => "another judge gave no verdict".to_owned(),
        (_, Some(verdict)) => format!("{} was not sure", verdict.judge.model),
        (_, None) => "the first two were too far apart".to_owned(),
    };
    Some(format!("{model} was asked as third judge because {why}"))
}

fn criterion_view(run: &RunData, criterion: &CriterionData) -> CriterionView {
    let first = run.iterations.first().filter(|_| run.iterations.len() > 1);
    let before = first
        .and_then(|first| first.criteria.get(&criterion.name))
        .copied()
        .filter(|before| (before - criterion.score).abs() > f64::EPSILON);
    let bars = run.verdicts.iter().filter_map(|verdict| {
        let awarded = verdict
            .awarded
            .iter()
            .find(|awarded| awarded.criterion == criterion.name)?;
        Some(BarView {
            model: verdict.judge.model.clone(),
            score: format!("{:.2}", awarded.score),
            bar_html: chart::bar(awarded.score, criterion.threshold),
            reason: awarded
                .reason
                .clone()
                .filter(|reason| !reason.trim().is_empty()),
        })
    });
    let said = run.verdicts.iter().flat_map(|verdict| {
        let of_criterion = verdict
            .issues
            .iter()
            .filter(|issue| issue.criterion == criterion.name);
        of_criterion.map(|issue| issue_view(issue, verdict.judge.model.clone()))
    });
    CriterionView {
        label: groups::titled(&criterion.name),
        score: format!("{:.2}", criterion.score),
        before: before.map(|before| format!("{before:.2}")),
        is_better: before.is_some_and(|before| before < criterion.score),
        threshold: criterion
            .threshold
            .map(|threshold| format!("{threshold:.2}")),
        is_below: criterion
            .threshold
            .is_some_and(|threshold| criterion.score < threshold),
        capped_from: criterion
            .capped_at
            .map(|_| format!("{:.2}", criterion.awarded)),
        bars: bars.collect(),
        issues: said.collect(),
    }
}

fn issue_view(issue: &IssueData, by: String) -> IssueView {
    IssueView {
        level: issue_level(&issue.severity),
        severity: issue.severity.clone(),
        place: issue.location.clone(),
        message: issue.description.clone(),
        by,
    }
}

fn judge_view(verdict: &VerdictData) -> JudgeView {
    JudgeView {
        model: verdict.judge.model.clone(),
        confidence: verdict.confidence.clone(),
        strengths: verdict.strengths.clone(),
    }
}
/// A sentence with the names of criteria as people write them.
fn in_words(sentence: &str, criteria: &[CriterionData]) -> String {
    let mut words = sentence.to_owned();
    for criterion in criteria {
        words = words.replace(&criterion.name, &criterion.name.replace('_', " "));
    }
    words
}
