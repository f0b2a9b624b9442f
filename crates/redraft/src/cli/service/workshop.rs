//! How the service sets runs up: the same configuration, inputs and records as on the
//! command line. Verdicts of earlier runs are not reused: a tenant would learn from them
//! that another has the same text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use redraft_banks::ArchiveKind;
use redraft_engine::journal::Header;
use redraft_engine::model::Model;
use redraft_gate::content::Component;
use redraft_gate::fix::Inspected;
use redraft_gate::score::Score;
use redraft_profiles::items::bank::sheet::{Sheet, Use};
use redraft_profiles::registry;
use redraft_report::bank;
use redraft_report::check_report::{self, Detail};
use redraft_report::count::counted;
use redraft_report::item_path;
use redraft_run::ask::{ModelSettings, Role, Time};
use redraft_run::bytes_json;
use redraft_run::policy::Mode;
use redraft_run::run::Run;
use redraft_run::setup::{self, Goal, KnownModels};
use redraft_service::store::{Blob, Settings};
use redraft_service::workshop::{
    Assembled, BankItem, Checked, JudgeTestInfo, ModelInfo, Order, OrderGoal, OrderMode, Prepared,
    ProfileDefaults, Rejection, RowForm, Section, TakenItems, Workshop,
};
use serde_json::{Value, json};

use crate::cli::bank::BankFile;
use crate::cli::inputs::{Choice, Companion, Inputs};
use crate::cli::model_source::{AssignedModels, ModelSource};
use crate::cli::options::CommonOptions;
use crate::cli::record::{HASH, Layers, Record};
use crate::cli::session;
use crate::cli::trust;
use crate::inspection::{FileInspection, Inspector, path_text};
use crate::models::judge_questions::JudgeQuestions;
use crate::models::judge_results::JudgeResults;

use super::{assembling, judges, tenant};
use crate::files;
use crate::store::{self, RowDefaults};

/// Sets runs up by `redraft.toml`.
pub(super) struct ConfiguredWorkshop {
    /// What every order starts from.
    inputs: Inputs,
    models: Option<ModelSource>,
    without_models: ModelSource,
    /// Where `redraft models --test` keeps its results.
    judge_results: JudgeResults,
}

impl ConfiguredWorkshop {
    pub(super) fn new(common: &CommonOptions, script: Option<&PathBuf>) -> anyhow::Result<Self> {
        if script.is_none() {
            trust::require(common)?;
        }
        let inputs = Inputs::read(common, Choice::default())?;
        // A mistake in the configuration is told now, not with the first order.
        inputs.inspector()?;
        Ok(Self {
            inputs,
            models: ModelSource::from_options(script, common, None)?,
            without_models: ModelSource::none()?,
            judge_results: JudgeResults::beside(Path::new(".redraft/runs")),
        })
    }

    fn inputs(&self, order: &Order) -> Result<Inputs, Rejection> {
        if let Some(profile) = &order.profile
            && registry::profile(profile).is_none()
        {
            return Err(unknown_profile());
        }
        Ok(Inputs {
            profile: order.profile.clone(),
            language: order.language.clone(),
            spec: companion("spec", order.spec.as_ref()),
            sources: companion("sources", order.sources.as_ref()),
            sow: companion("sow", order.sow.as_ref()),
            outcomes: companion("outcomes", order.outcomes.as_ref()),
            index_base: order.item.as_ref().and_then(|item| item.index_base),
            format_in: order.item.as_ref().and_then(|item| item.format.clone()),
            ..self.inputs.clone()
        })
    }

    /// The bank that an order holds, if it is one.
    fn bank(&self, order: &Order) -> Result<Option<BankFile>, Rejection> {
        let path = PathBuf::from(path_of(order)?);
        let inspector = self.inputs(order)?.inspector().map_err(invalid)?;
        let bytes = content(order, &path, &inspector)?;
        Ok(BankFile::of(&inspector, &path, bytes))
    }

