//! From the bytes of an answer to raw content: where is the document in it, is it
//! Markdown or JSON, and what had to be done to get at it.
//!
//! Language models wrap their answers: reasoning first, a polite sentence, a code
//! fence, control tokens, a question at the end. Whatever stands outside the document
//! is kept as an [`Outside`], whatever had to be repaired inside as a [`Recovered`];
//! checks turn both into findings. Nothing is dropped silently. Which shapes of JSON
//! are documents is for the profiles to say ([`Shapes`]); no profile is known here.
//!
//! Whether an answer is Markdown or JSON is decided once, from the original bytes
//! (ruling 45). Later versions are read with [`Hint::Decided`].

mod bank_form;
mod find;
mod json_form;
mod markdown_form;
mod pieces;
mod title;
mod values;

use std::ops::Range;
use std::sync::Arc;

use redraft_banks::{BankFormat, ColumnChoice, TroubleKind};
use redraft_text::json::{Json, RecoveryKind};

pub use values::Values;

use crate::field_map::{FieldMap, Unfit};
use crate::source::Source;

/// What the name of a file, or an earlier reading, says about its content.
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
    /// A question bank in another format.
    Bank(BankFormat),
    /// One question of such a bank, with what it needs before it.
    Question(BankFormat),
    /// It was decided when the first version was read.
    Decided(FormKind),
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

    fn stated(self) -> Stated {
        match self {
            Self::Markdown => Stated::Markdown,
            Self::Json | Self::Decided(FormKind::Json) => Stated::Json,
            _ => Stated::Nothing,
        }
    }
}

/// What was decided about the form of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FormKind {
    #[default]
    Markdown,
    /// One JSON value, or several one after the other.
    Json,
    /// A JSON value a line.
    JsonLines,
    /// A question bank in another format.
    Bank(BankFormat),
    /// One question of such a bank.
    Question(BankFormat),
    /// JSON was expected, but there is none that can be read.
    NoJson,
}

impl FormKind {
    /// The format of a bank that is not JSON, or of a question of it.
    #[must_use]
    pub fn bank_format(self) -> Option<BankFormat> {
        match self {
            Self::Bank(format) | Self::Question(format) => Some(format),
            _ => None,
        }
    }
}

/// What the file's name says, as far as finding JSON goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stated {
    Nothing,
    Markdown,
    Json,
}

/// What a JSON value is to an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One of a bank: several of them one after the other are a bank.
    OfABank,
    /// A document of its own.
    Alone,
    /// A document that a lesson may also show.
    MayBeShown,
}

/// Says which JSON values are documents, whole or cut off, and what the columns of a table
/// are. The default knows none.
#[derive(Clone, Debug)]
pub struct Shapes {
    pub json: fn(&Json) -> Option<Shape>,
    /// What the user says about the columns of a table.
    pub columns: Option<Arc<ColumnChoice>>,
}

impl Default for Shapes {
    fn default() -> Self {
        Self {
            json: |_| None,
            columns: None,
        }
    }
}

