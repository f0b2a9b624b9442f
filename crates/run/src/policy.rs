//! The settings of decisions and repair: data of a profile's `policy.toml`, which a user's file may
//! override. `decide`, `cascade` and `route` apply them.

use std::sync::LazyLock;

use redraft_gate::score::Score;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::usual_calls::UsualCalls;
use crate::verdict::{Issue, IssueSeverity};

/// The figures of a decision. Data of a profile; the user's file may change it.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Policy {
    /// The minimum overall score for acceptance.
    pub accept: Score,
    /// Whether every criterion must reach the rubric's threshold for it.
    #[serde(default)]
    pub every_criterion: bool,
    /// What is good enough where nothing can be repaired.
    #[serde(default)]
    pub good_enough: Option<GoodEnough>,
    /// Issues that are never accepted while they are open, whatever the scores (ruling 70).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocking: Option<Blocking>,
    /// What happens to a text that is not accepted.
    pub at_the_end: AtTheEnd,
    /// Whether a text with an open error goes to a judge at all (ruling 19).
    #[serde(default)]
    pub judge_invalid: bool,
    /// The most that may be spent on judging one version, in tokens; without it what its
    /// judges may need (ruling 51).
    #[serde(default)]
    pub judging_tokens: Option<u64>,
    /// What may be spent on writing, in tokens. Journals from before writing was
    /// possible have none.
    #[serde(default)]
    pub writing_tokens: u64,
    /// Seconds that a run may take, waiting for a person not counted; `[limits]
    /// seconds-per-run` of the configuration wins.
    pub seconds: u64,
    /// How many tokens a second, sent and received, the seconds allow for; a model on this
    /// machine that is slower gets more time in proportion (ruling 73).
    pub assumed_speed: u64,
    /// The fewest pairs that a judge must rank correctly in `redraft models --test`.
    pub judge_test_pairs: u32,
    /// Whether a judge that failed that test may decide alone.
    #[serde(default)]
    pub trust_failed_judge: bool,
    /// How often a seat is asked, with a complaint, for a reply in the right form.
    pub tries_for_form: u32,
    /// How often a seat is asked where calls fail.
    pub tries_for_failure: u32,
    /// Whether an item that would be accepted is solved without its key first.
    #[serde(default)]
    pub solve: bool,
    /// When a solver is not believed.
    #[serde(default)]
    pub solver: SolverPolicy,
    /// Who has to judge.
    pub judging: Judging,
    /// Who has to confirm a repaired text before it is accepted.
    pub confirm: Confirm,
    /// How far from a threshold a single score must be to be clear (ruling 21).
    pub clear_by: Score,
    /// How far apart two judges may be and still agree (ruling 22).
    pub agree_within: Score,
    /// Below this overall score a text is rewritten (ruling 28).
    pub redo_below: Score,
    pub repair: RepairPolicy,
    /// How often a document usually leads to a call; only forecasts depend on it.
    #[serde(default)]
    pub usual: UsualCalls,
}

/// When the solver of a bank is reported instead of the items that it disputes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SolverPolicy {
    /// It names another option than the key for more than so many items, in hundredths …
    pub most_disputed: u32,
    /// … of at least so many.
    pub least_items: u32,
}

impl Default for SolverPolicy {
    /// The defaults of the profiles.
    fn default() -> Self {
        Self {
            most_disputed: 20,
            least_items: 10,
        }
    }
}

/// Who has to judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judging {
    /// The cheap judge alone if its score is clear, otherwise the panel.
    Cascade,
    Single,
    /// Two judges, and a third where they disagree.
    Panel,
}

/// Who has to confirm a repaired text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confirm {
    /// The panel (ruling 31).
    Panel,
    /// No confirmation is needed.
    Nobody,
}

/// How texts are repaired. Data of a profile; the user's file may change it.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RepairPolicy {
    /// The most rounds of repair.
    pub iterations: u32,
    /// How often one component may be edited (ruling 34).
    pub edits_per_component: u32,
    /// How often what the delta judge has not found solved is tried again in the same round,
    /// before anybody is paid to judge it (ruling 55).
    #[serde(default)]
    pub retries: u32,
    /// How often the whole text may be rewritten (ruling 18).
    pub whole_regenerations: u32,
    /// What may be spent on repair and verification, in tokens, at least.
    pub tokens: u64,
    /// … and for a hundred tokens of the document (ruling 38).
    pub tokens_a_hundred: u64,
    /// Which components are repaired.
    pub targets: Targets,
    /// How the delta judge is asked (ruling 32).
    pub delta: Delta,
    /// In which form edits are asked for; without it as the patcher's model is best asked
    /// (ruling 72). Read it with [`Self::edit_form`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit_form: Option<EditForm>,
    /// Whether a number that no issue quotes as wrong stays also where a component is
    /// written again (ruling 61).
    #[serde(default)]
    pub keep_numbers: bool,
    /// How long a repaired component may be.
    pub length: LengthLimits,
    /// How much a locked criterion may fall (ruling 33).
    pub tolerance: Score,
    /// A smaller gain does not count as an improvement (ruling 37); 0 for attempts that end only
    /// where nothing changes any more.
    pub converged_below: Score,
    /// After so many rounds in a row in which nothing is proposed, there is no further one.
    pub idle_rounds: u32,
    /// … and in which all that is proposed is rolled back: another try may succeed.
    pub rolled_back_rounds: u32,
    /// The criterion whose failure means that the whole is to be written again,
    /// where there is one (ruling 28).
    #[serde(default)]
    pub structure: Option<String>,
    /// The share of body sections with a critical issue beyond which the whole is
    /// written again, in hundredths (ruling 28).
    pub critical_share: u32,
}

