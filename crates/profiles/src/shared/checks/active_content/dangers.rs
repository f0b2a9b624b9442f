//! What is dangerous about a tag, a link or a style. The table is ruling 65.
//!
//! | what | severity |
//! |---|---|
//! | scripts, event handlers, links that run code | error |
//! | plug-ins, forms that send, pages that move or rebase the reader, styles that load or run | error |
//! | frames other than known videos, hidden blocks | warning |

use redraft_gate::finding::Severity;

use redraft_text::html_tags::{Attribute, Tag};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Danger {
    pub(super) severity: Severity,
    pub(super) message: String,
}

fn error(message: impl Into<String>) -> Option<Danger> {
    Some(Danger {
        severity: Severity::Error,
        message: message.into(),
    })
}

fn warning(message: impl Into<String>) -> Option<Danger> {
    Some(Danger {
        severity: Severity::Warning,
        message: message.into(),
    })
}

/// The worst danger of a tag.
pub(super) fn of_tag(tag: &Tag, video_hosts: &[String]) -> Option<Danger> {
    of_element(tag)
        .or_else(|| tag.attributes.iter().find_map(of_attribute))
        .or_else(|| tag.value("style").and_then(of_style))
        .or_else(|| frame(tag, video_hosts))
        .or_else(|| hidden(tag))
}

fn of_element(tag: &Tag) -> Option<Danger> {
    let has = |name: &str| tag.attribute(name).is_some();
    match tag.name.as_str() {
        "script" if is_executed(tag) => {
            error("`<script>` runs code in the learner's browser; remove it")
        }
        "script" => warning("`<script>` holds data that no learner sees; remove it"),
        "object" | "embed" | "applet"
            if has("data") || has("src") || has("type") || has("code") || has("classid") =>
        {
            error(format!(
                "`<{}>` loads foreign content; use a link or a picture",
                tag.name
            ))
        }
        "form" if has("action") => error("this form sends what the learner types; remove `action`"),
        "base" if has("href") || has("target") => {
            error("`<base>` moves every link of the page; remove it")
        }
        "link" if has("href") && has("rel") => {
            error("`<link>` loads a foreign style or page; remove it")
        }
        "meta"
            if tag
                .value("http-equiv")
                .is_some_and(|value| value.trim().eq_ignore_ascii_case("refresh")) =>
        {
            error("`<meta http-equiv=\"refresh\">` leads the learner to another page; remove it")
        }
        _ => None,
    }
}

/// Data in a script is not run.
fn is_executed(tag: &Tag) -> bool {
    let kind = tag
        .value("type")
        .map(|kind| kind.trim().to_ascii_lowercase());
    match kind.as_deref() {
        None | Some("" | "module" | "importmap") => true,
        Some(kind) => kind.contains("script") || kind.contains("babel") || kind.contains("jsx"),
    }
}

fn of_attribute(attribute: &Attribute) -> Option<Danger> {
    let name = attribute.name.as_str();
    let value = attribute.value.as_deref()?;
    let event = name.strip_prefix("on").unwrap_or_default();
    if event.len() > 2 && event.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        let message =
            format!("the attribute `{name}` runs code in the learner's browser; remove it");
        // A handler of a component in MDX is run by the author's own code.
        return if value.starts_with('{') {
            warning(message)
        } else {
            error(message)
        };
    }
    match name {
        "srcdoc" => error("`srcdoc` holds a page of its own; write it as part of the lesson"),
        "alt" | "title" | "placeholder" | "content" | "aria-label" | "value" | "class" | "id"
        | "style" => None,
        _ if runs_code(value) => error(format!(
            "the attribute `{name}` runs code; link to a page instead"
        )),
        _ => None,
    }
}

/// Whether a link runs code, as browsers read it: without blanks and control
/// characters, in any case.
pub(super) fn runs_code(destination: &str) -> bool {
    let plain: String = destination
        .chars()
        .filter(|c| {
            !c.is_whitespace()
                && !c.is_control()
                && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{ad}')
        })
        .take(40)
        .flat_map(char::to_lowercase)
        .collect();
    [
        "javascript:",
        "vbscript:",
        "livescript:",
        "data:text/html",
        "data:application/xhtml",
        "data:text/xml",
        "data:text/javascript",
        "data:image/svg+xml",
    ]
    .iter()
    .any(|scheme| plain.starts_with(scheme))
}

