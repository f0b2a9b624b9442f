//! `redraft plan`: estimates calls, tokens and cost of a run. It asks no model and writes
//! nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};
use redraft_engine::model::batch::BatchSettings;
use redraft_gate::finding::{Finding, Severity};
use redraft_gate::review::{self, SelfReview, Status};
use redraft_run::ask::{ModelSettings, Role};
use redraft_run::forecast::{ConstantParts, Measure, Warmth, count_caches};
use redraft_run::forecast::{Forecast, ForecastFigures, RoleFacts, expect, judging_need};
use redraft_run::policy::{Delta, EditForm, Mode, Policy};
use redraft_run::profile::Profile;
use redraft_run::rubric::Rubric;
use redraft_run::self_review;
use redraft_run::setup::Goal;
use redraft_run::token_estimate::{estimated_tokens, usual_tokens};

use super::bank;
use super::exit::Exit;
use super::inputs::{Choice, Inputs};
use super::model_source::{self, AssignedModels, ModelSource};
use super::options::{CommonOptions, FileOptions, Format};
use super::output::{self, complain};
use super::run_options::ModeName;
use super::session;
use super::unread::{self, Reason};
use crate::config::defaults;
use crate::files::{self, Gathered};
use crate::fix_choice::FixChoice;
use crate::inspection::{FileInspection, Inspector, path_text};
use redraft_report::check_report::SkippedFile;
use redraft_report::check_text::{self, Amount};
use redraft_report::plan::{self as report, PlanReport, Planned};
use redraft_report::plan_table;

