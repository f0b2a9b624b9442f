//! Filling the templates. Strict: a name that a template misspells is an error,
//! never an empty place in a prompt. What the templates say is not known here.

use std::sync::OnceLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use redraft_core::prompt::{Prompt, PromptError, PromptRequest, Task};
use redraft_core::review::Issue;
use redraft_core::rubric::{Rubric, Score};
use serde::Serialize;

use super::beside;
use super::data::Data;
use super::parts::{self, Entry, Outside, Piece};

/// What a profile brings to its prompts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wording {
    /// Its template for judges.
    pub(crate) judge: &'static str,
    /// Which fields outside of the named parts a judge sees.
    pub(crate) outside: Outside,
}

/// The shared templates, by the names under which a profile's template extends
/// and includes them.
const SHARED: &[(&str, &str)] = &[
    (
        "shared/judge.md",
        include_str!("../shared/prompts/judge.md"),
    ),
    ("shared/data.md", include_str!("../shared/prompts/data.md")),
    (
        "shared/criteria.md",
        include_str!("../shared/prompts/criteria.md"),
    ),
    (
        "shared/answer.md",
        include_str!("../shared/prompts/answer.md"),
    ),
    ("shared/text.md", include_str!("../shared/prompts/text.md")),
    (
        "shared/specification.md",
        include_str!("../shared/prompts/specification.md"),
    ),
    (
        "shared/sources.md",
        include_str!("../shared/prompts/sources.md"),
    ),
    (
        "shared/scheme.md",
        include_str!("../shared/prompts/scheme.md"),
    ),
    (
        "shared/outcomes.md",
        include_str!("../shared/prompts/outcomes.md"),
    ),
];

/// The text of a profile's templates and of those they are made with, for a hash
/// that tells whether prompts are still the same.
pub(crate) fn sources(wording: Wording) -> String {
    let shared = SHARED.iter().map(|(_, text)| *text);
    let texts: Vec<&str> = shared.chain([wording.judge]).collect();
    texts.join("\0")
}

/// Puts a task into words.
///
/// # Errors
/// When a template cannot be read or filled.
pub(crate) fn render(wording: Wording, request: &PromptRequest<'_>) -> Result<Prompt, PromptError> {
    let Task::Judge { flagged } = request.task else {
        return Err(PromptError("there are no words for this task".to_owned()));
    };
    let template = shared()?
        .template_from_named_str("judge.md", wording.judge)
        .map_err(|error| failed(&error))?;
    let fill = |context: Value| {
        let filled = template.render(context).map_err(|error| failed(&error))?;
        Ok(filled.trim().to_owned())
    };
    let system = System {
        part: "system",
        criteria: criteria(request.rubric),
    };
    let user = user(wording, request, flagged);
    Ok(Prompt {
        system: fill(Value::from(Serde(&system)))?,
        user: fill(Value::from(Serde(&user)))?,
    })
}

fn failed(error: &minijinja::Error) -> PromptError {
    // The alternate form has the template's name and the line.
    PromptError(format!("{error:#}"))
}

fn shared() -> Result<&'static Environment<'static>, PromptError> {
    static TEMPLATES: OnceLock<Result<Environment<'static>, PromptError>> = OnceLock::new();
    TEMPLATES
        .get_or_init(|| read(SHARED))
        .as_ref()
        .map_err(Clone::clone)
}

fn read(templates: &[(&'static str, &'static str)]) -> Result<Environment<'static>, PromptError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build()
        .map_err(|error| failed(&error))?;
    environment.set_syntax(syntax);
    for (name, source) in templates {
        environment
            .add_template(name, source)
            .map_err(|error| failed(&error))?;
    }
    Ok(environment)
}

/// What the first half of the template may speak of: nothing of the document, so
/// that it is the same for all documents and can be kept by the model's cache.
#[derive(Debug, Serialize)]
struct System<'a> {
    part: &'static str,
    criteria: Vec<CriterionView<'a>>,
}

/// A criterion without its weight and without what it must reach: neither is a
/// judge's business.
#[derive(Debug, Serialize)]
struct CriterionView<'a> {
    name: &'a str,
    description: &'a str,
    not_about: &'a str,
    evidence: &'a str,
    anchors: Vec<AnchorView<'a>>,
}

#[derive(Debug, Serialize)]
struct AnchorView<'a> {
    at: String,
    means: &'a str,
}

