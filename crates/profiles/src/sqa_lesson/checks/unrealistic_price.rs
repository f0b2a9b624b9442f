//! `unrealistic-price`: a price that is unrealistic in Scotland.

use std::ops::Range;

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;
use redraft_text::phrases::PhraseList;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::{SCOTTISH_BELOW, SCOTTISH_MINOR};
use crate::sqa_lesson::card_texts::card_texts;
use crate::sqa_lesson::money::pounds;
use crate::sqa_lesson::phrases::{occurrences, rows};
use crate::sqa_lesson::plain_language::{Plain, words};

pub(super) static CHECK: Check = Check {
    code: "SQA062",
    name: "unrealistic-price",
    severity: Severity::Warning,
    summary: "a price that is unrealistic in Scotland",
    what: "Compares the price of one meal deal, coffee, cinema ticket or train ticket between Edinburgh and Glasgow with typical Scottish prices. The item and its price must be next to each other in a sentence (“a coffee costs £1”, “a £15 cinema ticket”); several of an item, discounts and changes are ignored, and so are misconceptions and options. A price at or beyond the values that the seed calls wrong is a warning that caps `scottish_context` below its threshold (seed 000: pricing realism, “coffee £2.50-3.50, not £1 or £5”); one between those and the usual prices is info that caps it at .95.",
    why: "Learners know what a coffee costs. An unrealistic price makes the whole question feel made up, and the answer cannot be checked by common sense.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "explainer": "A coffee costs £1 in Glasgow."}]}"#,
        passes: r#"{"cards": [{"id": "c1", "explainer": "A coffee costs £3 in Glasgow. Two coffees cost £6. A coffee table costs £50. £1 off a coffee!"}]}"#,
        fixed: None,
    }],
    parameters: &[Parameter {
        name: "prices",
        what: "prices as `thing -> wrong-low usual-low usual-high wrong-high`, in pounds",
    }],
    caps: &[SCOTTISH_BELOW, SCOTTISH_MINOR],
    run,
    ..DEFAULTS
};

/// What a thing costs, in pence.
struct Price<'p> {
    /// Words that must occur together; those after a `+` may be anywhere in the
    /// sentence.
    thing: &'p str,
    also: Vec<&'p str>,
    wrong_low: u64,
    low: u64,
    high: u64,
    wrong_high: u64,
}

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let prices: Vec<Price<'_>> = rows(examination.texts("prices"))
        .filter_map(|row| price(row.phrase, row.instead))
        .collect();
    for text in card_texts(examination.document) {
        if text.card_field.may_be_wrong() {
            continue;
        }
        let plain = Plain::of(&text);
        for sentence in plain.sentences() {
            let words = plain.get(sentence).to_ascii_lowercase();
            let mut last = None;
            for price in &prices {
                if !price.also.iter().all(|also| occurrences(&words, also).next().is_some()) {
                    continue;
                }
                let Some((range, pence)) = stated(&words, price.thing) else {
                    continue;
                };
                // A longer name of the thing has spoken already.
                if last.replace(pence) == Some(pence) {
                    continue;
                }
                if (price.low..=price.high).contains(&pence) {
                    continue;
                }
                let range = sentence.start + range.start..sentence.start + range.end;
                let is_far = pence <= price.wrong_low || pence >= price.wrong_high;
                let thing = thing_in_words(price);
                let message = format!(
                    "{} gives {} for {thing}, which costs {} to {} in Scotland; use a price in that range, and update the working",
                    text.label(),
                    in_pounds(pence),
                    in_pounds(price.low),
                    in_pounds(price.high)
                );
                let finding = sink.in_text(text.field, range, message);
                if is_far {
                    finding.caps(&[SCOTTISH_BELOW]);
                } else {
                    finding.severity(Severity::Info).caps(&[SCOTTISH_MINOR]);
                }
            }
        }
    }
}

