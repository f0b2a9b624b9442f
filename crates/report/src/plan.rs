//! What a run may come to, for people and for programs. It counts nothing itself.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use redraft_run::ask::{ModelSettings, Role};
use redraft_run::forecast::{Amount, Stage, StageEstimate, total};
use redraft_run::ledger::Dollars;
use redraft_run::setup::Goal;
use serde::Serialize;
use serde_json::{Value, json};

use super::PLUG_IN;
use super::count::{counted, grouped};
use super::style::{BOLD, DIM};

/// What is expected of one document's run.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The file.
    pub path: String,
    /// Its kind.
    pub profile: &'static str,
    /// What would be done.
    pub goal: Goal,
    /// Whether people are at hand, where the kind of content knows modes.
    pub mode: Option<&'static str>,
    /// Whether any model is configured.
    pub configured: bool,
    /// The tokens of the document.
    pub document_tokens: u64,
    /// Those of each part that can be repaired.
    pub parts: Vec<u64>,
    /// Who would be asked.
    pub models: BTreeMap<Role, ModelSettings>,
    /// What may be spent on the judges of one text.
    pub judging_tokens: u64,
    /// … and on repair and verification.
    pub repair_tokens: u64,
    /// What the run may cost, in millionths of a dollar.
    pub cost_limit: Option<u64>,
    /// What time it has.
    pub seconds: u64,
    /// Why nobody would be paid to judge the text as it is.
    pub unusable: Option<String>,
    /// The stages.
    pub stages: Vec<StageEstimate>,
}

/// What `redraft plan` prints.
#[derive(Clone, Debug, Serialize)]
pub struct PlanReport {
    schema: u32,
    documents: Vec<Value>,
    total: Value,
    #[serde(skip)]
    planned: Vec<Planned>,
}

impl PlanReport {
    /// The report.
    #[must_use]
    pub fn new(planned: Vec<Planned>) -> Self {
        Self {
            schema: super::SCHEMA,
            documents: planned.iter().map(Planned::json).collect(),
            total: amounts(together(&planned)),
            planned,
        }
    }

    /// One JSON object a document.
    ///
    /// # Errors
    /// When a document cannot be written: a fault of ours.
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
                "cost_micros": self.cost_limit,
                "seconds": self.seconds,
            },
            "unusable": self.unusable,
            "stages": self.stages,
            "total": amounts(total(&self.stages)),
        })
    }
}

/// The report for people.
#[must_use]
pub fn human(report: &PlanReport) -> String {
    let mut text = String::new();
    for planned in &report.planned {
        one(&mut text, planned);
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
            let _ = writeln!(
                text,
                "  {name:8} {}, {} tokens, {}",
                counted(usize::try_from(amount.calls).unwrap_or(usize::MAX), "call"),
                grouped(amount.tokens.total()),
                cost(amount, prices)
            );
        }
    }
    text
}

fn one(text: &mut String, planned: &Planned) {
    let verb = match planned.goal {
        Goal::Refine | Goal::Write => "refine",
        Goal::Judge | Goal::Free => "judge",
    };
    let _ = writeln!(
        text,
        "{BOLD}{}{BOLD:#}: what `redraft {verb}` may come to ({}; {} tokens, {} to repair)\n",
        planned.path,
        planned.mode.map_or_else(
            || planned.profile.to_owned(),
            |mode| format!("{}, {mode}", planned.profile)
        ),
        grouped(planned.document_tokens),
        counted(planned.parts.len(), "part"),
    );
    let unpriced = planned.unpriced();
    let has_prices = planned
        .models
        .values()
        .any(|model| model.price_in > 0 || model.price_out > 0);
    let group = format!("{:>5} {:>9} {:>10}", "calls", "tokens", "cost");
    let _ = writeln!(
        text,
        "  {:14}  {:^26}   {:^26}   {:^26}",
        "", "at best", "usually", "at worst"
    );
    let _ = writeln!(text, "  {DIM}{:14}  {group}   {group}   {group}{DIM:#}", "");
    let row = |text: &mut String, name: &str, (best, typical, worst): Three| {
        let _ = writeln!(
            text,
            "  {name:14}  {}   {}   {}",
            cells(best, has_prices),
            cells(typical, has_prices),
            cells(worst, has_prices)
        );
    };
    for stage in &planned.stages {
        let three = (stage.best, stage.typical, stage.worst);
        row(text, name(stage.stage), three);
    }
    row(text, "all together", total(&planned.stages));
    stopped(text, planned);
    asked(text, planned, &unpriced);
    text.push('\n');
}

