//! GIFT, the text format of Moodle: `::title:: stem {=right ~wrong #feedback}`.
//!
//! | in braces | kind |
//! |---|---|
//! | `=` and `~` | a choice; `~%50%` gives a part of the points |
//! | `~` alone | a choice of several, whose weights are positive (`~%50%`) |
//! | nothing | essay |
//! | `T`, `F`, `TRUE`, `FALSE` | true or false |
//! | `#…` | a number |
//! | `=` with `->` | matching |
//! | `=` alone | a short answer |
//!
//! A blank line ends a question. `//` begins a comment line, `$CATEGORY:` names a category.

use std::ops::Range;

use redraft_text::json::{Builder, Json, ReadText};
use redraft_text::writing::Writing;

use crate::html;
use crate::points;
use crate::units::{self, Unit};
use crate::{Bank, BankFormat, Question, QuestionKind, Trouble, TroubleKind};

const SIGNS: &[char] = &['~', '=', '#', '{', '}', ':', '\\'];

pub(crate) fn cut(text: &str) -> Option<Bank> {
    let mut cutter = Cutter::new(text);
    cutter.lines();
    let Cutter {
        questions,
        troubles,
        ..
    } = cutter;
    (!questions.is_empty()).then_some(Bank {
        format: BankFormat::Gift,
        questions,
        troubles,
        head: 0..0,
        columns: None,
    })
}

/// Cuts a text where blank lines stand between questions.
struct Cutter<'a> {
    text: &'a str,
    questions: Vec<Question>,
    troubles: Vec<Trouble>,
    /// Where the question began that is being read.
    start: Option<usize>,
    /// Where its text ends so far.
    end: usize,
    /// Where its brace was opened.
    brace: Option<usize>,
    /// Whether it has had answers in braces.
    has_answers: bool,
    /// Whether a brace stood among its answers.
    has_brace_inside: bool,
    /// The next brace that a blank line saw, so that it is sought once.
    ahead: Option<(usize, char)>,
}

