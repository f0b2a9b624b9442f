//! Why an issue was set aside, won a conflict or has no task, and why a whole text must be
//! rewritten, as data. `redraft-report` makes the sentences.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use redraft_gate::score::Score;
use redraft_gate::span::ComponentId;

/// Why an issue is not followed (ruling 25).
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SetAsideReason {
    /// One judge alone raised it, and the judges agree only moderately.
    RaisedByOne {
        /// Who voted.
        judges: usize,
    },
    /// It is not critical, and the judges hardly agree.
    JudgesDisagree {
        /// Who raised it.
        raised_by: usize,
        /// Who voted.
        judges: usize,
    },
}

/// What two issues of one component demand of each other's opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opposition {
    /// To add, and to cut.
    AddOrCut,
    /// More detail, and simpler.
    DetailOrSimplicity,
    /// More formal, and plainer.
    FormalOrPlain,
}

/// Why one of two opposed issues is followed: the first that tells them apart.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Precedence {
    /// It is critical, the other is not.
    Critical,
    /// Its criterion is the earlier one in the rubric's hierarchy.
    Hierarchy,
    /// It is more severe.
    Severity,
    /// More judges raised it.
    Judges {
        /// Who raised the winner.
        winner: usize,
        /// Who raised the loser.
        loser: usize,
    },
    /// It comes first in the text.
    Position,
    /// The other one, though stronger, has already lost to a third.
    OtherAlreadyLost {
        /// The issue that it lost to.
        to: String,
    },
}

/// Why an issue has no task.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum UnservedReason {
    /// The whole text has to be rewritten.
    WholeRewrite,
    /// Only a reviewer changes the answer key.
    AnswerKey,
    /// Only a reviewer merges, splits, deletes or adds components, or changes an answer that
    /// nothing proves wrong.
    Reviewer,
    /// Its components were edited as often as the policy allows.
    Locked {
        /// The components; none where all that it could be about are locked.
        components: Vec<ComponentId>,
    },
    /// No component could be repaired for it.
    NoComponent,
    /// It is minor, and its criterion reaches its threshold.
    GoodEnough,
    /// Only the weakest component is repaired at a time.
    NotWeakest,
}

/// Why a whole text has to be rewritten (ruling 28).
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum WholeRewriteReason {
    /// The criterion about structure is too low for repairs of single sections.
    Structure {
        /// The criterion.
        criterion: String,
        /// Its score.
        score: Score,
        /// What repairs need.
        least: Score,
    },
    /// Too many sections have a critical issue.
    CriticalSections {
        /// Sections with one.
        critical: usize,
        /// All sections of the body.
        sections: usize,
        /// Up to this percentage sections are repaired one by one.
        most_percent: u8,
    },
    /// The overall score is too low.
    Overall {
        /// The score.
        score: Score,
        /// What repairs need.
        least: Score,
    },
}
