//! `prohibited-term`: a term that the specification prohibits.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use redraft_gate::content::Document;
use redraft_gate::finding::Severity;
use redraft_gate::vocabulary::Word;
use redraft_text::language::Language;
use redraft_text::markdown::BlockKind;
use redraft_text::words::words;

use crate::check_list::DEFAULTS;
use crate::lesson::keywords;
use crate::lesson::phrases::Phrases;
use crate::lesson::plan::{self, Fit};

pub(super) static CHECK: Check = Check {
    code: "LES005",
    name: "prohibited-term",
    severity: Severity::Error,
    summary: "a term that the specification prohibits",
    what: "Reports words and phrases that the specification prohibits, in the section it prohibits them for, in any form (guarantee, guarantees, guaranteed). Code, quotations and words in quotation marks are left alone. If the section is not found in the lesson, the whole lesson is searched and each match is a warning. Does not run if the specification is in another language than the lesson.",
    why: "Terms are prohibited for a reason: they promise too much, they are not explained yet, or a law forbids them.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Savings\n\n## Interest\n\nA savings account guarantees a profit.\n",
        passes: "# Savings\n\n## Interest\n\nA savings account usually pays interest. Nobody can promise a “guaranteed profit”.\n",
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

pub(super) const SPECIFICATION: &str = r#"{
  "title": "Savings",
  "sections": [{"title": "Interest", "constraints": {"prohibited_terms": ["guarantee", "no risk"]}}]
}"#;

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let Some((specification, language)) = keywords::comparable(document, examination.companions)
    else {
        return;
    };
    let terms: Vec<(usize, &str)> = specification
        .sections
        .iter()
        .enumerate()
        .flat_map(|(section, specified)| {
            let terms = specified.prohibited_terms.iter();
            terms.map(move |term| (section, term.trim()))
        })
        .collect();
    if terms.is_empty() {
        return;
    }
    let plan = plan::compare(document, specification, language);
    let tree = Phrases::new(document, terms.iter().map(|(_, term)| *term));
    // The components in which each term is prohibited.
    let mut scopes: HashMap<usize, (&str, BTreeSet<usize>)> = HashMap::new();
    for (index, (section, term)) in terms.iter().enumerate() {
        let scope = match plan.fits.get(*section) {
            Some(Fit::Matched(component) | Fit::Retitled(component)) => *component,
            _ => WHOLE,
        };
        if let Some(first) = tree.same_as(index) {
            scopes
                .entry(first)
                .or_insert_with(|| (term, BTreeSet::new()))
                .1
                .insert(scope);
        }
    }
    let quotes = Quotes::of(document);
    tree.each(|phrase, words| {
        let (Some((term, components)), Some(first), Some(last)) =
            (scopes.get(&phrase), words.first(), words.last())
        else {
            return;
        };
        let Some(field) = document.texts().get(first.text as usize) else {
            return;
        };
        let is_in_its_section = components.contains(&(first.part as usize));
        let range = first.start as usize..last.end as usize;
        let is_meant = (is_in_its_section || components.contains(&WHOLE))
            && !words.iter().any(|word| word.in_code)
            && is_form_of(
                field.text.get(range.clone()).unwrap_or_default(),
                term,
                language,
            )
            && !is_quoted(&field.text, &range)
            && !quotes.contain(first);
        if !is_meant {
            return;
        }
        let found = field.text.get(range.clone()).unwrap_or_default();
        let message = if found == *term {
            format!("the specification prohibits “{term}”; use another term")
        } else {
            format!("“{found}” is a form of “{term}”, which the specification prohibits; use another term")
        };
        let finding = sink.in_text(field, range, message);
        if !is_in_its_section {
            finding.severity(Severity::Warning);
        }
    });
}

/// The index of the whole document among the components.
const WHOLE: usize = 0;

/// Whether words are forms of a term. Equal English stems are not enough, because
/// unrelated words share them (universe, university), and an error must be certain.
fn is_form_of(found: &str, term: &str, language: Language) -> bool {
    if language != Language::EN {
        return true;
    }
    let (found, term) = (words(found), words(term));
    found
        .zip(term)
        .all(|((_, found), (_, term))| is_english_form(&found.to_lowercase(), &term.to_lowercase()))
}

fn is_english_form(one: &str, other: &str) -> bool {
    const ENDINGS: &[&str] = &["", "s", "es", "'s", "’s", "e", "d", "ed", "ing"];
    const OF_Y: &[&str] = &["y", "ies", "ied"];
    let shared: usize = one
        .chars()
        .zip(other.chars())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    let (one, other) = (&one[shared..], &other[shared..]);
    [ENDINGS, OF_Y]
        .iter()
        .any(|endings| endings.contains(&one) && endings.contains(&other))
}

