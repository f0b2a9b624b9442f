//! The nodes, links and labels of a flowchart, read tolerantly from a broken
//! text and from its repaired form. Where the text can be read in two ways there
//! is no graph, and a repair is no more than a guess.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::super::flow_scan::{Form, Line, Token, scan};
use super::super::parser::Parser;
use super::is_balanced;
use super::labels::{self, shown, words_of};

/// What is drawn. Labels are compared without quotes and brackets, which a repair
/// may change.
#[derive(Debug, Default, PartialEq, Eq)]
struct Graph {
    nodes: BTreeSet<String>,
    labels: BTreeMap<String, Vec<(String, String)>>,
    links: Vec<Link>,
    titles: Vec<String>,
}

#[derive(Debug, PartialEq, Eq)]
struct Link {
    from: Vec<String>,
    to: Vec<String>,
    stroke: Stroke,
    label: String,
}

/// Of a link: its line, and its heads at both ends.
type Stroke = (char, char, char);

/// Whether the lines that a repair has changed say the same before and after, and
/// the library reads them likewise.
pub(super) fn is_same(before: &str, after: &str, parser: &Parser) -> bool {
    let (old, new) = (scan(before), scan(after));
    let content = |text: &str, lines: &[Line]| -> Vec<String> {
        lines
            .iter()
            .map(|line| text[line.range.clone()].to_owned())
            .collect()
    };
    let (old_lines, new_lines) = (content(before, &old), content(after, &new));
    let changed = |lines: Vec<Line>, content: &[String], others: &[String]| -> Vec<Line> {
        let mut left: BTreeMap<&str, usize> = BTreeMap::new();
        for other in others {
            *left.entry(other).or_default() += 1;
        }
        let is_changed = |content: &String| match left.get_mut(content.as_str()) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        };
        let changed: Vec<bool> = content.iter().map(is_changed).collect();
        lines
            .into_iter()
            .zip(changed)
            .filter(|(_, changed)| *changed)
            .map(|(line, _)| line)
            .collect()
    };
    let names = names(before, &old);
    let old = changed(old, &old_lines, &new_lines);
    let new = changed(new, &new_lines, &old_lines);
    let (Some(expected), Some(found)) = (
        read(before, &old, &names),
        read(after, &new, &BTreeSet::new()),
    ) else {
        return false;
    };
    expected == found && is_read_alike(after, &new, &found, parser)
}

/// The names that stand alone in the lines of a text.
fn names(text: &str, lines: &[Line]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in lines {
        let Form::Chain(tokens) = &line.form else {
            continue;
        };
        for (index, token) in tokens.iter().enumerate() {
            let is_node = |at: Option<usize>| {
                matches!(at.and_then(|at| tokens.get(at)), Some(Token::Node(_)))
            };
            if let Token::Node(range) = token
                && !is_node(index.checked_sub(1))
                && !is_node(Some(index + 1))
            {
                names.insert(text[range.clone()].to_owned());
            }
        }
    }
    names
}

/// The graph of some lines, or `None` if it is ambiguous.
fn read(text: &str, lines: &[Line], names: &BTreeSet<String>) -> Option<Graph> {
    let mut reader = Reader {
        text,
        graph: Graph::default(),
        joined: BTreeSet::new(),
    };
    for line in lines {
        match &line.form {
            Form::Chain(tokens) => reader.chain(line.range.clone(), tokens)?,
            Form::Subgraph(title) => reader.title(&text[title.clone()])?,
            Form::End | Form::Setting | Form::Aside => {}
        }
    }
    // `A B --> C` may lack an arrow if `A` is a node elsewhere, and `end` cannot be
    // renamed to a node that there is already.
    let is_taken = |name: &String| {
        let mut words = name.split('_');
        words.any(|word| names.contains(word))
            || names.contains(name)
            || names.contains(&name.replace('_', ""))
    };
    let renames = names.contains("end") && names.contains("End");
    (!renames && !reader.joined.iter().any(is_taken)).then_some(reader.graph)
}

