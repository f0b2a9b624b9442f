//! The arbiter rewords the merged instructions of a plan (seed 003 §4). The program's own wording
//! is the default, and the fallback if an answer is not usable. The arbiter does not decide what is
//! repaired or how.
//!
//! | the answer | then |
//! |---|---|
//! | not exactly one whole JSON object; a component missing, twice or unknown | malformed |
//! | too long for the patcher's prompt | malformed |
//! | a step about an issue that its component does not have | rejected: nothing is invented |
//! | a step that shares no word with its issues | rejected |
//! | a number that is neither in the issues nor in the component | rejected |
//! | permits more than the issues do (code, numbers, headings, links, additions) | rejected |
//! | a critical issue in no step | rejected: it is not dropped |
//! | another issue in no step | keeps the program's wording |
//! | mentions the key or an option, if the profile protects them | rejected: only a reviewer changes a key (ruling 19) |
//!
//! Findings of checks and constraints are always added by the program.

use std::collections::BTreeSet;
use std::sync::Arc;

use redraft_text::words::words;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::ask::{Reply, Schema};
use crate::policy::LengthLimits;
use crate::repair::usable;
use crate::reply::fields::{List, Text};
use crate::reply::{first_lines, from_node, objects, restrict_to, schema_of};
use crate::route::{RefinementPlan, RepairTask, issue_line};
use crate::verdict::{IssueSeverity, Reason, Unscored};
use crate::verify::Permitted;
use redraft_gate::span::ComponentId;

/// A component's instructions as worded by the arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrased {
    pub section: ComponentId,
    pub steps: Vec<PhrasedStep>,
}

/// One instruction, for one issue or several related ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhrasedStep {
    pub issues: Vec<String>,
    pub instruction: String,
}

/// A task whose instructions are reworded, and the limits for its wording.
#[derive(Clone, Copy, Debug)]
pub struct Phrasing<'a> {
    pub task: &'a RepairTask,
    /// The component's text.
    pub text: &'a str,
    pub keys: Keys,
    pub length: LengthLimits,
}

/// Whether the profile protects answer keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    Protected,
    None,
}

/// The tasks that are worth asking the arbiter about: those with several issues or a conflict.
#[must_use]
pub fn worth_phrasing(plan: &RefinementPlan) -> Vec<&RepairTask> {
    let has_conflict = |task: &RepairTask| {
        let mut conflicts = plan.conflict_resolutions.iter();
        conflicts.any(|conflict| conflict.section_id == task.section_id)
    };
    let is_worth = |task: &&RepairTask| match task.source_issues.len() {
        0 => false,
        1 => has_conflict(task),
        _ => true,
    };
    plan.tasks.iter().filter(is_worth).collect()
}

/// Replaces the program's wording of the issues that are covered by a step. Other issues keep
/// theirs.
#[must_use]
pub fn rephrased(task: &RepairTask, steps: &[PhrasedStep]) -> String {
    let covered: BTreeSet<String> = task
        .source_issues
        .iter()
        .filter(|issue| steps.iter().any(|step| step.issues.contains(&issue.id)))
        .map(issue_line)
        .collect();
    let mut lines = task.synthesized_instructions.lines();
    let list: Vec<&str> = lines.by_ref().take_while(|line| *line != BESIDE).collect();
    let constraints: Vec<&str> = lines.collect();
    let kept = list
        .into_iter()
        .map(|line| without_number(line).to_owned())
        .filter(|line| !covered.contains(line));
    let mut text = String::new();
    let told = steps
        .iter()
        .map(|step| step.instruction.clone())
        .chain(kept);
    for (index, line) in told.enumerate() {
        text.push_str(&format!("{}. {line}\n", index + 1));
    }
    if !constraints.is_empty() {
        text.push_str(BESIDE);
        for constraint in constraints {
            text.push('\n');
            text.push_str(constraint);
        }
    }
    text.trim_end().to_owned()
}

/// The line in front of a task's constraints.
const BESIDE: &str = "While doing so:";

fn without_number(line: &str) -> &str {
    match line.split_once(". ") {
        Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        _ => line,
    }
}

