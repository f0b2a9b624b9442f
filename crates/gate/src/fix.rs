//! Applying the safe fixes until nothing is left to fix.
//!
//! A round takes the safe fixes that do not touch each other, applies them together and
//! examines the result again. A fix that causes a new finding is rolled back: it was not
//! as safe as its check believed. If the new finding is an error, the finding that could not
//! be fixed is one, too: what it covers is not in order. The number of rounds is capped, so that two checks that
//! undo each other cannot run forever. What the document is, Markdown or JSON, was
//! decided when it was first read; no fix changes that, and a fix after which the file
//! is not text any more is rolled back.

use std::collections::{BTreeMap, BTreeSet};

use redraft_text::encoding::Encoding;

use crate::check::Phase;
use crate::content::Document;
use crate::edit::{self, Edit, EditError};
use crate::finding::{Finding, Fix, Severity};
use crate::reading::FormKind;

/// The most rounds that are run.
pub const MOST_ROUNDS: usize = 10;

/// A document and what was found in it.
#[derive(Debug)]
pub struct Inspected {
    pub document: Document,
    pub findings: Vec<Finding>,
}

#[derive(Debug)]
pub struct Fixed {
    /// The fixed document, and its remaining findings.
    pub inspected: Inspected,
    /// The fixes that were applied, round by round.
    pub applied: Vec<Finding>,
    /// Codes of the checks whose fixes were rolled back because they caused new findings.
    pub taken_back: BTreeSet<&'static str>,
    /// Whether fixes remain after the last round.
    pub capped: bool,
    /// Errors that came to light when the fixes of a check were tried, by its code.
    revealed: BTreeMap<&'static str, String>,
}

impl Fixed {
    /// Makes errors of findings whose fix would bring an error to light.
    fn with_revealed_errors(mut self) -> Self {
        for finding in &mut self.inspected.findings {
            let error = self.revealed.get(finding.check.code);
            if let Some(error) = error.filter(|_| finding.safe_fix().is_some()) {
                finding.severity = Severity::Error;
                finding.message = format!("{} (not fixed, because then: {error})", finding.message);
            }
        }
        self
    }
}

/// Applies safe fixes to a document until none is left.
///
/// `inspect` parses and examines bytes in the form that was decided, always in the
/// same way.
///
/// # Errors
/// When edits do not fit their document, which is an internal error.
pub fn fix(
    start: Inspected,
    inspect: impl Fn(Vec<u8>, FormKind) -> Inspected,
) -> Result<Fixed, EditError> {
    let form = start.document.form();
    let inspect = |bytes| inspect(bytes, form);
    let mut fixed = Fixed {
        inspected: start,
        applied: Vec::new(),
        taken_back: BTreeSet::new(),
        capped: false,
        revealed: BTreeMap::new(),
    };
    for _ in 0..MOST_ROUNDS {
        let chosen = choose(&fixed.inspected.findings, &fixed.taken_back);
        if chosen.is_empty() {
            return Ok(fixed.with_revealed_errors());
        }
        let after = attempt(&fixed.inspected, &chosen, &inspect)?;
        if brings_nothing_new(&fixed.inspected, &after) {
            fixed.applied.extend(chosen.into_iter().cloned());
            fixed.inspected = after;
        } else {
            one_check_at_a_time(&mut fixed, &inspect)?;
        }
    }
    fixed.capped = !choose(&fixed.inspected.findings, &fixed.taken_back).is_empty();
    Ok(fixed.with_revealed_errors())
}

/// Some fix of the round caused a new finding: tries the fixes of each check on their own,
/// and rolls back those that cause new findings.
fn one_check_at_a_time(
    fixed: &mut Fixed,
    inspect: &impl Fn(Vec<u8>) -> Inspected,
) -> Result<(), EditError> {
    let codes: BTreeSet<&'static str> = choose(&fixed.inspected.findings, &fixed.taken_back)
        .iter()
        .map(|finding| finding.check.code)
        .collect();
    for code in codes {
        let chosen: Vec<&Finding> = choose(&fixed.inspected.findings, &fixed.taken_back)
            .into_iter()
            .filter(|finding| finding.check.code == code)
            .collect();
        if chosen.is_empty() {
            continue;
        }
        let after = attempt(&fixed.inspected, &chosen, inspect)?;
        if brings_nothing_new(&fixed.inspected, &after) {
            fixed.applied.extend(chosen.into_iter().cloned());
            fixed.inspected = after;
        } else {
            fixed.taken_back.insert(code);
            if let Some(error) = new_error(&fixed.inspected, &after) {
                fixed.revealed.insert(code, error);
            }
        }
    }
    Ok(())
}

