//! The direction of an instruction, recognised by its words, in the languages we read. A
//! pattern is a word's beginning (`simplif*`), a word, or several of them near each
//! other.
//!
//! | it says | then |
//! |---|---|
//! | both of an opposed pair in one breath ("cut the list and add a table") | neither: it knows what it wants |
//! | "do not cut" | nothing about cutting |

use crate::planning_reasons::Opposition;
use crate::verdict::Issue;
use redraft_gate::vocabulary::normal_keys;
use redraft_text::phrases::PhraseList;

/// The direction of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Add,
    Cut,
    Detail,
    Simplify,
    Formal,
    Plain,
}

/// Pulls against each other, as the ledger calls them.
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

/// The directions, and the sections of the list with their patterns.
const DIRECTIONS: [(Direction, &str); 6] = [
    (Direction::Add, "add"),
    (Direction::Cut, "cut"),
    (Direction::Detail, "detail"),
    (Direction::Simplify, "simplify"),
    (Direction::Formal, "formal"),
    (Direction::Plain, "plain"),
];

/// Whether a cut is about length as such, not about a thing to be taken out.
pub(super) fn is_about_length(issue: &Issue) -> bool {
    let words = normal_keys(instruction(issue), None);
    says_any(&words, "length")
}

/// What an issue says should be done; where it says nothing, what is wrong.
pub(super) fn instruction(issue: &Issue) -> &str {
    match issue.suggested_fix.trim() {
        "" => &issue.description,
        fix => fix,
    }
}

/// Whether an issue is mended by adding something and by nothing else.
pub(in crate::arbitrate) fn is_addition(issue: &Issue) -> bool {
    let words = normal_keys(instruction(issue), None);
    let directions = directions_of(issue);
    directions.contains(&Direction::Add) && !says_any(&words, "rewrite")
}

/// The directions of an issue. Of two opposed ones it has neither.
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

/// Whether words follow a pattern of a section somewhere.
fn says_any(words: &[String], section: &str) -> bool {
    PATTERNS.all(section).any(|pattern| says(words, pattern))
}

/// Whether words follow a pattern somewhere, and are not taken back.
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
    // How many words may come between two of a pattern: "more worked examples".
    let gap = if is_wide { 0 } else { 2 };
    words.iter().enumerate().any(|(start, word)| {
        if !is(word, first) || is_taken_back(words, start, first) {
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

/// Whether a word is one of a list, which is parted by strokes.
pub(super) fn is_listed(list: &str, word: &str) -> bool {
    list.split('|').any(|listed| listed == word)
}

fn is(word: &str, part: &str) -> bool {
    match part.strip_suffix('*') {
        Some(beginning) => word.starts_with(beginning),
        None => word == part,
    }
}

/// Whether one of the words before takes back what is said; a pattern that
/// begins with such a word means it.
fn is_taken_back(words: &[String], at: usize, first: &str) -> bool {
    const NEAR: usize = 2;
    let takes_back = |word: &str| PATTERNS.all("not").any(|listed| listed == word);
    if takes_back(first) {
        return false;
    }
    let before = words.get(at.saturating_sub(NEAR)..at).unwrap_or_default();
    before.iter().any(|word| takes_back(word))
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
