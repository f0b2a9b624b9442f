//! What `judge` and `refine` share: who is asked, where the journals lie, one run
//! after another or many side by side, and going on with what was interrupted.

use std::collections::BTreeMap;
use std::future::Future as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use redraft_engine::clock::SystemClock;
use redraft_engine::driver::{self, DriveError, Hands, Human, Nobody};
use redraft_engine::journal::{Journal, Recorded};
use redraft_engine::replay::{self, Replayed};
use redraft_run::ask::Time;
use redraft_run::decide::QualityStatus;
use redraft_run::event::Event;
use redraft_run::ledger::Dollars;
use redraft_run::outcome::{Outcome, Status};
use redraft_run::policy::Mode;
use redraft_run::run::Run;
use redraft_run::setup::Goal;
use redraft_run::verdict::Reason;
use redraft_text::language::Language;
use tokio::sync::{Semaphore, watch};
use tokio::task::LocalSet;

use super::Exit;
use super::bank::BankFile;
use super::check::shown;
use super::desk::Given;
use super::record::{self, Record};
use super::run_options::RunOptions;
use super::staff::Staff;
use super::work::{self, Piece, Work};
use crate::files::{self, Input};
use crate::inspection::Unreadable;
use crate::seed_files;
use redraft_report::moment;
use redraft_report::seated::Listener;
use redraft_report::seeds::{self, Ground, Seed};
use redraft_report::verdict::{self, BankReport, Judged};

/// How a document ended.
pub(super) enum Ended {
    /// With an outcome.
    Judged(Box<Judged>),
    /// The user stopped; here is the journal.
    Interrupted(PathBuf),
    /// The user stopped before its turn had come.
    NotBegun,
    /// It could not be read, or its run broke.
    Failed(String),
    /// A bank, after all its items.
    Bank(Box<BankReport>),
    /// A bank whose items did not all come to their end.
    Unfinished {
        bank: PathBuf,
        done: usize,
        items: usize,
        interrupted: bool,
    },
}

impl Ended {
    fn with_original(mut self, bytes: Vec<u8>) -> Self {
        if let Self::Judged(one) = &mut self {
            one.original = bytes;
        }
        self
    }
}

/// Runs over documents, under one set of options.
pub(super) struct Session {
    goal: Goal,
    options: RunOptions,
    hands: Hands,
    staff: Staff,
    feedback_language: Option<Language>,
    interrupted: watch::Receiver<bool>,
    /// Earlier runs by what they rest on.
    earlier: BTreeMap<(PathBuf, String), PathBuf>,
}

impl Session {
    /// Works on everything that the options name. `ready` is told of each document
    /// as soon as it is done.
    pub(super) fn run(
        goal: Goal,
        options: &RunOptions,
        staff: Staff,
        human: Option<Arc<dyn Human>>,
        ready: &mut dyn FnMut(&Ended) -> anyhow::Result<()>,
    ) -> anyhow::Result<Vec<Ended>> {
        let feedback_language = options
            .terms
            .feedback_language
            .as_deref()
            .map(|tag| {
                Language::parse(tag).with_context(|| {
                    format!("`{tag}` is no language; write a tag such as en, ru or zh-CN")
                })
            })
            .transpose()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start")?;
        let (tell, interrupted) = watch::channel(false);
        let session = Rc::new(Self {
            goal,
            options: options.clone(),
            hands: Hands {
                model: Arc::clone(&staff.model),
                clock: Arc::new(SystemClock),
                human: human.unwrap_or_else(|| Arc::new(Nobody)),
                in_flight: 8,
            },
            staff,
            feedback_language,
            interrupted,
            earlier: if options.go_on {
                earlier(&options.terms.runs)
            } else {
                BTreeMap::new()
            },
        });
        let local = LocalSet::new();
        let working = Rc::clone(&session);
        let ended = local.block_on(&runtime, async move {
            tokio::task::spawn_local(async move {
                // Where signals cannot be heard, nobody interrupts.
                if tokio::signal::ctrl_c().await.is_ok() {
                    let _ = tell.send(true);
                }
                std::future::pending::<()>().await;
            });
            working.all(ready).await
        });
        if let Some(trouble) = session.staff.trouble() {
            writeln!(anstream::stderr(), "redraft: {trouble}")?;
        }
        ended
    }

