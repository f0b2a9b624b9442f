//! `undescribed-visual`: a text relies on a picture that is not described in
//! words.

use std::ops::Range;

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;
use redraft_text::words::words;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::ACCESSIBILITY_BELOW;
use crate::sqa_lesson::model::{self, Card, Text};

pub(super) static CHECK: Check = Check {
    code: "SQA016",
    name: "undescribed-visual",
    severity: Severity::Warning,
    summary: "a text relies on a picture that is not described in words",
    what: "Reports “the diagram below”, “Look at the graph”, “in the chart” and the like in explainers and questions of a card that does not say what the picture shows: no description field, no alternative text, no table, no words in square brackets, no sentence such as “The graph shows …” with details. Pictures that the learner has to draw are ignored.",
    why: "A learner who cannot see the picture, or gets the card without it, cannot do the task. Cards should read as if no visual were available. Caps `accessibility` below its threshold of .88.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Reading Charts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"We Do: Rain\", \"explainer\": \"Try it with me.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"Look at the bar chart below. How many wet days had Oban in May?\", \"expected\": 12}}]}",
        passes: "{\"title\": \"Reading Charts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"We Do: Rain\", \"explainer\": \"Try it with me.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"Look at the bar chart below. The bar chart shows the wet days in Oban: March 15, April 13, May 12. How many had May?\", \"expected\": 12}}]}",
        fixed: None,
    }],
    caps: &[ACCESSIBILITY_BELOW],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    for card in model::cards(examination.document) {
        let texts = texts(card);
        let reference = texts
            .iter()
            .find_map(|text| Some((*text, reference(&text.value)?)));
        let Some((text, range)) = reference else {
            continue;
        };
        if card.picture.is_some() || texts.iter().any(|text| describes(&text.value)) {
            continue;
        }
        let words = text.value.get(range.clone()).unwrap_or_default();
        let message = format!(
            "card {} refers to “{words}”, but does not say what it shows; describe it, with the numbers and labels that the task needs",
            card.number
        );
        let finding = match text.field(document) {
            Some(field) => sink.in_text(field, range, message),
            None => sink.in_source(text.range.clone(), message),
        };
        finding.caps(CHECK.caps);
    }
}

fn texts(card: &Card) -> Vec<&Text> {
    let mut texts: Vec<&Text> = card.explainer.iter().chain(&card.explainer_plain).collect();
    for question in card.questions() {
        texts.extend(question.stem.iter().chain(&question.context));
    }
    texts
}

/// Pictures that a text can refer to.
const VISUALS: &[&str] = &[
    "diagram", "graph", "chart", "picture", "map", "photo", "photograph", "illustration", "drawing",
    "sketch", "plan", "grid", "pictogram",
];
/// Words with other meanings: these need “below” or “above” after them.
const DOUBTFUL: &[&str] = &["image", "figure", "table", "map", "plan", "grid", "sketch", "drawing"];
const POINTERS: &[&str] = &["below", "above", "opposite", "shown", "provided", "underneath"];
/// Words that send a reader to a picture: “look at the …”, “in this …”.
const SENDERS: &[&str] = &["at", "study", "see", "in", "from", "using", "use", "to", "examine"];

/// The byte range of the first reference to a particular picture.
fn reference(text: &str) -> Option<Range<usize>> {
    let words: Vec<(Range<usize>, String)> = words(text)
        .map(|(range, word)| (range, word.to_lowercase()))
        .collect();
    let made = words
        .iter()
        .position(|(_, word)| MAKING.contains(&word.as_str()))
        .unwrap_or(usize::MAX);
    let word = |index: usize| words.get(index).map_or("", |(_, word)| word.as_str());
    for index in 0..words.len() {
        let noun = word(index);
        let doubtful = DOUBTFUL.contains(&noun);
        if !doubtful && !VISUALS.contains(&noun) {
            continue;
        }
        // “the”, “this”, with at most two words between: “the large bar chart”.
        let Some(article) = (1..=3)
            .filter_map(|back| index.checked_sub(back))
            .find(|at| ["the", "this"].contains(&word(*at)))
        else {
            continue;
        };
        let pointed = POINTERS.contains(&word(index + 1));
        let sent = article > 0
            && SENDERS.contains(&word(article - 1))
            && !doubtful
            && word(index + 1) != "of";
        if !pointed && !sent {
            continue;
        }
        if made < article {
            continue;
        }
        let end = if pointed { index + 1 } else { index };
        let start = words.get(article)?.0.start;
        return Some(start..words.get(end)?.0.end);
    }
    None
}

