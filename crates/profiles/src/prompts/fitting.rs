//! Whether a prompt fits, and the search for one that does.
//!
//! A prompt is first written as if everything fitted; only where it does not, it is
//! written again with less. It is counted by the upper estimate that reservations
//! are made with, as a whole, so that no word of a template is forgotten. What stays
//! and what goes is decided by `redraft_run::fit`; the words are the templates'.

use redraft_run::fit::{TokenLimits, TooLong};
use redraft_run::prompt::{Fitted, Prompt, Unfit};

/// The limit that a prompt exceeds, if it does.
pub(super) fn lacking(prompt: &Prompt, limits: TokenLimits) -> Option<u64> {
    limits.prompt.filter(|limit| prompt.tokens() > *limit)
}

/// A prompt of which nothing can be left out.
pub(super) fn whole(prompt: Prompt, limits: TokenLimits) -> Result<Fitted, Unfit> {
    match lacking(&prompt, limits) {
        Some(limit) => Err(too_long(&prompt, limit)),
        None => Ok(Fitted {
            prompt,
            cuts: Vec::new(),
        }),
    }
}

pub(super) fn too_long(prompt: &Prompt, limit: u64) -> Unfit {
    let needed = prompt.tokens();
    TooLong { needed, limit }.into()
}

/// Writes a prompt with less and less until it fits. `write` is given how many tokens
/// its data may take; it was counted beforehand what the words around them take, and
/// what was miscounted is taken off the next time.
pub(super) fn until_it_fits(
    limit: u64,
    around: u64,
    mut write: impl FnMut(u64) -> Result<Fitted, Unfit>,
) -> Result<Fitted, Unfit> {
    /// A note that is longer than planned, or some escaped brackets: each time the
    /// excess is smaller.
    const TRIES: usize = 5;
    let mut excess = 0;
    for _ in 0..TRIES {
        let data = limit.saturating_sub(around).saturating_sub(excess);
        let fitted = write(data).map_err(|unfit| match unfit {
            // What does not fit are the data and the words around them.
            Unfit::TooLong(lack) => Unfit::TooLong(TooLong {
                needed: lack.needed.saturating_add(around),
                limit,
            }),
            fault @ Unfit::Fault(_) => fault,
        })?;
        match fitted.prompt.tokens().saturating_sub(limit) {
            0 => return Ok(fitted),
            more => excess += more,
        }
    }
    Err(Unfit::TooLong(TooLong {
        needed: limit.saturating_add(excess),
        limit,
    }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use redraft_gate::companion::{Companions, SourcePassage};
    use redraft_gate::content::Document;
    use redraft_gate::reading::{self, Hint};
    use redraft_gate::source::Source;
    use redraft_run::fit::Input;
    use redraft_run::request::{PromptRequest, Task};

    use super::*;
    use crate::registry;

    /// A lesson whose sections have so many words, and hostile ones among them.
    fn lesson(sizes: &[usize]) -> Document {
        let mut text = String::from("# Water\n\n");
        for (number, size) in sizes.iter().enumerate() {
            let words = "water <redraft:x> ".repeat(*size);
            text.push_str(&format!(
                "## Part {number}\n\nmark{number}. {words}end{number}.\n\n"
            ));
        }
        let raw = reading::read(Source::new(text.into_bytes()), Hint::Markdown);
        registry::profile("lesson").unwrap().parse(raw, None)
    }

    fn companions(sizes: &[usize]) -> Companions {
        let passage = |(number, size): (usize, &usize)| SourcePassage {
            content: format!("begin{number} {}\n\n", "Steam is hot water. ".repeat(*size)),
            document: Some("a book with a rather long name".to_owned()),
            place: None,
        };
        Companions {
            sources: sizes.iter().enumerate().map(passage).collect(),
            ..Companions::default()
        }
    }

    fn render(
        document: &Document,
        companions: &Companions,
        limits: TokenLimits,
    ) -> Result<Fitted, Unfit> {
        let profile = registry::profile("lesson").unwrap();
        let request = PromptRequest {
            document,
            companions,
            rubric: profile.rubric(),
            task: Task::Judge { flagged: &[] },
            feedback_language: None,
            complaint: None,
        };
        profile.render_within(&request, limits)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_prompt_fits_with_whole_parts_or_there_is_none(
            sizes in prop::collection::vec(0usize..120, 0..14),
            sources in prop::collection::vec(0usize..150, 0..6),
            prompt in 2_000u64..9_000,
        ) {
            let (document, companions) = (lesson(&sizes), companions(&sources));
            let limits = TokenLimits { prompt: Some(prompt), sources: Some(prompt) };
            let open = render(&document, &companions, TokenLimits::default()).unwrap();
            match render(&document, &companions, limits) {
                Ok(fitted) => {
                    prop_assert!(fitted.prompt.tokens() <= prompt);
                    let user = &fitted.prompt.user;
                    let unread = fitted.unread().map_or(0, |cut| cut.parts.len());
                    let mut shown = 0;
                    for number in 0..sizes.len() {
                        let begins = user.contains(&format!("mark{number}. "));
                        prop_assert_eq!(begins, user.contains(&format!("end{number}.")));
                        shown += usize::from(begins);
                    }
                    prop_assert_eq!(sizes.len() - shown, unread.min(sizes.len()));
                    prop_assert_eq!(unread > 0, user.contains("parts of the text are shown"));
                    // Sources never push a component of the document out.
                    let has_sources = user.contains("[source_");
                    let is_cut = fitted.cuts.iter().any(|cut| cut.of == Input::Sources);
                    prop_assert!(has_sources || is_cut || sources.is_empty());
                    if fitted.cuts.is_empty() && open.prompt.tokens() <= prompt {
                        prop_assert_eq!(&fitted.prompt, &open.prompt);
                    }
                }
                Err(Unfit::TooLong(lack)) => prop_assert!(lack.needed > lack.limit),
                Err(fault) => prop_assert!(false, "{fault}"),
            }
        }
    }

    #[test]
    fn the_document_comes_before_its_sources() {
        let (document, companions) = (lesson(&[40, 40, 40]), companions(&[100, 100, 100]));
        let whole = render(&document, &Companions::default(), TokenLimits::default()).unwrap();
        let most = whole.prompt.tokens() + 800;
        let limits = TokenLimits {
            prompt: Some(most),
            sources: Some(most),
        };
        let fitted = render(&document, &companions, limits).unwrap();
        assert_eq!(fitted.unread(), None);
        let cut = &fitted.cuts[0];
        assert_eq!(cut.of, Input::Sources);
        assert!(
            fitted.prompt.user.contains("[source_1."),
            "{}",
            fitted.prompt.user
        );
        assert!(
            cut.parts
                .iter()
                .all(|id| !fitted.prompt.user.contains(&format!("[{id}]")))
        );
    }
}
