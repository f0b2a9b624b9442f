//! Moodle XML: a `<question type="multichoice">` has a `<questiontext>`, `<answer>`s with
//! a `fraction` and a `<feedback>`, and a `<generalfeedback>`; each keeps its text in
//! `<text>`, usually HTML in a CDATA section. Files in it stand as base64 and are not read.

use std::ops::Range;

use redraft_text::json::{Builder, Json};

use crate::points;
use crate::xml::{self, Content, Inside, Piece, TakesTags};
use crate::{Bank, BankFormat, Question, QuestionKind, Trouble, TroubleKind};

pub(crate) fn cut(text: &str) -> Option<Bank> {
    if !text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<')
    {
        return None;
    }
    let elements = xml::elements(text, &["question"]);
    // One question alone is a part of such a file.
    if !matches!(elements.root.as_deref(), Some("quiz" | "question")) {
        return None;
    }
    let mut troubles = elements.troubles;
    let questions = elements
        .found
        .into_iter()
        .filter_map(|(range, attributes)| {
            let kind = xml::attribute(text, &attributes, "type").and_then(|kind| text.get(kind));
            let kind = match kind.unwrap_or("multichoice") {
                // It only names the category of what follows.
                "category" => return None,
                "multichoice" | "multichoiceset" | "oumultiresponse" => QuestionKind::Choice,
                "truefalse" => QuestionKind::Other("true or false"),
                "shortanswer" => QuestionKind::Other("short answer"),
                "matching" => QuestionKind::Other("matching"),
                "essay" => QuestionKind::Other("essay"),
                "numerical" => QuestionKind::Other("number"),
                "cloze" => QuestionKind::Other("cloze"),
                "description" => QuestionKind::Other("description"),
                _ => QuestionKind::Other("another kind"),
            };
            if kind == QuestionKind::Choice {
                troubles.extend(Marks::of(text, &range).trouble());
            }
            Some(Question { range, kind })
        })
        .collect();
    Some(Bank {
        format: BankFormat::MoodleXml,
        questions,
        troubles,
        head: 0..0,
        columns: None,
    })
}

/// An answer while it is read.
struct Answer {
    fraction: Range<usize>,
    is_right: bool,
}

/// What a question says about its answers: `<single>` may stand after them.
struct Marks<'a> {
    text: &'a str,
    is_single: bool,
    /// What each answer gives, in per cent.
    shares: Vec<f64>,
    /// Where that stands.
    places: Vec<Range<usize>>,
    /// Whether the shares are those of Moodle's own question with a choice.
    is_plain: bool,
}

impl<'a> Marks<'a> {
    fn of(text: &'a str, range: &Range<usize>) -> Self {
        let mut marks = Self {
            text,
            is_single: true,
            shares: Vec::new(),
            places: Vec::new(),
            is_plain: true,
        };
        xml::walk(text, range, &mut marks);
        marks
    }

    /// What is wrong with the shares: Moodle refuses the question.
    fn trouble(&self) -> Option<Trouble> {
        let numbered = || self.shares.iter().zip(&self.places);
        let beyond = numbered().find(|(share, _)| !(-100.0..=100.0).contains(*share));
        let given = numbered().find(|(share, _)| **share > 0.0);
        let best = self.shares.iter().copied().fold(0.0, f64::max);
        let (what, place) = match (beyond, given) {
            (Some((_, place)), _) => (TroubleKind::Weight, place),
            (None, Some((_, place))) if self.is_single && best < 100.0 => {
                (TroubleKind::NoFullWeight, place)
            }
            (None, Some((_, place))) if !self.is_single && !points::add_up(&self.shares) => {
                (TroubleKind::WeightSum, place)
            }
            _ => return None,
        };
        self.is_plain.then(|| Trouble {
            range: place.clone(),
            what,
        })
    }

    /// Whether an answer that gives so much is right. Where one is to be chosen it is the
    /// best; others may give a part of the points.
    fn is_right(&self, share: f64) -> bool {
        let best = self.shares.iter().copied().fold(0.0, f64::max);
        share > 0.0 && (!self.is_single || share >= best)
    }
}

impl TakesTags for Marks<'_> {
    fn open(
        &mut self,
        name: &str,
        attributes: &Range<usize>,
        whole: &Range<usize>,
        inside: &Inside,
    ) {
        let value = |wanted| {
            let value = xml::attribute(self.text, attributes, wanted);
            value.and_then(|range| self.text.get(range))
        };
        match (name, inside.path.len()) {
            ("question", 0) => {
                let several = ["multichoiceset", "oumultiresponse"];
                self.is_plain = !value("type").is_some_and(|kind| several.contains(&kind));
                self.is_single = self.is_plain;
            }
            ("answer", 1) => {
                let share = value("fraction").and_then(|share| share.trim().parse().ok());
                let place = xml::attribute(self.text, attributes, "fraction");
                self.places.push(place.unwrap_or_else(|| whole.clone()));
                self.shares.push(share.unwrap_or_default());
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str, _: &Range<usize>, inside: &Inside) {
        if name == "single" && inside.path.len() == 2 {
            let says = inside.pieces.first().map_or("", |piece| match piece {
                Piece::Text(range) => self.text.get(range.clone()).unwrap_or_default(),
                _ => "",
            });
            self.is_single &= !matches!(says.trim(), "false" | "0");
        }
    }
}

/// What each answer of a question gives, in per cent.
pub(crate) fn weights(text: &str, range: &Range<usize>) -> Vec<f64> {
    Marks::of(text, range).shares
}

/// The list of options in the tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Options {
    NotYet,
    Open,
    Ended,
}

