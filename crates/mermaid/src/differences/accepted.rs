//! What mermaid accepts in texts that the library rejects: the known difference
//! is written in another way, and the library asked again. The rewritten text is
//! thrown away.

use super::super::flow_scan::{Form, Label, Token, scan};
use super::super::kind::{self, Kind};
use super::super::parser::{Parser, Reading, Rejection};
use super::rejected;

/// Whether mermaid accepts a text that the library rejects: the known difference
/// is written in another way, and the library asked again.
pub(crate) fn accepted(text: &str, rejection: &Rejection, parser: &Parser) -> bool {
    let Some(kind) = kind::header(text).and_then(|header| header.kind) else {
        return false;
    };
    let rewritten = match kind {
        Kind::Flowchart => plain_flowchart(text),
        Kind::Class => plain_class(text),
        Kind::Sequence => Some(plain_sequence(text)),
        Kind::State => Some(plain_state(text)),
        Kind::Gantt => Some(plain_gantt(text)),
        Kind::Mindmap => Some(text.replacen("mindmap:", "mindmap", 1)),
        Kind::Block if rejection.words.contains("header") => Some(
            text.replacen("block-beta;", "block-beta", 1)
                .replacen("block;", "block", 1),
        ),
        _ => None,
    };
    rewritten.is_some_and(|rewritten| {
        rewritten != text
            && parser.read(&rewritten) == Reading::Accepted
            && rejected(&rewritten).is_none()
    })
}

/// Node names may hold signs that the library does not take, titles of
/// subgraphs may hold escaped quotes, labels may go on after their quotes, and
/// after the semicolon of a style a node may follow.
fn plain_flowchart(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut at = 0;
    for line in scan(text) {
        match line.form {
            Form::Chain(tokens) => {
                for token in tokens {
                    let (range, written) = match token {
                        Token::Node(range) => {
                            let name = plain_name(&text[range.clone()]);
                            (range, name)
                        }
                        Token::Label(Label { inner, .. }) | Token::Bars(Label { inner, .. })
                            if continues_after_quotes(&text[inner.clone()]) =>
                        {
                            (inner, "\"label\"".to_owned())
                        }
                        Token::Between(range) if continues_after_quotes(&text[range.clone()]) => {
                            (range, "\"label\"".to_owned())
                        }
                        _ => continue,
                    };
                    plain.push_str(text.get(at..range.start)?);
                    plain.push_str(&written);
                    at = range.end;
                }
            }
            Form::Subgraph(title) => {
                plain.push_str(text.get(at..title.start)?);
                let name = &text[title.clone()];
                if name.starts_with("\\\"") && name.ends_with("\\\"") {
                    plain.push_str(&name.replace("\\\"", "\""));
                } else {
                    plain.push_str(name);
                }
                at = title.end;
            }
            Form::Setting => {
                if let Some(after) = nodes_after_style(&text[line.range.clone()]) {
                    plain.push_str(text.get(at..line.range.start + after)?);
                    at = line.range.end;
                }
            }
            Form::End | Form::Aside => {}
        }
    }
    plain.push_str(text.get(at..)?);
    Some(plain)
}

/// A node's name without the signs that the library does not take.
fn plain_name(name: &str) -> String {
    const ODD: [char; 14] = [
        '/', '`', '?', '$', '\'', '#', '!', '%', '+', '*', ':', ',', '\\', '"',
    ];
    if name.starts_with(['"', '\\']) || name.contains(":::") {
        return name.to_owned();
    }
    name.replace(ODD, "_")
}

