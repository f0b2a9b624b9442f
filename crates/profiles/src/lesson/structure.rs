//! The structure of a lesson, judged leniently: introduction and conclusion,
//! examples and exercises. 92% of good lessons have no headings called introduction
//! or conclusion (ruling 10), so names are only one sign among others. The checks
//! and the metrics share this module.

use std::ops::Range;
use std::sync::LazyLock;

use redraft_gate::check::{Examination, Sink};
use redraft_gate::companion::Companions;
use redraft_gate::content::{Component, ComponentKind, Document, TextField, TextRole};
use redraft_gate::finding::{Finding, Severity};
use redraft_text::hints::Hints;
use redraft_text::letters::lower;
use redraft_text::markdown::{self, BlockKind};
use redraft_text::word_index::WordIndex;
use redraft_text::words;

use super::headings::{self, Role};
use super::wording;

/// Sections among which an introduction is looked for.
const FIRST: usize = 2;

/// Paragraphs at the end among which a conclusion is looked for. After it,
/// translators' notes and pointers to further reading may follow.
const LAST: usize = 8;

/// The components below the whole document, with their indices.
pub(super) fn top_level(document: &Document) -> impl Iterator<Item = (usize, &Component)> {
    document
        .components()
        .iter()
        .enumerate()
        .filter(|(_, component)| component.parent == Some(0))
}

pub(super) fn sections(document: &Document) -> impl Iterator<Item = (usize, &Component)> {
    top_level(document).filter(|(_, component)| component.kind == ComponentKind::Section)
}

/// Whether this is a lesson with sections, and not a fragment such as a single
/// section, which needs no introduction, conclusion or minimum length.
pub(super) fn is_whole(document: &Document) -> bool {
    sections(document).nth(1).is_some()
}

/// Whether the specification lists an introduction or a conclusion.
pub(super) fn is_listed(companions: &Companions, role: Role) -> bool {
    companions
        .specification
        .iter()
        .flat_map(|specification| &specification.sections)
        .any(|section| headings::role(&section.title) == Some(role))
}

/// A section that frames a lesson. A fragment is not expected to have it.
pub(super) struct Frame {
    role: Role,
    name: &'static str,
    is_present: fn(&Document) -> bool,
    /// The message if it is missing.
    message: &'static str,
}

pub(super) const INTRODUCTION: Frame = Frame {
    role: Role::Introduction,
    name: "introduction",
    is_present: opens,
    message: "the lesson has no introduction; add one before the first section",
};

pub(super) const CONCLUSION: Frame = Frame {
    role: Role::Conclusion,
    name: "conclusion",
    is_present: closes,
    message: "the lesson has no conclusion; end it with a summary",
};

impl Frame {
    /// Reports a missing frame: as an error if the specification lists it or the
    /// policy requires it (ruling 10).
    pub(super) fn expect(&self, examination: &Examination<'_>, sink: &mut Sink<'_>) {
        let document = examination.document;
        let is_required =
            is_listed(examination.companions, self.role) || examination.count("required") > 0;
        if (is_required || is_whole(document)) && self.is_missing(document) {
            let finding = report(document, sink, self.message.to_owned());
            if is_required {
                finding.severity(Severity::Error);
            }
        }
    }

    fn is_missing(&self, document: &Document) -> bool {
        sections(document).next().is_some() && !(self.is_present)(document)
    }
}

/// The names of the frames that a lesson lacks.
pub(super) fn missing(document: &Document, companions: &Companions) -> Vec<&'static str> {
    let is_whole = is_whole(document);
    [INTRODUCTION, CONCLUSION]
        .iter()
        .filter(|frame| is_whole || is_listed(companions, frame.role))
        .filter(|frame| frame.is_missing(document))
        .map(|frame| frame.name)
        .collect()
}

/// Something that a lesson must have a minimum number of.
pub(super) struct Counted {
    plural: &'static str,
    count: fn(&Document) -> usize,
}

pub(super) const EXAMPLES: Counted = Counted {
    plural: "examples",
    count: count_examples,
};

pub(super) const EXERCISES: Counted = Counted {
    plural: "exercises",
    count: count_exercises,
};

impl Counted {
    /// Reports a lesson with fewer than the specification requests, or than the
    /// policy requires (`least`).
    pub(super) fn expect(
        &self,
        examination: &Examination<'_>,
        sink: &mut Sink<'_>,
        requested: usize,
    ) {
        let document = examination.document;
        let least = requested.max(examination.count("least"));
        if least == 0 || sections(document).next().is_none() {
            return;
        }
        let count = (self.count)(document);
        if count < least {
            let plural = self.plural;
            let message = format!("the lesson has {count} of {least} required {plural}; add more");
            report(document, sink, message);
        }
    }
}