/// How long a repaired component may be (rulings 56, 60), in hundredths of what it was;
/// letters are all characters that are not white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LengthLimits {
    /// The least that is left of an edited component.
    pub least: u16,
    /// The most that it may grow to.
    pub most: u16,
    /// Letters by which it may grow in any case.
    pub free: usize,
    /// The least that is left of a component that was written again.
    pub least_rewritten: u16,
    /// The most that a component may grow to that was written again, or to which
    /// something was to be added.
    pub most_added: u16,
    /// Letters by which such a component may grow in any case.
    pub free_added: usize,
    /// An issue or a finding that asks for a minimum of words allows that and half more;
    /// a larger minimum than this is not one.
    pub most_words: usize,
}

impl Default for LengthLimits {
    /// The defaults of the profiles.
    fn default() -> Self {
        Self {
            least: 70,
            most: 200,
            free: 120,
            least_rewritten: 30,
            most_added: 300,
            free_added: 1_500,
            most_words: 1_500,
        }
    }
}

impl RepairPolicy {
    /// The form in which edits are requested first.
    #[must_use]
    pub fn edit_form(&self) -> EditForm {
        self.edit_form.unwrap_or_default()
    }
}

/// In which form edits of a component are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EditForm {
    /// Search/replace blocks; the whole component where they do not fit.
    #[default]
    Edits,
    /// The whole component at once, which small models get right more often.
    Whole,
}

/// How the delta judge is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Delta {
    /// Yes or no for every issue.
    YesNo,
    /// Which text is better, in both orders of presentation.
    BothOrders,
}

/// Who decides when a text is not accepted (ruling 40). Scottish cards and clinical
/// items have no modes: a reviewer always has the last word on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// What is not accepted goes to a person.
    SemiAuto,
    /// Something always comes out.
    #[default]
    FullAuto,
}

impl Mode {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SemiAuto => "semi-auto",
            Self::FullAuto => "full-auto",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GoodEnough {
    /// From this score on, without a critical issue.
    pub from: Score,
    /// Whether it is accepted only with a warning.
    pub warns: bool,
}

/// Which issues are never accepted.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Blocking {
    /// From this severity on.
    pub severity: IssueSeverity,
    /// Those of these criteria, …
    #[serde(default)]
    pub criteria: Vec<String>,
    /// … and those in these components, under any criterion.
    #[serde(default)]
    pub components: Vec<String>,
}

impl Blocking {
    #[must_use]
    pub fn blocks(&self, issue: &Issue) -> bool {
        // In a bank the component's id starts with that of its item.
        let component = issue.location.0.rsplit('/').next().unwrap_or_default();
        let is_about = self.criteria.contains(&issue.criterion)
            || self.components.iter().any(|name| name == component);
        issue.severity >= self.severity && is_about
    }
}

/// What happens to a text that is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AtTheEnd {
    /// A person decides.
    HandOver,
    /// The best there is goes out, marked as such.
    BestEffort,
}

/// Derived from the types, so that the keys of a policy file cannot differ from them.
static SCHEMA: LazyLock<Value> = LazyLock::new(|| schemars::schema_for!(Policy).to_value());

impl Policy {
    /// The most severe open issue that is never accepted; the first of several.
    #[must_use]
    pub fn blocking_issue<'i>(&self, issues: &'i [Issue]) -> Option<&'i Issue> {
        let blocking = self.blocking.as_ref()?;
        let open = issues.iter().filter(|issue| blocking.blocks(issue));
        open.rev().max_by_key(|issue| issue.severity)
    }

    /// The top-level keys of a policy file.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        let names = SCHEMA.get("properties").and_then(Value::as_object);
        names.into_iter().flatten().map(|(name, _)| name.as_str())
    }

    /// The keys of one of its tables; empty if `table` is not a table.
    #[must_use]
    pub fn keys_of(table: &str) -> Vec<&'static str> {
        let pointer = format!("/properties/{table}");
        let written = SCHEMA.pointer(&pointer).map(Value::to_string);
        let of_type = |(name, _): &(&String, &Value)| {
            let reference = format!("\"#/$defs/{name}\"");
            written
                .as_ref()
                .is_some_and(|text| text.contains(&reference))
        };
        let types = SCHEMA.get("$defs").and_then(Value::as_object);
        let table = types.into_iter().flatten().find(of_type);
        let names = table.and_then(|(_, schema)| schema.get("properties")?.as_object());
        let names = names.into_iter().flatten();
        names.map(|(name, _)| name.as_str()).collect()
    }

    /// The limit of repair and verification for a document of this size, in tokens (ruling 38).
    #[must_use]
    pub fn repair_limit(&self, document_tokens: u64) -> u64 {
        (document_tokens.saturating_mul(self.repair.tokens_a_hundred) / 100).max(self.repair.tokens)
    }
}

/// Which components are repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Targets {
    /// Every component with an issue.
    All,
    /// Those that keep the text from being accepted.
    Failing,
    Weakest,
}
