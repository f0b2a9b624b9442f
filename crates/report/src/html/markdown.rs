//! Markdown as HTML, with marks at exact places. The same parser as the checks' reads it.
//!
//! | in the text | on the page |
//! |---|---|
//! | HTML, comments | its source, as code |
//! | links to http, https and mail | links that send no referrer |
//! | other links, images | their words, with the address as text: nothing is loaded |
//! | mathematics | MathML, or its source as code |
//! | Mermaid | its source as code |
//! | headings | headings below those of the page |

use std::ops::Range;

use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, HeadingLevel, Tag, TagEnd};
use redraft_text::markdown;

use super::escape::{self, escape};
use super::marks::Marks;
use super::math::{self, Setting};

/// The text as HTML, one string for each stretch between two cuts: a block belongs to the
/// stretch that it begins in.
pub(super) fn render(text: &str, cuts: &[usize], marks: &mut Marks<'_>) -> Vec<String> {
    let mut writer = Writer {
        text,
        cuts,
        marks,
        out: vec![String::new(); cuts.len() + 1],
        stretch: 0,
        open: Vec::new(),
        columns: Vec::new(),
        column: 0,
    };
    markdown::for_each_event(text, |event, range| writer.event(event, &range));
    let last = writer.stretch;
    writer.marks.end(&mut writer.out[last], usize::MAX);
    writer.out
}

struct Writer<'a, 'm> {
    text: &'a str,
    cuts: &'a [usize],
    marks: &'a mut Marks<'m>,
    out: Vec<String>,
    stretch: usize,
    /// The closing tags of the elements that are open.
    open: Vec<&'static str>,
    columns: Vec<Alignment>,
    column: usize,
}

impl Writer<'_, '_> {
    fn out(&mut self) -> &mut String {
        &mut self.out[self.stretch]
    }

