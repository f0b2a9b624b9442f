//! QTI 1.2, as Canvas and others export it: an `<item>` has a `<presentation>` with the
//! question in `<mattext>` and a `<response_label>` for each option; `<resprocessing>`
//! says which label is right, and which `<itemfeedback>` is shown for which. A text may be
//! spread over several `<mattext>`. Items of later versions are found here and read by `qti2`.

use std::ops::Range;

use redraft_text::json::{Builder, Json, ReadText};
use redraft_text::writing::Writing;

use crate::html;
use crate::marks::{MEMBER_MARK, UNREAD_MARK};
use crate::qti_answers::Answers;
use crate::qti2;
use crate::units::{self, Unit};
use crate::xml::{self, Content, Inside, TakesTags};
use crate::{Bank, BankFormat, Question, QuestionKind, Trouble, TroubleKind};

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
    let mut troubles = elements.troubles;
    troubles.extend(unread(text));
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
        troubles,
        head: 0..0,
        columns: None,
    })
}

/// What a package names as not read, after its questions.
fn unread(text: &str) -> impl Iterator<Item = Trouble> {
    let is_package = text.starts_with(MEMBER_MARK);
    let marks = text.match_indices(UNREAD_MARK).filter(move |_| is_package);
    marks.map(|(at, _)| {
        let line = text.get(at..).and_then(|rest| rest.lines().next());
        Trouble {
            range: at..at + line.map_or(0, str::len),
            what: TroubleKind::Unread,
        }
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
    if has("multiple_dropdowns_question") {
        QuestionKind::Other("drop-down lists")
    } else if has("fill_in_multiple_blanks_question") {
        QuestionKind::Other("short answer")
    } else if has("text_only_question") {
        QuestionKind::Other("description")
    } else if has("matching_question") || item.matches("<response_lid").count() > 1 {
        QuestionKind::Other("matching")
    } else if has("true_false_question") {
        QuestionKind::Other("true or false")
    } else if has("render_choice") {
        QuestionKind::Choice
    } else if has("essay_question") {
        QuestionKind::Other("essay")
    } else if has("numerical_question") || has("calculated_question") {
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
        stem: Vec::new(),
        texts: Vec::new(),
        answers: Answers::of(text, range),
        labels: Vec::new(),
        general: Vec::new(),
        feedback: Feedback::Other,
    };
    reading.builder.object("", range.start);
    xml::walk(text, range, &mut reading);
    reading.finish(range.end)
}

/// An option.
struct Label {
    ident: Range<usize>,
    whole: Range<usize>,
    text: Option<ReadText>,
    /// What is said to it, which stands far from it in the file.
    feedback: Option<ReadText>,
}

/// What a feedback belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Feedback {
    /// The question, or its right answer.
    General,
    /// An option, by its position.
    Option(usize),
    Other,
}

struct Reading<'a> {
    text: &'a str,
    builder: Builder,
    content: Content,
    /// The texts of the question.
    stem: Vec<ReadText>,
    /// The texts of the option or feedback that is being read, and how they are written.
    texts: Vec<(Vec<Unit>, Writing)>,
    answers: Answers<'a>,
    labels: Vec<Label>,
    general: Vec<ReadText>,
    /// The feedback that is being read.
    feedback: Feedback,
}

