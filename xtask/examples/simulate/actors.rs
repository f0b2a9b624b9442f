//! The models of the simulated world. Each reads its prompt, as a real one would,
//! knows the truth about the text in it, and answers in the form that is asked for:
//! with noise, with mistakes, and now and then badly.
//!
//! | role | answers |
//! |---|---|
//! | judge | the true score of each criterion, its own bias and noise on top; issues with quotes, some missed, some invented |
//! | patcher, section expander | mend what is named with a probability by criterion, sometimes break something else |
//! | delta judge | the truth about each issue, with mistakes |
//! | writers | a new text with defects of its own |
//!
//! Nobody here sees the run: what an actor answers follows from its prompt, its
//! name and the seed.

mod form;
mod judges;
mod prompt;
mod repairers;
mod writers;

use redraft_run::ask::{Ask, CallFailure, Finish, Reply, Role};

use crate::craft::{Hardship, Subject};
use crate::dice::Dice;
use crate::world::{Found, Truth, defects};
use prompt::block;

/// How well the actors act. All figures are assumptions but those of issue 10.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skill {
    /// Noise of a judge's score by one criterion (issue 10).
    pub(crate) noise: f64,
    /// How far the two judges of a panel lie apart (issue 10).
    pub(crate) bias: f64,
    /// How often a judge does not name a minor, a major, a critical defect.
    pub(crate) misses: [f64; 3],
    /// How often a judge takes a defect for a step graver or lighter.
    pub(crate) misrates: f64,
    /// How often a reading invents a minor and a major issue.
    pub(crate) invents: [f64; 2],
    /// How often a judge is of medium and of low confidence.
    pub(crate) unsure: [f64; 2],
    /// What is added to every success of a repair.
    pub(crate) better: f64,
    /// How often a repair breaks something else (issue 10).
    pub(crate) breaks: f64,
    /// How often a repairer answers badly.
    pub(crate) bad_repairs: f64,
    /// How often anybody else answers out of form, and how often a call fails.
    pub(crate) bad_form: f64,
    pub(crate) fails: f64,
    /// How often the delta judge lets a defect pass, and refuses a good repair.
    pub(crate) delta: [f64; 2],
    /// As if a repair were kept that mends one of its issues: the delta judge then
    /// says yes to the others, too.
    pub(crate) keeps_partial: bool,
}

pub(crate) const SKILL: Skill = Skill {
    noise: 0.03,
    bias: 0.04,
    misses: [0.30, 0.10, 0.03],
    misrates: 0.10,
    invents: [0.12, 0.03],
    unsure: [0.18, 0.02],
    better: 0.0,
    breaks: 0.08,
    bad_repairs: 0.04,
    bad_form: 0.01,
    fails: 0.005,
    delta: [0.08, 0.05],
    keeps_partial: false,
};

/// The models of one document.
pub(crate) struct Cast<'a> {
    pub(crate) seed: u64,
    /// The name of the document.
    pub(crate) name: String,
    pub(crate) order: usize,
    pub(crate) subject: &'a Subject<'a>,
    pub(crate) hardship: Hardship,
    pub(crate) skill: Skill,
}

impl Cast<'_> {
    /// What a model answers.
    pub(crate) fn answer(&self, ask: &Ask) -> Result<Reply, CallFailure> {
        let mut luck = self.dice("luck", &ask.id.0);
        if luck.happens(self.skill.fails) {
            return Err(form::failed());
        }
        let is_repair = matches!(ask.role, Role::Patcher | Role::SectionExpander);
        let (text, finish) = if is_repair && luck.happens(self.skill.bad_repairs) {
            self.bad_repair(&mut luck, ask)
        } else if !is_repair && luck.happens(self.skill.bad_form) {
            (form::CHAT.to_owned(), Finish::Stop)
        } else {
            (self.good_answer(ask), Finish::Stop)
        };
        Ok(form::reply(ask, text, finish))
    }

    /// The truth about the text that a judge is shown.
    pub(crate) fn truth_of_prompt(&self, ask: &Ask) -> Truth {
        self.subject.truth(block(&ask.prompt.user, "text"))
    }

    fn good_answer(&self, ask: &Ask) -> String {
        match ask.role {
            Role::SelfReviewer => self.review(ask),
            Role::JudgePrimary | Role::JudgeSecondary | Role::JudgeTiebreaker => self.judge(ask),
            Role::Patcher | Role::SectionExpander => self.repair(ask),
            Role::DeltaJudge => self.delta(ask),
            Role::Planner => form::plan(self.order),
            Role::Expander => self.write_part(ask),
            Role::Author => self.write_whole(ask),
            Role::Smoother | Role::Arbiter | Role::Solver => form::CONTENT.to_owned(),
        }
    }

    fn dice(&self, what: &str, about: &str) -> Dice {
        Dice::new(self.seed, &[&self.name, what, about])
    }

    fn found(&self, text: &str) -> Vec<Found> {
        defects(self.subject.craft.kinds(), text)
    }
}
