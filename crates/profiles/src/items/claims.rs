//! What the explanation of an option claims about it: that it is right or wrong, or that
//! another is to be chosen. The words are data (`key_claims` of the phrase lists). Only
//! what is certain counts: an opening verdict, an imperative with a letter.

use std::ops::Range;
use std::sync::LazyLock;

use redraft_text::phrases::{PhraseList, is_unspaced};
use redraft_text::word_index::{WordIndex, WordMatch};

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
        let is_name = word.is_some_and(super::order::is_labelled);
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
            LIST.all("is right").any(|claim| ends_a_claim(rest, claim))
                || LIST
                    .all("is the right")
                    .any(|claim| with_one_word(rest, claim))
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

/// How many sentences of a text point at an option: a short one with the letter of an option
/// (“Kreuzen Sie A an.”), one that speaks of the answer beside such a letter, and a statement
/// that counts the options (“It is the first option.”). What is said before the options must
/// not; whether it names the right one does not matter.
pub(super) fn pointing(text: &str, options: usize) -> usize {
    let sentences = sentences(text);
    let points = |sentence: &str| {
        let lower = folded(sentence);
        let of_answer = || {
            ["the answer", "is right"]
                .into_iter()
                .any(|section| LIST.all(section).any(|phrase| says(&lower, phrase)))
        };
        names_letter(sentence, options) && (is_short(sentence) || of_answer())
            || !sentence.ends_with(['?', '？', '؟']) && counts_options(&lower, &of_answer)
    };
    sentences
        .into_iter()
        .filter(|sentence| points(sentence))
        .count()
}

/// Sentences and what is in brackets; a single letter before a full stop begins a name
/// (“E. coli”).
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let is_lone = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        let mut back = before.chars().rev();
        let is_letter = back.next().is_some_and(char::is_uppercase);
        let after = text.get(at + 1..).unwrap_or_default().trim_start();
        is_letter
            && back.next().is_none_or(|c| !c.is_alphanumeric())
            && after.starts_with(char::is_lowercase)
    };
    for (at, c) in text.char_indices() {
        let is_end = match c {
            '.' => {
                !is_lone(at)
                    && !text
                        .get(at + 1..)
                        .is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
            }
            '!' | '?' | '。' | '！' | '？' | '؟' | '\n' | ')' | ']' | '）' => true,
            '(' | '[' | '（' => {
                found.push(text.get(start..at).unwrap_or_default());
                start = at + c.len_utf8();
                false
            }
            _ => false,
        };
        if is_end {
            let end = at + c.len_utf8();
            found.push(text.get(start..end).unwrap_or_default());
            start = end;
        }
    }
    found.push(text.get(start..).unwrap_or_default());
    let trimmed = found.into_iter().map(str::trim);
    trimmed.filter(|sentence| !sentence.is_empty()).collect()
}

/// The most words of a sentence that says nothing but which option to take.
const SHORT: usize = 6;
/// The same in a script without spaces, in signs.
const SHORT_SIGNS: usize = 14;

fn is_short(sentence: &str) -> bool {
    let unspaced = |c: char| is_unspaced(c.encode_utf8(&mut [0; 4]));
    let signs = sentence.chars().filter(|c| unspaced(*c)).count();
    let words = sentence.split(|c: char| !c.is_alphanumeric());
    signs <= SHORT_SIGNS && words.filter(|word| !word.is_empty()).count() <= SHORT
}

