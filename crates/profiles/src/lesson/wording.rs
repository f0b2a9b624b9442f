//! Words by which lessons open, close, illustrate and set tasks, and words that
//! carry no topic, from the files in `crates/text/data/lesson_frame` and
//! `crates/text/data/topicless_words`. The callers know what follows from them.

use std::collections::HashSet;
use std::sync::LazyLock;

use redraft_gate::vocabulary::normal_keys;
use redraft_text::language::Language;
use redraft_text::phrases::PhraseList;

static FRAME: PhraseList = PhraseList::new(
    "lesson_frame",
    &[
        "opens",
        "closes",
        "looks back",
        "for example",
        "exercises",
        "examples",
        "serves",
    ],
);

static TOPICLESS: PhraseList = PhraseList::new("topicless_words", &["words"]);

/// The phrases of a section in all languages.
type Phrases = LazyLock<Vec<&'static str>>;

pub(super) static OPENS: Phrases = LazyLock::new(|| FRAME.all("opens").collect());
pub(super) static CLOSES: Phrases = LazyLock::new(|| FRAME.all("closes").collect());
pub(super) static LOOKS_BACK: Phrases = LazyLock::new(|| FRAME.all("looks back").collect());
pub(super) static FOR_EXAMPLE: Phrases = LazyLock::new(|| FRAME.all("for example").collect());
pub(super) static EXERCISES: Phrases = LazyLock::new(|| FRAME.all("exercises").collect());
pub(super) static EXAMPLES: Phrases = LazyLock::new(|| FRAME.all("examples").collect());
pub(super) static SERVES: Phrases = LazyLock::new(|| FRAME.all("serves").collect());

/// Words of titles and objectives that name no topic.
pub(super) struct Topicless {
    language: Language,
    keys: HashSet<String>,
}

impl Topicless {
    /// The words of a language, in all their forms.
    pub(super) fn new(language: Language) -> Self {
        let file = TOPICLESS.file(language.as_str()).into_iter();
        let key = |word| normal_keys(word, Some(language)).concat();
        Self {
            language,
            keys: file.flat_map(|file| file.words("words")).map(key).collect(),
        }
    }

    pub(super) fn contains(&self, word: &str) -> bool {
        self.keys
            .contains(&normal_keys(word, Some(self.language)).concat())
    }
}

#[cfg(test)]
mod tests {
    use redraft_gate::content::Document;
    use redraft_gate::profile::GateProfile as _;
    use redraft_gate::reading::{self, Hint};
    use redraft_gate::source::Source;

    use super::*;
    use crate::lesson::{Lesson, structure};

    fn lesson(text: String) -> Document {
        let raw = reading::read(Source::new(text.into_bytes()), Hint::Markdown);
        Lesson.parse(raw, None)
    }

    #[test]
    fn the_phrase_files_are_sound() {
        assert_eq!(FRAME.faults(), [""; 0]);
        let finds = |section: &str, text: &str| match section {
            "opens" => structure::opens(&lesson(format!("# T\n\n## {text}\n\na\n\n## B\n\nb\n"))),
            "closes" => structure::closes(&lesson(format!("# T\n\n## A\n\na\n\n## {text}\n\nb\n"))),
            "looks back" => {
                structure::closes(&lesson(format!("# T\n\n## A\n\na\n\n## B\n\n{text}\n")))
            }
            "for example" => {
                structure::count_examples(&lesson(format!("# T\n\n## A\n\n{text}\n"))) == 1
            }
            "exercises" => {
                let text = format!("# T\n\n## {text}\n\n1. a\n2. b\n3. c\n");
                structure::count_exercises(&lesson(text)) == 3
            }
            "examples" => {
                let text = format!("# T\n\n## {text}\n\n1. a\n2. b\n3. c\n");
                structure::count_examples(&lesson(text)) == 3
            }
            "serves" => structure::serves(text),
            other => panic!("no test for [{other}]"),
        };
        for section in [
            "opens",
            "closes",
            "looks back",
            "for example",
            "exercises",
            "examples",
            "serves",
        ] {
            let wrong = FRAME.wrong_examples(section, |_, text| finds(section, text));
            assert_eq!(wrong, [""; 0]);
        }
    }

    #[test]
    fn words_without_a_topic_are_sound() {
        assert_eq!(TOPICLESS.faults(), [""; 0]);
        let are_topicless = |language: &str, text: &str| {
            let topicless = Topicless::new(Language::parse(language).unwrap());
            text.split_whitespace().all(|word| topicless.contains(word))
        };
        let wrong =
            TOPICLESS.wrong_examples("words", |file, text| are_topicless(file.language, text));
        assert_eq!(wrong, [""; 0]);
    }
}
