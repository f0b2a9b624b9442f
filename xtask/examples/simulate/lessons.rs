//! Lessons of the simulated world: six subjects, sentences put together from their
//! terms, and the defects that can be planted in them. All words are our own; no
//! sentence states a fact that anybody should learn.

mod kinds;

use redraft_gate::companion::{Companions, Objective, SectionSpecification, Specification};

use redraft_gate::reading::Hint;

use crate::craft::{Craft, Planted, Site};
use crate::dice::Dice;
use crate::world::{Found, Kind, Place};
use kinds::{CLARITY, COMPLETE, CUT, EXAMPLES, FACTS, KINDS, OBJECTIVES, STRUCTURE};

pub(crate) struct Lessons;

impl Craft for Lessons {
    fn profile_name(&self) -> &'static str {
        "lesson"
    }

    fn hint(&self) -> Hint {
        Hint::Markdown
    }

    fn kinds(&self) -> &'static [Kind] {
        KINDS
    }

    fn shares(&self) -> &'static [(&'static str, f64)] {
        &[
            (OBJECTIVES, 0.12),
            (STRUCTURE, 0.14),
            (FACTS, 0.20),
            (CLARITY, 0.24),
            (EXAMPLES, 0.18),
            (COMPLETE, 0.12),
        ]
    }

    /// The anchors of the rubric: .90, .75, .60.
    fn costs(&self) -> [f64; 3] {
        [0.05, 0.20, 0.35]
    }

    fn base(&self) -> (f64, f64) {
        (0.93, 0.98)
    }

    fn orders(&self) -> usize {
        SUBJECTS.len()
    }

    fn companions(&self, order: usize) -> Companions {
        subject(order).order()
    }

    fn write(&self, dice: &mut Dice, order: usize, planted: &Planted) -> String {
        let subject = subject(order);
        let parts = parts(subject);
        let texts = written_parts(dice, order, planted);
        let mut text = format!("# {}\n", subject.title);
        for (part, body) in parts.iter().zip(texts) {
            if part.id != "sec_introduction" {
                text.push_str(&format!("\n## {}\n", part.title));
            }
            text.push_str(&format!("\n{body}\n"));
        }
        for kind in &planted.damage {
            text = damaged(dice, &text, kind);
        }
        text
    }

    fn mended(&self, dice: &mut Dice, site: &Site<'_>, defect: &Found) -> String {
        match defect.kind.place {
            Place::Damage if defect.kind.criterion == CLARITY => String::new(),
            _ => {
                let subject = subject(site.order);
                let known = subject.terms.contains(&defect.term.as_str());
                let term = match known {
                    true => defect.term.as_str(),
                    false => subject.terms[0],
                };
                subject.sentence(dice, term)
            }
        }
    }

    fn rewritten(&self, dice: &mut Dice, site: &Site<'_>, old: (&str, usize)) -> String {
        let subject = subject(site.order);
        let parts = parts(subject);
        let part = parts.iter().find(|part| part.id == site.field);
        let term = part.map_or(subject.terms[0], |part| part.term);
        // A sentence has some thirteen words.
        let sentences = match old {
            ("", words) => words / 13,
            (text, _) => text.matches('.').count(),
        };
        subject.prose(dice, term, sentences.clamp(1, 20))
    }

    fn spoilt(&self, dice: &mut Dice, site: &Site<'_>, kind: &'static Kind) -> Option<String> {
        let term = dice.one_of(&subject(site.order).terms);
        (kind.place == Place::Prose).then(|| kind.sentence(dice.below(2), term))
    }
}

pub(crate) fn subject(order: usize) -> &'static Subject {
    &SUBJECTS[order % SUBJECTS.len()]
}

/// The parts of a lesson with what is planted in them, in their order.
pub(crate) fn written_parts(dice: &mut Dice, order: usize, planted: &Planted) -> Vec<String> {
    let subject = subject(order);
    let parts = parts(subject);
    let mut texts: Vec<String> = parts
        .iter()
        .map(|part| subject.prose(dice, part.term, part.sentences))
        .collect();
    for kind in &planted.defects {
        // One in ten stands in the introduction or the conclusion.
        let at = match dice.happens(0.9) {
            true => dice.between(1, parts.len() - 2),
            false => (parts.len() - 1) * dice.below(2),
        };
        let mut sentence = kind.sentence(dice.below(2), parts[at].term);
        for _ in 0..8 {
            if !texts.iter().any(|text| text.contains(&sentence)) {
                break;
            }
            sentence = kind.sentence(dice.below(2), dice.one_of(&subject.terms));
        }
        if let Some(text) = texts.get_mut(at) {
            *text = replaced_sentence(dice, text, &sentence);
        }
    }
    texts
}

