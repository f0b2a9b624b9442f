//! Finds the entry of a scheme of work that a template implements, and compares
//! outcome codes. What follows from a difference is up to the checks.
//!
//! A single entry is taken as the match, because the user chose it, unless it is
//! for another course, or has another order and another topic. In a whole scheme,
//! entries for other courses are ignored and these rules apply in order:
//!
//! | what matches | certain? |
//! |---|---|
//! | `sow_order`, the kind of lesson, and half the words of the title | yes |
//! | `sow_order`, the kind of lesson, and a specific word of the title | no |
//! | the title is an entry's label, ignoring a “Teach:” before it | yes |
//! | most words of the title and a single label, and the kind of lesson | no |
//! | all codes and the kind of lesson, and no other entry has them | no |
//!
//! If nothing matches, there is no entry, and checks that need one report nothing.

use std::collections::BTreeSet;

use redraft_gate::companion::{Companions, Outcome, SchemeEntry};

use super::model::{LessonType, Template};
use super::wording;

/// The entry that a template implements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matched<'a> {
    pub entry: &'a SchemeEntry,
    pub certain: bool,
}

impl Matched<'_> {
    /// For messages: `entry 3 (“Fractions”) of the scheme of work`.
    pub(crate) fn name(&self) -> String {
        let order = self
            .entry
            .order
            .map_or_else(String::new, |order| format!(" {order}"));
        let label = self
            .entry
            .label
            .as_ref()
            .map_or_else(String::new, |label| format!(" (“{label}”)"));
        format!("entry{order}{label} of the scheme of work")
    }
}

/// The entry of the scheme of work that a template implements.
pub(crate) fn entry<'a>(template: &Template, companions: &'a Companions) -> Option<Matched<'a>> {
    let certain = |entry| Matched {
        entry,
        certain: true,
    };
    let likely = |entry| Matched {
        entry,
        certain: false,
    };
    if let [only] = companions.scheme_of_work.as_slice() {
        return applies(template, only).then(|| certain(only));
    }
    let entries: Vec<&SchemeEntry> = companions
        .scheme_of_work
        .iter()
        .filter(|entry| same_course(template, entry))
        .collect();
    let same_kind = |entry: &&&SchemeEntry| same_kind(template, entry);
    let by_order = template.order.as_ref().and_then(|order| {
        entries
            .iter()
            .filter(|entry| entry.order == Some(order.value))
            .filter(same_kind)
            .find(|entry| shares_a_word(template, entry))
    });
    if let Some(entry) = by_order {
        let is_alike = title_similarity(template, entry) >= HALF_ALIKE;
        return Some(if is_alike {
            certain(entry)
        } else {
            likely(entry)
        });
    }
    let title = template.title.as_ref().map(|title| topic(&title.value));
    if let Some(title) = title.as_deref().filter(|title| !title.is_empty()) {
        let mut named = entries
            .iter()
            .filter(same_kind)
            .filter(|entry| entry.label.as_deref().map(topic).as_deref() == Some(title));
        if let (Some(entry), None) = (named.next(), named.next()) {
            return Some(certain(entry));
        }
        let mut alike = entries
            .iter()
            .filter(same_kind)
            .filter(|entry| title_similarity(template, entry) >= ALIKE);
        if let (Some(entry), None) = (alike.next(), alike.next()) {
            return Some(likely(entry));
        }
    }
    let mut same_codes = entries
        .iter()
        .filter(same_kind)
        .filter(|entry| all_codes_agree(template, entry));
    match (same_codes.next(), same_codes.next()) {
        (Some(entry), None) => Some(likely(entry)),
        _ => None,
    }
}

