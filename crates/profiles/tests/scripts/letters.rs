//! The proof that no safe fix loses a letter (ruling 46): good lessons in many
//! languages come out as they went in, and of damaged ones only the damage goes.
//! `judge` decides, and knows nothing of the fixes.

use std::sync::Arc;

use redraft_gate::companion::Companions;
use redraft_gate::examine::Settings;
use redraft_gate::inspect::{Inspect as _, Reader};
use redraft_gate::reading::{self, Hint};
use redraft_gate::source::Source;
use redraft_profiles::registry;

use crate::corpus::{self, Base, STYLES};
use crate::judge::{Damaged, Signs, unlawful_changes};
use crate::lessons;

/// What `--fix` makes of bytes, by the pipeline that the program uses.
fn fix(text: &str, hint: Hint) -> String {
    let raw = reading::read(Source::new(text.as_bytes().to_vec()), hint);
    let profile = registry::recognise(&raw)
        .or_else(|| registry::profile("lesson"))
        .unwrap();
    let reader = Reader {
        profile,
        settings: Settings {
            parameters: profile.parameters().clone(),
            known_checks: registry::all_checks(),
            ..Settings::default()
        },
        companions: Arc::new(Companions::default()),
        hint,
    };
    let fixed = reader.fix(text.as_bytes().to_vec()).unwrap();
    fixed.inspected.document.source().text().to_owned()
}

/// The lesson as JSON, as models write it.
fn as_json(text: &str) -> String {
    let (intro, rest) = text.split_once("\n## ").unwrap_or((text, ""));
    let sections: Vec<serde_json::Value> = rest
        .split("\n## ")
        .filter_map(|section| section.split_once('\n'))
        .map(|(title, content)| serde_json::json!({"title": title, "content": content.trim()}))
        .collect();
    let lesson = serde_json::json!({"title": "1", "intro": intro.trim(), "sections": sections});
    serde_json::to_string_pretty(&lesson).unwrap()
}

#[test]
fn good_lessons_in_many_languages_come_out_as_they_went_in() {
    let bases = corpus::bases();
    let mut texts = 0;
    let mut changed = Vec::new();
    for base in &bases {
        for style in 0..STYLES {
            let text = base.styled(style);
            for (form, hint) in [(text.clone(), Hint::Markdown), (as_json(&text), Hint::Json)] {
                texts += 1;
                let fixed = fix(&form, hint);
                if fixed != form {
                    changed.push(format!(
                        "{} {style} {hint:?}\n{form}\n→\n{fixed}",
                        base.language
                    ));
                }
            }
        }
    }
    println!("{texts} good texts in {} languages", bases.len());
    assert!(bases.len() >= 20 && texts >= 300);
    assert!(
        changed.is_empty(),
        "{} changed: {}",
        changed.len(),
        changed.join("\n\n")
    );
}

/// Damages a lesson; the number varies how.
type Damage = fn(&Base, usize) -> Damaged;

/// Ways to damage a lesson.
const DAMAGES: [(&str, Damage, Signs); 11] = [
    ("framing", framing, Signs::Count),
    ("reasoning", reasoning, Signs::Count),
    ("control tokens", tokens, Signs::Count),
    ("a character alone", alone, Signs::Count),
    ("a character in a word", inside, Signs::Count),
    (
        "a letter replaced by one of another script",
        replaced,
        Signs::Count,
    ),
    ("look-alikes", look_alikes, Signs::Count),
    ("control characters", controls, Signs::Count),
    ("bytes decoded wrongly", mojibake, Signs::Count),
    ("emphasis that is not closed", unclosed, Signs::MayChange),
    ("a stray end of reasoning", stray_end, Signs::Count),
];

#[test]
fn of_damaged_lessons_only_the_damage_goes() {
    let bases = corpus::bases();
    let mut texts = 0;
    let mut lost = Vec::new();
    for base in &bases {
        for (name, damage, signs) in DAMAGES {
            for variant in 0..3 {
                let damaged = damage(base, variant);
                texts += 1;
                let fixed = fix(&damaged.text, Hint::Markdown);
                if let Some(loss) = damaged.loss(&fixed, signs) {
                    lost.push(format!("{} {name} {variant}: {loss}", base.language));
                }
            }
        }
    }
    println!("{texts} damaged texts in {} languages", bases.len());
    assert!(texts >= 300);
    assert!(
        lost.is_empty(),
        "{} lost something:\n{}",
        lost.len(),
        lost.join("\n")
    );
}

