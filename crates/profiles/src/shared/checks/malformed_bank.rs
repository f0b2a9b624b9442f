//! `malformed-bank`: a question bank whose form is broken.

use redraft_banks::TroubleKind;
use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::finding::Severity;
use redraft_gate::reading::Trouble;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT039",
    name: "malformed-bank",
    severity: Severity::Error,
    phase: Phase::Integrity,
    concern: Concern::Hygiene,
    summary: "a question bank breaks the rules of its format",
    what: "Reports what breaks a question bank in GIFT, Aiken, Moodle XML, QTI or a table: a brace, tag, quote or CDATA section that is never closed, a closing one that nothing opened, text that belongs to no question, a question without its answer, a row with more cells than the header, a table without a header, text after the quote that ends a cell, a cell that a spreadsheet runs as a formula, two columns for one option, weights that do not add up, an ampersand or attribute that XML does not allow, and a document type or entity declaration, which redraft never expands.",
    why: "A learning platform stops at it or loses the question, and often those after it.",
    examples: &[Example {
        form: ExampleForm::Gift,
        fails: "Which gas do plants take in? {=Carbon dioxide ~Oxygen ~Helium\n",
        passes: "Which gas do plants take in? {=Carbon dioxide ~Oxygen ~Helium}\n",
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for recovered in examination.document.recovered() {
        let message = match &recovered.what {
            // Not broken: `unread-file` names it.
            Trouble::Bank(TroubleKind::Unread) => continue,
            Trouble::Bank(what) => message(*what),
            Trouble::NoBank(format) => format!(
                "the file is said to be {}, but has no question in that format",
                format.name()
            ),
            _ => continue,
        };
        sink.in_source(recovered.range.clone(), message);
    }
}

fn message(what: TroubleKind) -> String {
    match what {
        TroubleKind::Unclosed(sign) => match sign {
            "{" => "this `{` is never closed; end the answers with `}`".to_owned(),
            "::" => {
                "this `::` begins a title that never ends; end it with `::`, or write `\\:\\:`"
                    .to_owned()
            }
            "\"" => "this quote is never closed, so the rest of the table is one cell".to_owned(),
            "tag" => "this element is never closed".to_owned(),
            sign => format!("this is never closed; `{sign}` is missing"),
        },
        TroubleKind::Unopened("tag") => "this tag closes nothing".to_owned(),
        TroubleKind::Unopened(sign) => {
            format!("this `{sign}` closes nothing; write `\\{sign}` if it is part of the text")
        }
        TroubleKind::Stray => "this belongs to no question".to_owned(),
        TroubleKind::Declaration => {
            "a document type is declared here; redraft ignores it and expands no entities"
                .to_owned()
        }
        TroubleKind::NoAnswer => {
            "no `ANSWER:` line follows this question, so it is not read".to_owned()
        }
        TroubleKind::AfterQuote => {
            "this text follows the closing quote of its cell and is not read; double each quote that is part of the text"
                .to_owned()
        }
        TroubleKind::NoHeader => {
            "this row seems to be a question, and is not read; put a row with the names of the columns above it"
                .to_owned()
        }
        TroubleKind::BraceInAnswers => {
            "this brace stands among the answers, which other programs reject; write `\\{` if it is part of the text"
                .to_owned()
        }
        TroubleKind::SecondAnswers => {
            "the question already has its answers; write `\\{` if this brace is part of the text"
                .to_owned()
        }
        TroubleKind::BeforeAnswers => {
            "this text stands before the first answer and is not read; begin an answer with `=` or `~`"
                .to_owned()
        }
        TroubleKind::LetterOrder => {
            "the letters of the options are not A, B, C in this order; other programs count the options, and take another one for the right answer"
                .to_owned()
        }
        TroubleKind::Weight => {
            "the weight is not between -100 and 100 per cent".to_owned()
        }
        TroubleKind::NoFullWeight => {
            "one answer is to be chosen, but none gives 100 per cent; learning platforms refuse such a question"
                .to_owned()
        }
        TroubleKind::WeightSum => {
            "the right answers together do not give 100 per cent; learning platforms refuse such a question"
                .to_owned()
        }
        TroubleKind::Entity => {
            "this `&` begins no entity that XML knows; write `&amp;` if it is part of the text"
                .to_owned()
        }
        TroubleKind::Attribute => {
            "this tag has an attribute twice or without quotes".to_owned()
        }
        TroubleKind::BesideRoot => {
            "this stands beside the outermost element; programs stop reading here".to_owned()
        }
        TroubleKind::SecondHeader => {
            "this row repeats the header and is not read; remove it".to_owned()
        }
        TroubleKind::SameColumn => {
            "two columns stand for the same option, and only the first is read; rename one, or name them with --columns"
                .to_owned()
        }
        TroubleKind::TwoKeys => {
            "two columns name different answers; remove one, or name the right one with --columns key=NAME"
                .to_owned()
        }
        TroubleKind::Formula => {
            "a spreadsheet runs this cell as a formula; put an apostrophe before it if it is a text"
                .to_owned()
        }
        TroubleKind::AnswerLine => {
            "`ANSWER:` needs the letter of one option, as in `ANSWER: B`".to_owned()
        }
        TroubleKind::Unread => "this was not read".to_owned(),
        TroubleKind::LongRow => {
            "the row has more cells than the header; a delimiter in a text needs quotes around it"
                .to_owned()
        }
    }
}
