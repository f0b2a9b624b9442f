//! What a repair of an item must not do, beside what is protected: each would leave the key
//! as it is and make another answer right, or give it away.
//!
//! | the repair | rejected |
//! |---|---|
//! | makes the question negative, or takes a negation away | always: the key stays |
//! | puts the words of the right answer, as they were, into another option | always |
//! | makes two options the same | always |
//! | names the right answer in case or question, where it was not | always |
//! | tells there which option to choose, or points at one | always |
//! | puts other words before the question and a colon | always |
//! | adds a number to the question, where options are numbers | always |
//! | makes a wrong option say what the right one says, in other forms or with more words | always |
//! | makes an option speak of others or of the answer, labels it, or cuts it | always |
//! | lists options in the question | always |
//! | turns a fact round: a negation goes, left becomes right | unless an issue quotes it |
//! | exchanges options, or empties a text | always |
//! | marks an option as right or wrong, or a wrong one's explanation speaks of the answer | always |
//! | adds a comment or tags that are no formatting | always |

use redraft_gate::content::{Document, TextField};
use redraft_gate::policy::Parameters;
use redraft_text::cut_sentences::cut_sentences;
use redraft_text::language::Language;
use redraft_text::phrases::{PhraseList, is_unspaced};

use super::checks::{is_negative, names_an_answer};
use super::claims;
use super::forms;
use super::meaning::{self, Strictness};
use super::model::{ItemView, items, letter};
use super::names;
use super::option_words;
use super::order::{self, Letters};
use super::same_answer;

/// What is wrong with items after a repair, one sentence each.
pub(super) fn objections(
    before: &Document,
    after: &Document,
    quotes: &[String],
    parameters: &Parameters,
) -> Vec<String> {
    let pairs = items(before).zip(items(after));
    pairs
        .flat_map(|(old, new)| of_item(old, new, (quotes, parameters)))
        .collect()
}

fn of_item(
    old: ItemView<'_>,
    new: ItemView<'_>,
    (quotes, parameters): (&[String], &Parameters),
) -> Vec<String> {
    let mut objections = Vec::new();
    let is_turned = |view: ItemView<'_>| is_negative(view, parameters) || negates(view);
    if is_turned(old) != is_turned(new) {
        objections.push(
            "the question is turned round, and the key stays as it is; ask for the same as before"
                .to_owned(),
        );
    }
    objections.extend(options(old, new));
    objections.extend(other_options(old, new));
    objections.extend(given_away(old, new));
    objections.extend(question(old, new));
    objections.extend(texts(old, new, quotes));
    objections.extend(explained(old, new, &is_turned));
    objections
}

/// The texts of an item, each with how strictly its meaning is kept.
fn all_texts(view: ItemView<'_>) -> Vec<(Option<&TextField>, Strictness)> {
    let case = view.vignette().iter();
    let question = view.stem().iter();
    // Where numbers are to be computed and there is no case, the question has the facts.
    let with_digits = view
        .option_texts()
        .filter(|text| text.contains(char::is_numeric));
    let of_question = match with_digits.count() > 1 && !view.has_vignette() {
        true => Strictness::Case,
        false => Strictness::Facts,
    };
    let explained = view.explanation().iter();
    let own = (0..view.options().len()).flat_map(|index| {
        [
            (view.option_field(index), Strictness::Prose),
            (view.option_explanation(index), Strictness::Prose),
        ]
    });
    case.map(|field| (Some(field), Strictness::Case))
        .chain(question.map(move |field| (Some(field), of_question)))
        .chain(explained.map(|field| (Some(field), Strictness::Prose)))
        .chain(own)
        .collect()
}

/// Texts that are emptied, turned round, or have markup that nobody may see.
fn texts(old: ItemView<'_>, new: ItemView<'_>, quotes: &[String]) -> Option<String> {
    let (was, is) = (all_texts(old), all_texts(new));
    if was.len() != is.len() {
        return None;
    }
    let options = |view: ItemView<'_>| -> Vec<*const TextField> {
        let all = 0..view.options().len();
        all.filter_map(|at| view.option_field(at))
            .map(std::ptr::from_ref)
            .collect()
    };
    let options = options(new);
    was.iter()
        .zip(&is)
        .find_map(|((was, strictness), (is, _))| {
            let (Some(was), Some(field)) = (was, is) else {
                return None;
            };
            let (before, after) = (&*was.text, &*field.text);
            if before == after {
                return None;
            }
            if !plain(before).is_empty() && plain(after).is_empty() {
                return Some(
                    "a text was emptied; every option and explanation needs its words".to_owned(),
                );
            }
            if hidden(after) && !hidden(before) {
                return Some(
                    "the text has a comment, an address or tags other than formatting; write plain text"
                        .to_owned(),
                );
            }
            // A wrong option may be replaced by any other.
            if options.contains(&std::ptr::from_ref(*field)) {
                return None;
            }
            meaning::turned((before, after), quotes, *strictness)
        })
}