/// Reports a finding about the whole lesson at its title, else at its start.
pub(super) fn report<'s>(
    document: &Document,
    sink: &'s mut Sink<'_>,
    message: String,
) -> &'s mut Finding {
    let title = document.texts().iter().find_map(|field| {
        if field.role == TextRole::Title && field.component == 0 {
            return Some((field, 0..field.text.len()));
        }
        let (_, heading) = field.markdown().headings().next()?;
        field.path.is_empty().then(|| (field, heading.span.clone()))
    });
    match title {
        Some((field, range)) => sink.in_text(field, range, message),
        None => sink.in_source(0..0, message),
    }
}

/// Reports a finding about a component at its first line.
pub(super) fn report_component<'s>(
    document: &Document,
    sink: &'s mut Sink<'_>,
    component: usize,
    message: String,
) -> &'s mut Finding {
    let range = document
        .components()
        .get(component)
        .map_or(0..0, |component| component.range.clone());
    let text = document
        .source()
        .text()
        .get(range.clone())
        .unwrap_or_default();
    let shown = text.trim_start();
    let start = range.start + text.len() - shown.len();
    let line = shown.lines().next().unwrap_or_default().trim_end().len();
    sink.in_source(start..start + line, message)
}

/// Whether a key point of a specification asks for an example.
pub(super) fn asks_for_an_example(point: &str) -> bool {
    headings::role(point) == Some(Role::Example)
        || words::words(point).any(|(_, word)| headings::role(word) == Some(Role::Example))
}

/// Whether a lesson has code listings; diagrams do not count.
pub(super) fn lists_code(document: &Document) -> bool {
    document.texts().iter().any(|field| {
        field.role == TextRole::Code
            || field
                .markdown()
                .blocks
                .iter()
                .any(|block| match &block.kind {
                    BlockKind::CodeBlock { fence: Some(fence) } => {
                        !fence.info.starts_with("mermaid")
                    }
                    BlockKind::CodeBlock { fence: None } => true,
                    _ => false,
                })
    })
}

/// Whether the lesson has an introduction: a component of its own, or a first
/// section that acts as one.
pub(super) fn opens(document: &Document) -> bool {
    document
        .of_kind(ComponentKind::Introduction)
        .next()
        .is_some()
        || sections(document)
            .take(FIRST)
            .filter_map(|(_, section)| section.title.as_deref())
            .any(|title| begins_with_any(title, &wording::OPENS))
}

/// Whether the lesson has a conclusion: a component of its own, a heading in its
/// second half, or prose at its end that looks back.
pub(super) fn closes(document: &Document) -> bool {
    document.of_kind(ComponentKind::Conclusion).next().is_some()
        || closing_heading(document)
        || closing_fence(document)
        || closing_prose(document)
}

static CLOSES: LazyLock<Hints> = LazyLock::new(|| Hints::new(wording::CLOSES.iter().copied()));

/// A summary in one of the last fences, by the name of the fence or its first heading:
/// some dialects frame parts of a lesson so (```` ```{admonition} Summary ````).
fn closing_fence(document: &Document) -> bool {
    const LAST_FENCES: usize = 3;
    let texts = document
        .texts()
        .iter()
        .rev()
        .filter(|field| field.is_body());
    let fences = texts.flat_map(|field| {
        field.markdown().blocks.iter().rev().filter_map(|block| {
            let BlockKind::CodeBlock { fence: Some(fence) } = &block.kind else {
                return None;
            };
            let body = field.text.get(fence.body.clone()).unwrap_or_default();
            let heading = body.lines().next().filter(|line| line.starts_with('#'));
            Some(format!("{} {}", fence.info, heading.unwrap_or_default()).to_lowercase())
        })
    });
    fences.take(LAST_FENCES).any(|title| CLOSES.any_in(&title))
}

fn closing_heading(document: &Document) -> bool {
    let titles = titles(document);
    let second_half = titles.len() / 2;
    titles
        .iter()
        .skip(second_half)
        .any(|title| CLOSES.any_in(&title.to_lowercase()))
}

