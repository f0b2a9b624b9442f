//! Which options of a QTI 1.2 item are right: `<resprocessing>` has conditions, each with
//! the labels that it wants and the points that it gives.
//!
//! | cardinality | labels that give points | the key |
//! |---|---|---|
//! | multiple | any | several right answers |
//! | single | one | that one |
//! | single | several | the one with the most points, if no other has as many |
//!
//! Points are those of the variable `SCORE`, where an item has one; others count tries or time.

use std::ops::Range;

use crate::xml::{self, Content, Inside, Piece, Pieces, TakesTags};

/// A condition: the labels it wants, the points it gives, and the feedback it shows.
#[derive(Default)]
struct Condition {
    labels: Vec<Label>,
    gives: f64,
    shows: Vec<Range<usize>>,
}

/// The name of an option, and where it stands.
#[derive(Clone, Default)]
struct Label {
    place: Range<usize>,
    name: String,
}

/// What a `<setvar>` does with its number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Add,
    Subtract,
    /// It belongs to another variable than the score.
    None,
}

/// What an item says about its answers.
pub(crate) struct Answers<'a> {
    text: &'a str,
    conditions: Vec<Condition>,
    /// Whether the item has a variable `SCORE`.
    has_score: bool,
    action: Action,
    /// How many `<not>` are open.
    negations: usize,
    pub(crate) is_multiple: bool,
}

impl<'a> Answers<'a> {
    pub(crate) fn of(text: &'a str, range: &Range<usize>) -> Self {
        let item = text.get(range.clone()).unwrap_or_default();
        let mut answers = Self {
            text,
            conditions: Vec::new(),
            has_score: Pieces::of(item, &(0..item.len())).any(|piece| match piece {
                Piece::Open {
                    name, attributes, ..
                } => xml::local(item, &name) == "setvar" && variable(item, &attributes) == "SCORE",
                _ => false,
            }),
            action: Action::None,
            negations: 0,
            is_multiple: false,
        };
        xml::walk(text, range, &mut answers);
        answers
    }

    fn says(&self, range: &Range<usize>) -> &'a str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// Whether an option of this name gives points.
    pub(crate) fn is_right(&self, label: &str) -> bool {
        let giving = self.giving();
        giving.iter().any(|(given, _)| given.name == label)
    }

    /// The label of the one right answer, and where it stands.
    pub(crate) fn only(&self) -> Option<(Range<usize>, &str)> {
        let giving = self.giving();
        let most = giving.iter().map(|(_, gives)| *gives).fold(0.0, f64::max);
        let mut best = giving.iter().filter(|(_, gives)| *gives >= most);
        let (first, _) = best.next()?;
        best.all(|(other, _)| other.name == first.name)
            .then(|| (first.place.clone(), first.name.as_str()))
    }

    /// The label of the one option that a feedback of this name is shown for.
    pub(crate) fn shown_for(&self, feedback: &str) -> Option<&str> {
        let mut showing = self.conditions.iter().filter(|condition| {
            let mut shows = condition.shows.iter();
            shows.any(|range| self.says(range) == feedback)
        });
        match (showing.next()?.labels.as_slice(), showing.next()) {
            ([only], None) => Some(only.name.as_str()),
            _ => None,
        }
    }

    fn giving(&self) -> Vec<(&Label, f64)> {
        let conditions = self.conditions.iter();
        conditions
            .filter(|condition| condition.gives > 0.0)
            .flat_map(|condition| {
                let labels = condition.labels.iter();
                labels.map(|label| (label, condition.gives))
            })
            .collect()
    }
}

impl TakesTags for Answers<'_> {
    fn open(&mut self, name: &str, attributes: &Range<usize>, _: &Range<usize>, _: &Inside) {
        match name {
            "response_lid" => {
                let cardinality = xml::attribute(self.text, attributes, "rcardinality");
                self.is_multiple = cardinality
                    .is_some_and(|range| self.says(&range).eq_ignore_ascii_case("multiple"));
            }
            "respcondition" => self.conditions.push(Condition::default()),
            "not" => self.negations += 1,
            "setvar" => {
                let is_other = self.has_score && variable(self.text, attributes) != "SCORE";
                let action = xml::attribute(self.text, attributes, "action");
                let action = action.map_or("", |range| self.says(&range));
                self.action = match action.to_ascii_lowercase().as_str() {
                    _ if is_other => Action::None,
                    "subtract" => Action::Subtract,
                    // To multiply and divide gives nothing where there was nothing.
                    "multiply" | "divide" => Action::None,
                    _ => Action::Add,
                };
            }
            "displayfeedback" => {
                let feedback = xml::attribute(self.text, attributes, "linkrefid");
                if let Some(condition) = self.conditions.last_mut() {
                    condition.shows.extend(feedback);
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str, _: &Range<usize>, inside: &Inside) {
        if name == "not" {
            self.negations = self.negations.saturating_sub(1);
        }
        if !matches!(name, "varequal" | "setvar") {
            return;
        }
        let content = xml::text_of(self.text, &inside.pieces, 0, Content::Plain);
        let Some(condition) = self.conditions.last_mut() else {
            return;
        };
        match name {
            "varequal" if self.negations == 0 => condition.labels.push(Label {
                place: content.map.source_span(),
                name: content.text,
            }),
            "setvar" => {
                let points = match content.text.to_ascii_lowercase().as_str() {
                    // As Blackboard writes it.
                    "score.max" => 100.0,
                    number => number.replace(',', ".").parse().unwrap_or(0.0),
                };
                match self.action {
                    Action::Add => condition.gives += points,
                    Action::Subtract => condition.gives -= points,
                    Action::None => {}
                }
            }
            _ => {}
        }
    }
}

/// The name of the variable that a `<setvar>` sets, in capitals; `SCORE` unless it says another.
fn variable(text: &str, attributes: &Range<usize>) -> String {
    let name = xml::attribute(text, attributes, "varname")
        .or_else(|| xml::attribute(text, attributes, "variablename"));
    let name = name.and_then(|range| text.get(range));
    name.map_or("SCORE".to_owned(), |name| name.trim().to_ascii_uppercase())
}
