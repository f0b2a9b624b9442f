//! `invalid-mermaid`: a diagram that Mermaid cannot draw.

use std::ops::Range;

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::content::TextField;
use redraft_gate::finding::{Fix, Severity};
use redraft_mermaid::{self as mermaid, Certainty, Diagnosis, Repair, Verdict};
use redraft_text::markdown::{BlockKind, Fence};

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT034",
    name: "invalid-mermaid",
    severity: Severity::Error,
    mends: Mends::WhereCertain,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "a Mermaid diagram that cannot be drawn",
    what: "Parses every code block marked `mermaid` and reports what is wrong and on which line. `--fix` applies small repairs if the repaired diagram parses and has the same nodes, edges and labels: labels with brackets or quotes in them are put in quotes, escaped and typographic quotes become straight ones, arrows of other notations become Mermaid's, an `end` that is missing before the end of the diagram is added, list markers and text that do not belong to the diagram are removed. A repair that may change what is drawn (a missing first line, an unknown direction or shape, a name that can be read in two ways) is only proposed. A diagram that is cut off (its last statement or a block is not finished) is an error and never repaired, since closing it would hide that the rest is missing. It is a warning if the grammar is not exact enough to be certain, and if there is nothing but a first line. Diagrams above Mermaid's own limit of 50,000 bytes are skipped.",
    why: "The learner sees an error message instead of the diagram.",
    examples: &[
        Example {
            form: ExampleForm::Markdown,
            fails: "# Loops\n\n```mermaid\ngraph TD\n    A[range(3)] -> B[print(i)]\n```\n",
            passes: "# Loops\n\n```mermaid\ngraph TD\n    A[Start] --> B[Stop]\n```\n",
            fixed: Some(
                "# Loops\n\n```mermaid\ngraph TD\n    A[\"range(3)\"] --> B[\"print(i)\"]\n```\n",
            ),
        },
        Example {
            form: ExampleForm::Markdown,
            fails: "# Cells\n\n```mermaid\ngraph TD\n    A[Cell] --> B[Nucleus]\n    B --> C[Holds the gen\n```\n",
            passes: "# Cells\n\n```mermaid\ngraph TD\n    A[Cell] --> B[Nucleus]\n    B --> C[Holds the genes]\n```\n",
            fixed: None,
        },
        Example {
            form: ExampleForm::Markdown,
            fails: "# Trees\n\n```mermaid\nmindmap\n  Trees\n  Leaves\n```\n",
            passes: "# Trees\n\n```mermaid\nmindmap\n  Trees\n    Leaves\n```\n",
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for field in examination
        .document
        .texts()
        .iter()
        .filter(|field| field.is_body())
    {
        for block in &field.markdown().blocks {
            let BlockKind::CodeBlock { fence: Some(fence) } = &block.kind else {
                continue;
            };
            // A block that is never closed contains the text after it;
            // `unclosed-fence` reports it.
            if is_mermaid(&fence.info) && fence.closing.is_some() {
                report(examination, sink, field, fence);
            }
        }
    }
}

/// `mermaid`, `Mermaid`, `mermaid-js`, `{.mermaid}`, `{mermaid}`.
fn is_mermaid(info: &str) -> bool {
    let name = info
        .trim_start_matches(['{', '.', ' '])
        .split([' ', '\t', '}', '{', ',', ':'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    matches!(
        name.as_str(),
        "mermaid" | "mermaid-js" | "mermaidjs" | "mermaid.js"
    )
}

fn report(examination: &Examination<'_>, sink: &mut Sink<'_>, field: &TextField, fence: &Fence) {
    let diagram = Diagram::cut_out(&field.text, fence);
    let examined = mermaid::examine(&diagram.text);
    // Some renderers are more lenient than the grammar, and a diagram with a certain
    // repair need not be rewritten (ruling 14): only a diagram without one is an
    // error.
    let is_certain = |repair: &Repair| repair.certainty == Certainty::Certain;
    let (diagnosis, severity, certainty) = match examined.verdict {
        Verdict::Valid | Verdict::Unknown => return,
        Verdict::Invalid(diagnosis) if examined.repair.as_ref().is_some_and(is_certain) => {
            (diagnosis, Severity::Warning, "cannot")
        }
        Verdict::Invalid(diagnosis) => (diagnosis, Severity::Error, "cannot"),
        Verdict::Doubtful(diagnosis) => (diagnosis, Severity::Warning, "may not"),
    };
    let range = if diagnosis.range.is_empty() {
        fence.opening.clone()
    } else {
        diagram.in_field(&diagnosis.range)
    };
    let fix = examined.repair.map(|repair| {
        let edit = |edit: &mermaid::Edit| {
            let (range, text) = diagram.edit(edit);
            examination.document.edit(field, range, &text)
        };
        let edits = repair.edits.iter().map(edit).collect();
        match repair.certainty {
            Certainty::Certain => Fix::safe(edits),
            Certainty::Guess => Fix::proposed(edits),
        }
    });
    let Diagnosis { line, message, .. } = &diagnosis;
    let message = format!("this Mermaid diagram {certainty} be drawn; line {line}: {message}");
    let finding = sink.in_text(field, range, message);
    finding.severity(severity);
    if let Some(fix) = fix {
        finding.fix(fix);
    }
}

/// The text of a diagram without the prefixes of the containers it is in,
/// and the mapping back.
struct Diagram {
    text: String,
    /// Where each line starts, in the diagram and in the field, and how long the
    /// prefix before it is.
    lines: Vec<(usize, usize, usize)>,
    end: usize,
    /// What a new line must begin with.
    prefix: String,
}

impl Diagram {
    fn cut_out(text: &str, fence: &Fence) -> Self {
        let line_start = text[..fence.opening.start]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        // A list marker before the fence is white space on the lines below.
        let prefix: String = text[line_start..fence.opening.start]
            .chars()
            .map(|c| if matches!(c, '>' | '\t') { c } else { ' ' })
            .collect();
        let mut diagram = Self {
            text: String::with_capacity(fence.body.len()),
            lines: Vec::new(),
            end: fence.body.end,
            prefix,
        };
        let mut at = fence.body.start;
        for line in text[fence.body.clone()].split_inclusive('\n') {
            let skipped = prefix_length(line, &diagram.prefix);
            diagram
                .lines
                .push((diagram.text.len(), at + skipped, skipped));
            diagram.text.push_str(&line[skipped..]);
            at += line.len();
        }
        diagram
    }

    /// A range of the diagram as a range of the field.
    fn in_field(&self, range: &Range<usize>) -> Range<usize> {
        let position = |offset: usize| {
            if offset >= self.text.len() {
                return self.end;
            }
            self.line_of(offset)
                .map_or(self.end, |(start, at, _)| at + (offset - start))
        };
        let start = position(range.start);
        start..position(range.end).max(start)
    }

    /// An edit of the diagram as an edit of the field: new lines get the prefix
    /// of the containers, and the line break of the document.
    fn edit(&self, edit: &mermaid::Edit) -> (Range<usize>, String) {
        let mut range = self.in_field(&edit.range);
        let deletes_to_the_end = edit.text.is_empty() && edit.range.end == self.text.len();
        if let Some((start, _, prefix)) = self.line_of(edit.range.start)
            && deletes_to_the_end
            && start == edit.range.start
        {
            // The prefix of the first line goes too: the closing fence has one.
            range.start -= prefix;
        }
        let line_break = if self.text.contains("\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        let text = edit
            .text
            .replace('\n', &format!("{line_break}{}", self.prefix));
        (range, text)
    }

    fn line_of(&self, offset: usize) -> Option<(usize, usize, usize)> {
        let after = self.lines.partition_point(|(start, ..)| *start <= offset);
        self.lines.get(after.checked_sub(1)?).copied()
    }
}

/// How many bytes of a line belong to the containers: quote marks must be there,
/// indentation may be.
fn prefix_length(line: &str, prefix: &str) -> usize {
    let mut at = 0;
    for c in prefix.chars() {
        let rest = &line[at..];
        if c == '>' {
            let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            if !rest[blank..].starts_with('>') {
                break;
            }
            at += blank + 1;
        } else if rest.starts_with([' ', '\t']) {
            at += 1;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use redraft_text::markdown::analyse;

    fn cut(text: &str) -> Diagram {
        let markdown = analyse(text);
        let fence = markdown.blocks.iter().find_map(|block| match &block.kind {
            BlockKind::CodeBlock { fence } => fence.clone(),
            _ => None,
        });
        Diagram::cut_out(text, &fence.expect("a fence"))
    }

    #[test]
    fn a_diagram_is_cut_out_of_its_containers_and_placed_back() {
        let cases = [
            "```mermaid\ngraph TD\n  A\n```\n",
            "- item\n\n  ```mermaid\n  graph TD\n    A\n  ```\n",
            "1. ```mermaid\n   graph TD\n     A\n   ```\n",
            "> ```mermaid\n> graph TD\n>   A\n> ```\n",
            "> - x\n>\n>   ```mermaid\n>   graph TD\n>     A\n>   ```\n",
        ];
        for text in cases {
            let diagram = cut(text);
            assert_eq!(diagram.text, "graph TD\n  A\n", "{text:?}");
            let range = diagram.in_field(&(11..12));
            assert_eq!(&text[range], "A", "{text:?}");
        }
    }

    #[test]
    fn edits_keep_the_prefixes_of_the_containers() {
        let cases = [
            (
                "> ```mermaid\n> graph TD\n>   subgraph A\n>     B\n>   C --> D\n> ```\n",
                "> ```mermaid\n> graph TD\n>   subgraph A\n>     B\n>   end\n>   C --> D\n> ```\n",
            ),
            (
                "- x\n\n  ```mermaid\n  graph TD\n  A -> B\n  end\n  ```\n",
                "- x\n\n  ```mermaid\n  graph TD\n  A --> B\n  ```\n",
            ),
            (
                "> ```mermaid\n> Look:\n>\n> graph TD\n> A --> B\n> end\n> ```\n",
                "> ```mermaid\n> graph TD\n> A --> B\n> ```\n",
            ),
            (
                "```mermaid\r\nsequenceDiagram\r\nopt x\r\n  A->>B: y\r\nA->>B: z\r\n```\r\n",
                "```mermaid\r\nsequenceDiagram\r\nopt x\r\n  A->>B: y\r\nend\r\nA->>B: z\r\n```\r\n",
            ),
        ];
        for (text, expected) in cases {
            let diagram = cut(text);
            let repair = mermaid::repair(&diagram.text).expect("a repair");
            let mut mended = text.to_owned();
            for edit in repair.edits.iter().rev() {
                let (range, text) = diagram.edit(edit);
                mended.replace_range(range, &text);
            }
            assert_eq!(mended, expected, "{text:?}");
        }
    }

    #[test]
    fn all_ways_to_name_the_language_are_known() {
        for info in [
            "mermaid",
            "Mermaid",
            "mermaid-js",
            "{.mermaid}",
            "{mermaid}",
            "mermaid title=x",
            "mermaid {theme}",
        ] {
            assert!(is_mermaid(info), "{info}");
        }
        for info in ["", "text", "mermaids", "javascript mermaid"] {
            assert!(!is_mermaid(info), "{info}");
        }
    }
}
