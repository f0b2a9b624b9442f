//! What `judge`, `refine` and `write` share: one run after another or several at once,
//! each with a journal, and resuming interrupted runs.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail};
use redraft_engine::clock::SystemClock;
use redraft_engine::driver::{self, DriveError, DriverContext, Human, Unattended};
use redraft_engine::journal::{Header, Journal, Recorded};
use redraft_engine::replay::{self, Replayed};
use redraft_engine::verdicts::UserKey;
use redraft_run::ask::{ModelSettings, Role};
use redraft_run::event::Event;
use redraft_run::judge_test::JudgeTest;
use redraft_run::policy::{Mode, Policy};
use redraft_run::profile::Profile;
use redraft_run::rubric::Rubric;
use redraft_run::run::Run;
use redraft_run::setup::{self, Goal, KnownModels, Seat};
use redraft_text::language::Language;
use tokio::sync::{Semaphore, watch};
use tokio::task::{JoinSet, LocalSet};

use super::bank::{self, BankFile, TakenItems};
use super::board::Board;
use super::done::Done;
use super::events::EventStream;
use super::inputs::{Choice, Inputs};
use super::jobs::{Job, JobInput, JobResult};
use super::journals;
use super::model_source::ModelSource;
use super::output::{self, complain, shown};
use super::policy_overlay;
use super::record::Record;
use super::reviewer;
use super::run_options::RunOptions;
use super::solver;
use super::unread::{self, Reason};
use crate::config::languages;
use crate::files::{self, ContentFile, Gathered};
use crate::inspection::{FileInspection, Inspector, path_text};
use crate::models::judge_questions::JudgeQuestions;
use crate::models::judge_results::JudgeResults;
use crate::seed_files;
use crate::user_key::{self, KeyError};
use redraft_report::fallbacks::FallbackRecorder;
use redraft_report::judge_report::{Judged, Undisputed};
use redraft_report::progress;
use redraft_report::seeds::{self, Seed, SeedContext};

/// What a command has a session do.
pub(super) struct Assignment<'a> {
    pub(super) goal: Goal,
    pub(super) options: &'a RunOptions,
    pub(super) models: ModelSource,
    /// Who decides when a text is not accepted, if the user can be asked.
    pub(super) human: Option<Arc<dyn Human>>,
    /// The repaired items that are put into their banks.
    pub(super) taken: TakenItems,
}

/// Called with each result as soon as it is there.
pub(super) type OnResult<'a> = &'a mut dyn FnMut(&mut JobResult) -> anyhow::Result<()>;

/// Runs over documents, under one set of options.
pub(super) struct Session {
    goal: Goal,
    options: RunOptions,
    hands: DriverContext,
    models: ModelSource,
    taken: TakenItems,
    /// The key of the user, or why there is none.
    key: Result<UserKey, KeyError>,
    /// Texts that earlier runs accepted.
    done: Option<Done>,
    events: EventStream,
    /// Whether a reviewer at the terminal decides.
    attended: bool,
    feedback_language: Option<Language>,
    interrupted: watch::Receiver<bool>,
    /// Journals of earlier runs that `--continue` goes on with.
    earlier: BTreeMap<(PathBuf, String), PathBuf>,
    /// Hashes of what judges are asked in their tests, by profile and rubric.
    judge_prompts: RefCell<BTreeMap<String, String>>,
}

/// Whether the events of a run are printed while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EventLog {
    Printed,
    Hidden,
}

/// A run that is ready to be driven, or to be resumed.
struct Prepared {
    run: Run,
    journal: Journal,
    recorded: Recorded,
    /// The path of the document, as it is shown.
    path: String,
    journal_path: PathBuf,
}