/// Reads the arbiter's reply about these tasks.
///
/// # Errors
/// Why it is not usable.
pub fn read(reply: &Reply, all: &[Phrasing<'_>]) -> Result<Vec<Phrased>, Unscored> {
    let text = usable(reply)?;
    let mut answers = objects(&text, "parts", &[]);
    let answer = match (answers.pop(), answers.is_empty()) {
        (Some(answer), true) => answer,
        (None, _) => {
            let message = format!(
                "there are no instructions in the reply: {}",
                first_lines(&text)
            );
            return Err(Unscored::new(Reason::NotAVerdict, message));
        }
        (Some(_), false) => return Err(malformed("there are several answers; give one")),
    };
    if !answer.complete() {
        return Err(Unscored::new(Reason::Truncated, "the reply breaks off"));
    }
    let root = answer
        .root()
        .ok_or_else(|| malformed("there is no object"))?;
    let given: PartsReply = from_node(&text, root).map_err(|error| malformed(error.to_string()))?;
    let mut phrased: Vec<Phrased> = Vec::new();
    for part in &given.parts.0 {
        let id = part.id.trimmed();
        let phrasing = all
            .iter()
            .find(|one| one.task.section_id.0 == id)
            .ok_or_else(|| malformed(format!("no part is called `{}`", first_lines(id))))?;
        if phrased.iter().any(|one| one.section.0 == id) {
            return Err(malformed(format!("`{id}` comes twice")));
        }
        phrased.push(Phrased {
            section: phrasing.task.section_id.clone(),
            steps: steps(phrasing, part)?,
        });
    }
    let is_missing = |one: &&Phrasing<'_>| {
        let mut known = phrased.iter();
        !known.any(|other| other.section == one.task.section_id)
    };
    match all.iter().find(is_missing) {
        Some(one) => Err(malformed(format!(
            "there are no steps for `{}`",
            one.task.section_id
        ))),
        None => Ok(phrased),
    }
}

/// An answer as an arbiter writes it.
#[derive(Deserialize, JsonSchema)]
struct PartsReply {
    parts: List<PartReply>,
}

#[derive(Deserialize, JsonSchema)]
struct PartReply {
    id: Text,
    steps: List<StepReply>,
}

#[derive(Deserialize, JsonSchema)]
struct StepReply {
    issues: List<Text>,
    instruction: Text,
}

/// The maximum number of characters in a component's steps: what a patcher's prompt shows.
const MOST: usize = 1_000;

fn steps(phrasing: &Phrasing<'_>, given: &PartReply) -> Result<Vec<PhrasedStep>, Unscored> {
    let task = phrasing.task;
    let mut steps = Vec::new();
    for step in &given.steps.0 {
        let words: Vec<&str> = step.instruction.trimmed().split_whitespace().collect();
        let step = PhrasedStep {
            issues: step
                .issues
                .0
                .iter()
                .map(|id| id.trimmed().to_owned())
                .collect(),
            instruction: words.join(" "),
        };
        check(phrasing, &step)?;
        steps.push(step);
    }
    let dropped = task.source_issues.iter().find(|issue| {
        let is_named = steps
            .iter()
            .any(|step: &PhrasedStep| step.issues.contains(&issue.id));
        issue.issue.severity == IssueSeverity::Critical && !is_named
    });
    if let Some(dropped) = dropped {
        let id = &dropped.id;
        return Err(rejected(format!("{id} is critical, and no step solves it")));
    }
    let letters: usize = steps
        .iter()
        .map(|step| step.instruction.chars().count())
        .sum();
    if letters > MOST {
        let section = &task.section_id;
        return Err(malformed(format!(
            "the steps for `{section}` are too long: at most {MOST} characters"
        )));
    }
    let mut after = task.clone();
    after.synthesized_instructions = rephrased(task, &steps);
    if permits_more(
        &Permitted::of(&after, phrasing.length),
        &Permitted::of(task, phrasing.length),
    ) {
        return Err(rejected(
            "a step asks for something that none of its issues asks for",
        ));
    }
    Ok(steps)
}

