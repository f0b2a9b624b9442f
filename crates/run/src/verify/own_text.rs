//! Tier one for a repaired component on its own (ruling 56). The profile's checks find what is
//! wrong with a text; this module adds what only a comparison with the text before can show.
//!
//! | objection | unless it was there before |
//! |---|---|
//! | a finding of integrity or hygiene in the component alone: cut off, framed, wrapped, in another language, a refusal | as many of the same check |
//! | a refusal or JSON in a field | the same |
//! | a tag of our prompts, or one around an answer | the same tag |
//! | a fence around the whole text | the same |
//! | a note about the edit, or the id of an issue | the same words |
//! | an ending without punctuation | the text before had none, or does not end in a paragraph |
//! | a sentence or paragraph that is cut off inside the text: see `cut_inside` | the same words |
//! | what the edit puts in: see `put_in` | |

use std::collections::BTreeMap;

use redraft_text::edit_notes::edit_notes;
use redraft_text::framing;
use redraft_text::markdown::{BlockKind, analyse};
use redraft_text::wrappers;

use super::cut_inside;
use super::facts::shown;
use super::put_in;
use super::{Objection, ObjectionKind};
use crate::repair::{self, Passage};
use redraft_gate::check::Phase;
use redraft_gate::content::{Document, TextRole};
use redraft_gate::finding::Severity;
use redraft_gate::inspect::Inspect;
use redraft_gate::reading::FormKind;
use redraft_gate::span::ComponentId;

/// Objections to a repaired component on its own that did not apply before.
#[must_use]
pub fn own_text(
    inspector: &dyn Inspect,
    (before, after): (&Document, &Document),
    component: &ComponentId,
) -> Vec<Objection> {
    let mut objections = Vec::new();
    let old = repair::passages(before, component);
    for passage in &repair::passages(after, component) {
        let earlier = old.iter().find(|earlier| earlier.name == passage.name);
        let earlier = earlier.map_or("", |earlier| earlier.text);
        if earlier == passage.text || passage.field.role == TextRole::Code {
            continue;
        }
        if passage.name.is_empty() {
            alone(inspector, (earlier, passage.text), &mut objections);
        }
        if !passage.name.is_empty() {
            refused((earlier, passage.text), &mut objections);
            structured((earlier, passage.text), &mut objections);
        }
        wrapped((earlier, passage.text), &mut objections);
        notes((earlier, passage.text), &mut objections);
        ending(earlier, passage, &mut objections);
        put_in::put_in((earlier, passage.text), before.language(), &mut objections);
        if let Some(cut) = cut_inside::cut_inside(earlier, passage.text, before.language()) {
            objections.push(Objection::new(
                ObjectionKind::CutOff,
                format!(
                    "{} breaks off; write every sentence to its end",
                    shown(&cut)
                ),
            ));
        }
    }
    objections
}

/// New findings of the profile's checks of integrity and hygiene in the text alone.
fn alone(inspector: &dyn Inspect, (old, new): (&str, &str), objections: &mut Vec<Objection>) {
    let findings = |text: &str| {
        let inspected = inspector.inspect_as(text.as_bytes().to_vec(), FormKind::Markdown);
        let mut found: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
        for finding in inspected.findings {
            let is_damage = matches!(finding.check.phase, Phase::Integrity | Phase::Hygiene);
            if is_damage && finding.severity > Severity::Info {
                found
                    .entry(finding.check.name)
                    .or_default()
                    .push(finding.message);
            }
        }
        found
    };
    let known = findings(old);
    for (check, messages) in findings(new) {
        let earlier = known.get(check).map_or(0, Vec::len);
        for message in messages.iter().skip(earlier) {
            objections.push(Objection::new(
                ObjectionKind::NewFindings,
                format!("read by itself it has a new finding ({check}): {message}"),
            ));
        }
    }
}

/// A field that is a model's refusal. The checks only look for one in whole texts.
fn refused((old, new): (&str, &str), objections: &mut Vec<Objection>) {
    let declines = |text: &str| !framing::refusals(text).is_empty();
    if declines(new) && !declines(old) {
        objections.push(Objection::new(
            ObjectionKind::NewFindings,
            format!("{} declines to answer; write the new text", shown(new)),
        ));
    }
}