    async fn all(
        self: Rc<Self>,
        ready: &mut dyn FnMut(&Ended) -> anyhow::Result<()>,
    ) -> anyhow::Result<Vec<Ended>> {
        if let Some(run) = &self.options.resume {
            let ended = self.resume(run).await?;
            self.keep_seed(&ended, None)?;
            ready(&ended)?;
            return Ok(vec![ended]);
        }
        let given = Rc::new(Given::read(&self.options.common, &[], &[])?);
        let (work, banks) = match self.goal {
            // Nothing comes in: the path only says what the text would be called.
            Goal::Write => {
                let inputs = self.options.paths.iter().map(|path| unwritten(path));
                let work = inputs.map(|input| Work::File(input, Some(Vec::new())));
                (work.collect(), Vec::new())
            }
            _ => {
                let inputs = files::gather(&self.options.paths, &given.inspector()?.config)?;
                work::split(self.goal, &given.inspector()?, inputs)?
            }
        };
        let is_one = work.len() == 1;
        let paths: Vec<PathBuf> = work.iter().map(|piece| piece.path().to_owned()).collect();
        let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let prefixes = seeds::prefixes(&paths);
        let bar = self.bar(work.len());
        let of_item = Rc::new(Given {
            profile: Some("clinical-mcq".to_owned()),
            ..(*given).clone()
        });
        let places = Rc::new(Semaphore::new(self.options.concurrency.max(1)));
        let mut handles = Vec::new();
        let mut whose = Vec::new();
        for piece in work {
            whose.push(piece.bank());
            let given = match piece.bank() {
                Some(_) => &of_item,
                None => &given,
            };
            let (session, given, places) = (Rc::clone(&self), Rc::clone(given), Rc::clone(&places));
            let bar = bar.clone();
            handles.push(tokio::task::spawn_local(async move {
                // The semaphore is never closed.
                let _place = places.acquire().await;
                let ended = match piece.read() {
                    _ if *session.interrupted.borrow() => Ok(Some(Ended::NotBegun)),
                    Ok(piece) => session.one(&given, piece, is_one).await,
                    Err(error) => Err(error),
                };
                bar.inc(1);
                ended
            }));
        }
        let mut open: Vec<usize> = banks.iter().map(BankFile::len).collect();
        let mut all = Vec::new();
        let (mut failed, mut cost) = (0u32, 0u64);
        let mut waiting: Vec<_> = handles.into_iter().map(Some).collect();
        // In the order in which they are done.
        while waiting.iter().any(Option::is_some) {
            let (index, joined) = next_of(&mut waiting).await;
            let ended = match joined {
                Ok(Ok(Some(ended))) => ended,
                Ok(Ok(None)) => continue,
                Ok(Err(error)) if is_one => return Err(error),
                Ok(Err(error)) => Ended::Failed(format!("{error:#}")),
                Err(error) => Ended::Failed(format!("a run broke off: {error}")),
            };
            match &ended {
                Ended::Bank(_) => {}
                Ended::Judged(one) => {
                    let spent = one.outcome.spent.values();
                    cost += spent.map(|spent| spent.cost_micros).sum::<u64>();
                    failed += u32::from(exit(&one.outcome) != Exit::Clean);
                }
                _ => failed += 1,
            }
            bar.set_message(format!("{failed} not accepted, ${}", Dollars(cost)));
            self.keep_seed(&ended, prefixes.get(index).and_then(Option::as_deref))?;
            ready(&ended)?;
            all.push((index, ended));
            let Some(bank) = whose.get(index).copied().flatten() else {
                continue;
            };
            let (Some(file), Some(left)) = (banks.get(bank), open.get_mut(bank)) else {
                continue;
            };
            *left = left.saturating_sub(1);
            if *left == 0
                && let Some(ended) = work::bank_done(self.goal, &given, file, &mut all, |index| {
                    whose.get(index).copied().flatten() == Some(bank)
                })?
            {
                ready(&ended)?;
                // Behind its last item.
                let last = whose.iter().rposition(|whose| *whose == Some(bank));
                all.push((last.unwrap_or(index), ended));
            }
        }
        bar.finish_and_clear();
        all.sort_by_key(|(index, _)| *index);
        Ok(all.into_iter().map(|(_, ended)| ended).collect())
    }

    /// Writes the shapes of the seeds where the user wants them.
    fn keep_seed(&self, ended: &Ended, prefix: Option<&str>) -> anyhow::Result<()> {
        if let (Some(folder), Ended::Judged(one)) = (&self.options.terms.seed_report, ended) {
            seed_files::write(&one.seed, folder, prefix)?;
        }
        Ok(())
    }

    /// A progress bar, on a terminal and for several documents.
    fn bar(&self, documents: usize) -> ProgressBar {
        let shows = documents > 1 && !self.options.common.quiet && io::stderr().is_terminal();
        let target = if shows {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(documents as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len}  {msg}  {elapsed}") {
            bar.set_style(style);
        }
        bar
    }

