//! The report of `redraft plan`: calls, tokens and cost to expect.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use redraft_run::ask::{ModelSettings, Role};
use redraft_run::forecast::{Amount, Stage, StageEstimate, StageLimit, TokenBudget, total};
use redraft_run::ledger::Dollars;
use redraft_run::setup::{Goal, SpendingLimits};
use serde::Serialize;
use serde_json::{Value, json};

use super::PLUG_IN;
use super::check_report::SkippedFile;
use super::count::{counted, grouped};
use super::plain;
use super::style::{BOLD, DIM};

/// The estimate for one document.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The file.
    pub path: String,
    /// Its kind.
    pub profile: &'static str,
    /// What would be done.
    pub goal: Goal,
    /// The mode, if the profile has modes.
    pub mode: Option<&'static str>,
    /// Whether any model is configured.
    pub configured: bool,
    pub document_tokens: u64,
    /// The tokens of each component that can be repaired.
    pub parts: Vec<u64>,
    /// The model of each role.
    pub models: BTreeMap<Role, ModelSettings>,
    /// The token budget for judging one text.
    pub judging_tokens: u64,
    /// The token budget for repair and verification.
    pub repair_tokens: u64,
    /// The cost limit of the run, in millionths of a dollar.
    pub limits: SpendingLimits,
    /// The time limit.
    pub seconds: u64,
    /// Why no judge would be asked about the text as it is.
    pub unusable: Option<String>,
    /// Whether only a person can change that, so that no model is asked at all.
    pub for_a_person: bool,
    pub stages: Vec<StageEstimate>,
}

/// What `redraft plan` prints.
#[derive(Clone, Debug, Serialize)]
pub struct PlanReport {
    schema: u32,
    documents: Vec<Value>,
    total: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skipped: Vec<SkippedFile>,
    #[serde(skip)]
    planned: Vec<Planned>,
}

impl PlanReport {
    #[must_use]
    pub fn new(planned: Vec<Planned>, skipped: Vec<SkippedFile>) -> Self {
        Self {
            skipped,
            schema: super::SCHEMA,
            documents: planned.iter().map(Planned::json).collect(),
            total: amounts(together(&planned)),
            planned,
        }
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.planned.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.planned.is_empty()
    }

    pub(super) fn planned(&self) -> &[Planned] {
        &self.planned
    }

    /// One JSON object per line and document.
    ///
    /// # Errors
    /// If a document cannot be serialised.
    pub fn lines(&self) -> Result<String, serde_json::Error> {
        let mut lines = String::new();
        for document in &self.documents {
            lines.push_str(&serde_json::to_string(document)?);
            lines.push('\n');
        }
        Ok(lines)
    }
}

type Three = (Amount, Amount, Amount);

fn together(planned: &[Planned]) -> Three {
    let start = (Amount::default(), Amount::default(), Amount::default());
    planned.iter().fold(start, |sum, one| {
        let (best, typical, worst) = total(&one.stages);
        (sum.0.and(best), sum.1.and(typical), sum.2.and(worst))
    })
}

fn amounts((best, typical, worst): Three) -> Value {
    json!({ "best": best, "typical": typical, "worst": worst })
}

impl Planned {
    /// Whether the price of a model is known.
    pub(super) fn has_prices(&self) -> bool {
        let mut models = self.models.values();
        models.any(|model| model.price_in > 0 || model.price_out > 0)
    }

    /// The models of which no price is known.
    fn unpriced(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .models
            .values()
            .filter(|model| model.price_in == 0 && model.price_out == 0 && !model.is_scripted())
            .map(|model| match model.provider.as_str() {
                "" => "no model is configured".to_owned(),
                _ => model.name(),
            })
            .collect();
        names.sort();
        names.dedup();
        names
    }

    fn json(&self) -> Value {
        let models: BTreeMap<&str, Value> = self
            .models
            .iter()
            .map(|(role, model)| {
                let name = self.configured.then(|| model.name());
                let words = json!({ "model": name, "max_tokens": model.max_tokens });
                (role.name(), words)
            })
            .collect();
        json!({
            "path": self.path,
            "profile": self.profile,
            "goal": self.goal,
            "mode": self.mode,
            "configured": self.configured,
            "document_tokens": self.document_tokens,
            "parts": self.parts,
            "models": models,
            "unpriced": self.unpriced(),
            "budget": {
                "judging_tokens": self.judging_tokens,
                "repair_tokens": self.repair_tokens,
                "tokens": self.limits.tokens,
                "cost_micros": self.limits.cost,
                "seconds": self.seconds,
            },
            "unusable": self.unusable,
            "stages": self.stages,
            "total": amounts(total(&self.stages)),
        })
    }
}