    /// Why a document is no bank: what is wrong with it, or that it is something else.
    fn no_bank(&self, order: &Order) -> Result<Rejection, Rejection> {
        let path = PathBuf::from(path_of(order)?);
        let inspector = self.inputs(order)?.inspector().map_err(invalid)?;
        let bytes = content(order, &path, &inspector)?;
        Ok(Rejection::Invalid(match inspector.parse(&path, bytes) {
            Err(error) => format!("document: {error}"),
            Ok(_) => {
                "document: not a bank of items; submit a single document to /v1/runs".to_owned()
            }
        }))
    }

    /// A name for a bank that has none; its ending tells the form.
    fn unnamed(&self, bytes: &[u8]) -> Result<&'static str, Rejection> {
        let limits = self.inputs.inspector().map_err(invalid)?.config.limits();
        let archive = redraft_banks::unpack(bytes, limits.bank.max(limits.document));
        let archive = archive.map_err(|error| Rejection::Invalid(format!("document: {error}")))?;
        let first = bytes.trim_ascii_start().first();
        Ok(match archive.map(|archive| archive.kind) {
            Some(ArchiveKind::Workbook) => "bank.xlsx",
            Some(ArchiveKind::Package) => "bank.zip",
            None if matches!(first, Some(b'[' | b'{')) => "bank.json",
            None => "bank.txt",
        })
    }

    fn inspect(&self, order: &Order) -> Result<Inspection, Rejection> {
        let name = path_of(order)?;
        let inputs = self.inputs(order)?;
        let inspector = inputs.inspector().map_err(invalid)?;
        let path = PathBuf::from(&name);
        let bytes = content(order, &path, &inspector)?;
        let most = inspector.config.limits().document;
        if bytes.len() as u64 > most {
            return Err(Rejection::Invalid(format!(
                "document: {} bytes, but the limit is {most}; the operator sets it with `max-input-bytes`",
                bytes.len()
            )));
        }
        let file = inspector
            .inspect(&path, bytes.clone())
            .map_err(|error| Rejection::Invalid(format!("document: {error}")))?;
        Ok(Inspection {
            name,
            path,
            bytes,
            inputs,
            inspector,
            file,
        })
    }

    fn assigned(
        &self,
        goal: Goal,
        inspection: &Inspection,
        settings: &Settings,
    ) -> Result<AssignedModels, Rejection> {
        if goal == Goal::Free {
            return Ok(AssignedModels::default());
        }
        let Some(models) = &self.models else {
            return Err(no_models());
        };
        let language = inspection.file.inspected.document.language();
        let mut assigned = models
            .assigned_with(goal, language, &settings.models)
            .map_err(|error| Rejection::NotConfigured(format!("{error:#}")))?;
        tenant::spend_less(&mut assigned.limits, &settings.budgets);
        Ok(assigned)
    }

    fn record(
        &self,
        order: &Order,
        settings: &Settings,
        inspection: &Inspection,
    ) -> Result<Record, Rejection> {
        let profile = inspection.file.profile;
        let (goal, mode) = (goal(order.goal), mode(order.mode));
        let assigned = self.assigned(goal, inspection, settings)?;
        let told = |error: anyhow::Error| Rejection::NotConfigured(format!("{error:#}"));
        let layers = Layers {
            rubric: session::rubric(&inspection.inspector, profile, None).map_err(told)?,
            policy: session::policy(&inspection.inspector, profile, mode, None).map_err(told)?,
            order: order.policy.clone(),
        };
        let (mut policy, rubric) = tenant::applied(&layers, mode, settings)?;
        let is_plain = layers.policy == policy && layers.rubric == rubric;
        policy.repair.edit_form = policy.repair.edit_form.or(assigned.edit_form);
        let mut seats = assigned.seats;
        seats.retain(|seat| seat.role != Role::Solver || policy.solve);
        let names = setup::judges(&seats).map(ModelSettings::name);
        let tests = self.judge_results.tests(names, profile.id().0, || {
            Ok(JudgeQuestions::of(profile, &rubric)?.prompts().to_owned())
        });
        Ok(Record {
            layers: (!is_plain).then_some(layers),
            attended: false,
            path: inspection.path.clone(),
            bytes: inspection.bytes.clone(),
            given: inspection.inputs.clone(),
            profile: profile.id().0.to_owned(),
            goal,
            mode,
            policy,
            models: KnownModels {
                tests: tests.map_err(told)?,
                local: assigned.local,
            },
            rubric,
            seats,
            unnamed: assigned.unnamed,
            limits: assigned.limits,
            require_judged: false,
            feedback_language: None,
            self_preference: assigned.self_preference,
        })
    }
}

