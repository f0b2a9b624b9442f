//! The templates: which one a task is put into words with, and how a profile
//! puts its own in the place of shared ones. Each is read once. Strict: a name
//! that a template misspells is an error, never an empty place in a prompt. What
//! the templates say is not known here.

use std::sync::{Arc, OnceLock};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::span::ComponentId;
use redraft_run::memo::Memo;
use redraft_run::prompt::{Prompt, PromptError};
use redraft_run::request::{DeltaQuestion, Task};
use redraft_run::rubric::Rubric;
use redraft_run::structure::Slot;
use serde::Serialize;

use super::document_view::{Around, Outside};

/// What a profile brings to its prompts.
#[derive(Debug)]
pub(crate) struct Wording {
    /// Its own templates by the name of the task's. Each extends the shared one
    /// of that name; for all other tasks the shared one serves.
    own: &'static [(&'static str, &'static str)],
    /// Which fields outside of the named components a judge sees.
    pub(crate) outside: Outside,
    /// What an editor of one component sees of the others.
    pub(crate) around: Around,
    /// What a repair may change besides texts, as the profile declares it.
    pub(crate) slots: SlotsOf,
    /// The question and the right answer that a repair must leave the only one.
    pub(crate) only_answer: OnlyAnswerOf,
    read: OnceLock<Result<Environment<'static>, PromptError>>,
    /// First halves, by the template and the rubric that they speak of.
    first_halves: Memo<(&'static str, Option<Rubric>), String>,
}

/// The slots of a component.
pub(crate) type SlotsOf = fn(&Document, &ComponentId, &Companions) -> Vec<Slot>;

/// The question of a text and its right answer, if a repair of the component could make
/// another answer right.
pub(crate) type OnlyAnswerOf = fn(&Document, &ComponentId) -> Option<(String, String)>;

fn no_slots(_: &Document, _: &ComponentId, _: &Companions) -> Vec<Slot> {
    Vec::new()
}

fn no_answer(_: &Document, _: &ComponentId) -> Option<(String, String)> {
    None
}

impl Wording {
    pub(crate) const fn new(
        own: &'static [(&'static str, &'static str)],
        outside: Outside,
        around: Around,
    ) -> Self {
        Self {
            own,
            outside,
            around,
            slots: no_slots,
            only_answer: no_answer,
            read: OnceLock::new(),
            first_halves: Memo::new(),
        }
    }

    /// The same for a profile with structured operations.
    pub(crate) const fn with_slots(mut self, slots: SlotsOf) -> Self {
        self.slots = slots;
        self
    }

    /// The same for a profile whose texts have one right answer.
    pub(crate) const fn with_only_answer(mut self, only_answer: OnlyAnswerOf) -> Self {
        self.only_answer = only_answer;
        self
    }

    /// The text of its templates and of those they are made with, for a hash that
    /// tells whether prompts are still the same.
    pub(crate) fn sources(&self) -> String {
        let all = SHARED.iter().chain(self.own);
        let texts: Vec<&str> = all.flat_map(|(name, text)| [*name, *text]).collect();
        texts.join("\0")
    }

    /// Fills both halves of a task's template.
    ///
    /// # Errors
    /// When a template cannot be read or filled.
    pub(crate) fn fill(
        &self,
        task: &Task<'_>,
        system: &impl Serialize,
        user: &impl Serialize,
    ) -> Result<Prompt, PromptError> {
        Ok(Prompt {
            system: self.half(template_of(task), system)?,
            user: self.half(template_of(task), user)?,
        })
    }

    /// Fills the half that comes first, which may speak of a rubric and of no document:
    /// it is the same for all documents, and filled for the first of them.
    ///
    /// # Errors
    /// As [`Self::fill`].
    pub(crate) fn first_half<C: Serialize>(
        &self,
        task: &Task<'_>,
        rubric: Option<&Rubric>,
        context: impl FnOnce() -> C,
    ) -> Result<Arc<String>, PromptError> {
        let name = template_of(task);
        self.first_halves.get(
            |(other, known)| *other == name && known.as_ref() == rubric,
            || Ok(((name, rubric.cloned()), self.half(name, &context())?)),
        )
    }

    /// Fills the half that comes second.
    ///
    /// # Errors
    /// As [`Self::fill`].
    pub(crate) fn second_half(
        &self,
        task: &Task<'_>,
        context: &impl Serialize,
    ) -> Result<String, PromptError> {
        self.half(template_of(task), context)
    }

