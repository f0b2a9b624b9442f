//! Whole lines that stand for a text, and words in brackets by where they stand: an
//! order with its addressee (“[Teacher: add an example]”), words in curly brackets, a
//! note with its mark in any language, one word again and again, what a command of a
//! shell shows.

use std::sync::LazyLock;

use redraft_text::char_set::CharSet;
use redraft_text::phrases::PhraseFile;

use super::names::{fits, is_slot};

/// Words of the language of a page that are no placeholders in angle brackets.
const MARKUP: [&str; 22] = [
    "a", "abbr", "address", "article", "audio", "caption", "data", "date", "details", "figure", "form",
    "header", "label", "link", "object", "option", "picture", "section", "summary", "time", "title", "video",
];

/// A placeholder in angle brackets is one that a reader of a manual replaces after one
/// of these.
const COMMANDS: [&str; 20] = [
    "apt", "brew", "cargo", "cat", "cd", "checkout", "clone", "cp", "curl", "docker", "git", "install",
    "kubectl", "ls", "mkdir", "mv", "npm", "pip", "rm", "ssh",
];

/// Whether all of `inner` is words, two at least: `{worked example}`, not `{a, b}`.
pub(super) fn is_words(inner: &str) -> bool {
    const MOST: usize = 10;
    let words = inner.split_whitespace().count();
    let letters = inner.chars().filter(|c| c.is_alphabetic()).count();
    (2..=MOST).contains(&words)
        && letters >= 2 * words + 2
        && inner
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '’'))
}

/// Whether one word in angle brackets names what is missing: `<year>`, `<题干>`.
pub(super) fn is_missing(inner: &str) -> bool {
    // `<distractor 2>`
    let lower = inner.to_lowercase();
    let lower = lower.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    !MARKUP.contains(&lower) && super::LIST.has_word("angle", lower)
}

/// Whether a word in angle brackets belongs to a command: it follows one, the element is
/// closed later, or the block speaks of the brackets.
pub(super) fn is_of_a_command(text: &str, start: usize, inner: &str) -> bool {
    let before = text.get(..start).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let last = line.split_whitespace().next_back().unwrap_or_default();
    let rest = text.get(start..).unwrap_or_default();
    let rest_of_line = rest.split('\n').next().unwrap_or_default();
    COMMANDS.contains(&last)
        || last.ends_with('>')
        || last.starts_with('-')
        || rest_of_line.contains(" < ")
        || text.contains(&format!("</{inner}>"))
}

/// What follows whom brackets speak to: “Teacher: insert a local example here”.
pub(super) fn after_addressee(inner: &str) -> Option<&str> {
    const MOST_WORDS: usize = 3;
    let (whom, order) = inner.split_once([':', '：'])?;
    let is_name = whom.split_whitespace().count() <= MOST_WORDS
        && whom.chars().all(|c| c.is_alphabetic() || c == ' ' || c == '/');
    (is_name && !whom.trim().is_empty()).then(|| order.trim())
}

/// A text in brackets without whom it speaks to.
pub(super) fn without_addressee(text: &str) -> Option<String> {
    let open = text.chars().next()?;
    let order = after_addressee(text.get(open.len_utf8()..)?)?;
    Some(format!("{open}{order}"))
}

/// Whether a paragraph is nothing but brackets that name a part of a text: square ones with
/// one of its words (`[Practice problem 3]`), round ones that begin with a picture
/// (`(photo of a volcano)`) and name no source of it.
pub(super) fn is_lone(paragraph: &str) -> bool {
    const MOST: usize = 16;
    let text = paragraph.trim().trim_matches(['*', '_']).trim_end_matches(['.', '。']);
    let within = |open: &str, close: &str| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        (!inner.contains(['[', ']', '(', ')', '【', '】', '（', '）', '\n'])).then(|| inner.to_lowercase())
    };
    let square = within("[", "]").or_else(|| within("【", "】"));
    let is_square = square.is_some();
    let Some(inner) = square.or_else(|| within("(", ")")).or_else(|| within("（", "）")) else {
        return false;
    };
    let words: Vec<&str> = inner
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(MOST + 1)
        .collect();
    let holds = |section: &str, words: &[&str]| {
        words.iter().any(|word| super::LIST.files().iter().any(|file| file.words(section).any(|part| fits(part, word))))
    };
    // “[Exercise 1: cells]” is a label with its text.
    let is_label = inner.split_once([':', '：']).is_some_and(|(name, _)| name.trim().ends_with(|c: char| c.is_ascii_digit()));
    if words.is_empty() || words.len() > MOST || is_label {
        return false;
    }
    if is_square {
        return holds("lone", &words);
    }
    words.len() > 1 - usize::from(!inner.is_ascii() && !inner.contains(' '))
        && !inner.contains([':', '：', '©', ',', '，', '。'])
        && holds("pictures", words.get(..1).unwrap_or_default())
        && !holds("credits", &words)
}

