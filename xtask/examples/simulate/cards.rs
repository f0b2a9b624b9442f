//! Sets of Scottish cards of the simulated world: four cards of a teach lesson
//! about sharing an amount, set in different places, and the defects that can be
//! planted in them. How often which dimension fails is seed 000's.

mod kinds;

use redraft_gate::companion::{Companions, SchemeEntry};
use redraft_gate::reading::Hint;
use serde_json::{Value, json};

use crate::craft::{Craft, Planted, Site};
use crate::dice::Dice;
use crate::world::{Found, Kind, Place};
use kinds::{ACCESS, ASSESSMENT, COHERENCE, CONTEXT, KINDS, PEDAGOGY, SCHEME};

/// Sets of cards.
pub(crate) struct Cards;

/// What a set is about.
struct Theme {
    title: &'static str,
    /// What is paid for.
    thing: &'static str,
    place: &'static str,
    tag: &'static str,
}

const THEMES: &[Theme] = &[
    Theme {
        title: "Sharing a Fare: Parts of a Train Ticket",
        thing: "train ticket",
        place: "Perth",
        tag: "train",
    },
    Theme {
        title: "Sharing a Bill: Parts of a Lunch",
        thing: "lunch",
        place: "Dundee",
        tag: "lunch",
    },
    Theme {
        title: "Sharing a Hire: Parts of a Boat Trip",
        thing: "boat trip",
        place: "Oban",
        tag: "boat",
    },
    Theme {
        title: "Sharing a Gift: Parts of a Jacket",
        thing: "jacket",
        place: "Inverness",
        tag: "jacket",
    },
    Theme {
        title: "Sharing a Room: Parts of a Hostel Bill",
        thing: "hostel bill",
        place: "Stirling",
        tag: "hostel",
    },
];

/// Sentences of an explainer: `{t}` is what is paid for, `{p}` the place, `{w}` who
/// shares it.
const EXPLAINING: &[&str] = &[
    "Some {w} share the cost of a {t} in {p}.",
    "The {w} split the cost of the {t} into equal parts.",
    "Each of the {w} in {p} pays one part of the {t}.",
    "The number of {w} tells us how many parts the {t} has.",
    "The {w} divide the whole cost of the {t} by that number.",
    "With a multiplication the {w} check that they paid for the whole {t}.",
    "The same steps work for other {w} and any {t} in {p}.",
    "A drawing of a bar helps the {w} to see the parts of the {t}.",
    "The {w} write the cost of the {t} first, and their own number below it.",
    "In {p} the {w} read the price of the {t} on a sign at the door.",
];

const WHO: &[&str] = &[
    "friends",
    "sisters",
    "cousins",
    "neighbours",
    "pupils",
    "walkers",
];

/// Sentences of the plain version: at most 12 words.
const PLAIN: &[&str] = &[
    "The {w} share a {t}.",
    "Each of the {w} pays one part.",
    "All {w} pay the same.",
    "Count the {w} first.",
    "Divide the cost by the number of {w}.",
    "Check the answer with the {w}.",
    "Write down what the {w} pay.",
    "Draw a bar for the {w}.",
    "Look at the price of the {t}.",
];

const MARKING: &[&str] = &[
    "Divides the cost by the number of friends",
    "Writes the division with both numbers",
    "Shows the division step on paper",
    "Draws a bar with equal parts",
];

