//! What becomes of a text: the policy's figures against the assessment.
//!
//! | scored | meets the accept rule | then |
//! |---|---|---|
//! | no | – | handed over, or best effort below standard (ruling 23) |
//! | yes, but a judge could not read all of it | – | not accepted: nobody knows about the rest |
//! | yes, but an error is open | – | not accepted |
//! | yes, with low confidence | – | not accepted: a person looks at it (ruling 3) |
//! | yes | yes | accepted |
//! | yes | yes, but it was repaired and the panel has not confirmed it (ruling 31, 36) | not accepted |
//! | yes | no, but good enough, after a repair or with nothing left to repair (ruling 35) | as the policy says: accepted, or accepted with a warning |
//! | yes | no | handed over, or best effort |

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::assess::Assessment;
use crate::finding::{Finding, Severity};
use crate::route::{RouteFigures, Targets};
use crate::rubric::Score;
use crate::verdict::{Confidence, Issue, IssueSeverity, Unscored};

/// The figures of a decision. Data of a profile; the user's file may change it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Policy {
    /// The overall score from which on a text is accepted.
    pub accept: Score,
    /// Whether every criterion must reach the rubric's threshold for it.
    #[serde(default)]
    pub every_criterion: bool,
    /// What is good enough where nothing can be repaired.
    #[serde(default)]
    pub good_enough: Option<GoodEnough>,
    /// What happens to a text that is not accepted.
    pub at_the_end: AtTheEnd,
    /// Whether a text with an open error goes to a judge at all (ruling 19).
    #[serde(default)]
    pub judge_invalid: bool,
    /// What may be spent on judging, in tokens, at least.
    pub judging_tokens: u64,
    /// … and for each token of the document (ruling 38).
    pub judging_factor: u64,
    /// … and of the prompt around it.
    pub judging_overhead: u64,
    /// What may be spent on writing, in tokens. Journals from before writing was
    /// possible have none.
    #[serde(default)]
    pub writing_tokens: u64,
    /// Seconds that a run may take, waiting for a person not counted.
    pub seconds: u64,
    /// How often a seat is asked, with a complaint, for a reply in the right form.
    pub tries_for_form: u32,
    /// How often a seat is asked where calls fail.
    pub tries_for_failure: u32,
    /// Who has to judge.
    pub judging: Judging,
    /// Who has to confirm a repaired text before it is accepted.
    pub confirm: Confirm,
    /// How far from a threshold a single score must be to be clear (ruling 21).
    pub clear_by: Score,
    /// How far apart two judges may be and still agree (ruling 22).
    pub agree_within: Score,
    /// Below this overall score a text is written anew (ruling 28).
    pub redo_below: Score,
    /// How texts are repaired.
    pub repair: RepairPolicy,
}

/// Who has to judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judging {
    /// The cheap judge alone where that is clear, else the panel.
    Cascade,
    /// One judge.
    Single,
    /// Two judges, and a third where they disagree.
    Panel,
}

/// Who has to confirm a repaired text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confirm {
    /// The panel (ruling 31).
    Panel,
    /// Whoever judged it.
    Nobody,
}

/// How texts are repaired. Data of a profile; the user's file may change it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RepairPolicy {
    /// The most rounds of repair.
    pub iterations: u32,
    /// How often one part may be edited (ruling 34).
    pub edits_a_part: u32,
    /// How often the whole may be written anew (ruling 18).
    pub whole_regenerations: u32,
    /// What may be spent on repair and verification, in tokens, at least.
    pub tokens: u64,
    /// … and for a hundred tokens of the document (ruling 38).
    pub tokens_a_hundred: u64,
    /// Which parts are repaired.
    pub targets: Targets,
    /// How the delta judge is asked (ruling 32).
    pub delta: Delta,
    /// How much a locked criterion may fall (ruling 33).
    pub tolerance: Score,
    /// An improvement below this is none (ruling 37); 0 for attempts that end only
    /// where nothing changes any more.
    pub converged_below: Score,
    /// The criterion whose failure means that the whole is to be written anew,
    /// where there is one (ruling 28).
    #[serde(default)]
    pub structure: Option<String>,
    /// The share of body sections with a critical issue beyond which the whole is
    /// written anew, in hundredths (ruling 28).
    pub critical_share: u32,
}

/// How the delta judge is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Delta {
    /// Yes or no for every issue.
    YesNo,
    /// Which text is better, in both orders of presentation.
    BothOrders,
}

/// Whether people are at hand (ruling 40). Scottish cards and clinical items know
/// no modes: a person always has the last word on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// What is not accepted goes to a person.
    SemiAuto,
    /// Something always comes out.
    #[default]
    FullAuto,
}

impl Mode {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SemiAuto => "semi-auto",
            Self::FullAuto => "full-auto",
        }
    }
}

/// What is good enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GoodEnough {
    /// From this score on, without a critical issue.
    pub from: Score,
    /// Whether it is accepted only with a warning.
    pub warns: bool,
}

/// What happens to a text that is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AtTheEnd {
    /// A person decides.
    HandOver,
    /// The best there is goes out, marked as such.
    BestEffort,
}

impl Policy {
    /// What may be spent on judging a document, in tokens (ruling 38).
    #[must_use]
    pub fn judging_limit(&self, document_tokens: u64) -> u64 {
        document_tokens
            .saturating_add(self.judging_overhead)
            .saturating_mul(self.judging_factor)
            .max(self.judging_tokens)
    }

    /// The figures that a plan depends on (ruling 28).
    #[must_use]
    pub fn route_figures(&self) -> RouteFigures {
        let is_never = |score: &Score| score.thousandths() == 0;
        RouteFigures {
            structure_criterion: self.repair.structure.clone(),
            structure_least: self.redo_below,
            critical_share: u8::try_from(self.repair.critical_share)
                .ok()
                .filter(|share| *share < 100),
            overall_least: Some(self.redo_below).filter(|score| !is_never(score)),
            ..RouteFigures::part_by_part(self.repair.targets)
        }
    }