    fn event(&mut self, event: Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.close(tag, range),
            Event::Text(words) => self.words(&words, range),
            Event::Code(words) => {
                self.out().push_str("<code>");
                self.inner(&words, range);
                self.out().push_str("</code>");
            }
            Event::InlineMath(latex) => self.mathematics(&latex, range, Setting::Inline),
            Event::DisplayMath(latex) => self.mathematics(&latex, range, Setting::Display),
            Event::Html(source) | Event::InlineHtml(source) => {
                self.out().push_str("<code class=\"html\">");
                self.words(&source, range);
                self.out().push_str("</code>");
            }
            Event::FootnoteReference(label) => {
                let markup = format!("<sup>[{}]</sup>", escape(&label));
                self.whole(&markup, range);
            }
            Event::SoftBreak => self.out().push('\n'),
            Event::HardBreak => self.out().push_str("<br>\n"),
            Event::Rule => {
                self.cut(range.start);
                self.out().push_str("<hr>\n");
            }
            Event::TaskListMarker(is_done) => {
                self.out().push_str(if is_done { "☑ " } else { "☐ " });
            }
        }
    }

    /// Words of the text. Where an entity or an escape stands for others, they are marked as
    /// a whole.
    fn words(&mut self, words: &str, range: &Range<usize>) {
        let original = self.text.get(range.clone());
        match original.filter(|original| original.len() == words.len()) {
            Some(original) => {
                self.marks
                    .write(&mut self.out[self.stretch], original, range.start);
            }
            None => self.whole(&escape(words), range),
        }
    }

    /// Words that stand somewhere inside a range, between markers.
    fn inner(&mut self, words: &str, range: &Range<usize>) {
        let around = self.text.get(range.clone()).unwrap_or_default();
        match around.find(words) {
            Some(at) if !words.is_empty() => {
                let start = range.start + at;
                self.words(words, &(start..start + words.len()));
            }
            _ => self.whole(&escape(words), range),
        }
    }

    fn whole(&mut self, markup: &str, range: &Range<usize>) {
        self.marks
            .write_whole(&mut self.out[self.stretch], markup, range);
    }

    fn mathematics(&mut self, latex: &CowStr<'_>, range: &Range<usize>, setting: Setting) {
        let markup = match math::mathml(latex, setting) {
            Some(markup) => markup,
            None => format!("<code class=\"math\">{}</code>", escape(latex)),
        };
        self.whole(&markup, range);
    }

    /// Goes on in the stretch that a block at this place belongs to.
    fn cut(&mut self, at: usize) {
        if !self.open.is_empty() {
            return;
        }
        while self.cuts.get(self.stretch).is_some_and(|cut| *cut <= at) {
            let stretch = self.stretch;
            self.marks.end(&mut self.out[stretch], self.cuts[stretch]);
            self.stretch += 1;
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: &Range<usize>) {
        self.cut(range.start);
        let (open, close) = match tag {
            Tag::Paragraph => ("<p dir=\"auto\">".to_owned(), "</p>\n"),
            Tag::Heading { level, .. } => (heading(level), "</div>\n"),
            Tag::BlockQuote(_) => ("<blockquote>\n".to_owned(), "</blockquote>\n"),
            Tag::CodeBlock(kind) => (code_block(&kind), "</code></pre>\n"),
            Tag::HtmlBlock => ("<pre class=\"html\">".to_owned(), "</pre>\n"),
            Tag::List(Some(first)) => (format!("<ol start=\"{first}\">\n"), "</ol>\n"),
            Tag::List(None) => ("<ul>\n".to_owned(), "</ul>\n"),
            Tag::Item | Tag::DefinitionListDefinition => {
                ("<li dir=\"auto\">".to_owned(), "</li>\n")
            }
            Tag::FootnoteDefinition(label) => (
                format!("<div class=\"footnote\"><sup>[{}]</sup> ", escape(&label)),
                "</div>\n",
            ),
            Tag::Table(columns) => {
                self.columns = columns;
                let open = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"table\"><table>\n";
                (open.to_owned(), "</table></div>\n")
            }
            Tag::TableHead => {
                self.column = 0;
                ("<thead><tr>".to_owned(), "</tr></thead>\n")
            }
            Tag::TableRow => {
                self.column = 0;
                ("<tr>".to_owned(), "</tr>\n")
            }
            Tag::TableCell => self.cell(),
            Tag::Emphasis => ("<em>".to_owned(), "</em>"),
            Tag::Strong => ("<strong>".to_owned(), "</strong>"),
            Tag::Strikethrough => ("<s>".to_owned(), "</s>"),
            Tag::Superscript => ("<sup>".to_owned(), "</sup>"),
            Tag::Subscript => ("<sub>".to_owned(), "</sub>"),
            Tag::Link { dest_url, .. } => link(&dest_url),
            Tag::Image { dest_url, .. } => (
                format!(
                    "<span class=\"image\"><span class=\"address\">image {}</span> ",
                    escape(&dest_url)
                ),
                "</span>",
            ),
            Tag::DefinitionList => ("<ul>\n".to_owned(), "</ul>\n"),
            Tag::DefinitionListTitle => {
                ("<li dir=\"auto\"><strong>".to_owned(), "</strong></li>\n")
            }
            Tag::MetadataBlock(_) => ("<pre class=\"html\">".to_owned(), "</pre>\n"),
        };
        self.out().push_str(&open);
        self.open.push(close);
    }

    fn cell(&mut self) -> (String, &'static str) {
        let align = match self.columns.get(self.column) {
            Some(Alignment::Right) => " class=\"right\"",
            Some(Alignment::Center) => " class=\"center\"",
            _ => "",
        };
        self.column += 1;
        (format!("<td{align} dir=\"auto\">"), "</td>")
    }

    fn close(&mut self, tag: TagEnd, range: &Range<usize>) {
        let is_block = !matches!(
            tag,
            TagEnd::Emphasis
                | TagEnd::Strong
                | TagEnd::Strikethrough
                | TagEnd::Link
                | TagEnd::Image
        );
        if is_block {
            let stretch = self.stretch;
            self.marks.end(&mut self.out[stretch], range.end);
        }
        if let Some(close) = self.open.pop() {
            self.out().push_str(close);
        }
    }
}

/// The headings of a text stand below those of the page, which go down to the fourth level.
/// A section begins with one of the first or second level, so neither leaves out a level.
fn heading(level: HeadingLevel) -> String {
    let level = level as usize;
    format!(
        "<div class=\"heading level-{level}\" role=\"heading\" aria-level=\"{}\" dir=\"auto\">",
        if level <= 2 { 5 } else { 6 }
    )
}