impl Craft for Cards {
    fn profile_name(&self) -> &'static str {
        "sqa-lesson"
    }

    fn hint(&self) -> Hint {
        Hint::Json
    }

    fn kinds(&self) -> &'static [Kind] {
        KINDS
    }

    /// Seed 000, common failure patterns; coherence, which it leaves out, is ours.
    fn shares(&self) -> &'static [(&'static str, f64)] {
        &[
            (ACCESS, 0.30),
            (CONTEXT, 0.25),
            (SCHEME, 0.20),
            (ASSESSMENT, 0.15),
            (PEDAGOGY, 0.10),
            (COHERENCE, 0.05),
        ]
    }

    /// From .95 to the anchors between .88 and .75.
    fn costs(&self) -> [f64; 3] {
        [0.04, 0.12, 0.20]
    }

    fn base(&self) -> (f64, f64) {
        (0.93, 0.98)
    }

    fn orders(&self) -> usize {
        THEMES.len()
    }

    fn companions(&self, order: usize) -> Companions {
        let theme = theme(order);
        Companions {
            scheme_of_work: vec![SchemeEntry {
                order: Some(4),
                label: Some(theme.title.to_owned()),
                lesson_type: Some("teach".to_owned()),
                minutes: Some(50.0),
                outcomes: vec!["O1".to_owned()],
                standards: vec!["AS1.1".to_owned()],
                engagement_tags: vec![theme.tag.to_owned()],
                calculator_allowed: Some(false),
                ..SchemeEntry::default()
            }],
            ..Companions::default()
        }
    }

    fn write(&self, dice: &mut Dice, order: usize, planted: &Planted) -> String {
        let mut set = sound(dice, order);
        for kind in &planted.defects {
            plant(dice, order, &mut set, kind);
        }
        format!("{set:#}")
    }

    fn mended(&self, dice: &mut Dice, site: &Site<'_>, defect: &Found) -> String {
        // Whoever mends an amount keeps its figure.
        if defect.sentence.contains("$20") {
            return defect.sentence.replace("$20", "£20");
        }
        sentence(dice, site.order, site.field)
    }

    fn rewritten(&self, dice: &mut Dice, site: &Site<'_>, old: (&str, usize)) -> String {
        let Site { order, field, .. } = *site;
        let sentences = old.0.matches('.').count().max(1);
        match field.ends_with(".explainer") || field.ends_with(".explainer_plain") {
            true => prose(dice, order, field, sentences),
            // Titles, stems, hints and marking lines stay what they are.
            false if KINDS.iter().all(|kind| !stands_in(kind, old.0)) => old.0.to_owned(),
            false => sentence(dice, order, field),
        }
    }

    fn spoilt(&self, dice: &mut Dice, site: &Site<'_>, kind: &'static Kind) -> Option<String> {
        let Place::Field(ending) = kind.place else {
            return None;
        };
        let fits = site.field.ends_with(ending);
        fits.then(|| kind.sentence(dice.below(2), theme(site.order).thing))
    }

    fn with_sentence(&self, text: &str, sentence: &str) -> String {
        match text.contains('.') {
            true => format!("{text}\n\n{sentence}"),
            false => sentence.to_owned(),
        }
    }
}

fn theme(order: usize) -> &'static Theme {
    &THEMES[order % THEMES.len()]
}

fn stands_in(kind: &Kind, text: &str) -> bool {
    kind.wordings.iter().any(|wording| {
        let tail = wording.split_once("{}").map_or(*wording, |(_, tail)| tail);
        text.contains(tail)
    })
}

/// A sound sentence for a field.
fn sentence(dice: &mut Dice, order: usize, field: &str) -> String {
    let theme = theme(order);
    let from = match field {
        field if field.ends_with(".explainer_plain") => PLAIN,
        field if field.ends_with(".description") => MARKING,
        _ => EXPLAINING,
    };
    dice.one_of(from)
        .replace("{t}", theme.thing)
        .replace("{p}", theme.place)
        .replace("{w}", dice.one_of(WHO))
}

/// Several sentences, none twice.
fn prose(dice: &mut Dice, order: usize, field: &str, sentences: usize) -> String {
    let mut written: Vec<String> = Vec::new();
    for _ in 0..sentences * 8 {
        let sentence = sentence(dice, order, field);
        if written.len() < sentences && !written.contains(&sentence) {
            written.push(sentence);
        }
    }
    // More than four sentences are too many for a paragraph.
    let paragraphs: Vec<String> = written.chunks(3).map(|some| some.join(" ")).collect();
    paragraphs.join("\n\n")
}

