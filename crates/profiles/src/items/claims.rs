//! What the explanation of an option claims about it: that it is right or wrong, or that
//! another is to be chosen. The words are data (`key_claims` of the phrase lists). Only
//! what is certain counts: an opening verdict, an imperative with a letter.

use std::ops::Range;
use std::sync::LazyLock;

use redraft_text::phrases::{PhraseList, is_unspaced};
use redraft_text::word_index::{WordIndex, WordMatch};

mod pointing;
#[cfg(test)]
mod tests;

pub(super) use pointing::pointing;

static LIST: PhraseList = PhraseList::new(
    "key_claims",
    &[
        "wrong",
        "right",
        "because",
        "choose",
        "so",
        "option",
        "is right",
        "is the right",
        "the answer",
        "ordinal",
        "yes",
        "which",
    ],
);

/// Whether an option's explanation begins by calling it right or wrong.
pub(super) fn verdict(text: &str) -> Option<bool> {
    let text = folded(text);
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_said = |section: &str| LIST.all(section).any(|claim| begins_with(text, claim));
    match (is_said("right"), is_said("wrong")) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// A claim, before punctuation, at the end, or before a word like “because”.
fn begins_with(text: &str, claim: &str) -> bool {
    let Some(rest) = text.strip_prefix(claim) else {
        return false;
    };
    let Some(next) = rest.chars().next() else {
        return true;
    };
    let after = rest.trim_start();
    let is_dash = after.starts_with(['-', '–', '—', ':', ';', '!']);
    let because = LIST.all("because").any(|word| {
        after.strip_prefix(word).is_some_and(|rest| {
            let next = rest.chars().next();
            is_unspaced(word) || next.is_none_or(|c| !c.is_alphanumeric())
        })
    });
    matches!(
        next,
        '.' | ':' | '!' | ',' | ';' | '。' | '！' | '，' | '；' | '：'
    ) || (next.is_whitespace() && (is_dash || because))
        || (is_unspaced(claim) && because)
}

/// Whether the explanation of an option speaks of the right answer in any way.
pub(super) fn speaks_of_the_answer(text: &str) -> bool {
    let text = folded(text);
    LIST.all("the answer").any(|phrase| says(&text, phrase))
}

/// Whether an option says of itself that it is right or wrong: “Aspirin (incorrect)”, “✓”.
pub(super) fn is_marked(text: &str) -> bool {
    let in_brackets = text.split(['(', '[', '（']).skip(1);
    let mut in_brackets = in_brackets.filter_map(|rest| rest.split([')', ']', '）']).next());
    text.contains(['✓', '✔', '✗', '✘', '✅', '❌'])
        || in_brackets.any(|words| verdict(words).is_some())
}

/// The options whose letters stand alone in brackets: `(D)`. After a word that such a letter
/// belongs to, it is no option: “hepatitis (B)”.
pub(super) fn in_brackets(text: &str, options: usize) -> Vec<usize> {
    let all = text.match_indices('(').filter_map(|(at, _)| {
        let mut inside = text.get(at + 1..)?.chars();
        let letter = inside.next().filter(char::is_ascii_uppercase)?;
        let index = usize::from(u8::try_from(letter).ok()?.checked_sub(b'A')?);
        let is_alone = inside.next() == Some(')');
        let before = text.get(..at).unwrap_or_default().trim_end();
        let word = before.rsplit(|c: char| !c.is_alphanumeric()).next();
        let is_name = word.is_some_and(super::option_words::is_labelled);
        (is_alone && index < options && !is_name).then_some(index)
    });
    all.collect()
}

/// Whether a question ends with the letter of an option in brackets.
pub(super) fn ends_with_letter(text: &str, options: usize) -> bool {
    let end = text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '*'));
    let last = end.rfind('(').and_then(|at| end.get(at..));
    last.is_some_and(|last| last.len() == 3 && !in_brackets(last, options).is_empty())
}