/// The report for people, for a terminal of so many columns.
#[must_use]
pub fn human(report: &PlanReport, columns: Option<usize>) -> String {
    let mut text = String::new();
    for planned in &report.planned {
        one(&mut text, planned, columns);
    }
    if report.planned.len() > 1 {
        let (best, typical, worst) = together(&report.planned);
        let _ = writeln!(
            text,
            "{BOLD}{}{BOLD:#}",
            counted(report.planned.len(), "document")
        );
        let prices = report.planned.iter().any(|one| one.unpriced().is_empty());
        for (name, amount) in [("best", best), ("typical", typical), ("worst", worst)] {
            let money = match prices {
                true => format!(", {}", dollars(amount)),
                false => String::new(),
            };
            let _ = writeln!(
                text,
                "  {name:8} {}, {} tokens{money}",
                counted(usize::try_from(amount.calls).unwrap_or(usize::MAX), "call"),
                grouped(amount.tokens.total()),
            );
        }
    }
    text
}

fn one(text: &mut String, planned: &Planned, columns: Option<usize>) {
    let verb = match planned.goal {
        Goal::Refine | Goal::Write => "refine",
        Goal::Judge | Goal::Free => "judge",
    };
    let _ = writeln!(
        text,
        "{BOLD}{}{BOLD:#}: estimate for `redraft {verb}` ({}; {} tokens, {})\n",
        plain::path(&planned.path),
        planned.mode.map_or_else(
            || planned.profile.to_owned(),
            |mode| format!("{}, {mode}", planned.profile)
        ),
        grouped(planned.document_tokens),
        counted(planned.parts.len(), "component"),
    );
    table(text, planned, columns);
    let unpriced = planned.unpriced();
    stopped(text, planned);
    asked(text, planned, &unpriced);
    text.push('\n');
}

/// What the table has a column for, in each case.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cells {
    /// Where a price is known, and there is room.
    All,
    /// Where no price is known.
    Tokens,
    /// Where there is no room for both: tokens have a row of their own.
    Cost,
}

impl Cells {
    fn of(planned: &Planned, columns: Option<usize>) -> Self {
        /// What the whole table takes.
        const WIDE: usize = 100;
        match columns {
            _ if !planned.has_prices() => Self::Tokens,
            Some(columns) if columns < WIDE => Self::Cost,
            _ => Self::All,
        }
    }

    fn show(self, [calls, tokens, cost]: [&str; 3]) -> String {
        match self {
            Self::All => format!("{calls:>5} {tokens:>9} {cost:>10}"),
            Self::Tokens => format!("{calls:>5} {tokens:>10}"),
            Self::Cost => format!("{calls:>5} {cost:>10}"),
        }
    }

    fn amount(self, amount: Amount) -> String {
        if amount.calls == 0 {
            return self.show(["–", "", ""]);
        }
        let tokens = grouped(amount.tokens.total());
        self.show([&amount.calls.to_string(), &tokens, &dollars(amount)])
    }
}

/// Calls, tokens and cost of each stage.
fn table(text: &mut String, planned: &Planned, columns: Option<usize>) {
    let cells = Cells::of(planned, columns);
    let head = cells.show(["calls", "tokens", "cost"]);
    let width = head.len();
    let mut line = |name: &str, three: [String; 3]| {
        let _ = writeln!(text, "  {name:14}  {}", three.join("   "));
    };
    let cases = ["best case", "typical", "worst case"];
    line("", cases.map(|case| format!("{case:^width$}")));
    line("", [(); 3].map(|()| format!("{DIM}{head}{DIM:#}")));
    for stage in &planned.stages {
        let three = [stage.best, stage.typical, stage.worst];
        line(name(stage.stage), three.map(|amount| cells.amount(amount)));
    }
    let (best, typical, worst) = total(&planned.stages);
    let three = [best, typical, worst];
    line("total", three.map(|amount| cells.amount(amount)));
    if cells == Cells::Cost {
        let tokens = three.map(|amount| grouped(amount.tokens.total()));
        line("tokens", tokens.map(|tokens| cells.show(["", "", &tokens])));
    }
    let is_rare = |stage: &StageEstimate| stage.typical.calls > stage.best.calls;
    if planned.stages.iter().any(is_rare) {
        let _ = writeln!(
            text,
            "  {DIM}Typical is the mean over documents: a stage that one in four needs has a quarter of the tokens of a call.{DIM:#}"
        );
    }
}

