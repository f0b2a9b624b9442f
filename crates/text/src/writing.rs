//! How a text is written into a file that is neither Markdown nor JSON: a question of a
//! GIFT file, a cell of a table, a field of an XML file. It knows nothing of questions.

/// What spreadsheets take for the beginning of a formula, also in the width of Chinese signs.
pub const FORMULA_SIGNS: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// How a text stands in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Writing {
    /// In GIFT: signs with a meaning have a backslash before them.
    Gift,
    /// In GIFT, and what it says is HTML.
    GiftHtml,
    /// On one line, as it is.
    Line,
    /// In a cell without quotes, with this delimiter between cells.
    Cell(char),
    /// In a cell with quotes around it.
    QuotedCell,
    /// In XML.
    Xml,
    /// In XML, and what it says is HTML: tags are escaped once, text twice.
    XmlHtml,
    /// Partly in XML, partly in CDATA sections: as what stands where it is written.
    XmlMixed,
    /// The same, and what it says is HTML.
    XmlHtmlMixed,
    /// In a CDATA section, as it is.
    Cdata,
    /// In a CDATA section, and what it says is HTML.
    CdataHtml,
    /// In XML whose own elements are HTML.
    Xhtml,
}

impl Writing {
    /// Whether this text can only be written if the whole field is: a cell without
    /// quotes needs them for some signs.
    #[must_use]
    pub fn needs_whole(self, text: &str) -> bool {
        match self {
            Self::Cell(delimiter) => text.contains([delimiter, '"', '\n', '\r']),
            _ => false,
        }
    }

    /// How it is written in or out of a CDATA section.
    #[must_use]
    pub fn at_place(self, is_cdata: impl Fn() -> bool) -> Self {
        match self {
            Self::XmlMixed if is_cdata() => Self::Cdata,
            Self::XmlHtmlMixed if is_cdata() => Self::CdataHtml,
            writing => writing,
        }
    }

    /// The text as the file writes it where a field begins: what would be read as something
    /// else there, such as a weight or the name of a format, is marked as text.
    #[must_use]
    pub fn write_first(self, text: &str) -> String {
        let written = self.write(text);
        match self {
            Self::Gift if gift_reads_more(text) => format!("[plain]{written}"),
            Self::GiftHtml if gift_reads_more(text) => {
                let entity = match written.chars().next() {
                    Some('%') => "&#37;",
                    Some('[') => "&#91;",
                    Some('/') => "&#47;",
                    Some('$') => "&#36;",
                    _ => return written,
                };
                entity.to_owned() + written.get(1..).unwrap_or_default()
            }
            _ => written,
        }
    }

    /// The text as the file writes it. `Cell` writes a text that [needs the whole
    /// field](Self::needs_whole) with its quotes.
    #[must_use]
    pub fn write(self, text: &str) -> String {
        match self {
            Self::Gift => gift(text),
            Self::GiftHtml => gift(&html(text)),
            Self::Line => one_line(text),
            Self::Cell(_) if self.needs_whole(text) => format!("\"{}\"", doubled(text)),
            Self::Cell(_) => text.to_owned(),
            Self::QuotedCell => doubled(text),
            Self::Xml | Self::XmlMixed => xml(text),
            Self::XmlHtml | Self::XmlHtmlMixed => xml(&html(text)),
            // The sign that ends a section is put into two.
            Self::Cdata => without_xml_controls(text).replace("]]>", "]]]]><![CDATA[>"),
            Self::CdataHtml => html(text),
            Self::Xhtml => html(text).replace("<br>", "<br/>"),
        }
    }
}

/// A text in GIFT. A blank line would end the question, so lines end in `\n`.
fn gift(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + 8);
    let mut signs = text.chars().peekable();
    while let Some(c) = signs.next() {
        match c {
            '~' | '=' | '#' | '{' | '}' | ':' | '\\' => {
                written.push('\\');
                written.push(c);
            }
            '\n' => written.push_str("\\n"),
            '\r' if signs.peek() == Some(&'\n') => {}
            '\r' => written.push_str("\\n"),
            c => written.push(c),
        }
    }
    written
}

/// Whether GIFT reads the beginning of a text as a weight, a format, a comment or a category.
fn gift_reads_more(text: &str) -> bool {
    let text = text.trim_start();
    ["%", "[", "//", "$CATEGORY"]
        .iter()
        .any(|sign| text.starts_with(sign))
}