/// A document that was read.
struct Inspection {
    name: String,
    path: PathBuf,
    bytes: Vec<u8>,
    inputs: Inputs,
    inspector: Inspector,
    file: FileInspection,
}

impl Workshop for ConfiguredWorkshop {
    fn check_settings(&self, settings: &Settings) -> Result<(), Rejection> {
        let models = self.models.as_ref().unwrap_or(&self.without_models);
        tenant::check(settings, models)
    }

    fn prepare(
        &self,
        order: &Order,
        settings: &Settings,
        run: &str,
        now: Time,
    ) -> Result<Prepared, Rejection> {
        match (order.goal, order.is_empty(), &order.spec) {
            (OrderGoal::Write, _, None) => {
                return Err(Rejection::Invalid(
                    "spec: goal `write` needs a specification".to_owned(),
                ));
            }
            (OrderGoal::Write, false, _) => {
                return Err(Rejection::Invalid(
                    "document: goal `write` makes a new one; leave it out".to_owned(),
                ));
            }
            (OrderGoal::Check | OrderGoal::Judge | OrderGoal::Refine, true, _) => {
                return Err(Rejection::Invalid("document: missing or empty".to_owned()));
            }
            _ => {}
        }
        let is_judged = matches!(order.goal, OrderGoal::Judge | OrderGoal::Refine);
        if is_judged
            && order.item.is_none()
            && let Some(bank) = self.bank(order)?
        {
            return Err(Rejection::Invalid(format!(
                "document: a bank of {}; submit it to /v1/banks, which gives each item a run of its own",
                counted(bank.len(), "item")
            )));
        }
        let inspection = self.inspect(order)?;
        let record = self.record(order, settings, &inspection)?;
        let prepared = prepared(&record, run, now).map_err(invalid)?;
        Ok(Prepared {
            name: inspection.name,
            ..prepared
        })
    }

    fn items(&self, order: &Order) -> Result<Vec<Order>, Rejection> {
        let named = Order {
            name: Some(match &order.name {
                Some(name) => name.clone(),
                None => self.unnamed(&order.bytes()?)?.to_owned(),
            }),
            ..order.clone()
        };
        let Some(bank) = self.bank(&named)? else {
            return Err(self.no_bank(&named)?);
        };
        let inspector = self.inputs(&named)?.inspector().map_err(invalid)?;
        if let Some(trouble) = bank.trouble(&inspector) {
            return Err(Rejection::Invalid(format!("document: {trouble}")));
        }
        let given = bank.inputs_of_items(&Inputs::default());
        let items = bank.inputs().map(|input| {
            let path = input.path.to_string_lossy();
            let id = item_path::item(&path).unwrap_or_default();
            Ok(Order {
                document: String::from_utf8(input.bytes).map_err(|error| invalid(error.into()))?,
                document_base64: None,
                profile: given.profile.clone(),
                item: Some(BankItem {
                    id: id.to_owned(),
                    index_base: given.index_base,
                    format: given.format_in.clone(),
                }),
                ..named.clone()
            })
        });
        items.collect()
    }

