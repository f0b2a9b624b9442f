//! Which options of a QTI 1.2 item are right: `<resprocessing>` has conditions, each with
//! the labels that it wants and the points that it gives.
//!
//! | cardinality | labels that give points | the key |
//! |---|---|---|
//! | multiple | any | several right answers |
//! | single | one | that one |
//! | single | several | the one with the most points, if no other has as many |

use std::ops::Range;

use crate::units;
use crate::xml::{self, Inside, Piece, TakesTags};

/// A condition: the labels it wants, the points it gives, and the feedback it shows.
#[derive(Default)]
struct Condition {
    labels: Vec<Range<usize>>,
    gives: f64,
    shows: Vec<Range<usize>>,
}

/// What an item says about its answers.
#[derive(Default)]
pub(crate) struct Answers<'a> {
    text: &'a str,
    conditions: Vec<Condition>,
    /// How many `<not>` are open.
    negations: usize,
    pub(crate) is_multiple: bool,
}

impl<'a> Answers<'a> {
    pub(crate) fn of(text: &'a str, range: &Range<usize>) -> Self {
        let mut answers = Self {
            text,
            ..Self::default()
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
        giving.iter().any(|(range, _)| self.says(range) == label)
    }

    /// Where the label of the one right answer stands.
    pub(crate) fn only(&self) -> Option<Range<usize>> {
        let giving = self.giving();
        let most = giving.iter().map(|(_, gives)| *gives).fold(0.0, f64::max);
        let mut best = giving.iter().filter(|(_, gives)| *gives >= most);
        let (first, _) = best.next()?;
        best.all(|(other, _)| self.says(other) == self.says(first))
            .then(|| first.clone())
    }

    /// The label of the one option that a feedback of this name is shown for.
    pub(crate) fn shown_for(&self, feedback: &str) -> Option<&'a str> {
        let mut showing = self.conditions.iter().filter(|condition| {
            let mut shows = condition.shows.iter();
            shows.any(|range| self.says(range) == feedback)
        });
        match (showing.next()?.labels.as_slice(), showing.next()) {
            ([only], None) => Some(self.says(only)),
            _ => None,
        }
    }

    fn giving(&self) -> Vec<(Range<usize>, f64)> {
        let conditions = self.conditions.iter();
        conditions
            .filter(|condition| condition.gives > 0.0)
            .flat_map(|condition| {
                let labels = condition.labels.iter();
                labels.map(|label| (label.clone(), condition.gives))
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
        let (Some(Piece::Text(range)), Some(condition)) =
            (inside.pieces.first(), self.conditions.last_mut())
        else {
            return;
        };
        let range = units::trimmed(self.text, range.clone());
        match name {
            "varequal" if self.negations == 0 => condition.labels.push(range),
            "setvar" => {
                let points = self.text.get(range).unwrap_or_default();
                condition.gives += points.parse().unwrap_or(0.0);
            }
            _ => {}
        }
    }
}
