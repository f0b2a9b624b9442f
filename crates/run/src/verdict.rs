//! A judge's verdict on a text.
//!
//! A score only exists inside a [`Verdict`], and a verdict can only be made by reading a judge's
//! reply about one text. There is no other constructor, so no function can invent a score. A reply
//! that cannot be read is [`Unscored`] with a reason, never a pass or a fail (ruling 23).
//!
//! ```compile_fail
//! use redraft_gate::score::Score;
//! use redraft_run::verdict::Awarded;
//! // Only a judge awards a score.
//! let awarded = Awarded { criterion: "coherence".to_owned(), score: Score::ONE, reason: None };
//! ```

mod anchor;
mod credibility;
pub(crate) mod location;
mod read;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ask::{ModelSettings, Role, Tokens};
use crate::fit::InputCut;
use crate::judge_test::JudgeTest;
use crate::rubric::Rubric;
use redraft_gate::score::Score;
use redraft_gate::span::{ComponentId, Version};

pub use crate::unscored::{Reason, Unscored};
pub use anchor::{Occurrence, Quotes};
pub use credibility::Doubt;
pub use read::{NOT_IN_SOURCES, read, schema};

#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Judge {
    /// The seat.
    pub role: Role,
    /// The model on it.
    pub model: String,
    /// How much chance it was allowed, in hundredths.
    pub temperature_hundredths: u16,
    /// Whether a script answered instead of a model.
    pub scripted: bool,
}

impl Judge {
    #[must_use]
    pub fn new(role: Role, model: &ModelSettings) -> Self {
        Self {
            role,
            model: model.name(),
            temperature_hundredths: model.temperature_hundredths,
            scripted: model.is_scripted(),
        }
    }
}

/// How sure a judge is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// A guess.
    Low,
    /// With doubts.
    Medium,
    /// Without.
    High,
}

/// How bad an issue is (seed 002).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum IssueSeverity {
    /// Could be better.
    Minor,
    /// Must be better.
    Major,
    /// Must not be published.
    Critical,
}

/// Something that a judge found wrong.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Issue {
    /// The criterion it speaks to.
    pub criterion: String,
    /// How bad it is.
    pub severity: IssueSeverity,
    /// The component of the text it is about.
    pub location: ComponentId,
    /// The words it is about; `None` where something is missing.
    #[serde(rename = "quoted_text", skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// Whether those words are in the text (ruling 26).
    pub anchor: Anchored,
    /// What is wrong.
    pub description: String,
    /// What to do.
    pub suggested_fix: String,
    /// What the judge holds against the text: a chunk of the sources
    /// (`source_3`), or [`NOT_IN_SOURCES`]; `None` where it was not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl Issue {
    /// Whether `earlier`, an issue about an earlier version, makes the same point about the same
    /// words at least as severely.
    pub(crate) fn is_known_from(&self, earlier: &Self) -> bool {
        let descriptions_agree =
            || anchor::fold(&self.description).text == anchor::fold(&earlier.description).text;
        let is_about_the_same = match (self.folded_quote(), earlier.folded_quote()) {
            (now, then) if now.is_empty() && then.is_empty() => descriptions_agree(),
            (now, then) => now == then,
        };
        self.criterion == earlier.criterion
            && self.location == earlier.location
            && self.severity <= earlier.severity
            && is_about_the_same
    }

    /// Whether both quote the same words.
    pub(crate) fn is_about_the_words_of(&self, other: &Self) -> bool {
        let quote = self.folded_quote();
        !quote.is_empty() && quote == other.folded_quote()
    }

    fn folded_quote(&self) -> String {
        anchor::fold(self.quote.as_deref().unwrap_or_default()).text
    }
}

/// Whether an issue's quote is in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Anchored {
    /// Word for word.
    Exact,
    /// But for spaces, quotation marks or case.
    Normalised,
    /// The issue quotes nothing.
    NotQuoted,
    /// The words are not there: the issue never alone causes a regeneration.
    Unanchored,
}

