//! `citation-not-found`: a citation of a document or a page that the sources do not
//! have. It needs `--sources` with the names of their documents.
//!
//! | the sources | what can be said |
//! |---|---|
//! | a passage names no document | nothing about documents: it may be any |
//! | a passage of the document names no page | nothing about its pages |
//! | neither | a document or page that no passage has is not there |
//!
//! What a citation looks like is in `citations`.

mod citations;

use std::collections::BTreeMap;

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::companion::SourcePassage;
use redraft_gate::content::TextRole;
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use citations::{Citation, Naming};

pub(super) use citations::cites;

pub(super) static CHECK: Check = Check {
    code: "TXT019",
    name: "citation-not-found",
    severity: Severity::Warning,
    phase: Phase::Semantics,
    concern: Concern::Hallucination,
    summary: "a citation names a document or page that the sources do not have",
    what: "With `--sources`: compares citations with the sources. Citations are the entries of `citations` in JSON (`document`, `page_or_section`), and in Markdown `[Source: Physics, p. 12]`, `(Physics, p. 12)` and footnotes that end with a page, in the usual languages. A document that no passage comes from, and a page that no passage of the document has, are reported. Nothing is reported if a passage names no document, or no page. Names are compared without case, punctuation and file extension, and a part of a name is enough. Authors with a year are left alone.",
    why: "Models invent plausible references. A learner who looks one up finds nothing, and stops trusting the lesson.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Levers\n\nA lever turns about its fulcrum [Source: Physics, volume 1, p. 99].\n",
        passes: "# Levers\n\nA lever turns about its fulcrum [Source: Physics, volume 1, p. 12].\n",
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(library) = Library::of(&examination.companions.sources) else {
        return;
    };
    let document = examination.document;
    for field in document
        .texts()
        .iter()
        .filter(|field| field.role != TextRole::Code)
    {
        for citation in citations::in_text(field) {
            if let Some(fault) = library.fault(&citation) {
                sink.in_text(field, citation.range.clone(), fault);
            }
        }
    }
    for citation in citations::in_json(document) {
        if let Some(fault) = library.fault(&citation) {
            sink.in_source(citation.range.clone(), fault);
        }
    }
}

/// The documents of the sources with their pages.
struct Library<'a> {
    /// By the plain form of the name: the name, and its places unless one is unknown.
    documents: BTreeMap<String, (&'a str, Option<Vec<&'a str>>)>,
}

impl<'a> Library<'a> {
    /// `None` where a passage may come from anywhere.
    fn of(sources: &'a [SourcePassage]) -> Option<Self> {
        let mut documents: BTreeMap<String, (&str, Option<Vec<&str>>)> = BTreeMap::new();
        for passage in sources {
            let name = passage.document.as_deref()?;
            let entry = documents
                .entry(plain(name))
                .or_insert((name, Some(Vec::new())));
            match (&mut entry.1, passage.place.as_deref()) {
                (Some(places), Some(place)) => places.push(place),
                _ => entry.1 = None,
            }
        }
        documents.remove("");
        (!documents.is_empty()).then_some(Self { documents })
    }

    /// What is wrong with a citation.
    fn fault(&self, citation: &Citation) -> Option<String> {
        let named = plain(&citation.document);
        let known: Vec<_> = self
            .documents
            .iter()
            .filter(|(name, _)| is_same(name, &named))
            .map(|(_, document)| document)
            .collect();
        if known.is_empty() {
            let is_certain = citation.naming == Naming::Certain && !named.is_empty();
            return is_certain.then(|| {
                format!(
                    "the sources have no document “{}”; cite one of theirs, or leave the citation out",
                    shown(&citation.document)
                )
            });
        }
        let place = citation.place.as_deref()?;
        let mut name = "";
        for (shown_name, places) in known {
            let places = places.as_ref()?;
            if places.iter().any(|known| is_same_place(known, place)) {
                return None;
            }
            name = shown_name;
        }
        Some(format!(
            "the sources have no passage of “{}” at {}; cite a page or section that they have",
            shown(name),
            shown(place)
        ))
    }
}

