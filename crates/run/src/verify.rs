//! Verifies repairs. Tier one is done by the program, for free and always: it compares the text
//! before and after. Tier two is the delta judge, a model whose answer is read here. The run rolls
//! back repairs that fail.
//!
//! | objection | unless |
//! |---|---|
//! | a byte outside the component differs; a component is missing, renamed or new | a regenerated component may contain different components |
//! | a JSON value other than the component's texts differs | never |
//! | protected text differs (keys, flags, expected answers) | never |
//! | sensitive text differs (the right option's words) | an issue quotes it |
//! | a heading is missing, new or different | the task is about headings, adds, or regenerates; the component's own heading never |
//! | a code block or inline code is missing or different | the task is about code, or regenerates; new blocks: it adds |
//! | a number in prose is missing or different, or measures something else | an issue quotes that number and is about it, a finding marks it, or the task regenerates and the policy does not keep numbers |
//! | a formula is missing or different | an issue quotes it, or the task regenerates |
//! | a link or picture is missing | the task is about links or pictures, or regenerates |
//! | shorter than 70% | regenerated: 30% |
//! | longer than twice | it grows by little, or the task adds or regenerates: three times, or by more letters; if a minimum is named: half more than that |
//! | another language, or a sentence in one | never; a sentence if the component already has one in that language, or an issue is about it |
//! | a new error or warning | never |
//! | damage in the component on its own: see `own_text` | it was there before |
//! | markup that is more than plain, or links to unknown hosts: see `markup` | it was there before |
//! | structured operations: see `structure`; texts are compared with the text after them | |
//! | new active content, bidi controls, instructions to the judge or ignore comments | never |

mod changes;
mod cut_inside;
mod delta;
mod facts;
mod frame;
mod markup;
mod own_text;
mod permitted;
mod put_in;
mod quantities;
mod scrub;
mod structured;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use redraft_text::language::{Language, differs, mentions};
use redraft_text::markdown::BlockKind;
use redraft_text::sentences::sentences;
use redraft_text::words::count_words;
use serde::Serialize;
use thiserror::Error;

use crate::policy::LengthLimits;
use crate::repair::{self, Passage};
use redraft_gate::content::{Component, Document, TextRole};
use redraft_gate::finding::{Finding, Severity};
use redraft_gate::fix::Inspected;
use redraft_gate::span::ComponentId;

pub use changes::{changes, whole_component, widest_change};
pub use delta::{
    Better, Delta, DeltaAnswer, Fits, consistency_schema, delta_schema, next_component_asked_about,
    read_consistency, read_delta, read_next,
};
pub use frame::without_frames;
pub use markup::markup;
pub use own_text::own_text;
pub use permitted::{Permitted, Protected};
pub use scrub::scrubs_only;
pub use structured::structured_changes;

use facts::Facts;

/// Why a repair is rejected, worded for the next prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Error)]
#[error("{message}")]
pub struct Objection {
    pub kind: ObjectionKind,
    /// What is wrong, with the words in question, and what to do.
    pub message: String,
}

impl Objection {
    /// An objection of a profile.
    pub(crate) fn about_meaning(message: String) -> Self {
        Self::new(ObjectionKind::Meaning, message)
    }

    fn new(kind: ObjectionKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}

/// The rule that a repair broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ObjectionKind {
    /// It changes only its component.
    LeavesComponent,
    /// It leaves protected text alone.
    Protected,
    Headings,
    Code,
    Numbers,
    /// It keeps links and pictures.
    Links,
    /// It does not become too short.
    Shrinks,
    /// It does not become too long.
    Grows,
    Language,
    /// It causes no new findings.
    NewFindings,
    /// It is only the text, without a frame.
    Wrapped,
    /// It contains no notes about itself.
    Note,
    /// It is complete.
    CutOff,
    /// It removes noise and nothing else.
    MoreThanNoise,
    /// It keeps what only the profile knows: what is asked, and which answer is right.
    Meaning,
}

