//! A set of cards for a database (`--database`): the template unchanged, with a
//! compressed copy of its cards in a field of its own.
//!
//! The compressed field holds the exact bytes of the plain one, and the same cards give
//! the same bytes on every machine.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compression, GzBuilder};
use redraft_gate::reading::{self, Form, Hint};
use redraft_gate::source::Source;
use redraft_run::outcome::Status;
use redraft_text::json::Kind;

use super::output::complain;
use crate::files::{self, HardLinks};
use redraft_report::judge_report::Judged;
use redraft_report::plain;

/// The field that holds the compressed cards.
const COMPRESSED: &str = "cards_gzip";

/// Writes accepted cards to a file for a database, or prints why they are not written.
///
/// # Errors
/// When the template is not valid, or the file cannot be written.
pub(super) fn keep(one: &Judged, to: &Path) -> anyhow::Result<()> {
    let outcome = &one.outcome;
    let passed = matches!(outcome.status, Status::Accepted | Status::AcceptedWarning);
    let because = if outcome.profile != "sqa-lesson" {
        "this is not a set of cards"
    } else if !passed {
        "the cards were not accepted"
    } else {
        let content = outcome.final_content.as_ref().unwrap_or(&one.original);
        let row = row(content).with_context(|| one.path.clone())?;
        return files::put(to, row.as_bytes(), HardLinks::Refuse);
    };
    complain(&format!(
        "{}: --database wrote nothing: {because}",
        plain::path(&one.path)
    ));
    Ok(())
}

/// The template with its cards compressed beside the plain ones.
///
/// # Errors
/// When it is not a JSON object with a list of cards.
fn row(template: &[u8]) -> anyhow::Result<String> {
    let raw = reading::read(Source::new(template.to_vec()), Hint::Json);
    let text = raw.source.text();
    let Form::Json(json) = &raw.form else {
        bail!("not a JSON object with a `cards` array");
    };
    let root = json
        .root()
        .context("not a JSON object with a `cards` array")?;
    let cards = root
        .get("cards")
        .filter(|cards| cards.kind() == Kind::Array)
        .context("the template has no `cards` array")?;
    let plain = text.get(cards.span()).unwrap_or_default();
    let packed = STANDARD.encode(gzip(plain.as_bytes())?);
    let field = format!("\"{packed}\"");
    let (at, field) = match root.get(COMPRESSED) {
        Some(old) => (old.span(), field),
        None => {
            let end = cards.span().end;
            (end..end, format!(",\n  \"{COMPRESSED}\": {field}"))
        }
    };
    let whole = root.span();
    let part = |range| text.get(range).unwrap_or_default();
    let row = format!(
        "{}{field}{}\n",
        part(whole.start..at.start),
        part(at.end..whole.end)
    );
    serde_json::from_str::<serde::de::IgnoredAny>(&row)
        .context("the template is not valid JSON; repair it with `redraft check --fix`")?;
    Ok(row)
}

/// Without a time and a name, so that the bytes depend on the content alone.
fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut writer = GzBuilder::new()
        .mtime(0)
        .write(Vec::new(), Compression::best());
    writer.write_all(bytes)?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn unpacked(row: &str) -> String {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        let packed = STANDARD.decode(row[COMPRESSED].as_str().unwrap()).unwrap();
        let mut text = String::new();
        flate2::read::GzDecoder::new(packed.as_slice())
            .read_to_string(&mut text)
            .unwrap();
        text
    }

    #[test]
    fn the_compressed_cards_are_the_plain_ones_byte_for_byte() {
        for (template, cards) in [
            (
                r#"{"title": "Ü", "cards": [ {"id": "c1", "cost": 1.50} ], "n": 12345678901234567890}"#,
                r#"[ {"id": "c1", "cost": 1.50} ]"#,
            ),
            (r#"{"cards":[]}"#, "[]"),
            (
                r#"{"cards": ["£"], "cards_gzip": "old", "after": 1}"#,
                r#"["£"]"#,
            ),
        ] {
            let packed = row(template.as_bytes()).unwrap();
            assert_eq!(unpacked(&packed), cards);
            assert_eq!(packed, row(template.as_bytes()).unwrap());
            assert_eq!(packed.matches(COMPRESSED).count(), 1, "{packed}");
            // What was there stays as it was written.
            let start = template
                .split_once("cards_gzip")
                .map_or(template, |(start, _)| start);
            let end = start.find(cards).unwrap() + cards.len();
            assert!(packed.starts_with(&template[..end]), "{packed}");
            // Packing once more changes nothing.
            assert_eq!(row(packed.as_bytes()).unwrap(), packed);
        }
    }

    #[test]
    fn a_template_without_cards_is_rejected() {
        for template in ["", "[]", "# A lesson", r#"{"cards": 1}"#, r#"{"cards": [}"#] {
            assert!(row(template.as_bytes()).is_err(), "{template}");
        }
    }
}
