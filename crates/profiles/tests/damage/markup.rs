//! No safe fix removes markup that works. What works is judged by the Markdown parser
//! itself, without mathematics and without our analysis: whatever was bold, a link or
//! code before the fixes is so after them.

use std::collections::BTreeMap;

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::fixtures::{Form, fixed, inspect};
use super::lessons;
use super::plant::Lcg;

/// What is bold, emphasised, a link or code, as often as it is there.
fn markup(text: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let mut open: Vec<String> = Vec::new();
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(tag) => open.push(match tag {
                Tag::Strong => "bold ".to_owned(),
                Tag::Emphasis => "emphasis ".to_owned(),
                Tag::Link { dest_url, .. } => format!("link {dest_url} "),
                _ => String::new(),
            }),
            Event::End(_) => {
                // Asterisks that are shown may go.
                let closed = open.pop().unwrap_or_default().replace('*', "");
                if !closed.is_empty() {
                    *counts.entry(closed).or_insert(0) += 1;
                }
            }
            Event::Text(text) => {
                for element in open.iter_mut().filter(|element| !element.is_empty()) {
                    element.push_str(&text);
                }
            }
            Event::Code(code) => *counts.entry(format!("code {code}")).or_insert(0) += 1,
            _ => {}
        }
    }
    counts
}

/// The markup of a text that its safe fixes remove.
fn lost(text: &str) -> Vec<String> {
    let after = fixed(
        Form::Markdown,
        inspect(Form::Markdown, text.as_bytes().to_vec()),
    );
    let kept = markup(&after);
    markup(text)
        .into_iter()
        .filter(|(element, count)| kept.get(element).is_none_or(|kept| kept < count))
        .map(|(element, _)| format!("{element:?} of {text:?} in {after:?}"))
        .collect()
}

const PIECES: &[&str] = &[
    "**$100**",
    "**80$**",
    "$5",
    "5 $",
    "US$ 7",
    "**R$ 9**",
    "R$10",
    "A$5",
    "$x$",
    "**$n$**",
    "$$y$$",
    "\\$3",
    "**bold**",
    "*it*",
    "**two words**",
    "**open",
    "closed**",
    "** loose **",
    "**loose **",
    "`$a`",
    "`**`",
    "[$6](a$b)",
    "[x](y)",
    "\\(z\\)",
    "-",
    "to",
    "für",
    "y",
    "et",
    "para",
    "($)",
    "2**3",
    "**",
    "_",
    "*",
    "|",
    "kwargs",
];

#[test]
fn no_markup_that_works_is_lost_beside_dollar_signs() {
    let mut wrong = Vec::new();
    for round in 0..1_500 {
        let mut random = Lcg::new("dollars", round);
        let mut text = "# T\n\n".to_owned();
        for _ in 0..3 + random.below(9) {
            text.push_str(random.pick(PIECES).expect("pieces"));
            text.push_str(
                random
                    .pick(&[" ", " ", " ", "", ", ", ".\n\n", "\n"])
                    .expect("a gap"),
            );
        }
        text.push_str("\n\nWater boils.\n");
        wrong.extend(lost(&text));
    }
    assert!(
        wrong.is_empty(),
        "{} lost: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(8)]
    );
}

#[test]
fn no_markup_of_lessons_is_lost() {
    let wrong: Vec<String> = lessons::all()
        .iter()
        .flat_map(|lesson| lost(&lesson.text))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