    async fn one(
        &self,
        given: &Given,
        input: Piece,
        is_one: bool,
    ) -> anyhow::Result<Option<Ended>> {
        let options = &self.options;
        let path = shown(&input.path);
        let bytes = input.bytes;
        let inspector = given.inspector()?;
        let inspection = match inspector.inspect(&input.path, bytes.clone()) {
            Ok(inspection) => inspection,
            Err(Unreadable::UnknownKind | Unreadable::Binary) if !input.named => return Ok(None),
            Err(error) => bail!("{path}: {error}"),
        };
        let profile = inspection.profile;
        let mode = options.terms.mode.map(Mode::from).unwrap_or_default();
        let mut policy = profile.decision(mode).clone();
        inspector.config.institution().decide(profile, &mut policy);
        if let Some(path) = &options.terms.policy {
            policy = record::overlay(&policy, path)?;
        }
        let rubric = match &options.terms.rubric {
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                redraft_profiles::rubric_file::read(&text)
                    .with_context(|| path.display().to_string())?
            }
            None => {
                let mut rubric = profile.rubric().clone();
                inspector.config.institution().weigh(profile, &mut rubric);
                rubric
            }
        };
        let language = inspection.inspected.document.language();
        let asked = self.staff.asked(self.goal, language)?;
        let record = Record {
            path: input.path.clone(),
            bytes,
            given: given.clone(),
            profile: profile.id().0.to_owned(),
            goal: self.goal,
            mode,
            policy,
            rubric,
            seats: asked.seats,
            cost_limit: asked.cost_limit,
            require_judged: options.terms.require_judged,
            feedback_language: self.feedback_language.map(|language| language.to_string()),
            self_preference: asked.self_preference,
        };
        if let Some(journal) = self.earlier.get(&(input.path.clone(), record.key()?)) {
            return self.resume(journal).await.map(Some);
        }
        let started = self.hands.clock.now();
        let version = inspection.inspected.document.source().version();
        let (journal, name, at) = self.create(&record, started, &version.to_string())?;
        let setup = record.setup_of(&name, &inspector, inspection)?;
        let run = Run::new(setup, started);
        let ended = self
            .drive(run, journal, Recorded::default(), &path, at, is_one)
            .await?;
        Ok(Some(ended.with_original(record.bytes)))
    }

    async fn resume(&self, run: &Path) -> anyhow::Result<Ended> {
        let at = find(run, &self.options.terms.runs)?;
        let (header, recorded) = Journal::read(&at)?;
        let record = Record::of(&header)?;
        let path = shown(&record.path);
        let machine = Run::new(record.setup(&header.run)?, header.started);
        let ground = Ground::of(machine.setup());
        let mut listener = Listener::of(machine.setup());
        // What came to its end is decided again from the record: nobody is asked.
        if recorded.outcome.is_some()
            && let (Replayed::Outcome(outcome), events) = replay::replay(machine, &recorded)?
        {
            events.iter().for_each(|event| listener.hear(event));
            return Ok(Ended::Judged(Box::new(Judged {
                path,
                run: header.run,
                journal: shown(&at),
                original: record.bytes,
                seed: Seed::of(&outcome, &ground),
                seated: listener.told(),
                outcome: *outcome,
            })));
        }
        let (journal, header, recorded) = Journal::resume(&at)?;
        if recorded.was_torn {
            writeln!(
                anstream::stderr(),
                "redraft: the last line of {} was torn and is written again",
                at.display()
            )?;
        }
        let machine = Run::new(record.setup(&header.run)?, header.started);
        let ended = self
            .drive(machine, journal, recorded, &path, at, true)
            .await?;
        Ok(ended.with_original(record.bytes))
    }

    async fn drive(
        &self,
        run: Run,
        journal: Journal,
        recorded: Recorded,
        path: &str,
        at: PathBuf,
        is_one: bool,
    ) -> anyhow::Result<Ended> {
        let shows = is_one && !self.options.common.quiet && io::stderr().is_terminal();
        let name = run.setup().id.clone();
        let ground = Ground::of(run.setup());
        let mut listener = Listener::of(run.setup());
        let mut observe = |event: &Event| {
            listener.hear(event);
            if shows && let Some(line) = verdict::event(event) {
                let _ = writeln!(anstream::stderr(), "{line}");
            }
        };
        let mut interrupted = self.interrupted.clone();
        let interrupt = async move {
            if interrupted.wait_for(|stop| *stop).await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        match driver::drive(run, journal, recorded, &self.hands, &mut observe, interrupt).await {
            Ok(outcome) => Ok(Ended::Judged(Box::new(Judged {
                path: path.to_owned(),
                run: name,
                journal: shown(&at),
                original: Vec::new(),
                seed: Seed::of(&outcome, &ground),
                seated: listener.told(),
                outcome,
            }))),
            Err(DriveError::Interrupted) => Ok(Ended::Interrupted(at)),
            Err(error) => Err(error.into()),
        }
    }

    /// A journal under a name that is not taken: when, and what about.
    fn create(
        &self,
        record: &Record,
        started: Time,
        version: &str,
    ) -> anyhow::Result<(Journal, String, PathBuf)> {
        const MOST: usize = 1_000;
        let runs = &self.options.terms.runs;
        let stem = format!(
            "{}-{}",
            moment::stamp(started),
            version.get(..8).unwrap_or(version)
        );
        for number in 1..=MOST {
            let name = if number == 1 {
                stem.clone()
            } else {
                format!("{stem}-{number}")
            };
            let at = runs.join(format!("{name}.jsonl"));
            if !at.exists() {
                let journal = Journal::create(&at, &record.header(&name, started)?)?;
                return Ok((journal, name, at));
            }
        }
        bail!("there are too many runs of this text in {}", runs.display())
    }
}