/// Verbs that ask the learner to make the picture; the task describes it.
const MAKING: &[&str] = &["draw", "sketch", "make", "create", "plot", "construct", "complete", "copy"];

/// Whether a text says what a picture shows.
fn describes(text: &str) -> bool {
    if text.contains("![") || text.contains("|-") || text.contains("| -") || text.contains("```") {
        return true;
    }
    let in_brackets = text
        .split('[')
        .skip(1)
        .filter_map(|rest| rest.split_once(']'))
        .any(|(inside, _)| words(inside).count() >= 3);
    in_brackets || text.split_inclusive(['.', '?', '!', '\n']).any(says_what_it_shows)
}

/// Whether a sentence describes a picture in detail: “The diagram shows a
/// rectangle of 3 cm by 4 cm”.
fn says_what_it_shows(sentence: &str) -> bool {
    let words: Vec<String> = words(sentence)
        .map(|(_, word)| word.to_lowercase())
        .collect();
    let is_visual = |word: &String| {
        VISUALS.contains(&word.as_str()) || DOUBTFUL.contains(&word.as_str())
    };
    let Some(at) = words.iter().position(is_visual) else {
        return false;
    };
    let rest = words.get(at + 1..).unwrap_or_default();
    let verb = rest
        .iter()
        .take(2)
        .position(|word| SHOWING.contains(&word.as_str()));
    let Some(shown) = verb.and_then(|verb| rest.get(verb + 1..)) else {
        return false;
    };
    let has_figures = shown
        .iter()
        .any(|word| word.contains(|c: char| c.is_ascii_digit()));
    has_figures || shown.len() >= DESCRIPTION
}

const SHOWING: &[&str] = &["shows", "has", "gives", "lists", "contains", "is"];

/// Minimum words of a description without numbers: “shows a ladder that leans
/// against a wall” is a description, “shows the prices” is not.
const DESCRIPTION: usize = 6;

#[cfg(test)]
mod tests {
    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, teach};

    #[test]
    fn a_picture_that_is_referred_to_needs_a_description() {
        for (stem, expected) in [
            ("Look at the diagram. What is x?", Some("the diagram")),
            ("Use the graph below to find y.", Some("the graph below")),
            ("In the pie chart, which is largest?", Some("the pie chart")),
            ("The table below gives prices. What costs most?", Some("The table below")),
            ("The table below gives prices: tea £2, milk £1. What costs most?", None),
            ("The picture shows a ladder that leans against a wall. In the picture, where is x?", None),
            ("Use the table below. Which costs most?", Some("the table below")),
            ("Find x in the triangle shown in the diagram.", Some("the diagram")),
            ("Look at the diagram. The diagram shows a 3 by 4 rectangle.", None),
            ("Which fraction is shaded in this diagram? [3 of 8 boxes shaded]", None),
            ("Draw a bar chart. What is the tallest bar in the chart?", None),
            ("What is the image of the point (2, 3)?", None),
            ("In the table tennis club there are 12 members.", None),
            ("Find the gradient of the graph of y = 2x.", None),
            ("A chart is a picture of data.", None),
            ("What is the scale of the map?", None),
            ("Look at the picture.\\n\\n![A ladder of 5 m against a wall](l.png)", None),
        ] {
            let card = format!(r#"{{"explainer": "e", "cfu": {{"stem": "{stem}"}}}}"#);
            let found = findings(&CHECK, &teach(&card));
            assert_eq!(found.first().map(|said| said.at.as_str()), expected, "{stem}");
        }
    }

    #[test]
    fn a_description_anywhere_on_the_card_will_do() {
        for card in [
            r#"{"explainer": "Look at the diagram.", "diagram_description": "A square.", "cfu": {}}"#,
            r#"{"explainer": "The graph shows rain by month: May 40 mm, June 55 mm.", "cfu": {"stem": "Look at the graph."}}"#,
        ] {
            assert!(findings(&CHECK, &teach(card)).is_empty(), "{card}");
        }
    }
}