/// Rejects a step that goes beyond its issues.
fn check(phrasing: &Phrasing<'_>, step: &PhrasedStep) -> Result<(), Unscored> {
    if step.instruction.is_empty() {
        return Err(malformed("a step says nothing"));
    }
    if step.issues.is_empty() {
        return Err(malformed("a step names no issue"));
    }
    let mut said = String::new();
    for id in &step.issues {
        let mut issues = phrasing.task.source_issues.iter();
        let issue = issues.find(|issue| issue.id == *id).ok_or_else(|| {
            let section = &phrasing.task.section_id;
            rejected(format!("`{section}` has no issue {}", first_lines(id)))
        })?;
        for text in [
            &issue.issue.description,
            &issue.issue.suggested_fix,
            &issue.fix_instructions,
            issue.issue.quote.as_ref().unwrap_or(&String::new()),
        ] {
            said.push_str(text);
            said.push('\n');
        }
    }
    let own = folded(&step.instruction);
    let of_issues = folded(&said);
    if own.is_disjoint(&of_issues) {
        let issues = step.issues.join(", ");
        return Err(rejected(format!(
            "a step is not about its issue ({issues})"
        )));
    }
    let known = format!(
        "{said}{}\n{}",
        phrasing.text,
        phrasing.task.constraints.join("\n")
    );
    let known = folded(&known);
    let is_number = |word: &&String| word.contains(|c: char| c.is_numeric());
    if let Some(number) = own
        .iter()
        .filter(is_number)
        .find(|word| !known.contains(*word))
    {
        return Err(rejected(format!(
            "a step has a figure of its own ({number}); use those of the issues"
        )));
    }
    if phrasing.keys == Keys::Protected && speaks_of_a_key(&step.instruction, &said) {
        return Err(rejected(
            "a step speaks of the key or names an option; only a person decides which answer is right",
        ));
    }
    Ok(())
}

/// Whether an instruction is about which answer is right: it says so, or it names an option by a
/// letter that the issues do not name.
fn speaks_of_a_key(instruction: &str, issues: &str) -> bool {
    let said: Vec<String> = words(instruction)
        .map(|(_, word)| word.to_lowercase())
        .collect();
    let is_said = |phrase: &str| {
        if phrase.contains(is_chinese) {
            return instruction.contains(phrase);
        }
        let wanted: Vec<&str> = phrase.split(' ').collect();
        said.windows(wanted.len()).any(|window| {
            let mut pairs = window.iter().zip(&wanted);
            pairs.all(|(word, wanted)| match wanted.strip_suffix('*') {
                Some(beginning) => word.starts_with(beginning),
                None => word == wanted,
            })
        })
    };
    let phrases = KEY_WORDS.lines().filter(|line| !line.starts_with('#'));
    let letters = |text: &str| -> BTreeSet<String> {
        words(text)
            .map(|(_, word)| word.to_owned())
            .filter(|word| matches!(word.as_bytes(), [b'B'..=b'H']))
            .collect()
    };
    phrases
        .map(str::trim)
        .filter(|phrase| !phrase.is_empty())
        .any(is_said)
        || !letters(instruction).is_subset(&letters(issues))
}

/// Words for answer keys, in seven languages.
const KEY_WORDS: &str = include_str!("phrase/key_words.txt");

fn is_chinese(letter: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&letter)
}

/// The words of a text in lower case.
fn folded(text: &str) -> BTreeSet<String> {
    words(text).map(|(_, word)| word.to_lowercase()).collect()
}

fn permits_more(after: &Permitted<'_>, before: &Permitted<'_>) -> bool {
    let flags = |permitted: &Permitted<'_>| {
        [
            permitted.may_add,
            permitted.may_touch_code,
            permitted.may_touch_headings,
            permitted.may_touch_links,
        ]
    };
    let pairs = flags(after).into_iter().zip(flags(before));
    pairs.into_iter().any(|(after, before)| after && !before)
        || after
            .numbers
            .iter()
            .any(|number| !before.numbers.contains(number))
        || after.least_words > before.least_words
}

fn malformed(message: impl Into<String>) -> Unscored {
    Unscored::new(Reason::WrongShape, message)
}

/// A well-formed answer that must not be followed.
fn rejected(message: impl Into<String>) -> Unscored {
    Unscored::new(Reason::Rejected, message)
}

/// The JSON Schema of the answer.
#[must_use]
pub fn schema(tasks: &[&RepairTask]) -> Arc<Schema> {
    let mut schema = schema_of::<PartsReply>();
    let parts: Vec<String> = tasks
        .iter()
        .map(|task| task.section_id.to_string())
        .collect();
    let issues: BTreeSet<&String> = tasks
        .iter()
        .flat_map(|task| task.source_issues.iter().map(|issue| &issue.id))
        .collect();
    let issues: Vec<String> = issues.into_iter().cloned().collect();
    restrict_to(&parts, &mut schema, "/properties/parts/items/properties/id");
    restrict_to(
        &issues,
        &mut schema,
        "/properties/parts/items/properties/steps/items/properties/issues/items",
    );
    Arc::new(Schema::new(schema))
}

#[cfg(test)]
mod tests;