fn code_block(kind: &CodeBlockKind<'_>) -> String {
    let language = match kind {
        CodeBlockKind::Fenced(info) => info.split_whitespace().next().unwrap_or_default(),
        CodeBlockKind::Indented => "",
    };
    let mut out = "<pre tabindex=\"0\">".to_owned();
    if !language.is_empty() {
        out.push_str("<span class=\"language\">");
        escape::push(&mut out, language);
        out.push_str("</span>");
    }
    out.push_str("<code>");
    out
}

fn link(address: &str) -> (String, &'static str) {
    if leads_out(address) {
        let open = format!(
            "<a href=\"{}\" rel=\"noopener noreferrer nofollow\">",
            escape(address)
        );
        return (open, "</a>");
    }
    let open = format!(
        "<span class=\"link\"><span class=\"address\">link {}</span> ",
        escape(address)
    );
    (open, "</span>")
}

/// Whether an address is one that a reader may follow: of the web or of a person.
fn leads_out(address: &str) -> bool {
    let scheme = address.split(':').next().unwrap_or_default();
    let is_known = ["http", "https", "mailto"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known));
    let is_clean = !address.chars().any(|c| c.is_control() || c.is_whitespace());
    is_known && is_clean && address.contains(':')
}

#[cfg(test)]
mod tests {
    use super::super::marks::{Mark, MarkKind};
    use super::*;

    fn rendered(text: &str) -> String {
        render(text, &[], &mut Marks::new("d1", "d1", Vec::new())).concat()
    }

    #[test]
    fn hostile_markdown_becomes_harmless_markup() {
        for hostile in [
            "<script>alert(1)</script>",
            "text <img src=x onerror=alert(1)> text",
            "[a](javascript:alert(1))",
            "[a](JaVaScRiPt:alert(1))",
            "[a](data:text/html,<script>alert(1)</script>)",
            "[a](vbscript:x)",
            "![a](https://example.org/pixel.png)",
            "<svg onload=alert(1)>",
            "`</code><script>alert(1)</script>`",
            "```\"><script>alert(1)</script>\n</pre>\n```",
            "| a\" onclick=x | <b onmouseover=x> |\n|---|---|\n| $<img src=x>$ | y |",
            "[^\"><script>]: x\n\na[^\"><script>]",
            "$\\text{<script>alert(1)</script>}$",
            "<style>body{display:none}</style>",
            "<!-- --><iframe src=//example.org>",
            "[a](https://example.org/\"onclick=\"alert(1))",
        ] {
            let page = rendered(hostile);
            for bad in [
                "<script",
                "<img",
                "<svg",
                "<iframe",
                "<style",
                "<b ",
                "href=\"java",
                "href=\"Ja",
                "href=\"data",
                "href=\"vb",
                "\"onclick=\"",
                "<!--",
            ] {
                assert!(!page.contains(bad), "{hostile}\n{page}");
            }
        }
    }

    #[test]
    fn a_mark_inside_markup_is_at_its_place() {
        let text = "Some **bold words** and `code`.";
        for (words, expected) in [
            (
                "bold",
                "<strong><span id=\"d1-m1\"></span><mark class=\"warning\">bold</mark>",
            ),
            (
                "code",
                "<code><span id=\"d1-m1\"></span><mark class=\"warning\">code</mark>",
            ),
            (
                "bold words** and",
                "<mark class=\"warning\">bold words</mark></strong><mark class=\"warning\"> and</mark><sup",
            ),
        ] {
            let at = text.find(words).unwrap_or_default();
            let mark = Mark {
                range: at..at + words.len(),
                kind: MarkKind::Note {
                    number: 1,
                    level: "warning",
                },
            };
            let mut marks = Marks::new("d1", "d1", vec![mark]);
            let page = render(text, &[], &mut marks).concat();
            assert!(page.contains(expected), "{words}: {page}");
            assert_eq!(marks.shown(), [1]);
        }
    }

    #[test]
    fn a_text_is_cut_between_blocks() {
        let text = "# A\n\none\n\n## B\n\ntwo [x]\n\n[x]: https://example.org\n";
        let cut = text.find("## B").unwrap_or_default();
        let parts = render(text, &[cut], &mut Marks::new("d1", "d1", Vec::new()));
        assert_eq!(parts.len(), 2);
        assert!(parts[0].contains("one") && !parts[0].contains("two"));
        assert!(
            parts[1].contains("href=\"https://example.org\""),
            "{}",
            parts[1]
        );
    }
}
