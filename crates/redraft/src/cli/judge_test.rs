//! The judge test of `redraft models --test`: says what it may cost, asks before it
//! spends anything, tells how it goes, and keeps the results.
//!
//! What is ranked is kept at once, so that a test that is broken off goes on where it was.

use std::cell::RefCell;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use indicatif::{ProgressBar, ProgressStyle};
use redraft_engine::clock::{Clock, SystemClock};
use redraft_engine::model::Model;
use redraft_profiles::registry;
use redraft_run::policy::{Mode, Policy};
use redraft_run::profile::Profile;
use redraft_run::setup::Seat;

use super::output::{complain, tell};
use super::policy_overlay;
use crate::config::Config;
use crate::models::judge_listing::{self, JudgeTestReport};
use crate::models::judge_questions::JudgeQuestions;
use crate::models::judge_results::JudgeResults;
use crate::models::judge_test::{self, Asking, Candidate, RankedPair, TestStep, TestedJudge};

/// Whether the user has to be asked before anything is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consent {
    /// `--yes`, or nothing that can cost anything.
    Given,
    Needed,
}

/// The judges of a configuration, to be tested or listed.
#[derive(Clone, Copy)]
pub(super) struct JudgeTesting<'a> {
    pub(super) config: &'a Config,
    /// The profile of the command line.
    pub(super) profile: Option<&'a str>,
    /// The policy file of the command line: how many pairs are needed.
    pub(super) policy: Option<&'a Path>,
    pub(super) runs: &'a Path,
    pub(super) seats: &'a [Seat],
}

impl JudgeTesting<'_> {
    /// What was found out about the judges so far, about every profile.
    pub(super) fn kept(&self) -> anyhow::Result<Vec<JudgeTestReport>> {
        let mut reports = Vec::new();
        for profile in registry::PROFILES {
            let names = judge_test::candidates(self.seats)
                .into_iter()
                .map(|candidate| candidate.model.name());
            let results = JudgeResults::beside(self.runs);
            let tests = results.tests(names, profile.id().0, || {
                Ok(self.questions(*profile)?.prompts().to_owned())
            })?;
            let policy = self.policy(*profile)?;
            reports.extend(tests.into_iter().map(|(model, test)| JudgeTestReport {
                passed: test.passes(&policy),
                needed: policy.judge_test_pairs,
                model,
                profile: profile.id().0,
                test,
            }));
        }
        Ok(reports)
    }

    /// Tests the judges, if the user agrees, and keeps the results; `None` if not.
    pub(super) fn run(
        &self,
        model: &Arc<dyn Model>,
        consent: Consent,
    ) -> anyhow::Result<Option<Vec<TestedJudge>>> {
        let profile = self.profile()?;
        let questions = self.questions(profile)?;
        let candidates = judge_test::candidates(self.seats);
        if candidates.is_empty() {
            return Ok(None);
        }
        let costs = judge_listing::costs(&questions, &candidates);
        io::stderr().write_all(costs.as_bytes())?;
        if consent == Consent::Needed && !agreed()? {
            return Ok(None);
        }
        let tested = self.tested(&questions, &candidates, model)?;
        JudgeResults::beside(self.runs).keep_all(&questions, &tested, SystemClock.now().0)?;
        Ok(Some(tested))
    }

    fn tested(
        &self,
        questions: &JudgeQuestions,
        candidates: &[Candidate],
        model: &Arc<dyn Model>,
    ) -> anyhow::Result<Vec<TestedJudge>> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let results = JudgeResults::beside(self.runs);
        let pairs = questions.ids().count();
        // Shown on a terminal only; local models take minutes.
        let bar = ProgressBar::new((2 * pairs * candidates.len()) as u64);
        let style = "{bar:20} {pos} of at most {len} answers, {elapsed}, {eta} to go";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        let say = |line: &str| bar.suspend(|| tell(line));
        let known = |candidate: &Candidate| {
            let begun = results.begun(questions, candidate);
            if !begun.is_empty() {
                let name = candidate.model.name();
                say(&format!(
                    "{name}: going on with a test that was broken off: {} of {pairs} pairs ranked (delete {} to start again)",
                    begun.len(),
                    results.path_of_begun(&name, questions.profile()).display()
                ));
                bar.inc(2 * begun.len() as u64);
            }
            begun
        };
        let unkept: RefCell<Option<anyhow::Error>> = RefCell::default();
        let progress = |candidate: &Candidate, step: TestStep<'_>| match step {
            TestStep::Good => bar.inc(1),
            TestStep::Pair(ranked) => {
                let now = SystemClock.now().0;
                if let Err(error) = results.keep_begun(questions, candidate, (ranked, now)) {
                    unkept.borrow_mut().get_or_insert(error);
                }
                let Some(last) = ranked.last() else { return };
                bar.inc(if last.good.is_some() { 1 } else { 2 });
                say(&line(candidate, (last, ranked.len(), pairs)));
            }
            TestStep::End { unasked } => bar.inc(2 * unasked as u64),
        };
        let policy = self.policy(self.profile()?)?;
        let asking = Asking {
            known: &known,
            progress: &progress,
            model,
            clock: &clock,
            tries: policy.tries_for_failure,
            needed: policy.judge_test_pairs,
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start the runtime")?;
        bar.tick();
        let tested = runtime.block_on(judge_test::run(questions, candidates, &asking));
        bar.finish_and_clear();
        match unkept.into_inner() {
            Some(error) => Err(error),
            None => Ok(tested),
        }
    }

    /// The profile of the command line, else of the configuration, else lessons.
    pub(super) fn profile(&self) -> anyhow::Result<&'static dyn Profile> {
        let configured = self.config.file().profile.as_deref().map(String::as_str);
        let name = self.profile.or(configured).unwrap_or("lesson");
        registry::profile(name).ok_or_else(|| anyhow!("unknown profile \"{name}\""))
    }

    fn questions(&self, profile: &'static dyn Profile) -> anyhow::Result<JudgeQuestions> {
        let mut rubric = profile.rubric().clone();
        self.config.institution().weigh(profile, &mut rubric);
        JudgeQuestions::of(profile, &rubric)
    }

    fn policy(&self, profile: &'static dyn Profile) -> anyhow::Result<Policy> {
        let mode = Mode::default();
        let shipped = profile.decision(mode);
        match self.policy {
            Some(path) => policy_overlay::overlay(shipped, mode, path),
            None => Ok(shipped.clone()),
        }
    }
}

/// How a pair was ranked, in a line.
fn line(candidate: &Candidate, (pair, number, all): (&RankedPair, usize, usize)) -> String {
    let scores = judge_listing::pair_scores(pair);
    let right = if pair.right { "right" } else { "wrong" };
    let (name, id) = (candidate.model.name(), &pair.id);
    format!("{name}: pair {number} of {all}, {id}: {right} ({scores})")
}

/// Asks the user on a terminal; elsewhere nobody can agree.
fn agreed() -> io::Result<bool> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        complain("the judges were not tested: nobody is there to agree; add --yes to test them");
        return Ok(false);
    }
    write!(anstream::stderr(), "Test the judges? [y/N] ")?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}