fn closing_prose(document: &Document) -> bool {
    let teaches = |field: &&TextField| {
        let component = document.components().get(field.component);
        field.is_body()
            && component.is_some_and(|component| {
                matches!(
                    component.kind,
                    ComponentKind::Section | ComponentKind::Whole
                )
            })
    };
    static LOOKS_BACK: LazyLock<Hints> =
        LazyLock::new(|| Hints::new(wording::LOOKS_BACK.iter().copied()));
    let mut lowered = String::new();
    let mut left = LAST;
    for field in document.texts().iter().rev().filter(teaches) {
        for block in field.markdown().blocks.iter().rev() {
            if block.kind != BlockKind::Paragraph {
                continue;
            }
            let text = field.text.get(block.content.clone()).unwrap_or_default();
            let shown = shortened(text);
            lowered.clear();
            if shown.is_ascii() {
                lowered.push_str(shown);
                lowered.make_ascii_lowercase();
            } else {
                lowered.extend(shown.chars().map(|c| match c {
                    '’' => '\'',
                    c => lower(c),
                }));
            }
            if LOOKS_BACK.any_in(&lowered) {
                return true;
            }
            left -= 1;
            if left == 0 {
                return false;
            }
        }
    }
    false
}

/// The beginning of a paragraph, which is all that announces what it is for.
fn shortened(text: &str) -> &str {
    const LONGEST: usize = 2_000;
    text.get(..text.floor_char_boundary(LONGEST))
        .unwrap_or(text)
}

/// The titles of sections and the headings inside them, in order.
fn titles(document: &Document) -> Vec<String> {
    let mut titles = Vec::new();
    if document.shape() == "markdown" {
        for field in document.texts() {
            let outline = markdown::outline(field.markdown(), &field.text);
            titles.extend(outline.into_iter().map(|entry| entry.title));
        }
    } else {
        titles.extend(sections(document).filter_map(|(_, section)| section.title.clone()));
    }
    titles
}

/// The examples: by heading or field, and paragraphs that give one.
pub(super) fn count_examples(document: &Document) -> usize {
    let given = document
        .texts()
        .iter()
        .filter(|field| field.is_body())
        .filter(|field| !is_of_kind(document, field, ComponentKind::Example))
        .map(paragraphs_with_an_example)
        .sum::<usize>();
    let named = if document.shape() == "markdown" {
        count_headings(document, Role::Example, &wording::EXAMPLES)
    } else {
        document.of_kind(ComponentKind::Example).count()
    };
    named + given
}

fn is_of_kind(document: &Document, field: &TextField, kind: ComponentKind) -> bool {
    document
        .components()
        .get(field.component)
        .is_some_and(|component| component.kind == kind)
}

static FOR_EXAMPLE: LazyLock<WordIndex> =
    LazyLock::new(|| WordIndex::new(wording::FOR_EXAMPLE.iter().copied()));

fn paragraphs_with_an_example(field: &TextField) -> usize {
    field
        .markdown()
        .blocks
        .iter()
        .filter(|block| block.kind == BlockKind::Paragraph)
        .filter_map(|block| field.text.get(block.content.clone()))
        .filter(|text| FOR_EXAMPLE.any_in(&shortened(text).to_lowercase()))
        .count()
}

/// The exercises: those of a JSON lesson, headings that announce one, and the
/// items or headings under one that announces several.
pub(super) fn count_exercises(document: &Document) -> usize {
    if document.shape() == "markdown" {
        return count_headings(document, Role::Exercise, &wording::EXERCISES);
    }
    let inside = document
        .texts()
        .iter()
        .filter(|field| field.is_body())
        .filter(|field| !is_of_kind(document, field, ComponentKind::Exercise))
        .map(|field| headings_in(field, Role::Exercise, &wording::EXERCISES))
        .sum::<usize>();
    document.of_kind(ComponentKind::Exercise).count() + inside
}

fn count_headings(document: &Document, role: Role, several: &[&str]) -> usize {
    document
        .texts()
        .iter()
        .map(|field| headings_in(field, role, several))
        .sum()
}

fn headings_in(field: &TextField, role: Role, several: &[&str]) -> usize {
    let analysis = field.markdown();
    let outline = markdown::outline(analysis, &field.text);
    let mut count = 0;
    let mut counted_to = 0;
    for (index, entry) in outline.iter().enumerate() {
        if entry.extent.start < counted_to || entry.level == 1 && index == 0 {
            continue;
        }
        let name = headings::bare(&entry.title);
        if several.contains(&name.as_str()) {
            let below = outline
                .iter()
                .skip(index + 1)
                .take_while(|inner| inner.extent.start < entry.extent.end)
                .filter(|inner| inner.level == entry.level + 1)
                .count();
            let listed = items_in(field, &entry.body);
            count += below.max(listed).max(1);
        } else if headings::role(&entry.title) == Some(role) {
            count += 1;
        } else {
            continue;
        }
        counted_to = entry.extent.end;
    }
    count
}