fn attempt(
    before: &Inspected,
    chosen: &[&Finding],
    inspect: &impl Fn(Vec<u8>) -> Inspected,
) -> Result<Inspected, EditError> {
    let edits: Vec<Edit> = chosen
        .iter()
        .filter_map(|finding| finding.safe_fix())
        .flat_map(|fix| fix.edits.iter().cloned())
        .collect();
    let source = before.document.source();
    edit::apply(source.bytes(), source.version(), &edits).map(inspect)
}

/// The safe fixes of a round, in the order of the file: each whole, none
/// touching an earlier one.
fn choose<'a>(findings: &'a [Finding], taken_back: &BTreeSet<&'static str>) -> Vec<&'a Finding> {
    let mut candidates: Vec<(&Finding, &Fix)> = findings
        .iter()
        .filter(|finding| !taken_back.contains(finding.check.code))
        .filter_map(|finding| finding.safe_fix().map(|fix| (finding, fix)))
        .filter(|(_, fix)| !fix.edits.is_empty())
        .collect();
    candidates.sort_by_key(|(_, fix)| fix.edits.iter().map(|edit| edit.span.start).min());
    let mut chosen = Vec::new();
    // Spans taken so far by their start; none touches another.
    let mut taken: BTreeMap<usize, Edit> = BTreeMap::new();
    for (finding, fix) in candidates {
        if fix.edits.iter().all(|edit| is_free(&taken, edit)) && edits_are_disjoint(&fix.edits) {
            taken.extend(fix.edits.iter().map(|edit| (edit.span.start, edit.clone())));
            chosen.push(finding);
        }
    }
    chosen
}

fn is_free(taken: &BTreeMap<usize, Edit>, edit: &Edit) -> bool {
    let before = taken.range(..=edit.span.start).next_back();
    let after = taken.range(edit.span.start..).next();
    [before, after]
        .into_iter()
        .flatten()
        .all(|(_, other)| !edit.span.touches(other.span))
}

fn edits_are_disjoint(edits: &[Edit]) -> bool {
    let mut spans: Vec<_> = edits.iter().map(|edit| edit.span).collect();
    spans.sort_unstable();
    spans
        .windows(2)
        .all(|pair| pair[0].end <= pair[1].start && pair[0].start != pair[1].start)
}

/// Counts findings about the state of the text, by check. What the text is to say
/// and how long it is to be does not count unless it is an error: a scrubbed text
/// is shorter, and may fall below a figure that it met with its noise.
fn brings_nothing_new(before: &Inspected, after: &Inspected) -> bool {
    if after.document.source().encoding() == Encoding::Binary
        && before.document.source().encoding() != Encoding::Binary
    {
        return false;
    }
    let count = |findings: &[Finding]| {
        let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
        for finding in findings.iter().filter(|finding| is_about_state(finding)) {
            *counts.entry(finding.check.code).or_default() += 1;
        }
        counts
    };
    let before = count(&before.findings);
    count(&after.findings)
        .iter()
        .all(|(code, number)| before.get(code).is_some_and(|earlier| number <= earlier))
}

/// An error of a check that found fewer of them before.
fn new_error(before: &Inspected, after: &Inspected) -> Option<String> {
    let errors = |inspected: &Inspected| {
        let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
        for finding in &inspected.findings {
            let is_error = finding.severity == Severity::Error;
            *counts.entry(finding.check.code).or_default() += usize::from(is_error);
        }
        counts
    };
    let (earlier, later) = (errors(before), errors(after));
    let mut new = after.findings.iter().filter(|finding| {
        let code = finding.check.code;
        finding.severity == Severity::Error && later.get(code) > earlier.get(code)
    });
    new.next()
        .map(|finding| format!("{} {}", finding.check.code, finding.message))
}

fn is_about_state(finding: &Finding) -> bool {
    match finding.check.phase {
        Phase::Integrity | Phase::Hygiene => finding.severity > Severity::Info,
        Phase::Semantics | Phase::Acceptance => finding.severity == Severity::Error,
    }
}