/// The entries most like a template, for a message: `3 (“Fractions”)`.
pub(crate) fn nearest(template: &Template, companions: &Companions, most: usize) -> Vec<String> {
    let mut entries: Vec<(usize, &SchemeEntry)> =
        companions.scheme_of_work.iter().enumerate().collect();
    let order = template.order.as_ref().map(|order| order.value);
    let distance = |entry: &SchemeEntry| match (order, entry.order) {
        (Some(own), Some(other)) => own.abs_diff(other),
        _ => u64::MAX,
    };
    entries.sort_by(|(at, a), (other, b)| {
        let alike = title_similarity(template, b).total_cmp(&title_similarity(template, a));
        alike
            .then_with(|| distance(a).cmp(&distance(b)))
            .then_with(|| at.cmp(other))
    });
    entries
        .into_iter()
        .take(most)
        .map(|(at, entry)| {
            let order = entry
                .order
                .map_or_else(|| (at + 1).to_string(), |order| order.to_string());
            match &entry.label {
                Some(label) => format!("{order} (“{label}”)"),
                None => order,
            }
        })
        .collect()
}

/// Whether the scheme of work or the specification is about money of other countries: its
/// words decide, never those of the text under test (ruling 76).
///
/// | where | counts |
/// |---|---|
/// | title, big idea, themes, standards, planned cards | a topic (“exchange rates”) or a currency (“euros”) |
/// | notes | a topic |
/// | what comes before and after the lesson, and what learners need | nothing |
///
/// A sentence that forbids it (“no foreign currency”) or is about another lesson never counts.
pub(crate) fn is_about_currencies(template: &Template, companions: &Companions) -> bool {
    let entry = entry(template, companions).map(|matched| matched.entry);
    let is_of_entry = entry.is_some_and(|entry| {
        let standards = entry.standard_descriptions.iter().map(|(_, words)| words);
        let cards = entry.cards.iter().flat_map(|card| {
            let details = card.details.iter().map(|(_, words)| words);
            card.title.iter().chain(details)
        });
        let is_idea = |name: &str| name.replace('_', "").eq_ignore_ascii_case("bigidea");
        let ideas = entry.details.iter().filter(|(name, _)| is_idea(name));
        let mut topics = entry
            .label
            .iter()
            .chain(ideas.map(|(_, words)| words))
            .chain(standards)
            .chain(&entry.engagement_tags)
            .chain(cards);
        let mut notes = entry
            .details
            .iter()
            .filter(|(name, _)| !is_of_another_lesson(name));
        topics.any(|words| names_foreign_money(words, &[FOREIGN_MONEY, CURRENCIES]))
            || notes.any(|(_, words)| names_foreign_money(words, &[FOREIGN_MONEY]))
    });
    let specification = companions.specification.as_ref();
    let mut ordered = specification.into_iter().flat_map(|specification| {
        let objectives = specification.objectives.iter().map(|one| &one.objective);
        specification
            .title
            .iter()
            .chain(&specification.topic)
            .chain(objectives)
    });
    is_of_entry || ordered.any(|words| names_foreign_money(words, &[FOREIGN_MONEY, CURRENCIES]))
}

/// Whether a field says where the lesson stands or whom it suits, not what it is about.
fn is_of_another_lesson(name: &str) -> bool {
    const FIELDS: &[&str] = &[
        "coherence",
        "accessibility",
        "prerequisite",
        "previous",
        "next",
    ];
    let name = name.to_lowercase();
    FIELDS.iter().any(|field| name.contains(field))
}

/// Whether a sentence has one of these words and asks for what they name.
fn names_foreign_money(words: &str, lists: &[&[&str]]) -> bool {
    let has = |sentence: &str, list: &[&str]| {
        list.iter()
            .any(|phrase| sentence.contains(&format!(" {phrase} ")))
    };
    words
        .to_lowercase()
        .split(['.', ';', '!', '?', '\n'])
        .map(|sentence| {
            let words = sentence.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
            let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
            format!(" {} ", words.join(" "))
        })
        .any(|sentence| lists.iter().any(|list| has(&sentence, list)) && !has(&sentence, NOT_HERE))
}

const FOREIGN_MONEY: &[&str] = &[
    "exchange rate",
    "exchange rates",
    "exchanging money",
    "foreign currency",
    "foreign currencies",
    "foreign exchange",
    "foreign money",
    "currency conversion",
    "currency conversions",
    "currency exchange",
    "convert currency",
    "convert currencies",
    "converting currency",
    "converting currencies",
    "other currencies",
    "different currencies",
    "holiday money",
    "travel money",
    "currencies",
];