impl<'a> Cutter<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            questions: Vec::new(),
            troubles: Vec::new(),
            start: None,
            end: 0,
            brace: None,
            has_answers: false,
            has_brace_inside: false,
            ahead: None,
        }
    }

    fn lines(&mut self) {
        let mut at = 0;
        for line in units::lines(self.text) {
            let range = at..at + line.len();
            at = range.end;
            let content = units::trimmed(self.text, range);
            let words = self.text.get(content.clone()).unwrap_or_default();
            let words_start =
                content.start + (words.len() - words.trim_start_matches('\u{feff}').len());
            let words = words.trim_start_matches('\u{feff}');
            let is_category = self.start.is_none() && words.starts_with("$CATEGORY:");
            if words.is_empty() {
                self.blank_line(at);
            } else if words.starts_with("```") || is_left_out(words) {
                self.troubles.push(Trouble {
                    range: words_start..content.end,
                    what: TroubleKind::Stray,
                });
            } else if !is_category && !words.starts_with("//") {
                self.start.get_or_insert(words_start);
                self.end = content.end;
                self.braces(words_start..content.end);
            }
        }
        self.question();
        self.half_questions();
    }

    /// Descriptions that can be none: the last, which stops in the middle, one that asks or
    /// has a title as the questions have, and a first line that announces the others.
    fn half_questions(&mut self) {
        let is_asked = |text: &str| text.ends_with(['?', '？', '؟']);
        let last = self.questions.len().saturating_sub(1);
        let asked: Vec<bool> = self
            .questions
            .iter()
            .map(|question| question.kind != QuestionKind::Other(DESCRIPTION))
            .collect();
        let titled = |question: &Question| {
            self.text
                .get(question.range.clone())
                .is_some_and(|text| text.starts_with("::"))
        };
        let are_titled = self
            .questions
            .iter()
            .zip(&asked)
            .any(|(question, asked)| *asked && titled(question));
        let mut found = Vec::new();
        for (index, (question, is_question)) in self.questions.iter().zip(&asked).enumerate() {
            if *is_question || !asked.contains(&true) {
                continue;
            }
            let text = self
                .text
                .get(question.range.clone())
                .unwrap_or_default()
                .trim_end();
            let stops = index == last && text.ends_with(char::is_alphanumeric);
            let announces = index == 0 && text.ends_with([':', '：']) && !text.contains('\n');
            if stops
                || announces
                || is_asked(text) && (index == last || are_titled && titled(question))
            {
                found.push(Trouble {
                    range: question.range.clone(),
                    what: TroubleKind::Stray,
                });
            }
        }
        self.troubles.extend(found);
    }

    /// A blank line in braces ends nothing if the brace is closed before another opens.
    fn blank_line(&mut self, at: usize) {
        if self.brace.is_some() && self.ahead.is_none_or(|(known, _)| known < at) {
            let end = (self.text.len(), ' ');
            self.ahead = Some(next_brace(self.text, at).unwrap_or(end));
        }
        let goes_on = self.brace.is_some() && self.ahead.is_some_and(|(_, brace)| brace == '}');
        if !goes_on {
            self.question();
        }
    }

    fn braces(&mut self, line: Range<usize>) {
        let mut at = line.start;
        let words = self.text.get(..line.end).unwrap_or_default();
        while let Some((found, brace)) = next_brace(words, at) {
            match (brace, self.brace) {
                ('{', None) => {
                    self.brace = Some(found);
                    if self.has_answers {
                        self.troubles.push(Trouble {
                            range: found..found + 1,
                            what: TroubleKind::SecondAnswers,
                        });
                    }
                    self.has_answers = true;
                }
                // Of many one shows what is wrong.
                ('{', Some(_)) if !std::mem::replace(&mut self.has_brace_inside, true) => {
                    self.troubles.push(Trouble {
                        range: found..found + 1,
                        what: TroubleKind::BraceInAnswers,
                    });
                }
                ('}', Some(_)) => self.brace = None,
                ('}', None) => self.troubles.push(Trouble {
                    range: found..found + 1,
                    what: TroubleKind::Unopened("}"),
                }),
                _ => {}
            }
            at = found + 1;
        }
    }

    fn question(&mut self) {
        let open = self.brace.take();
        self.has_answers = false;
        self.has_brace_inside = false;
        let Some(start) = self.start.take() else {
            return;
        };
        if let Some(brace) = open {
            self.troubles.push(Trouble {
                range: brace..brace + 1,
                what: TroubleKind::Unclosed("{"),
            });
        }
        let range = start..self.end;
        let parts = Parts::of(self.text, &range);
        let kind = parts.kind(self.text);
        let begins_title = self
            .text
            .get(start..)
            .is_some_and(|rest| rest.starts_with("::"));
        if begins_title && parts.title.is_none() {
            self.troubles.push(Trouble {
                range: start..start + 2,
                what: TroubleKind::Unclosed("::"),
            });
        }
        if kind == QuestionKind::Choice {
            self.answers(&parts);
        }
        self.questions.push(Question { range, kind });
    }
}

impl Cutter<'_> {
    /// What is wrong with the answers of a choice.
    fn answers(&mut self, parts: &Parts) {
        let Some(answers) = &parts.answers else {
            return;
        };
        let list = answers_of(self.text, answers);
        let first = list.first().map_or(answers.start, |first| first.mark.start);
        let before = units::trimmed(self.text, answers.start..first);
        let words = self.text.get(before.clone()).unwrap_or_default();
        if !without_comments(words).trim().is_empty() {
            self.troubles.push(Trouble {
                range: before,
                what: TroubleKind::BeforeAnswers,
            });
        }
        self.weights(&list);
    }

    /// What is wrong with their weights, as learning platforms see it.
    fn weights(&mut self, list: &[Answer]) {
        let beyond = |answer: &&Answer| {
            answer
                .weight
                .is_some_and(|weight| !(-100.0..=100.0).contains(&weight))
        };
        let wrong = list.iter().filter(beyond).map(|answer| Trouble {
            range: answer.mark.clone(),
            what: TroubleKind::Weight,
        });
        self.troubles.extend(wrong);
        let shares: Vec<f64> = list.iter().map(Answer::share).collect();
        if !list.iter().any(|answer| answer.sign == '=') && !points::add_up(&shares) {
            let first = list.iter().find(|answer| answer.share() > 0.0);
            self.troubles.extend(first.map(|answer| Trouble {
                range: answer.mark.clone(),
                what: TroubleKind::WeightSum,
            }));
        }
    }
}

