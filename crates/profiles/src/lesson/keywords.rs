//! The keywords of a specification and which of them a lesson covers (ruling
//! 13): what its sections require, and the topics of its learning objectives.
//! Not available if the specification is in another language than the lesson, or
//! if words of the language cannot be compared.

use std::collections::HashSet;

use redraft_gate::companion::{Companions, Specification};
use redraft_gate::content::Document;
use redraft_gate::vocabulary::normal_keys;
use redraft_text::language::{self, Language};
use redraft_text::stems;
use redraft_text::words::words;

use super::phrases::Phrases;
use super::wording::Topicless;

/// How many of the keywords occur, and which do not.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Coverage {
    pub(super) found: usize,
    pub(super) total: usize,
    pub(super) missing: Vec<String>,
}

impl Coverage {
    #[expect(
        clippy::cast_precision_loss,
        reason = "no specification has 2^52 keywords"
    )]
    pub(super) fn share(&self) -> f64 {
        self.found as f64 / self.total as f64
    }
}

/// The specification and the language in which its words can be compared with
/// the lesson's.
pub(super) fn comparable<'a>(
    document: &Document,
    companions: &'a Companions,
) -> Option<(&'a Specification, Language)> {
    let specification = companions.specification.as_ref()?;
    let language = *document.language()?;
    let is_segmented = matches!(language.as_str(), "zh" | "ja");
    if !is_segmented && !stems::has_stemmer(&language) {
        return None;
    }
    let agrees = |detected: Option<Language>| detected.is_none_or(|detected| detected == language);
    (agrees(document.detected_language()) && agrees(language_of(specification)))
        .then_some((specification, language))
}

/// The detected language of a specification, if reliable; the one it names is
/// that of the lesson.
fn language_of(specification: &Specification) -> Option<Language> {
    const SAMPLE: usize = 4_000;
    let mut sample = String::new();
    let sections = &specification.sections;
    let texts = specification
        .objectives
        .iter()
        .map(|objective| &objective.objective)
        .chain(sections.iter().flat_map(|section| &section.key_points))
        .chain(sections.iter().map(|section| &section.title))
        .chain(
            sections
                .iter()
                .flat_map(|section| &section.required_keywords),
        );
    for text in texts {
        sample.push_str(text);
        sample.push('\n');
        if sample.len() > SAMPLE {
            break;
        }
    }
    let detection = language::detect(&sample);
    detection.language.filter(|_| detection.reliable)
}

/// The coverage of the specification's keywords; `None` without any, or where
/// they cannot be compared.
pub(super) fn coverage(document: &Document, companions: &Companions) -> Option<Coverage> {
    let (specification, language) = comparable(document, companions)?;
    let keywords = keywords(specification, language);
    if keywords.is_empty() {
        return None;
    }
    let vocabulary = document.vocabulary();
    let tree = Phrases::new(document, keywords.iter().map(String::as_str));
    let mut occurs = vec![false; keywords.len()];
    tree.each(|phrase, _| {
        if let Some(occurs) = occurs.get_mut(phrase) {
            *occurs = true;
        }
    });
    let mut missing = Vec::new();
    for (index, keyword) in keywords.iter().enumerate() {
        let is_found = match tree.same_as(index) {
            Some(first) if occurs.get(first) == Some(&true) => true,
            // "Stages of the sales funnel" covers "sales funnel stages".
            Some(_) => {
                let keys: Vec<_> = vocabulary.keys(keyword).flatten().collect();
                keys.len() > 1 && !is_symbolic(keyword, language) && vocabulary.share_a_part(&keys)
            }
            None => is_sign(keyword) && stands_in(document, keyword),
        };
        if !is_found {
            missing.push(keyword.clone());
        }
    }
    Some(Coverage {
        found: keywords.len() - missing.len(),
        total: keywords.len(),
        missing,
    })
}

/// Keywords that lose their meaning when split: code, and Chinese characters.
fn is_symbolic(keyword: &str, language: Language) -> bool {
    matches!(language.as_str(), "zh" | "ja")
        || keyword.contains(|c: char| {
            !c.is_alphanumeric() && !c.is_whitespace() && c != '-' && c != '’' && c != '\''
        })
}

/// A keyword without a letter or a digit, such as `=>`.
fn is_sign(keyword: &str) -> bool {
    const LONGEST: usize = 4;
    let keyword = keyword.trim_matches('`');
    keyword.len() <= LONGEST && !keyword.is_empty() && !keyword.contains(char::is_alphanumeric)
}

fn stands_in(document: &Document, sign: &str) -> bool {
    let sign = sign.trim_matches('`');
    document
        .texts()
        .iter()
        .any(|field| field.text.contains(sign))
}

/// Signs that are looked up one by one; more are ignored.
const MOST_SIGNS: usize = 32;