/// The options that a text counts and calls right: “the last option is correct”.
pub(super) fn counted(text: &str, options: usize) -> Vec<usize> {
    let text = folded(text);
    let lines = LIST.all("ordinal").filter_map(|line| line.split_once(' '));
    let found = lines.filter(|(_, ordinal)| {
        text.match_indices(ordinal).any(|(at, _)| {
            let after = text
                .get(at + ordinal.len()..)
                .unwrap_or_default()
                .trim_start();
            let mut nouns = LIST.all("option").filter(|noun| noun.chars().count() > 1);
            nouns.any(|noun| {
                let rest = after.strip_prefix(noun).map(str::trim_start);
                rest.is_some_and(|rest| LIST.all("is right").any(|claim| rest.starts_with(claim)))
            })
        })
    });
    found
        .filter_map(|(number, _)| match number.parse::<usize>() {
            Ok(0) => options.checked_sub(1),
            Ok(number) => Some(number - 1),
            Err(_) => None,
        })
        .filter(|index| *index < options)
        .collect()
}

/// Whether a text calls these words the right answer: “Codeine is the correct answer”.
pub(super) fn calls_right(text: &str, option: &str) -> bool {
    const SHORTEST: usize = 4;
    let (text, option) = (folded(text), folded(option.trim()));
    option.chars().count() >= SHORTEST
        && text.match_indices(option.as_str()).any(|(at, _)| {
            let rest = text
                .get(at + option.len()..)
                .unwrap_or_default()
                .trim_start();
            let rest = without_relative(rest);
            LIST.all("is right").any(|claim| ends_a_claim(rest, claim))
                || LIST
                    .all("is the right")
                    .any(|claim| with_one_word(rest, claim))
        })
}

/// “…, which is the correct answer”: the claim alone.
fn without_relative(said: &str) -> &str {
    let rest = said
        .trim_start_matches([',', '–', '—', '-', '，'])
        .trim_start();
    let after = LIST.all("which").find_map(|word| {
        let rest = rest.strip_prefix(word)?;
        (is_unspaced(word) || rest.starts_with(' ')).then(|| rest.trim_start())
    });
    after.unwrap_or(said)
}

/// Whether a text names these words as the right answer: “The correct answer is codeine”. An
/// article may stand before them.
pub(super) fn names_as_right(text: &str, option: &str) -> bool {
    const ARTICLE: usize = 4;
    const SHORTEST: usize = 4;
    static LEADS: LazyLock<WordIndex> = LazyLock::new(|| WordIndex::new(super::names::leads()));
    let text = folded(text);
    // Most texts name no answer.
    if !LEADS.any_in(&text) {
        return false;
    }
    let option = folded(option.trim().trim_end_matches('.'));
    let is_free = option
        .chars()
        .all(|c| is_unspaced(c.encode_utf8(&mut [0; 4])));
    let without_article = |words: &str| -> Option<String> {
        let (first, rest) = words.split_once(' ')?;
        let is_article = first.chars().count() <= ARTICLE && !super::meaning::is_negation(first);
        is_article.then(|| rest.to_owned())
    };
    let bare = without_article(&option).unwrap_or_else(|| option.clone());
    if bare.is_empty() || !is_free && bare.chars().count() < SHORTEST {
        return false;
    }
    let begins = |rest: &str| {
        [&option, &bare].into_iter().any(|words| {
            let after = rest.strip_prefix(words.as_str());
            after.is_some_and(|after| is_free || !after.starts_with(char::is_alphanumeric))
        })
    };
    super::names::leads().any(|lead| {
        text.match_indices(lead).any(|(at, _)| {
            let rest = text.get(at + lead.len()..).unwrap_or_default();
            let rest = rest.trim_start_matches([' ', ':', '：', '"', '“', '«', '—', '–', '*']);
            begins(rest) || without_article(rest).is_some_and(|rest| begins(&rest))
        })
    })
}

