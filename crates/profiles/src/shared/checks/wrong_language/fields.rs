//! Short texts of items in another script than their namesakes: too short for their language
//! to be detected, but not for their script.

use redraft_gate::check::Sink;
use redraft_gate::content::{ComponentKind, Document, TextField};
use redraft_gate::finding::Severity;
use redraft_text::scripts::{Script, ScriptCounts};

use super::passages::Section;

/// Fields whose text explains in the language of the learner, whatever is asked.
const NAMES: [&str; 4] = ["explanation", "rationale", "feedback", "clarification"];
/// Letters of a text that has a script at all.
const FEWEST_LETTERS: usize = 6;
/// Texts of the name that have one script, at least.
const FEWEST_OTHERS: usize = 2;

pub(super) fn report(document: &Document, sink: &mut Sink<'_>) {
    let texts = document.texts();
    let start = |field: &TextField| field.map.source_span().start;
    let mut items = document.of_kind(ComponentKind::Item).peekable();
    if items.peek().is_none() {
        NAMES.into_iter().for_each(|name| strange_one(texts, name, sink));
        return;
    }
    for item in items {
        let first = texts.partition_point(|field| start(field) < item.range.start);
        let end = texts.partition_point(|field| start(field) < item.range.end);
        let texts = texts.get(first..end.max(first)).unwrap_or_default();
        NAMES.into_iter().for_each(|name| strange_one(texts, name, sink));
    }
}

/// Reports a paragraph in another script than the document, which has that script nowhere else:
/// in a lesson that teaches a language its words would be.
pub(super) fn strange_passage(document: &Document, sections: &[Section<'_>], sink: &mut Sink<'_>) {
    const FEWEST: usize = 30;
    let mut all = ScriptCounts::default();
    for field in document.texts() {
        all.add(&field.text);
    }
    let Some(home) = all.leading() else { return };
    for passage in sections.iter().flat_map(|section| &section.passages) {
        let mut own = ScriptCounts::default();
        own.add(&passage.prose);
        let Some(script) = own.leading() else { continue };
        let is_kana = |script: Script| matches!(script, Script::Han | Script::Kana | Script::Hangul);
        let is_strange = script != home
            && !(is_kana(script) && is_kana(home))
            && script != Script::Latin
            && !passage.is_apart
            && own.of(script) >= FEWEST
            && own.of(script) == all.of(script);
        if is_strange {
            let message = format!("this paragraph is {} in a text that is {}", script.name(), home.name());
            sink.in_text(&document.texts()[passage.field], passage.range.clone(), message)
                .severity(Severity::Warning);
        }
    }
}

/// Reports the one text of a name that is wholly in another script than all others of it.
fn strange_one(texts: &[TextField], name: &str, sink: &mut Sink<'_>) {
    let named: Vec<(&TextField, Script)> = texts
        .iter()
        .filter(|field| has_name(field, name))
        .filter_map(|field| Some((field, only_script(&field.text)?)))
        .collect();
    for (field, script) in &named {
        let mut others = named.iter().filter(|(other, _)| !std::ptr::eq(*other, *field));
        let Some((_, usual)) = others.next() else { continue };
        let is_strange = script != usual
            && named.len() > FEWEST_OTHERS
            && others.all(|(_, other)| other == usual);
        if is_strange {
            let message = format!(
                "this text is {}, and the others of its item are {}; write it in their language",
                script.name(),
                usual.name()
            );
            sink.in_text(field, 0..field.text.len(), message)
                .severity(Severity::Warning);
        }
    }
}

fn has_name(field: &TextField, name: &str) -> bool {
    let last = field.path.rsplit('.').next().unwrap_or(&field.path);
    last.split('[').next() == Some(name)
}

/// The script of a text that has only one.
fn only_script(text: &str) -> Option<Script> {
    let mut counts = ScriptCounts::default();
    counts.add(text);
    let leading = counts.leading()?;
    (counts.of(leading) >= FEWEST_LETTERS && counts.of(leading) == counts.letters()).then_some(leading)
}