const CURRENCIES: &[&str] = &[
    "euro",
    "euros",
    "dollar",
    "dollars",
    "yen",
    "rupees",
    "swiss francs",
    "zloty",
    "kroner",
];

/// Words of a sentence that forbids what it names, or leaves it to another lesson.
const NOT_HERE: &[&str] = &[
    "no",
    "not",
    "never",
    "none",
    "without",
    "avoid",
    "zero",
    "don't",
    "don’t",
    "cannot",
    "exclude",
    "excluding",
    "ban",
    "banned",
    "replace",
    "instead of",
    "rather than",
    "except",
    "next",
    "later",
    "previous",
    "previously",
    "earlier",
    "already",
    "prior",
    "builds on",
    "building on",
];

/// The outcomes of the template's course; all of them if the course is unknown.
pub(crate) fn outcomes<'a>(
    template: &'a Template,
    companions: &'a Companions,
) -> impl Iterator<Item = &'a Outcome> {
    companions.outcomes.iter().filter(|outcome| {
        let own = template.course.as_ref().map(|course| course.value.as_str());
        own.is_none() || outcome.course.is_none() || own == outcome.course.as_deref()
    })
}

/// Whether two codes are the same. Some files write `1.1` for `AS1.1` and `1` for
/// `O1`; prefixes are only compared if both codes have one.
pub(crate) fn same_code(a: &str, b: &str) -> bool {
    let (prefix, number) = split_code(a);
    let (other_prefix, other_number) = split_code(b);
    number == other_number
        && (prefix == other_prefix || prefix.is_empty() || other_prefix.is_empty())
}

fn split_code(code: &str) -> (String, String) {
    let code: String = code
        .chars()
        .filter(|c| !c.is_whitespace())
        .flat_map(char::to_uppercase)
        .collect();
    for prefix in ["AS", "O"] {
        if let Some(number) = code.strip_prefix(prefix)
            && number.starts_with(|c: char| c.is_ascii_digit())
        {
            return (prefix.to_owned(), number.to_owned());
        }
    }
    (String::new(), code)
}

/// Share of common words from which two titles count as the same: “Time and
/// Distance” and “Calculating Time and Distance”.
const ALIKE: f64 = 0.7;

/// The same if the order matches, too.
const HALF_ALIKE: f64 = 0.5;

fn title_similarity(template: &Template, entry: &SchemeEntry) -> f64 {
    match (&template.title, &entry.label) {
        (Some(title), Some(label)) => wording::similarity(&topic(&title.value), &topic(label)),
        _ => 0.0,
    }
}

fn applies(template: &Template, only: &SchemeEntry) -> bool {
    let is_elsewhere = match (&template.order, only.order) {
        (Some(own), Some(other)) => own.value != other,
        _ => false,
    };
    same_course(template, only) && (!is_elsewhere || shares_a_word(template, only))
}

fn same_course(template: &Template, entry: &SchemeEntry) -> bool {
    match (&template.course, &entry.course) {
        (Some(own), Some(other)) => own.value == *other,
        _ => true,
    }
}

fn same_kind(template: &Template, entry: &SchemeEntry) -> bool {
    match (template.kind(), entry.lesson_type.as_deref()) {
        (Some(own), Some(other)) => own == LessonType::parse(other),
        _ => true,
    }
}

fn shares_a_word(template: &Template, entry: &SchemeEntry) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        wording::stems(&topic(text))
            .into_iter()
            .filter(|stem| stem.len() > 3 && !COMMON.contains(&stem.as_str()))
            .collect()
    };
    match (&template.title, &entry.label) {
        (Some(title), Some(label)) => !words(&title.value).is_disjoint(&words(label)),
        _ => true,
    }
}

fn all_codes_agree(template: &Template, entry: &SchemeEntry) -> bool {
    let asked = || entry.outcomes.iter().chain(&entry.standards);
    template.codes().next().is_some()
        && template
            .codes()
            .all(|own| asked().any(|code| same_code(&own.value, code)))
        && asked().all(|code| template.codes().any(|own| same_code(&own.value, code)))
}

/// A title in lower case, without a kind of lesson before a colon.
fn topic(title: &str) -> String {
    let lower = title.trim().to_lowercase();
    match lower.split_once(':') {
        Some((kind, rest)) if KINDS.contains(&kind.trim()) => rest.trim().to_owned(),
        _ => lower,
    }
}

