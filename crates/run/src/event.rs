//! The events of a run, as one ordered, numbered stream. Terminal, journal, service and web page
//! all read the same stream.
//!
//! If several replies are awaited, their events come in the order of the questions, never in the
//! order of arrival.

use schemars::JsonSchema;
use serde::Serialize;

use crate::agreement::AgreementLevel;
use crate::ask::{AskId, Role, Time, Tokens};
use crate::decide::QualityStatus;
use crate::fit::Input;
use crate::outcome::{EditDone, Status, TaskRef};
use crate::reasons::{Because, LockReason, Refusal, RollbackReason, SkipReason, StopReason};
use crate::rubric::FixAction;
use crate::solve::Solving;
use crate::verdict::{Confidence, Doubt, Unscored};
use redraft_gate::review;
use redraft_gate::score::Score;
use redraft_gate::span::{ComponentId, Version};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Event {
    /// Its number in the run, from 1.
    pub seq: u64,
    /// When.
    pub at: Time,
    /// Milliseconds since the run began.
    pub elapsed: u64,
    /// What.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventKind {
    /// A run begins.
    RunStarted {
        /// The run.
        run: String,
        /// The kind of content.
        profile: &'static str,
        /// The version of the text.
        content: Version,
        /// Whether scripts answer instead of models.
        scripted: bool,
    },
    /// A stage begins.
    NodeEnter {
        /// Which.
        node: &'static str,
    },
    /// A stage is done.
    NodeComplete {
        /// Which.
        node: &'static str,
    },
    /// The free checks are done.
    CheckComplete {
        /// How many errors are open.
        errors: usize,
        /// How many warnings.
        warnings: usize,
        /// How many remarks.
        infos: usize,
    },
    /// The self-review is done.
    SelfReview {
        /// By whom: `program`, or the model.
        by: String,
        /// What it came to.
        status: review::Status,
        /// What the model said, where that is only one opinion and not followed.
        #[serde(skip_serializing_if = "Option::is_none")]
        said: Option<review::Status>,
        /// Why.
        reasoning: String,
    },
    /// A text was changed by the free stages: noise was scrubbed.
    Scrubbed {
        /// The version of the text from here on.
        content: Version,
        /// What was done, one line each.
        what: Vec<String>,
    },
    /// Something was not available, and the run continues without
    /// it.
    Skipped {
        /// What.
        what: &'static str,
        /// Why.
        reason: SkipReason,
    },
    /// A judge has answered, or will not.
    Verdict {
        /// The ask that was answered last.
        ask: Option<AskId>,
        /// The seat.
        role: Role,
        /// The model on it.
        model: String,
        /// Its verdict, or why there is none.
        #[serde(flatten)]
        result: VerdictResult,
        /// What the seat has used, all tries together.
        tokens: Tokens,
        /// Whether another run on the same text had asked for it, and paid.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        reused: bool,
    },
    /// The same model is asked again.
    AskedAgain {
        /// The ask that failed.
        ask: AskId,
        /// The role.
        role: Role,
        /// The model.
        model: String,
        /// What was wrong with its reply, or why there was none.
        problem: Unscored,
    },
    /// Another model is asked instead.
    FellBack {
        /// The ask that failed.
        ask: AskId,
        /// The role.
        role: Role,
        /// The model that failed.
        from: String,
        /// The fallback model.
        to: String,
        /// Why the first one failed.
        reason: Unscored,
    },
    /// A model is shown less than there is, because not everything fits.
    InputCut {
        /// The ask.
        ask: AskId,
        /// The seat.
        role: Role,
        /// The model on it.
        model: String,
        /// What was cut.
        of: Input,
        /// The parts that were left out, in their order.
        parts: Vec<String>,
        /// How many parts there are in all.
        all: usize,
        /// How many tokens were left out, by our estimate.
        tokens: u64,
    },
    /// An item was solved without its key.
    Solved {
        /// What was answered, and what it comes to.
        #[serde(flatten)]
        solving: Solving,
        /// What it used, all tries together.
        tokens: Tokens,
    },
    /// What the judges said was weighed and put together.
    ArbiterConsolidation {
        /// How far they agree.
        agreement: AgreementLevel,
        /// Krippendorff's alpha, where it is defined.
        alpha: Option<f64>,
        /// How many issues stand.
        issues: usize,
        /// How many were set aside.
        set_aside: usize,
        /// How many conflicts were settled.
        conflicts: usize,
    },
    /// The arbiter has put the merged instructions of components into words.
    InstructionsPhrased {
        /// The model.
        by: String,
        /// The components.
        sections: Vec<ComponentId>,
        /// What it used, all tries together.
        tokens: Tokens,
    },
    /// A round of repair begins.
    RefinementStart {
        /// The round, from 1.
        iteration: u32,
        /// The parts that are to be repaired.
        target_sections: Vec<ComponentId>,
        /// Who decides when the text is not accepted.
        mode: &'static str,
        /// What it is expected to take, in tokens.
        estimated_tokens: u64,
    },
    /// A batch of tasks begins; they run in parallel.
    BatchStarted {
        /// The batch, from 1.
        batch: usize,
        /// Its parts.
        sections: Vec<ComponentId>,
    },
    /// A task begins.
    TaskStarted {
        /// The part.
        section: ComponentId,
        /// How it is repaired.
        task: FixAction,
        /// The batch.
        batch: usize,
        /// Whether it is tried again at once, because the delta judge has said no.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        retry: bool,
    },
    /// A part was edited.
    PatchApplied {
        /// The part.
        section: ComponentId,
        /// Its text now.
        content: String,
        /// What was done, in a line.
        diff_summary: String,
    },
    /// A component was rewritten.
    SectionRegenerated {
        /// The part.
        section: ComponentId,
        /// Its text now.
        content: String,
        /// What was done, in a line.
        diff_summary: String,
    },
    /// A repair was verified: it is kept, in part or as a whole, or rolled back.
    VerificationResult {
        /// The component.
        section: ComponentId,
        /// Whether all of it is kept.
        passed: bool,
        /// Why not, or why not all of it.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<RollbackReason>,
        /// Its edits: those that stay, and those that are rolled back.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        edits: Vec<EditDone>,
        /// What the task has used, repair and verification together.
        tokens: Tokens,
    },
    /// A repair, or some of its edits, was not kept, or a kept one is no longer part of
    /// the text.
    RolledBack {
        /// The task.
        task: TaskRef,
        /// Why.
        reason: RollbackReason,
        /// The edits that were rolled back; none where no edit was proposed.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        edits: Vec<EditDone>,
    },
    /// A criterion that was good has fallen.
    QualityLockTriggered {
        /// The criterion.
        criterion: String,
        /// What it was locked at.
        locked_at: Score,
        /// What it is now, by the same judge.
        score: Score,
        /// Whether a second judge sees it, too.
        confirmed: bool,
        /// The components whose repairs are rolled back.
        rolled_back: Vec<ComponentId>,
    },
    /// A component is no longer edited.
    SectionLocked {
        /// The component.
        section: ComponentId,
        /// Why.
        reason: LockReason,
    },
    /// The tasks of a batch are done.
    BatchComplete {
        /// The batch.
        batch: usize,
        /// How many repairs were kept.
        kept: usize,
        /// How many were not.
        rolled_back: usize,
    },
    /// A round of repair is over.
    IterationComplete {
        /// The round, from 1.
        iteration: u32,
        /// The score of the text, if a judge gave one.
        score: Option<Score>,
        /// The change against the best so far, in thousandths.
        score_delta: Option<i32>,
        /// The version of the text.
        content: Version,
        /// What the run has used so far.
        tokens: Tokens,
        /// What it has cost so far, in millionths of a dollar.
        cost_micros: u64,
    },
    /// More rounds would bring nothing.
    ConvergenceDetected {
        /// Why.
        reason: StopReason,
    },
    /// Repair ends.
    Stopped {
        /// Why.
        reason: StopReason,
    },
    /// A planned section was written.
    SectionWritten {
        /// The part.
        section: ComponentId,
        /// Its title.
        title: String,
        /// How many words it has.
        words: usize,
    },
    /// A whole text was written.
    TextWritten {
        /// Its version.
        content: Version,
        /// How many words it has.
        words: usize,
        /// How many joins between its parts were smoothed.
        smoothed: usize,
    },
    /// The best text there is goes out, though it is not accepted.
    BestEffortSelected {
        /// Why it is not accepted.
        reason: Because,
        /// How good it is.
        quality: QualityStatus,
    },
    /// A person has to decide.
    EscalationTriggered {
        /// Why.
        reason: Because,
    },
    /// A person has decided.
    HumanDecision {
        /// What.
        decision: &'static str,
        /// Who.
        by: Option<String>,
        /// About which component, where it is about one.
        #[serde(skip_serializing_if = "Option::is_none")]
        section: Option<ComponentId>,
        /// Why it was not followed, where it was not.
        #[serde(skip_serializing_if = "Option::is_none")]
        refused: Option<Refusal>,
    },
    /// A reply came too late to be used. It was paid for.
    LateReply {
        /// To which ask.
        ask: AskId,
    },
    /// Repair ended.
    RefinementComplete {
        /// The score of the final text, if a judge gave one.
        final_score: Option<Score>,
        /// What became of it.
        status: Status,
    },
    /// The run is done.
    RunComplete {
        /// What became of the text.
        status: Status,
        /// The score, if there is one.
        score: Option<Score>,
        /// What was used in all.
        tokens: Tokens,
        /// What it cost, in millionths of a dollar.
        cost_micros: u64,
    },
}

