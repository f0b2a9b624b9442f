//! Prompts for those who look at a repair: the delta judge, and the model that says
//! whether the component after a rewritten one still fits. They see what changed and
//! what was wanted, not the rest of the text.

use std::ops::Range;

use redraft_gate::content::Document;
use redraft_gate::span::ComponentId;
use redraft_run::prompt::{Prompt, PromptError};
use redraft_run::request::{Change, DeltaQuestion, PromptRequest};
use redraft_run::route::RepairTask;
use redraft_run::rubric::FixAction;
use redraft_run::verify;
use redraft_text::language::Language;
use redraft_text::sentences::sentences;
use serde::Serialize;

use super::repairing::{Demands, System, component_of, demands};
use super::templates::Wording;
use super::untrusted::Untrusted;
use super::{complaint, feedback_language};

pub(super) fn verify(
    wording: &Wording,
    request: &PromptRequest<'_>,
    (task, changes): (&RepairTask, &[Change]),
    question: DeltaQuestion,
) -> Result<Prompt, PromptError> {
    /// Characters of the next component, beside the whole of the new one.
    const OPENING: usize = 320;
    #[derive(Serialize)]
    struct Verify {
        part: &'static str,
        demands: Demands,
        changes: Vec<ChangeView>,
        /// Whether the old text is shown. Of a component that was written again
        /// everything differs, and its issues quote what was wrong.
        shows_before: bool,
        /// The beginning of the component after one that was written again: whether
        /// it still fits is asked along with the rest.
        next: Option<Untrusted>,
        /// The question of an item and its right answer, of which there must stay one.
        keyed: Option<KeyedView>,
        feedback: Option<String>,
        complaint: Option<Untrusted>,
    }
    let after_first = matches!(question, DeltaQuestion::WhichIsBetter { after_first: true });
    let is_comparison = matches!(question, DeltaQuestion::WhichIsBetter { .. });
    let shows_before = is_comparison || task.action_type == FixAction::SurgicalEdit;
    let changes = if is_comparison {
        let views = changes.iter().map(|change| {
            let (before, after) = (
                Untrusted::new(&change.before),
                Untrusted::new(&change.after),
            );
            let (first, second) = if after_first {
                (after, before)
            } else {
                (before, after)
            };
            ChangeView { first, second }
        });
        views.collect()
    } else {
        in_one_piece(changes, request.document.language())
    };
    let next = match verify::next_component_asked_about(task, question) {
        Some(next) => Some(opening(wording, request.document, next, OPENING)?),
        None => None,
    };
    // What is wrong suffices to see whether it is gone; how to repair it was the
    // editor's business.
    let mut demands = demands(task);
    demands.instructions = None;
    for issue in &mut demands.issues {
        // A judge who sees the old text beside the new one sees what was quoted.
        if shows_before {
            issue.quote = None;
        }
        if !issue.description.is_empty() {
            issue.instruction = None;
        }
    }
    let user = Verify {
        part: "user",
        demands,
        next,
        keyed: (wording.only_answer)(request.document, &task.section_id).map(KeyedView::new),
        changes,
        shows_before,
        feedback: feedback_language(request),
        complaint: complaint(request),
    };
    wording.fill(&request.task, &System::new(), &user)
}

#[derive(Debug, Serialize)]
struct ChangeView {
    /// What is shown first.
    first: Untrusted,
    second: Untrusted,
}

#[derive(Debug, Serialize)]
struct KeyedView {
    question: Untrusted,
    key: Untrusted,
}

impl KeyedView {
    /// What a repair of an item must leave as it is. The program knows no synonyms: whether a
    /// wrong option became a right one is for the judge of the repair.
    fn new((question, key): (String, String)) -> Self {
        const LONGEST: usize = 400;
        Self {
            question: Untrusted::end(&question, LONGEST),
            key: Untrusted::line(&key, LONGEST),
        }
    }
}

