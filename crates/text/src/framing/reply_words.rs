//! What a judge's reply says beside its verdict: that it declines, that the verdict is only an
//! example, or that it ends here. The words are in `data/reply_words`.

use crate::language;
use crate::phrases::PhraseList;

static REPLY_WORDS: PhraseList = PhraseList::new("reply_words", &["signs", "samples", "ends"]);

/// Whether a reply without an answer seems to decline one: a sign of it is near
/// its start.
pub fn declines(reply: &str) -> bool {
    const HEAD: usize = 300;
    let head: String = reply.chars().take(HEAD).collect();
    let head = head.to_lowercase();
    REPLY_WORDS.all("signs").any(|sign| head.contains(sign))
}

/// Whether the line before an answer says that it is none: an example, a placeholder.
pub fn announces_sample(line: &str) -> bool {
    let line = line.to_lowercase();
    REPLY_WORDS.all("samples").any(|sign| line.contains(sign))
}

/// Whether words are, as far as can be told, in a language whose refusals are listed.
#[must_use]
pub fn knows_language_of(words: &str) -> bool {
    let language = language::detect(words).language;
    language.is_some_and(|language| REPLY_WORDS.file(language.as_str()).is_some())
}

/// Whether words after an answer only end it or give thanks ("End of verdict."), so that nothing
/// in the answer is taken back.
pub fn only_ends(words: &str) -> bool {
    let plain = |c: char| if c == '’' { '\'' } else { c };
    let words = words.to_lowercase();
    let words = words.trim_matches(|c: char| !c.is_alphanumeric() && !is_mark(c));
    let words: String = words.chars().map(plain).collect();
    REPLY_WORDS.all("ends").any(|end| end == words)
}

/// Signs that belong to the letter before them, as in Hindi.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phrase_files_are_sound() {
        assert_eq!(REPLY_WORDS.faults(), [""; 0]);
        let signs = REPLY_WORDS.wrong_examples("signs", |_, text| declines(text));
        assert_eq!(signs, [""; 0]);
        let samples = REPLY_WORDS.wrong_examples("samples", |_, text| announces_sample(text));
        assert_eq!(samples, [""; 0]);
        let ends = REPLY_WORDS.wrong_examples("ends", |_, text| only_ends(text));
        assert_eq!(ends, [""; 0]);
    }

    #[test]
    fn a_reply_without_an_answer_may_decline() {
        assert!(declines("I’m sorry, but no."));
        assert!(declines("К сожалению, я не могу этого сделать."));
        assert!(!declines("The lesson is fine."));
        for words in [
            "Done.",
            "— END —",
            "*End of verdict.*",
            "That’s all!",
            "以上です。",
            "धन्यवाद।",
            "Ende.",
        ] {
            assert!(only_ends(words), "{words}");
        }
        for words in ["Not done.", "Fails.", "The end is wrong.", "不合格。", ""] {
            assert!(!only_ends(words), "{words}");
        }
        let late = format!("{} I can't", "a ".repeat(200));
        assert!(!declines(&late));
    }
}