/// Whether all that follows a label is words in square brackets: “Source: [add a textbook]”,
/// “Answer: [A/B/C]”. Lists, numbers, formulas and sounds in brackets are values.
pub(super) fn is_labelled(block: &str) -> bool {
    const LONGEST: usize = 200;
    const MOST_WORDS: usize = 6;
    const FEWEST_UNSPACED: usize = 4;
    let text = block.trim().trim_end_matches(['*', '_', '.', '。', ' ']);
    if text.len() > LONGEST || !text.ends_with([']', '】']) {
        return false;
    }
    let Some((before, inner)) = text.split_once(['[', '【']) else {
        return false;
    };
    let inner = inner.trim_end_matches([']', '】']).trim();
    let label = before.trim_end_matches([' ', '*', '_', '\u{a0}', '\u{202f}']);
    let Some(label) = label.strip_suffix([':', '：']) else {
        return false;
    };
    let is_label = label.split_whitespace().count() <= MOST_WORDS
        && label.contains(char::is_alphabetic)
        && !label.contains(['`', '“', '"', '«', '„']);
    let is_choice = inner.contains('/')
        && inner.split('/').all(|one| one.chars().count() == 1 && one.contains(char::is_uppercase));
    let is_text = inner.starts_with(char::is_alphabetic)
        && inner.chars().all(|c| {
            let is_sound = ('\u{250}'..='\u{2FF}').contains(&c);
            c.is_alphanumeric() && !is_sound || matches!(c, ' ' | '-' | '–' | '\'' | '’')
        });
    let ideographs = inner.chars().filter(|c| ('\u{3400}'..='\u{9FFF}').contains(c)).count();
    let is_long = inner.split_whitespace().nth(1).is_some() || ideographs >= FEWEST_UNSPACED;
    is_label && (is_choice || (is_text && (is_long || is_slot(&format!("{inner}, {inner}")))))
}

/// Whether a block is one sentence that orders its author to put a part of a text here:
/// “Insert a short story from your own practice here.” “Insert the coin here.” does not, and
/// what has a blank is an exercise.
pub(super) fn is_order_to_put(block: &str) -> bool {
    const LONGEST: usize = 200;
    static NEVER: CharSet<8> = CharSet::new(['_', '`', '“', '"', '«', '„', '\n', ':']);
    static ENDS: CharSet<6> = CharSet::new(['.', '!', '?', '。', '！', '？']);
    static ORDERS: LazyLock<Vec<Orders>> =
        LazyLock::new(|| super::LIST.files().iter().map(Orders::of).collect());
    let text = block.trim().trim_matches(['*', '_', '(', ')', '（', '）']);
    if text.len() > LONGEST || NEVER.is_in(text) {
        return false;
    }
    let body = text.trim_end_matches(['.', '!', '…', '。', '！']);
    if ENDS.is_in(body) {
        return false;
    }
    let lower = body.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    ORDERS.iter().any(|orders| orders.has(&lower, &words))
}

/// The words of orders to put something here, in a language.
struct Orders {
    is_unspaced: bool,
    put: Vec<&'static str>,
    here: Vec<&'static str>,
    /// What is put.
    names: Vec<&'static str>,
}

impl Orders {
    fn of(file: &PhraseFile) -> Self {
        let names = ["put what", "slots", "pictures", "lone"];
        Self {
            is_unspaced: file.language == "zh",
            put: file.words("put").collect(),
            here: file.words("put here").collect(),
            names: names.iter().flat_map(|section| file.words(section)).collect(),
        }
    }

    /// Whether a sentence in lower case orders it; most do not begin so.
    fn has(&self, lower: &str, words: &[&str]) -> bool {
        const MOST_BEFORE: usize = 3;
        let is_one = |parts: &[&str], word: &str| parts.iter().any(|part| fits(part, word));
        let has = |parts: &[&str]| {
            if self.is_unspaced {
                parts.iter().any(|part| lower.contains(part))
            } else {
                words.iter().any(|word| is_one(parts, word))
            }
        };
        let begins = if self.is_unspaced {
            let start: String = lower.chars().take(2 * MOST_BEFORE).collect();
            self.put.iter().any(|part| start.contains(part))
        } else {
            let mut edge = words.iter().take(1).chain(words.last());
            edge.any(|word| is_one(&self.put, word))
        };
        begins && has(&self.here) && has(&self.names)
    }
}

/// Whether a block begins with a note to its author in any language: “À FAIRE : …”. In
/// small letters the same may be a heading of a list.
pub(super) fn is_note(block: &str) -> bool {
    static MARKS: LazyLock<Vec<String>> = LazyLock::new(|| {
        super::LIST.all("note marks").map(str::to_uppercase).collect()
    });
    let text = block.trim_start_matches(['*', '_', ' ', '(', '[', '【']);
    static COLONS: CharSet<2> = CharSet::new([':', '：']);
    let Some((mark, rest)) = COLONS.split_once(text) else {
        return false;
    };
    let mark = mark.trim_matches(['*', '_', ' ', '\u{a0}', '\u{202f}']);
    !rest.trim_matches(['*', '_', ' ']).is_empty() && MARKS.iter().any(|known| known == mark)
}

