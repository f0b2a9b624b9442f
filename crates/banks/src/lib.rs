//! Question banks in the formats people have, read where they are.
//!
//! Each format is cut into questions, and a question is read into the same tree as one
//! in JSON, with the places of its texts in the file. So one parser of items serves all
//! formats, and an edit changes no byte beside its text. Nothing is written out again as
//! a whole, nothing is fetched, and no entity is expanded.
//!
//! What an item must look like, and what is wrong with one, is not known here.

mod aiken;
mod archive;
mod columns;
pub mod encoded;
mod gift;
mod html;
mod marks;
mod moodle;
mod points;
mod qti;
mod qti2;
mod qti_answers;
mod table;
mod units;
mod write;
mod xml;

use std::ops::Range;

use redraft_text::json::Json;

pub use archive::{ArchiveError, ArchiveKind, Unpacked, pack, unpack, unread_name, without_marks};
pub use columns::{ColumnChoice, ColumnError};
pub use marks::MEMBER_MARK;
pub use table::{Column, Columns};
pub use write::{Loss, PlainItem, PlainOption, Target, Written, write};

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BankFormat {
    Gift,
    Aiken,
    MoodleXml,
    /// QTI 1.2, as Canvas exports it, 2.x and 3.0.
    Qti,
    /// Cells with a delimiter between them.
    Table,
}

impl BankFormat {
    pub const ALL: [Self; 5] = [
        Self::Gift,
        Self::Aiken,
        Self::MoodleXml,
        Self::Qti,
        Self::Table,
    ];

    /// Its name in options and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gift => "gift",
            Self::Aiken => "aiken",
            Self::MoodleXml => "moodle-xml",
            Self::Qti => "qti",
            Self::Table => "table",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "csv" | "tsv" | "xlsx" => Some(Self::Table),
            "moodle" | "xml" => Some(Self::MoodleXml),
            _ => Self::ALL.into_iter().find(|format| format.name() == name),
        }
    }
}

/// A question of a bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its extent in the text.
    pub range: Range<usize>,
    pub kind: QuestionKind,
}

/// What kind of question it is. Only questions with a choice can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    Choice,
    /// Another kind, in words.
    Other(&'static str),
}