/// What the kind of a text without answers is called.
const DESCRIPTION: &str = "description";

/// A comment that stands for questions: `// 6 more questions`.
fn is_left_out(line: &str) -> bool {
    line.strip_prefix("//")
        .is_some_and(redraft_text::left_out::is_said_in_a_comment)
}

/// The next brace without a backslash before it, from an offset on.
fn next_brace(text: &str, from: usize) -> Option<(usize, char)> {
    next_sign(text, from, &['{', '}'])
}

/// The next of these signs without a backslash before it. Comment lines have none.
fn next_sign(text: &str, from: usize, signs: &[char]) -> Option<(usize, char)> {
    let mut escaped = false;
    let mut is_comment = text.get(..from)?.ends_with(['\n', '\r']) && comment_at(text, from);
    for (at, c) in text.get(from..)?.char_indices() {
        if matches!(c, '\n' | '\r') {
            escaped = false;
            is_comment = comment_at(text, from + at + 1);
        } else if is_comment {
            // Nothing counts up to the end of the line.
        } else if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if signs.contains(&c) {
            return Some((from + at, c));
        }
    }
    None
}

/// The parts of a question.
struct Parts {
    title: Option<Range<usize>>,
    before: Range<usize>,
    /// Between the braces; `None` for a description.
    answers: Option<Range<usize>>,
    after: Range<usize>,
}

impl Parts {
    fn of(text: &str, range: &Range<usize>) -> Self {
        let within = text.get(..range.end).unwrap_or_default();
        let mut start = range.start;
        let mut title = None;
        if within
            .get(start..)
            .is_some_and(|rest| rest.starts_with("::"))
            && let Some(end) = title_end(within, start + 2)
        {
            title = Some(units::trimmed(text, start + 2..end));
            start = end + 2;
        }
        let open = next_sign(within, start, &['{']);
        let Some((open, _)) = open else {
            return Self {
                title,
                before: start..range.end,
                answers: None,
                after: range.end..range.end,
            };
        };
        let close = next_sign(within, open + 1, &['}']).map(|(at, _)| at);
        let end = close.unwrap_or(range.end);
        Self {
            title,
            before: start..open,
            answers: Some(open + 1..end),
            after: (end + 1).min(range.end)..range.end,
        }
    }

    fn kind(&self, text: &str) -> QuestionKind {
        let Some(answers) = &self.answers else {
            return QuestionKind::Other(DESCRIPTION);
        };
        let inner = text.get(answers.clone()).unwrap_or_default();
        let bare = without_comments(inner);
        let bare = bare.trim();
        let word = bare.split('#').next().unwrap_or_default().trim();
        if bare.starts_with('#') && !bare.starts_with("####") {
            return QuestionKind::Other("number");
        }
        if ["T", "F", "TRUE", "FALSE"].contains(&word.to_uppercase().as_str()) {
            return QuestionKind::Other("true or false");
        }
        let list = answers_of(text, answers);
        if list.iter().any(|answer| answer.sign == '~') {
            QuestionKind::Choice
        } else if list.is_empty() {
            QuestionKind::Other("essay")
        } else if list.iter().any(|answer| {
            text.get(answer.text.clone())
                .is_some_and(|text| text.contains("->"))
        }) {
            QuestionKind::Other("matching")
        } else {
            QuestionKind::Other("short answer")
        }
    }
}

/// Where a title ends: before the next `::`.
fn title_end(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let (colon, _) = next_sign(text, at, &[':'])?;
        if text
            .get(colon + 1..)
            .is_some_and(|rest| rest.starts_with(':'))
        {
            return Some(colon);
        }
        at = colon + 1;
    }
}