/// Every keyword once: what sections require verbatim, and the words of the
/// objectives that name a topic.
fn keywords(specification: &Specification, language: Language) -> Vec<String> {
    let topicless = Topicless::new(language);
    let mut seen = HashSet::new();
    let mut keywords = Vec::new();
    let mut signs = 0;
    let required = specification
        .sections
        .iter()
        .flat_map(|section| &section.required_keywords)
        .map(|keyword| keyword.trim())
        .filter(|keyword| !keyword.is_empty());
    for keyword in required {
        let has_words = keyword.contains(char::is_alphanumeric);
        if !has_words {
            signs += 1;
        }
        if (has_words || signs <= MOST_SIGNS && is_sign(keyword))
            && seen.insert(identity(keyword, language))
        {
            // The words of a required phrase are not required again.
            for (_, word) in words(keyword) {
                seen.insert(identity(word, language));
            }
            keywords.push(keyword.to_owned());
        }
    }
    let topics = specification
        .objectives
        .iter()
        .flat_map(|objective| words(&objective.objective))
        .map(|(_, word)| word)
        .filter(|word| names_a_topic(word))
        .filter(|word| !topicless.contains(word));
    for word in topics {
        if seen.insert(identity(word, language)) {
            keywords.push(word.to_owned());
        }
    }
    keywords
}

fn identity(keyword: &str, language: Language) -> String {
    if keyword.contains(char::is_alphanumeric) && !keyword.contains(['+', '#', '(', '_', '=']) {
        normal_keys(keyword, Some(language)).join(" ")
    } else {
        keyword.to_owned()
    }
}

/// Short words and numbers of an objective are not topics: "three ways to …".
fn names_a_topic(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let is_wide = word.chars().any(|c| c > '\u{2e80}');
    letters >= if is_wide { 2 } else { 3 }
}

#[cfg(test)]
mod tests {
    use redraft_gate::profile::GateProfile as _;
    use redraft_gate::reading::{self, Hint};
    use redraft_gate::source::Source;

    use super::*;
    use crate::companions::specification;
    use crate::lesson::Lesson;

    fn covered(lesson: &str, spec: &str) -> Option<(usize, usize)> {
        let companions = Companions {
            specification: specification(spec.as_bytes().to_vec()).ok(),
            ..Companions::default()
        };
        let raw = reading::read(Source::new(lesson.as_bytes().to_vec()), Hint::Markdown);
        let document = Lesson.parse(raw, companions.expected_language().copied());
        coverage(&document, &companions).map(|coverage| (coverage.found, coverage.total))
    }

    #[test]
    fn keywords_are_required_phrases_and_topics_of_objectives() {
        let spec = specification(
            br#"{"title": "T", "learning_objectives": ["Explain how sales funnels work", "Describe three stages of a funnel"],
                "sections": [{"title": "S", "constraints": {"required_keywords": ["sales funnel", "=>", "sales funnels", ""]}}]}"#
                .to_vec(),
        )
        .unwrap();
        assert_eq!(
            keywords(&spec, Language::EN),
            ["sales funnel", "=>", "work", "stages"]
        );
    }

    #[test]
    fn inflected_keywords_are_covered() {
        for (lesson, spec, expected) in [
            (
                "# Запросы\n\nСервер отвечает на запросы клиентов. Заголовками запроса управляет браузер, а данные передаются в теле.\n",
                r#"{"title": "HTTP", "language": "ru", "learning_objectives": ["Объяснить, как клиент получает ответ сервера"],
                   "sections": [{"title": "Запрос", "constraints": {"required_keywords": ["HTTP-запрос", "заголовок запроса", "тело"]}}]}"#,
                Some((4, 7)),
            ),
            (
                "# 光合作用\n\n植物在叶绿体中进行光合作用，吸收二氧化碳并释放氧气。\n",
                r#"{"title": "光合作用", "language": "zh", "learning_objectives": ["解释植物如何进行光合作用"],
                   "sections": [{"title": "过程", "constraints": {"required_keywords": ["光合作用", "叶绿体", "葡萄糖"]}}]}"#,
                Some((4, 5)),
            ),
            (
                "# Funnels\n\nThe stages of the sales funnel lead customers on. Each stage narrows it, and you measure the conversion.\n",
                r#"{"title": "Funnels", "sections": [{"title": "Stages", "constraints": {"required_keywords": ["sales funnel stages", "conversion rate", "`measure()`"]}}]}"#,
                Some((1, 3)),
            ),
        ] {
            assert_eq!(covered(lesson, spec), expected, "{lesson}");
        }
    }

    #[test]
    fn nothing_is_said_where_words_cannot_be_compared() {
        let russian = "# Вода\n\nВода кипит при ста градусах, и пар поднимается над чайником, потому что он легче воздуха.\n";
        let english = r#"{"title": "Water", "language": "ru", "learning_objectives": ["Explain why the water in a kettle boils and where the steam goes"]}"#;
        assert_eq!(covered(russian, english), None);
        let ukrainian = r#"{"title": "Вода", "language": "uk", "learning_objectives": ["вода"]}"#;
        assert_eq!(covered("# Вода\n\nВода кипить.\n", ukrainian), None);
        assert_eq!(
            covered(russian, r#"{"title": "Вода", "language": "ru"}"#),
            None
        );
    }
}