/// The items of the lists at top level in a range.
fn items_in(field: &TextField, range: &Range<usize>) -> usize {
    let blocks = &field.markdown().blocks;
    let first = blocks.partition_point(|block| block.span.start < range.start);
    blocks
        .iter()
        .skip(first)
        .take_while(|block| block.span.start < range.end)
        .filter(|block| block.depth == 1 && matches!(block.kind, BlockKind::Item { .. }))
        .count()
}

/// Whether a title is that of an exercise, an example, an introduction, a
/// conclusion, or a supporting section such as a list of sources.
pub(super) fn serves(title: &str) -> bool {
    headings::role(title).is_some()
        || begins_with_any(title, &wording::SERVES)
        || [&wording::EXERCISES, &wording::EXAMPLES]
            .iter()
            .any(|names| names.contains(&headings::bare(title).as_str()))
        || wording::CLOSES
            .iter()
            .any(|word| title.to_lowercase().contains(word))
}

fn begins_with_any(title: &str, beginnings: &[&str]) -> bool {
    let title = headings::bare(title);
    beginnings
        .iter()
        .any(|beginning| title.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use redraft_gate::profile::GateProfile as _;
    use redraft_gate::reading::{self, Hint};
    use redraft_gate::source::Source;

    use super::*;
    use crate::lesson::Lesson;

    fn lesson(text: &str) -> Document {
        let hint = if text.starts_with('{') {
            Hint::Json
        } else {
            Hint::Markdown
        };
        let raw = reading::read(Source::new(text.as_bytes().to_vec()), hint);
        Lesson.parse(raw, None)
    }

    #[test]
    fn openings_and_closings_are_recognised_by_name_position_and_prose() {
        for (text, expected) in [
            ("# T\n\nLead.\n\n## A\n\na\n\n## B\n\nb\n", (true, false)),
            ("# T\n\n## A\n\na\n\n## B\n\nb\n", (false, false)),
            (
                "# T\n\n## What is water?\n\na\n\n## B\n\nb\n",
                (true, false),
            ),
            (
                "# T\n\n## Lesson goals\n\na\n\n## Summary\n\nb\n",
                (true, true),
            ),
            (
                "# T\n\n## A\n\na\n\n## Your toolkit summary\n\nb\n\n## Assignment\n\nc\n",
                (false, true),
            ),
            (
                "# T\n\n## A\n\na\n\n## B\n\nYou now know how water boils.\n\n## Sources\n\nc\n",
                (false, true),
            ),
            (
                "# Т\n\n## Что такое вода\n\nа\n\n## Б\n\nВ этом уроке мы узнали, как кипит вода.\n",
                (true, true),
            ),
            (
                "# 水\n\n## 什么是水\n\n水。\n\n## 蒸汽\n\n总之，水会沸腾。\n",
                (true, true),
            ),
            (
                r#"{"sections": [{"title": "A", "content": "a"}, {"title": "Summary", "content": "b"}]}"#,
                (false, true),
            ),
            (
                r#"{"intro": "i", "sections": [{"title": "A", "content": "In this lesson, we saw water."}]}"#,
                (true, true),
            ),
        ] {
            let document = lesson(text);
            assert_eq!((opens(&document), closes(&document)), expected, "{text}");
        }
    }

    #[test]
    fn examples_and_tasks_are_counted_where_they_stand() {
        for (text, expected) in [
            ("# T\n\n## Exercise 1\n\na\n\n## Exercise 2\n\nb\n", (0, 2)),
            ("# T\n\n## Exercises\n\n1. a\n2. b\n3. c\n", (0, 3)),
            (
                "# T\n\n## Упражнения\n\n### Первое\n\nа\n\n### Второе\n\nб\n",
                (0, 2),
            ),
            (
                "# T\n\n## A\n\n### Example 1\n\na\n\nFor example, tea.\n\n## 🚀 Challenge\n\n1. x\n2. y\n",
                (2, 1),
            ),
            ("# T\n\n## 练习\n\n1. 一\n2. 二\n", (0, 2)),
            (
                "# Exercise and health\n\nRun.\n\n## Walking\n\nWalk.\n",
                (0, 0),
            ),
            (
                r#"{"intro": "i", "sections": [], "examples": [{"content": "For example, tea."}], "exercises": [{"question": "q"}, {"question": "r"}]}"#,
                (1, 2),
            ),
        ] {
            let document = lesson(text);
            assert_eq!(
                (count_examples(&document), count_exercises(&document)),
                expected,
                "{text}"
            );
        }
    }
}