/// “is the correct diagnosis”: a claim with one more word, at the end of its sentence.
fn with_one_word(said: &str, claim: &str) -> bool {
    let rest = said.strip_prefix(claim).map(str::trim_start);
    rest.is_some_and(|rest| {
        let end = rest
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(rest.len());
        let after = rest.get(end..).unwrap_or_default().trim_start();
        end > 0 && (after.is_empty() || after.starts_with(['.', ';', '!', ':', '。']))
    })
}

/// Whether the explanation of an option begins by agreeing with it: “Yes,”, “Genau:”.
pub(super) fn agrees(text: &str) -> bool {
    let text = folded(text);
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    LIST.all("yes").any(|yes| {
        let rest = text.strip_prefix(yes).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with(|c: char| ",.:;!，。：；！、،؛".contains(c)))
    })
}

/// Whether a text in lower case has a phrase as whole words.
fn says(text: &str, phrase: &str) -> bool {
    let is_edge = |c: Option<char>| is_unspaced(phrase) || c.is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(phrase).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default().chars().next_back();
        let after = text
            .get(at + phrase.len()..)
            .unwrap_or_default()
            .chars()
            .next();
        is_edge(before) && is_edge(after)
    })
}

/// The letter of the option that a text tells the reader to choose; `None` where it
/// names several, or none.
pub(super) fn chosen(text: &str) -> Option<(usize, Range<usize>)> {
    static VERBS: LazyLock<WordIndex> = LazyLock::new(|| WordIndex::new(LIST.all("choose")));
    let lower = aligned(text);
    let mut verbs: Vec<WordMatch> = VERBS.find(&lower).collect();
    verbs.sort_unstable_by_key(|verb| (verb.word, verb.range.start));
    let mut found: Option<(usize, Range<usize>)> = None;
    for verb in verbs {
        let Range { start: at, end } = verb.range;
        let Some(index) = begins_a_clause(&lower, at).then(|| letter_after(text, &lower, end))
        else {
            continue;
        };
        let Some((index, to)) = index else { continue };
        match &found {
            Some((earlier, _)) if *earlier != index => return None,
            Some(_) => {}
            None => found = Some((index, at..to)),
        }
    }
    found
}

/// The letter of the option that a text calls right; `None` where it names several, or none.
pub(super) fn called_right(text: &str) -> Option<(usize, Range<usize>)> {
    let lower = aligned(text);
    let mut found: Option<(usize, Range<usize>)> = None;
    for (at, letter) in text.match_indices(|c: char| c.is_ascii_uppercase()) {
        let after = lower.get(at + 1..).unwrap_or_default();
        // Most capitals begin a word.
        if after.starts_with(|c: char| c.is_ascii() && c != ' ') {
            continue;
        }
        let claim = LIST.all("is right").find(|claim| {
            let said = after.strip_prefix(' ').unwrap_or(after);
            let is_apart = is_unspaced(claim) || after.starts_with(' ');
            is_apart && ends_a_claim(said, claim)
        });
        if claim.is_none() || !is_an_option(&lower, at) {
            continue;
        }
        let index = usize::from(letter.bytes().next()?.checked_sub(b'A')?);
        match &found {
            Some((earlier, _)) if *earlier != index => return None,
            Some(_) => {}
            None => found = Some((index, at..at + 1)),
        }
    }
    found
}

/// Whether a letter stands at the beginning of a clause, or after a word for options.
fn is_an_option(lower: &str, at: usize) -> bool {
    let before = lower.get(..at).unwrap_or_default().trim_end();
    let last = before.chars().next_back();
    let after_a_word = || {
        LIST.all("option").any(|word| {
            before.strip_suffix(word).is_some_and(|rest| {
                is_unspaced(word)
                    || rest
                        .chars()
                        .next_back()
                        .is_none_or(|c| !c.is_alphanumeric())
            })
        })
    };
    let after_so = || {
        let word = before.rsplit(|c: char| !c.is_alphanumeric()).next();
        word.is_some_and(|word| LIST.all("so").any(|so| so == word))
    };
    last.is_none_or(|c| matches!(c, '.' | '!' | '?' | ';' | ':' | '\n' | '。' | '；'))
        || after_a_word()
        || after_so()
}

