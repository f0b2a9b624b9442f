//! Languages that users name: what is known is taken, the rest is rejected with the list.

use redraft_profiles::language_tags;
use redraft_text::language::Language;

use super::suggest::nearest;

/// The language that a tag names (`pt-BR`, `DEU`) or a name (`russian`).
///
/// # Errors
/// What to write instead, if it is not known.
pub(crate) fn language(tag: &str) -> Result<Language, String> {
    let parsed = Language::parse(tag);
    let known = parsed.filter(|language| language_tags().any(|tag| tag == language.as_str()));
    known.ok_or_else(|| {
        let all: Vec<&str> = language_tags().collect();
        let near = match nearest(tag, language_tags()).filter(|_| tag.len() > 2) {
            Some(near) => format!("did you mean {near}? "),
            None => String::new(),
        };
        format!("unknown language `{tag}`; {near}known: {}", all.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_languages_are_taken_and_others_rejected_with_the_list() {
        for tag in ["en", "pt-BR", "DEU", "russian", "русский", "it", "zh_Hans"] {
            assert!(language(tag).is_ok(), "{tag}");
        }
        for tag in ["xx", "klingon", "", "english please", "und"] {
            let said = language(tag).unwrap_err();
            assert!(said.contains("known: af, am, ar"), "{said}");
        }
    }
}