/// Options of `plan`.
#[derive(Clone, Debug, Args)]
pub struct PlanOptions {
    /// Files or folders; `-` for standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,
    /// Command to estimate
    #[arg(long, value_enum, default_value_t)]
    pub goal: GoalName,
    /// Who decides when the text is not accepted (lessons only)
    #[arg(long, value_enum)]
    pub mode: Option<ModeName>,
    /// Override the profile's decision thresholds (TOML)
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Judge by this rubric instead of the profile's (TOML)
    #[arg(long, value_name = "FILE")]
    pub rubric: Option<PathBuf>,
    /// Use the roles of this script instead of the configured ones (TOML)
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Estimate at batch prices
    #[arg(long, conflicts_with = "script")]
    pub batch: bool,
    /// Write the result to this file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Show every document in full instead of a table
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub files: FileOptions,
    /// Shared options.
    #[command(flatten)]
    pub common: CommonOptions,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum GoalName {
    /// Judge only
    Judge,
    /// Judge and repair
    #[default]
    Refine,
}

impl From<GoalName> for Goal {
    fn from(name: GoalName) -> Self {
        match name {
            GoalName::Judge => Self::Judge,
            GoalName::Refine => Self::Refine,
        }
    }
}

pub(super) fn run(options: &PlanOptions) -> anyhow::Result<Exit> {
    let format = options.common.format;
    if options.common.no_color {
        anstream::ColorChoice::Never.write_global();
    }
    let read = options.paths.iter().chain(&options.script);
    let read = read
        .map(PathBuf::as_path)
        .chain(options.common.companions());
    output::spare(options.output.as_deref(), read)?;
    // Nothing is asked, so the folder does not matter.
    let batches = options.batch.then(|| BatchSettings::beside(Path::new(".")));
    let source =
        ModelSource::from_options(options.script.as_ref(), &options.common, batches.as_ref())?;
    let inputs = Inputs::read(&options.common, Choice::default())?;
    let inspector = inputs.inspector()?;
    let config = &inspector.config;
    inputs.complain_of_companions(config);
    let Gathered { files, unread } = files::gather(&options.paths, config, &inputs.paths())?;
    let unread = unread.into_iter();
    let mut skipped: Vec<SkippedFile> = unread
        .map(|file| unread::skipped(config, &file.path, file.reason))
        .collect();
    let mut exit = Exit::Clean;
    let mut documents = Vec::new();
    let (jobs, banks) = bank::split(Goal::from(options.goal), &inspector, files)?;
    for trouble in banks.iter().filter_map(|bank| bank.trouble(&inspector)) {
        complain(&trouble);
        exit = Exit::Usage;
    }
    let of_items = banks
        .iter()
        .map(|bank| bank.inputs_of_items(&inputs).inspector());
    let of_items: Vec<Inspector> = of_items.collect::<anyhow::Result<_>>()?;
    for job in jobs {
        let (path, is_named) = (job.path().to_owned(), job.is_named());
        let of_bank = job.bank().and_then(|bank| of_items.get(bank));
        let inspector = of_bank.unwrap_or(&inspector);
        let read = job.read(&config.limits()).map_err(Reason::Read);
        let inspection = match read.and_then(|input| {
            let inspection = inspector.inspect(&input.path, input.bytes);
            inspection.map_err(Reason::Content)
        }) {
            Ok(inspection) => inspection,
            Err(reason) if reason.is_refusal() && (!is_named || options.files.skip_unknown) => {
                skipped.push(unread::skipped(config, &path, reason.in_short()));
                continue;
            }
            Err(reason) => bail!(reason.sentence(&path)),
        };
        let profile = inspection.profile.id().0;
        let is_alike = |one: &Planned| one.profile == profile && !one.stages.is_empty();
        let warmth = match documents.iter().any(is_alike) {
            true => Warmth::Warm,
            false => Warmth::Cold,
        };
        let document = (path_text(&path), inspection);
        documents.push(one(
            options,
            (source.as_ref(), inspector),
            document,
            warmth,
        )?);
    }
    let listed = check_text::skipped(&skipped, Amount::Few);
    output::print_aside(Format::Human, &listed)?;
    if documents.is_empty() && !options.files.allow_empty {
        bail!(
            "no lessons, cards or items found in these folders; use --allow-empty to succeed anyway"
        );
    }
    let is_error = |file: &SkippedFile| file.severity == Some(Severity::Error);
    if exit == Exit::Clean && skipped.iter().any(is_error) {
        exit = Exit::GateFailed;
    }
    let report = PlanReport::new(documents, skipped);
    let text = match format {
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
        Format::Jsonl => report.lines()?,
        _ if options.all || report.len() < 2 => {
            let to_file = options
                .output
                .as_deref()
                .is_some_and(|path| !output::is_stdout(path));
            let columns = output::report_width().filter(|_| !to_file);
            report::human(&report, columns)
        }
        _ => plan_table::human(&report),
    };
    output::put(options.output.as_deref(), format, &text)?;
    Ok(exit)
}

fn one(
    options: &PlanOptions,
    (source, inspector): (Option<&ModelSource>, &Inspector),
    (path, inspection): (String, FileInspection),
    warmth: Warmth,
) -> anyhow::Result<Planned> {
    let profile = inspection.profile;
    let mode = options.mode.map(Mode::from).unwrap_or_default();
    let mut policy = session::policy(inspector, profile, mode, options.policy.as_deref())?;
    let rubric = session::rubric(inspector, profile, options.rubric.as_deref())?;
    let goal = Goal::from(options.goal);
    let language = inspection.inspected.document.language();
    let assigned = source
        .map(|source| source.assigned(goal, language))
        .transpose()?;
    let repair = &mut policy.repair;
    let edit_form = assigned.as_ref().and_then(|assigned| assigned.edit_form);
    repair.edit_form = repair.edit_form.or(edit_form);
    let asked = (repair.edit_form(), repair.delta);
    let limits = assigned
        .as_ref()
        .map(|assigned| assigned.limits)
        .unwrap_or_default();
    let sizes = |count: &dyn Fn(&str) -> u64| sizes(&inspection, (profile, &rubric), count, asked);
    let (counted, reserved) = (sizes(&usual_tokens)?, sizes(&estimated_tokens)?);
    let companions = Arc::clone(&inspection.reader.companions);
    let (review, unusable) = reviewed(inspection, goal, &policy)?;
    let for_a_person = unusable
        .as_ref()
        .is_some_and(|unusable| unusable.for_a_person);
    let occasion = match self_review::has_occasion(&companions, &review) {
        true => Occasion::Given,
        false => Occasion::None,
    };
    let mut models = models(goal, assigned.as_ref(), occasion);
    if !policy.solve {
        models.remove(&Role::Solver);
    }
    let (roles, dearest) = dearest(&models, assigned.as_ref());
    let figures = ForecastFigures::of(&policy, goal, reserved.document, limits);
    let budgets = figures.budgets;
    let forecast = |sizes: &'_ Sizes| Forecast {
        document: sizes.document,
        parts: &[],
        overheads: sizes.overheads,
        figures: figures.clone(),
        models: &models,
        roles: &roles,
    };
    let judging_tokens = judging_need(&forecast(&reserved));
    let mut stages = expect(
        &Forecast {
            parts: &counted.parts,
            ..forecast(&counted)
        },
        &Forecast {
            parts: &reserved.parts,
            models: &dearest,
            ..forecast(&reserved)
        },
    );
    count_caches(&mut stages, counted.constant, &models, warmth);
    if for_a_person {
        stages.clear();
    }
    Ok(Planned {
        path,
        profile: profile.id().0,
        goal,
        mode: (profile.decision(Mode::SemiAuto) != profile.decision(Mode::FullAuto))
            .then(|| mode.name()),
        configured: assigned.is_some(),
        document_tokens: counted.document,
        parts: counted.parts,
        models: models
            .iter()
            .map(|(role, model)| (*role, model.clone()))
            .collect(),
        judging_tokens,
        repair_tokens: budgets.repair,
        limits,
        seconds: limits.seconds.unwrap_or(policy.seconds),
        unusable: unusable.map(|unusable| unusable.because),
        for_a_person,
        stages,
    })
}