/// Tier one: compares the text before and after the repair of one component.
///
/// # Errors
/// All objections, the most serious first.
pub fn tier_one(
    before: &Inspected,
    after: &Inspected,
    component: &ComponentId,
    task: &Permitted<'_>,
) -> Result<(), Vec<Objection>> {
    let part = |document: &Document| {
        document
            .components()
            .iter()
            .position(|part| part.id == *component)
    };
    let Some(index) = part(&before.document) else {
        return Err(vec![Objection::new(
            ObjectionKind::LeavesComponent,
            format!("unknown component `{component}`"),
        )]);
    };
    // If the repair leaves its component, nothing else can be compared.
    containment(&before.document, &after.document, index, task)
        .map_err(|objection| vec![objection])?;
    let mut objections = Vec::new();
    // Structured operations have their own rules; texts are compared with the state after them.
    let base = task.structured.unwrap_or(&before.document);
    protected(base, &after.document, task, &mut objections);
    let old = repair::passages(base, component);
    let new = repair::passages(&after.document, component);
    let (old_facts, new_facts) = (Facts::of(&old), Facts::of(&new));
    facts::compare(&old_facts, &new_facts, task, &mut objections);
    let place = (base, component);
    length(place, (&old, &new), task, &mut objections);
    language(
        &repair::passages(&before.document, component),
        &new,
        &mut objections,
    );
    foreign_sentences(&before.document, (&old, &new), &mut objections);
    grown_by_operations(before, &new, (component, task), &mut objections);
    new_findings(before, after, &mut objections);
    never_added(before, after, &mut objections);
    objections.sort_by_key(|objection| objection.kind);
    if objections.is_empty() {
        Ok(())
    } else {
        Err(objections)
    }
}

/// Checks that every byte outside the component is unchanged, and that every other component is
/// still where those bytes are now.
fn containment(
    before: &Document,
    after: &Document,
    index: usize,
    task: &Permitted<'_>,
) -> Result<(), Objection> {
    let leaves = |message: String| Objection::new(ObjectionKind::LeavesComponent, message);
    let part = &before.components()[index];
    let id = &part.id;
    let (old, new) = (before.source().bytes(), after.source().bytes());
    let span = if part.parent.is_none() {
        0..old.len()
    } else {
        before.span(part.range.clone()).range()
    };
    let tail = old.len() - span.end;
    let fits = new.len() >= span.start + tail
        && new.get(..span.start) == old.get(..span.start)
        && new.get(new.len() - tail..) == old.get(span.end..);
    if !fits {
        return Err(leaves(format!(
            "text outside `{id}` was changed; change only this part"
        )));
    }
    let inside = |parts: &[Component], mut at: usize, root: usize| loop {
        if at == root {
            return true;
        }
        match parts.get(at).and_then(|part| part.parent) {
            Some(parent) if parent < at => at = parent,
            _ => return false,
        }
    };
    let new_index = after
        .components()
        .iter()
        .position(|part| part.id == *id)
        .ok_or_else(|| leaves(format!("`{id}` is gone; keep its heading and its form")))?;
    // Offsets after the component move by the change in its length.
    let moved = |offset: usize| {
        if offset >= span.end {
            offset - span.end + (new.len() - tail)
        } else {
            offset
        }
    };
    let others = |document: &Document,
                  root: usize,
                  shift: &dyn Fn(usize) -> usize|
     -> Vec<(ComponentId, Range<usize>)> {
        let parts = document.components();
        (0..parts.len())
            .filter(|at| *at > 0 && !inside(parts, *at, root))
            .map(|at| {
                let range = document.span(parts[at].range.clone()).range();
                // A component around this one begins before it and ends after it.
                (parts[at].id.clone(), shift(range.start)..shift(range.end))
            })
            .collect()
    };
    let old_others = others(before, index, &moved);
    let new_others = others(after, new_index, &|offset| offset);
    if let Some(difference) = first_difference(&old_others, &new_others) {
        return Err(leaves(format!(
            "the change reaches beyond `{id}`: {difference}; close every fence, bracket and comment, and add no heading of the part's own level or above"
        )));
    }
    let new_part = &after.components()[new_index];
    let new_span = if new_part.parent.is_none() {
        0..new.len()
    } else {
        after.span(new_part.range.clone()).range()
    };
    if part.kind != new_part.kind || new_span != (span.start..new.len() - tail) {
        return Err(leaves(format!(
            "`{id}` does not end where it ended; keep its heading, and add no other part"
        )));
    }
    if !task.regenerates && !task.may_add {
        let names = |document: &Document, root: usize| -> Vec<ComponentId> {
            let parts = document.components();
            (0..parts.len())
                .filter(|at| inside(parts, *at, root))
                .map(|at| parts[at].id.clone())
                .collect()
        };
        let (old_names, new_names) = (names(before, index), names(after, new_index));
        if let Some(gone) = old_names.iter().find(|name| !new_names.contains(name)) {
            return Err(leaves(format!("`{gone}` is gone from `{id}`; keep it")));
        }
        if let Some(more) = new_names.iter().find(|name| !old_names.contains(name)) {
            return Err(leaves(format!(
                "`{more}` is new in `{id}`; nothing was to be added"
            )));
        }
    }
    skeleton(task.structured.unwrap_or(before), after, id)
}