/// A text with a sentence in the place of another, not the first.
fn replaced_sentence(dice: &mut Dice, text: &str, sentence: &str) -> String {
    let starts: Vec<usize> = text.match_indices(". ").map(|(at, _)| at + 2).collect();
    let Some(start) = starts.get(dice.below(starts.len())).copied() else {
        return format!("{text} {sentence}");
    };
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.find('.').map_or(text.len(), |at| start + at + 1);
    let (before, after) = (text.get(..start), text.get(end..));
    format!(
        "{}{sentence}{}",
        before.unwrap_or_default(),
        after.unwrap_or_default()
    )
}

/// A lesson with damage that a program can see.
fn damaged(dice: &mut Dice, text: &str, kind: &'static Kind) -> String {
    let wording = kind.wordings[0];
    match kind.criterion {
        CLARITY => format!("{wording}\n\n{text}"),
        _ if wording == CUT => format!("{} {CUT}\n", text.trim_end()),
        _ => {
            let ends: Vec<usize> = text
                .match_indices(".\n\n## ")
                .map(|(at, _)| at + 1)
                .collect();
            let at = ends
                .get(dice.below(ends.len()))
                .copied()
                .unwrap_or(text.len());
            let (before, after) = text.split_at(at);
            format!("{before}\n\n{wording}{after}")
        }
    }
}

