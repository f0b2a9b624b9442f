//! Prompts for those who read the whole text: the self-reviewer and the judges.
//! Neither learns what has to be reached, what was scored before, or what another
//! judge said.
//!
//! Where not everything fits, the document comes first, by whole components in their
//! order, and the sources have what it leaves.

use redraft_gate::review::Issue;
use redraft_gate::score::Score;
use redraft_run::fit::{self, InputCut, Need, TokenLimits, TooLong};
use redraft_run::prompt::{Fitted, Prompt, PromptError, Unfit};
use redraft_run::request::PromptRequest;
use redraft_run::rubric::Rubric;
use redraft_run::token_estimate::estimated_tokens;
use serde::Serialize;

use super::document_view::{self, Block, Entry, Excerpt};
use super::templates::Wording;
use super::untrusted::Untrusted;
use super::{
    companion_view, complaint, feedback_language, fitting, language_name, target_language,
};

pub(super) fn self_review(
    wording: &Wording,
    request: &PromptRequest<'_>,
    limits: TokenLimits,
) -> Result<Fitted, Unfit> {
    #[derive(Serialize)]
    struct System {
        part: &'static str,
    }
    let system = wording.first_half(&request.task, None, || System { part: "system" })?;
    fitted(wording, request, (&system, &[]), limits)
}

pub(super) fn judge(
    wording: &Wording,
    request: &PromptRequest<'_>,
    flagged: &[Issue],
    limits: TokenLimits,
) -> Result<Fitted, Unfit> {
    let rubric = request.rubric;
    let system = wording.first_half(&request.task, Some(rubric), || System {
        part: "system",
        reasons: rubric.reasons,
        terse: rubric.terse,
        criteria: criteria(rubric),
    })?;
    fitted(wording, request, (&system, flagged), limits)
}

/// Of so many components of a text one has to fit: who reads less can say nothing about
/// it, and is not worth being paid.
const LEAST: u64 = 10;

/// The words, as much as fits of what they are about.
fn fitted(
    wording: &Wording,
    request: &PromptRequest<'_>,
    (system, flagged): (&str, &[Issue]),
    limits: TokenLimits,
) -> Result<Fitted, Unfit> {
    let document = request.document;
    let contents = document_view::contents(document);
    let excerpts = document_view::excerpts(document, wording.outside);
    let companions = request.companions;
    let sources = |read: &[&Excerpt], limit| {
        // Without sources there are no nearest ones.
        let read = read.iter().filter(|_| !companions.sources.is_empty());
        let texts: Vec<String> = read.map(|excerpt| excerpt.text()).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        companion_view::sources(companions, &texts, document.language(), limit)
    };
    let mut user = user(request, flagged);
    let fill = |user: &User<'_>| {
        Ok::<_, PromptError>(Prompt {
            system: system.to_owned(),
            user: wording.second_half(&request.task, user)?,
        })
    };

    let most = limits.for_sources(estimated_tokens(document.source().text()));
    user.show(contents.iter().collect(), excerpts.iter().collect());
    let shown = sources(&user.excerpts, most);
    user.show_sources(&shown);
    let prompt = fill(&user)?;
    let Some(limit) = fitting::lacking(&prompt, limits) else {
        let cuts = shown.cut.into_iter().collect();
        return Ok(Fitted { prompt, cuts });
    };

    // What surrounds the data: with the heading of the sources, where there are
    // any.
    user.show(Vec::new(), Vec::new());
    user.sources.truncate(1);
    user.sources.fill(Untrusted::new(""));
    let around = fill(&user)?.tokens();
    let blocks = document_view::blocks(document, &excerpts, &contents);
    let listed: Vec<fit::SizedComponent<'_>> = blocks.iter().map(Block::part).collect();
    let all: u64 = blocks.iter().map(|block| block.tokens).sum();
    fitting::until_it_fits(limit, around, |data| {
        let fitted = fit::components(&listed, data)?;
        let kept = || fitted.kept.iter().filter_map(|index| blocks.get(*index));
        let taken: u64 = kept().map(|block| block.tokens).sum();
        if taken.saturating_mul(LEAST) < all {
            let (needed, limit) = (all, data);
            return Err(TooLong { needed, limit }.into());
        }
        let note = fitted.cut.as_ref().map_or(0, |_| fit::NOTE_TOKENS);
        user.show(
            kept()
                .flat_map(|block| &block.entries)
                .filter_map(|index| contents.get(*index))
                .collect(),
            kept()
                .filter_map(|block| excerpts.get(block.excerpts.clone()))
                .flatten()
                .collect(),
        );
        user.cut = fitted.cut.as_ref().map(CutView::of);
        let left = data.saturating_sub(taken).saturating_sub(note);
        let shown = sources(&user.excerpts, left.min(most));
        user.show_sources(&shown);
        Ok(Fitted {
            prompt: fill(&user)?,
            cuts: fitted.cut.iter().chain(&shown.cut).cloned().collect(),
        })
    })
}

impl Block {
    /// As something that can be left out.
    fn part(&self) -> fit::SizedComponent<'_> {
        fit::SizedComponent {
            id: &self.name,
            tokens: self.tokens,
            need: Need::May,
        }
    }
}