/// Whether a sentence has the letter of an option that no word before it claims (“vitamin C”),
/// and that is no article.
fn names_letter(sentence: &str, options: usize) -> bool {
    let is_foreign = |c: char| is_unspaced(c.encode_utf8(&mut [0; 4]));
    let mut previous = "";
    let mut is_first = true;
    for word in sentence.split(|c: char| !c.is_alphanumeric() || is_foreign(c)) {
        if word.is_empty() {
            continue;
        }
        let at = word.as_ptr().addr() - sentence.as_ptr().addr();
        let after = sentence.get(at + word.len()..).unwrap_or_default();
        let letter = word.bytes().next().filter(|_| word.len() == 1);
        let is_latin =
            letter.is_some_and(|letter| usize::from(letter.wrapping_sub(b'A')) < options.min(26));
        let is_other = || {
            let is_long = word.chars().nth(1).is_some();
            !is_long && super::labels::is_of_another_alphabet(word, options)
        };
        // “E. coli”, “B-cell”, “p.o.”, and “A man” at the beginning.
        let is_part = after.starts_with(['-', '\'', '’', '/', '+', '=', '²'])
            || after.starts_with('.')
                && after
                    .trim_start_matches('.')
                    .trim_start()
                    .starts_with(char::is_lowercase);
        let next = after.trim_start();
        // “G.A agent”, “C = gravid”
        let is_part = is_part
            || next.starts_with('=')
            || sentence
                .get(..at)
                .is_some_and(|before| before.ends_with(['.', '-', '/', '=']));
        let opens = is_first && after.starts_with(' ') && next.starts_with(char::is_alphanumeric);
        let is_named = LIST
            .all("option")
            .any(|noun| next.to_lowercase().starts_with(noun));
        if (is_latin || is_other())
            && !is_part
            && (!opens || is_named)
            && !super::order::is_labelled(previous)
        {
            return true;
        }
        previous = word;
        is_first = false;
    }
    false
}

