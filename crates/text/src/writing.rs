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
            Self::Cdata => text.replace("]]>", "]]]]><![CDATA[>"),
            Self::CdataHtml => html(text),
            Self::Xhtml => html(text).replace("<br>", "<br/>"),
        }
    }
}

/// A text in GIFT. A blank line would end the question, so lines end in `\n`.
fn gift(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '~' | '=' | '#' | '{' | '}' | ':' | '\\' => {
                written.push('\\');
                written.push(c);
            }
            '\n' => written.push_str("\\n"),
            '\r' => {}
            c => written.push(c),
        }
    }
    written
}

fn one_line(text: &str) -> String {
    text.split(['\r', '\n'])
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn doubled(text: &str) -> String {
    text.replace('"', "\"\"")
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;")
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
            (Writing::Cell(','), "plain", "plain"),
            (Writing::Cell(','), "a, \"b\"", "\"a, \"\"b\"\"\""),
            (Writing::Cell(';'), "a, b", "a, b"),
            (Writing::QuotedCell, "a, \"b\"", "a, \"\"b\"\""),
            (Writing::Xml, "a & <b>", "a &amp; &lt;b&gt;"),
            (Writing::XmlHtml, "a < b", "a &amp;lt; b"),
            (Writing::Cdata, "a < b ]]> c", "a < b ]]]]><![CDATA[> c"),
            (Writing::CdataHtml, "a < b\nc", "a &lt; b<br>c"),
            (Writing::Xhtml, "a < b\nc", "a &lt; b<br/>c"),
        ] {
            assert_eq!(writing.write(text), expected, "{writing:?}");
        }
    }
}