/// What a `<text>` belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Name,
    Stem,
    General,
    Option,
    Feedback,
    Nothing,
}

pub(crate) fn read(text: &str, range: &Range<usize>) -> Json {
    let mut reading = Reading {
        text,
        builder: Builder::default(),
        content: Content::Html,
        answers: Vec::new(),
        options: Options::NotYet,
        answers_apart: None,
        marks: Marks::of(text, range),
        last_end: range.start,
    };
    reading.builder.object("", range.start);
    xml::walk(text, range, &mut reading);
    reading.finish(range.end)
}

struct Reading<'a> {
    text: &'a str,
    builder: Builder,
    content: Content,
    answers: Vec<Answer>,
    options: Options,
    /// An answer after the list was ended by another text.
    answers_apart: Option<Range<usize>>,
    marks: Marks<'a>,
    last_end: usize,
}

impl TakesTags for Reading<'_> {
    fn open(
        &mut self,
        name: &str,
        attributes: &Range<usize>,
        whole: &Range<usize>,
        inside: &Inside,
    ) {
        let value = |wanted| xml::attribute(self.text, attributes, wanted);
        match name {
            "questiontext" | "generalfeedback" | "answer" | "feedback" => {
                let format = value("format").and_then(|format| self.text.get(format));
                self.content = match format {
                    Some("plain_text" | "markdown") => Content::Plain,
                    _ => Content::Html,
                };
            }
            "name" => self.content = Content::Plain,
            _ => {}
        }
        if name != "answer" || inside.path.len() != 1 {
            return;
        }
        let fraction = value("fraction").unwrap_or(whole.start..whole.start);
        let share: f64 = self
            .text
            .get(fraction.clone())
            .and_then(|share| share.trim().parse().ok())
            .unwrap_or_default();
        match self.options {
            Options::NotYet => {
                self.options = Options::Open;
                self.builder.list("options", whole.start);
            }
            Options::Open => {}
            Options::Ended => {
                self.answers_apart.get_or_insert(whole.clone());
                return;
            }
        }
        self.builder.object("", whole.start);
        let is_right = self.marks.is_right(share);
        self.builder.flag("correct", fraction.clone(), is_right);
        self.answers.push(Answer { fraction, is_right });
    }

    fn close(&mut self, name: &str, whole: &Range<usize>, inside: &Inside) {
        match name {
            "text" => self.text_ends(whole.start, inside),
            "answer" if inside.path.len() == 2 && self.options == Options::Open => {
                self.builder.close(whole.end);
                self.last_end = whole.end;
            }
            _ => {}
        }
    }
}

impl Reading<'_> {
    /// What the `<text>` that is being closed belongs to.
    fn owner(inside: &Inside) -> Owner {
        let path: Vec<&str> = inside.path.iter().map(String::as_str).collect();
        match path.as_slice() {
            [_, "name", "text"] => Owner::Name,
            [_, "questiontext", "text"] => Owner::Stem,
            [_, "generalfeedback", "text"] => Owner::General,
            [_, "answer", "text"] => Owner::Option,
            [_, "answer", "feedback", "text"] => Owner::Feedback,
            _ => Owner::Nothing,
        }
    }

    fn text_ends(&mut self, at: usize, inside: &Inside) {
        let owner = Self::owner(inside);
        let name = match owner {
            Owner::Name => "id",
            Owner::Stem => "stem",
            Owner::General => "explanation",
            Owner::Option => "text",
            Owner::Feedback => "feedback",
            Owner::Nothing => return,
        };
        let read = xml::text_of(self.text, &inside.pieces, at, self.content);
        let is_own = matches!(owner, Owner::Option | Owner::Feedback);
        if is_own && self.options != Options::Open {
            return;
        }
        // Questions often have an empty feedback, which says nothing.
        if read.text.is_empty() && !matches!(owner, Owner::Stem | Owner::Option) {
            return;
        }
        if !is_own {
            self.end_options();
        }
        self.builder.text(name, read);
    }

    fn end_options(&mut self) {
        if self.options == Options::Open {
            self.options = Options::Ended;
            self.builder.close(self.last_end);
        }
    }

    fn finish(mut self, end: usize) -> Json {
        self.end_options();
        let mut right = self
            .answers
            .iter()
            .enumerate()
            .filter(|(_, answer)| answer.is_right);
        match (right.next(), right.next()) {
            // Options would be missing, so that no position can be trusted: the key names none.
            _ if self.answers_apart.is_some() => {
                let place = self.answers_apart.clone().unwrap_or_default();
                self.builder.number("answerIndex", place, u32::MAX);
            }
            (Some((index, only)), None) => {
                let index = u32::try_from(index).unwrap_or(u32::MAX);
                let fraction = only.fraction.clone();
                self.builder.number("answerIndex", fraction, index);
            }
            (Some(_), Some(_)) if !self.marks.is_single => {
                self.builder.flag("multiple_answers", end..end, true);
            }
            _ => {}
        }
        self.builder.close(end);
        self.builder.finish(end)
    }
}