/// All changes as one text before and one after.
fn in_one_piece(changes: &[Change], language: Option<&Language>) -> Vec<ChangeView> {
    const BETWEEN: &str = "\n[…]\n";
    if changes.is_empty() {
        return Vec::new();
    }
    let gone: Vec<&str> = changes
        .iter()
        .map(|change| without_what_stays(change, language).trim())
        .filter(|text| !text.is_empty())
        .collect();
    let after: Vec<&str> = changes.iter().map(|change| change.after.trim()).collect();
    vec![ChangeView {
        first: Untrusted::new(&gone.join(BETWEEN)),
        second: Untrusted::new(&after.join(BETWEEN)),
    }]
}

/// The passage before a repair without the sentences on both sides that the one
/// after it has as well: they are seen there. Empty where something was only
/// added.
fn without_what_stays<'a>(change: &'a Change, language: Option<&Language>) -> &'a str {
    let (old, new) = (change.before.as_str(), change.after.as_str());
    let ranges = |text: &str| sentences(text, language).collect::<Vec<Range<usize>>>();
    let (old_parts, new_parts) = (ranges(old), ranges(new));
    let same = |(a, b): (&Range<usize>, &Range<usize>)| old.get(a.clone()) == new.get(b.clone());
    let front = old_parts
        .iter()
        .zip(&new_parts)
        .take_while(|(a, b)| same((a, b)))
        .count();
    let most = old_parts.len().min(new_parts.len()) - front;
    let back = old_parts
        .iter()
        .rev()
        .zip(new_parts.iter().rev())
        .take(most)
        .take_while(|(a, b)| same((a, b)))
        .count();
    match old_parts.get(front..old_parts.len() - back) {
        Some([first, .., last]) => old.get(first.start..last.end).unwrap_or(old),
        Some([only]) => old.get(only.clone()).unwrap_or(old),
        _ => "",
    }
}

/// The prompt for the model that says whether the component after a rewritten one still fits.
pub(super) fn consistency(
    wording: &Wording,
    request: &PromptRequest<'_>,
    rewritten: &ComponentId,
    next: &ComponentId,
) -> Result<Prompt, PromptError> {
    #[derive(Serialize)]
    struct Consistency {
        part: &'static str,
        rewritten: Untrusted,
        next: Untrusted,
        feedback: Option<String>,
        complaint: Option<Untrusted>,
    }
    let document = request.document;
    let rewritten = component_of(wording, document, rewritten)?;
    let user = Consistency {
        part: "user",
        rewritten: Untrusted::end(&Untrusted::joined(&rewritten.passages), SEEN),
        next: opening(wording, document, next, SEEN)?,
        feedback: feedback_language(request),
        complaint: complaint(request),
    };
    wording.fill(&request.task, &System::new(), &user)
}

/// Characters of each of two neighbouring components, at most: what one leads to and
/// the other takes up is where they meet.
const SEEN: usize = 500;

fn opening(
    wording: &Wording,
    document: &Document,
    id: &ComponentId,
    most: usize,
) -> Result<Untrusted, PromptError> {
    let part = component_of(wording, document, id)?;
    let text = Untrusted::joined(&part.passages);
    Ok(Untrusted::beginning(first_paragraph(&text), most))
}

/// A text up to the end of its first paragraph; headings and single lines before
/// it come along.
fn first_paragraph(text: &str) -> &str {
    const SHORTEST: usize = 120;
    let text = text.trim();
    let breaks = text.match_indices("\n\n").map(|(at, _)| at);
    let end = breaks.into_iter().find(|at| *at >= SHORTEST);
    text.get(..end.unwrap_or(text.len())).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_old_passage_only_what_is_gone_is_shown() {
        for (before, after, expected) in [
            ("One. Two. Three. ", "One. Too. Three. ", "Two."),
            ("One. Two. ", "One. New. Two. ", ""),
            ("One. Old. Older. Two.", "One. Two.", "Old. Older."),
            ("One. ", "Other. ", "One."),
            ("", "New.", ""),
        ] {
            let change = Change {
                before: before.to_owned(),
                after: after.to_owned(),
            };
            assert_eq!(
                without_what_stays(&change, None).trim(),
                expected,
                "{before}"
            );
        }
    }
}