/// Whether a self-reviewer that nobody named has something to look at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Occasion {
    Given,
    None,
}

/// The first model of each role that is asked. Where none is configured, each role has
/// one without a name or a price, so that calls and tokens can still be estimated.
fn models(
    goal: Goal,
    assigned: Option<&AssignedModels>,
    occasion: Occasion,
) -> BTreeMap<Role, ModelSettings> {
    let is_asked = |assigned: &AssignedModels, role: Role| match role {
        Role::Arbiter => goal == Goal::Refine && !assigned.unnamed.contains(&role),
        Role::SelfReviewer => occasion == Occasion::Given || !assigned.unnamed.contains(&role),
        Role::Solver => true,
        _ => model_source::roles(goal).contains(&role),
    };
    match assigned {
        Some(assigned) => assigned
            .seats
            .iter()
            .filter(|seat| is_asked(assigned, seat.role))
            .filter_map(|seat| Some((seat.role, seat.models.first()?.clone())))
            .collect(),
        None => model_source::roles(goal)
            .iter()
            .chain(&[Role::Solver])
            .filter(|role| **role != Role::SelfReviewer || occasion == Occasion::Given)
            .map(|role| {
                let (temperature_hundredths, max_tokens) = defaults::call_settings(*role);
                let unnamed = ModelSettings {
                    provider: String::new(),
                    model: String::new(),
                    temperature_hundredths,
                    max_tokens,
                    price_in: 0,
                    price_out: 0,
                    cache: None,
                };
                (*role, unnamed)
            })
            .collect(),
    }
}

/// What is known of the roles that are asked, and for each a model as dear as the dearest
/// of its models.
fn dearest(
    models: &BTreeMap<Role, ModelSettings>,
    assigned: Option<&AssignedModels>,
) -> (BTreeMap<Role, RoleFacts>, BTreeMap<Role, ModelSettings>) {
    let (mut roles, mut dearest) = (BTreeMap::new(), models.clone());
    let seats = assigned.iter().flat_map(|assigned| &assigned.seats);
    for seat in seats.filter(|seat| models.contains_key(&seat.role)) {
        if let Some((facts, model)) = RoleFacts::of(seat) {
            roles.insert(seat.role, facts);
            dearest.insert(seat.role, model);
        }
    }
    (roles, dearest)
}

struct Sizes {
    document: u64,
    parts: Vec<u64>,
    overheads: redraft_run::route::estimate::Overheads,
    constant: ConstantParts,
}

fn sizes(
    inspection: &FileInspection,
    (profile, rubric): (&dyn Profile, &Rubric),
    count: &dyn Fn(&str) -> u64,
    asked: (EditForm, Delta),
) -> anyhow::Result<Sizes> {
    let measure = Measure {
        profile,
        document: &inspection.inspected.document,
        companions: &inspection.reader.companions,
        rubric,
        count,
        asked,
    };
    Ok(Sizes {
        document: measure.document(),
        parts: measure.parts(),
        overheads: measure.all().map_err(|error| anyhow!(error))?,
        constant: measure.constant_parts().map_err(|error| anyhow!(error))?,
    })
}

/// Why a text would not be judged as it is.
struct Unusable {
    because: String,
    /// Whether no model may change that: nobody invents a key.
    for_a_person: bool,
}

/// The program's review of the text, and why the text would not be judged as it is.
fn reviewed(
    inspection: FileInspection,
    goal: Goal,
    policy: &Policy,
) -> anyhow::Result<(SelfReview, Option<Unusable>)> {
    let profile = inspection.profile;
    let findings = inspection.inspected.findings.clone();
    let fixed = inspection.fix(&FixChoice::default())?.inspected.findings;
    let review = review::review(&findings, &fixed);
    if review.status == Status::Regenerate {
        let why = review.reasoning.trim_end_matches('.').to_owned();
        let unusable = Unusable {
            because: why,
            for_a_person: false,
        };
        return Ok((review, Some(unusable)));
    }
    // A run that repairs begins with the safe fixes.
    let open = if goal == Goal::Refine {
        fixed
    } else {
        findings
    };
    let error = |finding: &&Finding| finding.severity == Severity::Error;
    let is_for_a_person = |finding: &&Finding| profile.needs_a_person(finding);
    let errors = || open.iter().filter(error).filter(|_| !policy.judge_invalid);
    let decisive = errors().find(is_for_a_person);
    let unusable = decisive
        .or_else(|| errors().next())
        .map(|finding| Unusable {
            because: format!("{} ({})", finding.message, finding.check.name),
            for_a_person: decisive.is_some(),
        });
    Ok((review, unusable))
}