/// Whether a style sheet or a style runs or loads something.
pub(super) fn of_style(style: &str) -> Option<Danger> {
    let plain = style_plain(style);
    let has = |what: &str| plain.contains(what);
    if has("expression(")
        || has("behavior:url")
        || has("-moz-binding")
        || has("url(javascript:")
        || has("url(\"javascript:")
        || has("url('javascript:")
        || has("url(vbscript:")
    {
        return error("this style runs code in the learner's browser; remove it");
    }
    if has("@import") {
        return error("this style loads another one from elsewhere; remove `@import`");
    }
    None
}

/// A style without blanks, comments and escapes.
fn style_plain(style: &str) -> String {
    let mut plain = String::with_capacity(style.len());
    let mut rest = style;
    while let Some(c) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.find("*/").map_or("", |end| &comment[end + 2..]);
            continue;
        }
        rest = &rest[c.len_utf8()..];
        if c == '\\' {
            let length = rest
                .bytes()
                .take(6)
                .take_while(u8::is_ascii_hexdigit)
                .count();
            let escaped = u32::from_str_radix(&rest[..length], 16).ok();
            if let Some(escaped) = escaped.and_then(char::from_u32) {
                plain.extend(escaped.to_lowercase());
                rest = rest[length..].strip_prefix(' ').unwrap_or(&rest[length..]);
            }
        } else if !c.is_whitespace() && !c.is_control() {
            plain.extend(c.to_lowercase());
        }
    }
    plain
}

fn frame(tag: &Tag, video_hosts: &[String]) -> Option<Danger> {
    if !matches!(tag.name.as_str(), "iframe" | "frame" | "portal") {
        return None;
    }
    let source = tag.value("src").or_else(|| tag.value("data-src"))?;
    let host = host(source);
    let is_known = |known: &String| {
        host.as_deref().is_some_and(|host| {
            host == known
                || host
                    .strip_suffix(known.as_str())
                    .is_some_and(|sub| sub.ends_with('.'))
        })
    };
    if video_hosts.iter().any(is_known) {
        return None;
    }
    match host {
        Some(host) => warning(format!(
            "`<{}>` shows a page of {host}; use a link",
            tag.name
        )),
        None => warning(format!("`<{}>` shows another page; use a link", tag.name)),
    }
}

/// The host of an address, in small letters.
fn host(address: &str) -> Option<String> {
    let address = address.trim();
    let rest = address
        .strip_prefix("https:")
        .or_else(|| address.strip_prefix("http:"))
        .unwrap_or(address)
        .strip_prefix("//")?;
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default();
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

fn hidden(tag: &Tag) -> Option<Danger> {
    let how = if tag.attribute("hidden").is_some() {
        Some("hidden")
    } else if tag.name == "input"
        && tag
            .value("type")
            .is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
    {
        Some("type=\"hidden\"")
    } else {
        tag.value("style").and_then(hiding_style)
    };
    how.and_then(|how| {
        warning(format!(
            "this is hidden from the reader (`{how}`); show it or remove it"
        ))
    })
}

fn hiding_style(style: &str) -> Option<&'static str> {
    let plain = style_plain(style);
    let declarations: Vec<(&str, &str)> = plain
        .split(';')
        .filter_map(|declaration| declaration.split_once(':'))
        .map(|(name, value)| (name, value.trim_end_matches("!important")))
        .collect();
    let value = |name: &str| {
        declarations
            .iter()
            .rev()
            .find(|(key, _)| *key == name)
            .map(|(_, value)| *value)
    };
    let is_zero = |value: &str| {
        let number = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
        number
            .parse::<f64>()
            .is_ok_and(|number| number.abs() < 0.02)
    };
    let far_away = |value: &str| {
        value.strip_prefix('-').is_some_and(|value| {
            let digits: String = value.chars().take_while(char::is_ascii_digit).collect();
            digits.len() >= 4
        })
    };
    if value("display") == Some("none") {
        return Some("display:none");
    }
    if value("visibility") == Some("hidden") {
        return Some("visibility:hidden");
    }
    if value("font-size").is_some_and(is_zero) {
        return Some("font-size:0");
    }
    if value("opacity").is_some_and(is_zero) {
        return Some("opacity:0");
    }
    if ["text-indent", "left", "top", "margin-left", "margin-top"]
        .iter()
        .any(|name| value(name).is_some_and(far_away))
    {
        return Some("outside the page");
    }
    if value("overflow") == Some("hidden")
        && ["height", "max-height", "width", "max-width"]
            .iter()
            .any(|name| value(name).is_some_and(is_zero))
    {
        return Some("no height or width");
    }
    let color = value("color")?;
    let background = value("background-color").or_else(|| value("background"));
    let is_white = |color: &str| matches!(color, "white" | "#fff" | "#ffffff" | "rgb(255,255,255)");
    let same = background
        .is_some_and(|background| background == color || is_white(background) && is_white(color));
    if color == "transparent" || same || background.is_none() && is_white(color) {
        return Some("text in the colour of its background");
    }
    None
}