/// Runs a session to its end.
pub(super) fn run(
    assignment: Assignment<'_>,
    on_result: OnResult<'_>,
) -> anyhow::Result<Vec<JobResult>> {
    let Assignment {
        goal,
        options,
        models,
        human,
        taken,
    } = assignment;
    let feedback_language = options
        .judging
        .feedback_language
        .as_deref()
        .map(|tag| languages::language(tag).map_err(|why| anyhow!("--feedback-language: {why}")))
        .transpose()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the asynchronous runtime")?;
    let (stop, interrupted) = watch::channel(false);
    let key = user_key::of_process();
    let runs = &options.judging.runs;
    clean_up(runs);
    let remembers = options.judging.script.is_none() && options.judging.play.is_none();
    let done = key.as_ref().ok().filter(|_| remembers);
    let session = Rc::new(Session {
        goal,
        options: options.clone(),
        hands: DriverContext {
            model: Arc::clone(&models.model),
            clock: Arc::new(SystemClock),
            human: human.clone().unwrap_or_else(|| Arc::new(Unattended)),
            in_flight: 8,
        },
        models,
        taken,
        done: done.map(|key| Done::beside_journals(runs, key.clone())),
        events: EventStream::open(options.judging.events.as_deref())?,
        attended: human.is_some(),
        feedback_language,
        interrupted,
        earlier: if options.go_on {
            journals::earlier(runs, key.as_ref().ok())
        } else {
            BTreeMap::new()
        },
        key,
        judge_prompts: RefCell::default(),
    });
    let local = LocalSet::new();
    let working = Rc::clone(&session);
    let results = local.block_on(&runtime, async move {
        tokio::task::spawn_local(async move {
            // Where signals are not supported, the session cannot be interrupted.
            if tokio::signal::ctrl_c().await.is_ok() {
                let _ = stop.send(true);
            }
            std::future::pending::<()>().await;
        });
        working.all(on_result).await
    });
    // A reviewer who was interrupted leaves a thread that waits for their answer.
    runtime.shutdown_background();
    if let Some(error) = session.models.recording_error() {
        complain(&error);
    }
    for note in session.models.reuse_notes() {
        complain(&note);
    }
    results
}

impl Session {
    async fn all(self: Rc<Self>, on_result: OnResult<'_>) -> anyhow::Result<Vec<JobResult>> {
        if let Some(run) = &self.options.resume {
            let mut result = self.resume(run, &mut |_| {}).await?;
            self.write_seed(&result, None)?;
            on_result(&mut result)?;
            return Ok(vec![result]);
        }
        let inputs = Rc::new(Inputs::read(&self.options.common, Choice::default())?);
        inputs.complain_of_companions(&inputs.inspector()?.config);
        let (jobs, banks, mut unread) = self.jobs(&inputs)?;
        for result in &mut unread {
            on_result(result)?;
        }
        let is_one = jobs.len() == 1 && unread.is_empty();
        let prefixes = prefixes(&jobs);
        let bank_of: Vec<Option<usize>> = jobs.iter().map(Job::bank).collect();
        let board = Rc::new(Board::new(jobs.len(), self.options.common.quiet));
        let (mut tasks, indexes) = Rc::clone(&self).spawn(jobs, (&inputs, &banks), &board);
        let mut open: Vec<usize> = banks.iter().map(BankFile::len).collect();
        let mut all = Vec::new();
        // In the order in which they are done.
        while let Some(joined) = tasks.join_next_with_id().await {
            let (id, result) = match joined {
                Ok((id, result)) => (id, result),
                Err(error) => (
                    error.id(),
                    Err(anyhow!("internal error, please report it: {error}")),
                ),
            };
            let index = indexes.get(&id).copied().unwrap_or_default();
            let mut result = match result {
                Ok(result) => result,
                Err(error) if is_one => return Err(error),
                Err(error) => JobResult::Failed(format!("{error:#}")),
            };
            board.done(&result);
            let bank = bank_of.get(index).copied().flatten();
            let prefix = |index: usize| prefixes.get(index).and_then(Option::as_deref);
            if bank.is_none() || !solver::waits(&result) {
                self.write_seed(&result, prefix(index))?;
                on_result(&mut result)?;
            }
            all.push((index, result));
            let Some(bank) = bank else {
                continue;
            };
            let (Some(file), Some(left)) = (banks.get(bank), open.get_mut(bank)) else {
                continue;
            };
            *left = left.saturating_sub(1);
            if *left > 0 {
                continue;
            }
            let is_its = |index: usize| bank_of.get(index).copied().flatten() == Some(bank);
            let waiting =
                |(index, result): &(usize, JobResult)| is_its(*index) && solver::waits(result);
            let waited: Vec<usize> = all
                .iter()
                .filter(|one| waiting(one))
                .map(|one| one.0)
                .collect();
            let solved = solver::settle(&path_text(&file.path), &mut all, is_its);
            for (index, result) in &mut all {
                if waited.contains(index) {
                    self.write_seed(result, prefix(*index))?;
                    on_result(result)?;
                }
            }
            let last = bank_of
                .iter()
                .rposition(|of| *of == Some(bank))
                .unwrap_or(index);
            all.extend(solved.map(|solver| (last, JobResult::Solver(solver))));
            let wanted = (self.goal, self.taken);
            if let Some(mut result) = file.result(wanted, &inputs, &mut all, is_its)? {
                on_result(&mut result)?;
                // After its last item.
                all.push((last, result));
            }
        }
        board.finish();
        all.sort_by_key(|(index, _)| *index);
        let results = all.into_iter().map(|(_, result)| result);
        Ok(unread.into_iter().chain(results).collect())
    }