/// A field that contains fields: `"answerKey": "B"` is not prose.
fn structured((old, new): (&str, &str), objections: &mut Vec<Objection>) {
    let member = |text: &str| {
        // The first quotation mark may close text before it.
        let pieces: Vec<&str> = text.split('"').skip(1).collect();
        let mut pairs = pieces.windows(2);
        pairs.find_map(|pair| {
            let [name, after] = pair else { return None };
            let is_name = !name.is_empty()
                && name.len() < 40
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || "_-".contains(c));
            (is_name && after.trim_start().starts_with(':')).then(|| (*name).to_owned())
        })
    };
    if let Some(name) = member(new).filter(|_| member(old).is_none()) {
        objections.push(Objection::new(
            ObjectionKind::Wrapped,
            format!("the text holds JSON (“{name}”); write the words of the field alone"),
        ));
    }
}

/// Tags and fences around an answer.
fn wrapped((old, new): (&str, &str), objections: &mut Vec<Objection>) {
    let tag = new
        .match_indices('<')
        .filter_map(|(at, _)| new.get(at..))
        .filter_map(|rest| {
            let is_ours = rest.starts_with("<redraft:") || rest.starts_with("</redraft:");
            let ours = is_ours.then(|| rest.find('>').map_or(rest.len(), |end| end + 1));
            let end = ours.or_else(|| wrappers::answer_tag(rest).map(|(end, _)| end))?;
            rest.get(..end)
        })
        .find(|tag| !old.contains(tag));
    if let Some(tag) = tag {
        objections.push(Objection::new(
            ObjectionKind::Wrapped,
            format!("the text has the tag {}; write the text alone", shown(tag)),
        ));
    }
    let is_fenced = |text: &str| wrappers::whole_block(text.trim()).is_some();
    if is_fenced(new) && !is_fenced(old) {
        objections.push(Objection::new(
            ObjectionKind::Wrapped,
            "the whole text is in a code fence; write it without",
        ));
    }
}

/// Notes about the edit.
fn notes((old, new): (&str, &str), objections: &mut Vec<Objection>) {
    let folded = old.to_lowercase();
    // Only the repairer knows our ids.
    let ids = new
        .match_indices("issue_")
        .chain(new.match_indices("Issue_"));
    let ids = ids.filter_map(|(at, name)| {
        let rest = new.get(at + name.len()..)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        (digits > 0).then(|| at..at + name.len() + digits)
    });
    let note = edit_notes(new)
        .into_iter()
        .chain(ids)
        .filter_map(|range| new.get(range))
        .find(|note| !folded.contains(&note.to_lowercase()));
    if let Some(note) = note {
        objections.push(Objection::new(
            ObjectionKind::Note,
            format!(
                "{} is about the edit; learners must not see it, leave it out",
                shown(note)
            ),
        ));
    }
}

/// A text that ended with punctuation and no longer does was cut off.
fn ending(old: &str, passage: &Passage<'_>, objections: &mut Vec<Objection>) {
    if passage.field.role == TextRole::Title || !stops(old) || !breaks_off(passage.text) {
        return;
    }
    let end = passage.text.trim_end();
    let from = end.char_indices().rev().nth(40).map_or(0, |(at, _)| at);
    objections.push(Objection::new(
        ObjectionKind::CutOff,
        format!(
            "the text ends with {}, as if cut off; write it to its end",
            shown(end.get(from..).unwrap_or(end))
        ),
    ));
}

/// Whether a text ends like a sentence.
pub(super) fn stops(text: &str) -> bool {
    let end = text.trim_end().trim_end_matches(CLOSING);
    end.ends_with(['.', '!', '?', '…', '。', '！', '？', '।'])
}

pub(super) const CLOSING: [char; 10] = ['"', '\'', '”', '’', '»', ')', ']', '*', '_', '）'];

/// Whether a text stops in the middle of a paragraph: at a letter, or at a sign that must be
/// followed by something.
fn breaks_off(text: &str) -> bool {
    let analysis = analyse(text);
    let is_paragraph = analysis.last_content_block().is_some_and(|(_, block)| {
        let parent = block.parent.and_then(|parent| analysis.blocks.get(parent));
        block.kind == BlockKind::Paragraph && parent.is_none()
    });
    let end = text.trim_end().chars().next_back();
    is_paragraph
        && end.is_some_and(|c| {
            c.is_alphanumeric() || matches!(c, ',' | '(' | '-' | '–' | '，' | '、')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_breaks_off_in_a_paragraph_alone() {
        for (text, expected) in [
            ("Water boils at 100 degrees.", false),
            ("Water boils at a hundred deg", true),
            ("Water boils, and then,", true),
            ("Water boils “at once.”", false),
            ("Water boils:\n\n- in a pot\n- in a kettle", false),
            ("Water boils:\n\n```\nx\n```", false),
            ("Water boils:", false),
            ("水会沸腾。然后水", true),
            ("", false),
        ] {
            assert_eq!(breaks_off(text), expected, "{text}");
        }
    }
}