#[cfg(test)]
mod tests {
    use redraft_text::html_tags::tag_at;
    use super::*;

    fn severity(text: &str) -> Option<Severity> {
        let hosts = ["youtube.com".to_owned(), "player.vimeo.com".to_owned()];
        of_tag(&tag_at(text, 0).unwrap(), &hosts).map(|danger| danger.severity)
    }

    #[test]
    fn what_runs_code_or_moves_the_reader_is_an_error() {
        for text in [
            "<script>",
            "<SCRIPT src=//x.example/a.js>",
            "<script type=module>",
            "<img src=x onerror=alert(1)>",
            "<img/src=x\nonerror=alert(1)>",
            "<svg onload='x()'>",
            "<a href='javascript:alert(1)'>",
            "<a href=' JaVa\tScRipt:alert(1)'>",
            "<a href='j&#97;vascript&colon;x'>",
            "<a href=\"vbscript:x\">",
            "<a href='data:text/html;base64,PHNjcmlwdD4='>",
            "<animate attributeName=href values='javascript:x'>",
            "<object data=x.swf>",
            "<embed src=x.swf>",
            "<form action='https://x.example'>",
            "<button formaction='javascript:x'>",
            "<meta http-equiv='Refresh' content='0;url=x'>",
            "<base href='https://x.example/'>",
            "<iframe srcdoc='<p>x'>",
            "<p style='width: expression(alert(1))'>",
            "<p style='background:url( javascript:x )'>",
            "<p style='w\\69 dth:e/**/xpression(1)'>",
        ] {
            assert_eq!(severity(text), Some(Severity::Error), "{text}");
        }
    }

    #[test]
    fn frames_and_hidden_blocks_are_warnings() {
        for text in [
            "<iframe src='https://x.example/'>",
            "<iframe src='https://youtube.com.x.example/embed/1'>",
            "<iframe src='https://youtube.com@x.example/'>",
            "<div hidden>",
            "<div style='display: none'>",
            "<span style=\"font-size:0px\">",
            "<span style='color:#FFF;background:white'>",
            "<p style='position:absolute;left:-9999px'>",
            "<script type='application/ld+json'>",
        ] {
            assert_eq!(severity(text), Some(Severity::Warning), "{text}");
        }
    }

    #[test]
    fn ordinary_html_is_left_alone() {
        for text in [
            "<b>",
            "<details>",
            "<img src='a.png' alt='javascript: a language'>",
            "<a href='https://x.example/javascript:notes'>",
            "<iframe width=560 src='https://www.youtube.com/embed/abc'>",
            "<iframe src='//player.vimeo.com/video/1'>",
            "<span style='color:white;background:#036'>",
            "<td style='width:0.5em'>",
            "<object>",
            "<p one=1>",
            "<input type=checkbox>",
            "<img src='data:image/png;base64,iVBOR'>",
            "<style media=print>",
        ] {
            assert_eq!(severity(text), None, "{text}");
        }
    }
}