fn without_comments(text: &str) -> String {
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

struct Answer {
    sign: char,
    /// Where its sign stands, with its weight.
    mark: Range<usize>,
    weight: Option<f64>,
    text: Range<usize>,
    feedback: Option<Range<usize>>,
}

impl Answer {
    /// What it gives, in per cent.
    fn share(&self) -> f64 {
        match (self.sign, self.weight) {
            ('=', _) => 100.0,
            (_, weight) => weight.unwrap_or(0.0),
        }
    }
}

/// Whether one answer is to be chosen: where one is marked with `=`.
fn is_single(answers: &[Answer]) -> bool {
    answers.iter().any(|answer| answer.sign == '=')
}

/// Which answers are right. Where one is marked with `=`, the others with a weight give a
/// part of the points and are still not right, unless they give all of them.
fn right(answers: &[Answer]) -> Vec<usize> {
    let is_single = is_single(answers);
    let is_right = |answer: &Answer| match is_single {
        true => answer.share() >= 100.0,
        false => answer.share() > 0.0,
    };
    let numbered = answers.iter().enumerate();
    let right = numbered.filter(|(_, answer)| is_right(answer));
    right.map(|(index, _)| index).collect()
}

/// What each answer of a question gives, in per cent.
pub(crate) fn weights(text: &str, range: &Range<usize>) -> Vec<f64> {
    let answers = Parts::of(text, range).answers;
    let list = answers.map_or_else(Vec::new, |answers| answers_of(text, &answers));
    list.iter().map(Answer::share).collect()
}

/// The answers between braces, before the general feedback.
fn answers_of(text: &str, range: &Range<usize>) -> Vec<Answer> {
    let general = general_feedback(text, range);
    let end = general.map_or(range.end, |general| general.start - GENERAL.len());
    let range = &(range.start..end);
    let within = text.get(..range.end).unwrap_or_default();
    let mut answers = Vec::new();
    let mut next = next_sign(within, range.start, &['=', '~']);
    while let Some((at, sign)) = next {
        let mut end = next_sign(within, at + 1, &['=', '~', '#']);
        let text_end = end.map_or(range.end, |(at, _)| at);
        let (weight, text_start) = weight(within, at + 1);
        let mut feedback = None;
        if let Some((hash, '#')) = end {
            end = next_sign(within, hash + 1, &['=', '~']);
            feedback = Some(hash + 1..end.map_or(range.end, |(at, _)| at));
        }
        answers.push(Answer {
            sign,
            mark: at..text_start,
            weight,
            text: text_start..text_end,
            feedback,
        });
        next = end;
    }
    answers
}

/// The weight at the beginning of an answer, as in `%33.3%`, and where its text begins.
fn weight(text: &str, from: usize) -> (Option<f64>, usize) {
    let none = (None, from);
    let rest = text.get(from..).unwrap_or_default();
    let blank = rest.len() - rest.trim_start().len();
    let Some(inner) = rest.trim_start().strip_prefix('%') else {
        return none;
    };
    let Some(end) = inner.find('%').filter(|end| *end <= 10) else {
        return none;
    };
    match inner.get(..end).and_then(|number| number.parse().ok()) {
        Some(weight) => (Some(weight), from + blank + end + 2),
        None => none,
    }
}

/// What general feedback begins with.
const GENERAL: &str = "####";

/// The general feedback: after `####`.
fn general_feedback(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let within = text.get(..range.end)?;
    let mut from = range.start;
    loop {
        let (hash, _) = next_sign(within, from, &['#'])?;
        if within.get(hash..)?.starts_with(GENERAL) {
            return Some(hash + GENERAL.len()..range.end);
        }
        from = hash + 1;
    }
}

pub(crate) fn read(text: &str, range: &Range<usize>) -> Json {
    let parts = Parts::of(text, range);
    let mut builder = Builder::default();
    builder.object("", range.start);
    if let Some(title) = parts.title.clone().filter(|title| !title.is_empty()) {
        builder.text("id", field(text, title, Format::Plain).0);
    }
    let (stem, format) = field(text, parts.before.clone(), Format::Plain);
    let rest = field(text, parts.after.clone(), format).0;
    builder.text("stem", stem);
    choices(&mut builder, text, &parts, format);
    if !rest.text.is_empty() {
        // The answer fills a gap in a sentence; texts keep the order of the file.
        builder.text("stem_after_gap", rest);
    }
    builder.close(range.end);
    builder.finish(range.end)
}

fn choices(builder: &mut Builder, text: &str, parts: &Parts, format: Format) {
    let Some(answers) = &parts.answers else {
        return;
    };
    let list = answers_of(text, answers);
    let right = right(&list);
    builder.list("options", answers.start.saturating_sub(1));
    for (index, answer) in list.iter().enumerate() {
        let end = answer
            .feedback
            .as_ref()
            .map_or(answer.text.end, |feedback| feedback.end);
        builder.object("", answer.mark.start);
        builder.flag("correct", answer.mark.clone(), right.contains(&index));
        builder.text("text", field(text, answer.text.clone(), format).0);
        if let Some(feedback) = &answer.feedback {
            builder.text("feedback", field(text, feedback.clone(), format).0);
        }
        builder.close(end);
    }
    let general = general_feedback(text, answers);
    let end = general
        .as_ref()
        .map_or(answers.end, |general| general.start);
    builder.close(end);
    match right.as_slice() {
        [only] => {
            let mark = list.get(*only).map_or(0..0, |answer| answer.mark.clone());
            builder.number(
                "answerIndex",
                mark,
                u32::try_from(*only).unwrap_or(u32::MAX),
            );
        }
        // Of two that are marked with `=` nobody can say which is meant.
        _ if is_single(&list) => {}
        [] => {}
        _ => builder.flag("multiple_answers", answers.start..answers.start, true),
    }
    if let Some(general) = general {
        builder.text("explanation", field(text, general, format).0);
    }
}

/// What a text of GIFT is written in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Plain,
    Html,
}

