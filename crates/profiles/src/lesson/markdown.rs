//! Splits a Markdown lesson into its introduction, sections and conclusion.
//!
//! | headings | title | sections |
//! |---|---|---|
//! | one `#`, before all others | the `#` | the highest level below it |
//! | several `#`, or none | front matter, if any | the highest level there is |
//! | none | – | the whole text is one section |
//!
//! Visible text before the first section is the introduction; a first section
//! named so is part of it. The last section named as a conclusion is the
//! conclusion. Headings below the section level that announce an example or an
//! exercise are components inside their section. The top-level components are
//! adjacent and cover every byte except the title.

use std::ops::Range;
use std::sync::Arc;

use redraft_gate::content::{
    Component, ComponentKind, Document, DocumentBuilder, NewText, TextRole,
};
use redraft_gate::reading::{Form, Raw, Recovered, Trouble};
use redraft_gate::span::ComponentId;
use redraft_text::language::Language;
use redraft_text::markdown::{self, BlockKind, Markdown, OutlineEntry};
use redraft_text::text_map::TextMap;

use super::headings::{self, Role};
use crate::front_matter::front_matter_end;
use crate::shared::prose;

/// Splits Markdown into components; the body is where the reader found it.
pub(crate) fn parse(raw: Raw, language: Option<Language>) -> Document {
    let body = match &raw.form {
        Form::Markdown(body) => body.clone(),
        Form::Json(_) | Form::JsonLines(_) => 0..raw.source.text().len(),
    };
    let text: Arc<str> = if body.len() == raw.source.text().len() {
        raw.source.shared_text()
    } else {
        Arc::from(&raw.source.text()[body.clone()])
    };
    let analysis = markdown::analyse(&text);
    let mut builder = DocumentBuilder::new(raw.source, "markdown");
    builder.outside(raw.outside);
    builder.recovered(raw.recovered);
    builder.form(raw.kind);
    builder.recovered(analysis.degraded.iter().map(|degraded| Recovered {
        what: Trouble::Degraded(degraded.why.describe()),
        range: body.start + degraded.span.start..body.start + degraded.span.end,
        edits: Vec::new(),
        certain: false,
    }));
    let cut = cut(&analysis, &text);
    builder.title(cut.title.or_else(|| front_matter_title(&analysis, &text)));
    for top in cut.components {
        let parent = builder.component(component(&top.head, &body, DocumentBuilder::WHOLE));
        for child in top.children {
            builder.component(component(&child, &body, parent));
        }
    }
    builder.text(NewText {
        component: DocumentBuilder::WHOLE,
        path: Arc::from(""),
        role: TextRole::Body,
        map: TextMap::identity(body.start, text.len()),
        text: text.into(),
        markdown: Some(analysis),
    });
    builder.finish(language)
}

fn component(head: &Head, body: &Range<usize>, parent: usize) -> Component {
    Component {
        id: ComponentId(head.id.clone()),
        kind: head.kind,
        title: head.title.clone(),
        range: body.start + head.range.start..body.start + head.range.end,
        parent: Some(parent),
    }
}

struct Head {
    id: String,
    kind: ComponentKind,
    title: Option<String>,
    range: Range<usize>,
}

struct TopLevel {
    head: Head,
    children: Vec<Head>,
}

struct Cut {
    title: Option<String>,
    components: Vec<TopLevel>,
}