/// Whether the library reads the same nodes and links from lines that it accepts.
fn is_read_alike(text: &str, lines: &[Line], graph: &Graph, parser: &Parser) -> bool {
    let mut diagram = String::from("flowchart TD\n");
    for line in lines
        .iter()
        .filter(|line| matches!(line.form, Form::Chain(_)))
    {
        diagram.push_str(&text[line.range.clone()]);
        diagram.push('\n');
    }
    let mut expected: Vec<(String, String)> = Vec::new();
    for link in &graph.links {
        for from in &link.from {
            expected.extend(link.to.iter().map(|to| (from.clone(), to.clone())));
        }
    }
    let Some((nodes, mut links)) = parser.flow_graph(&diagram) else {
        return false;
    };
    expected.sort();
    links.sort();
    expected == links && nodes == graph.nodes
}

struct Reader<'a> {
    text: &'a str,
    graph: Graph,
    /// Names made of several words.
    joined: BTreeSet<String>,
}

/// A statement being read.
#[derive(Default)]
struct Statement {
    from: Vec<String>,
    nodes: Vec<String>,
    link: Option<(Stroke, String)>,
}

impl Reader<'_> {
    fn chain(&mut self, line: Range<usize>, tokens: &[Token]) -> Option<()> {
        let mut statement = Statement::default();
        let mut at = line.start;
        let mut index = 0;
        while let Some(token) = tokens.get(index) {
            let range = range_of(token);
            let gap = Gap::read(self.text.get(at..range.start)?)?;
            if gap == Gap::Semicolon {
                self.finish(std::mem::take(&mut statement))?;
            }
            match token {
                Token::Node(_) => {
                    // Two nodes need a link or `&` between them.
                    let follows = statement.nodes.is_empty() || gap == Gap::And;
                    if !follows {
                        return None;
                    }
                    let (name, end, next) = self.node(tokens, index)?;
                    // `A --- some text --> B` may have been `A -- some text --> B`.
                    let is_text = next > index + 1 && self.joined.contains(&name);
                    if is_text && matches!(&statement.link, Some(((_, _, '-'), _))) {
                        return None;
                    }
                    statement.nodes.push(name);
                    at = end;
                    index = next;
                    continue;
                }
                Token::Label(_) => return None,
                Token::Link(link) => {
                    if statement.nodes.is_empty() {
                        return None;
                    }
                    let (stroke, label, end, next) = self.link(tokens, index, link)?;
                    self.close_link(&mut statement)?;
                    statement.link = Some((stroke, label));
                    at = end;
                    index = next;
                    continue;
                }
                Token::Bars(_) | Token::Between(_) => return None,
            }
        }
        Gap::read(self.text.get(at..line.end.max(at))?)?;
        self.finish(statement)
    }

    /// The link before the nodes read last is complete.
    fn close_link(&mut self, statement: &mut Statement) -> Option<()> {
        let nodes = std::mem::take(&mut statement.nodes);
        if let Some((stroke, label)) = statement.link.take() {
            if nodes.is_empty() {
                return None;
            }
            self.graph.links.push(Link {
                from: std::mem::take(&mut statement.from),
                to: nodes.clone(),
                stroke,
                label,
            });
        }
        statement.from = nodes;
        Some(())
    }

    fn finish(&mut self, mut statement: Statement) -> Option<()> {
        self.close_link(&mut statement)
    }

    /// A node with its label: its name, where it ends, and the next token.
    fn node(&mut self, tokens: &[Token], first: usize) -> Option<(String, usize, usize)> {
        let Token::Node(start) = &tokens[first] else {
            return None;
        };
        let mut run = start.clone();
        let mut index = first + 1;
        while let Some(Token::Node(next)) = tokens.get(index)
            && is_blank(&self.text[run.end..next.start])
        {
            run.end = next.end;
            index += 1;
        }
        let name = self.name(&self.text[run.clone()], index - first)?;
        self.graph.nodes.insert(name.clone());
        let Some(Token::Label(label)) = tokens.get(index) else {
            let is_quoted = self.text[run.clone()].starts_with(['"', '\'', '“', '”']);
            if index - first > 1 || is_quoted {
                let words = shown(&self.text[run.clone()]);
                self.label(&name, String::from("["), words);
            }
            return Some((name, run.end, index));
        };
        // `A B[x]` may lack an arrow.
        if index - first > 1 || !is_blank(&self.text[run.end..label.open.start]) {
            return None;
        }
        labels::check(self.text, label)?;
        let opener = self.text[label.open.clone()].to_owned();
        self.label(&name, opener, shown(&self.text[label.inner.clone()]));
        let end = label
            .close
            .as_ref()
            .map_or(label.inner.end, |close| close.end);
        Some((name, end, index + 1))
    }

    /// The title of a subgraph. Signs that belong to no title are ambiguous.
    fn title(&mut self, title: &str) -> Option<()> {
        let plain = title.trim_matches('"');
        let is_cut = title.starts_with('"') != title.ends_with('"') && !title.ends_with(']');
        let has_id = title.ends_with(']') && title.contains('[');
        let is_odd = plain.contains('"')
            || plain.contains("--")
            || plain.ends_with([',', ':', ';', '-'])
            || !is_balanced(plain);
        if is_cut || !is_balanced(plain) || (is_odd && !has_id) {
            return None;
        }
        self.graph.titles.push(words_of(title));
        Some(())
    }

    fn label(&mut self, name: &str, opener: String, words: String) {
        let labels = self.graph.labels.entry(name.to_owned()).or_default();
        labels.push((opener, words));
    }

    /// The name of a node of one or more words, as the repair writes it.
    fn name(&mut self, words: &str, count: usize) -> Option<String> {
        let plain = words.trim_matches(['"', '\'', '“', '”']);
        let is_quoted = plain.len() < words.len();
        let is_name = |c: char| {
            c.is_alphanumeric()
                || matches!(
                    c,
                    '_' | '-' | '.' | '/' | '#' | '$' | '%' | '?' | '!' | '\'' | ' ' | '\t'
                )
                || (!c.is_ascii() && !super::words::is_sign(c))
        };
        let starts = plain.starts_with(|c: char| c.is_alphanumeric() || c == '_' || !c.is_ascii());
        let is_reserved = plain
            .split_whitespace()
            .any(|word| RESERVED.contains(&word));
        if !starts || plain.ends_with('-') || !plain.chars().all(is_name) || is_reserved {
            return None;
        }
        if count == 1 && !is_quoted {
            return Some(if plain == "end" { "End" } else { plain }.to_owned());
        }
        // `S tart` is a slip.
        let lengths: Vec<usize> = plain
            .split_whitespace()
            .map(|word| word.chars().count())
            .collect();
        let is_slip =
            lengths.first() == Some(&1) || (lengths.len() == 2 && lengths.last() == Some(&1));
        let is_long = !is_slip && lengths.iter().any(|length| *length > 2);
        let are_words = plain.chars().all(|c| {
            c.is_alphanumeric() || c == ' ' || (!c.is_ascii() && !super::words::is_sign(c))
        });
        let is_phrase = is_quoted || (is_long && are_words);
        if plain.contains("  ") || !is_phrase {
            return None;
        }
        let name: String = plain
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { '_' })
            .collect();
        self.joined.insert(name.clone());
        Some(name)
    }

    /// A link with its label: how it is drawn, its label, where it ends, and the
    /// next token.
    fn link(
        &self,
        tokens: &[Token],
        index: usize,
        link: &Range<usize>,
    ) -> Option<(Stroke, String, usize, usize)> {
        let first = &self.text[link.clone()];
        match (tokens.get(index + 1), tokens.get(index + 2)) {
            (Some(Token::Between(label)), Some(Token::Link(second))) => {
                let (line, tail, _) = stroke(first)?;
                let (_, _, head) = stroke(&self.text[second.clone()])?;
                let raw = &self.text[label.clone()];
                let is_quoted = raw.starts_with('"') && raw.ends_with('"') && raw.len() > 1;
                let is_odd =
                    raw.ends_with(['-', '=']) || raw.contains(['"', ';']) || !is_balanced(raw);
                let has_quotes = !is_quoted || raw.trim_matches('"').contains('"');
                let is_ambiguous = is_odd && has_quotes;
                (!is_ambiguous).then(|| ((line, tail, head), shown(raw), second.end, index + 3))
            }
            (Some(Token::Between(_)), _) => None,
            (Some(Token::Bars(label)), _) => {
                let close = label.close.clone()?;
                let label = shown(&self.text[label.inner.clone()]);
                Some((stroke(first)?, label, close.end, index + 2))
            }
            _ if matches!(first, "--" | "==" | "-.") => None,
            _ => Some((stroke(first)?, String::new(), link.end, index + 1)),
        }
    }
}