/// A text of a question and its format, which it may name at its beginning.
fn field(text: &str, range: Range<usize>, inherited: Format) -> (ReadText, Format) {
    const NAMES: &[(&str, Format)] = &[
        ("[html]", Format::Html),
        ("[moodle]", Format::Html),
        ("[plain]", Format::Plain),
        ("[markdown]", Format::Plain),
    ];
    let mut range = units::trimmed(text, range);
    let mut format = inherited;
    let words = text.get(range.clone()).unwrap_or_default();
    if let Some((name, named)) = NAMES.iter().find(|(name, _)| words.starts_with(name)) {
        format = *named;
        range.start += name.len();
    }
    let decoded = unescaped(text, range.clone());
    let read = match format {
        Format::Plain => {
            let words = html::without_language_tags(decoded);
            units::read(&words, range.start, Writing::Gift)
        }
        Format::Html => units::read(&html::visible(&decoded), range.start, Writing::GiftHtml),
    };
    (read, format)
}

/// The characters that a range means: without backslashes and comment lines.
fn unescaped(text: &str, range: Range<usize>) -> Vec<Unit> {
    let plain = units::plain(text, range);
    let mut decoded = Vec::with_capacity(plain.len());
    let mut at = 0;
    let before = text.get(..plain.first().map_or(0, |unit| unit.start));
    let before = before.map(|before| before.trim_end_matches([' ', '\t']));
    let mut line_start = before.is_some_and(|before| before.ends_with(is_line_end));
    while let Some(unit) = plain.get(at) {
        if line_start && comment_at(text, unit.start) {
            let line = plain.get(at..).unwrap_or_default();
            at += line.iter().take_while(|unit| !is_line_end(unit.c)).count() + 1;
            continue;
        }
        let next = plain.get(at + 1);
        match (unit.c, next) {
            ('\\', Some(next)) if next.c == 'n' || SIGNS.contains(&next.c) => {
                decoded.push(Unit {
                    c: if next.c == 'n' { '\n' } else { next.c },
                    start: unit.start,
                    end: next.end,
                });
                at += 2;
            }
            _ => {
                decoded.push(*unit);
                at += 1;
            }
        }
        line_start = is_line_end(unit.c);
    }
    decoded
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

/// Whether the line that begins at an offset is a comment.
fn comment_at(text: &str, at: usize) -> bool {
    text.get(at..)
        .is_some_and(|rest| rest.trim_start_matches([' ', '\t']).starts_with("//"))
}
