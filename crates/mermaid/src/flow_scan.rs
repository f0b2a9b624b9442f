//! A tolerant reading of flowchart statements: where the nodes, labels and links
//! of a line are, even if they are invalid. It guesses what the
//! author meant and never decides whether a diagram is valid.

use std::ops::Range;

use super::kind;

/// A token of a flowchart statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Node(Range<usize>),
    /// A node's label with its brackets.
    Label(Label),
    /// A link, valid or not.
    Link(Range<usize>),
    /// A link's label between bars.
    Bars(Label),
    /// A link's label between the two halves of a link.
    Between(Range<usize>),
}

/// A label and its delimiters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) open: Range<usize>,
    pub(super) inner: Range<usize>,
    /// `None` if it is never closed.
    pub(super) close: Option<Range<usize>>,
    /// The delimiter that should close it.
    pub(super) closer: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Without white space around it. A chain with a label that goes over
    /// several lines has all of them.
    pub(super) range: Range<usize>,
    pub(super) form: Form,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Nodes and links.
    Chain(Vec<Token>),
    /// `subgraph`, with what follows it.
    Subgraph(Range<usize>),
    End,
    /// `style`, `classDef`, `class`, `linkStyle`, `click`, `direction`.
    Setting,
    /// Header, comment, blank, accessibility text.
    Aside,
}

/// Openers of node shapes, longest first, with their closers.
const SHAPES: &[(&str, &[&str])] = &[
    ("(((", &[")))"]),
    ("((", &["))"]),
    ("([", &["])"]),
    ("(-", &["-)"]),
    ("[[", &["]]"]),
    ("[(", &[")]"]),
    ("[/", &["/]", "\\]"]),
    ("[\\", &["\\]", "/]"]),
    ("{{", &["}}"]),
    ("(", &[")"]),
    ("[", &["]"]),
    ("{", &["}"]),
    (">", &["]"]),
];

const SETTINGS: &[&str] = &[
    "style",
    "classDef",
    "class",
    "linkStyle",
    "click",
    "direction",
    "accTitle",
    "accDescr",
];

/// The lines of a flowchart after its header.
pub(super) fn scan(text: &str) -> Vec<Line> {
    let header_end = kind::header(text).map_or(0, |header| header.line.end);
    let mut lines = Vec::new();
    let mut skip_to = 0;
    for mut line in kind::lines(text) {
        if line.start < header_end {
            // Statements may follow the header on its line.
            if line.end <= header_end {
                continue;
            }
            line.start = header_end + usize::from(text[header_end..].starts_with(';'));
        }
        if line.start < skip_to {
            continue;
        }
        let content = &text[line.clone()];
        let start = line.start + (content.len() - content.trim_start().len());
        let mut range = start..start + content.trim().len();
        let trimmed = content.trim();
        let word = trimmed.split([' ', '\t', ';']).next().unwrap_or_default();
        let form = if trimmed.is_empty() || trimmed.starts_with("%%") {
            Form::Aside
        } else if word == "subgraph" {
            let title = &trimmed["subgraph".len()..];
            let at = range.start + "subgraph".len() + (title.len() - title.trim_start().len());
            Form::Subgraph(at..range.end.max(at))
        } else if trimmed.trim_end_matches(';').trim_end() == "end" {
            Form::End
        } else if SETTINGS.contains(&word.trim_end_matches(':')) {
            Form::Setting
        } else {
            let (tokens, end) = Chain {
                text,
                at: range.start,
                end: range.end,
            }
            .tokens();
            skip_to = end;
            if end > range.end {
                range.end = start + text[start..end].trim_end().len();
            }
            Form::Chain(tokens)
        };
        lines.push(Line { range, form });
    }
    lines
}

struct Chain<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