impl Shapes {
    fn of(&self, value: &Json) -> Option<Shape> {
        (self.json)(value)
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
    /// What was decided about its form, for reading later versions.
    pub kind: FormKind,
}

/// How the content is written.
#[derive(Debug)]
pub enum Form {
    /// Markdown in this range of the text.
    Markdown(Range<usize>),
    /// One JSON value.
    Json(Json),
    /// JSON values one after the other, or the questions of another format, which read
    /// like them.
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
    /// Whether it is certainly not part of the content, so that it may be deleted
    /// without asking.
    pub certain: bool,
}

/// What stands around content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutsideKind {
    /// A code fence around the whole answer.
    Fence,
    /// Control tokens of a chat template, tags such as `<answer>`.
    Token,
    /// A byte-order mark before JSON, which most programs pass over.
    Mark,
    /// Other characters that show nothing and that JSON does not allow.
    Invisible,
    /// A model thinking aloud.
    Reasoning,
    /// A model talking about its answer.
    Chat,
    /// Another document, before or after the one that counts.
    Draft,
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
    /// The text is mostly fields of JSON, but no value can be found in it.
    UnreadJson,
    /// The content is inside a field that APIs of models have, such as `choices`.
    Enveloped(&'static str),
    /// The whole file is a string that holds JSON.
    EncodedTwice,
    /// Every line of JSON begins with this sign, as in a quotation or a diff.
    Marked(char),
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
    /// The file is said to be a bank of a format, but is none.
    NoBank(BankFormat),
    /// The form of a question bank is broken here.
    Bank(TroubleKind),
    /// A question that is not a choice, which nothing here can check.
    OtherQuestion(&'static str),
    /// Nothing of what the profile reads is in the document.
    Nothing {
        /// What was expected, with its article: `an item`.
        expected: &'static str,
    },
}

impl Raw {
    /// Whether a map from the fields of a user's own shape fits the content.
    #[must_use]
    pub fn fits(&self, map: &FieldMap) -> bool {
        match &self.form {
            Form::Json(json) => map.apply(json).is_ok(),
            Form::JsonLines(values) => {
                let one = map.for_item();
                values.iter().any(|value| one.apply(&value).is_ok())
            }
            Form::Markdown(_) => false,
        }
    }

    /// The content of a user's own shape under our names.
    ///
    /// # Errors
    /// If the map does not fit it.
    pub fn mapped(self, map: &Arc<FieldMap>) -> Result<Self, Unfit> {
        let form = match self.form {
            Form::Json(json) => Form::Json(map.apply(&json)?),
            Form::JsonLines(values) => {
                let one = Arc::new(map.for_item());
                let mut unfit = None;
                let fits = values.iter().any(|value| {
                    let applied = one.apply(&value);
                    unfit = unfit.take().or(applied.as_ref().err().cloned());
                    applied.is_ok()
                });
                match unfit {
                    Some(unfit) if !fits => return Err(unfit),
                    _ => Form::JsonLines(values.mapped(&one)),
                }
            }
            Form::Markdown(_) => {
                return Err(Unfit {
                    path: "a JSON value".to_owned(),
                });
            }
        };
        Ok(Self { form, ..self })
    }
}

/// Finds the content in a file, where no shape of JSON is known.
#[must_use]
pub fn read(source: Source, hint: Hint) -> Raw {
    read_with(source, hint, &Shapes::default())
}

/// Finds the content in a file.
#[must_use]
pub fn read_with(source: Source, hint: Hint, shapes: &Shapes) -> Raw {
    let text = source.shared_text();
    match hint {
        Hint::JsonLines | Hint::Decided(FormKind::JsonLines) => {
            return json_form::read_lines(source, &text);
        }
        Hint::Bank(format) | Hint::Decided(FormKind::Bank(format)) => {
            return bank_form::read(source, format, shapes.columns.as_deref());
        }
        Hint::Question(format) | Hint::Decided(FormKind::Question(format)) => {
            return bank_form::read_one(source, format, shapes.columns.as_deref());
        }
        Hint::Decided(FormKind::NoJson) => return no_json(source, Trouble::NoJson),
        Hint::Decided(FormKind::Markdown) => return markdown(source),
        _ => {}
    }
    if let Some(ranges) = json_form::large_list(&text) {
        return json_form::read_large_list(source, &text, ranges);
    }
    match find::json_in(&text, hint.stated(), shapes) {
        Some(found) => {
            // Later versions are read as what is known to be JSON; so is this one, or a
            // second `--fix` would see what the first did not.
            let known = find::json_in(&text, Stated::Json, shapes);
            let found = known.unwrap_or(found);
            let outside = around(&text, &found);
            json_form::read(source, &text, found, outside)
        }
        None if find::is_encoded_twice(&text) => no_json(source, Trouble::EncodedTwice),
        None if let Some(mark) = find::mark_of_each_line(&text) => {
            no_json(source, Trouble::Marked(mark))
        }
        None if hint.stated() == Stated::Json => no_json(source, Trouble::NoJson),
        None if find::is_unread_json(&text) => no_json(source, Trouble::UnreadJson),
        None => markdown(source),
    }
}

fn markdown(source: Source) -> Raw {
    let (body, outside) = markdown_form::body(source.text());
    Raw {
        source,
        form: Form::Markdown(body),
        outside,
        recovered: Vec::new(),
        kind: FormKind::Markdown,
    }
}

fn no_json(source: Source, what: Trouble) -> Raw {
    let text = source.text();
    Raw {
        form: Form::Markdown(0..text.len()),
        outside: Vec::new(),
        recovered: vec![Recovered {
            what,
            range: 0..text.find(['\n', '\r']).unwrap_or(text.len()),
            edits: Vec::new(),
            certain: false,
        }],
        kind: FormKind::NoJson,
        source,
    }
}

/// Everything around JSON.
fn around(text: &str, found: &find::JsonInAnswer) -> Vec<Outside> {
    let (Some(first), Some(last)) = (found.values.first(), found.values.last()) else {
        return Vec::new();
    };
    let end = last.end.min(text.len());
    let mut outside = pieces::pieces(text, 0..first.start, &found.drafts, pieces::Side::Before);
    outside.extend(pieces::pieces(
        text,
        end..text.len(),
        &found.drafts,
        pieces::Side::After,
    ));
    outside
}

#[cfg(test)]
mod tests;
