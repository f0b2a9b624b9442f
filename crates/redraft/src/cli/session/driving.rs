//! One run of a session: the text of a job is read, its run set up, resumed or found done,
//! and driven to its end.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use redraft_engine::driver::{self, DriveError};
use redraft_engine::journal::{Journal, Recorded};
use redraft_report::fallbacks::FallbackRecorder;
use redraft_report::judge_report::{Judged, Undisputed};
use redraft_report::progress;
use redraft_report::seeds::{Seed, SeedContext};
use redraft_run::ask::{ModelSettings, Role};
use redraft_run::event::Event;
use redraft_run::judge_test::JudgeTest;
use redraft_run::policy::Mode;
use redraft_run::profile::Profile;
use redraft_run::rubric::Rubric;
use redraft_run::run::Run;
use redraft_run::setup::{self, Goal, KnownModels, Seat};

use super::{EventLog, Observe, Review, Session, policy, rubric};
use crate::cli::ended::ended;
use crate::cli::inputs::Inputs;
use crate::cli::jobs::{Job, JobInput, JobResult};
use crate::cli::journals;
use crate::cli::output::{self, complain, shown};
use crate::cli::record::Record;
use crate::cli::unread::{self, Reason};
use crate::files::{self, Limits};
use crate::inspection::{FileInspection, Inspector, file_of, path_text};
use crate::models::judge_questions::JudgeQuestions;
use crate::models::judge_results::JudgeResults;

/// A run that is ready to be driven, or to be resumed.
struct Prepared {
    run: Run,
    journal: Journal,
    recorded: Recorded,
    /// The path of the document, as it is shown.
    path: String,
    journal_path: PathBuf,
}

impl Session {
    /// Reads the text of a job and runs it, or lists it as not read.
    pub(super) async fn read_and_run(
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
            layers: None,
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
            attended: self.review == Review::Attended,
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
    pub(super) async fn resume(
        &self,
        run: &Path,
        observe: Observe<'_>,
    ) -> anyhow::Result<JobResult> {
        let journal_path = journals::find(run, &self.options.judging.runs)?;
        let key = self.key.as_ref().map_err(|error| {
            anyhow!("a run cannot be resumed without the key that sealed its journal: {error}")
        })?;
        let read = Journal::read_for(&journal_path, Some(key));
        let (header, recorded) = read.map_err(journals::with_hint)?;
        if recorded.outcome.is_some() {
            return Ok(ended(&journal_path, &header, &recorded)?.into());
        }
        // What was read before the journal was locked may be out of date.
        let (journal, header, recorded) = Journal::resume_for(&journal_path, Some(key))?;
        if recorded.outcome.is_some() {
            return Ok(ended(&journal_path, &header, &recorded)?.into());
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
            tell_if_changed(&record, self.goal);
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
            && let Some(human) = self.reviewer.of_text(&record.path)
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
            Err(DriveError::Interrupted) => Ok(JobResult::Interrupted {
                path,
                journal: journal_path,
            }),
            Err(error) => Err(error.into()),
        }
    }
}

/// Tells that a run is resumed about a text that the file does not have any more.
fn tell_if_changed(record: &Record, goal: Goal) {
    let path = record.path.as_path();
    // An item is compared when it is put into its bank; a written text had no file.
    if goal == Goal::Write || output::is_stdout(path) || file_of(path) != path {
        return;
    }
    let now = files::content(path, &Limits::UNLIMITED);
    let what = match now {
        Ok(bytes) if bytes == record.bytes => return,
        Ok(_) => "has changed on disk",
        Err(_) => "cannot be read any more",
    };
    complain(&format!(
        "note: {} {what}; the result is about the text as it was when this run began",
        shown(path)
    ));
}