    /// The jobs that the options ask for, the banks that their items belong to, and what
    /// was not read.
    fn jobs(&self, inputs: &Inputs) -> anyhow::Result<(Vec<Job>, Vec<BankFile>, Vec<JobResult>)> {
        if self.goal == Goal::Write {
            // The path only says what the new text is called.
            let paths = self.options.paths.iter();
            let jobs = paths.map(|path| Job::File(ContentFile::named(path), Some(Vec::new())));
            return Ok((jobs.collect(), Vec::new(), Vec::new()));
        }
        let inspector = inputs.inspector()?;
        let config = &inspector.config;
        let Gathered { files, unread } =
            files::gather(&self.options.paths, config, &inputs.paths())?;
        let unread = unread.into_iter();
        let mut unread: Vec<JobResult> = unread
            .map(|file| JobResult::Skipped(unread::skipped(config, &file.path, file.reason)))
            .collect();
        let (jobs, banks) = bank::split(self.goal, &inspector, files)?;
        let troubles = banks.iter().filter_map(BankFile::trouble);
        unread.extend(troubles.map(JobResult::Failed));
        Ok((jobs, banks, unread))
    }

    /// Starts every job as a task; tells their indexes by the ids of the tasks.
    fn spawn(
        self: Rc<Self>,
        jobs: Vec<Job>,
        (inputs, banks): (&Rc<Inputs>, &[BankFile]),
        board: &Rc<Board>,
    ) -> (Tasks, HashMap<tokio::task::Id, usize>) {
        let banks = banks.iter();
        let for_items: Vec<Rc<Inputs>> = banks
            .map(|bank| Rc::new(bank.inputs_of_items(inputs)))
            .collect();
        let events = if jobs.len() == 1 {
            EventLog::Printed
        } else {
            EventLog::Hidden
        };
        let slots = Rc::new(Semaphore::new(self.options.concurrency.max(1)));
        let mut tasks = JoinSet::new();
        let mut indexes = HashMap::new();
        for (index, job) in jobs.into_iter().enumerate() {
            let of_bank = job.bank().and_then(|bank| for_items.get(bank));
            let inputs = Rc::clone(of_bank.unwrap_or(inputs));
            let (session, slots, board) = (Rc::clone(&self), Rc::clone(&slots), Rc::clone(board));
            let task = tasks.spawn_local(async move {
                // The semaphore is never closed.
                let _slot = slots.acquire().await;
                if *session.interrupted.borrow() {
                    return Ok(JobResult::NotStarted);
                }
                let mut line = board.start(&path_text(job.path()));
                let shows = session.shows(events);
                let mut observe = |event: &Event| {
                    line.event(event);
                    if shows && let Some(line) = progress::line(event) {
                        output::tell(&line);
                    }
                };
                session.read_and_run(&inputs, job, &mut observe).await
            });
            indexes.insert(task.id(), index);
        }
        (tasks, indexes)
    }