/// Stems of words that occur in titles on any topic.
const COMMON: &[&str] = &[
    "introduct",
    "calcul",
    "lesson",
    "skill",
    "work",
    "find",
    "with",
    "from",
    "understand",
    "problem",
    "select",
    "appropri",
    "appli",
    "solv",
    "core",
    "practic",
    "numer",
    "mathemat",
];

const KINDS: &[&str] = &[
    "teach",
    "teaching",
    "practice",
    "independent practice",
    "check-in",
    "formative assessment",
    "revision",
    "revise",
    "mock exam",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqa_lesson::model;
    use crate::sqa_lesson::testing::{document, scheme};

    const SCHEME: &str = r#"{"courseId": "course_1", "entries": [
        {"order": 1, "label": "Teach: Fractions of Amounts", "lesson_type": "teach", "outcomeRefs": ["O1"], "assessmentStandardRefs": ["AS1.1"]},
        {"order": 2, "label": "Practice: Fractions of Amounts", "lesson_type": "independent_practice", "outcomeRefs": ["O1"]},
        {"order": 3, "label": "Teach: Speed, Distance and Time", "lesson_type": "teach", "outcomeRefs": ["O2"], "assessmentStandardRefs": ["AS2.1"]}]}"#;

    #[test]
    fn the_entry_is_found_by_order_label_words_or_codes() {
        for (fields, expected) in [
            (
                r#""title": "Fractions of an Amount", "sow_order": 1, "lesson_type": "teach""#,
                Some((1, true)),
            ),
            (
                r#""title": "What Fractions Are Good For in a Shop", "sow_order": 1, "lesson_type": "teach""#,
                Some((1, false)),
            ),
            (
                r#""title": "Fractions of Amounts", "lesson_type": "teach""#,
                Some((1, true)),
            ),
            (
                r#""title": "Fractions of Amounts", "lesson_type": "independent_practice""#,
                Some((2, true)),
            ),
            (
                r#""title": "Time, Distance, Speed", "lesson_type": "teach""#,
                Some((3, false)),
            ),
            (
                r#""title": "On the Road", "outcomeRefs": ["2", "2.1"], "lesson_type": "teach""#,
                Some((3, false)),
            ),
            // The order belongs to another scheme: the titles have nothing in common.
            (
                r#""title": "Reading a Map", "sow_order": 1, "lesson_type": "teach", "outcomeRefs": ["O1"]"#,
                None,
            ),
            (
                r#""title": "Fractions of Amounts", "sow_order": 1, "lesson_type": "teach", "courseId": "course_2""#,
                None,
            ),
            (r#""title": "Reading a Map""#, None),
        ] {
            let document = document(&format!(r#"{{{fields}, "cards": []}}"#));
            let companions = scheme(SCHEME);
            let found = entry(model::template(&document).unwrap(), &companions)
                .map(|matched| (matched.entry.order.unwrap(), matched.certain));
            assert_eq!(found, expected, "{fields}");
        }
    }

    #[test]
    fn a_single_entry_is_the_match() {
        let document = document(r#"{"title": "Anything", "cards": []}"#);
        let companions = scheme(r#"{"order": 7, "label": "Fractions"}"#);
        let found = entry(model::template(&document).unwrap(), &companions).unwrap();
        assert!(found.certain);
        let elsewhere = self::document(r#"{"title": "Anything", "sow_order": 3, "cards": []}"#);
        assert!(entry(model::template(&elsewhere).unwrap(), &companions).is_none());
        assert_eq!(found.name(), "entry 7 (“Fractions”) of the scheme of work");
    }

    #[test]
    fn codes_are_compared_with_and_without_their_prefix() {
        for (a, b, expected) in [
            ("AS1.1", "AS1.1", true),
            ("as 1.1", "AS1.1", true),
            ("1.1", "AS1.1", true),
            ("1", "O1", true),
            ("O1", "AS1", false),
            ("AS1.1", "AS1.2", false),
            ("OTHER", "O", false),
            ("SKILL_ROUNDING", "SKILL_ROUNDING", true),
        ] {
            assert_eq!(same_code(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn an_entry_is_about_other_currencies_only_where_it_asks_for_them() {
        let template = document(r#"{"title": "Prices", "sow_order": 1, "cards": []}"#);
        for (fields, expected) in [
            (r#""label": "Exchange Rates""#, true),
            (
                r#""engagement_tags": ["currency_conversion_for_holidays"]"#,
                true,
            ),
            (r#""engagement_tags": ["euros"]"#, true),
            (
                r#""big_idea": "Convert pounds to euros and dollars.""#,
                true,
            ),
            (
                r#""notes": "Use £ throughout. Learners then exchange it at exchange rates.""#,
                true,
            ),
            (
                r#""assessmentStandardRefs": [{"code": "1.2", "description": "Converting money between currencies"}]"#,
                true,
            ),
            (
                r#""lesson_plan": {"card_structure": [{"title": "Holiday money"}]}"#,
                true,
            ),
            (
                r#""policy": {"assessment_notes": "Use £ only; no foreign currency."}"#,
                false,
            ),
            (
                r#""policy": {"assessment_notes": "Zero tolerance for foreign currencies ($ or €)."}"#,
                false,
            ),
            (r#""notes": "Do not use other currencies.""#, false),
            (r#""notes": "Replace dollars with pounds.""#, false),
            (
                r#""notes": "The next lesson is about exchange rates.""#,
                false,
            ),
            (
                r#""notes": "Building on Numeracy: simple interest, currency conversion.""#,
                false,
            ),
            (r#""engagement_tags": ["no_foreign_currency"]"#, false),
            (
                r#""coherence": {"prerequisites": ["Exchange rates"]}"#,
                false,
            ),
            (
                r#""accessibility_profile": {"key_terms": ["currencies"]}"#,
                false,
            ),
            (r#""big_idea": "European cities""#, false),
            (r#""engagement_tags": ["scottish_currency"]"#, false),
        ] {
            let companions = scheme(&format!(
                r#"{{"order": 1, "lesson_type": "teach", {fields}}}"#
            ));
            let template = model::template(&template).unwrap();
            assert_eq!(
                is_about_currencies(template, &companions),
                expected,
                "{fields}"
            );
        }
    }

    /// Matches each entry of the real schemes with a template written for it.
    #[test]
    fn the_templates_of_real_schemes_find_their_entries() {
        let Some(folder) = crate::sqa_lesson::testing::data() else {
            return;
        };
        let (mut all, mut by_order, mut by_title, mut wrong) = (0, 0, 0, 0);
        for name in [
            "application-of-mathematics_national-3.json",
            "application-of-mathematics_national-4.json",
            "mathematics_national-4.json",
            "sow_course_c84474_af65031f-2c70-473c-abea-84baedc938f3.json",
        ] {
            let companions = scheme(&std::fs::read_to_string(folder.join(name)).unwrap());
            for planned in &companions.scheme_of_work {
                let order = planned.order.unwrap();
                let find = |order: &str| {
                    let title = serde_json::to_string(&planned.label).unwrap();
                    let kind = planned.lesson_type.as_deref().unwrap_or_default();
                    let codes = serde_json::to_string(&planned.outcomes).unwrap();
                    let json = format!(
                        r#"{{"title": {title}, "lesson_type": "{kind}", {order} "outcomeRefs": {codes}, "cards": []}}"#
                    );
                    let document = document(&json);
                    let template = model::template(&document).unwrap();
                    entry(template, &companions).map(|matched| matched.entry.order.unwrap())
                };
                all += 1;
                for (found, count) in [
                    (find(&format!(r#""sow_order": {order},"#)), &mut by_order),
                    (find(""), &mut by_title),
                ] {
                    match found {
                        Some(found) if found == order => *count += 1,
                        Some(_) => wrong += 1,
                        None => {}
                    }
                }
            }
        }
        eprintln!("{all} entries: {by_order} by order, {by_title} by title, {wrong} wrong");
        assert_eq!((by_order, wrong), (all, 0));
        assert!(by_title * 10 >= all * 9, "{by_title} of {all}");
    }
}
