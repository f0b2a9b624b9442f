//! QTI 2.1, 2.2 and 3.0: a file for each item. An `<assessmentItem>` names the right choice
//! in `<responseDeclaration>`; `<itemBody>` is XHTML with a `<choiceInteraction>` in it. In
//! 3.0 the names are `qti-assessment-item`, `qti-item-body` and so on.

use std::ops::Range;

use redraft_text::json::{Builder, Json, ReadText};
use redraft_text::writing::Writing;

use crate::QuestionKind;
use crate::html;
use crate::units::{self, Unit};
use crate::xml::{self, Content, Inside, TakesTags};

/// The elements that hold an item.
pub(crate) const ITEMS: [&str; 2] = ["assessmentitem", "qti-assessment-item"];

/// Elements whose text is not the question.
const ASIDE: [&str; 6] = [
    "rubricblock",
    "feedbackblock",
    "feedbackinline",
    "templateblock",
    "stylesheet",
    "infocontrol",
];

/// A name as QTI 2 writes it, in lower case.
fn known(name: &str) -> String {
    match name.strip_prefix("qti-") {
        Some(rest) => rest.replace('-', ""),
        None => name.to_owned(),
    }
}

pub(crate) fn kind(text: &str, range: &Range<usize>) -> QuestionKind {
    let mut interactions = Interactions::default();
    xml::walk(text, range, &mut interactions);
    match interactions.0.as_slice() {
        [only] if only == "choiceinteraction" => QuestionKind::Choice,
        [] => QuestionKind::Other("description"),
        [only] => QuestionKind::Other(match only.as_str() {
            "extendedtextinteraction" => "essay",
            "textentryinteraction" => "short answer",
            "matchinteraction" | "associateinteraction" => "matching",
            "inlinechoiceinteraction" | "gapmatchinteraction" => "cloze",
            "orderinteraction" => "order",
            "sliderinteraction" => "number",
            _ => "another kind",
        }),
        _ => QuestionKind::Other("several questions in one"),
    }
}

/// The names of all interactions.
#[derive(Default)]
struct Interactions(Vec<String>);

impl TakesTags for Interactions {
    fn open(&mut self, name: &str, _: &Range<usize>, _: &Range<usize>, _: &Inside) {
        let name = known(name);
        if name.ends_with("interaction") {
            self.0.push(name);
        }
    }

    fn close(&mut self, _: &str, _: &Range<usize>, _: &Inside) {}
}

pub(crate) fn read(text: &str, range: &Range<usize>) -> Json {
    let mut reading = Reading {
        text,
        ..Reading::default()
    };
    xml::walk(text, range, &mut reading);
    reading.tree(range)
}

/// A choice while it is read.
#[derive(Default)]
struct Choice {
    identifier: String,
    whole: Range<usize>,
    /// The ranges of its own text.
    words: Vec<Range<usize>>,
    feedback: Option<Range<usize>>,
}

/// What is right in a response.
#[derive(Default)]
struct Declaration {
    identifier: String,
    /// The identifiers of choices that are right, where they stand.
    right: Vec<Range<usize>>,
    /// Those that the table of points gives some, and how many.
    paid: Vec<(Range<usize>, f64)>,
    is_multiple: bool,
}

#[derive(Default)]
struct Reading<'a> {
    text: &'a str,
    id: Option<Range<usize>>,
    /// Where the text goes on that is being read.
    from: usize,
    /// The ranges of the text before the interaction.
    before: Vec<Range<usize>>,
    prompt: Vec<Range<usize>>,
    choices: Vec<Choice>,
    /// What an item says about its answers, one for each response.
    declarations: Vec<Declaration>,
    /// The response that the interaction gives.
    response: Option<String>,
    modal: Vec<Range<usize>>,
    was_interaction: bool,
}

impl Reading<'_> {
    /// Ends the piece of text before a tag; it belongs to what is open.
    fn piece(&mut self, end: usize, inside: &Inside) {
        let piece = self.from..end.max(self.from);
        let path: Vec<String> = inside.path.iter().map(|name| known(name)).collect();
        let is_in = |name: &str| path.iter().any(|open| open == name);
        if piece.is_empty() || ASIDE.iter().any(|name| is_in(name)) {
            return;
        }
        if is_in("simplechoice") {
            if let Some(choice) = self.choices.last_mut() {
                choice.words.push(piece);
            }
        } else if is_in("prompt") {
            self.prompt.push(piece);
        } else if is_in("itembody") && !self.was_interaction && !is_in("choiceinteraction") {
            self.before.push(piece);
        }
    }

    fn value(&self, attributes: &Range<usize>, name: &str) -> Option<Range<usize>> {
        xml::attribute(self.text, attributes, name)
    }

    fn says(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }
}