    /// Writes the seed-shaped results where the user wants them.
    fn write_seed(&self, result: &JobResult, prefix: Option<&str>) -> anyhow::Result<()> {
        if let (Some(folder), JobResult::Judged(one)) = (&self.options.judging.seed_report, result)
        {
            seed_files::write(&one.seed, folder, prefix)?;
        }
        Ok(())
    }

    /// Whether the events of a run are printed: on a terminal, for a run that is alone.
    fn shows(&self, events: EventLog) -> bool {
        events == EventLog::Printed && !self.options.common.quiet && io::stderr().is_terminal()
    }

    /// Reads the text of a job and runs it, or lists it as not read.
    async fn read_and_run(
        &self,
        inputs: &Inputs,
        job: Job,
        observe: Observe<'_>,
    ) -> anyhow::Result<JobResult> {
        let inspector = inputs.inspector()?;
        let (path, is_named) = (job.path().to_owned(), job.is_named());
        let read = job.read(&inspector.config.limits());
        let inspected = read.map_err(Reason::Read).and_then(|input| {
            let inspection = inspector.inspect(&input.path, input.bytes.clone());
            Ok((input, inspection.map_err(Reason::Content)?))
        });
        match inspected {
            Ok((input, inspection)) => {
                let context = (inputs, &inspector);
                self.one(context, input, inspection, observe).await
            }
            Err(reason)
                if reason.is_refusal() && (!is_named || self.options.files.skip_unknown) =>
            {
                let reason = reason.in_short();
                let skipped = unread::skipped(&inspector.config, &path, reason);
                Ok(JobResult::Skipped(skipped))
            }
            Err(reason) => bail!(reason.sentence(&path)),
        }
    }

    /// Runs one job.
    async fn one(
        &self,
        (inputs, inspector): (&Inputs, &Inspector),
        input: JobInput,
        inspection: FileInspection,
        observe: Observe<'_>,
    ) -> anyhow::Result<JobResult> {
        let options = &self.options;
        let path = path_text(&input.path);
        let bytes = input.bytes;
        let profile = inspection.profile;
        let mode = options.judging.mode.map(Mode::from).unwrap_or_default();
        let language = inspection.inspected.document.language();
        let assigned = self.models.assigned(self.goal, language)?;
        let mut policy = policy(inspector, profile, mode, options.judging.policy.as_deref())?;
        let repair = &mut policy.repair;
        repair.edit_form = repair.edit_form.or(assigned.edit_form);
        let rubric = rubric(inspector, profile, options.judging.rubric.as_deref())?;
        let mut seats = assigned.seats;
        seats.retain(|seat| seat.role != Role::Solver || policy.solve);
        let record = Record {
            path: input.path.clone(),
            bytes,
            given: inputs.clone(),
            profile: profile.id().0.to_owned(),
            goal: self.goal,
            mode,
            policy,
            models: KnownModels {
                tests: self.judge_tests(profile, &rubric, &seats)?,
                local: assigned.local,
            },
            rubric,
            seats,
            unnamed: assigned.unnamed,
            limits: assigned.limits,
            require_judged: options.judging.require_judged,
            feedback_language: self.feedback_language.map(|language| language.to_string()),
            self_preference: assigned.self_preference,
            attended: self.attended,
        };
        if let Some(journal) = self.earlier.get(&(input.path.clone(), record.key()?)) {
            return self.resume(journal, observe).await;
        }
        let version = inspection.inspected.document.source().version();
        if let Some(done) = self.done.as_ref().filter(|_| self.goal == Goal::Refine)
            && !options.judging.fresh
            && let Some(judged) = done.find(&record, version)
        {
            return Ok(JobResult::Judged(Box::new(judged)));
        }
        let started = self.hands.clock.now();
        let new = journals::create(
            &options.judging.runs,
            &record,
            started,
            &version.to_string(),
            self.key.as_ref().ok(),
        )?;
        let setup = record.setup_of(&new.run, inspector, inspection)?;
        let prepared = Prepared {
            run: Run::new(setup, started),
            journal: new.journal,
            recorded: Recorded::default(),
            path,
            journal_path: new.path,
        };
        let result = self.drive(prepared, &record, observe).await?;
        Ok(result.with_original(record.bytes))
    }

