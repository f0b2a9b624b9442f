//! What mermaid accepts in texts that the library refuses: the known difference
//! is written in another way, and the library asked again. The rewritten text is
//! thrown away.

use super::super::flow_scan::{Form, Part, scan};
use super::super::kind::{self, Kind};
use super::super::parser::{Parser, Reading, Rejection};
use super::refused;

/// Whether mermaid accepts a text that the library refuses: the known difference
/// is written in another way, and the library asked again.
pub(in crate::mermaid) fn accepted(text: &str, rejection: &Rejection, parser: &Parser) -> bool {
    let Some(kind) = kind::header(text).and_then(|header| header.kind) else {
        return false;
    };
    let rewritten = match kind {
        Kind::Flowchart => plain_flowchart(text),
        Kind::Class => plain_class(text),
        Kind::Sequence => Some(plain_sequence(text)),
        Kind::State => Some(plain_state(text)),
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
            && refused(&rewritten).is_none()
    })
}

/// Node names may hold signs that the library does not take, and titles of
/// subgraphs may hold escaped quotes.
fn plain_flowchart(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut at = 0;
    for line in scan(text) {
        match line.form {
            Form::Chain(parts) => {
                for part in parts {
                    if let Part::Node(range) = part {
                        plain.push_str(text.get(at..range.start)?);
                        let name = &text[range.clone()];
                        let is_odd = name.contains(['/', '`', '?', '$', '\'', '#', '!', '%'])
                            && !name.starts_with('"');
                        if is_odd {
                            plain.extend(name.chars().map(|c| {
                                if matches!(c, '/' | '`' | '?' | '$' | '\'' | '#' | '!' | '%') {
                                    '_'
                                } else {
                                    c
                                }
                            }));
                        } else {
                            plain.push_str(name);
                        }
                        at = range.end;
                    }
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
            Form::End | Form::Setting | Form::Aside => {}
        }
    }
    plain.push_str(text.get(at..)?);
    Some(plain)
}

/// A composite state may be named by anything but several plain words.
fn plain_state(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
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
/// type parameter; a name may stand alone on a line.
fn plain_class(text: &str) -> Option<String> {
    let header = kind::header(text)?;
    let mut plain = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let behind_header = plain.len() >= header.line.end;
        if inside || !behind_header || trimmed.starts_with("%%") {
            inside = inside && !trimmed.contains('}');
            plain.push_str(line);
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
