//! A diagram that was cut off: it ends in the middle of a statement or of a block,
//! or has nothing but its first line. Such a diagram is reported and never
//! repaired, since closing it would hide that the rest is missing (ruling 47).
//!
//! | the last line | cut |
//! |---|---|
//! | `B --> C[Take the cli`, `C["Take`, <code>C -->\|ye</code> | a bracket, quote or bar is open at its end |
//! | `B -->`, `Alice->>`, `A \|\|--o{` | an arrow leads nowhere |
//! | `Alice->>Bo`, `A \|\|--o{ B` | the text that must follow is missing |
//! | any, after `subgraph`, `loop`, `class A {` without its end | a block is open |
//! | `mindmap` | there are no statements |
//!
//! It is asked only about diagrams that mermaid rejects.

use std::ops::Range;

use super::flow_scan::{Form, Token, scan};
use super::kind::{self, Kind};
use super::{differences, kept, repair};

/// Where a rejected diagram breaks off, and the message.
pub(super) fn find(text: &str) -> Option<(Range<usize>, String)> {
    let header = kind::header(text)?;
    let kind = header.kind?;
    let Some(last) = last_statement(text, header.line.end) else {
        return is_bare(&text[header.line.clone()]).then(|| (header.line, only_header()));
    };
    let content = &text[last.clone()];
    let ends_early = match kind {
        Kind::Flowchart => is_open_chain(text, &last),
        Kind::Sequence => is_open_message(content),
        Kind::Er => is_open_relation(content),
        Kind::Class | Kind::State => {
            ends_in_arrow(content) || content.ends_with(':') || is_open(content, kind)
        }
        Kind::XyChart => {
            differences::half_range(&content.to_ascii_lowercase()) || is_open(content, kind)
        }
        _ => is_open(content, kind),
    };
    if ends_early {
        return Some((
            last,
            format!(
                "the diagram is cut off in the middle of its last statement; write the rest: `{}`",
                super::wording::shortened(content)
            ),
        ));
    }
    repair::is_open_at_end(text, kind).then(|| {
        let says = "the diagram is cut off inside a block; write the rest and close the block";
        (last, says.to_owned())
    })
}

/// What is said of a diagram without statements.
pub(super) fn only_header() -> String {
    "the diagram has only its first line, so nothing is drawn; write its statements".to_owned()
}

/// Whether mermaid rejects a kind of diagram without statements; of the others it
/// draws an empty one.
pub(super) fn needs_statements(text: &str) -> bool {
    let Some(header) = kind::header(text) else {
        return false;
    };
    let kind = header.kind;
    // Without what is configured before the first line.
    let text = text.get(header.line.start..).unwrap_or_default();
    let is_comment = |line: &str| line.trim().is_empty() || line.trim_start().starts_with("%%");
    let is_commented = kind == Some(Kind::Class) && text.trim().lines().skip(1).all(is_comment);
    // White space counts as a statement of a mind map.
    let is_blank = is_commented
        || !text
            .trim_start()
            .trim_end_matches('\n')
            .contains([' ', '\n']);
    is_blank
        && matches!(
            kind,
            Some(
                Kind::Class | Kind::Mindmap | Kind::Kanban | Kind::Block | Kind::C4 | Kind::Sankey
            )
        )
}

/// Of a mind map, whose brackets mermaid closes at any of the closing ones.
pub(super) fn is_open_node(text: &str) -> bool {
    let header = kind::header(text).filter(|header| header.kind == Some(Kind::Mindmap));
    let last = header.and_then(|header| last_statement(text, header.line.end));
    last.is_some_and(|last| {
        let content = &text[last];
        content.contains(['(', '[', '{']) && !content.contains([')', ']', '}'])
    })
}

/// Whether a diagram that mermaid accepts has nothing but its first line.
pub(super) fn is_only_header(text: &str) -> bool {
    kind::header(text).is_some_and(|header| {
        is_bare(&text[header.line.clone()])
            && text[header.line.end..].lines().all(|line| {
                let content = line.trim_matches([' ', '\t', '\r', ';']);
                content.is_empty() || content.starts_with("%%")
            })
    })
}