    fn prepare_again(
        &self,
        header: &Header,
        blobs: &BTreeMap<String, Vec<u8>>,
        settings: &Settings,
        (run, now): (&str, Time),
    ) -> Result<Prepared, Rejection> {
        let told = |error: anyhow::Error| Rejection::NotConfigured(format!("{error:#}"));
        let mut record = restored(header, blobs).map_err(told)?;
        if record.goal != Goal::Free {
            let models = self.models.as_ref().ok_or_else(no_models)?;
            let today = models.assigned(record.goal, None).map_err(told)?.limits;
            tenant::spend_no_more(&mut record.limits, today);
            tenant::spend_less(&mut record.limits, &settings.budgets);
        }
        prepared(&record, run, now).map_err(told)
    }

    fn template(&self, cards: &[u8], form: RowForm) -> Result<String, Rejection> {
        let row = match form {
            RowForm::Json => store::plain_row(cards),
            RowForm::Appwrite => store::packed_row(cards, &RowDefaults::default()),
        };
        row.map_err(|error| Rejection::Invalid(error.to_string()))
    }

    fn assemble(
        &self,
        name: &str,
        bank: Vec<u8>,
        outcomes: &[(String, String)],
        taken: TakenItems,
    ) -> Result<Assembled, Rejection> {
        assembling::assembled(&self.inputs, (name, bank), outcomes, taken)
            .map_err(|error| Rejection::NotConfigured(format!("{error:#}")))
    }

    fn machine(
        &self,
        header: &Header,
        blobs: &BTreeMap<String, Vec<u8>>,
    ) -> Result<Run, Rejection> {
        let made = || {
            let record = restored(header, blobs)?;
            anyhow::Ok(Run::new(record.setup(&header.run)?, header.started))
        };
        made().map_err(|error| Rejection::NotConfigured(format!("{error:#}")))
    }

    fn sections(
        &self,
        header: &Header,
        blobs: &BTreeMap<String, Vec<u8>>,
        text: Vec<u8>,
    ) -> Result<Vec<Section>, Rejection> {
        let run = self.machine(header, blobs)?;
        let inspected = run.setup().inspector.inspect(text);
        let document = &inspected.document;
        let components = document.components();
        let section = |component: &Component| {
            let span = document.span(component.range.clone());
            let parent = component.parent.and_then(|index| components.get(index));
            Section {
                id: component.id.0.clone(),
                kind: component.kind.name().to_owned(),
                title: component.title.clone(),
                parent: parent.map(|parent| parent.id.0.clone()),
                start: span.start,
                end: span.end,
            }
        };
        Ok(components.iter().map(section).collect())
    }

    fn machine_under(
        &self,
        header: &Header,
        blobs: &BTreeMap<String, Vec<u8>>,
        settings: &Settings,
    ) -> Result<Run, Rejection> {
        let told = |error: anyhow::Error| Rejection::NotConfigured(format!("{error:#}"));
        let mut record = restored(header, blobs).map_err(told)?;
        // A run that nobody overrode anything for has what the operator set.
        let layers = record.layers.take().unwrap_or_else(|| Layers {
            policy: record.policy.clone(),
            rubric: record.rubric.clone(),
            order: None,
        });
        let edit_form = record.policy.repair.edit_form;
        (record.policy, record.rubric) = tenant::applied(&layers, record.mode, settings)?;
        record.policy.repair.edit_form = record.policy.repair.edit_form.or(edit_form);
        let setup = record.setup(&header.run).map_err(told)?;
        Ok(Run::new(setup, header.started))
    }