/// Mermaid ends a label's quotes at the next quote, whatever precedes it. It
/// takes more text after them, but no second text in quotes; empty quotes are
/// nothing to it. `"say \"hi\""` is `say \`, `hi\` and nothing.
fn continues_after_quotes(label: &str) -> bool {
    const STRUCTURAL: [char; 7] = ['(', ')', '[', ']', '{', '}', '|'];
    if !label.starts_with('"') || label.starts_with("\"`") || label.matches('"').count() % 2 == 1 {
        return false;
    }
    let mut text_before = false;
    for (index, run) in label.split('"').enumerate() {
        let is_quoted = index % 2 == 1;
        if run.is_empty() {
            continue;
        }
        // Quotes after other text, or a bracket outside of quotes.
        if (is_quoted && text_before) || (!is_quoted && run.contains(STRUCTURAL)) {
            return false;
        }
        text_before = true;
    }
    true
}

/// Where the nodes begin after `style A fill:red;`: to mermaid `color:blue` is
/// the name of one.
fn nodes_after_style(line: &str) -> Option<usize> {
    let word = line.split(' ').next()?;
    if !matches!(word, "style" | "classDef" | "linkStyle") {
        return None;
    }
    let semicolon = line.find(';')?;
    let mut names = line.get(semicolon + 1..)?.split(';').map(str::trim);
    names
        .all(|name| !name.contains(char::is_whitespace))
        .then_some(semicolon)
}

/// A composite state may be named by anything but several plain words, a state
/// may be described where it is declared, and a diagram may be empty.
fn plain_state(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let is_empty =
        kind::header(text).is_some_and(|header| text[header.line.end..].trim().is_empty());
    if is_empty {
        return format!("{}\n[*] --> A\n", text.trim_end());
    }
    for line in text.split_inclusive('\n') {
        let described = line
            .trim_start()
            .strip_prefix("state ")
            .and_then(|rest| rest.split_once(':'))
            .filter(|(name, _)| {
                let name = name.trim();
                !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
            });
        if let Some((name, rest)) = described {
            plain.push_str(name);
            plain.push(':');
            plain.push_str(rest);
            continue;
        }
        let name = line
            .trim()
            .strip_prefix("state ")
            .and_then(|rest| rest.strip_suffix('{'));
        match name.map(str::trim) {
            Some(name)
                if !name.contains(['"', '“', '«'])
                    && name
                        .chars()
                        .any(|c| !c.is_alphanumeric() && c != '_' && !c.is_whitespace()) =>
            {
                plain.push_str("state composite {\n");
            }
            _ => plain.push_str(line),
        }
    }
    plain
}

/// The first task may have a mere duration, and names may hold any sign.
fn plain_gantt(text: &str) -> String {
    const KEYWORDS: [&str; 12] = [
        "gantt",
        "title",
        "section",
        "dateFormat",
        "axisFormat",
        "tickInterval",
        "excludes",
        "includes",
        "todayMarker",
        "weekday",
        "click",
        "acc",
    ];
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let is_known =
            trimmed.starts_with("%%") || KEYWORDS.iter().any(|word| trimmed.starts_with(word));
        let task = trimmed
            .rsplit_once(':')
            .filter(|(name, data)| !is_known && !name.trim().is_empty() && is_task_data(data));
        if task.is_some() {
            plain.push_str("    Task : 2024-01-01, 1d\n");
        } else if let Some(rest) = trimmed.strip_prefix("section ") {
            plain.push_str("    section ");
            plain.push_str(&rest.replace(':', " "));
            plain.push('\n');
        } else {
            plain.push_str(line);
        }
    }
    plain
}

/// Tags, at most one name, dates and durations.
fn is_task_data(data: &str) -> bool {
    let mut names = 0;
    let mut times = 0;
    for field in data.split(',').map(str::trim) {
        let is_number = field.starts_with(|c: char| c.is_ascii_digit());
        let is_plain = !field.is_empty() && field.chars().all(|c| c.is_alphanumeric() || c == '_');
        if matches!(field, "done" | "active" | "crit" | "milestone" | "vert") {
            continue;
        } else if is_number || field.starts_with("after ") || field.starts_with("until ") {
            times += 1;
        } else if is_plain {
            names += 1;
        } else {
            return false;
        }
    }
    names <= 1 && (1..=2).contains(&times)
}