fn cut(analysis: &Markdown, text: &str) -> Cut {
    let outline = markdown::outline(analysis, text);
    let has_one_top = outline.iter().filter(|entry| entry.level == 1).count() == 1;
    let titled = has_one_top && outline.first().is_some_and(|entry| entry.level == 1);
    let (title, headings) = match outline.split_first() {
        Some((first, rest)) if titled => (Some(first), rest),
        _ => (None, outline.as_slice()),
    };
    let lead_start = title.map_or_else(|| front_matter_end(analysis), |title| title.body.start);
    let level = headings.iter().map(|entry| entry.level).min();
    let sections: Vec<&OutlineEntry> = headings
        .iter()
        .filter(|entry| Some(entry.level) == level)
        .collect();
    let first_section = sections
        .first()
        .map_or(text.len(), |entry| entry.extent.start);
    let lead = lead_start..first_section;
    let has_lead = shows_something(analysis, &lead);

    let mut components = Vec::new();
    if sections.is_empty() {
        if has_lead || title.is_none() {
            components.push(TopLevel {
                head: Head {
                    id: "sec_1".to_owned(),
                    kind: ComponentKind::Section,
                    title: None,
                    range: lead,
                },
                children: Vec::new(),
            });
        }
        return Cut {
            title: title.map(|entry| entry.title.clone()),
            components,
        };
    }
    let roles: Vec<Option<Role>> = sections
        .iter()
        .map(|entry| headings::role(&entry.title))
        .collect();
    let conclusion = roles
        .iter()
        .rposition(|role| *role == Some(Role::Conclusion));
    let introduced = roles[0] == Some(Role::Introduction);
    if has_lead && !introduced {
        components.push(TopLevel {
            head: Head {
                id: "sec_introduction".to_owned(),
                kind: ComponentKind::Introduction,
                title: None,
                range: lead.clone(),
            },
            children: Vec::new(),
        });
    }
    let mut number = 0;
    let mut children = Children::new(headings, level.unwrap_or(1));
    for (index, entry) in sections.iter().enumerate() {
        let (id, kind) = if index == 0 && introduced {
            ("sec_introduction".to_owned(), ComponentKind::Introduction)
        } else if Some(index) == conclusion {
            ("sec_conclusion".to_owned(), ComponentKind::Conclusion)
        } else {
            number += 1;
            (format!("sec_{number}"), ComponentKind::Section)
        };
        let start = if index == 0 && introduced && has_lead {
            lead.start
        } else {
            entry.extent.start
        };
        components.push(TopLevel {
            head: Head {
                id,
                kind,
                title: Some(entry.title.clone()),
                range: start..entry.extent.end,
            },
            children: children.within(&entry.extent),
        });
    }
    Cut {
        title: title.map(|entry| entry.title.clone()),
        components,
    }
}

/// Walks once over the headings below the sections and picks examples and
/// exercises.
struct Children<'a> {
    below: std::iter::Peekable<std::vec::IntoIter<(&'a OutlineEntry, Role)>>,
    examples: usize,
    exercises: usize,
}

impl<'a> Children<'a> {
    fn new(headings: &'a [OutlineEntry], level: u8) -> Self {
        let below: Vec<(&OutlineEntry, Role)> = headings
            .iter()
            .filter(|entry| entry.level > level)
            .filter_map(|entry| headings::role(&entry.title).map(|role| (entry, role)))
            .filter(|(_, role)| matches!(role, Role::Example | Role::Exercise))
            .collect();
        Self {
            below: below.into_iter().peekable(),
            examples: 0,
            exercises: 0,
        }
    }

    fn within(&mut self, section: &Range<usize>) -> Vec<Head> {
        let mut found: Vec<Head> = Vec::new();
        while let Some((entry, role)) = self
            .below
            .next_if(|(entry, _)| entry.extent.start < section.end)
        {
            // A nested one belongs to the outer one.
            if found
                .last()
                .is_some_and(|last| entry.extent.start < last.range.end)
            {
                continue;
            }
            let (id, kind) = if role == Role::Example {
                self.examples += 1;
                (format!("example_{}", self.examples), ComponentKind::Example)
            } else {
                self.exercises += 1;
                (
                    format!("exercise_{}", self.exercises),
                    ComponentKind::Exercise,
                )
            };
            found.push(Head {
                id,
                kind,
                title: Some(entry.title.clone()),
                range: entry.extent.clone(),
            });
        }
        found
    }
}

/// Whether a reader sees anything of a range: comments, definitions and rules do
/// not count.
fn shows_something(analysis: &Markdown, range: &Range<usize>) -> bool {
    analysis
        .top_level()
        .map(|(_, block)| block)
        .skip_while(|block| block.span.start < range.start)
        .take_while(|block| block.span.start < range.end)
        .any(prose::shows_something)
}

