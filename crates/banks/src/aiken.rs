//! Aiken: a question on a line, its options with letters, and `ANSWER: B`.

use std::ops::Range;

use redraft_text::json::{Builder, Json};
use redraft_text::writing::Writing;

use crate::units;
use crate::{Bank, BankFormat, Question, QuestionKind, Trouble, TroubleKind};

pub(crate) fn cut(text: &str) -> Option<Bank> {
    let mut questions = Vec::new();
    let mut troubles = Vec::new();
    let mut start: Option<usize> = None;
    let mut end = 0;
    let mut options = 0_usize;
    let mut is_out_of_order = false;
    for line in lines(text, 0..text.len()) {
        is_out_of_order &= options > 0;
        match line.what {
            What::Answer(_) => {
                if let Some(start) = start.take() {
                    questions.push(Question {
                        range: start..line.range.end,
                        kind: QuestionKind::Choice,
                    });
                } else {
                    troubles.push(stray(line.range));
                }
                options = 0;
            }
            // It ends the question, which has no key then.
            What::NoLetter if let Some(begin) = start.take() => {
                questions.push(Question {
                    range: begin..line.range.end,
                    kind: QuestionKind::Choice,
                });
                troubles.push(Trouble {
                    range: line.range,
                    what: TroubleKind::AnswerLine,
                });
                options = 0;
            }
            What::Option(letter, _) => {
                // Programs count the options, whatever their letters are.
                let next =
                    u8::try_from(options).map_or(u8::MAX, |index| b'A'.saturating_add(index));
                if !is_out_of_order && text.as_bytes().get(letter.start) != Some(&next) {
                    is_out_of_order = true;
                    troubles.push(Trouble {
                        range: letter,
                        what: TroubleKind::LetterOrder,
                    });
                }
                options += 1;
                start.get_or_insert(line.range.start);
                end = line.range.end;
            }
            // Text after options: the question before has no answer.
            What::Text if options > 0 => {
                troubles.push(no_answer(start.unwrap_or(end), end));
                start = Some(line.range.start);
                options = 0;
                end = line.range.end;
            }
            What::NoLetter => troubles.push(stray(line.range)),
            What::Text => {
                start.get_or_insert(line.range.start);
                end = line.range.end;
            }
        }
    }
    if let Some(start) = start {
        troubles.push(match options {
            0 => stray(start..end),
            _ => no_answer(start, end),
        });
    }
    // Options without any answer are shown as what is missing.
    let has_options = || {
        let mut troubles = troubles.iter();
        troubles.any(|trouble| trouble.what == TroubleKind::NoAnswer)
    };
    (!questions.is_empty() || has_options()).then_some(Bank {
        format: BankFormat::Aiken,
        questions,
        troubles,
        head: 0..0,
        columns: None,
    })
}

fn stray(range: Range<usize>) -> Trouble {
    Trouble {
        range,
        what: TroubleKind::Stray,
    }
}

fn no_answer(start: usize, end: usize) -> Trouble {
    Trouble {
        range: start..end,
        what: TroubleKind::NoAnswer,
    }
}

struct Line {
    range: Range<usize>,
    what: What,
}

enum What {
    Text,
    /// The letter of an option and its text.
    Option(Range<usize>, Range<usize>),
    /// The letter of the answer.
    Answer(Range<usize>),
    /// `ANSWER:` without the letter of one option after it.
    NoLetter,
}

/// The lines of a range that are not blank.
fn lines(text: &str, range: Range<usize>) -> impl Iterator<Item = Line> {
    let part = text.get(range.clone()).unwrap_or_default();
    let mut at = range.start;
    units::lines(part).filter_map(move |line| {
        let here = at..at + line.len();
        at = here.end;
        let mut range = units::trimmed(text, here);
        let words = text.get(range.clone())?;
        range.start += words.len() - words.trim_start_matches('\u{feff}').len();
        let words = words.trim_start_matches('\u{feff}');
        (!words.is_empty()).then(|| Line {
            what: what(words, range.start),
            range,
        })
    })
}

/// Whether a line is neither an option nor an answer.
pub(crate) fn is_text(line: &str) -> bool {
    matches!(what(line.trim(), 0), What::Text)
}

fn what(words: &str, at: usize) -> What {
    let letter = |from: usize| at + from..at + from + 1;
    if let Some(rest) = words
        .get(..6)
        .filter(|start| start.eq_ignore_ascii_case("answer"))
        .and_then(|_| words.get(6..))
        && let Some(key) = rest.trim_start().strip_prefix(':')
    {
        let from = words.len() - key.trim_start().len();
        let mut signs = key.trim().chars();
        let is_letter = signs.next().is_some_and(|c| c.is_ascii_alphabetic());
        match signs.as_str() {
            "" | "." | ")" if is_letter => return What::Answer(letter(from)),
            _ if words.starts_with("ANSWER") => return What::NoLetter,
            _ => {}
        }
    }
    let mut chars = words.chars();
    let is_option = chars.next().is_some_and(|c| c.is_ascii_uppercase())
        && chars.next().is_some_and(|c| c == '.' || c == ')')
        && chars.next().is_some_and(char::is_whitespace);
    if is_option {
        let from = words
            .get(2..)
            .map_or(2, |rest| 2 + rest.len() - rest.trim_start().len());
        return What::Option(letter(0), at + from..at + words.len());
    }
    What::Text
}

pub(crate) fn read(text: &str, range: &Range<usize>) -> Json {
    let field = |range: Range<usize>| {
        let start = range.start;
        units::read(&units::plain(text, range), start, Writing::Line)
    };
    let mut builder = Builder::default();
    builder.object("", range.start);
    let all: Vec<Line> = lines(text, range.clone()).collect();
    let first = all.iter().position(|line| !matches!(line.what, What::Text));
    let stem = all.get(..first.unwrap_or(all.len())).unwrap_or_default();
    if let (Some(from), Some(to)) = (stem.first(), stem.last()) {
        builder.text("stem", field(from.range.start..to.range.end));
    }
    let options: Vec<&Line> = all
        .iter()
        .filter(|line| matches!(line.what, What::Option(..)))
        .collect();
    if let (Some(from), Some(to)) = (options.first(), options.last()) {
        builder.list("options", from.range.start);
        for line in &options {
            if let What::Option(letter, words) = &line.what {
                builder.object("", line.range.start);
                builder.text("label", field(letter.clone()));
                builder.text("text", field(words.clone()));
                builder.close(line.range.end);
            }
        }
        builder.close(to.range.end);
    }
    let answer = all.iter().rev().find_map(|line| match &line.what {
        What::Answer(letter) => Some(letter.clone()),
        What::Text | What::Option(..) | What::NoLetter => None,
    });
    if let Some(letter) = answer {
        builder.text("correct_answer", field(letter));
    }
    builder.close(range.end);
    builder.finish(range.end)
}