/// Whether a text has an HTML comment, an address, or tags that are not for formatting.
fn hidden(text: &str) -> bool {
    const FORMATTING: &str = "a b br code dd del div dl dt em figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark math ol p pre q s small span strong sub sup table tbody td th thead tr tt u ul var";
    let is_strange = |tag: &str| {
        let tag = tag.strip_prefix('/').unwrap_or(tag);
        let end = tag.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':')));
        let name = tag.get(..end.unwrap_or(tag.len())).unwrap_or_default();
        let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic());
        is_tag
            && !FORMATTING
                .split(' ')
                .any(|known| known.eq_ignore_ascii_case(name))
    };
    let mut tags = text
        .split('<')
        .skip(1)
        .filter_map(|rest| rest.split_once('>'));
    let is_packed = text.contains(";base64,") || text.contains("://");
    is_packed || text.contains("<!--") || tags.any(|(tag, _)| is_strange(tag))
}

/// Explanations that speak for another answer than the key, and did not before.
fn explained(
    old: ItemView<'_>,
    new: ItemView<'_>,
    is_turned: &dyn Fn(ItemView<'_>) -> bool,
) -> Option<String> {
    let key = new.correct()?;
    let newly = |says: &dyn Fn(&str) -> bool, was: Option<&TextField>, is: Option<&TextField>| {
        is.is_some_and(|is| says(&is.text)) && !was.is_some_and(|was| says(&was.text))
    };
    for index in 0..new.options().len() {
        let (was, is) = (old.option_explanation(index), new.option_explanation(index));
        let is_for_it = |text: &str| {
            claims::speaks_of_the_answer(text) || !is_turned(new) && claims::agrees(text)
        };
        if index != key && newly(&is_for_it, was, is) {
            return Some(format!(
                "the explanation of option {} speaks of the right answer; say only why this option is not",
                letter(index)
            ));
        }
        let marked = claims::is_marked;
        if newly(&marked, old.option_field(index), new.option_field(index)) {
            return Some(format!(
                "option {} is marked as right or wrong; leave that to the key",
                letter(index)
            ));
        }
    }
    let count = new.options().len();
    // “Amlodipine explains it better”, said of the key.
    let named = |view: ItemView<'_>, at: usize| {
        let text = view.option_explanation(key).map(|field| plain(&field.text));
        let option = plain(new.option(at));
        option.chars().count() >= LEAST_LETTERS && text.is_some_and(|text| says(&text, &option))
    };
    if let Some(at) = (0..count).find(|at| *at != key && named(new, *at) && !named(old, *at)) {
        return Some(format!(
            "the explanation of option {}, the key, names option {}; say only why the key is right",
            letter(key),
            letter(at)
        ));
    }
    let others = |text: &str| -> Vec<usize> {
        // “Warfarin and aspirin” is not “warfarin”.
        let is_key_named = claims::names_as_right(text, new.option(key));
        let by_words = (0..count).filter(|at| {
            let option = new.option(*at);
            claims::calls_right(text, option)
                || !is_key_named && claims::names_as_right(text, option)
        });
        let named = claims::in_brackets(text, count).into_iter();
        let all = named.chain(claims::counted(text, count)).chain(by_words);
        all.filter(|at| *at != key).collect()
    };
    let said = |view: ItemView<'_>| -> usize {
        let fields = view.explanation().iter();
        fields.map(|field| others(&field.text).len()).sum()
    };
    let told = |view: ItemView<'_>| -> String {
        let fields: Vec<&str> = view
            .explanation()
            .iter()
            .map(|field| &*field.text)
            .collect();
        plain(&fields.join("\n"))
    };
    let (was, is) = (told(old), told(new));
    let names = |text: &str, at: usize| {
        let option = plain(new.option(at));
        // “48” is as much of an answer as a word.
        let is_number = option.len() > 1 && option.starts_with(|c: char| c.is_ascii_digit());
        (is_number || option.chars().count() >= LEAST_LETTERS) && says(text, &option)
    };
    // “Canberrę” names Canberra.
    let names_key = names(&is, key) || {
        let option = plain(new.option(key));
        let stem = option.chars().count().saturating_sub(ENDING);
        let stem: String = option.chars().take(stem).collect();
        stem.chars().count() >= LEAST_LETTERS && is.contains(&stem)
    };
    let is_exchanged =
        !names_key && (0..count).any(|at| at != key && names(&is, at) && !names(&was, at));
    (said(new) > said(old) || is_exchanged).then(|| {
        format!(
            "the explanation names another option than {}, the key; say why the key is right",
            letter(key)
        )
    })
}