/// The same inside a field of JSON, where only whole fields are framed.
#[test]
fn of_damaged_fields_only_the_damage_goes() {
    let mut lost = Vec::new();
    for base in corpus::bases() {
        for (name, damage, signs) in DAMAGES.into_iter().skip(3) {
            for variant in 0..2 {
                let damaged = damage(&base, variant);
                let title = base.topics[0].title;
                let lesson = serde_json::json!({
                    "title": title,
                    "intro": base.topics[1].paragraph,
                    "sections": [
                        {"title": title, "content": damaged.text},
                        {"title": base.topics[2].title, "content": base.topics[2].paragraph},
                    ],
                });
                let fixed = fix(&lesson.to_string(), Hint::Json);
                let after: serde_json::Value =
                    serde_json::from_str(&fixed).expect("it is still JSON");
                let content = after["sections"][0]["content"].as_str().unwrap_or_default();
                if let Some(loss) = damaged.loss(content, signs) {
                    lost.push(format!("{} {name} {variant}: {loss}", base.language));
                }
                let mut others = after.clone();
                others["sections"][0]["content"] = lesson["sections"][0]["content"].clone();
                assert_eq!(
                    others, lesson,
                    "{} {name}: another field changed",
                    base.language
                );
            }
        }
    }
    assert!(
        lost.is_empty(),
        "{} lost something:\n{}",
        lost.len(),
        lost.join("\n")
    );
}

fn plain(base: &Base, variant: usize) -> String {
    base.styled([0, 1, 9][variant % 3])
}

fn framing(base: &Base, variant: usize) -> Damaged {
    let (opener, closer) = [
        (
            "Sure! Here is the lesson you asked for:\n\n",
            "\nLet me know if you would like any changes!\n",
        ),
        ("```markdown\n", "```\n"),
        (
            "Here is the lesson:\n\n```markdown\n",
            "```\n\nI hope this helps! Feel free to ask.\n",
        ),
    ][variant % 3];
    let mut damaged = Damaged::default();
    damaged
        .noise(opener)
        .keep(&plain(base, variant))
        .noise(closer);
    damaged
}

fn reasoning(base: &Base, variant: usize) -> Damaged {
    let thought = [
        "<think>\nThe user wants a lesson. I will write about water.\n</think>\n\n",
        "<thinking>Let me plan this lesson first.</thinking>\n\n",
        "<think>\n\n</think>\n\n",
    ][variant % 3];
    let mut damaged = Damaged::default();
    damaged.noise(thought).keep(&plain(base, variant));
    damaged
}

fn tokens(base: &Base, variant: usize) -> Damaged {
    let (start, end) = [
        ("", "<|im_end|>"),
        ("<|im_start|>assistant\n", "<|im_end|>\n"),
        ("", "</s>"),
    ][variant % 3];
    let mut damaged = Damaged::default();
    damaged
        .noise(start)
        .keep(plain(base, variant).trim_end())
        .noise(end);
    damaged
}

/// The letters that are foreign to a language.
fn foreign(base: &Base) -> [char; 3] {
    match base.language {
        "zh" | "ja" => ['Ж', 'ш', 'ק'],
        _ => ['的', '是', '了'],
    }
}

/// Cuts a lesson in the middle of the first paragraph, at a space where there is one.
fn cut(base: &Base, variant: usize) -> (String, String) {
    let text = plain(base, variant);
    let paragraph = text.find("\n\n").map_or(0, |at| at + 2);
    let length = text[paragraph..].find('\n').unwrap_or_default();
    let middle = text.floor_char_boundary(paragraph + length / 2);
    let at = text[middle..paragraph + length]
        .find(' ')
        .map_or(middle, |space| middle + space);
    (text[..at].to_owned(), text[at..].to_owned())
}

fn alone(base: &Base, variant: usize) -> Damaged {
    let (before, after) = cut(base, variant);
    let mut damaged = Damaged::default();
    damaged
        .keep(&before)
        .noise(&format!(" {}", foreign(base)[variant % 3]));
    if !after.starts_with(' ') {
        damaged.noise(" ");
    }
    damaged.keep(&after);
    damaged
}

/// In a word nothing may be deleted, the foreign letter included.
fn inside(base: &Base, variant: usize) -> Damaged {
    let (before, after) = cut(base, variant);
    let last = before.char_indices().next_back().map_or(0, |(at, _)| at);
    let mut damaged = Damaged::default();
    damaged.keep(&before[..last]);
    damaged.keep(&foreign(base)[variant % 3].to_string());
    damaged.keep(&before[last..]).keep(&after);
    damaged
}

fn replaced(base: &Base, variant: usize) -> Damaged {
    let (before, after) = cut(base, variant);
    let last = before.char_indices().next_back().map_or(0, |(at, _)| at);
    let latin = ["g", "rt", "ll"][variant % 3];
    let letter = match base.language {
        "ru" | "uk" | "bg" | "sr" | "el" | "he" | "ar" | "fa" | "ur" | "hi" | "bn" | "ta"
        | "ml" => latin,
        "zh" | "ja" => "ש",
        _ => "ಟೆ",
    };
    let mut damaged = Damaged::default();
    damaged.keep(&before[..last]).keep(letter).keep(&after);
    damaged
}

