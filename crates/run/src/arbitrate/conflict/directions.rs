//! Recognises the direction of an instruction by its words, in all supported languages. A pattern
//! is a word, the beginning of a word (`simplif*`), or several of these close together.
//!
//! | it says | then |
//! |---|---|
//! | both of an opposed pair ("cut the list and add a table") | neither: it is specific already |
//! | "do not cut" | not a cut |

use crate::planning_reasons::Opposition;
use crate::verdict::Issue;
use redraft_gate::vocabulary::normal_keys;
use redraft_text::phrases::PhraseList;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Add,
    Cut,
    Detail,
    Simplify,
    Formal,
    Plain,
}

/// Opposed directions, with the name of the conflict in the ledger.
pub(super) const OPPOSED: [(Direction, Direction, Opposition); 3] = [
    (Direction::Add, Direction::Cut, Opposition::AddOrCut),
    (
        Direction::Detail,
        Direction::Simplify,
        Opposition::DetailOrSimplicity,
    ),
    (
        Direction::Formal,
        Direction::Plain,
        Opposition::FormalOrPlain,
    ),
];

/// The patterns, by language (`data/instructions`).
static PATTERNS: PhraseList = PhraseList::new(
    "instructions",
    &[
        "add", "cut", "detail", "simplify", "formal", "plain", "not", "length", "rewrite",
    ],
);

/// Each direction with the section of the phrase list that has its patterns.
const DIRECTIONS: [(Direction, &str); 6] = [
    (Direction::Add, "add"),
    (Direction::Cut, "cut"),
    (Direction::Detail, "detail"),
    (Direction::Simplify, "simplify"),
    (Direction::Formal, "formal"),
    (Direction::Plain, "plain"),
];

/// Whether a cut is about length in general, not about a particular passage.
pub(super) fn is_about_length(issue: &Issue) -> bool {
    let words = normal_keys(instruction(issue), None);
    says_any(&words, "length")
}

/// The suggested fix, or the description if there is none.
pub(super) fn instruction(issue: &Issue) -> &str {
    match issue.suggested_fix.trim() {
        "" => &issue.description,
        fix => fix,
    }
}

/// Whether the issue asks for an addition and nothing else.
pub(in crate::arbitrate) fn is_addition(issue: &Issue) -> bool {
    let words = normal_keys(instruction(issue), None);
    let directions = directions_of(issue);
    directions.contains(&Direction::Add) && !says_any(&words, "rewrite")
}

/// The directions of an issue. Opposed ones cancel out.
pub(super) fn directions_of(issue: &Issue) -> Vec<Direction> {
    let words = normal_keys(instruction(issue), None);
    let mut directions: Vec<Direction> = DIRECTIONS
        .iter()
        .filter(|(_, section)| says_any(&words, section))
        .map(|(direction, _)| *direction)
        .collect();
    for (one, other, _) in OPPOSED {
        if directions.contains(&one) && directions.contains(&other) {
            directions.retain(|direction| *direction != one && *direction != other);
        }
    }
    directions
}

/// Whether the words match a pattern of this section.
fn says_any(words: &[String], section: &str) -> bool {
    PATTERNS.all(section).any(|pattern| says(words, pattern))
}

/// Whether the words match the pattern somewhere and are not negated.
fn says(words: &[String], pattern: &str) -> bool {
    let parts: Vec<String> = if pattern.chars().all(|c| c > '\u{2e80}') {
        pattern.chars().map(String::from).collect()
    } else {
        pattern.split(' ').map(str::to_owned).collect()
    };
    let is_wide = parts.len() > 1 && !pattern.contains(' ');
    let Some(first) = parts.first() else {
        return false;
    };
    // How many words may come between two words of a pattern: "more worked examples".
    let gap = if is_wide { 0 } else { 2 };
    words.iter().enumerate().any(|(start, word)| {
        if !is(word, first) || is_negated(words, start, first) {
            return false;
        }
        let mut at = start;
        parts.iter().skip(1).all(|part| {
            let next = (at + 1..=at + 1 + gap)
                .find(|index| words.get(*index).is_some_and(|word| is(word, part)));
            next.is_some_and(|next| {
                at = next;
                true
            })
        })
    })
}

/// Whether a word is in a list separated by `|`.
pub(super) fn is_listed(list: &str, word: &str) -> bool {
    list.split('|').any(|listed| listed == word)
}

fn is(word: &str, part: &str) -> bool {
    match part.strip_suffix('*') {
        Some(beginning) => word.starts_with(beginning),
        None => word == part,
    }
}