/// What is wrong with the form of a bank, where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    pub range: Range<usize>,
    pub what: TroubleKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TroubleKind {
    /// A brace, tag, quote or section that is never closed.
    Unclosed(&'static str),
    /// A closing sign that nothing opened.
    Unopened(&'static str),
    /// Text that belongs to no question.
    Stray,
    /// A document type or entity declaration, which is not obeyed.
    Declaration,
    /// A question without the line that names its answer.
    NoAnswer,
    /// A row with more cells than the header.
    LongRow,
    /// Text between the quote that ends a cell and the next delimiter.
    AfterQuote,
    /// A first row that holds a question instead of the names of columns.
    NoHeader,
    /// A brace among the answers of a question.
    BraceInAnswers,
    /// Answers in braces after those that the question has.
    SecondAnswers,
    /// Text before the sign of the first answer.
    BeforeAnswers,
    /// A weight beyond all of the points.
    Weight,
    /// One answer is to be chosen, and none gives all of the points.
    NoFullWeight,
    /// The right answers together do not give all of the points.
    WeightSum,
    /// An ampersand that begins nothing that XML knows.
    Entity,
    /// An attribute without quotes, or a second one of its name.
    Attribute,
    /// A second outermost element, or text beside the outermost one.
    BesideRoot,
    /// A row that repeats the header.
    SecondHeader,
    /// Two columns for the same option.
    SameColumn,
    /// Two columns that name different answers.
    TwoKeys,
    /// A cell that a spreadsheet would run.
    Formula,
    /// A letter of an answer that is none, or several of them.
    AnswerLine,
    /// The letter of an option that is not the next one.
    LetterOrder,
    /// The name of a file or sheet of an archive that was not read.
    Unread,
}

/// A bank cut into its questions.
#[derive(Debug)]
pub struct Bank {
    pub format: BankFormat,
    pub questions: Vec<Question>,
    pub troubles: Vec<Trouble>,
    /// What a question needs before it to be read alone: the header of a table.
    pub head: Range<usize>,
    /// How the columns of a table were understood.
    pub columns: Option<Columns>,
}

/// Cuts a text into the questions of a format; `None` if it is not of that format at all.
#[must_use]
pub fn cut(text: &str, format: BankFormat) -> Option<Bank> {
    cut_with(text, format, None)
}

/// The same where the user says what the columns of a table are.
#[must_use]
pub fn cut_with(text: &str, format: BankFormat, choice: Option<&ColumnChoice>) -> Option<Bank> {
    match format {
        BankFormat::Gift => gift::cut(text),
        BankFormat::Aiken => aiken::cut(text),
        BankFormat::MoodleXml => moodle::cut(text),
        BankFormat::Qti => qti::cut(text),
        BankFormat::Table => table::cut(text, choice),
    }
}

/// The columns of a table.
///
/// # Errors
/// When a question and two options are not among them.
pub fn columns(text: &str, choice: Option<&ColumnChoice>) -> Result<Columns, ColumnError> {
    table::columns(text, choice)
}

/// What each answer of a question gives, in hundred thousandths of a per cent, where the
/// format has weights and they say more than that one answer is right.
#[must_use]
pub fn weights(text: &str, format: BankFormat, range: &Range<usize>) -> Option<Vec<i64>> {
    const ALL: i64 = 10_000_000;
    let shares = match format {
        BankFormat::Gift => gift::weights(text, range),
        BankFormat::MoodleXml => moodle::weights(text, range),
        BankFormat::Aiken | BankFormat::Qti | BankFormat::Table => return None,
    };
    #[expect(
        clippy::cast_possible_truncation,
        reason = "shares are between -100 and 100"
    )]
    let weights: Vec<i64> = shares
        .iter()
        .map(|share| (share.clamp(-100.0, 100.0) * 100_000.0).round() as i64)
        .collect();
    let others = || weights.iter().filter(|weight| **weight != 0);
    (!others().all(|weight| *weight == ALL) || others().count() > 1).then_some(weights)
}

/// The format that a text shows, whatever its name.
#[must_use]
pub fn detect(text: &str) -> Option<Bank> {
    [
        BankFormat::MoodleXml,
        BankFormat::Qti,
        BankFormat::Aiken,
        BankFormat::Gift,
        BankFormat::Table,
    ]
    .into_iter()
    .filter_map(|format| cut(text, format))
    .find(Bank::is_certain)
}

impl Bank {
    /// Whether the text can hardly be anything else.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        let choices = self
            .questions
            .iter()
            .filter(|question| question.kind == QuestionKind::Choice)
            .count();
        match self.format {
            BankFormat::MoodleXml | BankFormat::Qti => true,
            BankFormat::Table => choices > 0,
            BankFormat::Aiken => {
                let is_without = |trouble: &&Trouble| trouble.what == TroubleKind::AnswerLine;
                choices > self.troubles.iter().filter(is_without).count()
            }
            // One brace in a prose text makes no bank of it. Questions of all kinds do.
            BankFormat::Gift => {
                let is_text =
                    |question: &&Question| question.kind == QuestionKind::Other("description");
                let texts = self.questions.iter().filter(is_text).count();
                choices > 0 && texts * 2 <= self.questions.len()
            }
        }
    }

    /// A question as a tree: `stem`, `options` with `text`, `correct` and `feedback`, the
    /// key, `explanation`.
    #[must_use]
    pub fn read(&self, text: &str, range: &Range<usize>) -> Json {
        match self.format {
            BankFormat::Gift => gift::read(text, range),
            BankFormat::Aiken => aiken::read(text, range),
            BankFormat::MoodleXml => moodle::read(text, range),
            BankFormat::Qti => qti::read(text, range),
            BankFormat::Table => table::read(text, range, self.columns.as_ref()),
        }
    }
}

#[cfg(test)]
mod broken_tests;
#[cfg(test)]
mod tests;