struct Quotes {
    by_text: Vec<Vec<Range<usize>>>,
}

impl Quotes {
    fn of(document: &Document) -> Self {
        let by_text = document.texts().iter().map(|field| {
            let blocks = field.markdown().blocks.iter();
            blocks
                .filter(|block| block.kind == BlockKind::BlockQuote && block.depth == 0)
                .map(|block| block.span.clone())
                .collect()
        });
        Self {
            by_text: by_text.collect(),
        }
    }

    fn contain(&self, word: &Word) -> bool {
        let Some(quotes) = self.by_text.get(word.text as usize) else {
            return false;
        };
        let at = word.start as usize;
        let next = quotes.partition_point(|quote| quote.end <= at);
        quotes.get(next).is_some_and(|quote| quote.start <= at)
    }
}

/// Whether words are in quotation marks, alone or with a few others.
fn is_quoted(text: &str, range: &Range<usize>) -> bool {
    const REACH: usize = 80;
    let start = text.ceil_char_boundary(range.start.saturating_sub(REACH));
    let end = text.floor_char_boundary(range.end.saturating_add(REACH));
    let before = text.get(start..range.start).unwrap_or_default();
    let after = text.get(range.end..end).unwrap_or_default();
    const PAIRS: &[(char, char)] = &[
        ('“', '”'),
        ('„', '“'),
        ('«', '»'),
        ('‹', '›'),
        ('「', '」'),
        ('『', '』'),
        ('《', '》'),
        ('‘', '’'),
    ];
    let in_pair = PAIRS.iter().any(|(open, close)| {
        let opened = before.rfind(*open);
        let closed = before.rfind(*close);
        opened.is_some_and(|opened| closed.is_none_or(|closed| closed < opened))
            && after.contains(*close)
    });
    let line = |text: &str| {
        text.rsplit('\n')
            .next()
            .unwrap_or_default()
            .matches('"')
            .count()
    };
    in_pair || (line(before) % 2 == 1 && after.split('\n').next().unwrap_or_default().contains('"'))
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity::{Error, Warning};

    use crate::lesson::checks::testing::severities;

    #[test]
    fn a_prohibited_term_is_found_in_its_section_and_nowhere_else() {
        let spec = r#"{"title": "T", "sections": [{"title": "Interest", "constraints": {"prohibited_terms": ["guarantee", "no risk", "universe"]}}, {"title": "Risk"}]}"#;
        for (lesson, expected) in [
            ("# T\n\n## Interest\n\nIt is guaranteed.\n", &[Error][..]),
            (
                "# T\n\n## Interest rates\n\nThere is no risk at all, and a Guarantee.\n",
                &[Error, Error],
            ),
            (
                "# T\n\n## Risk\n\nThis guarantees nothing.\n\n## Interest\n\nFine.\n",
                &[],
            ),
            ("# T\n\n## Money\n\nThis guarantees nothing.\n", &[Warning]),
            (
                "# T\n\n## Interest\n\nNever say \"guaranteed\" or “a guarantee of this”, or `guarantee`.\n",
                &[],
            ),
            (
                "# T\n\n## Interest\n\n> I guarantee it.\n\n```\nguarantee\n```\n",
                &[],
            ),
            ("# T\n\n## Interest\n\nThe university pays.\n", &[]),
        ] {
            assert_eq!(
                severities(&super::CHECK, lesson, Some(spec)),
                expected,
                "{lesson}"
            );
        }
    }

    #[test]
    fn forms_are_found_in_russian_and_words_in_chinese() {
        let russian = r#"{"title": "Т", "language": "ru", "sections": [{"title": "Вклад", "constraints": {"prohibited_terms": ["гарантия"]}}]}"#;
        let chinese = r#"{"title": "题", "language": "zh", "sections": [{"title": "利息", "constraints": {"prohibited_terms": ["保证"]}}]}"#;
        for (lesson, spec, expected) in [
            (
                "# Т\n\n## Вклады\n\nБанк даёт вам гарантию дохода.\n",
                russian,
                &[Error][..],
            ),
            (
                "# Т\n\n## Вклады\n\nБанк даёт вам «гарантию» дохода.\n",
                russian,
                &[],
            ),
            ("# 题\n\n## 利息\n\n银行保证利润。\n", chinese, &[Error]),
            ("# 题\n\n## 利息\n\n银行支付利息。\n", chinese, &[]),
        ] {
            assert_eq!(
                severities(&super::CHECK, lesson, Some(spec)),
                expected,
                "{lesson}"
            );
        }
    }
}