/// Whether a word shortly before the match negates it. A pattern that begins with a negation is not
/// negated by it.
fn is_negated(words: &[String], at: usize, first: &str) -> bool {
    const NEAR: usize = 2;
    let negates = |word: &str| PATTERNS.all("not").any(|listed| listed == word);
    if negates(first) {
        return false;
    }
    let before = words.get(at.saturating_sub(NEAR)..at).unwrap_or_default();
    before.iter().any(|word| negates(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Anchored, IssueSeverity};
    use redraft_gate::span::ComponentId;

    fn issue(fix: &str) -> Issue {
        Issue {
            criterion: "clarity".to_owned(),
            severity: IssueSeverity::Major,
            location: ComponentId::whole(),
            quote: None,
            anchor: Anchored::NotQuoted,
            description: "A fault.".to_owned(),
            suggested_fix: fix.to_owned(),
            source: None,
        }
    }

    #[test]
    fn the_files_of_patterns_are_in_order_and_their_examples_hold() {
        assert_eq!(PATTERNS.faults(), [""; 0]);
        for (direction, section) in DIRECTIONS.into_iter().take(2) {
            let wrong = PATTERNS.wrong_examples(section, |_, text| {
                directions_of(&issue(text)).contains(&direction)
            });
            assert_eq!(wrong, [""; 0]);
        }
    }

    #[test]
    fn instructions_pull_where_their_words_say() {
        use Direction::{Add, Cut, Detail, Formal, Plain, Simplify};
        for (fix, expected) in [
            ("Add a simple example.", &[Add][..]),
            ("Add more details about the stages.", &[Add, Detail]),
            ("Simplify the language, it is too complex.", &[Simplify]),
            ("Use shorter sentences.", &[Simplify]),
            ("Shorten the section.", &[Cut]),
            ("Remove the list and add a table.", &[]),
            ("Do not add anything here.", &[]),
            ("Do not cut the definition.", &[]),
            ("Address the misconception about heat.", &[]),
            ("Correct the figure to 100 °C.", &[]),
            ("Explain that condensation is quite slow.", &[]),
            ("Name the included amplitude of the simplified model.", &[]),
            ("Say that the muscle contracts after the deletion.", &[]),
            ("Объясните сокращение мышц без исключений.", &[]),
            ("Remove unnecessary details.", &[Cut]),
            ("Elaborate on the second step.", &[Detail]),
            ("Use a more formal tone.", &[Formal]),
            ("Make it less formal.", &[Plain]),
            ("The tone is too informal for a textbook.", &[Formal]),
            ("Use plain language.", &[Plain]),
            ("Добавьте простой пример.", &[Add]),
            ("Упростите формулировки.", &[Simplify]),
            ("Сократите раздел вдвое.", &[Cut]),
            ("Опишите этапы подробнее.", &[Detail]),
            ("Используйте более формальный стиль.", &[Formal]),
            ("Не удаляйте таблицу.", &[]),
            ("Ergänzen Sie ein Beispiel.", &[Add]),
            ("Kürzen Sie den Abschnitt.", &[Cut]),
            ("Vereinfachen Sie die Sprache.", &[Simplify]),
            ("Añada un ejemplo sencillo.", &[Add]),
            ("Acorte el párrafo.", &[Cut]),
            ("Simplifique el lenguaje.", &[Simplify]),
            ("Ajoutez un exemple.", &[Add]),
            ("Raccourcissez la section.", &[Cut]),
            ("Simplifiez les phrases.", &[Simplify]),
            ("添加一个简单的例子。", &[Add]),
            ("缩短这一节。", &[Cut]),
            ("请简化语言。", &[Simplify]),
            ("请更详细地解释步骤。", &[Detail]),
            ("使用更正式的语言。", &[Formal]),
            ("不要删除定义。", &[]),
            ("", &[]),
        ] {
            assert_eq!(directions_of(&issue(fix)), expected, "{fix}");
        }
    }

    #[test]
    fn an_addition_adds_and_rewrites_nothing() {
        for (fix, expected) in [
            ("Add an example of a loop.", true),
            ("Include a definition of osmosis.", true),
            ("Rewrite the section and add examples.", false),
            ("Replace the example.", false),
            ("Add the missing part and remove the digression.", false),
            ("Приведите определение осмоса.", true),
            ("补充一个定义。", true),
            ("重写这一节,并补充例子。", false),
        ] {
            assert_eq!(is_addition(&issue(fix)), expected, "{fix}");
        }
    }
}
