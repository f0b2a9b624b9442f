//! Mathematics as MathML, which browsers show without a script. The library is not trusted:
//! what it cannot read, and what it gives that is not on the list of elements and
//! attributes below, is shown as code instead.

use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::mathml::push_mathml;
use pulldown_latex::{Parser, Storage};

use super::escape;

/// Longer formulas are shown as code: no lesson has them, and the library is recursive.
const LONGEST: usize = 1_000;

/// Commands that define others, so that a short formula could become an endless one, or
/// that the library stumbles over.
const NOT_TRIED: [&str; 8] = [
    "\\def",
    "\\gdef",
    "\\edef",
    "\\xdef",
    "\\let",
    "\\futurelet",
    "\\char",
    "command",
];

/// Signs that are markup in HTML: the library is given these instead.
const STAND_INS: [(&str, char, &str); 3] = [
    ("<", '\u{E000}', "&lt;"),
    (">", '\u{E001}', "&gt;"),
    ("\\&", '\u{E002}', "&amp;"),
];

const ELEMENTS: [&str; 24] = [
    "math",
    "mrow",
    "mi",
    "mn",
    "mo",
    "mtext",
    "mspace",
    "mfrac",
    "msqrt",
    "mroot",
    "msub",
    "msup",
    "msubsup",
    "munder",
    "mover",
    "munderover",
    "mtable",
    "mtr",
    "mtd",
    "mpadded",
    "mphantom",
    "mstyle",
    "mmultiscripts",
    "mprescripts",
];

const ATTRIBUTES: [&str; 16] = [
    "display",
    "mathvariant",
    "stretchy",
    "symmetric",
    "fence",
    "width",
    "height",
    "depth",
    "accent",
    "linethickness",
    "form",
    "minsize",
    "maxsize",
    "movablelimits",
    "separator",
    "lspace",
];

/// A formula on a line of its own, or in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    Inline,
    Display,
}

/// The formula as MathML; `None` if it should be shown as code.
pub(super) fn mathml(latex: &str, setting: Setting) -> Option<String> {
    let is_tried = latex.len() <= LONGEST
        && !NOT_TRIED.iter().any(|command| latex.contains(command))
        && !latex.chars().any(escape::is_hidden);
    if !is_tried || latex.trim().is_empty() {
        return None;
    }
    let source = with_sign(latex, "\\lt", '<');
    let mut source = with_sign(&source, "\\gt", '>');
    for (sign, stand_in, _) in STAND_INS {
        if source.contains(stand_in) {
            return None;
        }
        source = source.replace(sign, &format!(" {stand_in} "));
    }
    let config = RenderConfig {
        display_mode: match setting {
            Setting::Inline => DisplayMode::Inline,
            Setting::Display => DisplayMode::Block,
        },
        ..RenderConfig::default()
    };
    let storage = Storage::new();
    let mut out = String::new();
    push_mathml(&mut out, Parser::new(&source, &storage), config).ok()?;
    let mut clean = sanitised(&out)?;
    for (_, stand_in, reference) in STAND_INS {
        clean = clean
            .replace(
                &format!("<mi>{stand_in}</mi>"),
                &format!("<mo>{reference}</mo>"),
            )
            .replace(stand_in, reference);
    }
    Some(clean)
}