/// Exchanges every seventh letter that has a look-alike.
fn look_alikes(base: &Base, variant: usize) -> Damaged {
    const PAIRS: &[(char, char)] = &[
        ('a', 'а'),
        ('e', 'е'),
        ('o', 'о'),
        ('c', 'с'),
        ('p', 'р'),
        ('x', 'х'),
        ('A', 'А'),
        ('K', 'К'),
    ];
    let mut damaged = Damaged::default();
    let mut seen = variant;
    for c in plain(base, variant).chars() {
        let twin = PAIRS.iter().find_map(|(latin, cyrillic)| match c {
            c if c == *latin => Some(*cyrillic),
            c if c == *cyrillic => Some(*latin),
            _ => None,
        });
        match twin {
            Some(twin) => {
                seen += 1;
                if seen.is_multiple_of(7) {
                    damaged.twin(twin, c);
                } else {
                    damaged.keep(c.encode_utf8(&mut [0; 4]));
                }
            }
            None => {
                damaged.keep(c.encode_utf8(&mut [0; 4]));
            }
        }
    }
    damaged
}

fn controls(base: &Base, variant: usize) -> Damaged {
    let (before, after) = cut(base, variant);
    let control = ["\u{0}", "\u{b}", "\u{7f}"][variant % 3];
    let mut damaged = Damaged::default();
    damaged.keep(&before).noise(control).keep(&after);
    damaged
}

/// `â` is a letter; the codes after it are not.
fn mojibake(base: &Base, variant: usize) -> Damaged {
    let (before, after) = cut(base, variant);
    let broken = ["â\u{80}\u{99}s", "Ã\u{89}", "Ð\u{92}"][variant % 3];
    let mut damaged = Damaged::default();
    damaged.keep(&before).keep(broken).keep(&after);
    damaged
}

fn unclosed(base: &Base, variant: usize) -> Damaged {
    let (before, after) = cut(base, variant);
    let marker = [" **", " *", " `"][variant % 3];
    let mut damaged = Damaged::default();
    damaged.keep(&before).noise(marker).keep(after.trim_start());
    damaged
}

fn stray_end(base: &Base, variant: usize) -> Damaged {
    let (before, after) = cut(base, variant);
    let mut damaged = Damaged::default();
    damaged
        .keep(&before)
        .noise(["\n</think>\n", "</think>", " </thinking> "][variant % 3])
        .keep(&after);
    damaged
}

/// Strings that occurred in real texts, and that a fix once harmed.
#[test]
fn texts_that_fixes_once_harmed_come_out_as_they_went_in() {
    let prose = "The price of a phone fell twice this year, and many people bought a new one in the summer.";
    for text in [
        "The price fell from **$100** to **$80** in a week.",
        "Costs: $5 and $7; *x* and **y**.",
        "A Kannada word in the text: teleಫೋನ್ and ಟೆಲಿphone.",
        "He drives a Porשה to work, and on Sundays a פורשה to the sea.",
        "The town of Gорје lies in the hills.",
        "ചന്ദ്രന്‍ and നമ്മള്‍ keep their joiners, and so does می‌خواهم.",
        "The family 👩‍👩‍👧‍👦 and the flag 🏴󠁧󠁢󠁳󠁣󠁴󠁿 stay whole.",
        "A bell is `\u{7}` in code, and “\u{1b}” starts an escape.",
    ] {
        let lesson = format!("# Phones\n\n{prose}\n\n## Notes\n\n{text}\n\n## More\n\n{prose}\n");
        assert_eq!(fix(&lesson, Hint::Markdown), lesson, "{text}");
    }
    let diagram = "# ചന്ദ്രന്‍\n\n```mermaid\nflowchart LR\n  A[ചന്ദ്രന്‍] --> B[می‌خواهم]\n```\n";
    assert_eq!(fix(diagram, Hint::Markdown), diagram);
}

/// Every text of the reference data, as a document of its own.
#[test]
fn no_fix_changes_a_letter_of_the_reference_data() {
    let mut texts = 0;
    let mut wrong = Vec::new();
    for (name, text, hint) in lessons::reference_texts() {
        texts += 1;
        let fixed = fix(&text, hint);
        let changes = unlawful_changes(&text, &fixed);
        wrong.extend(
            changes
                .into_iter()
                .map(|change| format!("{name}: {change}")),
        );
    }
    println!("{texts} texts of the reference data");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