impl Chain<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..self.end]
    }

    fn skip(&mut self, set: &[char]) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(set).len();
    }

    /// The tokens, and where reading stopped: the end of the line, or of a later
    /// line if a quoted label goes over several.
    fn tokens(mut self) -> (Vec<Token>, usize) {
        let mut tokens = Vec::new();
        loop {
            self.skip(&[' ', '\t', ';', '&', '\u{a0}']);
            if self.rest().is_empty() || self.rest().starts_with("%%") {
                return (tokens, self.end);
            }
            let before = self.at;
            if let Some(length) = link_length(self.rest()) {
                self.link(length, &mut tokens);
            } else if self.rest().starts_with(":::") {
                self.at += 3;
                self.at += word_length(self.rest());
            } else if self.rest().starts_with("@{") {
                let rest = self.rest();
                self.at += rest.find('}').map_or(rest.len(), |at| at + 1);
            } else {
                self.node(&mut tokens);
            }
            if self.at == before {
                // Unknown: skip one character.
                self.at += self.rest().chars().next().map_or(1, char::len_utf8);
            }
        }
    }

    fn link(&mut self, length: usize, tokens: &mut Vec<Token>) {
        let link = self.at..self.at + length;
        self.at = link.end;
        let open_ended = matches!(
            self.text[link.clone()].trim_start_matches('<'),
            "--" | "==" | "-."
        );
        tokens.push(Token::Link(link));
        self.skip(&[' ', '\t']);
        if self.rest().starts_with('|') {
            let open = self.at..self.at + 1;
            let inner = open.end
                ..self.text[open.end..self.end]
                    .find('|')
                    .map_or(self.end, |at| open.end + at);
            let close = (inner.end < self.end).then(|| inner.end..inner.end + 1);
            self.at = close.as_ref().map_or(open.end, |close| close.end);
            if close.is_some() && self.rest().starts_with('>') {
                tokens.push(Token::Bars(Label {
                    open,
                    inner,
                    close: Some(self.at - 1..self.at + 1),
                    closer: "|",
                }));
                self.at += 1;
                return;
            }
            tokens.push(Token::Bars(Label {
                open,
                inner,
                close,
                closer: "|",
            }));
        } else if open_ended {
            // `-- text -->`: the text goes to the next link.
            let rest = self.rest();
            let second = rest.char_indices().find(|(at, c)| {
                matches!(c, '-' | '=' | '.') && link_length(&rest[*at..]).is_some()
            });
            if let Some((at, _)) = second {
                let text = rest[..at].trim_end();
                if !text.is_empty() {
                    tokens.push(Token::Between(self.at..self.at + text.len()));
                }
                self.at += at;
            }
        }
    }

    fn node(&mut self, tokens: &mut Vec<Token>) {
        let length = word_length(self.rest());
        if length > 0 {
            let name = self.at..self.at + length;
            self.at += length;
            // `A e1@--> B`: the name of a link.
            if self.text[name.clone()].ends_with('@') && link_length(self.rest()).is_some() {
                return;
            }
            tokens.push(Token::Node(name));
        }
        if let Some(label) = self.label() {
            self.at = label
                .close
                .as_ref()
                .map_or(label.inner.end, |close| close.end);
            if self.at > self.end {
                self.end = self.at
                    + self.text[self.at..]
                        .find('\n')
                        .unwrap_or(self.text.len() - self.at);
            }
            tokens.push(Token::Label(label));
        }
    }

    fn label(&self) -> Option<Label> {
        let mut shapes = SHAPES
            .iter()
            .filter(|(open, _)| self.rest().starts_with(open))
            .peekable();
        shapes.peek()?;
        for (open, closers) in shapes.clone() {
            let inner = self.at + open.len();
            for closer in *closers {
                if let Some(close) = self.closing(inner, closer) {
                    return Some(Label {
                        open: self.at..inner,
                        inner: inner..close,
                        close: Some(close..close + closer.len()),
                        closer,
                    });
                }
            }
        }
        // Never closed: it ends where the next link begins, or with the line.
        let (open, closers) = shapes.next()?;
        let inner = self.at + open.len();
        let rest = &self.text[inner..self.end];
        let end = rest
            .char_indices()
            .find(|(at, c)| {
                *at > 0
                    && matches!(c, '-' | '=' | '<' | '→')
                    && rest[..*at].ends_with(' ')
                    && link_length(&rest[*at..]).is_some_and(|n| n > 1)
            })
            .map_or(rest.len(), |(at, _)| at);
        let end = inner + rest[..end].trim_end_matches([' ', '\t', ';']).len();
        Some(Label {
            open: self.at..inner,
            inner: inner..end,
            close: None,
            closer: closers[0],
        })
    }

    /// Where a label that starts at `inner` ends: at the first closer
    /// followed by something that can follow a node.
    fn closing(&self, inner: usize, closer: &str) -> Option<usize> {
        let rest = &self.text[inner..self.end];
        // Closers may overlap: `f(x)))` ends in `))`.
        let first = closer.chars().next().unwrap_or_default();
        let found = rest
            .match_indices(first)
            .map(|(at, _)| at)
            .filter(|at| rest[*at..].starts_with(closer))
            .filter(|at| follows_node(&rest[at + closer.len()..]))
            .take_while(|at| !swallows_link(&rest[..*at]));
        // Of `]` and `]]` the later one closes; of `) --> B(x)` the earlier.
        let mut best = None;
        for at in found {
            match best {
                None => best = Some(at),
                Some(before) if at == before + 1 => best = Some(at),
                Some(_) => break,
            }
        }
        if let Some(at) = best {
            return Some(inner + at);
        }
        // A quoted label may go on over lines.
        let quoted = rest.trim_start().starts_with('"') && rest.matches('"').count() == 1;
        if !quoted {
            return self.closing_below(closer);
        }
        let more = &self.text[self.end..];
        let close = more.find('"')?;
        let after = &more[close + 1..];
        let is_near = more[..close].matches('\n').count() <= 8;
        (is_near && after.starts_with(closer)).then_some(self.end + close + 1)
    }
}

