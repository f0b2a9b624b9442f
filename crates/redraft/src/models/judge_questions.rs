//! What a judge is asked in its test: both texts of every pair of a profile, with the
//! real prompt of a judge. It asks nobody.

use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::reading::{self, Hint};
use redraft_gate::score::Score;
use redraft_gate::source::Source;
use redraft_profiles::judge_pairs::{self, PairText};
use redraft_profiles::registry;
use redraft_run::ask::{Ask, AskId, ModelSettings, PreparedPrompt, Reply, Role, Tokens};
use redraft_run::cascade;
use redraft_run::profile::Profile;
use redraft_run::request::{PromptRequest, Task};
use redraft_run::rubric::Rubric;
use redraft_run::verdict::{self, Judge, Question};
use sha2::{Digest as _, Sha256};

/// The pairs of a profile as a judge is asked about them.
#[derive(Debug)]
pub struct JudgeQuestions {
    profile: &'static dyn Profile,
    rubric: Rubric,
    pairs: Vec<PairQuestions>,
    prompts: String,
}

#[derive(Debug)]
struct PairQuestions {
    id: String,
    good: TextQuestion,
    bad: TextQuestion,
}

#[derive(Debug)]
struct TextQuestion {
    document: Document,
    prepared: PreparedPrompt,
}

/// A text of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairSide {
    Good,
    Bad,
}

impl JudgeQuestions {
    /// # Errors
    /// If a prompt cannot be written: an internal error.
    pub fn of(profile: &'static dyn Profile, rubric: &Rubric) -> anyhow::Result<Self> {
        let pairs = judge_pairs::of_profile(profile.id().0)
            .with_context(|| format!("the judge test of {}", profile.id().0))?;
        let pairs = pairs
            .into_iter()
            .map(|pair| {
                anyhow::Ok(PairQuestions {
                    good: TextQuestion::of(profile, rubric, &pair.good)?,
                    bad: TextQuestion::of(profile, rubric, &pair.bad)?,
                    id: pair.id,
                })
            })
            .collect::<anyhow::Result<Vec<PairQuestions>>>()?;
        Ok(Self {
            profile,
            rubric: rubric.clone(),
            prompts: hash(&pairs),
            pairs,
        })
    }

    #[must_use]
    pub fn profile(&self) -> &'static str {
        self.profile.id().0
    }

    /// A hash of everything that is asked, so that an older result shows as stale.
    #[must_use]
    pub fn prompts(&self) -> &str {
        &self.prompts
    }

    /// The ids of the pairs.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.pairs.iter().map(|pair| pair.id.as_str())
    }

    #[must_use]
    pub fn calls(&self) -> u64 {
        self.pairs.len() as u64 * 2
    }

    /// The most tokens that asking a model takes.
    #[must_use]
    pub fn worst(&self, model: &ModelSettings) -> Tokens {
        let of = |pair: &PairQuestions| pair.good.prepared.tokens + pair.bad.prepared.tokens;
        Tokens {
            input: self.pairs.iter().map(of).sum(),
            output: self.calls() * u64::from(model.max_tokens),
            ..Tokens::default()
        }
    }

    /// A question to a model, by the index of its pair.
    #[must_use]
    pub fn ask(
        &self,
        (pair, side): (usize, PairSide),
        (role, model): (Role, &ModelSettings),
    ) -> Option<Ask> {
        let pair = self.pairs.get(pair)?;
        let question = pair.side(side);
        let prepared = &question.prepared;
        Some(Ask {
            id: AskId(format!(
                "judge-test/{}/{}/{}/try1",
                model.name(),
                pair.id,
                side.name()
            )),
            role,
            model: model.clone(),
            prompt: Arc::clone(&prepared.prompt),
            schema: prepared.schema.clone(),
            content: question.document.source().version(),
            fingerprint: prepared.fingerprint(role, model),
            reserved: Tokens {
                input: prepared.tokens,
                output: u64::from(model.max_tokens),
                ..Tokens::default()
            },
            not_before: None,
        })
    }

    /// The overall score in a reply, read as a run reads it; the error says why there is
    /// none.
    ///
    /// # Errors
    /// If the reply contains no verdict that counts.
    pub fn score(
        &self,
        (pair, side): (usize, PairSide),
        (role, model): (Role, &ModelSettings),
        reply: &Reply,
    ) -> Result<Score, String> {
        let pair = self.pairs.get(pair).ok_or("no such pair")?;
        let question = Question {
            document: &pair.side(side).document,
            rubric: &self.rubric,
            judge: &Judge::new(role, model),
            has_sources: false,
        };
        let verdict = verdict::read(&question, reply).map_err(|unscored| unscored.message)?;
        cascade::overall(&verdict, &self.rubric)
            .ok_or_else(|| "the rubric weighs nothing".to_owned())
    }
}

impl PairQuestions {
    fn side(&self, side: PairSide) -> &TextQuestion {
        match side {
            PairSide::Good => &self.good,
            PairSide::Bad => &self.bad,
        }
    }
}

impl PairSide {
    const fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
        }
    }
}

impl TextQuestion {
    fn of(profile: &dyn Profile, rubric: &Rubric, text: &PairText) -> anyhow::Result<Self> {
        let hint = match text {
            PairText::Words(_) => Hint::Markdown,
            PairText::Json(_) => Hint::Json,
        };
        let raw = reading::read_with(Source::new(text.bytes()), hint, &registry::shapes());
        let document = profile.parse(raw, None);
        let prompt = profile
            .render(&PromptRequest {
                document: &document,
                companions: &Companions::default(),
                rubric,
                task: Task::Judge { flagged: &[] },
                feedback_language: None,
                complaint: None,
            })
            .map_err(|error| anyhow!(error))?;
        let schema = verdict::schema(rubric, &Companions::default());
        Ok(Self {
            prepared: PreparedPrompt::new(Arc::new(prompt), Some(schema)),
            document,
        })
    }
}

fn hash(pairs: &[PairQuestions]) -> String {
    // The fingerprint of a prompt depends on a model, too; any will do.
    let nobody = ModelSettings::scripted("", 0);
    let mut hash = Sha256::new();
    for question in pairs.iter().flat_map(|pair| [&pair.good, &pair.bad]) {
        let fingerprint = question.prepared.fingerprint(Role::JudgeSecondary, &nobody);
        hash.update(fingerprint.0.as_bytes());
    }
    let bytes = hash.finalize();
    bytes
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