fn first_difference(
    old: &[(ComponentId, Range<usize>)],
    new: &[(ComponentId, Range<usize>)],
) -> Option<String> {
    let differs = old.iter().zip(new).find(|(old, new)| old != new);
    match (differs, old.len().cmp(&new.len())) {
        (Some(((old, _), (new, _))), _) if old == new => {
            Some(format!("`{old}` is cut in another place now"))
        }
        (Some(((old, _), (new, _))), _) => Some(format!("where `{old}` stood, `{new}` stands now")),
        (None, std::cmp::Ordering::Less) => new
            .get(old.len())
            .map(|(new, _)| format!("there is a new part `{new}`")),
        (None, std::cmp::Ordering::Greater) => old
            .get(new.len())
            .map(|(old, _)| format!("`{old}` is gone")),
        (None, std::cmp::Ordering::Equal) => None,
    }
}

/// Whether the bytes prove that nothing but the component's texts differs. Otherwise a repair is
/// rejected.
#[must_use]
pub fn keeps_the_rest(before: &Document, after: &Document, component: &ComponentId) -> bool {
    skeleton(before, after, component).is_ok()
}

/// In JSON only the component's own texts may differ. There must be the same texts, with the same
/// bytes between any two.
fn skeleton(before: &Document, after: &Document, id: &ComponentId) -> Result<(), Objection> {
    let is_markdown =
        |document: &Document| document.texts().iter().any(|field| field.path.is_empty());
    if is_markdown(before) && is_markdown(after) {
        return Ok(());
    }
    let broken = || {
        Objection::new(
            ObjectionKind::LeavesComponent,
            format!("something other than the texts of `{id}` was changed; change only its texts"),
        )
    };
    let own: Vec<&str> = repair::passages(before, id)
        .iter()
        .map(|passage| passage.name)
        .collect();
    let (old, new) = (before.source().text(), after.source().text());
    let (mut old_at, mut new_at) = (0, 0);
    if before.texts().len() != after.texts().len() {
        return Err(broken());
    }
    // How the component's text before a gap is written, because its quotes may begin the gap.
    let mut edited = None;
    for (a, b) in before.texts().iter().zip(after.texts()) {
        let (a_span, b_span) = (a.map.source_span(), b.map.source_span());
        let is_own = own.contains(&&*a.path);
        let here = a.writing.filter(|_| is_own);
        let gaps = [old.get(old_at..a_span.start), new.get(new_at..b_span.start)]
            .map(|gap| gap.map(|gap| frame::without(gap, edited, here)));
        let same = a.path == b.path
            && gaps[0] == gaps[1]
            && (is_own || old.get(a_span.clone()) == new.get(b_span.clone()));
        if !same {
            return Err(broken());
        }
        (old_at, new_at) = (a_span.end, b_span.end);
        edited = here;
    }
    let rests = [old.get(old_at..), new.get(new_at..)]
        .map(|rest| rest.map(|rest| frame::without(rest, edited, None)));
    if rests[0] == rests[1] {
        Ok(())
    } else {
        Err(broken())
    }
}