impl Chain<'_> {
    /// Where an unquoted label ends that goes on over the next line.
    fn closing_below(&self, closer: &str) -> Option<usize> {
        let below = self.text[self.end..].strip_prefix('\n')?;
        let line = below.split('\n').next().unwrap_or_default();
        let at = line
            .match_indices(closer)
            .map(|(at, _)| at)
            .find(|at| follows_node(&line[at + closer.len()..]))?;
        let label = &line[..at];
        let balanced = |open, close| label.matches(open).count() == label.matches(close).count();
        (balanced('(', ')') && balanced('[', ']') && balanced('{', '}') && !label.contains("--"))
            .then_some(self.end + 1 + at)
    }
}

/// `Start --> B[Stop`: the label was not closed before the link, and the bracket
/// found belongs to the next node.
fn swallows_link(label: &str) -> bool {
    if label.trim_start().starts_with('"') {
        return false;
    }
    let link = label.char_indices().find(|(at, c)| {
        matches!(c, '-' | '=' | '→') && link_length(&label[*at..]).is_some_and(|length| length > 1)
    });
    link.is_some_and(|(at, _)| {
        let after = &label[at..];
        let opened = after.matches(['(', '[', '{']).count();
        opened > after.matches([')', ']', '}']).count()
    })
}

fn follows_node(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.is_empty()
        || rest.starts_with([';', '&', '\n', '\r'])
        || rest.starts_with(":::")
        || rest.starts_with("%%")
        || rest.starts_with("//")
        || rest.starts_with("@{")
        || rest.starts_with("<-")
        || link_length(rest).is_some_and(|length| length > 1)
}

/// Bytes of a node's name: up to white space, a bracket or a link.
fn word_length(rest: &str) -> usize {
    let mut end = rest.len();
    for (at, c) in rest.char_indices() {
        let stops = match c {
            ' ' | '\t' | ';' | '&' | '(' | '[' | '{' | '>' | '|' | '\n' | '\r' => true,
            '@' => rest[at..].starts_with("@{"),
            ':' => rest[at..].starts_with(":::"),
            '-' | '=' | '~' | '<' | '→' | '⟶' | '⇒' | '➔' | '—' | '–' => {
                link_length(&rest[at..]).is_some()
            }
            _ => false,
        };
        if stops {
            end = at;
            break;
        }
    }
    end
}