    fn defaults(&self) -> Result<Vec<ProfileDefaults>, Rejection> {
        let told = |error: anyhow::Error| Rejection::NotConfigured(format!("{error:#}"));
        let inspector = self.inputs.inspector().map_err(told)?;
        let share = |score: Score| f64::from(score.thousandths()) / 1_000.0;
        let modes = [OrderMode::SemiAuto, OrderMode::FullAuto];
        let all = registry::PROFILES
            .iter()
            .flat_map(|profile| modes.map(|mode| (*profile, mode)));
        all.map(|(profile, of)| {
            let policy = session::policy(&inspector, profile, mode(of), None).map_err(told)?;
            let rubric = session::rubric(&inspector, profile, None).map_err(told)?;
            let criteria = rubric.criteria.iter();
            let sum: u32 = criteria.clone().map(|criterion| criterion.weight).sum();
            let weight = |weight: u32| f64::from(weight) / f64::from(sum.max(1));
            Ok(ProfileDefaults {
                profile: profile.id().0.to_owned(),
                mode: of,
                accept: share(policy.accept),
                good_enough: policy.good_enough.as_ref().map(|enough| share(enough.from)),
                rounds: policy.repair.iterations,
                weights: criteria
                    .map(|one| (one.name.clone(), weight(one.weight)))
                    .collect(),
            })
        })
        .collect()
    }

    fn models(&self, settings: &Settings) -> Result<(Vec<ModelInfo>, Vec<String>), Rejection> {
        let models = self.models.as_ref().ok_or_else(no_models)?;
        let offered = models.offered().into_iter().map(str::to_owned).collect();
        let assigned = models.assigned_with(Goal::Refine, None, &settings.models);
        let listed = assigned.and_then(|all| judges::listed(&all.seats, &self.judge_results));
        let listed = listed.map_err(|error| Rejection::NotConfigured(format!("{error:#}")))?;
        Ok((listed, offered))
    }

    fn test_judges(&self, profile: &str) -> Result<Vec<JudgeTestInfo>, Rejection> {
        let models = self.models.as_ref().ok_or_else(no_models)?;
        let Some(profile) = registry::profile(profile) else {
            return Err(unknown_profile());
        };
        let assigned = models.assigned(Goal::Judge, None);
        let tested = assigned
            .and_then(|all| judges::tested(profile, &all.seats, models, &self.judge_results));
        tested.map_err(|error| Rejection::NotConfigured(format!("{error:#}")))
    }

    fn check(&self, order: &Order) -> Result<Value, Rejection> {
        Ok(self.checked(order)?.report)
    }

    fn checked(&self, order: &Order) -> Result<Checked, Rejection> {
        let mut inspection = self.inspect(order)?;
        let honoured = inspection.inspector.config.ignore_comments();
        inspection.inspector.ignore_comments = honoured;
        let inspector = &inspection.inspector;
        let file = inspector
            .inspect(&inspection.path, inspection.bytes.clone())
            .map_err(|error| Rejection::Invalid(format!("document: {error}")))?;
        let subject = check_report::Subject {
            path: &inspection.name,
            profile: file.profile,
            companions: &inspector.companions,
            detail: Detail::Full,
        };
        let mut report = check_report::document(&subject, &file.inspected);
        report.ignore_comments =
            check_report::ignore_comments(&file.inspected.document, &file.unheeded);
        let Inspected { document, findings } = &file.inspected;
        let sheet = Sheet::of(&inspection.name, document, findings, Use::Alone);
        report.bank = sheet
            .filter(|sheet| sheet.is_list)
            .map(|sheet| bank::report(&inspection.name, &sheet, file.parameters()));
        let report = serde_json::to_value(&report)
            .map_err(|error| Rejection::NotConfigured(error.to_string()))?;
        Ok(Checked {
            profile: file.profile.id().0,
            inspected: file.inspected,
            report,
            items: self.bank(order)?.map(|bank| bank.len()),
            can_judge: self.models.is_some(),
            name: inspection.name,
        })
    }

    fn model(&self) -> Arc<dyn Model> {
        let models = self.models.as_ref().unwrap_or(&self.without_models);
        Arc::clone(&models.model)
    }
}

fn unknown_profile() -> Rejection {
    let known: Vec<&str> = registry::PROFILES
        .iter()
        .map(|profile| profile.id().0)
        .collect();
    Rejection::Invalid(format!("profile: expected one of {}", known.join(", ")))
}