/// Compares protected and sensitive text.
fn protected(
    before: &Document,
    after: &Document,
    task: &Permitted<'_>,
    objections: &mut Vec<Objection>,
) {
    let texts = |document: &Document, ranges: &[Range<usize>]| -> Vec<String> {
        let text = document.source().text();
        ranges
            .iter()
            .map(|range| text.get(range.clone()).unwrap_or_default().to_owned())
            .collect()
    };
    for (ranges, always) in [(task.protected, true), (task.sensitive, false)] {
        let old = texts(before, ranges.before);
        let new = texts(after, ranges.after);
        let changed = old
            .iter()
            .zip(&new)
            .filter(|(old, new)| old != new)
            .map(|(old, _)| old)
            .chain(old.iter().skip(new.len()))
            .find(|old| always || !task.is_quoted(old));
        let more = (old.len() < new.len())
            .then(|| new.get(old.len()))
            .flatten();
        if let Some(words) = changed.or(more) {
            let message = if always {
                format!(
                    "{} was changed, which is protected: it says which answer is right",
                    facts::shown(words)
                )
            } else {
                format!(
                    "the words of a right answer were changed, {}, and no issue is about them; leave them as they are",
                    facts::shown(words)
                )
            };
            objections.push(Objection::new(ObjectionKind::Protected, message));
        }
    }
}