    fn half(&self, name: &'static str, context: &impl Serialize) -> Result<String, PromptError> {
        let templates = self.read.get_or_init(|| read(SHARED, self.own));
        let templates = templates.as_ref().map_err(Clone::clone)?;
        let template = templates
            .get_template(name)
            .or_else(|_| templates.get_template(&format!("shared/{name}")))
            .map_err(|error| failed(&error))?;
        let filled = template
            .render(Value::from(Serde(context)))
            .map_err(|error| failed(&error))?;
        Ok(filled.trim().to_owned())
    }
}

const fn template_of(task: &Task<'_>) -> &'static str {
    match task {
        Task::SelfReview => "self_review.md",
        Task::Judge { .. } => "judge.md",
        Task::Solve { .. } => "solve.md",
        Task::Patch { .. } => "patch.md",
        Task::Expand { .. } => "expand.md",
        Task::Verify {
            question: DeltaQuestion::YesNo,
            ..
        } => "verify.md",
        Task::Verify {
            question: DeltaQuestion::WhichIsBetter { .. },
            ..
        } => "compare.md",
        Task::Consistency { .. } => "consistency.md",
        Task::Phrase { .. } => "arbiter.md",
        Task::Plan { .. } => "plan.md",
        Task::WriteSection { .. } => "write_part.md",
        Task::Smooth { .. } => "smooth.md",
        Task::Author { .. } => "author.md",
    }
}

macro_rules! shared {
    ($($name:literal),* $(,)?) => {
        &[$((
            concat!("shared/", $name),
            include_str!(concat!("../shared/prompts/", $name)),
        )),*]
    };
}

/// The shared templates, by the names under which others extend and include them.
const SHARED: &[(&str, &str)] = shared![
    // One for each task.
    "self_review.md",
    "judge.md",
    "solve.md",
    "patch.md",
    "expand.md",
    "verify.md",
    "compare.md",
    "consistency.md",
    "arbiter.md",
    "plan.md",
    "write_part.md",
    "smooth.md",
    "author.md",
    // What they are made of.
    "data.md",
    "criteria.md",
    "beside.md",
    "specification.md",
    "scheme.md",
    "outcomes.md",
    "sources.md",
    "text.md",
    "repair.md",
    "issues.md",
    "fields.md",
    "mermaid.md",
    "complaint.md",
    "earlier.md",
];

fn failed(error: &minijinja::Error) -> PromptError {
    // The alternate form has the template's name and the line.
    PromptError(format!("{error:#}"))
}

fn read(
    shared: &[(&'static str, &'static str)],
    own: &[(&'static str, &'static str)],
) -> Result<Environment<'static>, PromptError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        // What is included ends with its own line.
        .keep_trailing_newline(true)
        .build()
        .map_err(|error| failed(&error))?;
    environment.set_syntax(syntax);
    for (name, source) in shared.iter().chain(own) {
        environment
            .add_template(name, source)
            .map_err(|error| failed(&error))?;
    }
    Ok(environment)
}

#[cfg(test)]
mod tests {
    use super::super::untrusted::Untrusted;
    use super::*;

    #[test]
    fn a_template_that_speaks_of_what_it_was_not_given_fails() {
        #[derive(Serialize)]
        struct Flag {
            location: Untrusted,
        }
        #[derive(Serialize)]
        struct Context {
            text_id: &'static str,
            flagged: Vec<Flag>,
        }
        for source in [
            "{{ txt_id }}",
            "{% if pices %}{% endif %}",
            "{% for flag in flags %}{% endfor %}",
            "{% for flag in flagged %}{{ flag.place }}{% endfor %}",
            "{% include \"shared/none.md\" %}",
        ] {
            let source: &'static str = Box::leak(source.to_owned().into_boxed_str());
            let environment = read(&[("x.md", source)], &[]).unwrap();
            let context = Context {
                text_id: "x",
                flagged: vec![Flag {
                    location: Untrusted::name("sec_1"),
                }],
            };
            let template = environment.get_template("x.md").unwrap();
            let filled = template.render(Value::from(Serde(&context)));
            assert!(filled.is_err(), "{source}: {filled:?}");
        }
    }

    #[test]
    fn every_shared_template_is_read_and_none_is_forgotten() {
        let templates = read(SHARED, &[]);
        assert!(templates.is_ok(), "{templates:?}");
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/shared/prompts");
        for file in std::fs::read_dir(folder).unwrap() {
            let name = file.unwrap().file_name();
            let name = format!("shared/{}", name.to_string_lossy());
            assert!(SHARED.iter().any(|(listed, _)| *listed == name), "{name}");
        }
    }
}
