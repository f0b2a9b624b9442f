//! What stands for text that was left out, or promises more of it: “Same as before.”,
//! `[rest of the lesson unchanged]`, `// 8 more questions`, “Shall I continue?”. The words
//! are data (`data/left_out`). Where such a text stands and what follows from it is for the
//! caller.
//!
//! | text | said |
//! |---|---|
//! | all of it is a listed phrase, in brackets or not | it stands for a text |
//! | brackets or a comment with words for leaving out, and for a part of a text | the same, as a remark |
//! | ends in brackets with such a phrase: `… of the [truncated]` | its end was left out |
//! | a comment in JSON with dots, or with a word such as “more” | values were left out |

use crate::phrases::{PhraseList, is_unspaced};
use crate::residue::has_phrase;

static LIST: PhraseList = PhraseList::new(
    "left_out",
    &[
        "whole",
        "refers",
        "said",
        "of",
        "comment",
        "continued",
        "open",
        "suspense",
    ],
);

/// Longer texts say something themselves, in bytes.
const LONGEST: usize = 160;

/// What a text that stands for another may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stead {
    /// It can only stand for a text that was left out.
    LeftOut,
    /// It refers to another text, as an item of a bank may.
    Refers,
}

/// Whether a whole text is nothing but a phrase that stands for another text.
#[must_use]
pub fn stands_for_text(text: &str) -> Option<Stead> {
    let (is_marked, core) = core(text)?;
    let is_listed = |section: &str| LIST.all(section).any(|phrase| phrase == core);
    if is_listed("whole") || is_marked && is_remark(&core) {
        Some(Stead::LeftOut)
    } else {
        is_listed("refers").then_some(Stead::Refers)
    }
}

/// What a remark in brackets or a comment speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remark {
    /// It names a part of the text that was left out: `[Sections 3 to 5 as before]`.
    OfText,
    /// It only says that something was: `[truncated]`, `// ...`.
    Bare,
}

/// Whether a paragraph is such a remark and nothing else.
#[must_use]
pub fn remark(text: &str) -> Option<Remark> {
    let (is_marked, core) = core(text)?;
    if !is_marked {
        return None;
    }
    let is_dots = core.is_empty() && text.trim_start().starts_with("//") && text.contains("...");
    if is_remark(&core) {
        Some(Remark::OfText)
    } else {
        let is_listed = || LIST.all("whole").any(|phrase| phrase == core);
        (is_dots || is_listed()).then_some(Remark::Bare)
    }
}

/// Where the remark begins with which a text breaks off: `… of the [truncated]`.
#[must_use]
pub fn remark_at_the_end(text: &str) -> Option<usize> {
    let text = text.trim_end();
    let open = match text.chars().next_back()? {
        ']' => '[',
        ')' => '(',
        '）' => '（',
        '】' => '【',
        _ => return None,
    };
    let at = text.rfind(open)?;
    (at > 0 && remark(&text[at..]).is_some()).then_some(at)
}

/// Whether a comment in JSON stands for values: `// ... 8 more`, `/* rest unchanged */`.
#[must_use]
pub fn is_said_in_a_comment(comment: &str) -> bool {
    const LONGEST_COMMENT: usize = 100;
    let words = comment
        .trim_start_matches(['/', '*', '#', ' '])
        .to_lowercase();
    words.len() <= LONGEST_COMMENT
        && (words.contains("...")
            || words.contains('…')
            || LIST.all("comment").any(|word| has_phrase(&words, word)))
}

/// Whether a last paragraph says that the rest is elsewhere, in any language.
#[must_use]
pub fn is_continued(paragraph: &str) -> bool {
    let line = paragraph
        .trim_start_matches(|c: char| !c.is_alphanumeric() && c != '¿')
        .to_lowercase()
        .replace('’', "'");
    LIST.all("continued").any(|phrase| {
        line.strip_prefix(&phrase.replace('’', "'"))
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric) || !phrase.is_ascii())
    })
}