fn criteria(rubric: &Rubric) -> Vec<CriterionView<'_>> {
    rubric
        .criteria
        .iter()
        .map(|criterion| CriterionView {
            name: &criterion.name,
            description: &criterion.description,
            not_about: without_stop(&criterion.not_about),
            evidence: without_stop(&criterion.evidence),
            anchors: criterion
                .anchors
                .iter()
                .map(|anchor| AnchorView {
                    at: printed(anchor.at),
                    means: &anchor.means,
                })
                .collect(),
        })
        .collect()
}

/// The template sets the full stop.
fn without_stop(text: &str) -> &str {
    text.trim_end_matches('.')
}

/// With two decimals, as judges answer, or three where it needs them.
fn printed(score: Score) -> String {
    let written = score.to_string();
    match written.strip_suffix('0') {
        Some(two) => two.to_owned(),
        None => written,
    }
}

/// What the second half may speak of. Everything foreign is [`Data`].
#[derive(Debug, Serialize)]
struct User {
    part: &'static str,
    text_id: String,
    contents: Vec<Entry>,
    pieces: Vec<Piece>,
    specification: Vec<Data>,
    scheme: Vec<Data>,
    outcomes: Vec<Data>,
    outcomes_left_out: usize,
    sources: Vec<Data>,
    sources_left_out: usize,
    flagged: Vec<Flag>,
    flags_left_out: usize,
    complaint: Option<Data>,
}

#[derive(Debug, Serialize)]
struct Flag {
    location: Data,
    description: Data,
}

fn user(wording: Wording, request: &PromptRequest<'_>, flagged: &[Issue]) -> User {
    /// More remarks than this drown the judge's own reading.
    const FLAGS: usize = 30;
    const LINE: usize = 400;
    let document = request.document;
    let companions = request.companions;
    let entry = beside::scheme_entry(document, &companions.scheme_of_work);
    let outcomes = beside::outcomes(document, entry, &companions.outcomes);
    let sources = beside::sources(companions);
    User {
        part: "user",
        text_id: document.source().version().to_string(),
        contents: parts::contents(document),
        pieces: parts::pieces(document, wording.outside),
        specification: companions
            .specification
            .as_ref()
            .map(beside::specification)
            .unwrap_or_default(),
        scheme: entry.map(beside::scheme).unwrap_or_default(),
        outcomes: outcomes.lines,
        outcomes_left_out: outcomes.left_out,
        sources: sources.lines,
        sources_left_out: sources.left_out,
        flagged: flagged
            .iter()
            .take(FLAGS)
            .map(|issue| Flag {
                location: Data::name(&issue.location),
                description: Data::line(&issue.description, LINE),
            })
            .collect(),
        flags_left_out: flagged.len().saturating_sub(FLAGS),
        complaint: request
            .complaint
            .map(|complaint| Data::line(complaint, LINE)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_that_speaks_of_what_it_was_not_given_fails() {
        for source in [
            "{{ txt_id }}",
            "{% if pices %}{% endif %}",
            "{% for flag in flags %}{% endfor %}",
            "{% for flag in flagged %}{{ flag.place }}{% endfor %}",
            "{% include \"shared/none.md\" %}",
        ] {
            let source: &'static str = Box::leak(source.to_owned().into_boxed_str());
            let environment = read(&[("x.md", source)]).unwrap();
            let flag = Flag {
                location: Data::name("sec_1"),
                description: Data::new("x"),
            };
            #[derive(Serialize)]
            struct Context {
                text_id: &'static str,
                flagged: Vec<Flag>,
            }
            let context = Context {
                text_id: "x",
                flagged: vec![flag],
            };
            let template = environment.get_template("x.md").unwrap();
            let filled = template.render(Value::from(Serde(&context)));
            assert!(filled.is_err(), "{source}: {filled:?}");
        }
    }

    #[test]
    fn every_shared_template_is_read() {
        assert!(shared().is_ok(), "{:?}", shared());
    }

    #[test]
    fn scores_are_printed_with_two_decimals_or_as_many_as_they_have() {
        for (at, expected) in [("1", "1.00"), ("0.9", "0.90"), ("0.875", "0.875")] {
            assert_eq!(Score::parse(at).map(printed).as_deref(), Some(expected));
        }
    }
}
