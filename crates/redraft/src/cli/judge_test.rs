//! The judge test of `redraft models --test`: says what it may cost, asks before it
//! spends anything, and keeps the results.

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

use super::output::complain;
use crate::config::Config;
use crate::models::judge_listing::{self, JudgeTestReport};
use crate::models::judge_questions::JudgeQuestions;
use crate::models::judge_results::JudgeResults;
use crate::models::judge_test::{self, Asking, Candidate, TestedJudge};

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
            let policy = self.policy(*profile);
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
        // Shown on a terminal only; local models take minutes.
        let answers = 2 * questions.ids().count() * candidates.len();
        let bar = ProgressBar::new(answers as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos}/{len} answers") {
            bar.set_style(style);
        }
        let progress = |answered: usize| bar.set_position(answered as u64);
        let asking = Asking {
            progress: &progress,
            model,
            clock: &clock,
            tries: self.policy(self.profile()?).tries_for_failure,
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start the runtime")?;
        bar.tick();
        let tested = runtime.block_on(judge_test::run(questions, candidates, &asking));
        bar.finish_and_clear();
        Ok(tested)
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

    fn policy(&self, profile: &'static dyn Profile) -> Policy {
        profile.decision(Mode::default()).clone()
    }
}

/// Asks the user on a terminal; elsewhere nobody can agree.
fn agreed() -> io::Result<bool> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        complain("the judges were not tested; add --yes to spend this");
        return Ok(false);
    }
    write!(anstream::stderr(), "Test the judges? [y/N] ")?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}