fn no_models() -> Rejection {
    Rejection::NotConfigured(
        "no model is configured; the operator configures models in redraft.toml. Without a model: goal `check`"
            .to_owned(),
    )
}

/// A record as the store keeps it: the document and the companions apart.
pub(super) fn prepared(record: &Record, run: &str, started: Time) -> anyhow::Result<Prepared> {
    let mut companions = Vec::new();
    let mut header = record.header_with(run, started, &mut |bytes| {
        let blob = Blob::of(bytes);
        let hash = blob.hash.clone();
        companions.push(blob);
        Ok(hash)
    })?;
    let document = Blob::of(&record.bytes);
    header.setup["bytes"] = json!({ HASH: document.hash });
    Ok(Prepared {
        profile: record.profile.clone(),
        name: path_text(&record.path),
        header,
        document,
        companions,
    })
}

/// The record of a run in the store.
pub(super) fn restored(
    header: &Header,
    blobs: &BTreeMap<String, Vec<u8>>,
) -> anyhow::Result<Record> {
    let load = |hash: &str| {
        let bytes = blobs.get(hash).cloned();
        bytes.with_context(|| format!("blob {hash} is missing"))
    };
    let mut header = header.clone();
    if let Some(hash) = header.setup["bytes"].get(HASH).and_then(Value::as_str) {
        let bytes = load(hash)?;
        header.setup["bytes"] = bytes_json::serialize(&bytes, serde_json::value::Serializer)?;
    }
    Record::with_blobs(&header, &load)
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it is passed to map_err by name"
)]
fn invalid(error: anyhow::Error) -> Rejection {
    Rejection::Invalid(format!("{error:#}"))
}

fn goal(goal: OrderGoal) -> Goal {
    match goal {
        OrderGoal::Check => Goal::Free,
        OrderGoal::Judge => Goal::Judge,
        OrderGoal::Refine => Goal::Refine,
        OrderGoal::Write => Goal::Write,
    }
}

fn mode(mode: OrderMode) -> Mode {
    match mode {
        OrderMode::FullAuto => Mode::FullAuto,
        OrderMode::SemiAuto => Mode::SemiAuto,
    }
}

/// The path of a document: its name, and which item of a bank it is.
fn path_of(order: &Order) -> Result<String, Rejection> {
    let name = name(order)?;
    Ok(match &order.item {
        Some(item) => format!("{name}#{}", item.id),
        None => name,
    })
}

/// The name of a document: a relative path, which the configuration may have settings
/// for. It opens no file.
fn name(order: &Order) -> Result<String, Rejection> {
    let name = order.name.clone().unwrap_or_else(|| "document".to_owned());
    let is_plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    let is_odd = |char: char| char.is_control() || "#\\".contains(char);
    if name.len() > 200 || name.contains(is_odd) || !name.split('/').all(is_plain) {
        return Err(Rejection::Invalid(
            "name: expected a file name such as photosynthesis.md, of up to 200 characters"
                .to_owned(),
        ));
    }
    Ok(name)
}

/// The content of an order's document: of a package its questions, of a workbook its table.
fn content(order: &Order, path: &Path, inspector: &Inspector) -> Result<Vec<u8>, Rejection> {
    let bytes = order.bytes()?;
    let unpacked = files::unpacked(path, &bytes, &inspector.config.limits());
    let unpacked = unpacked.map_err(|error| Rejection::Invalid(format!("document: {error}")))?;
    Ok(unpacked.unwrap_or(bytes))
}

/// A companion of an order: the text of a JSON string, or JSON.
fn companion(name: &str, value: Option<&Value>) -> Option<Companion> {
    let (extension, text) = match value? {
        Value::Null => return None,
        Value::String(text) => ("txt", text.clone()),
        value => ("json", value.to_string()),
    };
    Some(Companion::new(
        format!("{name}.{extension}"),
        text.into_bytes(),
    ))
}