/// A claim that nothing restricts: before the end of its sentence, or a reason.
fn ends_a_claim(said: &str, claim: &str) -> bool {
    const AND: [&str; 13] = [
        "and", "but", "und", "aber", "y", "pero", "et", "mais", "e", "mas", "и", "но", "а",
    ];
    let rest = said.strip_prefix(claim).map(str::trim_start);
    let goes_on = rest.is_some_and(|rest| {
        let word = rest.split(|c: char| !c.is_alphanumeric()).next();
        word.is_some_and(|word| AND.contains(&word)) || rest.starts_with(',')
    });
    begins_with(said, claim) && !goes_on
}

fn begins_a_clause(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let last = before.chars().next_back();
    if last.is_none_or(|c| !c.is_alphanumeric()) {
        return true;
    }
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next();
    word.is_some_and(|word| LIST.all("so").any(|so| so == word))
}

fn letter_after(text: &str, lower: &str, from: usize) -> Option<(usize, usize)> {
    const SIGNS: [char; 11] = [' ', '(', ':', '"', '“', '*', '：', '«', '—', '–', '='];
    let mut at = from;
    loop {
        let rest = lower.get(at..)?;
        at += rest.len() - rest.trim_start_matches(SIGNS).len();
        let rest = lower.get(at..)?;
        let word = LIST.all("option").find(|word| {
            rest.strip_prefix(word).is_some_and(|rest| {
                is_unspaced(word) || rest.starts_with(|c: char| !c.is_alphanumeric())
            }) && !text.get(at..).is_some_and(|own| {
                own.starts_with(|c: char| c.is_ascii_uppercase()) && word.len() == 1
            })
        });
        match word {
            Some(word) => at += word.len(),
            None => break,
        }
    }
    let mut chars = text.get(at..)?.chars();
    let letter = chars.next()?;
    let next = chars.next();
    let is_alone = next.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '\'');
    if let Some(index) = CYRILLIC.iter().position(|other| *other == letter) {
        let is_first = next.is_some_and(|c| c == ' ') && letter == 'А';
        return (is_alone && !is_first).then_some((index, at + letter.len_utf8()));
    }
    let letter = Some(letter).filter(char::is_ascii_uppercase)?;
    // “Choose A vein” is not an option; a lone A needs an end after it.
    let is_article = letter == 'A' && next.is_some_and(|c| c == ' ');
    let index = u8::try_from(letter).ok()?.checked_sub(b'A')?;
    (is_alone && !is_article).then_some((usize::from(index), at + 1))
}

/// The letters of options in Russian.
const CYRILLIC: [char; 6] = ['А', 'Б', 'В', 'Г', 'Д', 'Е'];

/// The option that a letter before an offset may also mean: a Cyrillic В that was meant as
/// a Latin B.
pub(super) fn look_alike(text: &str, end: usize) -> Option<usize> {
    match text.get(..end)?.chars().next_back()? {
        'А' => Some(0),
        'В' => Some(1),
        'С' => Some(2),
        'Е' => Some(4),
        _ => None,
    }
}

/// Lower case, with plain apostrophes.
fn folded(text: &str) -> String {
    text.to_lowercase().replace('’', "'")
}

/// Lower case where that keeps the length: letters are read in the text itself, so places
/// must agree.
fn aligned(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let lower = |c: char| {
        let mut lower = c.to_lowercase();
        let only = lower.next().filter(|_| lower.next().is_none());
        only.filter(|only| only.len_utf8() == c.len_utf8())
            .unwrap_or(c)
    };
    text.chars().map(lower).collect()
}
