//! QTI 1.2, as Canvas and others export it: an `<item>` has a `<presentation>` with the
//! question in `<mattext>` and a `<response_label>` for each option; `<resprocessing>`
//! says which label is right.

use std::ops::Range;

use redraft_text::json::{Builder, Json, ReadText};
use redraft_text::writing::Writing;

use crate::units;
use crate::xml::{self, Content, Inside, Piece, TakesTags};
use crate::{Bank, BankFormat, Question, QuestionKind};

pub(crate) fn cut(text: &str) -> Option<Bank> {
    if !text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<')
    {
        return None;
    }
    let elements = xml::elements(text, "item");
    let is_qti = matches!(elements.root.as_deref(), Some("questestinterop" | "item"));
    if !is_qti {
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

fn kind(text: &str, range: &Range<usize>) -> QuestionKind {
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
    let mut reading = Reading {
        text,
        builder: Builder::default(),
        content: Content::Plain,
        in_options: false,
        last_end: range.start,
        conditions: Vec::new(),
        negations: 0,
        is_multiple: false,
        labels: Vec::new(),
        general: Vec::new(),
        feedback: String::new(),
    };
    reading.builder.object("", range.start);
    xml::walk(text, range, &mut reading);
    reading.finish(range.end)
}

/// A condition of the answer: the labels it wants, and the points it gives.
#[derive(Default)]
struct Condition {
    labels: Vec<Range<usize>>,
    gives: f64,
}

struct Reading<'a> {
    text: &'a str,
    builder: Builder,
    content: Content,
    in_options: bool,
    last_end: usize,
    conditions: Vec<Condition>,
    /// How many `<not>` are open.
    negations: usize,
    is_multiple: bool,
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
            "response_lid" => {
                let cardinality = self.value(attributes, "rcardinality");
                self.is_multiple = cardinality
                    .is_some_and(|range| self.says(range).eq_ignore_ascii_case("multiple"));
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
                    self.in_options = true;
                    self.builder.list("options", whole.start);
                }
                self.builder.object("", whole.start);
                let ident = self.value(attributes, "ident").unwrap_or_default();
                self.labels.push(ident);
            }
            "respcondition" => self.conditions.push(Condition::default()),
            "not" => self.negations += 1,
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
                self.builder.close(whole.end);
                self.last_end = whole.end;
            }
            "not" => self.negations = self.negations.saturating_sub(1),
            "varequal" if self.negations == 0 => {
                if let (Some(Piece::Text(range)), Some(condition)) =
                    (inside.pieces.first(), self.conditions.last_mut())
                {
                    condition
                        .labels
                        .push(units::trimmed(self.text, range.clone()));
                }
            }
            "setvar" => {
                if let (Some(Piece::Text(range)), Some(condition)) =
                    (inside.pieces.first(), self.conditions.last_mut())
                {
                    let points = self.text.get(range.clone()).unwrap_or_default();
                    condition.gives += points.trim().parse().unwrap_or(0.0);
                }
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
        let read = xml::text_of(self.text, &inside.pieces, at, self.content);
        if inside.is_in("response_label") {
            self.builder.text("text", read);
        } else if inside.is_in("itemfeedback") {
            if self.feedback.contains("general") && !read.text.is_empty() {
                self.general.push(read);
            }
        } else if inside.is_in("presentation") && !self.in_options {
            self.builder.text("stem", read);
        }
    }

    fn finish(mut self, end: usize) -> Json {
        if self.in_options {
            self.builder.close(self.last_end);
        }
        let mut right: Vec<Range<usize>> = self
            .conditions
            .iter()
            .filter(|condition| condition.gives > 0.0)
            .flat_map(|condition| condition.labels.clone())
            .collect();
        right.dedup_by_key(|range| self.text.get(range.clone()));
        match right.as_slice() {
            [] => {}
            [only] if !self.is_multiple => {
                let label = self.says(only.clone());
                let index = self
                    .labels
                    .iter()
                    .position(|own| self.says(own.clone()) == label)
                    .and_then(|index| u32::try_from(index).ok());
                // A label that no option has is a key that names none.
                let index = index.unwrap_or(u32::MAX);
                self.builder.number("answerIndex", only.clone(), index);
            }
            _ => self.builder.flag("multiple_answers", end..end, true),
        }
        for general in self.general {
            self.builder.text("explanation", general);
        }
        self.builder.close(end);
        self.builder.finish(end)
    }
}

fn attribute_text(text: &str, range: Range<usize>) -> ReadText {
    let start = range.start;
    units::read(&units::plain(text, range), start, Writing::Xml)
}