/// Whether a first line has only the kind of diagram and perhaps its direction.
fn is_bare(line: &str) -> bool {
    const DIRECTIONS: &[&str] = &["TD", "TB", "LR", "RL", "BT", "horizontal", "vertical"];
    let mut words = line.split_whitespace();
    let kind = words.next().and_then(kind::kind_of);
    let is_direction = words.next().is_none_or(|word| DIRECTIONS.contains(&word));
    kind.is_some() && is_direction && words.next().is_none() && !line.starts_with("info")
}

/// The last line after the header that is neither blank nor a comment.
fn last_statement(text: &str, header_end: usize) -> Option<Range<usize>> {
    let last = kind::lines(text)
        .filter(|line| line.end > header_end)
        .map(|line| line.start.max(header_end)..line.end)
        .filter(|line| {
            let content = text[line.clone()].trim_matches([' ', '\t', '\r', ';']);
            !content.is_empty() && !content.starts_with("%%")
        })
        .last()?;
    let mut content = &text[last.clone()];
    let start = last.start + (content.len() - content.trim_start().len());
    // A comment of another language after the statement.
    for comment in ["<!--", " //", " %%", " # "] {
        content = &content[..content.find(comment).unwrap_or(content.len())];
    }
    let end = last.start + content.trim_end().len();
    (start < end).then_some(start..end)
}

/// Of a flowchart: an open label, or a link without a target.
fn is_open_chain(text: &str, last: &Range<usize>) -> bool {
    let Some(line) = scan(text)
        .into_iter()
        .rfind(|line| line.range.end >= last.end)
    else {
        return false;
    };
    let tokens = match line.form {
        Form::Chain(tokens) => tokens,
        Form::Subgraph(title) => return is_open(&text[title], Kind::Flowchart),
        Form::End | Form::Setting | Form::Aside => return false,
    };
    // Without a comment after them.
    let tokens: Vec<Token> = tokens
        .into_iter()
        .filter(|token| starts_at(token) < last.end)
        .collect();
    let is_half = |range: &Range<usize>| matches!(&text[range.clone()], "--" | "==" | "-.");
    match tokens.as_slice() {
        [.., Token::Link(_) | Token::Between(_) | Token::Bars(_)] => true,
        [.., Token::Label(label)] if label.close.is_none() => {
            // Unless it is closed by the wrong bracket.
            let inner = &text[label.inner.clone()];
            let is_closed = inner.contains(label.closer) || inner.ends_with([')', ']', '}']);
            !is_closed || kept::is_balanced(inner)
        }
        // `A -->|yes B`, `A -- yes` and `A; subgraph B`
        [.., Token::Node(_)] if opens_bar(&tokens) || opens_block(text, &tokens) => true,
        [.., Token::Link(link), Token::Node(_)] if is_half(link) => true,
        _ => {
            let mut links = tokens
                .iter()
                .filter(|token| matches!(token, Token::Link(_)));
            let end = links
                .next_back()
                .map_or(last.start, starts_at)
                .max(last.start);
            let rest = &text[end..last.end];
            has_open_quote(rest) && !rest.ends_with([')', ']', '}', ';'])
        }
    }
}

fn starts_at(token: &Token) -> usize {
    match token {
        Token::Node(range) | Token::Link(range) | Token::Between(range) => range.start,
        Token::Label(label) | Token::Bars(label) => label.open.start,
    }
}

/// A label of a link is open, and no node with a label of its own follows.
fn opens_bar(tokens: &[Token]) -> bool {
    let bar = tokens
        .iter()
        .rposition(|token| matches!(token, Token::Bars(label) if label.close.is_none()));
    bar.is_some_and(|at| {
        !tokens[at..]
            .iter()
            .any(|token| matches!(token, Token::Label(_)))
    })
}

/// A subgraph on the same line has no end.
fn opens_block(text: &str, tokens: &[Token]) -> bool {
    let count = |word: &str| {
        let is_word =
            |token: &&Token| matches!(token, Token::Node(range) if text[range.clone()] == *word);
        tokens.iter().filter(is_word).count()
    };
    count("subgraph") > count("end")
}

