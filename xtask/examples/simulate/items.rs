//! Multiple-choice items of the simulated world, and the defects that can be
//! planted in them. The cases are made up; no sentence is medical advice.

use redraft_gate::companion::{Companions, Objective, Specification};
use redraft_gate::reading::Hint;
use serde_json::{Value, json};

use crate::craft::{Craft, Planted, Site};
use crate::dice::Dice;
use crate::world::{Found, Kind, Place, Severity, kind};

pub(crate) struct Items;

/// What an item is about.
struct Case {
    complaint: &'static str,
    question: &'static str,
    right: &'static str,
    wrong: [&'static str; 6],
}

const CASES: &[Case] = &[
    Case {
        complaint: "dry cough",
        question: "Which of these medicines is the most likely cause?",
        right: "Ramipril",
        wrong: [
            "Amlodipine",
            "Simvastatin",
            "Metformin",
            "Doxazosin",
            "Bisoprolol",
            "Warfarin",
        ],
    },
    Case {
        complaint: "swollen ankle",
        question: "Which of these tests is the best to begin with?",
        right: "Ultrasound scan",
        wrong: [
            "Chest radiograph",
            "Blood culture",
            "Spirometry",
            "Lumbar puncture",
            "Bone scan",
            "Gastroscopy",
        ],
    },
    Case {
        complaint: "itchy rash",
        question: "Which of these treatments is the best to begin with?",
        right: "Emollient cream",
        wrong: [
            "Oral antibiotic",
            "Antiviral tablet",
            "Oral steroid",
            "Zinc paste",
            "Iron tablet",
            "Antifungal spray",
        ],
    },
    Case {
        complaint: "morning headache",
        question: "Which of these findings would worry you most?",
        right: "Swollen optic disc",
        wrong: [
            "Dry mouth",
            "Cold hands",
            "Stiff fingers",
            "Brittle nails",
            "Pale gums",
            "Sore throat",
        ],
    },
];

const VIGNETTE: &[&str] = &[
    "The {} began six weeks ago.",
    "Nothing has helped against the {} so far.",
    "The {} is worse at night than by day.",
    "There is no fever, and the weight is steady.",
    "A brother had a {} of the same kind.",
    "Examination shows nothing else of note.",
    "The {} comes back after every rest.",
];

const LEADS: &[&str] = &[
    "Think of the mechanism behind the {}.",
    "Weigh what the case tells you about the {}.",
    "Decide by what is found on examination of the {}.",
];

const REASONS: &[&str] = &[
    "The course of the {} points to it.",
    "It explains the {} and all that was found.",
    "Nothing else accounts for the {} as well.",
];

const ACCURACY: &str = "clinical_accuracy";
const ALIGNMENT: &str = "pedagogical_alignment";
const OPTIONS: &str = "distractor_quality";
const OUTCOME: &str = "slo_coverage";
const BLOOM: &str = "blooms_match";

const IN_VIGNETTE: Place = Place::Field("vignette");
const IN_STEM: Place = Place::Field("stem");
const IN_OPTION: Place = Place::Field(".text");

static KINDS: &[Kind] = &[
    kind(
        ACCURACY,
        Severity::Minor,
        IN_VIGNETTE,
        [
            "The {} is said to have come at an odd time of the year.",
            "It is not quite clear how long the {} has been going on for.",
        ],
        "A detail is left vague.",
        "Give the detail.",
    ),
    kind(
        ACCURACY,
        Severity::Major,
        IN_VIGNETTE,
        [
            "The {} is put down to the moon by the doctor.",
            "A normal pulse proves that the {} is imagined.",
        ],
        "The reasoning is medically wrong.",
        "Give a finding that is right.",
    ),
    kind(
        ACCURACY,
        Severity::Critical,
        IN_VIGNETTE,
        [
            "For the {} a tenfold dose is given, as is usual.",
            "The {} is treated with bleach, which is safe to drink.",
        ],
        "What is described would harm a patient.",
        "Describe what is done in practice.",
    ),
    kind(
        ALIGNMENT,
        Severity::Minor,
        IN_STEM,
        [
            "Many other things could be asked about the {} as well.",
            "There is much to be said about the {} in this place.",
        ],
        "The lead-in is padded.",
        "Ask the question alone.",
    ),
    kind(
        ALIGNMENT,
        Severity::Major,
        IN_STEM,
        [
            "Ask yourself something about the {} and answer that.",
            "What is wanted of the {} is for you to find out.",
        ],
        "What is asked stays unclear.",
        "Pose one clear question.",
    ),
    kind(
        OUTCOME,
        Severity::Minor,
        IN_STEM,
        [
            "The rarest form of the {} is meant here by the way.",
            "A neighbouring point beside the {} is in question.",
        ],
        "A neighbouring point is tested.",
        "Ask about the outcome itself.",
    ),
    kind(
        OUTCOME,
        Severity::Major,
        IN_STEM,
        [
            "The year in which the {} was first described matters most.",
            "Who gave the {} its name decides this question.",
        ],
        "The outcome is mere scenery.",
        "Ask what the outcome asks for.",
    ),
    kind(
        BLOOM,
        Severity::Minor,
        IN_STEM,
        [
            "A look at the first line about the {} will do.",
            "You may guess from the sound of the {} alone.",
        ],
        "A shortcut leads to the answer.",
        "Make the case decide.",
    ),
    kind(
        BLOOM,
        Severity::Major,
        IN_STEM,
        [
            "Recall the list about the {} that you learnt by heart.",
            "Only the definition of the {} has to be repeated.",
        ],
        "Plain recall suffices.",
        "Ask for reasoning about the case.",
    ),
    kind(
        OPTIONS,
        Severity::Minor,
        IN_OPTION,
        ["Mild {} remedy of sorts", "Light {} remedy of sorts"],
        "The option is loose.",
        "Name a definite alternative.",
    ),
    kind(
        OPTIONS,
        Severity::Major,
        IN_OPTION,
        ["Holiday from the {} abroad", "Song about the {} at home"],
        "Nobody would choose this option.",
        "Put a tempting alternative there.",
    ),
    kind(
        OPTIONS,
        Severity::Critical,
        IN_OPTION,
        [
            "Equal cure of the {} as such",
            "Twin cure of the {} as such",
        ],
        "This option would be right as well.",
        "Put an alternative there that is clearly inferior.",
    ),
];

impl Craft for Items {
    fn profile_name(&self) -> &'static str {
        "clinical-mcq"
    }