/// Whether a sentence may end in dots: “and so on…”, “But that is another story…”.
#[must_use]
pub fn may_end_in_dots(sentence: &str) -> bool {
    const LONGEST_PROMISE: usize = 8;
    let sentence = sentence
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase()
        .replace('’', "'");
    let ends = |phrase: &str| {
        sentence
            .strip_suffix(phrase)
            .is_some_and(|before| is_unspaced(phrase) || !before.ends_with(char::is_alphanumeric))
    };
    let begins = |word: &str| {
        sentence
            .strip_prefix(word)
            .is_some_and(|rest| is_unspaced(word) || !rest.starts_with(char::is_alphanumeric))
    };
    LIST.all("open").any(ends)
        || sentence.split_whitespace().count() <= LONGEST_PROMISE
            && LIST
                .all("suspense")
                .flat_map(str::split_whitespace)
                .any(begins)
}

/// The words of a short text in lower case, without brackets and marks around them, and
/// whether there were brackets or the marks of a comment.
fn core(text: &str) -> Option<(bool, String)> {
    let whole = text.trim();
    if whole.is_empty() || whole.len() > LONGEST || whole.contains("](") {
        return None;
    }
    let bare = whole.trim_matches(|c: char| matches!(c, '*' | '_' | ' '));
    let is_marked = [
        ("[", "]"),
        ("(", ")"),
        ("（", "）"),
        ("【", "】"),
        ("<!--", "-->"),
        ("<", ">"),
    ]
    .iter()
    .any(|(open, close)| {
        let inner = bare
            .strip_prefix(open)
            .and_then(|rest| rest.trim_end_matches('.').strip_suffix(close));
        inner.is_some_and(|inner| !inner.contains(open))
    }) || bare.starts_with("//");
    let core = bare
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    (!core.contains('\n')).then_some((is_marked, core))
}

fn is_remark(core: &str) -> bool {
    let has = |section: &str| LIST.all(section).any(|phrase| has_phrase(core, phrase));
    has("said") && has("of")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_every_language_hold() {
        assert_eq!(LIST.faults(), [""; 0]);
        let whole = LIST.wrong_examples("whole", |_, text| {
            stands_for_text(text) == Some(Stead::LeftOut)
        });
        assert_eq!(whole, [""; 0]);
        let continued = LIST.wrong_examples("continued", |_, text| is_continued(text));
        assert_eq!(continued, [""; 0]);
    }

    #[test]
    fn a_text_that_stands_for_another_is_told_from_a_text() {
        for (text, expected) in [
            ("Same as before.", Some(Stead::LeftOut)),
            ("...existing content...", Some(Stead::LeftOut)),
            ("// rest unchanged", Some(Stead::LeftOut)),
            ("Siehe oben.", Some(Stead::Refers)),
            ("（同上）", Some(Stead::LeftOut)),
            ("The price is the same as before.", None),
            ("[1]", None),
            ("[unchanged](page.md)", None),
            ("", None),
        ] {
            assert_eq!(stands_for_text(text), expected, "{text}");
        }
    }

    #[test]
    fn a_remark_at_the_end_is_where_the_text_breaks_off() {
        for (text, expected) in [
            ("The wall of the [truncated]", Some(16)),
            ("Das ist der (gekürzt)", Some(12)),
            ("The wall of the heart (left)", None),
            ("[truncated]", None),
            ("See [1]", None),
        ] {
            assert_eq!(remark_at_the_end(text), expected, "{text}");
        }
    }

    #[test]
    fn a_comment_may_stand_for_values() {
        for (comment, expected) in [
            ("// ... 8 more like this", true),
            ("/* additional sections here */", true),
            ("# остальные вопросы", true),
            ("// the document", false),
            ("/* generated */", false),
        ] {
            assert_eq!(is_said_in_a_comment(comment), expected, "{comment}");
        }
    }

    #[test]
    fn dots_may_end_a_list_or_a_promise() {
        for (sentence, expected) in [
            ("Apples, pears and so on", true),
            ("But that is another story", true),
            ("и так далее", true),
            ("The bacteria eat sugars and then", false),
            ("Andreas measured the heap of", false),
        ] {
            assert_eq!(may_end_in_dots(sentence), expected, "{sentence}");
        }
    }
}