/// Words that mean something else to mermaid.
const RESERVED: &[&str] = &[
    "subgraph",
    "graph",
    "flowchart",
    "style",
    "class",
    "click",
    "linkStyle",
    "classDef",
    "direction",
];

fn range_of(token: &Token) -> Range<usize> {
    match token {
        Token::Node(range) | Token::Link(range) | Token::Between(range) => range.clone(),
        Token::Label(label) | Token::Bars(label) => {
            label.open.start
                ..label
                    .close
                    .as_ref()
                    .map_or(label.inner.end, |close| close.end)
        }
    }
}

/// What stands between two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    Blank,
    And,
    Semicolon,
}

impl Gap {
    /// `None` if there is anything that is neither a separator nor a style.
    fn read(text: &str) -> Option<Self> {
        let mut rest = text.trim();
        let mut gap = Self::Blank;
        while let Some(c) = rest.chars().next() {
            if let Some(style) = rest.strip_prefix(":::") {
                rest = style
                    .trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-'));
            } else if rest.starts_with("@{") {
                rest = &rest[rest.find('}')? + 1..];
            } else if rest.starts_with("%%") {
                return Some(gap);
            } else {
                gap = match c {
                    ';' => Self::Semicolon,
                    '&' if gap == Self::Blank => Self::And,
                    _ => return None,
                };
                rest = &rest[1..];
            }
            rest = rest.trim_start();
        }
        Some(gap)
    }
}