/// The budget, and the stages that it would stop.
fn stopped(text: &mut String, planned: &Planned) {
    let _ = writeln!(text, "\n  {BOLD}Budget{BOLD:#}");
    let money = planned.limits.cost.map_or_else(
        || "no cost limit".to_owned(),
        |limit| format!("at most ${}", Dollars(limit)),
    );
    let repair = match planned.goal {
        Goal::Refine | Goal::Write => format!(
            ", {} for repair and verification",
            grouped(planned.repair_tokens)
        ),
        Goal::Judge | Goal::Free => String::new(),
    };
    let _ = writeln!(
        text,
        "  {} tokens for judging one text{repair}, {} in all, {} seconds, {money}",
        grouped(planned.judging_tokens),
        grouped(planned.limits.tokens),
        planned.seconds
    );
    let (_, _, worst) = total(&planned.stages);
    let above = worst.tokens.total() > planned.limits.tokens;
    if above {
        let _ = writeln!(
            text,
            "  The worst case needs {} tokens; the run stops at its limit. Set `tokens-per-run` under [limits] to allow more.",
            grouped(worst.tokens.total())
        );
    }
    if !above && planned.stages.iter().all(|stage| stage.stopped.is_empty()) {
        let _ = writeln!(text, "  Enough for the worst case.");
    }
    for stage in &planned.stages {
        for limit in &stage.stopped {
            let _ = writeln!(text, "  - {}: {}", name(stage.stage), stage_limit(limit));
        }
    }
}

/// The models, and what is unknown.
fn asked(text: &mut String, planned: &Planned, unpriced: &[String]) {
    let mut notes: Vec<String> = Vec::new();
    if planned.configured {
        let _ = writeln!(text, "\n  {BOLD}Models{BOLD:#}");
        let mut roles: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (role, model) in &planned.models {
            roles.entry(model.name()).or_default().push(role.name());
        }
        for (model, roles) in roles {
            let _ = writeln!(text, "  {model}: {}", roles.join(", "));
        }
        notes.extend(cached(planned));
        if planned.models.values().any(ModelSettings::is_scripted) {
            notes.push("The replies come from a script and cost nothing.".to_owned());
        }
        if !unpriced.is_empty() {
            notes.push(format!(
                "No price is known for {}, so {} calls count as free. Set price-in and price-out in redraft.toml.",
                unpriced.join(", "),
                if unpriced.len() == 1 { "its" } else { "their" }
            ));
        }
    } else {
        notes.push(format!(
            "No model is configured, so prices are unknown; calls and tokens are those of the usual roles.\n  {PLUG_IN}"
        ));
    }
    if let Some(because) = &planned.unusable {
        let then = match planned.goal {
            Goal::Refine | Goal::Write => {
                "the damage is repaired first, and no judge is asked if that fails"
            }
            Goal::Judge | Goal::Free => "no judge is asked",
        };
        let because = because.trim_end_matches('.');
        notes.push(match planned.for_a_person {
            true => format!("{because}. No model is asked."),
            false => format!(
                "{because}. As the text stands, {then}. The table is for the repaired text."
            ),
        });
    }
    if !notes.is_empty() {
        text.push('\n');
    }
    for note in notes {
        let _ = writeln!(text, "  {note}");
    }
}

/// What the typical case counts on a cache for.
fn cached(planned: &Planned) -> Option<String> {
    let (_, typical, _) = total(&planned.stages);
    let tokens = typical.tokens.cached_input;
    (tokens > 0).then(|| {
        format!(
            "Typical counts {} of {} input tokens as read from the providers' prompt caches; the limits and the worst case count on none.",
            grouped(tokens),
            grouped(typical.tokens.input)
        )
    })
}

const fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::SelfReview => "self-review",
        Stage::Judge => "first judge",
        Stage::Panel => "panel",
        Stage::Arbiter => "arbiter",
        Stage::Repair => "repair",
        Stage::Verify => "verification",
        Stage::Rejudge => "re-judging",
        Stage::Confirm => "confirmation",
        Stage::Solve => "blind solving",
    }
}

/// Why a stage may not come to its worst case, in words.
fn stage_limit(limit: &StageLimit) -> String {
    match limit {
        StageLimit::NoJudgePaid => "not begun, because no judge can be paid".to_owned(),
        StageLimit::Tokens {
            budget,
            limit,
            calls,
            unpaid,
        } => format!(
            "in the worst case, {unpaid} of {calls} calls do not fit into the {} tokens for {}",
            grouped(*limit),
            match budget {
                TokenBudget::SelfReview => "the self-review",
                TokenBudget::Judging => "judging one text",
                TokenBudget::Repair => "repair and verification",
            }
        ),
        StageLimit::Cost {
            worst_micros,
            left_micros,
            limit_micros,
        } => format!(
            "in the worst case it costs ${}, but only ${} of ${} are left",
            Dollars(*worst_micros),
            Dollars(*left_micros),
            Dollars(*limit_micros)
        ),
    }
}

fn dollars(amount: Amount) -> String {
    format!("${}", Dollars(amount.cost_micros))
}