fn options(old: ItemView<'_>, new: ItemView<'_>) -> Option<String> {
    let texts = |view: ItemView<'_>| -> Vec<String> { view.option_texts().map(plain).collect() };
    let (was, is) = (texts(old), texts(new));
    another_right_answer(old, &was, &is)
        .or_else(|| right_in_other_forms(old, new))
        .or_else(|| exchanged(&was, &is))
        .or_else(|| twins(&was, &is))
        .or_else(|| twins_in_other_words(old, new))
}

/// Whether a wrong option now says what the right one says: the same words in other forms, or
/// with one more or one less.
fn right_in_other_forms(old: ItemView<'_>, new: ItemView<'_>) -> Option<String> {
    let key = new.correct()?;
    let right = new.option(key);
    let asked = new.lead_in().map_or("", |field| &*field.text);
    let told: Vec<&str> = [old, new].into_iter().flat_map(prose).collect();
    let says_it = |view: ItemView<'_>, at: usize| {
        let text = view.option(at);
        let are_named_alike = |told: &&str| same_answer::are_named_alike(told, right, text);
        forms::say_the_same((right, text), asked, new.language())
            || told.iter().any(are_named_alike)
    };
    let others = (0..new.options().len()).filter(|at| *at != key);
    let mut changed = others.filter(|at| plain(old.option(*at)) != plain(new.option(*at)));
    let found = changed.find(|at| says_it(new, *at) && !says_it(old, *at))?;
    Some(format!(
        "option {} says what the right answer says, “{}”, in other words; make it a different answer",
        letter(found),
        new.option(key)
    ))
}

/// What an item tells beside its options.
fn prose(view: ItemView<'_>) -> Vec<&str> {
    let own = (0..view.options().len()).filter_map(|at| view.option_explanation(at));
    let fields = view.vignette().iter().chain(view.stem());
    let fields = fields.chain(view.explanation()).chain(own);
    fields.map(|field| &*field.text).collect()
}

/// Options that are no answers of their own: a letter, words about other options or about the
/// answer.
fn other_options(old: ItemView<'_>, new: ItemView<'_>) -> Option<String> {
    let count = new.options().len();
    let is_letter = |text: &str| {
        text.trim().chars().count() == 1 && text.trim().chars().all(char::is_alphabetic)
    };
    let has_words = new.option_texts().any(|text| !is_letter(text));
    let is_unfit = |text: &str| {
        let names =
            matches!(order::letters(text, count), Letters::Certain(found) if !found.is_empty());
        has_words && is_letter(text)
            || names
            || option_words::refers(text) && option_words::counts(text)
            || claims::speaks_of_the_answer(text)
    };
    let newly = |says: &dyn Fn(&str) -> bool| {
        (0..count).find(|at| says(new.option(*at)) && !says(old.option(*at)))
    };
    if let Some(found) = newly(&is_unfit) {
        return Some(format!(
            "option {} is not an answer of its own: it refers to other options or to the answer; write an answer",
            letter(found)
        ));
    }
    if let Some(found) = newly(&|text| is_labelled(text, count)) {
        return Some(format!(
            "words stand before option {} that are not part of it; write the answer alone",
            letter(found)
        ));
    }
    let language = new.language().map_or("en", Language::as_str);
    let found = newly(&|text| !cut_sentences(&format!("{text}."), language).is_empty())?;
    Some(format!(
        "option {} ends with “{}”, as if cut off; write it to its end",
        letter(found),
        new.option(found)
    ))
}

/// Whether an option begins with the letter of one (“B) Rome”), or with a word for one and a colon
/// (“Better option: Rome”).
fn is_labelled(text: &str, options: usize) -> bool {
    const LEAD: usize = 8;
    let text = text.trim();
    let mut signs = text.chars();
    let is_letter = signs
        .next()
        .is_some_and(|first| letter_place(first).is_some_and(|at| at < options));
    let has_letter = is_letter
        && signs
            .next()
            .is_some_and(|sign| matches!(sign, ')' | ':' | ']'))
        && signs.next() == Some(' ');
    let has_lead = || {
        let Some((lead, _)) = text.split_once([':', '：']) else {
            return false;
        };
        let lead = lead.to_lowercase();
        let mut words = lead.split_whitespace();
        words.clone().count() <= LEAD && words.any(names::is_word_for_option)
    };
    has_letter || has_lead()
}