    fn hint(&self) -> Hint {
        Hint::Json
    }

    fn kinds(&self) -> &'static [Kind] {
        KINDS
    }

    fn shares(&self) -> &'static [(&'static str, f64)] {
        &[
            (ACCURACY, 0.25),
            (ALIGNMENT, 0.20),
            (OPTIONS, 0.30),
            (OUTCOME, 0.15),
            (BLOOM, 0.10),
        ]
    }

    /// The anchors of the rubric: .90, .70, .40.
    fn costs(&self) -> [f64; 3] {
        [0.10, 0.20, 0.50]
    }

    fn base(&self) -> (f64, f64) {
        (0.84, 0.94)
    }

    fn orders(&self) -> usize {
        CASES.len()
    }

    fn companions(&self, order: usize) -> Companions {
        Companions {
            specification: Some(Specification {
                topic: Some(case(order).complaint.to_owned()),
                bloom_level: Some("apply".to_owned()),
                objectives: vec![Objective {
                    id: None,
                    objective: format!("Reason about a patient with a {}", case(order).complaint),
                }],
                ..Specification::default()
            }),
            ..Companions::default()
        }
    }

    fn write(&self, dice: &mut Dice, order: usize, planted: &Planted) -> String {
        let mut item = sound(dice, order);
        for kind in &planted.defects {
            plant(dice, order, &mut item, kind);
        }
        format!("{item:#}")
    }

    fn mended(&self, dice: &mut Dice, site: &Site<'_>, defect: &Found) -> String {
        match defect.kind.place {
            IN_OPTION => an_option(dice, site),
            place => good(dice, site.order, place),
        }
    }

    fn rewritten(&self, dice: &mut Dice, site: &Site<'_>, old: (&str, usize)) -> String {
        let Site { order, field, .. } = *site;
        match field {
            "vignette" if old.1 == 0 && !old.0.contains("year-old") => {
                good(dice, order, IN_VIGNETTE)
            }
            "vignette" => vignette(dice, order),
            "stem" if !old.0.contains('?') && !old.0.is_empty() => good(dice, order, IN_STEM),
            "stem" => stem(dice, order),
            "explanation" => good(dice, order, Place::Prose),
            field if field.ends_with(".text") && !is_known(order, old.0) => an_option(dice, site),
            _ => old.0.to_owned(),
        }
    }

    fn spoilt(&self, dice: &mut Dice, site: &Site<'_>, kind: &'static Kind) -> Option<String> {
        let Place::Field(ending) = kind.place else {
            return None;
        };
        // The right option stands first.
        let fits = site.field.ends_with(ending) && !site.field.contains("[0]");
        fits.then(|| kind.sentence(dice.below(2), case(site.order).complaint))
    }

    fn with_sentence(&self, text: &str, sentence: &str) -> String {
        match (text.contains('?'), text.contains('.')) {
            (true, _) => format!("{sentence} {text}"),
            (false, true) => format!("{text} {sentence}"),
            (false, false) => sentence.to_owned(),
        }
    }
}

