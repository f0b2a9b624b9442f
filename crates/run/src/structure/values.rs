//! Writes values in a file's own indentation, spacing and escapes.

use redraft_text::json::EscapeStyle;

use super::Value;

/// How a file formats JSON.
#[derive(Clone, Debug)]
pub(super) struct Style {
    escapes: EscapeStyle,
    /// One level of indentation; `None` if the file is on one line.
    unit: Option<String>,
    newline: &'static str,
    colon: &'static str,
    comma: &'static str,
}

impl Style {
    pub(super) fn of(text: &str) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let unit = text
            .lines()
            .skip(1)
            .map(indentation)
            .find(|indent| !indent.is_empty())
            .map(str::to_owned);
        let is_spaced = text.contains("\": ") || unit.is_some();
        Self {
            escapes: EscapeStyle::of(text),
            unit,
            newline,
            colon: if is_spaced { ": " } else { ":" },
            comma: if is_spaced { ", " } else { "," },
        }
    }

    pub(super) fn is_on_lines(&self) -> bool {
        self.unit.is_some()
    }

    pub(super) fn comma(&self) -> &'static str {
        self.comma
    }

    /// A line break with this indentation plus `deeper` levels.
    pub(super) fn line(&self, indent: &str, deeper: usize) -> String {
        let unit = self.unit.as_deref().unwrap_or_default();
        format!("{}{indent}{}", self.newline, unit.repeat(deeper))
    }

    pub(super) fn text(&self, text: &str) -> String {
        format!("\"{}\"", self.escapes.escape(text))
    }

    pub(super) fn member(&self, key: &str, value: &str) -> String {
        format!("{}{}{value}", self.text(key), self.colon)
    }

    /// Formats a value; on several lines if `indent` is given, the indentation of its first line.
    pub(super) fn value(&self, value: &Value, indent: Option<&str>) -> String {
        let unit = self.unit.as_deref().unwrap_or_default();
        let deeper = indent.map(|indent| format!("{indent}{unit}"));
        let deeper = deeper.as_deref();
        match value {
            Value::Text(text) => self.text(text),
            Value::Number(number) => number.clone(),
            Value::Bool(truth) => truth.to_string(),
            Value::List(items) => {
                let items: Vec<String> =
                    items.iter().map(|item| self.value(item, deeper)).collect();
                self.bracketed(('[', ']'), &items, indent)
            }
            Value::Object(members) => {
                let members: Vec<String> = members
                    .iter()
                    .map(|(key, value)| self.member(key, &self.value(value, deeper)))
                    .collect();
                self.bracketed(('{', '}'), &members, indent)
            }
        }
    }

    fn bracketed(
        &self,
        (open, close): (char, char),
        items: &[String],
        indent: Option<&str>,
    ) -> String {
        match indent {
            Some(indent) if !items.is_empty() => {
                let first = self.line(indent, 1);
                let joined = items.join(&format!(",{first}"));
                format!("{open}{first}{joined}{}{close}", self.line(indent, 0))
            }
            _ => format!("{open}{}{close}", items.join(self.comma)),
        }
    }
}

/// The leading white space of a line.
pub(super) fn indentation(line: &str) -> &str {
    let end = line.find(|c: char| c != ' ' && c != '\t');
    line.get(..end.unwrap_or(0)).unwrap_or_default()
}

/// The indentation of the line that contains an offset.
pub(super) fn indentation_at(text: &str, at: usize) -> &str {
    let start = text
        .get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |newline| newline + 1);
    indentation(text.get(start..).unwrap_or_default())
}