fn price<'p>(thing: &'p str, values: &str) -> Option<Price<'p>> {
    let mut phrases = thing.split('+').map(str::trim);
    let thing = phrases.next()?;
    let also = phrases.collect();
    let pence: Vec<u64> = values.split_whitespace().filter_map(pence).collect();
    let [wrong_low, low, high, wrong_high] = pence.as_slice() else {
        return None;
    };
    Some(Price {
        thing,
        also,
        wrong_low: *wrong_low,
        low: *low,
        high: *high,
        wrong_high: *wrong_high,
    })
}

fn pence(amount: &str) -> Option<u64> {
    let text = format!("£{amount}");
    pounds(&text, &[]).first().map(|(_, pence)| *pence)
}

fn thing_in_words(price: &Price<'_>) -> String {
    let article = if price.thing.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    match price.also.as_slice() {
        [from, to] => format!("{article} {} between {} and {}", price.thing, capital(from), capital(to)),
        _ => format!("{article} {}", price.thing),
    }
}

fn capital(word: &str) -> String {
    crate::sqa_lesson::phrases::in_case_of("A", word)
}

fn in_pounds(pence: u64) -> String {
    if pence.is_multiple_of(100) {
        format!("£{}", pence / 100)
    } else {
        format!("£{}.{:02}", pence / 100, pence % 100)
    }
}

/// Whether a price is for several people or many times: a family ticket, a season ticket.
fn is_for_several(sentence: &str) -> bool {
    const WORDS: [&str; 6] = ["family", "group", "season", "annual", "monthly", "weekly"];
    let mut words = sentence.split(|c: char| !c.is_alphanumeric());
    words.any(|word| WORDS.contains(&word))
}

/// The price that a sentence gives for one of a thing, with the range of both.
/// The sentence is in lower case.
fn stated(sentence: &str, thing: &str) -> Option<(Range<usize>, u64)> {
    if is_past(sentence) || is_for_several(sentence) {
        return None;
    }
    let mut amounts = amounts(sentence);
    // With two amounts it is unclear which is the price.
    let (amount, pence) = amounts.pop()?;
    if !amounts.is_empty() {
        return None;
    }
    let after = sentence.get(amount.end..).unwrap_or_default();
    let next = words(after).next().map(|(_, word)| word).unwrap_or_default();
    // “Cinema tickets cost £20 each.”
    let plural = format!("{thing}s");
    let each = occurrences(sentence, &plural).filter(|_| next == "each");
    let mention = occurrences(sentence, thing).chain(each).find(|mention| {
        let (gap, is_before) = if mention.end <= amount.start {
            (sentence.get(mention.end..amount.start), false)
        } else {
            (sentence.get(amount.end..mention.start), true)
        };
        let gap_fits = gap.is_some_and(|gap| {
            // `coffee table`: the word after the thing must belong to the price.
            let parts = || words(gap).flat_map(|(_, word)| word.split('-'));
            gap.len() < 80 && parts().all(|word| LIST.has_word("between", word)) && !gap.contains(['.', ';', '?'])
        });
        gap_fits && !is_several(sentence, mention) && (!is_before || is_free_after(sentence, mention.end))
    })?;
    let before = words(sentence.get(..amount.start).unwrap_or_default()).last().map(|(_, word)| word).unwrap_or_default();
    let is_price = !LIST.has_word("not after", next) && !LIST.has_word("not before", before);
    is_price.then(|| (mention.start.min(amount.start)..mention.end.max(amount.end), pence))
}

/// Amounts in pounds and in pence: `£1.20`, `90p`.
fn amounts(sentence: &str) -> Vec<(Range<usize>, u64)> {
    let mut found = pounds(sentence, &[]);
    found.extend(words(sentence).filter_map(|(range, word)| {
        let pence = word.strip_suffix('p')?.parse().ok()?;
        Some((range, pence))
    }));
    found.sort_by_key(|(range, _)| range.start);
    found
}

/// Whether a sentence tells what something cost long ago: “In 1980 …”, “40 years ago”.
fn is_past(sentence: &str) -> bool {
    let is_old_year = |word: &str| {
        word.len() == 4 && word.starts_with('1') && word.bytes().all(|byte| byte.is_ascii_digit())
    };
    words(sentence).any(|(_, word)| is_old_year(word))
        || LIST.all("ago").any(|phrase| occurrences(sentence, phrase).next().is_some())
}

