//! QTI 1.2, as Canvas and others export it: an `<item>` has a `<presentation>` with the
//! question in `<mattext>` and a `<response_label>` for each option; `<resprocessing>`
//! says which label is right. A text may be spread over several `<mattext>`. Items of later
//! versions are found here and read by `qti2`.

use std::ops::Range;

use redraft_text::json::{Builder, Json, ReadText};
use redraft_text::writing::Writing;

use crate::qti_answers::Answers;
use crate::qti2;
use crate::units::{self, Unit};
use crate::xml::{self, Content, Inside, TakesTags};
use crate::{Bank, BankFormat, Question, QuestionKind};

pub(crate) fn cut(text: &str) -> Option<Bank> {
    if !text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<')
    {
        return None;
    }
    let [qti_2, qti_3] = qti2::ITEMS;
    let elements = xml::elements(text, &["item", qti_2, qti_3]);
    let root = elements.root.as_deref()?;
    if !matches!(root, "questestinterop" | "item") && !qti2::ITEMS.contains(&root) {
        return None;
    }
    let questions = elements
        .found
        .into_iter()
        .map(|(range, _)| Question {
            kind: kind(text, &range),
            range,
        })
        .collect();
    Some(Bank {
        format: BankFormat::Qti,
        questions,
        troubles: elements.troubles,
        head: 0..0,
        columns: None,
    })
}

fn is_later(text: &str, range: &Range<usize>) -> bool {
    let item = text.get(range.clone()).unwrap_or_default();
    xml::root(item).is_some_and(|root| qti2::ITEMS.contains(&root.as_str()))
}

fn kind(text: &str, range: &Range<usize>) -> QuestionKind {
    if is_later(text, range) {
        return qti2::kind(text, range);
    }
    let item = text.get(range.clone()).unwrap_or_default();
    let has = |sign: &str| item.contains(sign);
    if has("matching_question") || item.matches("<response_lid").count() > 1 {
        QuestionKind::Other("matching")
    } else if has("true_false_question") {
        QuestionKind::Other("true or false")
    } else if has("render_choice") {
        QuestionKind::Choice
    } else if has("essay_question") {
        QuestionKind::Other("essay")
    } else if has("numerical_question") {
        QuestionKind::Other("number")
    } else if has("render_fib") {
        QuestionKind::Other("short answer")
    } else {
        QuestionKind::Other("another kind")
    }
}

pub(crate) fn read(text: &str, range: &Range<usize>) -> Json {
    if is_later(text, range) {
        return qti2::read(text, range);
    }
    let mut reading = Reading {
        text,
        builder: Builder::default(),
        content: Content::Plain,
        in_options: false,
        last_end: range.start,
        stem: Vec::new(),
        option: Vec::new(),
        answers: Answers::of(text, range),
        labels: Vec::new(),
        general: Vec::new(),
        feedback: String::new(),
    };
    reading.builder.object("", range.start);
    xml::walk(text, range, &mut reading);
    reading.finish(range.end)
}

struct Reading<'a> {
    text: &'a str,
    builder: Builder,
    content: Content,
    in_options: bool,
    last_end: usize,
    /// The texts of the question, which are written when its options begin.
    stem: Vec<ReadText>,
    /// The texts of the option that is being read, and how they are written.
    option: Vec<(Vec<Unit>, Writing)>,
    answers: Answers<'a>,
    /// The names of the options.
    labels: Vec<Range<usize>>,
    general: Vec<ReadText>,
    /// The name of the feedback that is being read.
    feedback: String,
}

impl TakesTags for Reading<'_> {
    fn open(&mut self, name: &str, attributes: &Range<usize>, whole: &Range<usize>, _: &Inside) {
        match name {
            "item" => {
                if let Some(ident) = self.value(attributes, "ident") {
                    self.builder.text("id", attribute_text(self.text, ident));
                }
            }
            "mattext" => {
                let kind = self.value(attributes, "texttype");
                let is_html = kind.is_some_and(|range| self.says(range).contains("html"));
                self.content = if is_html {
                    Content::Html
                } else {
                    Content::Plain
                };
            }
            "response_label" => {
                if !self.in_options {
                    self.write_stem(whole.start);
                    self.in_options = true;
                    self.builder.list("options", whole.start);
                }
                self.builder.object("", whole.start);
                let ident = self.value(attributes, "ident").unwrap_or_default();
                if self.answers.is_multiple {
                    let is_right = self.answers.is_right(self.says(ident.clone()));
                    let place = whole.start..whole.start;
                    self.builder.flag("correct", place, is_right);
                }
                self.labels.push(ident);
            }
            "itemfeedback" => {
                let ident = self.value(attributes, "ident");
                self.feedback = ident.map_or_else(String::new, |range| self.says(range).to_owned());
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str, whole: &Range<usize>, inside: &Inside) {
        match name {
            "mattext" => self.text_ends(whole.start, inside),
            "response_label" => {
                self.write_option(whole.start);
                self.builder.close(whole.end);
                self.last_end = whole.end;
            }
            _ => {}
        }
    }
}

impl Reading<'_> {
    fn value(&self, attributes: &Range<usize>, name: &str) -> Option<Range<usize>> {
        xml::attribute(self.text, attributes, name)
    }

    fn says(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    fn text_ends(&mut self, at: usize, inside: &Inside) {
        let (characters, writing) = xml::units_of(self.text, &inside.pieces, self.content);
        let read = units::read(&characters, at, writing);
        let is_empty = read.text.is_empty();
        if inside.is_in("response_label") {
            // What is written in another way cannot be edited together with the first.
            let first = self.option.first().map(|(_, first)| *first);
            if first.is_none_or(|first| first == writing) {
                self.option.push((characters, writing));
            }
        } else if is_empty {
            // Nothing to read.
        } else if inside.is_in("itemfeedback") {
            if self.feedback.contains("general") {
                self.general.push(read);
            }
        } else if inside.is_in("presentation") && !self.in_options {
            self.stem.push(read);
        }
    }

    fn write_stem(&mut self, at: usize) {
        let stem = std::mem::take(&mut self.stem);
        if stem.is_empty() {
            self.builder
                .text("stem", units::read(&[], at, Writing::Xml));
        } else {
            xml::texts(&mut self.builder, "stem", stem, at);
        }
    }

    fn write_option(&mut self, at: usize) {
        let texts = std::mem::take(&mut self.option);
        let writing = texts.first().map_or(Writing::Xml, |(_, writing)| *writing);
        let texts = texts.into_iter().map(|(units, _)| units).collect();
        let read = units::read(&units::joined(texts), at, writing);
        self.builder.text("text", read);
    }

    fn finish(mut self, end: usize) -> Json {
        if self.in_options {
            self.builder.close(self.last_end);
        } else {
            self.write_stem(end);
        }
        if self.answers.is_multiple {
            self.builder.flag("multiple_answers", end..end, true);
        } else if let Some(only) = self.answers.only() {
            let label = self.says(only.clone());
            let index = self
                .labels
                .iter()
                .position(|own| self.says(own.clone()) == label)
                .and_then(|index| u32::try_from(index).ok());
            // A label that no option has is a key that names none.
            let index = index.unwrap_or(u32::MAX);
            self.builder.number("answerIndex", only, index);
        }
        xml::texts(&mut self.builder, "explanation", self.general, end);
        self.builder.close(end);
        self.builder.finish(end)
    }
}

fn attribute_text(text: &str, range: Range<usize>) -> ReadText {
    let start = range.start;
    units::read(&units::plain(text, range), start, Writing::Xml)
}