/// A name without case, punctuation and extension, its words between blanks.
fn plain(name: &str) -> String {
    let name = name.trim();
    let stem = match name.rsplit_once('.') {
        Some((stem, extension))
            if (2..=4).contains(&extension.len())
                && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
                && !stem.is_empty() =>
        {
            stem
        }
        _ => name,
    };
    let mut plain = String::new();
    for word in stem
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        plain.push(' ');
        plain.extend(word.chars().flat_map(char::to_lowercase));
    }
    plain
}

/// Whether one name is the other, or a part of it in whole words.
fn is_same(known: &str, named: &str) -> bool {
    const SHORTEST: usize = 4;
    let within = |part: &str, whole: &str| {
        part.len() > SHORTEST
            && whole.match_indices(part).any(|(at, _)| {
                whole[at + part.len()..]
                    .chars()
                    .next()
                    .is_none_or(|c| c == ' ')
            })
    };
    known == named || within(known, named) || within(named, known)
}

/// Whether two places are the same: a number in common, or the same words.
fn is_same_place(known: &str, cited: &str) -> bool {
    let (known_numbers, cited_numbers) = (numbers(known), numbers(cited));
    if known_numbers.is_empty() || cited_numbers.is_empty() {
        let (known, cited) = (plain(known), plain(cited));
        return known.contains(&cited) || cited.contains(&known);
    }
    known_numbers.iter().any(|(from, to)| {
        cited_numbers
            .iter()
            .any(|(first, last)| from <= last && first <= to)
    })
}

/// The numbers of a place as ranges: `12`, `pp. 10–12`. Sections such as `2.3` are
/// their first number.
fn numbers(place: &str) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    let mut joins = false;
    let mut is_part = false;
    for piece in pieces(place) {
        match piece.parse::<u64>() {
            Ok(_) if is_part => {}
            Ok(number) => match ranges.last_mut().filter(|_| joins) {
                Some(range) if range.0 <= number => range.1 = number,
                _ => ranges.push((number, number)),
            },
            Err(_) => {
                joins = !ranges.is_empty()
                    && matches!(
                        piece.trim(),
                        "-" | "–" | "—" | "to" | "bis" | "до" | "a" | "à"
                    );
                is_part = piece == "." && !ranges.is_empty();
                continue;
            }
        }
        joins = false;
        is_part = false;
    }
    ranges
}

/// A text cut where figures begin and end.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_digit = first.is_ascii_digit();
        let end = rest
            .find(|c: char| c.is_ascii_digit() != is_digit)
            .unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

fn shown(text: &str) -> String {
    const MOST: usize = 60;
    crate::prompts::one_line(text, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_without_case_punctuation_and_extension() {
        for (known, named, expected) in [
            ("Physics, volume 1", "physics volume 1", true),
            ("Physics, volume 1", "Physics", true),
            ("physics.pdf", "Physics", true),
            ("Physics, volume 1", "Physics, volume 2", false),
            ("Physics", "Metaphysics", false),
            ("Art", "Artists of Paris", false),
        ] {
            assert_eq!(
                is_same(&plain(known), &plain(named)),
                expected,
                "{known} / {named}"
            );
        }
    }

    #[test]
    fn places_are_the_same_if_they_share_a_page() {
        for (known, cited, expected) in [
            ("12", "12", true),
            ("12", "p. 12", true),
            ("10-14", "12", true),
            ("12", "11–13", true),
            ("12", "13", false),
            ("12", "1", false),
            ("2.3", "2.3", true),
            ("Introduction", "introduction", true),
            ("Introduction", "Methods", false),
        ] {
            assert_eq!(is_same_place(known, cited), expected, "{known} / {cited}");
        }
    }
}