    /// What may be spent on repairing it, in tokens (ruling 38).
    #[must_use]
    pub fn repair_limit(&self, document_tokens: u64) -> u64 {
        (document_tokens.saturating_mul(self.repair.tokens_a_hundred) / 100).max(self.repair.tokens)
    }
}

/// How good a text is, in both modes (ruling 39).
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum QualityStatus {
    /// .85 or more.
    Good,
    /// .75 or more.
    Acceptable,
    /// Less, or nobody knows.
    BelowStandard,
}

impl QualityStatus {
    /// The status of a score.
    #[must_use]
    pub fn of(score: Score) -> Self {
        match score.thousandths() {
            850.. => Self::Good,
            750.. => Self::Acceptable,
            _ => Self::BelowStandard,
        }
    }
}

/// What was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// It may be published.
    Accept,
    /// It may be published; the report says what is still wanting.
    AcceptWithWarning,
    /// A person has to look at it, because of this.
    HandOver(String),
    /// It goes out as the best there is, because of this.
    BestEffort(String),
}

/// Everything a decision rests on.
#[derive(Clone, Copy, Debug)]
pub struct Grounds<'a> {
    /// The policy.
    pub policy: &'a Policy,
    /// What the free checks found.
    pub findings: &'a [Finding],
    /// What the judges said wants mending.
    pub issues: &'a [Issue],
    /// The score, or why there is none.
    pub scored: Result<&'a Assessment, &'a Unscored>,
    /// Whether what is good enough may be accepted: after a repair, or with
    /// nothing left to repair (ruling 35).
    pub may_be_good_enough: bool,
    /// Why the panel that this text needs has not confirmed it, if that is so.
    pub unconfirmed: Option<&'a str>,
}

/// Decides.
#[must_use]
pub fn decide(grounds: &Grounds<'_>) -> Ruling {
    accepted(grounds).unwrap_or_else(|why| match grounds.policy.at_the_end {
        AtTheEnd::HandOver => Ruling::HandOver(why),
        AtTheEnd::BestEffort => Ruling::BestEffort(why),
    })
}

/// Whether a text is accepted: with or without a warning.
///
/// # Errors
/// Why it is not.
pub fn accepted(grounds: &Grounds<'_>) -> Result<Ruling, String> {
    let assessment = grounds
        .scored
        .map_err(|unscored| format!("nobody has scored it: {}", unscored.message))?;
    if let Some(unread) = assessment.unread() {
        return Err(format!(
            "the judge could read only {unread}: name a model with a longer context, or judge the text in pieces"
        ));
    }
    by_score(grounds, assessment)
}

/// Why repairing would not help, though the text is not accepted: what was read
/// suffices, and no repair makes a judge read more or be surer.
#[must_use]
pub fn beyond_repair(grounds: &Grounds<'_>) -> Option<&'static str> {
    let assessment = grounds.scored.ok()?;
    if open_error(grounds).is_some() || by_figures(grounds, assessment).is_err() {
        return None;
    }
    if assessment.unread().is_some() {
        Some("what was read needs no more repair")
    } else if assessment.confidence() == Confidence::Low {
        Some("the scores suffice, and no repair makes the judge surer of them")
    } else {
        None
    }
}

/// Whether what was read is accepted.
fn by_score(grounds: &Grounds<'_>, assessment: &Assessment) -> Result<Ruling, String> {
    if let Some(error) = open_error(grounds) {
        return Err(format!(
            "an error is open: {} ({})",
            error.message, error.check.name
        ));
    }
    if assessment.confidence() == Confidence::Low {
        return Err("the judge is not sure of the score".to_owned());
    }
    by_figures(grounds, assessment)
}

fn open_error<'a>(grounds: &Grounds<'a>) -> Option<&'a Finding> {
    grounds
        .findings
        .iter()
        .find(|finding| finding.severity == Severity::Error)
}

/// Whether the scores suffice, and enough judges stand behind them.
fn by_figures(grounds: &Grounds<'_>, assessment: &Assessment) -> Result<Ruling, String> {
    let ruling = match shortfall(grounds, assessment) {
        None => Ruling::Accept,
        Some(why) => match grounds.policy.good_enough {
            Some(enough)
                if grounds.may_be_good_enough
                    && assessment.overall() >= enough.from
                    && !has_critical(grounds) =>
            {
                if enough.warns {
                    Ruling::AcceptWithWarning
                } else {
                    Ruling::Accept
                }
            }
            _ => return Err(why),
        },
    };
    match grounds.unconfirmed {
        Some(why) => Err(format!("the panel has not confirmed it: {why}")),
        None => Ok(ruling),
    }
}

/// What keeps a scored text from being accepted.
fn shortfall(grounds: &Grounds<'_>, assessment: &Assessment) -> Option<String> {
    let policy = grounds.policy;
    if policy.every_criterion
        && let Some(weak) = assessment
            .criteria()
            .iter()
            .find(|criterion| !criterion.suffices())
    {
        return Some(format!("{} scores only {}", weak.name(), weak.score()));
    }
    if assessment.overall() < policy.accept {
        return Some(format!(
            "the overall score is {}, {} is needed",
            assessment.overall(),
            policy.accept
        ));
    }
    has_critical(grounds).then(|| "a critical issue is open".to_owned())
}

fn has_critical(grounds: &Grounds<'_>) -> bool {
    grounds.findings.iter().any(|finding| finding.critical)
        || grounds
            .issues
            .iter()
            .any(|issue| issue.severity == IssueSeverity::Critical)
}