/// Characters that are not white space.
fn letters(passages: &[Passage<'_>]) -> usize {
    passages
        .iter()
        .map(|passage| passage.text.chars().filter(|c| !c.is_whitespace()).count())
        .sum()
}

/// The maximum number of letters in a component after a repair (rulings 56, 60).
fn most_letters(document: &Document, component: &ComponentId, task: &Permitted<'_>) -> usize {
    let passages = repair::passages(document, component);
    let old = letters(&passages);
    let limits = &task.length;
    let adds = task.may_add || task.regenerates;
    let (most, free) = match adds {
        true => (limits.most_added, limits.free_added),
        false => (limits.most, limits.free),
    };
    let grown = old.saturating_mul(usize::from(most)) / 100;
    // A required minimum allows half more.
    let words: usize = passages
        .iter()
        .map(|passage| count_words(passage.text))
        .sum();
    let a_word = (old / words.max(1)).max(USUAL_WORD);
    let asked = task.least_words.unwrap_or_default().saturating_mul(a_word) * 3 / 2;
    // A rewritten stub may become as long as components of its kind.
    let alike = match task.regenerates {
        true => letters_of_its_like(document, component),
        false => 0,
    };
    grown.max(old.saturating_add(free)).max(asked).max(alike)
}

/// Whether repairs that rewrite every component can bring the whole text to this percentage of its
/// length.
pub(crate) fn may_become(document: &Document, hundredths: u32, limits: LengthLimits) -> bool {
    let outermost = |part: &&Component| part.parent == Some(0);
    let lengths: Vec<usize> = document
        .components()
        .iter()
        .filter(outermost)
        .map(|part| letters(&repair::passages(document, &part.id)))
        .collect();
    let share = |old: usize, hundredths: usize| old.saturating_mul(hundredths) / 100;
    let least = |old: usize| share(old, usize::from(limits.least_rewritten));
    let most = |old: usize| {
        share(old, usize::from(limits.most_added)).max(old.saturating_add(limits.free_added))
    };
    let wanted = share(
        lengths.iter().sum(),
        usize::try_from(hundredths).unwrap_or(usize::MAX),
    );
    let sum = |of: &dyn Fn(usize) -> usize| lengths.iter().map(|old| of(*old)).sum::<usize>();
    sum(&least) <= wanted && wanted <= sum(&most)
}

/// The letters of an average word, for a component without words.
const USUAL_WORD: usize = 6;

/// The average number of letters in components of the same kind.
fn letters_of_its_like(document: &Document, component: &ComponentId) -> usize {
    let part = document
        .components()
        .iter()
        .find(|part| part.id == *component);
    let Some(part) = part.filter(|part| part.parent.is_some()) else {
        return 0;
    };
    let alike: Vec<usize> = document
        .of_kind(part.kind)
        .map(|other| letters(&repair::passages(document, &other.id)))
        .collect();
    alike.iter().sum::<usize>() / alike.len().max(1)
}

fn length(
    (before, component): (&Document, &ComponentId),
    (old, new): (&[Passage<'_>], &[Passage<'_>]),
    task: &Permitted<'_>,
    objections: &mut Vec<Objection>,
) {
    let one = |passage: &Passage<'_>| letters(std::slice::from_ref(passage));
    let fields: Vec<(&str, usize, usize)> = old
        .iter()
        .filter(|passage| !passage.name.is_empty())
        .filter_map(|passage| {
            let now = new.iter().find(|other| other.name == passage.name)?;
            let is_replaced =
                task.quotes_all_of(passage.text) && !own_text::stops(passage.text) && one(now) > 0;
            (!is_replaced).then(|| (passage.name, one(passage), one(now)))
        })
        .collect();
    let (old, new) = (letters(old), letters(new));
    let limits = &task.length;
    let least = match task.regenerates {
        true => limits.least_rewritten,
        false => limits.least,
    };
    if new.saturating_mul(100) < old.saturating_mul(usize::from(least)) {
        objections.push(Objection::new(
            ObjectionKind::Shrinks,
            format!("the part shrank from {old} to {new} characters; keep what no issue is about"),
        ));
    }
    // A component of several fields could keep its length while one field is emptied.
    for (name, was, is) in fields {
        let is_emptied =
            is.saturating_mul(100) < was.saturating_mul(usize::from(limits.least_rewritten));
        if was > limits.free / 4 && is_emptied {
            objections.push(Objection::new(
                ObjectionKind::Shrinks,
                format!(
                    "`{name}` shrank from {was} to {is} characters; keep what no issue is about"
                ),
            ));
        }
    }
    let most = most_letters(before, component, task);
    if new > most {
        objections.push(Objection::new(
            ObjectionKind::Grows,
            format!(
                "the part grew from {old} to {new} characters, but at most {most} are allowed; add only what an issue asks for"
            ),
        ));
    }
}

/// Limits what structured operations add like any other addition.
fn grown_by_operations(
    before: &Inspected,
    new: &[Passage<'_>],
    (component, task): (&ComponentId, &Permitted<'_>),
    objections: &mut Vec<Objection>,
) {
    if task.structured.is_none() {
        return;
    }
    let adding = Permitted {
        may_add: true,
        ..task.clone()
    };
    let most = most_letters(&before.document, component, &adding);
    let now = letters(new);
    if now > most {
        objections.push(Objection::new(
            ObjectionKind::Grows,
            format!(
                "the part grew to {now} characters, but at most {most} are allowed; add only what an issue asks for"
            ),
        ));
    }
}

fn language(old: &[Passage<'_>], new: &[Passage<'_>], objections: &mut Vec<Objection>) {
    let detect = |passages: &[Passage<'_>]| {
        let mut prose = String::new();
        for passage in passages {
            let analysis = passage.field.markdown();
            let first = analysis
                .prose
                .partition_point(|range| range.end <= passage.range.start);
            for range in analysis.prose.iter().skip(first) {
                if range.start >= passage.range.end {
                    break;
                }
                prose.push_str(passage.field.text.get(range.clone()).unwrap_or_default());
                prose.push('\n');
            }
        }
        let detection = redraft_text::language::detect(&prose);
        detection.language.filter(|_| detection.reliable)
    };
    if let (Some(was), Some(is)) = (detect(old), detect(new))
        && was != is
    {
        objections.push(Objection::new(
            ObjectionKind::Language,
            format!(
                "the text was in `{}` and is in `{}` now; keep its language",
                was.as_str(),
                is.as_str()
            ),
        ));
    }
}

/// Rejects a sentence in another language than the document, unless the document has text in that
/// language, as one that teaches it does.
fn foreign_sentences(
    before: &Document,
    (old, new): (&[Passage<'_>], &[Passage<'_>]),
    objections: &mut Vec<Objection>,
) {
    let Some(main) = before.language().copied() else {
        return;
    };
    let is_known = |sentence: &str| old.iter().any(|passage| passage.text.contains(sentence));
    let has_words_of = |other: Language| {
        before.texts().iter().any(|field| {
            let mut prose = field.markdown().prose.iter();
            prose.any(|range| {
                let words = field.text.get(range.clone()).unwrap_or_default();
                mentions(words, other, main)
            })
        })
    };
    for changed in new
        .iter()
        .filter(|passage| passage.field.role != TextRole::Code)
    {
        let analysis = changed.field.markdown();
        let text: &str = &changed.field.text;
        let blocks = analysis.blocks.iter().filter(|block| {
            block.kind == BlockKind::Paragraph
                && changed.range.start <= block.content.start
                && block.content.end <= changed.range.end
        });
        for block in blocks {
            let prose = analysis.plain_text(text, block.content.clone());
            let foreign = sentences(&prose, Some(&main))
                .filter_map(|range| prose.get(range))
                .filter(|sentence| !is_known(sentence))
                .find_map(|sentence| Some((sentence, differs(sentence, main)?)));
            if let Some((sentence, other)) = foreign
                && !has_words_of(other)
            {
                objections.push(Objection::new(
                    ObjectionKind::Language,
                    format!(
                        "{} is in `{}`; write it in `{}` as the rest",
                        facts::shown(sentence.trim()),
                        other.as_str(),
                        main.as_str()
                    ),
                ));
                return;
            }
        }
    }
}

/// Rejects new errors and warnings: more of a check in a component than before. A finding whose
/// words were edited but that remains is not new.
fn new_findings(before: &Inspected, after: &Inspected, objections: &mut Vec<Objection>) {
    type Found<'a> = BTreeMap<(&'static str, &'a ComponentId), Vec<&'a Finding>>;
    fn by_place(inspected: &Inspected) -> Found<'_> {
        let mut found = Found::new();
        for finding in inspected
            .findings
            .iter()
            .filter(|finding| finding.severity > Severity::Info)
        {
            found
                .entry((finding.check.code, &finding.component))
                .or_default()
                .push(finding);
        }
        found
    }
    fn words<'a>(inspected: &'a Inspected, finding: &Finding) -> &'a str {
        let range = inspected.document.source().text_range(finding.span);
        inspected
            .document
            .source()
            .text()
            .get(range)
            .unwrap_or_default()
    }
    const MOST: usize = 5;
    let old = by_place(before);
    let mut said = 0;
    for (place, findings) in by_place(after) {
        let earlier = old.get(&place).map(Vec::as_slice).unwrap_or_default();
        let more = findings.len().saturating_sub(earlier.len());
        let known: BTreeSet<&str> = earlier
            .iter()
            .map(|finding| words(before, finding))
            .collect();
        let fresh = findings
            .iter()
            .filter(|finding| !known.contains(words(after, finding)));
        for finding in fresh.chain(&findings).take(more) {
            said += 1;
            if said > MOST {
                return;
            }
            objections.push(Objection::new(
                ObjectionKind::NewFindings,
                format!(
                    "it brings a new fault ({}): {}",
                    finding.check.name, finding.message
                ),
            ));
        }
    }
}

/// Rejects what must not be added even if it replaces similar content, which [`new_findings`] would
/// allow.
fn never_added(before: &Inspected, after: &Inspected, objections: &mut Vec<Objection>) {
    const MOST: usize = 5;
    for message in redraft_gate::added::added(before, after)
        .into_iter()
        .take(MOST)
    {
        let is_said = objections.iter().any(|known| known.message == message);
        if !is_said {
            objections.push(Objection::new(ObjectionKind::NewFindings, message));
        }
    }
}

#[cfg(test)]
mod tests;
