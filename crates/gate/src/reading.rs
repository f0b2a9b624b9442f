//! From the bytes of a file to raw content: is it Markdown or JSON, where does
//! the content begin and end, and what had to be done to get at it.
//!
//! Language models wrap their answers: reasoning in front, a polite sentence, a
//! code fence, a question behind. Whatever stands outside the content is kept as
//! an [`Outside`], whatever had to be mended inside as a [`Recovered`]; checks
//! turn both into findings. Nothing is dropped silently, and which *kind* of
//! content it is remains a profile's question.

mod json_form;
mod values;
mod wrapping;

use std::ops::Range;

use redraft_text::json::{Json, RecoveryKind};

pub use values::Values;

use crate::source::Source;

/// What the name of a file says about its content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hint {
    /// Nothing, as for standard input.
    #[default]
    None,
    /// `.md`, `.markdown`
    Markdown,
    /// `.json`
    Json,
    /// `.jsonl`, `.ndjson`
    JsonLines,
}

impl Hint {
    /// The hint in a file name's extension.
    #[must_use]
    pub fn from_extension(extension: &str) -> Self {
        match extension.to_ascii_lowercase().as_str() {
            "md" | "markdown" | "mdx" | "qmd" | "rmd" => Self::Markdown,
            "json" | "json5" | "jsonc" => Self::Json,
            "jsonl" | "ndjson" => Self::JsonLines,
            _ => Self::None,
        }
    }
}

/// Content that has been found in a file, not yet cut into components.
#[derive(Debug)]
pub struct Raw {
    /// The file.
    pub source: Source,
    /// The content.
    pub form: Form,
    /// What stands around it.
    pub outside: Vec<Outside>,
    /// What had to be mended to read it.
    pub recovered: Vec<Recovered>,
}

/// How the content is written.
#[derive(Debug)]
pub enum Form {
    /// Markdown in this range of the text.
    Markdown(Range<usize>),
    /// One JSON value.
    Json(Json),
    /// JSON values one after the other.
    JsonLines(Values),
}

/// Something around the content that is not part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    /// What it is.
    pub kind: OutsideKind,
    /// Its own extent in the source's text.
    pub range: Range<usize>,
    /// What to delete to be rid of it: with the white space that came with it.
    pub removal: Range<usize>,
}

/// What stands around content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutsideKind {
    /// A code fence around the whole answer.
    Fence,
    /// A model thinking aloud.
    Reasoning,
    /// A model talking about its answer.
    Chat,
    /// Anything else.
    Prose,
}

/// Something that had to be mended, guessed or skipped to read the content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// What it was.
    pub what: Trouble,
    /// Where, in the source's text.
    pub range: Range<usize>,
    /// What would make the file right, on the source's text.
    pub edits: Vec<(Range<usize>, String)>,
    /// Whether there is no doubt about those edits.
    pub certain: bool,
}

/// What can be wrong with the form of content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The JSON is not JSON here.
    Json(RecoveryKind),
    /// More of it than is worth listing.
    More(usize),
    /// The file is named as JSON but holds none.
    NoJson,
    /// A field says that the generator hit its token limit.
    StoppedByLimit,
    /// A field does not have the type that its readers expect.
    OddField {
        /// Where: `sections[2].content`.
        path: String,
        /// What was expected there, with its article: `a list`.
        expected: &'static str,
        /// What stands there.
        found: &'static str,
    },
    /// Markdown that is nested or repeated beyond sense and was not analysed.
    Degraded(&'static str),
}

/// Finds the content in a file.
#[must_use]
pub fn read(source: Source, hint: Hint) -> Raw {
    let text = source.shared_text();
    if hint == Hint::JsonLines {
        return json_form::read_lines(source, &text);
    }
    let opening = wrapping::open(&text, hint);
    match opening.start {
        wrapping::Start::Json(at) => json_form::read(source, &text, at, opening),
        wrapping::Start::Markdown(body) => Raw {
            source,
            form: Form::Markdown(body),
            outside: opening.outside,
            recovered: Vec::new(),
        },
        wrapping::Start::NoJson => Raw {
            form: Form::Markdown(0..text.len()),
            outside: Vec::new(),
            recovered: vec![Recovered {
                what: Trouble::NoJson,
                range: 0..first_line_end(&text),
                edits: Vec::new(),
                certain: false,
            }],
            source,
        },
    }
}

fn first_line_end(text: &str) -> usize {
    text.find(['\n', '\r']).unwrap_or(text.len())
}