fn letter_place(letter: char) -> Option<usize> {
    let letter = u8::try_from(letter).ok().filter(u8::is_ascii_uppercase)?;
    Some(usize::from(letter - b'A'))
}

/// What a question must not gain: other words before a colon, and numbers on which options
/// that are numbers depend.
fn question(old: ItemView<'_>, new: ItemView<'_>) -> Option<String> {
    let (was, is) = (old.lead_in()?, new.lead_in()?);
    if *was.text == *is.text {
        return None;
    }
    if has_lead(&is.text) && !has_lead(&was.text) {
        return Some("other words stand before the question; write the question alone".to_owned());
    }
    let with_digits = new
        .option_texts()
        .filter(|text| text.contains(char::is_numeric));
    if with_digits.count() < 2 {
        return None;
    }
    let numbers = |view: ItemView<'_>| -> Vec<String> {
        let told = view.vignette().iter().chain(view.stem());
        let words = told.flat_map(|field| {
            let parts = field
                .text
                .split(|c: char| !c.is_alphanumeric() && c != '.' && c != ',');
            parts.map(str::to_owned).collect::<Vec<_>>()
        });
        let numbers = words.map(|word| word.trim_matches(['.', ',']).to_owned());
        numbers
            .filter(|word| word.starts_with(|c: char| c.is_numeric()))
            .collect()
    };
    let known = numbers(old);
    let added = numbers(new)
        .into_iter()
        .find(|number| !known.contains(number))?;
    Some(format!(
        "the number {added} was added to the question, and the options are numbers; ask for the same as before"
    ))
}

/// “Here is the question: Which drug …?”: few words and a colon before a whole question.
fn has_lead(text: &str) -> bool {
    const LEAD: usize = 10;
    let Some((lead, rest)) = text.split_once([':', '：']) else {
        return false;
    };
    let is_plain = !lead.contains(|c: char| c.is_numeric() || matches!(c, '?' | '？' | '؟'));
    let rest = rest.trim_start();
    let is_question =
        rest.contains(['?', '？', '؟']) && rest.starts_with(|c: char| c.is_uppercase() || c == '¿');
    is_plain && is_question && lead.split_whitespace().count() <= LEAD
}

/// Whether an option stands where another one was: its explanation would not.
fn exchanged(was: &[String], is: &[String]) -> Option<String> {
    let moved = |at: usize, text: &String| {
        let from = was.iter().position(|old| old == text);
        from.is_some_and(|from| from != at && is.get(from) != Some(text))
            && was.get(at) != Some(text)
    };
    let mut all = is.iter().enumerate().filter(|(_, text)| !text.is_empty());
    all.any(|(at, text)| moved(at, text))
        .then(|| "options changed places; leave each where it was".to_owned())
}

/// Whether two options have the same words now, but for articles and their order.
fn twins_in_other_words(old: ItemView<'_>, new: ItemView<'_>) -> Option<String> {
    let count = |view: ItemView<'_>| {
        let mut words: Vec<Vec<String>> = view.option_texts().map(meaning::content_words).collect();
        words.retain(|words| !words.is_empty());
        words.sort();
        words.windows(2).filter(|pair| pair[0] == pair[1]).count()
    };
    (count(new) > count(old))
        .then(|| "two options say the same in other words; make each different".to_owned())
}

/// Whether another option says what the right one said.
fn another_right_answer(old: ItemView<'_>, was: &[String], is: &[String]) -> Option<String> {
    let key = old.correct()?;
    let right = was.get(key).filter(|text| !text.is_empty())?;
    let elsewhere = |texts: &[String]| {
        let mut others = texts.iter().enumerate().filter(|(at, _)| *at != key);
        others.any(|(_, text)| text == right)
    };
    (elsewhere(is) && !elsewhere(was)).then(|| {
        format!(
            "another option says what the right answer said, “{}”; leave it to the right answer",
            old.option(key)
        )
    })
}

/// Whether more options say the same than before, in items without a single key as well.
fn twins(was: &[String], is: &[String]) -> Option<String> {
    let count = |texts: &[String]| {
        let mut sorted: Vec<&String> = texts.iter().filter(|text| !text.is_empty()).collect();
        sorted.sort();
        sorted.windows(2).filter(|pair| pair[0] == pair[1]).count()
    };
    (count(is) > count(was)).then(|| "two options say the same; make each different".to_owned())
}