/// What came of asking a judge.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictResult {
    /// A verdict.
    Scored {
        /// The overall score that follows from it, before caps.
        score: Score,
        /// How sure the judge is.
        confidence: Confidence,
        /// Why the verdict is not credible, if it is not.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        doubts: Vec<Doubt>,
        /// How many issues it names.
        issues: usize,
    },
    /// None.
    Unscored(Unscored),
}

impl EventKind {
    /// The name in the stream.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::RunStarted { .. } => "run_started",
            Self::NodeEnter { .. } => "node_enter",
            Self::NodeComplete { .. } => "node_complete",
            Self::CheckComplete { .. } => "check_complete",
            Self::SelfReview { .. } => "self_review",
            Self::Scrubbed { .. } => "scrubbed",
            Self::Skipped { .. } => "skipped",
            Self::Verdict { .. } => "verdict",
            Self::AskedAgain { .. } => "asked_again",
            Self::FellBack { .. } => "fell_back",
            Self::InputCut { .. } => "input_cut",
            Self::Solved { .. } => "solved",
            Self::ArbiterConsolidation { .. } => "arbiter_consolidation",
            Self::InstructionsPhrased { .. } => "instructions_phrased",
            Self::RefinementStart { .. } => "refinement_start",
            Self::BatchStarted { .. } => "batch_started",
            Self::TaskStarted { .. } => "task_started",
            Self::PatchApplied { .. } => "patch_applied",
            Self::SectionRegenerated { .. } => "section_regenerated",
            Self::VerificationResult { .. } => "verification_result",
            Self::RolledBack { .. } => "rolled_back",
            Self::QualityLockTriggered { .. } => "quality_lock_triggered",
            Self::SectionLocked { .. } => "section_locked",
            Self::BatchComplete { .. } => "batch_complete",
            Self::IterationComplete { .. } => "iteration_complete",
            Self::ConvergenceDetected { .. } => "convergence_detected",
            Self::Stopped { .. } => "stopped",
            Self::SectionWritten { .. } => "section_written",
            Self::TextWritten { .. } => "text_written",
            Self::BestEffortSelected { .. } => "best_effort_selected",
            Self::EscalationTriggered { .. } => "escalation_triggered",
            Self::HumanDecision { .. } => "human_decision",
            Self::LateReply { .. } => "late_reply",
            Self::RefinementComplete { .. } => "refinement_complete",
            Self::RunComplete { .. } => "run_complete",
        }
    }
}