/// Whether a statement counts the options: an ordinal, and an option or the answer.
fn counts_options(lower: &str, of_answer: &dyn Fn() -> bool) -> bool {
    let ordinals = LIST.all("ordinal").filter_map(|line| line.split_once(' '));
    let mut ordinals = ordinals.map(|(_, ordinal)| ordinal);
    let mut nouns = LIST.all("option").filter(|noun| noun.chars().count() > 1);
    ordinals.any(|ordinal| says(lower, ordinal))
        && (nouns.any(|noun| says(lower, noun)) || of_answer())
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
    last.is_none_or(|c| matches!(c, '.' | '!' | '?' | ';' | ':' | '\n' | '。' | '；'))
        || after_a_word()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_every_language_hold() {
        assert_eq!(LIST.faults(), [""; 0]);
        let wrong = LIST.wrong_examples("wrong", |_, text| verdict(text) == Some(false));
        assert_eq!(wrong, [""; 0]);
        let wrong = LIST.wrong_examples("right", |_, text| verdict(text) == Some(true));
        assert_eq!(wrong, [""; 0]);
        let wrong = LIST.wrong_examples("choose", |_, text| chosen(text).is_some());
        assert_eq!(wrong, [""; 0]);
        let wrong = LIST.wrong_examples("is right", |_, text| called_right(text).is_some());
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn what_speaks_of_the_answer_or_marks_an_option_is_seen() {
        let wrong = LIST.wrong_examples("the answer", |_, text| speaks_of_the_answer(text));
        assert_eq!(wrong, [""; 0]);
        for (text, expected) in [
            ("Aspirin (incorrect)", true),
            ("Aspirin ✓", true),
            ("Aspirin [falsch]", true),
            ("Aspirin (oral)", false),
            ("Correct dosing (daily)", false),
        ] {
            assert_eq!(is_marked(text), expected, "{text}");
        }
        assert_eq!(in_brackets("Hence (D). It is hepatitis (B).", 4), [3]);
        assert!(ends_with_letter("Which one is it? (C)", 4));
        assert!(!ends_with_letter("Which complex is it (I or II)?", 4));
        assert_eq!(counted("The last option is the correct one.", 4), [3]);
        assert_eq!(counted("The second choice is the answer.", 4), [1]);
        assert_eq!(counted("Die dritte Antwort ist richtig.", 4), [2]);
        assert_eq!(counted("The first option is surgery.", 4), [0; 0]);
        assert!(calls_right(
            "Raised thyroxine is the correct answer.",
            "Raised thyroxine"
        ));
        assert!(calls_right(
            "So raised thyroxine is the correct diagnosis.",
            "Raised thyroxine"
        ));
        assert!(!calls_right(
            "Raised thyroxine is right for others.",
            "Raised thyroxine"
        ));
        assert!(!calls_right(
            "Raised thyroxine is the most likely finding in others.",
            "Raised thyroxine"
        ));
        let wrong = LIST.wrong_examples("yes", |_, text| agrees(text));
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn sentences_that_point_at_an_option_are_counted() {
        for (text, expected) in [
            ("Welche Untersuchung ist angezeigt? Kreuzen Sie A an.", 1),
            ("Quel examen ? Cochez la case A.", 1),
            ("Welke keus? Kruis A aan.", 1),
            ("En olası tanı hangisidir? A şıkkını işaretleyiniz.", 1),
            ("どれか。正解はAです。", 1),
            ("ما الدواء؟ الإجابة الصحيحة هي أ.", 1),
            ("Какой препарат? Отметьте Б.", 1),
            ("Which is it? (Solution: A)", 1),
            ("Which is it? Circle A.", 1),
            (
                "The retina is pale with a red spot, so that A is the answer.",
                1,
            ),
            ("Which is it? The first one listed is right.", 1),
            ("Welche? Tipp: Es ist die erste Option.", 1),
            ("A man coughs.", 0),
            ("He has hepatitis B.", 0),
            ("It was E. coli.", 0),
            ("The culture grew C. difficile.", 0),
            ("He lacks vitamin D.", 0),
            ("The B-cells are few.", 0),
            ("Which drug is the first choice?", 0),
            ("E depois?", 0),
            ("It is a G.A agent.", 0),
            ("C = gravid, P = para?", 0),
            (
                "A 58-year-old man with a dry cough takes a tablet of 5 mg.",
                0,
            ),
            (
                "Which antibody attacks the A antigen on the cells of this donor?",
                0,
            ),
        ] {
            assert_eq!(pointing(text, 4), expected, "{text}");
        }
    }

    #[test]
    fn signs_that_change_their_length_hide_no_claim() {
        for text in [
            "It isn’t likely. Choose B.",
            "İt is common. Choose B.",
            "The others aren’t. Option B is correct.",
        ] {
            let found = chosen(text).or_else(|| called_right(text));
            assert_eq!(found.map(|(index, _)| index), Some(1), "{text}");
        }
    }

    /// Phrasings collected before the lists were extended: those of even places were tuned
    /// on, and these are the others.
    const HELD_OUT: &[(&str, Option<bool>)] = &[
        ("This is the best choice: it acts first.", Some(true)),
        ("Correct answer: it blocks the enzyme.", Some(true)),
        ("Yes, this is correct. It blocks the enzyme.", Some(true)),
        ("That's right: it blocks the enzyme.", Some(true)),
        ("This is the right option.", Some(true)),
        ("Best answer. It blocks the enzyme.", Some(true)),
        (
            "This option is right because it blocks the enzyme.",
            Some(true),
        ),
        ("Richtig. Es hemmt das Enzym.", Some(true)),
        ("Dies ist die beste Antwort.", Some(true)),
        ("Korrekt, denn es hemmt das Enzym.", Some(true)),
        ("Esta es la respuesta correcta.", Some(true)),
        (
            "Es la mejor respuesta porque bloquea la enzima.",
            Some(true),
        ),
        (
            "C'est la bonne réponse, car il bloque l'enzyme.",
            Some(true),
        ),
        ("Resposta correta. Bloqueia a enzima.", Some(true)),
        ("Правильно. Он блокирует фермент.", Some(true)),
        ("Верный ответ: он блокирует фермент.", Some(true)),
        ("这是最佳答案。", Some(true)),
        (
            "Not the correct answer, because it is too slow.",
            Some(false),
        ),
        ("Incorrect answer: it is too slow.", Some(false)),
        ("No, this is wrong. It is too slow.", Some(false)),
        (
            "This is the wrong answer because it is too slow.",
            Some(false),
        ),
        ("It is incorrect, because it is too slow.", Some(false)),
        ("Das ist nicht die richtige Antwort.", Some(false)),
        ("Nicht korrekt, weil es zu langsam wirkt.", Some(false)),
        ("Esta no es la respuesta correcta.", Some(false)),
        ("Incorrect. Il est trop lent.", Some(false)),
        ("Mauvaise réponse : il est trop lent.", Some(false)),
        ("Resposta errada: é lento demais.", Some(false)),
        ("Это неверный ответ, так как он медленный.", Some(false)),
        ("这不是正确答案。", Some(false)),
        ("The best answer to fever is fluids.", None),
        ("Right ventricular strain would be seen.", None),
        ("False positives are common with this test.", None),
        (
            "It is correct that it lowers pressure, but not the cough.",
            None,
        ),
        (
            "The right answer depends on the age, which is unknown.",
            None,
        ),
        ("Falsch positive Ergebnisse sind häufig.", None),
        ("Bonne hydratation est utile.", None),
        ("正确的体位很重要。", None),
    ];

    const TUNED: &[(&str, Option<bool>)] = &[
        (
            "This is the best answer, because it acts first.",
            Some(true),
        ),
        ("The correct answer. It blocks the enzyme.", Some(true)),
        ("Right answer, since it blocks the enzyme.", Some(true)),
        ("That is correct. It blocks the enzyme.", Some(true)),
        (
            "This is the correct choice because it blocks the enzyme.",
            Some(true),
        ),
        ("The best answer, because it blocks the enzyme.", Some(true)),
        ("True. It blocks the enzyme.", Some(true)),
        ("It is the correct answer.", Some(true)),
        (
            "Das ist die richtige Antwort, weil es das Enzym hemmt.",
            Some(true),
        ),
        ("Richtige Antwort: es hemmt das Enzym.", Some(true)),
        ("Correcto. Bloquea la enzima.", Some(true)),
        ("Respuesta correcta: bloquea la enzima.", Some(true)),
        ("Correct. Il bloque l'enzyme.", Some(true)),
        ("Bonne réponse : il bloque l'enzyme.", Some(true)),
        ("Esta é a melhor resposta.", Some(true)),
        (
            "Это правильный ответ, так как он блокирует фермент.",
            Some(true),
        ),
        ("正确。它抑制该酶。", Some(true)),
        ("This is not the best answer. It is too slow.", Some(false)),
        ("Wrong answer. It is too slow.", Some(false)),
        ("False. It is too slow.", Some(false)),
        ("That is incorrect. It is too slow.", Some(false)),
        ("This is an incorrect choice.", Some(false)),
        ("Falsch. Es wirkt zu langsam.", Some(false)),
        ("Falsche Antwort: es wirkt zu langsam.", Some(false)),
        ("Incorrecto. Es demasiado lento.", Some(false)),
        ("Respuesta incorrecta: es demasiado lento.", Some(false)),
        ("Ce n'est pas la bonne réponse.", Some(false)),
        ("Incorreto. É lento demais.", Some(false)),
        ("Неправильно. Он слишком медленный.", Some(false)),
        ("错误。它太慢。", Some(false)),
        ("Correct dosing is vital, and this drug is too slow.", None),
        ("True aneurysms are rare here.", None),
        ("Right-sided heart failure is absent.", None),
        ("Wrong-site surgery is prevented by a checklist.", None),
        ("Incorrect technique leads to this finding.", None),
        ("Richtig dosiert hilft es, doch nicht gegen Husten.", None),
        ("Correcto uso del inhalador es esencial.", None),
        ("Правильное положение трубки важно.", None),
    ];

    #[test]
    fn fresh_phrasings_are_read_and_prose_is_left_alone() {
        let read = |all: &[(&str, Option<bool>)]| {
            let claims = all.iter().filter(|(_, says)| says.is_some());
            let found = claims.clone().filter(|(text, says)| verdict(text) == *says);
            let missed: Vec<&str> = claims
                .clone()
                .filter(|(text, says)| verdict(text) != *says)
                .map(|(text, _)| *text)
                .collect();
            // What is no claim is never taken for one, and none for its opposite.
            for (text, says) in all {
                let read = verdict(text);
                assert!(read.is_none() || read == *says, "{text}: {read:?}");
            }
            println!(
                "{} of {} claims; missed: {missed:#?}",
                found.count(),
                claims.count()
            );
            missed.len()
        };
        assert!(read(TUNED) <= 2);
        assert!(read(HELD_OUT) <= 3);
    }
}
