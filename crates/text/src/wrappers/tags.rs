//! Tags around an answer: `<answer>`, `<lesson>`, and others that no web page has.

/// The name of a tag around an answer at the start of a text, and its length:
/// `<answer>`, `</output>`.
#[must_use]
pub fn answer_tag(text: &str) -> Option<(usize, &str)> {
    const TAGS: [&str; 13] = [
        "answer",
        "final_answer",
        "final",
        "response",
        "output",
        "result",
        "json",
        "markdown",
        "document",
        "completion",
        "tool_call",
        "tool_use",
        "function_call",
    ];
    let rest = text.strip_prefix('<')?;
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let end = rest.bytes().take(20).position(|byte| byte == b'>')?;
    let name = &rest[..end];
    TAGS.iter()
        .any(|tag| name.eq_ignore_ascii_case(tag))
        .then_some((text.len() - rest.len() + end + 1, name))
}

/// The length and the name of a tag at the start of a text that no web page has: `<lesson>`,
/// `<artifact title="x">`.
#[must_use]
pub fn opening_tag(text: &str) -> Option<(usize, &str)> {
    const LONGEST: usize = 300;
    if let Some((length, name)) = answer_tag(text) {
        return (!text.starts_with("</")).then_some((length, name));
    }
    let rest = text.strip_prefix('<')?;
    let end = rest.bytes().take(LONGEST).position(|byte| byte == b'>')?;
    let inside = &rest[..end];
    let name = inside.split(char::is_whitespace).next()?;
    let is_answer = || answer_tag(&format!("<{name}>")).is_some();
    ((is_foreign_tag(name) || is_answer()) && !inside.ends_with('/')).then_some((end + 2, name))
}

/// Whether the name of a tag is one of no web page and of no component, which are written
/// with a capital letter. Our own tags are no wrapper: a text that has them speaks to the judge.
#[must_use]
pub fn is_foreign_tag(name: &str) -> bool {
    const OF_PAGES: &str = " a abbr address area article aside audio b base bdi bdo blockquote \
        body br button canvas caption center cite code col colgroup data datalist dd del details \
        dfn dialog div dl dt em embed fieldset figcaption figure font footer form frame h1 h2 h3 \
        h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main \
        map mark math menu meta meter nav noscript object ol optgroup option output p param \
        picture pre progress q rp rt ruby s samp script search section select slot small source \
        span strike strong style sub summary sup svg table tbody td template textarea tfoot th \
        thead time title tr track tt u ul var video wbr ";
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.starts_with("redraft")
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_:-".contains(&byte))
        && !OF_PAGES.split_whitespace().any(|known| known == name)
}