/// A set with nothing wrong.
fn sound(dice: &mut Dice, order: usize) -> Value {
    let theme = theme(order);
    let thing = theme.thing;
    let titles = [
        format!("Starter: Equal Parts of a {thing}"),
        format!("I Do: Splitting a {thing}"),
        format!("We Do: Splitting Another {thing}"),
        format!("You Do: Your Own {thing}"),
    ];
    let cards: Vec<Value> = titles
        .iter()
        .enumerate()
        .map(|(index, title)| card(dice, order, index, title))
        .collect();
    json!({
        "courseId": "course_simulated",
        "title": theme.title,
        "outcomeRefs": ["O1", "AS1.1"],
        "lesson_type": "teach",
        "estMinutes": 50,
        "sow_order": 4,
        "createdBy": "simulation",
        "version": 1,
        "status": "draft",
        "engagement_tags": [theme.tag],
        "policy": {"calculator_allowed": false},
        "cards": cards,
    })
}

fn card(dice: &mut Dice, order: usize, index: usize, title: &str) -> Value {
    let thing = theme(order).thing;
    // No two cards ask the same.
    let friends = index + 2;
    let part = dice.between(3, 9);
    let cost = friends * part;
    let question = format!("{friends} friends share a {thing} that costs £{cost}.");
    let hints = json!([
        "How many friends share the cost?",
        "Divide the cost by that number.",
        "Check with a multiplication.",
    ]);
    let rubric = json!({
        "total_points": 2,
        "criteria": [
            {"description": MARKING[index % MARKING.len()], "points": 1},
            {"description": format!("States £{part}"), "points": 1},
        ],
    });
    let number = index + 1;
    let cfu = match index {
        0 => json!({
            "type": "mcq",
            "id": "q001",
            "stem": "Which fraction is one of four equal parts?",
            "options": ["1/2", "1/3", "1/4", "2/4"],
            "answerIndex": 2,
            "rubric": {"total_points": 1, "criteria": [{"description": "Selects 1/4", "points": 1}]},
        }),
        2 => json!({
            "type": "numeric",
            "id": format!("q00{number}"),
            "stem": format!("{question} How much does each pay in pounds?"),
            "expected": part,
            "tolerance": 0.01,
            "money2dp": true,
            "hints": hints,
            "rubric": rubric,
        }),
        3 => json!({
            "type": "structured_response",
            "id": format!("q00{number}"),
            "stem": format!("{question} How much does each pay? Show your working."),
            "rubric": rubric,
        }),
        _ => json!({
            "type": "structured_response",
            "id": format!("q00{number}"),
            "stem": format!("{question} How much does each pay? Show your working."),
            "hints": hints,
            "rubric": rubric,
        }),
    };
    let (wrong, right) = MISCONCEPTIONS[index % MISCONCEPTIONS.len()];
    json!({
        "id": format!("card_00{number}"),
        "title": title,
        "explainer": prose(dice, order, ".explainer", 5),
        "explainer_plain": prose(dice, order, ".explainer_plain", 3),
        "cfu": cfu,
        "misconceptions": [{
            "id": format!("MIS_SIM_00{number}"),
            "misconception": wrong,
            "clarification": right,
        }],
    })
}

/// What learners get wrong, and what is right.
const MISCONCEPTIONS: [(&str, &str); 4] = [
    (
        "Takes the friends away from the cost.",
        "Sharing equally is dividing.",
    ),
    (
        "Divides the friends by the cost.",
        "The cost is what is divided.",
    ),
    ("Pays the whole cost alone.", "Each friend pays one part."),
    (
        "Forgets to count the last friend.",
        "Count all friends first.",
    ),
];

/// Plants a defect in a card; one behind the starter, whose question has no marks
/// for a method.
fn plant(dice: &mut Dice, order: usize, set: &mut Value, kind: &'static Kind) {
    let Place::Field(ending) = kind.place else {
        return;
    };
    let text = kind.sentence(dice.below(2), theme(order).thing);
    let card = dice.between(1, 3);
    let path = match ending {
        ".description" => format!("/cards/{card}/cfu/rubric/criteria/0/description"),
        field => format!("/cards/{card}/{}", field.trim_start_matches('.')),
    };
    if let Some(field) = set.pointer_mut(&path) {
        let old = field.as_str().unwrap_or_default();
        // The same defect twice in a card would be one.
        if old.contains(&text) {
            return;
        }
        *field = match ending {
            ".description" => json!(text),
            _ => json!(format!("{old}\n\n{text}")),
        };
    }
}