/// A subject: what its lessons are made of.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) title: &'static str,
    pub(crate) terms: [&'static str; 8],
    /// What a term does.
    does: [&'static str; 6],
    places: [&'static str; 5],
}

pub(crate) const SUBJECTS: &[Subject] = &[
    Subject {
        title: "How a river shapes its valley",
        terms: [
            "source",
            "meander",
            "flood plain",
            "delta",
            "waterfall",
            "bank",
            "current",
            "sediment",
        ],
        does: [
            "moves a little further every year",
            "slows the water down",
            "carries sand towards the sea",
            "leaves gravel behind after a storm",
            "cuts into the softer rock",
            "spreads out where the ground is flat",
        ],
        places: [
            "a stream behind the school",
            "the map on the wall",
            "a photograph from the air",
            "the bend below the bridge",
            "a tray of wet sand",
        ],
    },
    Subject {
        title: "What happens inside a leaf",
        terms: [
            "leaf vein",
            "stoma",
            "green pigment",
            "sugar",
            "root hair",
            "stem",
            "sunlight",
            "guard cell",
        ],
        does: [
            "lets the plant make its own food",
            "opens in the morning and closes at night",
            "brings water to every cell",
            "turns towards the brighter side",
            "stores what is left over for the winter",
            "works faster on a warm day",
        ],
        places: [
            "a bean on the window sill",
            "a slice under the microscope",
            "the hedge outside",
            "a jar with a cut flower",
            "the garden in early spring",
        ],
    },
    Subject {
        title: "Reading a weather map",
        terms: [
            "isobar",
            "warm front",
            "high",
            "low",
            "wind arrow",
            "cloud symbol",
            "forecast",
            "pressure",
        ],
        does: [
            "tells you how hard the wind will blow",
            "comes in from the west on most days",
            "brings rain before it brings sun",
            "moves across the map from hour to hour",
            "stays in one place for a whole week",
            "is drawn as a line without a break",
        ],
        places: [
            "the map of this morning",
            "a chart from a ship",
            "the window of the classroom",
            "the page of the newspaper",
            "a row of four small maps",
        ],
    },
    Subject {
        title: "Adding and sharing with fractions",
        terms: [
            "numerator",
            "denominator",
            "equal part",
            "mixed number",
            "common multiple",
            "half",
            "remainder",
            "whole",
        ],
        does: [
            "says how many pieces we take",
            "has to match before we add",
            "grows when the pieces get smaller",
            "can be drawn as a bar of squares",
            "stays the same when both sides are doubled",
            "shows what is left on the plate",
        ],
        places: [
            "a pizza cut for a party",
            "a ruler with fine marks",
            "a jug with lines on its side",
            "a bar of chocolate",
            "the timetable of a bus",
        ],
    },
    Subject {
        title: "How a loop repeats its work",
        terms: [
            "counter",
            "condition",
            "loop body",
            "variable",
            "list",
            "start value",
            "index",
            "result",
        ],
        does: [
            "changes a little with each turn",
            "is checked before the next turn begins",
            "decides whether the program goes on",
            "keeps what was found so far",
            "stands above the lines that are repeated",
            "is printed at the very end",
        ],
        places: [
            "a table of the first three turns",
            "a recipe that says stir ten times",
            "a shopping bag that is filled",
            "the screen of a ticket machine",
            "a queue at a counter",
        ],
    },
    Subject {
        title: "Why towns grew around markets",
        terms: [
            "market square",
            "guild",
            "town wall",
            "charter",
            "merchant",
            "craft",
            "toll",
            "harbour",
        ],
        does: [
            "brought strangers into the town",
            "was guarded by day and by night",
            "made some families rich within a few years",
            "lay where two old roads crossed",
            "was named in letters that we can still read",
            "decided who was allowed to sell bread",
        ],
        places: [
            "an old plan of a town",
            "a page from an account book",
            "the names of the streets",
            "a painting of a fair",
            "the stones beside the river",
        ],
    },
];

/// Sentences with nothing wrong: `{t}` and `{u}` are terms, `{d}` is what one does,
/// `{p}` a place.
const GOOD: &[&str] = &[
    "The {t} {d}.",
    "Whoever looks at {p} can see that the {t} {d}.",
    "Because the {t} {d}, the {u} has to follow.",
    "A learner who can name the {t} is halfway to the {u}.",
    "First look for the {t}, then ask what the {u} has to do with it.",
    "Take {p} as an example: there the {t} {d}.",
    "Compare the {t} with the {u} and say which of them comes first.",
    "Try it yourself: explain in one sentence why the {t} {d}.",
    "Without the {t} the {u} would not be where it is.",
    "In {p} the {t} {d}, and the {u} does not.",
    "Point to the {t}, cover it with your hand, and say what the {u} does now.",
    "Nobody has to learn this by heart, since the {t} {d} before our eyes.",
    "Draw the {t} next to the {u}, as it is in {p}.",
    "If the {t} {d}, then the {u} is not far away.",
    "Two friends can test each other: one names the {t}, the other the {u}.",
    "Once more with {p}: the {t} {d}.",
];

impl Subject {
    /// A sentence about a term, with nothing wrong.
    pub(crate) fn sentence(&self, dice: &mut Dice, term: &str) -> String {
        let other = loop {
            let other = dice.one_of(&self.terms);
            if other != term {
                break other;
            }
        };
        dice.one_of(GOOD)
            .replace("{t}", term)
            .replace("{u}", other)
            .replace("{d}", dice.one_of(&self.does))
            .replace("{p}", dice.one_of(&self.places))
    }

    /// So many sentences about a term, in paragraphs, none twice.
    pub(crate) fn prose(&self, dice: &mut Dice, term: &str, sentences: usize) -> String {
        let mut written: Vec<String> = Vec::new();
        let mut text = String::new();
        let mut in_paragraph = 0;
        let mut tries = 0;
        while written.len() < sentences && tries < sentences * 20 {
            tries += 1;
            let sentence = self.sentence(dice, term);
            if written.contains(&sentence) {
                continue;
            }
            if !text.is_empty() {
                text.push_str(if in_paragraph >= 4 { "\n\n" } else { " " });
            }
            in_paragraph = if in_paragraph >= 4 {
                1
            } else {
                in_paragraph + 1
            };
            text.push_str(&sentence);
            written.push(sentence);
        }
        text
    }

    /// The titles of the sections, each about one term.
    pub(crate) fn sections(&self) -> Vec<(String, &'static str)> {
        const TITLES: [&str; 6] = [
            "Finding the {t}",
            "What the {t} does",
            "The {t} up close",
            "Where the {t} matters",
            "Working with the {t}",
            "A second look at the {t}",
        ];
        TITLES
            .iter()
            .zip(self.terms)
            .map(|(title, term)| (title.replace("{t}", term), term))
            .collect()
    }

    /// What came with every lesson of the subject.
    pub(crate) fn order(&self) -> Companions {
        let sections = self.sections();
        Companions {
            specification: Some(Specification {
                title: Some(self.title.to_owned()),
                minutes: Some(7.0),
                audience: Some("learners of twelve to fourteen".to_owned()),
                tone: Some("friendly".to_owned()),
                objectives: sections
                    .iter()
                    .take(3)
                    .map(|(_, term)| Objective {
                        id: None,
                        objective: format!("Explain what the {term} does"),
                    })
                    .collect(),
                sections: sections
                    .iter()
                    .map(|(title, term)| SectionSpecification {
                        title: title.clone(),
                        key_points: vec![format!("What the {term} is and what it does")],
                        required_keywords: vec![(*term).to_owned()],
                        ..SectionSpecification::default()
                    })
                    .collect(),
                ..Specification::default()
            }),
            ..Companions::default()
        }
    }
}

/// A part of a lesson.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) term: &'static str,
    sentences: usize,
}

/// The parts of a subject's lessons.
pub(crate) fn parts(subject: &Subject) -> Vec<Part> {
    let part = |id: String, title: String, term, sentences| Part {
        id,
        title,
        term,
        sentences,
    };
    let first = part(
        "sec_introduction".to_owned(),
        subject.title.to_owned(),
        subject.terms[6],
        5,
    );
    let mut parts = vec![first];
    for (index, (title, term)) in subject.sections().into_iter().enumerate() {
        parts.push(part(format!("sec_{}", index + 1), title, term, 17));
    }
    parts.push(part(
        "sec_conclusion".to_owned(),
        "Summary".to_owned(),
        subject.terms[7],
        5,
    ));
    parts
}
