//! Moodle XML: a `<question type="multichoice">` has a `<questiontext>`, `<answer>`s with
//! a `fraction` and a `<feedback>`, and a `<generalfeedback>`; each keeps its text in
//! `<text>`, usually HTML in a CDATA section. Files in it stand as base64 and are not read.

use std::ops::Range;

use redraft_text::json::{Builder, Json};

use crate::xml::{self, Content, Piece, Pieces};
use crate::{Bank, BankFormat, Question, QuestionKind};

pub(crate) fn cut(text: &str) -> Option<Bank> {
    if !text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<')
    {
        return None;
    }
    let elements = xml::elements(text, "question");
    // One question alone is a part of such a file.
    if !matches!(elements.root.as_deref(), Some("quiz" | "question")) {
        return None;
    }
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
            Some(Question { range, kind })
        })
        .collect();
    Some(Bank {
        format: BankFormat::MoodleXml,
        questions,
        troubles: elements.troubles,
        head: 0..0,
        columns: None,
    })
}

/// An answer while it is read.
struct Answer {
    fraction: Range<usize>,
    is_right: bool,
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
        path: Vec::new(),
        content: Content::Html,
        answers: Vec::new(),
        in_options: false,
        is_single: true,
        pieces: Vec::new(),
        last_end: range.start,
    };
    reading.builder.object("", range.start);
    for piece in Pieces::of(text, range) {
        reading.piece(piece);
    }
    reading.finish(range.end)
}

struct Reading<'a> {
    text: &'a str,
    builder: Builder,
    path: Vec<String>,
    content: Content,
    answers: Vec<Answer>,
    /// Whether the list of options is open in the tree.
    in_options: bool,
    is_single: bool,
    /// The pieces inside the innermost `<text>`.
    pieces: Vec<Piece>,
    last_end: usize,
}

impl Reading<'_> {
    fn piece(&mut self, piece: Piece) {
        match piece {
            Piece::Open {
                name,
                attributes,
                whole,
                is_empty,
            } => {
                let name = xml::local(self.text, &name);
                self.open(&name, &attributes, &whole);
                if !is_empty {
                    self.path.push(name);
                } else if name == "answer" {
                    self.builder.close(whole.end);
                }
                self.pieces.clear();
            }
            Piece::Close { name, whole } => {
                let name = xml::local(self.text, &name);
                self.close(&name, &whole);
                if self.path.last() == Some(&name) {
                    self.path.pop();
                }
                self.pieces.clear();
            }
            piece => self.pieces.push(piece),
        }
    }

    fn open(&mut self, name: &str, attributes: &Range<usize>, whole: &Range<usize>) {
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
        if name != "answer" || self.path.len() != 1 {
            return;
        }
        let fraction = value("fraction").unwrap_or(whole.start..whole.start);
        let share: f64 = self
            .text
            .get(fraction.clone())
            .and_then(|share| share.trim().parse().ok())
            .unwrap_or_default();
        if !self.in_options {
            self.in_options = true;
            self.builder.list("options", whole.start);
        }
        self.builder.object("", whole.start);
        self.builder.flag("correct", fraction.clone(), share > 0.0);
        self.answers.push(Answer {
            fraction,
            is_right: share > 0.0,
        });
    }

    fn close(&mut self, name: &str, whole: &Range<usize>) {
        match name {
            "text" => self.text_ends(whole.start),
            "single" => {
                let says = self.pieces.first().map_or("", |piece| match piece {
                    Piece::Text(range) => self.text.get(range.clone()).unwrap_or_default(),
                    _ => "",
                });
                self.is_single = !matches!(says.trim(), "false" | "0");
            }
            "answer" if self.path.len() == 2 => {
                self.builder.close(whole.end);
                self.last_end = whole.end;
            }
            _ => {}
        }
    }

    /// What the `<text>` that is being closed belongs to.
    fn owner(&self) -> Owner {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        match path.as_slice() {
            [_, "name", "text"] => Owner::Name,
            [_, "questiontext", "text"] => Owner::Stem,
            [_, "generalfeedback", "text"] => Owner::General,
            [_, "answer", "text"] => Owner::Option,
            [_, "answer", "feedback", "text"] => Owner::Feedback,
            _ => Owner::Nothing,
        }
    }

    fn text_ends(&mut self, at: usize) {
        let owner = self.owner();
        let name = match owner {
            Owner::Name => "id",
            Owner::Stem => "stem",
            Owner::General => "explanation",
            Owner::Option => "text",
            Owner::Feedback => "feedback",
            Owner::Nothing => return,
        };
        let read = xml::text_of(self.text, &self.pieces, at, self.content);
        let is_own = matches!(owner, Owner::Option | Owner::Feedback);
        // Questions often have an empty feedback, which says nothing.
        if read.text.is_empty() && !matches!(owner, Owner::Stem | Owner::Option) {
            return;
        }
        if self.in_options && !is_own {
            self.end_options();
        }
        self.builder.text(name, read);
    }

    fn end_options(&mut self) {
        if self.in_options {
            self.in_options = false;
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
            (Some((index, only)), None) => {
                let index = u32::try_from(index).unwrap_or(u32::MAX);
                let fraction = only.fraction.clone();
                self.builder.number("answerIndex", fraction, index);
            }
            (Some(_), Some(_)) if !self.is_single => {
                self.builder.flag("multiple_answers", end..end, true);
            }
            _ => {}
        }
        self.builder.close(end);
        self.builder.finish(end)
    }
}