    /// How the judges did in their tests, where they were tested.
    fn judge_tests(
        &self,
        profile: &'static dyn Profile,
        rubric: &Rubric,
        seats: &[Seat],
    ) -> anyhow::Result<BTreeMap<String, JudgeTest>> {
        let names = setup::judges(seats).map(ModelSettings::name);
        let results = JudgeResults::beside(&self.options.judging.runs);
        results.tests(names, profile.id().0, || {
            let key = format!("{} {}", profile.id().0, serde_json::to_string(rubric)?);
            if let Some(prompts) = self.judge_prompts.borrow().get(&key) {
                return Ok(prompts.clone());
            }
            let prompts = JudgeQuestions::of(profile, rubric)?.prompts().to_owned();
            self.judge_prompts.borrow_mut().insert(key, prompts.clone());
            Ok(prompts)
        })
    }

    /// Goes on with a run, or tells again how it ended.
    async fn resume(&self, run: &Path, observe: Observe<'_>) -> anyhow::Result<JobResult> {
        let journal_path = journals::find(run, &self.options.judging.runs)?;
        let key = self.key.as_ref().map_err(|error| {
            anyhow!("a run cannot be resumed without the key that sealed its journal: {error}")
        })?;
        let (header, recorded) = Journal::read_for(&journal_path, Some(key))?;
        if recorded.outcome.is_some() {
            return ended(&journal_path, &header, &recorded);
        }
        // What was read before the journal was locked may be out of date.
        let (journal, header, recorded) = Journal::resume_for(&journal_path, Some(key))?;
        if recorded.outcome.is_some() {
            return ended(&journal_path, &header, &recorded);
        }
        if recorded.was_torn {
            complain(&format!(
                "{}: the last line is incomplete and will be rewritten",
                shown(&journal_path)
            ));
        }
        let record = Record::of(&header, &journal_path)?;
        let prepared = Prepared {
            run: Run::new(record.setup(&header.run)?, header.started),
            journal,
            recorded,
            path: path_text(&record.path),
            journal_path,
        };
        let result = if self.options.resume.is_some() {
            let shows = self.shows(EventLog::Printed);
            let mut printed = |event: &Event| {
                if shows && let Some(line) = progress::line(event) {
                    output::tell(&line);
                }
            };
            self.drive(prepared, &record, &mut printed).await?
        } else {
            self.drive(prepared, &record, observe).await?
        };
        Ok(result.with_original(record.bytes))
    }