fn case(order: usize) -> &'static Case {
    &CASES[order % CASES.len()]
}

fn is_known(order: usize, option: &str) -> bool {
    let case = case(order);
    option == case.right || case.wrong.contains(&option)
}

/// Something sound for a place.
fn good(dice: &mut Dice, order: usize, place: Place) -> String {
    let case = case(order);
    let from = match place {
        IN_VIGNETTE => VIGNETTE,
        IN_STEM => LEADS,
        _ => REASONS,
    };
    dice.one_of(from).replace("{}", case.complaint)
}

/// A wrong option that does not stand there yet.
fn an_option(dice: &mut Dice, site: &Site<'_>) -> String {
    let all = case(site.order).wrong;
    let new: Vec<&str> = all
        .into_iter()
        .filter(|option| !site.beside.contains(option))
        .collect();
    dice.one_of(if new.is_empty() { &all } else { &new })
        .to_owned()
}

fn vignette(dice: &mut Dice, order: usize) -> String {
    let who = dice.one_of(&["man", "woman"]);
    let age = dice.between(24, 78);
    let mut text = format!("A {age}-year-old {who} has a {}.", case(order).complaint);
    for _ in 0..12 {
        let sentence = good(dice, order, IN_VIGNETTE);
        if !text.contains(&sentence) && text.matches('.').count() < 5 {
            text = format!("{text} {sentence}");
        }
    }
    text
}

fn stem(dice: &mut Dice, order: usize) -> String {
    format!("{} {}", good(dice, order, IN_STEM), case(order).question)
}

fn sound(dice: &mut Dice, order: usize) -> Value {
    let case = case(order);
    let mut options = vec![json!({
        "text": case.right,
        "isCorrect": true,
        "explanation": good(dice, order, Place::Prose),
    })];
    let from = dice.below(case.wrong.len());
    for step in 0..3 {
        options.push(json!({
            "text": case.wrong[(from + step) % case.wrong.len()],
            "isCorrect": false,
            "explanation": "It would not fit what was found.",
        }));
    }
    json!({
        "vignette": vignette(dice, order),
        "stem": stem(dice, order),
        "distractors": options,
        "answerKey": "A",
        "explanation": good(dice, order, Place::Prose),
    })
}

fn plant(dice: &mut Dice, order: usize, item: &mut Value, kind: &'static Kind) {
    let text = kind.sentence(dice.below(2), case(order).complaint);
    let path = match kind.place {
        IN_VIGNETTE => "/vignette".to_owned(),
        IN_STEM => "/stem".to_owned(),
        _ => format!("/distractors/{}/text", dice.between(1, 3)),
    };
    if item.to_string().contains(&text) {
        return;
    }
    if let Some(field) = item.pointer_mut(&path) {
        let old = field.as_str().unwrap_or_default();
        *field = match kind.place {
            IN_VIGNETTE => json!(format!("{old} {text}")),
            IN_STEM => json!(format!("{text} {old}")),
            _ => json!(text),
        };
    }
}