/// Whether a spreadsheet would take a text for a formula. A number with a sign is none.
#[must_use]
pub fn is_formula_like(text: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    let number = text.trim();
    let is_number = number.chars().all(is_digit) && number.parse::<f64>().is_ok();
    text.starts_with(FORMULA_SIGNS) && !is_number
}

/// Whether a text has an apostrophe that a reader of tables takes for the mark of a text.
#[must_use]
pub fn has_text_mark(text: &str) -> bool {
    let rest = text.trim_start_matches('\'');
    rest.len() < text.len() && rest.starts_with(FORMULA_SIGNS)
}

/// Line breaks in a row are one space.
fn one_line(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut is_break = false;
    for c in text.chars() {
        let was_break = is_break;
        is_break = matches!(c, '\r' | '\n');
        match is_break {
            true if was_break => {}
            true => written.push(' '),
            false => written.push(c),
        }
    }
    written
}

fn doubled(text: &str) -> String {
    text.replace('"', "\"\"")
}

/// Whether a text has control characters that XML cannot hold, not even as references.
#[must_use]
pub fn has_xml_controls(text: &str) -> bool {
    text.contains(is_xml_control)
}

fn is_xml_control(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// Those that are white space become a space.
fn without_xml_controls(text: &str) -> String {
    text.replace(['\u{b}', '\u{c}'], " ")
        .replace(is_xml_control, "")
}

fn xml(text: &str) -> String {
    without_xml_controls(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// A text as HTML shows it; its lines are broken as they were.
fn html(text: &str) -> String {
    xml(text).replace("\r\n", "\n").replace('\n', "<br>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_writes_its_own_signs_so_that_they_are_read_back() {
        for (writing, text, expected) in [
            (
                Writing::Gift,
                "a = {b} ~ #1 \\ c",
                "a \\= \\{b\\} \\~ \\#1 \\\\ c",
            ),
            (Writing::Gift, "x::y\nz", "x\\:\\:y\\nz"),
            (Writing::GiftHtml, "1 < 2 = x", "1 &lt; 2 \\= x"),
            (Writing::Line, "one\n\ntwo", "one two"),
            (Writing::Line, "\n", " "),
            (Writing::Gift, "one\rtwo\r\nx", "one\\ntwo\\nx"),
            (Writing::Cell(','), "plain", "plain"),
            (Writing::Cell(','), "a, \"b\"", "\"a, \"\"b\"\"\""),
            (Writing::Cell(';'), "a, b", "a, b"),
            (Writing::QuotedCell, "a, \"b\"", "a, \"\"b\"\""),
            (Writing::Xml, "a & <b>", "a &amp; &lt;b&gt;"),
            (Writing::XmlHtml, "a < b", "a &amp;lt; b"),
            (Writing::Cdata, "a < b ]]> c", "a < b ]]]]><![CDATA[> c"),
            (Writing::CdataHtml, "a < b\nc", "a &lt; b<br>c"),
            (Writing::Cdata, "a\u{1}b\tc", "ab\tc"),
            (Writing::XmlHtml, "a\u{0}b\u{b}c", "ab c"),
            (Writing::Xhtml, "a < b\nc", "a &lt; b<br/>c"),
        ] {
            assert_eq!(writing.write(text), expected, "{writing:?}");
        }
    }

    #[test]
    fn what_begins_a_field_of_gift_is_text() {
        for (writing, text, expected) in [
            (Writing::Gift, "%50% of it", "[plain]%50% of it"),
            (Writing::Gift, "[html]x", "[plain][html]x"),
            (Writing::Gift, "// a", "[plain]// a"),
            (Writing::Gift, "$CATEGORY: a", "[plain]$CATEGORY\\: a"),
            (Writing::Gift, "50% of it", "50% of it"),
            (Writing::GiftHtml, "%50% of it", "&#37;50% of it"),
            (Writing::GiftHtml, "[plain]", "&#91;plain]"),
            (Writing::Xml, "%50%", "%50%"),
        ] {
            assert_eq!(writing.write_first(text), expected, "{writing:?}");
        }
    }

    #[test]
    fn a_number_is_no_formula() {
        for (text, expected) in [
            ("-5", false),
            ("+1.5e3", false),
            ("-5 °C", true),
            ("-inf", true),
            ("+nan", true),
            ("=1", true),
            ("\tx", true),
            ("＝1", true),
            ("a", false),
        ] {
            assert_eq!(is_formula_like(text), expected, "{text}");
        }
        assert!(has_text_mark("'=1") && has_text_mark("''=1"));
        assert!(!has_text_mark("'x") && !has_text_mark("=1"));
    }
}