/// The length of the link at the start of a text, if there is one, valid or
/// as people and models miswrite it.
pub(super) fn link_length(rest: &str) -> Option<usize> {
    if let Some(arrow) = rest
        .chars()
        .next()
        .filter(|c| matches!(c, '→' | '⟶' | '⇒' | '➔'))
    {
        return Some(arrow.len_utf8());
    }
    for dash in ['—', '–'] {
        if let Some(tail) = rest.strip_prefix(dash) {
            let dashes = tail.len() - tail.trim_start_matches(['—', '–', '-']).len();
            return tail[dashes..]
                .starts_with('>')
                .then_some(dash.len_utf8() + dashes + 1);
        }
    }
    let mut body = rest;
    if body.starts_with('<')
        || ((body.starts_with("x-") || body.starts_with("o-")) && body[2..].starts_with(['-', '.']))
    {
        body = &body[1..];
    }
    let lead = rest.len() - body.len();
    let line = body
        .bytes()
        .take_while(|byte| matches!(byte, b'-' | b'=' | b'.'))
        .count();
    let starts_well = body.starts_with('-') || body.starts_with('=');
    if body.starts_with("~~~") {
        let waves = body.bytes().take_while(|byte| *byte == b'~').count();
        return Some(lead + waves);
    }
    if line == 0 || !starts_well {
        return None;
    }
    // `<-` has its head at the start.
    if lead == 1 && line == 1 && rest.starts_with("<- ") {
        return Some(2);
    }
    let after = &body[line..];
    let head = if after.starts_with(">>") {
        2
    } else if after.starts_with('>') {
        1
    } else if after.starts_with("&gt;&gt;") {
        8
    } else if after.starts_with("&gt;") {
        4
    } else if after.starts_with(" >") && line >= 2 {
        2
    } else if line >= 2 && after.starts_with(['x', 'o']) {
        // Mermaid reads `A--xB` as `A --x B`.
        1
    } else {
        0
    };
    (head > 0 || line >= 2).then_some(lead + line + head)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(line: &str) -> String {
        let text = format!("graph TD\n{line}");
        let mut described = Vec::new();
        for line in scan(&text) {
            match line.form {
                Form::Chain(tokens) => {
                    for token in tokens {
                        described.push(match token {
                            Token::Node(range) => format!("node {}", &text[range]),
                            Token::Label(label) => format!(
                                "label {}{}",
                                &text[label.inner],
                                if label.close.is_some() { "" } else { " (open)" }
                            ),
                            Token::Link(range) => format!("link {}", &text[range]),
                            Token::Bars(label) => format!("bars {}", &text[label.inner]),
                            Token::Between(range) => format!("between {}", &text[range]),
                        });
                    }
                }
                other => described.push(format!("{other:?}")),
            }
        }
        described.join(", ")
    }

    #[test]
    fn nodes_labels_and_links_are_found_even_where_they_are_wrong() {
        let cases = [
            ("A --> B", "node A, link -->, node B"),
            (
                "A[f(x)] -->|yes| B{ok?}",
                "node A, label f(x), link -->, bars yes, node B, label ok?",
            ),
            (
                "A[arr[0]] -> B(f(x)) => C",
                "node A, label arr[0], link ->, node B, label f(x), link =>, node C",
            ),
            (
                "A[open --> B",
                "node A, label open (open), link -->, node B",
            ),
            (
                "A -- text --> B",
                "node A, link --, between text, link -->, node B",
            ),
            (
                "A[(db)] --- B((c)):::x",
                "node A, label db, link ---, node B, label c",
            ),
            ("A[(x) y] → B", "node A, label (x) y, link →, node B"),
            ("A-b --> C & D;", "node A-b, link -->, node C, node D"),
            (
                "A[\"two\nlines\"] --> B",
                "node A, label \"two\nlines\", link -->, node B",
            ),
            ("A --&gt; B", "node A, link --&gt;, node B"),
        ];
        for (line, expected) in cases {
            assert_eq!(described(line), expected, "{line:?}");
        }
    }
}
