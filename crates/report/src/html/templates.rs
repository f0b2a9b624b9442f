//! The templates of the views. What is put into them is escaped, unless a view made it of
//! escaped words: its name ends in `_html` then, and only such names are marked `safe`.

use std::sync::OnceLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{Environment, Error, UndefinedBehavior};
use serde::Serialize;
use thiserror::Error as ThisError;

use super::escape::escape;

const TEMPLATES: [(&str, &str); 9] = [
    ("page.html", include_str!("templates/page.html")),
    ("document.html", include_str!("templates/document.html")),
    ("text.html", include_str!("templates/text.html")),
    ("diff.html", include_str!("templates/diff.html")),
    ("panel.html", include_str!("templates/panel.html")),
    ("cost.html", include_str!("templates/cost.html")),
    ("receipts.html", include_str!("templates/receipts.html")),
    ("events.html", include_str!("templates/events.html")),
    ("bank.html", include_str!("templates/bank.html")),
];

/// A template could not be filled: an internal error.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[error("internal error, please report it: {0}")]
pub struct HtmlError(String);

/// Fills a template.
pub(super) fn fill(name: &str, view: &impl Serialize) -> Result<String, HtmlError> {
    static READ: OnceLock<Result<Environment<'static>, HtmlError>> = OnceLock::new();
    let environment = READ.get_or_init(read).as_ref().map_err(Clone::clone)?;
    let template = environment
        .get_template(name)
        .map_err(|error| failed(&error))?;
    template
        .render(Value::from(Serde(view)))
        .map_err(|error| failed(&error))
}

fn read() -> Result<Environment<'static>, HtmlError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build()
        .map_err(|error| failed(&error))?;
    environment.set_syntax(syntax);
    environment.set_formatter(|out, _, value| {
        let text = value.to_string();
        let written = if value.is_safe() {
            out.write_str(&text)
        } else if value.is_none() {
            Ok(())
        } else {
            out.write_str(&escape(&text))
        };
        written.map_err(Error::from)
    });
    for (name, source) in TEMPLATES {
        environment
            .add_template(name, source)
            .map_err(|error| failed(&error))?;
    }
    Ok(environment)
}

fn failed(error: &Error) -> HtmlError {
    HtmlError(format!("{error:#}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_markup_of_our_own_is_written_as_it_is() {
        for (name, source) in TEMPLATES {
            for (at, _) in source.match_indices("safe") {
                let before = source[..at].trim_end().trim_end_matches('|').trim_end();
                assert!(
                    before.ends_with("_html") || before.ends_with("html"),
                    "{name}: {before}"
                );
            }
            for bad in [
                "style=",
                "onclick",
                "onload",
                "http://",
                "https://",
                "javascript:",
            ] {
                assert!(!source.contains(bad), "{name} has {bad}");
            }
        }
    }
}