/// The text that is yet to be written.
fn unwritten(path: &Path) -> Input {
    Input {
        path: path.to_owned(),
        named: true,
        folder: None,
    }
}

type Handle = tokio::task::JoinHandle<anyhow::Result<Option<Ended>>>;

/// Waits for the next of several tasks to be done, and takes it out.
async fn next_of(
    waiting: &mut [Option<Handle>],
) -> (
    usize,
    Result<anyhow::Result<Option<Ended>>, tokio::task::JoinError>,
) {
    std::future::poll_fn(|context| {
        for (index, slot) in waiting.iter_mut().enumerate() {
            if let Some(handle) = slot {
                let handle = std::pin::Pin::new(handle);
                if let std::task::Poll::Ready(joined) = handle.poll(context) {
                    *slot = None;
                    return std::task::Poll::Ready((index, joined));
                }
            }
        }
        std::task::Poll::Pending
    })
    .await
}

/// The latest run of every text under every set of settings.
fn earlier(runs: &Path) -> BTreeMap<(PathBuf, String), PathBuf> {
    let mut found = BTreeMap::new();
    let mut journals: Vec<PathBuf> = std::fs::read_dir(runs)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        })
        .collect();
    journals.sort();
    for path in journals {
        let Ok((header, _)) = Journal::read(&path) else {
            continue;
        };
        if let Ok(record) = Record::of(&header)
            && let Ok(key) = record.key()
        {
            found.insert((record.path.clone(), key), path);
        }
    }
    found
}

/// The journal of a run that the user names by its file or its name.
pub(super) fn find(run: &Path, runs: &Path) -> anyhow::Result<PathBuf> {
    let named = runs.join(format!("{}.jsonl", run.display()));
    [run.to_owned(), named]
        .into_iter()
        .find(|path| path.is_file())
        .with_context(|| {
            format!(
                "there is no run {}; runs are kept in {}",
                run.display(),
                runs.display()
            )
        })
}

/// The exit code of an outcome (ruling 43): the outcome first, trouble only where
/// nothing could be scored.
pub(super) fn exit(outcome: &Outcome) -> Exit {
    if let Some(unscored) = &outcome.unscored {
        return match unscored.reason {
            Reason::Unusable if outcome.status != Status::Escalated => Exit::GateFailed,
            Reason::Unusable => Exit::Escalated,
            Reason::OverBudget => Exit::OverBudget,
            Reason::Stopped => Exit::Escalated,
            _ => Exit::ModelTrouble,
        };
    }
    match outcome.status {
        Status::Accepted | Status::AcceptedWarning => Exit::Clean,
        Status::Escalated => Exit::Escalated,
        Status::BestEffort
            if outcome.open_errors > 0
                || outcome.has_open_critical()
                || outcome.quality == QualityStatus::BelowStandard =>
        {
            Exit::GateFailed
        }
        Status::Checked if outcome.open_errors > 0 => Exit::GateFailed,
        Status::BestEffort | Status::Checked => Exit::Clean,
    }
}

/// The exit code of several documents: of the one that most needs to be heard.
pub(super) fn exit_of(ended: &[Ended]) -> Exit {
    let exits: Vec<Exit> = ended
        .iter()
        .map(|one| match one {
            Ended::Judged(one) => exit(&one.outcome),
            Ended::Interrupted(_)
            | Ended::NotBegun
            | Ended::Unfinished {
                interrupted: true, ..
            } => Exit::Interrupted,
            Ended::Failed(_) | Ended::Unfinished { .. } => Exit::Usage,
            Ended::Bank(_) => Exit::Clean,
        })
        .collect();
    [
        Exit::Interrupted,
        Exit::Usage,
        Exit::GateFailed,
        Exit::Escalated,
        Exit::ModelTrouble,
        Exit::OverBudget,
    ]
    .into_iter()
    .find(|exit| exits.contains(exit))
    .unwrap_or(Exit::Clean)
}