impl TakesTags for Reading<'_> {
    fn open(
        &mut self,
        name: &str,
        attributes: &Range<usize>,
        whole: &Range<usize>,
        inside: &Inside,
    ) {
        let name = known(name);
        // Tags inside a text belong to it; those around it do not.
        let is_outer = matches!(
            name.as_str(),
            "itembody" | "choiceinteraction" | "prompt" | "simplechoice" | "modalfeedback"
        ) || ASIDE.contains(&name.as_str());
        if is_outer {
            self.piece(whole.start, inside);
            self.from = whole.end;
        }
        match name.as_str() {
            "assessmentitem" => self.id = self.value(attributes, "identifier"),
            "responsedeclaration" => {
                let says = |name| {
                    let value = self.value(attributes, name);
                    value.map_or("", |range| self.says(range)).to_owned()
                };
                self.declarations.push(Declaration {
                    identifier: says("identifier"),
                    is_multiple: says("cardinality") == "multiple",
                    ..Declaration::default()
                });
            }
            "choiceinteraction" => {
                let response = self
                    .value(attributes, "responseIdentifier")
                    .or_else(|| self.value(attributes, "response-identifier"));
                self.response = response.map(|range| self.says(range).to_owned());
            }
            "mapentry" => {
                let key = self
                    .value(attributes, "mapKey")
                    .or_else(|| self.value(attributes, "map-key"));
                let points = self
                    .value(attributes, "mappedValue")
                    .or_else(|| self.value(attributes, "mapped-value"));
                let gives = points.and_then(|range| self.says(range).trim().parse::<f64>().ok());
                let gives = gives.filter(|points| *points > 0.0);
                if let Some(declaration) = self.declarations.last_mut() {
                    declaration.paid.extend(key.zip(gives));
                }
            }
            "simplechoice" => {
                let identifier = self.value(attributes, "identifier").unwrap_or_default();
                self.choices.push(Choice {
                    identifier: self.says(identifier).to_owned(),
                    whole: whole.clone(),
                    ..Choice::default()
                });
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str, whole: &Range<usize>, inside: &Inside) {
        let name = known(name);
        let is_aside = ASIDE.contains(&name.as_str());
        let content = self.from..whole.start.max(self.from);
        match name.as_str() {
            "value"
                if inside
                    .path
                    .iter()
                    .any(|open| known(open) == "correctresponse") =>
            {
                let value = xml::text_of(self.text, &inside.pieces, 0, Content::Plain);
                if let Some(declaration) = self.declarations.last_mut() {
                    declaration.right.push(value.map.source_span());
                }
            }
            "feedbackinline" => {
                let is_in_choice = inside.path.iter().any(|open| known(open) == "simplechoice");
                if let Some(choice) = self.choices.last_mut().filter(|_| is_in_choice) {
                    choice.feedback = Some(content);
                }
            }
            "modalfeedback" => self.modal.push(content),
            "itembody" | "choiceinteraction" | "prompt" | "simplechoice" => {
                self.piece(whole.start, inside);
                self.was_interaction |= name == "choiceinteraction";
                if let Some(choice) = self.choices.last_mut().filter(|_| name == "simplechoice") {
                    choice.whole.end = whole.end;
                }
            }
            _ if !is_aside => return,
            _ => {}
        }
        self.from = whole.end;
    }
}

impl Reading<'_> {
    fn tree(self, range: &Range<usize>) -> Json {
        let mut builder = Builder::default();
        builder.object("", range.start);
        if let Some(id) = self.id.clone() {
            let start = id.start;
            let id = units::read(&units::plain(self.text, id), start, Writing::Xml);
            builder.text("id", id);
        }
        self.stem(&mut builder, range.start);
        self.options(&mut builder);
        self.key(&mut builder);
        // Of several, each belongs to an answer.
        if let [only] = self.modal.as_slice() {
            let read = words(self.text, std::slice::from_ref(only));
            if !read.text.is_empty() {
                builder.text("explanation", read);
            }
        }
        builder.close(range.end);
        builder.finish(range.end)
    }

    fn stem(&self, builder: &mut Builder, at: usize) {
        let texts: Vec<ReadText> = [&self.before, &self.prompt]
            .into_iter()
            .filter(|ranges| !ranges.is_empty())
            .map(|ranges| words(self.text, ranges))
            .filter(|read| !read.text.is_empty())
            .collect();
        xml::texts(builder, "stem", texts, at);
    }

    fn options(&self, builder: &mut Builder) {
        let (Some(first), Some(last)) = (self.choices.first(), self.choices.last()) else {
            return;
        };
        builder.list("options", first.whole.start);
        let stated = self.stated();
        for choice in &self.choices {
            builder.object("", choice.whole.start);
            if self.is_multiple() {
                let place = choice.whole.start..choice.whole.start;
                let is_right = |range: &Range<usize>| self.says(range.clone()) == choice.identifier;
                builder.flag("correct", place, stated.iter().any(is_right));
            }
            let read = match choice.words.as_slice() {
                [] => units::read(&[], choice.whole.end, Writing::Xhtml),
                ranges => words(self.text, ranges),
            };
            let end = read.map.source_span().end;
            builder.text("text", read);
            // Feedback in the middle of a text has no place of its own.
            if let Some(feedback) = choice.feedback.clone().filter(|range| range.start >= end) {
                let read = words(self.text, &[feedback]);
                if !read.text.is_empty() {
                    builder.text("feedback", read);
                }
            }
            builder.close(choice.whole.end);
        }
        builder.close(last.whole.end);
    }

    /// What is declared about the response of the choices. Where either has no name, a
    /// single declaration is meant; one of another response says nothing about this one.
    fn declaration(&self) -> Option<&Declaration> {
        match (&self.response, self.declarations.as_slice()) {
            (None, [only]) => Some(only),
            (Some(_), [only]) if only.identifier.is_empty() => Some(only),
            (None, _) => None,
            (Some(response), all) => {
                let mut own = all.iter().filter(|of| of.identifier == *response);
                own.next().filter(|_| own.next().is_none())
            }
        }
    }

    fn is_multiple(&self) -> bool {
        self.declaration()
            .is_some_and(|declaration| declaration.is_multiple)
    }

    /// The identifiers that are right. Of those that give points, where one is to be chosen,
    /// it is the one that gives the most.
    fn stated(&self) -> Vec<Range<usize>> {
        let Some(declaration) = self.declaration() else {
            return Vec::new();
        };
        if !declaration.right.is_empty() {
            return declaration.right.clone();
        }
        let best = declaration.paid.iter().map(|(_, points)| *points);
        let best = best.fold(0.0, f64::max);
        let is_stated = |points: f64| declaration.is_multiple || points >= best;
        let paid = declaration.paid.iter();
        paid.filter(|(_, points)| is_stated(*points))
            .map(|(range, _)| range.clone())
            .collect()
    }

    fn key(&self, builder: &mut Builder) {
        match self.stated().as_slice() {
            [] => {}
            [only] if !self.is_multiple() => {
                let named = self.says(only.clone());
                let choices = self.choices.iter().enumerate();
                let mut owners = choices.filter(|(_, choice)| choice.identifier == named);
                let index = match (owners.next(), owners.next()) {
                    (Some((index, _)), None) => u32::try_from(index).ok(),
                    _ => None,
                };
                // An identifier that no choice has, or several, is a key that names none.
                builder.number("answerIndex", only.clone(), index.unwrap_or(u32::MAX));
            }
            // Several of which one may be chosen: nobody can say which is right.
            _ if !self.is_multiple() => {}
            [first, ..] => builder.flag("multiple_answers", first.clone(), true),
        }
    }
}

/// XHTML as it is read. The line that a tag begins is no place of the file, so that no edit
/// takes the tag away: an element would stay open.
fn words(text: &str, ranges: &[Range<usize>]) -> ReadText {
    let characters: Vec<Unit> = ranges
        .iter()
        .flat_map(|range| units::plain(text, range.clone()))
        .collect();
    let at = ranges.first().map_or(0, |range| range.start);
    let mut seen = html::visible(&characters);
    for unit in &mut seen {
        let is_tag = text.as_bytes().get(unit.start) == Some(&b'<');
        if unit.c == '\n' && is_tag {
            unit.end = unit.start;
        }
    }
    units::read(&seen, at, Writing::Xhtml)
}