/// Names of participants may hold slashes and round brackets in messages.
fn plain_sequence(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        // A single `%` begins a comment too.
        if line.trim_start().starts_with('%') && !line.trim_start().starts_with("%%") {
            plain.push('\n');
            continue;
        }
        let end = line
            .find(':')
            .filter(|end| line[..*end].contains("->"))
            .unwrap_or(0);
        let is_async = line[..end].contains("-)") || line[..end].contains("()");
        if is_async {
            plain.push_str(line);
            continue;
        }
        plain.extend(
            line[..end]
                .chars()
                .map(|c| if matches!(c, '/' | '(' | ')') { '_' } else { c }),
        );
        plain.push_str(&line[end..]);
    }
    plain
}

/// Words that begin a statement of a class diagram.
const CLASS_KEYWORDS: &[&str] = &[
    "class",
    "namespace",
    "note",
    "click",
    "link",
    "callback",
    "direction",
    "style",
    "cssClass",
    "classDef",
    "accTitle",
    "accDescr",
    "accTitle:",
    "accDescr:",
];

/// A class may be named by several words, and a name in backticks may have a
/// type parameter; a name may be alone on a line.
fn plain_class(text: &str) -> Option<String> {
    let header = kind::header(text)?;
    let mut plain = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let after_header = plain.len() >= header.line.end;
        if inside || !after_header || trimmed.starts_with("%%") {
            inside = inside && !trimmed.contains('}');
            plain.push_str(line);
            continue;
        }
        // The body of a class may be on the same line.
        if let Some((head, body)) = trimmed
            .strip_suffix('}')
            .and_then(|line| line.split_once('{'))
            .filter(|(head, body)| head.starts_with("class ") && !body.contains(['{', '}']))
        {
            let member = if body.trim().is_empty() {
                ""
            } else {
                "+member\n"
            };
            plain.push_str(&format!("{head}{{\n{member}}}\n"));
            continue;
        }
        let first = trimmed.split_whitespace().next().unwrap_or_default();
        let is_keyword = CLASS_KEYWORDS.contains(&first);
        let is_word = |word: &str| {
            word.chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '`'))
        };
        // One or more words alone are the name of a class.
        if !is_keyword && !trimmed.is_empty() && trimmed.split_whitespace().all(is_word) {
            plain.push('\n');
            continue;
        }
        // So are words on either side of a relation.
        if !is_keyword && (trimmed.contains("--") || trimmed.contains("..")) {
            let (relation, label) = trimmed.split_once(':').unwrap_or((trimmed, ""));
            let mut joined = String::new();
            let mut after_word = false;
            for word in relation.split_whitespace() {
                if !(after_word && is_word(word)) {
                    joined.push(' ');
                }
                after_word = is_word(word);
                joined.push_str(word);
            }
            if !label.is_empty() {
                joined.push_str(" :");
                joined.push_str(label);
            }
            plain.push_str(&joined.replace('`', ""));
            plain.push('\n');
            continue;
        }
        let mut line = line.replace("`~", "~");
        if line.contains('~') && trimmed.contains('`') {
            line = line.replace('`', "");
        }
        if let Some(name) = line.trim_start().strip_prefix("class ") {
            let end = name
                .find(['{', '[', '"', ':', '<', '\n', '~'])
                .unwrap_or(name.len());
            let words: Vec<&str> = name[..end].split_whitespace().collect();
            let is_plain = words.iter().all(|word| {
                word.chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
            });
            if words.len() > 1 && is_plain {
                line = format!(
                    "class {} {}",
                    words.concat().replace('-', "_"),
                    &name[end..]
                );
            }
        }
        inside = trimmed.ends_with('{') && trimmed.starts_with("class ");
        plain.push_str(&line);
    }
    Some(plain)
}