impl TakesTags for Reading<'_> {
    fn open(&mut self, name: &str, attributes: &Range<usize>, whole: &Range<usize>, _: &Inside) {
        match name {
            "item" => {
                if let Some(ident) = self.value(attributes, "ident") {
                    self.builder.text("id", attribute_text(self.text, ident));
                }
            }
            "mattext" | "mat_formattedtext" => {
                let kind = self.value(attributes, "texttype");
                let kind = kind.or_else(|| self.value(attributes, "type"));
                let is_html = kind
                    .is_some_and(|range| self.says(range).to_ascii_lowercase().contains("html"));
                self.content = if is_html {
                    Content::Html
                } else {
                    Content::Plain
                };
            }
            "response_label" => self.labels.push(Label {
                ident: self.value(attributes, "ident").unwrap_or_default(),
                whole: whole.clone(),
                text: None,
                feedback: None,
            }),
            "itemfeedback" => {
                let ident = self.value(attributes, "ident").unwrap_or_default();
                self.feedback = self.owner(ident);
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str, whole: &Range<usize>, inside: &Inside) {
        match name {
            "mattext" | "mat_formattedtext" => self.text_ends(whole.start, inside),
            "response_label" => {
                let read = self.joined(whole.start);
                if let Some(label) = self.labels.last_mut() {
                    label.whole.end = whole.end;
                    label.text = Some(read);
                }
            }
            "itemfeedback" => {
                let read = self.joined(whole.start);
                if let Feedback::Option(index) = self.feedback
                    && let Some(label) = self.labels.get_mut(index)
                    && !read.text.is_empty()
                {
                    label.feedback.get_or_insert(read);
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

    /// The name of an option, with its entities decoded.
    fn name_of(&self, label: &Label) -> String {
        attribute_text(self.text, label.ident.clone()).text
    }

    /// What the feedback of a name belongs to: as the conditions say, else as the name does.
    fn owner(&self, ident: Range<usize>) -> Feedback {
        let name = self.says(ident);
        let is_general = name.contains("general") || name.contains("correct");
        if is_general {
            let is_wrong = name.contains("incorrect");
            return if is_wrong {
                Feedback::Other
            } else {
                Feedback::General
            };
        }
        let label = self.answers.shown_for(name);
        let own = |of: &Label| Some(self.name_of(of).as_str()) == label;
        let index = self.labels.iter().position(own);
        index.map_or(Feedback::Other, Feedback::Option)
    }

    fn text_ends(&mut self, at: usize, inside: &Inside) {
        let (characters, writing) = xml::units_of(self.text, &inside.pieces, self.content);
        let is_feedback = inside.is_in("itemfeedback");
        let is_options = matches!(self.feedback, Feedback::Option(_));
        if inside.is_in("response_label") || is_feedback && is_options {
            // What is written in another way cannot be edited together with the first.
            let first = self.texts.first().map(|(_, first)| *first);
            if first.is_none_or(|first| first == writing) {
                self.texts.push((characters, writing));
            }
            return;
        }
        let read = units::read(&characters, at, writing);
        if read.text.is_empty() {
            // Nothing to read.
        } else if is_feedback {
            if self.feedback == Feedback::General {
                self.general.push(read);
            }
        } else if inside.is_in("presentation") && self.labels.is_empty() {
            self.stem.push(read);
        }
    }

    /// The texts of an option or a feedback as one.
    fn joined(&mut self, at: usize) -> ReadText {
        let texts = std::mem::take(&mut self.texts);
        let writing = texts.first().map_or(Writing::Xml, |(_, writing)| *writing);
        let texts = texts.into_iter().map(|(units, _)| units).collect();
        units::read(&units::joined(texts), at, writing)
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

    fn write_options(&mut self) {
        let labels = std::mem::take(&mut self.labels);
        let (Some(first), Some(last)) = (labels.first(), labels.last()) else {
            return;
        };
        // The list reaches to the last feedback of an option, so that a repair of the options
        // may change it; an explanation lies inside or outside, never half.
        let end_of = |read: &ReadText| read.map.source_span().end;
        let feedback = labels.iter().filter_map(|label| label.feedback.as_ref());
        let mut end = feedback.map(end_of).fold(last.whole.end, usize::max);
        let mut general = self.general.iter().map(|read| read.map.source_span().start);
        if general.any(|start| start < end) {
            end = self.general.iter().map(end_of).fold(end, usize::max);
        }
        self.builder.list("options", first.whole.start);
        for label in labels {
            let start = label.whole.start;
            self.builder.object("", start);
            if self.answers.is_multiple {
                let is_right = self.answers.is_right(&self.name_of(&label));
                self.builder.flag("correct", start..start, is_right);
            }
            let text = label.text;
            let empty = || units::read(&[], label.whole.end, Writing::Xml);
            self.builder.text("text", text.unwrap_or_else(empty));
            if let Some(feedback) = label.feedback {
                self.builder.text("feedback", feedback);
            }
            self.builder.close(label.whole.end);
        }
        self.builder.close(end);
    }

    fn finish(mut self, end: usize) -> Json {
        let start = self.labels.first().map_or(end, |label| label.whole.start);
        let key = self.answers.only().filter(|_| !self.answers.is_multiple);
        // A label that no option has, or several, is a key that names none.
        let key = key.map(|(only, label)| {
            let own = |(_, of): &(usize, &Label)| self.name_of(of) == label;
            let mut owners = self.labels.iter().enumerate().filter(own);
            let index = match (owners.next(), owners.next()) {
                (Some((index, _)), None) => u32::try_from(index).ok(),
                _ => None,
            };
            (only, index.unwrap_or(u32::MAX))
        });
        self.write_stem(start);
        self.write_options();
        if self.answers.is_multiple {
            self.builder.flag("multiple_answers", end..end, true);
        } else if let Some((only, index)) = key {
            self.builder.number("answerIndex", only, index);
        }
        xml::texts(&mut self.builder, "explanation", self.general, end);
        self.builder.close(end);
        self.builder.finish(end)
    }
}

fn attribute_text(text: &str, range: Range<usize>) -> ReadText {
    let start = range.start;
    let decoded = html::entities(&units::plain(text, range), html::xml_entity);
    units::read(&decoded, start, Writing::Xml)
}
