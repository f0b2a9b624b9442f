//! The facts that a repair must not lose: headings, code, numbers, formulas, links. Counted over
//! the passages of one component, before and after.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use redraft_text::markdown::BlockKind;
use redraft_text::mathematics::mathematics;

use super::quantities::{Quantity, quantities};
use super::{Objection, ObjectionKind, Permitted};
use crate::repair::Passage;
use redraft_gate::content::TextRole;

/// The facts of a component, in text order.
#[derive(Debug, Default)]
pub(super) struct Facts {
    headings: Vec<String>,
    /// Whether the component begins with its own heading.
    titled: bool,
    blocks: Vec<String>,
    inline: Vec<String>,
    numbers: Vec<String>,
    /// Numbers with their units and the signs before them.
    quantities: Vec<Quantity>,
    links: Vec<String>,
    /// Formulas, without white space.
    formulas: Vec<String>,
}

impl Facts {
    pub(super) fn of(passages: &[Passage<'_>]) -> Self {
        let mut facts = Self::default();
        for passage in passages {
            facts.add(passage);
        }
        facts
    }

    fn add(&mut self, passage: &Passage<'_>) {
        let text: &str = &passage.field.text;
        let within = &passage.range;
        if passage.field.role == TextRole::Code {
            self.blocks.push(passage.text.to_owned());
            return;
        }
        let analysis = passage.field.markdown();
        let first = analysis
            .blocks
            .partition_point(|block| block.span.start < within.start);
        let mut code_blocks = Vec::new();
        for block in analysis.blocks.iter().skip(first) {
            if block.span.start >= within.end {
                break;
            }
            match &block.kind {
                BlockKind::Heading {
                    level, text: title, ..
                } => {
                    let before = text.get(within.start..block.span.start);
                    if self.headings.is_empty()
                        && before.is_some_and(|before| before.trim().is_empty())
                        && passage.name.is_empty()
                    {
                        self.titled = true;
                    }
                    self.headings
                        .push(format!("{} {title}", "#".repeat(usize::from(*level))));
                }
                BlockKind::CodeBlock { .. } => {
                    code_blocks.push(block.span.clone());
                    self.blocks
                        .push(text.get(block.span.clone()).unwrap_or_default().to_owned());
                }
                _ => {}
            }
        }
        let mut at = within.start;
        for code in analysis
            .code
            .iter()
            .filter(|code| code.start < within.end && within.start < code.end)
        {
            self.count_numbers(text.get(at..code.start.max(at)).unwrap_or_default());
            at = code.end.min(within.end).max(at);
            if !code_blocks
                .iter()
                .any(|block| block.start < code.end && code.start < block.end)
            {
                self.inline.push(
                    text.get(code.clone())
                        .unwrap_or_default()
                        .trim_matches(['`', ' '])
                        .to_owned(),
                );
            }
        }
        self.count_numbers(text.get(at..within.end).unwrap_or_default());
        let links = analysis
            .links
            .iter()
            .filter(|link| link.span.start >= within.start && link.span.end <= within.end);
        self.links
            .extend(links.map(|link| link.destination.clone()));
        let formulas = mathematics(text, &analysis.code).into_iter();
        let formulas =
            formulas.filter(|range| within.start <= range.start && range.end <= within.end);
        let formulas = formulas.filter_map(|range| text.get(range));
        // `\$` alone is an escaped sign.
        let formulas = formulas.filter(|formula| formula.len() > ESCAPED_SIGN);
        self.formulas.extend(formulas.map(|formula| {
            let signs = formula.chars().filter(|c| !c.is_whitespace());
            signs.collect()
        }));
    }

    fn count_numbers(&mut self, text: &str) {
        self.numbers.extend(numbers(text));
        self.quantities.extend(quantities(text));
    }
}

const ESCAPED_SIGN: usize = r"\$".len();

/// Digits with separators, as they are written. The numbers of list items do not count.
pub(super) fn numbers(text: &str) -> Vec<String> {
    let ranges = number_ranges(text).into_iter();
    ranges
        .filter_map(|range| text.get(range).map(str::to_owned))
        .collect()
}

pub(super) fn number_ranges(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text
        .get(at..)
        .and_then(|rest| rest.find(char::is_numeric))
        .map(|offset| at + offset)
    {
        let mut end = start;
        let mut chars = text
            .get(start..)
            .unwrap_or_default()
            .char_indices()
            .peekable();
        while let Some((offset, c)) = chars.next() {
            let joins = matches!(
                c,
                '.' | ',' | ':' | '/' | '\u{a0}' | '\u{202f}' | '’' | '\''
            );
            let goes_on = chars.peek().is_some_and(|(_, next)| next.is_numeric());
            if c.is_numeric() {
                end = start + offset + c.len_utf8();
            } else if !(joins && goes_on) {
                break;
            }
        }
        at = end.max(start + 1);
        let line = text
            .get(..start)
            .unwrap_or_default()
            .rsplit('\n')
            .next()
            .unwrap_or_default();
        let behind = text.get(end..).unwrap_or_default();
        let is_item = line.trim().trim_matches('>').trim().is_empty()
            && (behind.starts_with(". ") || behind.starts_with(") "));
        if !is_item {
            found.push(start..end);
        }
    }
    found
}

/// Compares the facts before and after a repair.
pub(super) fn compare(
    old: &Facts,
    new: &Facts,
    task: &Permitted<'_>,
    objections: &mut Vec<Objection>,
) {
    headings(old, new, task, objections);
    if !task.regenerates || task.keeps_numbers {
        compare_numbers(old, new, task, objections);
    }
    if task.regenerates {
        return;
    }
    if !task.may_touch_code {
        let kept = is_subsequence(&old.blocks, &new.blocks);
        let added = !task.may_add && new.blocks.len() > old.blocks.len();
        if !kept {
            let missing = gone(&old.blocks, &new.blocks);
            objections.push(Objection::new(
                ObjectionKind::Code,
                format!(
                    "a code block was changed or dropped, {}, and no issue is about it; leave code as it is",
                    shown(missing.or(old.blocks.first()).map_or("", String::as_str))
                ),
            ));
        } else if added {
            objections.push(Objection::new(
                ObjectionKind::Code,
                "a code block was added that no issue asks for",
            ));
        }
        if let Some(gone) = gone(&old.inline, &new.inline) {
            objections.push(Objection::new(
                ObjectionKind::Code,
                format!(
                    "`{gone}` is gone or was changed, and no issue is about code; leave it as it is"
                ),
            ));
        }
    }
    if let Some(formula) = lost(&old.formulas, &new.formulas)
        && !task.may_touch_formula(formula)
    {
        objections.push(Objection::new(
            ObjectionKind::Numbers,
            format!("the formula {} is gone or was changed, and no issue quotes it as wrong; keep every other formula", shown(formula)),
        ));
    }
    if !task.may_touch_links
        && let Some(link) = lost(&old.links, &new.links)
    {
        objections.push(Objection::new(
            ObjectionKind::Links,
            format!("the link or picture {} is gone; keep it", shown(link)),
        ));
    }
}

/// Compares numbers and what they measure.
fn compare_numbers(
    old: &Facts,
    new: &Facts,
    task: &Permitted<'_>,
    objections: &mut Vec<Objection>,
) {
    if let Some(number) = lost_beyond(&old.numbers, &new.numbers, &task.numbers) {
        objections.push(Objection::new(
            ObjectionKind::Numbers,
            format!("the number {number} is gone or was changed, and no issue quotes it as wrong; keep every other number"),
        ));
        return;
    }
    let free = |quantity: &&Quantity| task.numbers.contains(&quantity.number);
    let names = |quantities: &[Quantity]| -> Vec<String> {
        let bound = quantities.iter().filter(|one| !free(one));
        bound.map(ToString::to_string).collect()
    };
    let (before, after) = (names(&old.quantities), names(&new.quantities));
    if let Some(quantity) = lost(&before, &after) {
        objections.push(Objection::new(
            ObjectionKind::Numbers,
            format!("{quantity} is gone or measures something else now, and no issue quotes it as wrong; keep numbers with their units"),
        ));
    }
}

fn headings(old: &Facts, new: &Facts, task: &Permitted<'_>, objections: &mut Vec<Objection>) {
    let own = |facts: &Facts| facts.headings.first().filter(|_| facts.titled).cloned();
    let keeps_own = own(old) == own(new) || (task.may_touch_headings && !task.regenerates);
    let keeps_all = task.regenerates
        || task.may_touch_headings
        || old.headings == new.headings
        || (task.may_add && is_subsequence(&old.headings, &new.headings));
    if keeps_own && keeps_all {
        return;
    }
    let missing = gone(&old.headings, &new.headings);
    let more = gone(&new.headings, &old.headings);
    let message = match (missing, more) {
        (Some(gone), _) => format!(
            "the heading {} is gone or was changed; keep it",
            shown(gone)
        ),
        (None, Some(more)) => format!(
            "the heading {} was added, and no issue asks for it",
            shown(more)
        ),
        (None, None) => {
            "the order or number of the headings was changed; keep them as they were".to_owned()
        }
    };
    objections.push(Objection::new(ObjectionKind::Headings, message));
}

fn is_subsequence(short: &[String], long: &[String]) -> bool {
    let mut rest = long.iter();
    short.iter().all(|wanted| rest.any(|item| item == wanted))
}

/// The first item that is missing.
fn gone<'a>(old: &'a [String], new: &[String]) -> Option<&'a String> {
    let there: BTreeSet<&String> = new.iter().collect();
    old.iter().find(|item| !there.contains(item))
}

/// The first item that occurs less often than before, ignoring those in `free`.
fn lost_beyond<'a>(old: &'a [String], new: &[String], free: &[String]) -> Option<&'a str> {
    let bound: Vec<String> = old
        .iter()
        .filter(|number| !free.contains(number))
        .cloned()
        .collect();
    let gone = lost(&bound, new)?.to_owned();
    old.iter()
        .map(String::as_str)
        .find(|number| *number == gone)
}

/// The first item that occurs less often than before.
fn lost<'a>(old: &'a [String], new: &[String]) -> Option<&'a str> {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for item in new {
        *left.entry(item).or_default() += 1;
    }
    old.iter()
        .map(String::as_str)
        .find(|item| match left.get_mut(item) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
}

/// The beginning of a text on one line, for messages.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 80;
    let joined = text
        .split_whitespace()
        .take(MOST)
        .collect::<Vec<_>>()
        .join(" ");
    match joined.char_indices().nth(MOST) {
        Some((at, _)) => format!("“{}…”", joined.get(..at).unwrap_or_default()),
        None => format!("“{joined}”"),
    }
}
