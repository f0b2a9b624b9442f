//! What `judge`, `refine` and `write` share: many texts, one run after another or several at
//! once, each with a journal. A single run is driven in [`driving`].

mod driving;
mod resumed;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use redraft_engine::clock::SystemClock;
use redraft_engine::driver::{DriverContext, PATCHERS_IN_FLIGHT, Unattended};
use redraft_engine::verdicts::UserKey;
use redraft_run::event::Event;
use redraft_run::policy::{Mode, Policy};
use redraft_run::profile::Profile;
use redraft_run::rubric::Rubric;
use redraft_run::setup::Goal;
use redraft_text::language::Language;
use tokio::sync::{Semaphore, watch};
use tokio::task::{JoinSet, LocalSet};

use super::bank::{self, BankFile, TakenItems};
use super::board::Board;
use super::done::Done;
use super::events::EventStream;
use super::inputs::{Choice, Inputs};
use super::jobs::{Job, JobResult};
use super::journals;
use super::model_source::ModelSource;
use super::options::Format;
use super::output::{self, complain};
use super::policy_overlay;
use super::reviewer::{self, Reviewer};
use super::run_options::RunOptions;
use super::solver;
use super::unread;
use crate::config::languages;
use crate::files::{self, ContentFile, Gathered};
use crate::inspection::{Inspector, path_text};
use crate::seed_files;
use crate::user_key::{self, KeyError};
use redraft_report::progress;
use redraft_report::seeds;

/// What a command has a session do.
pub(super) struct Assignment<'a> {
    pub(super) goal: Goal,
    pub(super) options: &'a RunOptions,
    pub(super) models: ModelSource,
    /// Who decides when a text is not accepted.
    pub(super) review: Review,
    pub(super) events: Rc<EventStream>,
    /// The repaired items that are put into their banks.
    pub(super) taken: TakenItems,
}

/// Whether a reviewer at the terminal decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Review {
    Attended,
    Unattended,
}

impl Review {
    /// What the options of a command that changes texts ask for.
    pub(super) fn of(options: &RunOptions) -> Self {
        match reviewer::is_asked(options) {
            true => Self::Attended,
            false => Self::Unattended,
        }
    }
}

/// How many asks of a run are open at once.
const IN_FLIGHT: usize = 8;

/// How many documents go through batches at once.
const MOST_IN_BATCHES: usize = 1_000;

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
    events: Rc<EventStream>,
    review: Review,
    reviewer: Reviewer,
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

/// Runs a session to its end.
pub(super) fn run(
    assignment: Assignment<'_>,
    on_result: OnResult<'_>,
) -> anyhow::Result<Vec<JobResult>> {
    let Assignment {
        goal,
        options,
        models,
        review,
        events,
        taken,
    } = assignment;
    let feedback_language = options
        .judging
        .feedback_language
        .as_deref()
        .map(|tag| languages::language(tag).map_err(|why| anyhow!("--feedback-language: {why}")))
        .transpose()?;
    if options.batch {
        complain(
            "note: models are asked in batches, which may take a day; after an interruption, continue with --batch --continue",
        );
    }
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
            human: Arc::new(Unattended),
            in_flight: IN_FLIGHT,
            patchers_in_flight: if options.batch {
                IN_FLIGHT
            } else {
                PATCHERS_IN_FLIGHT
            },
        },
        models,
        taken,
        done: done.map(|key| Done::beside_journals(runs, key.clone())),
        events,
        review,
        reviewer: Reviewer::new(stop.clone()),
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
                output::freeze_screen();
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
            return self.resumed(run, on_result).await;
        }
        let inputs = Rc::new(Inputs::read(&self.options.common, Choice::default())?);
        inputs.complain_of_companions(&inputs.inspector()?.config);
        let (jobs, banks, mut unread) = self.jobs(&inputs)?;
        for result in &mut unread {
            on_result(result)?;
        }
        let is_one = jobs.len() == 1 && unread.is_empty();
        let prefixes = prefixes(&jobs);
        let paths: Vec<String> = jobs.iter().map(|job| path_text(job.path())).collect();
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
                Err(error) if is_one && !self.reports_failures() => return Err(error),
                Err(error) => JobResult::Failed {
                    path: paths.get(index).cloned().unwrap_or_default(),
                    message: format!("{error:#}"),
                },
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

    /// Whether the report has a place for a document that failed, also if it is the only one.
    fn reports_failures(&self) -> bool {
        matches!(
            self.options.common.format,
            Format::Sarif | Format::Junit | Format::Markdown
        )
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
        let troubles = banks.iter().filter_map(|bank| {
            Some(JobResult::Failed {
                path: path_text(&bank.path),
                message: bank.trouble(&inspector)?,
            })
        });
        unread.extend(troubles);
        for note in banks.iter().filter_map(BankFile::not_judged) {
            complain(&note);
        }
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
        // A batch takes the asks of all documents that wait.
        let at_once = match self.options.batch {
            true => self.options.concurrency.max(MOST_IN_BATCHES),
            false => self.options.concurrency.max(1),
        };
        let slots = Rc::new(Semaphore::new(at_once));
        let mut tasks = JoinSet::new();
        let mut indexes = HashMap::new();
        for (index, job) in jobs.into_iter().enumerate() {
            let of_bank = job.bank().and_then(|bank| for_items.get(bank));
            let inputs = Rc::clone(of_bank.unwrap_or(inputs));
            let (session, slots, board) = (Rc::clone(&self), Rc::clone(&slots), Rc::clone(board));
            let task = tasks.spawn_local(async move {
                // The semaphore is never closed.
                let _slot = slots.acquire().await;
                let path = path_text(job.path());
                if *session.interrupted.borrow() {
                    return Ok(JobResult::NotStarted { path });
                }
                let mut line = board.start(&path);
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
    let text = std::fs::read_to_string(path).with_context(|| files::cannot_read(path))?;
    redraft_profiles::rubric_file::read(&text).with_context(|| path.display().to_string())
}

/// Removes what killed programs left beside the journals.
fn clean_up(runs: &Path) {
    for folder in ["", "blobs", "verdicts", "done"] {
        files::clean_up(&runs.join(folder));
    }
}

/// Called with each event of a run.
pub(super) type Observe<'a> = &'a mut dyn FnMut(&Event);

type Tasks = JoinSet<anyhow::Result<JobResult>>;

/// What the names of the seed-shaped files of each job begin with.
fn prefixes(jobs: &[Job]) -> Vec<Option<String>> {
    let paths: Vec<&Path> = jobs.iter().map(Job::path).collect();
    seeds::prefixes(&paths)
}