/// All events: name, when it is emitted, and its fields besides `seq`, `at` and `elapsed`. The
/// reference page is generated from this table.
pub const CATALOGUE: &[(&str, &str, &[&str])] = &[
    (
        "run_started",
        "A run begins.",
        &["run", "profile", "content", "scripted"],
    ),
    (
        "check_complete",
        "The free checks are done.",
        &["errors", "warnings", "infos"],
    ),
    (
        "self_review",
        "The self-review is done, by the program or by a model.",
        &["by", "status", "said", "reasoning"],
    ),
    (
        "scrubbed",
        "The free stages removed noise from the text; everything after this is about the scrubbed version.",
        &["content", "what"],
    ),
    (
        "skipped",
        "Something was not available, and the run continues without it.",
        &["what", "reason"],
    ),
    ("node_enter", "A stage begins.", &["node"]),
    (
        "verdict",
        "A judge gave a verdict (`scored`), or none (`unscored`, with the reason).",
        &[
            "ask",
            "role",
            "model",
            "scored or unscored",
            "tokens",
            "reused",
        ],
    ),
    (
        "asked_again",
        "A reply could not be used, or a call failed, and the same model is asked again.",
        &["ask", "role", "model", "problem"],
    ),
    (
        "fell_back",
        "A model failed, and the fallback model of its role is asked instead.",
        &["ask", "role", "from", "to", "reason"],
    ),
    (
        "input_cut",
        "The context window is too small: these `parts` of the `document` or of the `sources` (`of`) are left out of the next ask, and the prompt says so. Emitted once for each ask and each of the two. A text that no judge could read in full is never accepted.",
        &["ask", "role", "model", "of", "parts", "all", "tokens"],
    ),
    ("node_complete", "A stage is done.", &["node"]),
    (
        "solved",
        "An item that would be accepted was solved without its key: what the solver answered, and whether it `agrees`, `disagrees` (then a reviewer looks at the key), is `unsure` or gave no answer (`unanswered`).",
        &[
            "content",
            "model",
            "key",
            "answers",
            "result",
            "unanswered",
            "tokens",
        ],
    ),
    (
        "arbiter_consolidation",
        "The verdicts were weighed against each other: how far the judges agree, which issues are kept, which conflicts were resolved.",
        &["agreement", "alpha", "issues", "set_aside", "conflicts"],
    ),
    (
        "instructions_phrased",
        "The arbiter put the merged instructions of components into words; without it the program's own are used.",
        &["by", "sections", "tokens"],
    ),
    (
        "refinement_start",
        "A round of repair begins.",
        &["iteration", "target_sections", "mode", "estimated_tokens"],
    ),
    (
        "batch_started",
        "A batch of tasks begins; they run in parallel.",
        &["batch", "sections"],
    ),
    (
        "task_started",
        "A task begins.",
        &["section", "task", "batch", "retry"],
    ),
    (
        "patch_applied",
        "A component was edited: its new text and a summary.",
        &["section", "content", "diff_summary"],
    ),
    (
        "section_regenerated",
        "A component was rewritten: its new text and a summary.",
        &["section", "content", "diff_summary"],
    ),
    (
        "verification_result",
        "A repair was verified: kept (`passed`), or rolled back with the reason. `edits` lists the issues of each edit and whether it was `kept`: edits whose issues are all solved stay, the others are rolled back.",
        &["section", "passed", "reason", "edits", "tokens"],
    ),
    (
        "rolled_back",
        "A repair, or some of its edits (`edits`), was not kept, or a kept one is no longer part of the text.",
        &["task", "reason", "edits"],
    ),
    (
        "batch_complete",
        "The tasks of a batch are done.",
        &["batch", "kept", "rolled_back"],
    ),
    (
        "quality_lock_triggered",
        "The score of a good criterion fell by more than the policy tolerates.",
        &[
            "criterion",
            "locked_at",
            "score",
            "confirmed",
            "rolled_back",
        ],
    ),
    (
        "section_locked",
        "A component is no longer edited.",
        &["section", "reason"],
    ),
    (
        "iteration_complete",
        "A round of repair ended. `score_delta` is the change against the best version so far, in thousandths.",
        &[
            "iteration",
            "score",
            "score_delta",
            "content",
            "tokens",
            "cost_micros",
        ],
    ),
    (
        "convergence_detected",
        "More rounds would not improve the text.",
        &["reason"],
    ),
    (
        "stopped",
        "Repair ended; the best version so far goes to the decision.",
        &["reason"],
    ),
    (
        "section_written",
        "A planned section was written.",
        &["section", "title", "words"],
    ),
    (
        "text_written",
        "A whole text was written: planned, written section by section and assembled, or by one author. `smoothed` counts the edits of joins between its sections.",
        &["content", "words", "smoothed"],
    ),
    (
        "best_effort_selected",
        "The text was not accepted; the best version so far is returned.",
        &["reason", "quality"],
    ),
    (
        "escalation_triggered",
        "The text was not accepted, and a reviewer has to decide.",
        &["reason"],
    ),
    (
        "human_decision",
        "A reviewer decided, or none was available (`absent`). `lock`, `unlock` and `skip` are about a `section`.",
        &["decision", "by", "section", "refused"],
    ),
    (
        "late_reply",
        "A reply came too late. Its cost is recorded, its content ignored.",
        &["ask"],
    ),
    (
        "refinement_complete",
        "Repair ended.",
        &["final_score", "status"],
    ),
    (
        "run_complete",
        "The run ended.",
        &["status", "score", "tokens", "cost_micros"],
    ),
];