/// What the first half of the template may speak of: nothing of the document, so
/// that it is the same for all documents and can be kept by the model's cache.
#[derive(Debug, Serialize)]
struct System<'a> {
    part: &'static str,
    /// Whether a judge says why.
    reasons: bool,
    /// Whether it leaves out strengths and an overall score.
    terse: bool,
    criteria: Vec<CriterionView<'a>>,
}

/// A criterion without its weight and without what it must reach: neither is a
/// judge's business.
#[derive(Debug, Serialize)]
struct CriterionView<'a> {
    name: &'a str,
    description: &'a str,
    not_about: &'a str,
    evidence: &'a str,
    anchors: Vec<AnchorView<'a>>,
}

#[derive(Debug, Serialize)]
struct AnchorView<'a> {
    at: String,
    means: &'a str,
}

fn criteria(rubric: &Rubric) -> Vec<CriterionView<'_>> {
    rubric
        .criteria
        .iter()
        .map(|criterion| CriterionView {
            name: &criterion.name,
            description: &criterion.description,
            not_about: without_stop(&criterion.not_about),
            evidence: without_stop(&criterion.evidence),
            anchors: criterion
                .anchors
                .iter()
                .map(|anchor| AnchorView {
                    at: printed(anchor.at),
                    means: &anchor.means,
                })
                .collect(),
        })
        .collect()
}

/// The template sets the full stop.
fn without_stop(text: &str) -> &str {
    text.trim_end_matches('.')
}

/// With two decimals, as judges answer, or three where it needs them.
fn printed(score: Score) -> String {
    let written = score.to_string();
    match written.strip_suffix('0') {
        Some(two) => two.to_owned(),
        None => written,
    }
}

/// What the second half may speak of. Everything foreign is [`Untrusted`].
#[derive(Debug, Serialize)]
struct User<'a> {
    part: &'static str,
    text_id: String,
    language: Option<String>,
    target_language: Option<String>,
    feedback: Option<String>,
    contents: Vec<&'a Entry>,
    /// The name that the templates use.
    #[serde(rename = "pieces")]
    excerpts: Vec<&'a Excerpt>,
    cut: Option<CutView>,
    specification: Vec<Untrusted>,
    scheme: Vec<Untrusted>,
    outcomes: Vec<Untrusted>,
    outcomes_left_out: usize,
    sources: Vec<Untrusted>,
    sources_left_out: usize,
    flagged: Vec<Flag>,
    flags_left_out: usize,
    /// Whether a judge leaves out strengths.
    terse: bool,
    complaint: Option<Untrusted>,
}

impl<'a> User<'a> {
    /// What of the document is shown.
    fn show(&mut self, contents: Vec<&'a Entry>, excerpts: Vec<&'a Excerpt>) {
        self.contents = contents;
        self.excerpts = excerpts;
    }

    fn show_sources(&mut self, sources: &companion_view::Sources) {
        self.sources.clone_from(&sources.lines);
        self.sources_left_out = sources.left_out();
    }
}

/// What the prompt says about components that are not shown.
#[derive(Debug, Serialize)]
struct CutView {
    shown: usize,
    all: usize,
    /// Which are not. They bear names from the document, so it is data.
    note: Untrusted,
}

impl CutView {
    fn of(cut: &InputCut) -> Self {
        const NOTE: usize = 600;
        Self {
            shown: cut.all.saturating_sub(cut.parts.len()),
            all: cut.all,
            note: Untrusted::line(&cut.note, NOTE),
        }
    }
}

#[derive(Debug, Serialize)]
struct Flag {
    location: Untrusted,
    description: Untrusted,
}

/// Without the document and its sources.
fn user(request: &PromptRequest<'_>, flagged: &[Issue]) -> User<'static> {
    /// More remarks than this drown the judge's own reading.
    const FLAGS: usize = 30;
    const LINE: usize = 400;
    let document = request.document;
    let companions = request.companions;
    let entry = companion_view::scheme_entry(document, &companions.scheme_of_work);
    let outcomes = companion_view::outcomes(document, entry, &companions.outcomes);
    User {
        part: "user",
        text_id: document.source().version().to_string(),
        language: document.language().map(language_name),
        target_language: target_language(request).map(language_name),
        feedback: feedback_language(request),
        contents: Vec::new(),
        excerpts: Vec::new(),
        cut: None,
        specification: companions
            .specification
            .as_ref()
            .map(companion_view::specification)
            .unwrap_or_default(),
        scheme: entry
            .map(companion_view::scheme_with_cards)
            .unwrap_or_default(),
        outcomes: outcomes.lines,
        outcomes_left_out: outcomes.left_out,
        sources: Vec::new(),
        sources_left_out: 0,
        flagged: flagged
            .iter()
            .take(FLAGS)
            .map(|issue| Flag {
                location: Untrusted::name(&issue.location),
                description: Untrusted::line(&issue.description, LINE),
            })
            .collect(),
        flags_left_out: flagged.len().saturating_sub(FLAGS),
        terse: request.rubric.terse,
        complaint: complaint(request),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_printed_with_two_decimals_or_as_many_as_they_have() {
        for (at, expected) in [("1", "1.00"), ("0.9", "0.90"), ("0.875", "0.875")] {
            assert_eq!(Score::parse(at).map(printed).as_deref(), Some(expected));
        }
    }
}