/// Whether a short text without spaces is one word three times or more: “内容内容内容”.
pub(super) fn repeats_itself(text: &str) -> bool {
    const LONGEST_WORD: usize = 6;
    const FEWEST: usize = 3;
    if text.is_ascii() || text.contains(char::is_whitespace) || text.len() > 100 {
        return false;
    }
    let letters: Vec<char> = text.chars().filter(|c| c.is_alphabetic()).collect();
    (2..=LONGEST_WORD).any(|word| {
        letters.len() >= word * FEWEST
            && letters.len().is_multiple_of(word)
            && letters.iter().zip(letters.iter().skip(word)).all(|(one, next)| one == next)
    })
}

/// Whether quotation marks that were opened before `at` are still open: what is quoted is
/// shown, and an editor's word in it is no gap.
pub(super) fn is_in_quotes(block: &str, at: usize) -> bool {
    let before = block.get(..at).unwrap_or_default();
    let rest = block.get(at..).unwrap_or_default();
    let straight = before.bytes().filter(|byte| *byte == b'"').count();
    let opened = before.rfind(['„', '«', '「', '『', '“']);
    let closed = before.rfind(['”', '»', '」', '』', '“']);
    let is_open = match (opened, closed) {
        (Some(opened), Some(closed)) if opened == closed => {
            // `“` opens in English and closes in German.
            !before.get(..opened).unwrap_or_default().contains('„')
        }
        (Some(opened), Some(closed)) => opened > closed,
        (Some(_), None) => true,
        _ => false,
    };
    (!straight.is_multiple_of(2) && rest.contains('"'))
        || (is_open && rest.contains(['”', '»', '」', '』', '“']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_curly_brackets_are_told_from_sets() {
        assert!(is_words("worked example") && is_words("ejemplo resuelto"));
        for inner in ["a b", "a, b", "x | x > 0", "topic", ": .note"] {
            assert!(!is_words(inner), "{inner}");
        }
    }

    #[test]
    fn angle_brackets_name_what_is_missing_outside_commands() {
        for inner in ["year", "Jahr", "Fragestamm", "enunciado", "题干"] {
            assert!(is_missing(inner), "{inner}");
        }
        for inner in ["title", "div", "option", "your-username"] {
            assert!(!is_missing(inner), "{inner}");
        }
        let is_shown = |text: &str, inner: &str| is_of_a_command(text, text.find('<').unwrap(), inner);
        assert!(is_shown("Type git clone <name> and press Enter.", "name"));
        assert!(is_shown("<question>What is it?</question>", "question"));
        assert!(!is_shown("It was signed in <year> by the king.", "year"));
    }

    #[test]
    fn a_paragraph_in_brackets_may_name_a_part_of_a_text() {
        for text in [
            "[Practice problem 3]",
            "[2–3 Sätze zur Osmose]",
            "**[Video]**",
            "(photo of a volcano)",
            "（火山照片）",
            "【关于光合作用的段落】",
        ] {
            assert!(is_lone(text), "{text}");
        }
        for text in [
            "[Enter MACBETH, with a dagger.]",
            "[Verse 1]",
            "[Exercise 1: cells]",
            "(Photo: NASA)",
            "(Photo by Anna Berg)",
            "(See the photo on page 3.)",
            "[1] and [2]",
        ] {
            assert!(!is_lone(text), "{text}");
        }
    }

    #[test]
    fn notes_need_capitals_and_a_text() {
        for text in ["À FAIRE : ajouter un exemple", "A FAZER: incluir exemplo", "待办：补充例子"] {
            assert!(is_note(text), "{text}");
        }
        for text in ["À faire : les exercices 1 à 3", "Pendiente: la relación entre dos puntos", "待办："] {
            assert!(!is_note(text), "{text}");
        }
    }

    #[test]
    fn one_word_again_and_again_is_no_text() {
        assert!(repeats_itself("内容内容内容") && repeats_itself("示例文本示例文本示例文本。"));
        for text in ["哈哈哈哈", "学习学习", "试试看看", "Bonbon"] {
            assert!(!repeats_itself(text), "{text}");
        }
    }

    #[test]
    fn what_is_quoted_is_shown() {
        let is_open = |text: &str| is_in_quotes(text, text.find(['[', '{']).unwrap());
        for text in [
            "She writes that \"he [the king] never came\".",
            "Im Brief heißt es, „er [der König] kam nie“.",
            "В письме сказано: «он [король] не пришёл».",
            "“He [the king] never came.”",
            "In Python, f\"Hello, {name}!\" prints it.",
        ] {
            assert!(is_open(text), "{text}");
        }
        for text in [
            "The “key” is [answer].",
            "„Mut“ bedeutet [Erklärung].",
            "A 5\" pipe is [length] long.",
        ] {
            assert!(!is_open(text), "{text}");
        }
    }
}