    async fn drive(
        &self,
        prepared: Prepared,
        record: &Record,
        observe: Observe<'_>,
    ) -> anyhow::Result<JobResult> {
        let Prepared {
            run,
            journal,
            recorded,
            path,
            journal_path,
        } = prepared;
        let name = run.setup().id.clone();
        let solver = run.setup().policy.solver;
        let ground = SeedContext::of(run.setup());
        let mut fallbacks = FallbackRecorder::of(run.setup());
        let mut observe = |event: &Event| {
            fallbacks.record(event);
            self.events.send(&name, &path, event);
            observe(event);
        };
        let mut hands = self.hands.clone();
        // Who was asked before is asked again.
        if record.attended
            && let Some(human) = reviewer::reviewer(&record.path)
        {
            hands.human = human;
        }
        let mut interrupted = self.interrupted.clone();
        let interrupt = async move {
            if interrupted.wait_for(|stop| *stop).await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        match driver::drive(run, journal, recorded, &hands, &mut observe, interrupt).await {
            Ok(outcome) => {
                if let Some(done) = &self.done {
                    done.remember(record, &name, &outcome);
                }
                Ok(JobResult::Judged(Box::new(Judged {
                    path,
                    run: name,
                    journal: path_text(&journal_path),
                    saved: None,
                    already_done: None,
                    original: Vec::new(),
                    seed: Seed::of(&outcome, &ground),
                    undisputed: Undisputed::of(&outcome, &ground),
                    solver,
                    fallbacks: fallbacks.finish(),
                    outcome,
                })))
            }
            Err(DriveError::Interrupted) => Ok(JobResult::Interrupted(journal_path)),
            Err(error) => Err(error.into()),
        }
    }
}

/// The profile's policy, with what the configuration and `--policy` change.
pub(super) fn policy(
    inspector: &Inspector,
    profile: &dyn Profile,
    mode: Mode,
    overlay: Option<&Path>,
) -> anyhow::Result<Policy> {
    let mut policy = profile.decision(mode).clone();
    inspector.config.institution().decide(profile, &mut policy);
    inspector.config.judging().decide(&mut policy);
    match overlay {
        Some(path) => policy_overlay::overlay(&policy, mode, path),
        None => Ok(policy),
    }
}

/// The rubric of `--rubric`, or the profile's with the configured weights.
pub(super) fn rubric(
    inspector: &Inspector,
    profile: &dyn Profile,
    named: Option<&Path>,
) -> anyhow::Result<Rubric> {
    let Some(path) = named else {
        let mut rubric = profile.rubric().clone();
        inspector.config.institution().weigh(profile, &mut rubric);
        return Ok(rubric);
    };
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    redraft_profiles::rubric_file::read(&text).with_context(|| path.display().to_string())
}

/// How a finished run ended, decided again from its journal; no model is asked.
fn ended(journal: &Path, header: &Header, recorded: &Recorded) -> anyhow::Result<JobResult> {
    let record = Record::of(header, journal)?;
    let run = Run::new(record.setup(&header.run)?, header.started);
    let ground = SeedContext::of(run.setup());
    let solver = run.setup().policy.solver;
    let mut fallbacks = FallbackRecorder::of(run.setup());
    let (Replayed::Outcome(outcome), events) = replay::replay(run, recorded)? else {
        bail!(
            "{}: the run is over, but this program would have gone on; use the program that recorded it, or run the command again",
            shown(journal)
        );
    };
    events.iter().for_each(|event| fallbacks.record(event));
    Ok(JobResult::Judged(Box::new(Judged {
        path: path_text(&record.path),
        run: header.run.clone(),
        journal: path_text(journal),
        saved: None,
        already_done: None,
        original: record.bytes,
        seed: Seed::of(&outcome, &ground),
        undisputed: Undisputed::of(&outcome, &ground),
        solver,
        fallbacks: fallbacks.finish(),
        outcome: *outcome,
    })))
}

/// Removes what killed programs left beside the journals.
fn clean_up(runs: &Path) {
    for folder in ["", "blobs", "verdicts", "done"] {
        files::clean_up(&runs.join(folder));
    }
}

/// Told of each event of a run.
type Observe<'a> = &'a mut dyn FnMut(&Event);

type Tasks = JoinSet<anyhow::Result<JobResult>>;

/// What the names of the seed-shaped files of each job begin with.
fn prefixes(jobs: &[Job]) -> Vec<Option<String>> {
    let paths: Vec<&Path> = jobs.iter().map(Job::path).collect();
    seeds::prefixes(&paths)
}
