//! The themes that engagement tags name, and whether a lesson takes one up. The
//! words of the themes are in `crates/text/data/engagement_themes`; an unknown tag
//! is searched for by its own words. A check decides which tags are required.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use redraft_text::phrases::PhraseList;

use super::wording::stems;

static LIST: PhraseList = PhraseList::new(
    "engagement_themes",
    &["weak", "no theme", "names *", "words *"],
);

struct Theme {
    /// What tags call it.
    names: Vec<&'static str>,
    /// The words that go with it.
    words: Vec<&'static str>,
}

static THEMES: LazyLock<Vec<Theme>> = LazyLock::new(|| {
    let files = LIST.files().iter();
    files
        .flat_map(|file| {
            file.sections_after("names ").map(|(name, _)| Theme {
                names: file.words(&format!("names {name}")).collect(),
                words: file.words(&format!("words {name}")).collect(),
            })
        })
        .collect()
});

/// The words of a lesson, to look themes up in.
#[derive(Debug, Default)]
pub(crate) struct Contexts {
    stems: BTreeSet<String>,
    has_money: bool,
}

impl Contexts {
    pub(crate) fn add(&mut self, text: &str) {
        self.has_money |= text.contains('£');
        self.stems.extend(stems(text));
    }

    /// Whether the lesson takes a tag up; `None` for tags that name no theme but a
    /// way of working (`quiz`) or anything at all (`daily_life`).
    pub(crate) fn take_up(&self, tag: &str) -> Option<Taken> {
        let words: Vec<String> = stems(&tag.replace(['_', '-'], " "))
            .into_iter()
            .filter(|stem| !is_in(stem, LIST.all("weak")))
            .collect();
        if words.is_empty() || words.iter().all(|stem| is_in(stem, LIST.all("no theme"))) {
            return None;
        }
        let has = |stem: &String| self.stems.contains(stem);
        let themes: Vec<_> = THEMES
            .iter()
            .filter(|theme| {
                words
                    .iter()
                    .any(|stem| is_in(stem, theme.names.iter().copied()))
            })
            .collect();
        let is_related = themes.iter().flat_map(|theme| &theme.words).any(|word| {
            if *word == "£" {
                self.has_money
            } else {
                stems(word).iter().all(has)
            }
        });
        Some(if is_related || words.iter().any(has) {
            Taken::Up
        } else if themes.is_empty() {
            Taken::NotByItsWords
        } else {
            Taken::Not
        })
    }
}

/// Whether a lesson takes a tag up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    Up,
    /// Neither the tag's words occur nor any that go with its theme.
    Not,
    /// The tag's words do not occur, and its theme is unknown.
    NotByItsWords,
}

/// Whether a stem is that of one of the words in these lines.
fn is_in(stem: &str, mut lines: impl Iterator<Item = &'static str>) -> bool {
    lines.any(|line| stems(line).iter().any(|other| other == stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phrase_files_are_sound() {
        assert_eq!(LIST.faults(), [""; 0]);
        let misses = |example: &str| {
            let (tag, text) = example.split_once(": ").unwrap();
            let mut lesson = Contexts::default();
            lesson.add(text);
            matches!(lesson.take_up(tag), Some(Taken::Not | Taken::NotByItsWords))
        };
        assert_eq!(
            LIST.wrong_examples("themes", |_, text| misses(text)),
            [""; 0]
        );
    }

    #[test]
    fn a_tag_is_taken_up_by_its_words_or_those_of_its_theme() {
        let mut lesson = Contexts::default();
        lesson.add("A bag of flour at Tesco costs £1.45. Weigh 200 g. Match item and unit.");
        for (tag, expected) in [
            ("finance", Some(Taken::Up)),
            ("shopping", Some(Taken::Up)),
            ("food", Some(Taken::Up)),
            ("scottish_currency", Some(Taken::Up)),
            ("transport", Some(Taken::Not)),
            ("highland_dancing", Some(Taken::NotByItsWords)),
            ("weighing-flour", Some(Taken::Up)),
            ("planning_a_trip_on_calmac_ferries", Some(Taken::Not)),
            // A word of the classroom is none of the stadium.
            ("rugby", Some(Taken::Not)),
            ("quiz", None),
            ("daily_life", None),
            ("problem_solving", None),
            ("visual-learning", None),
            ("", None),
        ] {
            assert_eq!(lesson.take_up(tag), expected, "{tag}");
        }
    }
}