/// A formula with a sign in place of a command, but not of a longer one such as `\ltimes`.
fn with_sign(latex: &str, command: &str, sign: char) -> String {
    let mut out = String::with_capacity(latex.len());
    let mut rest = latex;
    while let Some((before, after)) = rest.split_once(command) {
        out.push_str(before);
        if after.starts_with(|c: char| c.is_ascii_alphabetic()) {
            out.push_str(command);
        } else {
            out.push(sign);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The markup if nothing but listed elements and attributes is in it; their classes are
/// dropped.
fn sanitised(markup: &str) -> Option<String> {
    let mut out = String::with_capacity(markup.len());
    let mut rest = markup;
    while let Some(at) = rest.find('<') {
        out.push_str(text(&rest[..at])?);
        let end = rest[at..].find('>')? + at;
        out.push_str(&tag(&rest[at + 1..end])?);
        rest = &rest[end + 1..];
    }
    out.push_str(text(rest)?);
    Some(out)
}

/// Text between tags: references are ours alone.
fn text(text: &str) -> Option<&str> {
    let is_plain = !text.contains(['>', '"']) && (!text.contains('&') || is_escaped(text));
    is_plain.then_some(text)
}

fn is_escaped(text: &str) -> bool {
    text.split('&').skip(1).all(|rest| {
        ["lt;", "gt;", "amp;", "quot;", "#x27;"]
            .iter()
            .any(|reference| rest.starts_with(reference))
    })
}

fn tag(inner: &str) -> Option<String> {
    if let Some(name) = inner.strip_prefix('/') {
        return ELEMENTS.contains(&name).then(|| format!("</{name}>"));
    }
    let (inner, close) = match inner.strip_suffix('/') {
        Some(inner) => (inner, "/>"),
        None => (inner, ">"),
    };
    let (name, mut attributes) = match inner.split_once(' ') {
        Some((name, attributes)) => (name, attributes.trim()),
        None => (inner, ""),
    };
    if !ELEMENTS.contains(&name) {
        return None;
    }
    let mut out = format!("<{name}");
    while !attributes.is_empty() {
        let (attribute, rest) = attributes.split_once("=\"")?;
        let (value, rest) = rest.split_once('"')?;
        if attribute != "class" {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || ".%+- ".contains(c);
            if !ATTRIBUTES.contains(&attribute) || !value.chars().all(is_plain) {
                return None;
            }
            out.push_str(&format!(" {attribute}=\"{value}\""));
        }
        attributes = rest.trim();
    }
    out.push_str(close);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_commands_become_signs() {
        for (latex, expected) in [
            ("a \\lt b", "a < b"),
            ("a\\lt1", "a<1"),
            ("N \\ltimes H", "N \\ltimes H"),
            ("\\lt\\ltimes\\lt", "<\\ltimes<"),
            ("x\\lt", "x<"),
        ] {
            assert_eq!(with_sign(latex, "\\lt", '<'), expected, "{latex}");
        }
        let formula = mathml("N \\ltimes H", Setting::Inline);
        assert!(formula.is_none_or(|formula| !formula.contains("imes")));
    }

    #[test]
    fn formulas_of_lessons_become_mathml() {
        for (latex, expected) in [
            (r"\frac{1}{4}", "<mfrac>"),
            ("x < 5", "<mo>&lt;</mo>"),
            (r"3 \lt x", "<mo>&lt;</mo>"),
            (r"x^2 + \sqrt{y}", "<msqrt>"),
            (r"5 \times 3 \div 2", "<mo>×</mo>"),
            (r"\begin{matrix}1&2\\3&4\end{matrix}", "<mtable>"),
            (r"20\%", "%"),
        ] {
            let markup = mathml(latex, Setting::Inline).unwrap_or_default();
            assert!(markup.contains(expected), "{latex}: {markup}");
        }
    }

    #[test]
    fn what_is_not_a_formula_stays_code() {
        for latex in [
            "",
            r"\nosuch",
            r"\frac",
            "{",
            r"\href{javascript:alert(1)}{x}",
            r"\color{red}x",
            r"\newcommand{\a}{\a\a}\a",
            r"\def\a{\a\a}\a",
            "\u{E000}",
            &"x".repeat(LONGEST + 1),
        ] {
            assert_eq!(mathml(latex, Setting::Inline), None, "{latex}");
        }
        let text = mathml(r"\text{<script>alert(1)</script>}", Setting::Inline);
        assert!(text.is_none_or(|markup| !markup.contains("<script")));
    }
}