/// The words, as data.
static LIST: PhraseList = PhraseList::new(
    "price_words",
    &["between", "not before", "not after", "several", "other things", "ago"],
);

/// Whether the words before a thing count it: “two coffees”, “3 tickets”.
fn is_several(sentence: &str, mention: &Range<usize>) -> bool {
    let before = sentence.get(..mention.start).unwrap_or_default();
    let last: Vec<&str> = words(before).map(|(_, word)| word).collect();
    last.iter().rev().take(3).any(|word| {
        LIST.has_word("several", word)
            || (word.len() <= 3 && word.chars().all(|c| c.is_ascii_digit()) && *word != "1" && !before.contains('£'))
    })
}

/// Whether the word after a thing does not turn it into something else.
fn is_free_after(sentence: &str, end: usize) -> bool {
    let after = sentence.get(end..).unwrap_or_default();
    let next = words(after).next().map(|(_, word)| word).unwrap_or_default();
    !LIST.has_word("other things", next)
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity::{self, Info, Warning};

    use crate::sqa_lesson::testing::findings;

    #[test]
    fn the_phrase_files_are_sound() {
        assert_eq!(super::LIST.faults(), [""; 0]);
        let wrong = super::LIST.wrong_examples("between", |_, text| {
            let template = format!(r#"{{"cards": [{{"id": "c1", "explainer": "{text}"}}]}}"#);
            !findings(&super::CHECK, &template).is_empty()
        });
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn prices_are_compared_where_one_thing_has_one_price() {
        for (text, expected) in [
            ("A coffee costs £1.", &[Warning][..]),
            ("A coffee costs £5.", &[Warning]),
            ("A coffee costs £3.80.", &[Info]),
            ("A coffee costs £2.50.", &[]),
            ("A Tesco meal deal costs £3.60.", &[]),
            ("A Tesco meal deal costs £9.", &[Warning]),
            ("A £15 cinema ticket", &[Warning]),
            ("A cinema ticket is £10.", &[]),
            ("We pay £50 for a train ticket from Edinburgh to Glasgow.", &[Warning]),
            ("We pay £24 for a ScotRail train ticket from Perth to Dundee.", &[]),
            ("A train ticket from Aberdeen to Inverness costs £50.", &[]),
            ("The train from Edinburgh to Glasgow costs £60.", &[Warning]),
            ("A return train fare from Glasgow to Edinburgh is £45.", &[Info]),
            ("A latte costs £6.", &[Warning]),
            ("The cinema costs £20.", &[Warning]),
            ("Tickets for the cinema cost £40.", &[]),
            ("The cinema sold 20 tickets for £200.", &[]),
            ("A cinema snack costs £4.", &[]),
            ("Cinema tickets cost £20 each.", &[Warning]),
            ("Cinema tickets cost £20.", &[]),
            ("Coffees cost £3 each.", &[]),
            ("A coffee costs 90p.", &[Warning]),
            ("20p off a coffee", &[]),
            ("The ScotRail fare from Edinburgh to Glasgow is £4.50.", &[Warning]),
            ("A return train ticket Edinburgh-Glasgow costs £45.", &[Info]),
            ("In 1980 a cinema ticket cost £2.", &[]),
            ("A coffee was 50p forty years ago.", &[]),
            ("A coffee used to cost £1.", &[]),
            ("The train ticket costs £24.", &[]),
            ("Two coffees cost £7.", &[]),
            ("3 cinema ticket holders pay £30.", &[]),
            ("A coffee table costs £50.", &[]),
            ("£1 off a coffee", &[]),
            ("A coffee and a cake cost £8.", &[]),
            ("The coffee is reduced by £1.", &[]),
            ("A meal deal costs £4 and a drink £1.", &[]),
        ] {
            let template = format!(r#"{{"cards": [{{"id": "c1", "explainer": "{text}"}}]}}"#);
            let severities: Vec<Severity> = findings(&super::CHECK, &template).into_iter().map(|said| said.severity).collect();
            assert_eq!(severities, expected, "{text}");
        }
    }
}