/// What the budgets would stop.
fn stopped(text: &mut String, planned: &Planned) {
    let _ = writeln!(text, "\n  {BOLD}Budget{BOLD:#}");
    let money = planned.cost_limit.map_or_else(
        || "no limit of cost".to_owned(),
        |limit| format!("${} in all", Dollars(limit)),
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
        "  {} tokens for judging one text{repair}, {} seconds, {money}",
        grouped(planned.judging_tokens),
        planned.seconds
    );
    let stops: Vec<(&str, &str)> = planned
        .stages
        .iter()
        .filter_map(|stage| Some((name(stage.stage), stage.stopped.as_deref()?)))
        .collect();
    if stops.is_empty() {
        let _ = writeln!(text, "  It stops nothing, even at worst.");
    }
    for (stage, because) in stops {
        let _ = writeln!(text, "  - {stage}: {because}");
    }
}

/// Who is asked, and what is not known.
fn asked(text: &mut String, planned: &Planned, unpriced: &[String]) {
    let mut notes: Vec<String> = Vec::new();
    if planned.configured {
        let _ = writeln!(text, "\n  {BOLD}Who is asked{BOLD:#}");
        let mut roles: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (role, model) in &planned.models {
            roles.entry(model.name()).or_default().push(role.name());
        }
        for (model, roles) in roles {
            let _ = writeln!(text, "  {model}: {}", roles.join(", "));
        }
        if planned.models.values().any(ModelSettings::is_scripted) {
            notes.push("The replies come from a script: they cost nothing.".to_owned());
        }
        if !unpriced.is_empty() {
            notes.push(format!(
                "No price is known for {}; what it is asked counts as free. A price is set with price-in and price-out in redraft.toml.",
                unpriced.join(", ")
            ));
        }
    } else {
        notes.push(format!(
            "No model is configured, so prices are unknown and nothing could be asked yet; calls and tokens are those of the usual roles.\n  {PLUG_IN}"
        ));
    }
    if let Some(because) = &planned.unusable {
        let then = match planned.goal {
            Goal::Refine | Goal::Write => {
                "a repair of it is tried first, and where that fails no judge is asked"
            }
            Goal::Judge | Goal::Free => "no judge is asked",
        };
        notes.push(format!(
            "As the text is, {then}: {because}. The table is for the text once that is mended."
        ));
    }
    if !notes.is_empty() {
        text.push('\n');
    }
    for note in notes {
        let _ = writeln!(text, "  {note}");
    }
}

/// A stage in words.
const fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::SelfReview => "self-review",
        Stage::Judge => "first judge",
        Stage::Panel => "panel",
        Stage::Arbiter => "arbiter",
        Stage::Repair => "repair",
        Stage::Verify => "verification",
        Stage::Rejudge => "judged again",
        Stage::Confirm => "confirmation",
    }
}

fn cells(amount: Amount, has_prices: bool) -> String {
    if amount.calls == 0 {
        return format!("{:>5} {:>9} {:>10}", "–", "", "");
    }
    format!(
        "{:>5} {:>9} {:>10}",
        amount.calls,
        grouped(amount.tokens.total()),
        cost(amount, has_prices)
    )
}

fn cost(amount: Amount, has_prices: bool) -> String {
    if has_prices {
        format!("${}", Dollars(amount.cost_micros))
    } else {
        "?".to_owned()
    }
}