/// What case and question say about the answer, and did not before.
fn given_away(old: ItemView<'_>, new: ItemView<'_>) -> Option<String> {
    fn told(view: ItemView<'_>) -> impl Iterator<Item = &TextField> {
        view.vignette().iter().chain(view.stem())
    }
    let words = |view| -> String {
        let texts: Vec<&str> = told(view).map(|field| &*field.text).collect();
        plain(&texts.join("\n"))
    };
    let (was, is) = (words(old), words(new));
    if was == is {
        return None;
    }
    let key = new.correct()?;
    let names = |told: &str, at: usize| {
        let option = plain(new.option(at));
        // A short word may be there for another reason.
        option.chars().count() >= LEAST_LETTERS && says(told, &option)
    };
    let wanted = meaning::content_words(new.option(key));
    let tells = |told: &str| {
        let words = meaning::content_words(told);
        wanted.len() > 1 && wanted.iter().all(|word| words.contains(word))
    };
    if names(&is, key) && !names(&was, key) || tells(&is) && !tells(&was) {
        return Some(format!(
            "the right answer, “{}”, is named before the options; do not give it away",
            new.option(key)
        ));
    }
    let chooses = |view| {
        let mut fields = told(view);
        fields.any(|field| claims::chosen(&field.text).is_some() || names_an_answer(&field.text))
    };
    let count = new.options().len();
    let pointing = |view| -> usize {
        let fields = told(view).map(|field| claims::pointing(&field.text, count));
        fields.sum()
    };
    let ends_with_letter = |view| {
        let mut fields = told(view);
        fields.any(|field| claims::ends_with_letter(&field.text, count))
    };
    if chooses(new) && !chooses(old)
        || ends_with_letter(new) && !ends_with_letter(old)
        || pointing(new) > pointing(old)
    {
        return Some("case or question tell which option to choose; leave that out".to_owned());
    }
    let listed = |told: &str| {
        let all = 0..new.options().len();
        all.filter(|at| names(told, *at)).count()
    };
    (listed(&is) >= listed(&was) + 2)
        .then(|| "the options are listed in the question; leave them to their own field".to_owned())
}

const LEAST_LETTERS: usize = 4;

/// Endings of cases are at most so long, in letters.
const ENDING: usize = 2;

/// Whether a text has these words, as whole words.
fn says(text: &str, words: &str) -> bool {
    format!(" {text} ").contains(&format!(" {words} "))
}

/// Letters and digits in lower case, with single spaces.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// Words that make a question negative, as data, in the languages that the check for
/// negative stems does not read.
static NEGATIONS: PhraseList = PhraseList::new("negations", &["words"]);

/// Whether the question is negative in another language than the check reads.
fn negates(view: ItemView<'_>) -> bool {
    view.lead_in().is_some_and(|field| is_negated(&field.text))
}

fn is_negated(question: &str) -> bool {
    let text = plain(question);
    let mut words = NEGATIONS
        .files()
        .iter()
        .flat_map(|file| file.words("words"));
    words.any(|word| match is_unspaced(word) {
        true => text.contains(word),
        false => says(&text, word),
    })
}

#[cfg(test)]
mod tests {
    use redraft_gate::profile::GateProfile as _;
    use redraft_gate::reading::{self, Hint};
    use redraft_gate::source::Source;

    use super::*;
    use crate::clinical_mcq::CLINICAL_MCQ;

    #[test]
    fn the_phrase_files_are_sound() {
        assert_eq!(NEGATIONS.faults(), [""; 0]);
        let wrong = NEGATIONS.wrong_examples("words", |_, text| is_negated(text));
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn options_that_become_the_same_are_rejected_also_without_a_single_key() {
        let item = |options: &str, key: &str| {
            let text = format!(r#"{{"stem": "Why?", "options": {options}, "answerKey": {key}}}"#);
            let raw = reading::read(Source::new(text.into_bytes()), Hint::Json);
            CLINICAL_MCQ.parse(raw, None)
        };
        for key in [r#""A""#, "null"] {
            let before = item(r#"["Aspirin", "Codeine", "Morphine"]"#, key);
            for (options, expected) in [
                (r#"["Aspirin", "Codeine", "Tramadol"]"#, 0),
                (r#"["Aspirin", "Codeine", "Codeine"]"#, 1),
            ] {
                let after = item(options, key);
                let found = objections(&before, &after, &[], CLINICAL_MCQ.parameters());
                assert_eq!(found.len(), expected, "{key} {options} {found:?}");
            }
        }
    }
}