/// A score that a judge gave to a text by one criterion. Only reading a reply
/// makes one.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Awarded {
    criterion: String,
    score: Score,
    /// Why, in the judge's words, where the rubric asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl Awarded {
    #[must_use]
    pub fn criterion(&self) -> &str {
        &self.criterion
    }

    #[must_use]
    pub fn score(&self) -> Score {
        self.score
    }

    /// The judge's reason, if the rubric asks for one.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }
}

/// What one judge said about one text.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Verdict {
    judge: Judge,
    /// The bytes that were judged.
    content: Version,
    /// What of it the judge could not read, because it did not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<InputCut>,
    awarded: Vec<Awarded>,
    issues: Vec<Issue>,
    strengths: Vec<String>,
    confidence: Confidence,
    /// Why the verdict is not credible: then its confidence is low, whatever the judge
    /// said (ruling 70).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    doubts: Vec<Doubt>,
    /// The judge's own overall, kept for calibration only (ruling 4).
    own_overall: Option<Score>,
    /// What it used, all tries of the seat together.
    tokens: Tokens,
    /// How long the answer took, in milliseconds.
    took_ms: u64,
}

impl Verdict {
    #[must_use]
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    /// The version of the text that was judged.
    #[must_use]
    pub fn content(&self) -> Version {
        self.content
    }

    /// What the judge could not read because it did not fit. Its issues are evidence nevertheless;
    /// its scores cover only what it read.
    #[must_use]
    pub fn unread(&self) -> Option<&InputCut> {
        self.unread.as_ref()
    }

    /// One score for every criterion, in the rubric's order.
    #[must_use]
    pub fn awarded(&self) -> &[Awarded] {
        &self.awarded
    }

    /// In the judge's order.
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }

    /// What repairs should preserve.
    #[must_use]
    pub fn strengths(&self) -> &[String] {
        &self.strengths
    }

    #[must_use]
    pub fn confidence(&self) -> Confidence {
        self.confidence
    }

    /// Why the verdict is not credible.
    #[must_use]
    pub fn doubts(&self) -> &[Doubt] {
        &self.doubts
    }

    /// The judge's own overall score, kept for calibration only.
    #[must_use]
    pub fn own_overall(&self) -> Option<Score> {
        self.own_overall
    }

    /// Tokens of all tries of its role.
    #[must_use]
    pub fn tokens(&self) -> Tokens {
        self.tokens
    }

    /// Duration of the answer in milliseconds.
    #[must_use]
    pub fn took_ms(&self) -> u64 {
        self.took_ms
    }

    /// The same verdict with the tokens of all tries of its role.
    #[must_use]
    pub(crate) fn having_used(mut self, tokens: Tokens) -> Self {
        self.tokens = tokens;
        self
    }

    /// The same verdict, of a judge who could not read all of the text.
    #[must_use]
    pub(crate) fn having_missed(mut self, unread: Option<InputCut>) -> Self {
        self.unread = unread;
        self
    }

    /// The same verdict, doubted if its judge failed a test.
    #[must_use]
    pub(crate) fn having_failed(mut self, test: Option<JudgeTest>) -> Self {
        if let Some(JudgeTest { right, pairs, .. }) = test {
            self.doubts.push(Doubt::FailedTest { right, pairs });
            self.confidence = Confidence::Low;
        }
        self
    }

    #[must_use]
    pub fn score(&self, criterion: &str) -> Option<Score> {
        self.awarded
            .iter()
            .find(|awarded| awarded.criterion == criterion)
            .map(|awarded| awarded.score)
    }
}

/// What is needed to read a judge's reply.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The text that was judged.
    pub document: &'a redraft_gate::content::Document,
    pub rubric: &'a Rubric,
    pub judge: &'a Judge,
    /// Whether the judge was shown sources.
    pub has_sources: bool,
}