/// The `title:` of YAML or TOML front matter, unquoted. Front matter is kept
/// aside, so nothing more of it is read.
fn front_matter_title(analysis: &Markdown, text: &str) -> Option<String> {
    let block = analysis
        .blocks
        .first()
        .filter(|block| block.kind == BlockKind::FrontMatter)?;
    let mut lines = text.get(block.span.clone())?.lines();
    let value = lines.by_ref().find_map(|line| {
        line.strip_prefix("title:")
            .or_else(|| line.strip_prefix("title ="))
    })?;
    let value = value.trim();
    let value = if matches!(value, "" | "|" | ">" | "|-" | ">-") {
        lines.next()?.trim()
    } else {
        value
    };
    let title = value.trim_matches(['"', '\'']).trim();
    (!title.is_empty()).then(|| title.to_owned())
}

#[cfg(test)]
mod tests {
    use redraft_gate::reading::{self, Hint};
    use redraft_gate::source::Source;

    use super::*;

    fn components(text: &str) -> Vec<(String, String)> {
        let raw = reading::read(Source::new(text.as_bytes().to_vec()), Hint::Markdown);
        let document = parse(raw, None);
        document
            .components()
            .iter()
            .skip(1)
            .map(|component| {
                (
                    component.id.0.clone(),
                    text[component.range.clone()].to_owned(),
                )
            })
            .collect()
    }

    fn check(text: &str, expected: &[(&str, &str)]) {
        let expected: Vec<(String, String)> = expected
            .iter()
            .map(|(id, slice)| ((*id).to_owned(), (*slice).to_owned()))
            .collect();
        assert_eq!(components(text), expected, "{text:?}");
    }

    #[test]
    fn sections_are_cut_byte_exactly() {
        check(
            "# T\n\nLead.\n\n## A\n\na\n\n## Summary\n\ns\n",
            &[
                ("sec_introduction", "\nLead.\n\n"),
                ("sec_1", "## A\n\na\n\n"),
                ("sec_conclusion", "## Summary\n\ns\n"),
            ],
        );
        check(
            "# T\r\n\r\n## A\r\n\r\na\r\n## B\r\nb",
            &[("sec_1", "## A\r\n\r\na\r\n"), ("sec_2", "## B\r\nb")],
        );
    }

    #[test]
    fn an_introduction_by_name_takes_the_lead_along() {
        check(
            "# T\n\nLead.\n\n## Introduction\n\ni\n\n## A\n\na\n",
            &[
                ("sec_introduction", "\nLead.\n\n## Introduction\n\ni\n\n"),
                ("sec_1", "## A\n\na\n"),
            ],
        );
    }

    #[test]
    fn headings_in_fences_quotes_and_comments_do_not_cut() {
        check(
            "# T\n\n## A\n\n```\n## no\n```\n\n> ## no\n\n<!--\n## no\n-->\n\n## B\n\nb\n",
            &[
                (
                    "sec_1",
                    "## A\n\n```\n## no\n```\n\n> ## no\n\n<!--\n## no\n-->\n\n",
                ),
                ("sec_2", "## B\n\nb\n"),
            ],
        );
    }

    #[test]
    fn setext_headings_front_matter_and_a_byte_order_mark_are_understood() {
        check(
            "\u{feff}---\ntitle: T\n---\n\nA\n---\n\na\n\nB\n---\n\nb\n",
            &[("sec_1", "A\n---\n\na\n\n"), ("sec_2", "B\n---\n\nb\n")],
        );
    }

    #[test]
    fn a_text_without_headings_is_one_section() {
        check("只有一段文字。\n", &[("sec_1", "只有一段文字。\n")]);
    }

    #[test]
    fn several_top_headings_are_sections() {
        check(
            "# Introduction\n\ni\n\n# A\n\n## x\n\na\n",
            &[
                ("sec_introduction", "# Introduction\n\ni\n\n"),
                ("sec_1", "# A\n\n## x\n\na\n"),
            ],
        );
    }

    #[test]
    fn examples_and_tasks_below_sections_are_components_of_their_own() {
        check(
            "# T\n\n## A\n\na\n\n### Example 1\n\ne\n\n### Exercise\n\nx\n\n## B\n\nb\n",
            &[
                (
                    "sec_1",
                    "## A\n\na\n\n### Example 1\n\ne\n\n### Exercise\n\nx\n\n",
                ),
                ("example_1", "### Example 1\n\ne\n\n"),
                ("exercise_1", "### Exercise\n\nx\n\n"),
                ("sec_2", "## B\n\nb\n"),
            ],
        );
    }
}