fn is_blank(text: &str) -> bool {
    text.chars().all(|c| matches!(c, ' ' | '\t' | '\u{a0}'))
}

/// How a link is drawn, written rightly or wrongly.
fn stroke(link: &str) -> Option<Stroke> {
    let link = link.replace("&gt;", ">").replace("&lt;", "<");
    let line = if link.contains(['=', '⇒']) {
        '='
    } else if link.contains('.') {
        '.'
    } else if link.contains('~') {
        '~'
    } else {
        '-'
    };
    // An arrow to the left is turned round, which may not be what was meant.
    let tail = match link.chars().next()? {
        c @ ('<' | 'x' | 'o') => c,
        _ => '-',
    };
    let head = match link.chars().next_back()? {
        '>' | '→' | '⟶' | '⇒' | '➔' => '>',
        c @ ('x' | 'o') => c,
        _ => '-',
    };
    Some((line, tail, head))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(lines: &str) -> Option<Graph> {
        let text = format!("graph TD\n{lines}");
        let lines = scan(&text);
        let names = names(&text, &lines);
        read(&text, &lines, &names)
    }

    #[test]
    fn a_broken_line_and_its_repair_have_one_graph() {
        let cases = [
            ("A[f(x)] -> B", "A[\"f(x)\"] --> B"),
            ("A [x] → B", "A[x] --> B"),
            ("A[open --> B", "A[open] --> B"),
            ("User input --> B", "User_input[\"User input\"] --> B"),
            ("A & B -- yes (1) -> C", "A & B -- \"yes (1)\" --> C"),
            ("A[say \"hi\"]", "A[\"say #quot;hi#quot;\"]"),
        ];
        for (before, after) in cases {
            assert!(graph(before).is_some(), "{before}");
            assert_eq!(graph(before), graph(after), "{before}");
        }
    }

    #[test]
    fn a_lost_or_invented_node_makes_another_graph() {
        let cases = [
            ("A --> B", "A --> C"),
            ("A --> B --> C", "A --> B"),
            ("A --> B", "A -.-> B"),
            ("A[x] --> B", "A[y] --> B"),
            ("A -->|x| B", "A --> B"),
            ("A[x] --> B", "A(x) --> B"),
        ];
        for (before, after) in cases {
            assert_ne!(graph(before), graph(after), "{before}");
        }
    }

    #[test]
    fn what_can_be_read_in_two_ways_has_no_graph() {
        let cases = [
            "- B --> G",
            "1. B --> G",
            "B［x］ --> G",
            "A --> B\nA B --> C",
            "A[x] B[y]",
            "A B[x] --> C",
            "A[x --> y (z)] --> B",
            "A -->",
            "A -- text",
            "A -->|yes B",
            "A((x) --> B",
            "A[x］ --> B",
            "A[x] - -> B",
            "subgraph X --> B",
            "end --> A\nA --> End",
            "A --> B : label",
        ];
        for lines in cases {
            assert_eq!(graph(lines), None, "{lines}");
        }
    }
}