/// Of a sequence diagram: a message without a colon, or an arrow to nobody.
fn is_open_message(content: &str) -> bool {
    // A colon alone may be missing before a message.
    let arrow = ["->>", "->", "-x", "-)", "→"]
        .iter()
        .find_map(|arrow| content.split_once(arrow));
    let has_arrow = arrow.is_some_and(|(_, after)| after.split_whitespace().count() < 2);
    let is_declaration = content.contains("@{");
    (has_arrow && !content.contains(':')) || (is_declaration && is_open(content, Kind::Sequence))
}

/// Of an entity-relationship diagram: a relation without its label or its second
/// entity, or an open comment.
fn is_open_relation(content: &str) -> bool {
    let is_relation = content.contains("--") || content.contains("..");
    (is_relation && !content.contains(':')) || has_open_quote(content)
}

fn ends_in_arrow(content: &str) -> bool {
    let content = content.trim_end_matches([' ', '\t']);
    ["--", "->", "..", ".>", "|>", "--*", "--o", "→", "->>"]
        .iter()
        .any(|arrow| content.ends_with(arrow))
}

/// A bracket or quote is open at the end of the line. What follows a colon in some
/// kinds is free text, and a brace at the end opens a block.
fn is_open(content: &str, kind: Kind) -> bool {
    let structural = match kind {
        Kind::Sequence | Kind::State | Kind::Gantt => content.split(':').next().unwrap_or_default(),
        _ => content,
    };
    if has_open_quote(structural) {
        return true;
    }
    let mut open = Vec::new();
    let mut quoted = false;
    for c in structural.chars() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => open.push(c),
            ')' | ']' | '}' => {
                open.pop();
            }
            _ => {}
        }
    }
    !open.is_empty()
}

fn has_open_quote(content: &str) -> bool {
    content.matches('"').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::super::{Examined, Verdict, examine};

    #[test]
    fn a_diagram_that_breaks_off_is_an_error_without_a_repair() {
        let cases = [
            "graph TD\nA --> B\nB --> C[Take the cli",
            "graph TD\nA --> B\nB --> C[\"Take the cli",
            "graph TD\nA -> B\nB --> C{Is it",
            "graph TD\nA --> B\nB -->|ye",
            "graph TD\nA --> B\nB -->|yes C",
            "graph TD\nA --> B\nB --> ",
            "graph TD\nA --> B\nB -- yes",
            "graph TD\nA --> B;C[x",
            "graph TD\n  subgraph S\n    A --> B",
            "graph TD\n  subgraph S\n    A --> B\n  end\n  subgraph T [Second",
            "sequenceDiagram\nA->>B: x\nloop y\nA->>B: z",
            "sequenceDiagram\nA->>B: x\nA->>B",
            "sequenceDiagram\nA->>B: x\nA->>",
            "classDiagram\nclass A {\n  +x int",
            "classDiagram\nA --> B\nclass C[\"Lab",
            "stateDiagram-v2\nstate A {\n  B --> C",
            "stateDiagram-v2\nA --> B\nB -->",
            "erDiagram\nA ||--o{ B : has\nA ||--o{ C",
            "erDiagram\nA {\n  int id",
            "pie\n\"A\" : 1\n\"B",
            "gitGraph\ncommit id: \"x",
            "xychart\nx-axis Months 45.5 ",
            "xychart\nx-axis Months 45.5   --",
            "mindmap",
            "classDiagram\n",
        ];
        for source in cases {
            let Examined {
                verdict: Verdict::Invalid(diagnosis),
                repair: None,
            } = examine(source)
            else {
                panic!("{source:?}: {:?}", examine(source));
            };
            let is_named = ["cut off", "only its first line"]
                .iter()
                .any(|words| diagnosis.message.contains(words));
            assert!(is_named, "{source:?}: {}", diagnosis.message);
        }
    }

    #[test]
    fn what_is_whole_is_not_called_cut_off() {
        for source in [
            "graph TD\nA -> B[f(x)]",
            "graph TD\nA -> B\nB --> end",
            "graph TD\nA[open --> B",
            "graph TD\nsubgraph S\n  A\n  end\nA -> B",
            "sequenceDiagram\nA→B: 5\" pipe",
            "pie\n“A” : 50",
        ] {
            let examined = examine(source);
            assert!(examined.repair.is_some(), "{source:?}: {examined:?}");
        }
    }
}
