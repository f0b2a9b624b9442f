//! Any bytes through the gate: read with every hint, parsed by every profile, examined
//! by all its checks, fixed.

use std::collections::BTreeSet;
use std::sync::Arc;

use redraft_gate::content::Document;
use redraft_gate::examine::Settings;
use redraft_gate::finding::Finding;
use redraft_gate::fix::Fixed;
use redraft_gate::inspect::{Inspect as _, Reader};
use redraft_gate::reading::Hint;
use redraft_profiles::registry::PROFILES;

use crate::{assert_on_text, splice};

const HINTS: [Hint; 4] = [Hint::None, Hint::Markdown, Hint::Json, Hint::JsonLines];

pub(crate) fn holds(bytes: &[u8]) {
    for hint in HINTS {
        for profile in PROFILES {
            let reader = Reader {
                profile: *profile,
                settings: Settings {
                    parameters: profile.parameters().clone(),
                    ..Settings::default()
                },
                companions: Arc::default(),
                hint,
            };
            assert_promises(&reader, bytes);
        }
    }
}

/// Reading changes nothing, findings point at what exists, fixing ends, and no
/// byte changes outside the edits that are reported.
fn assert_promises(reader: &Reader, bytes: &[u8]) {
    let inspected = reader.inspect(bytes.to_vec());
    assert_eq!(
        inspected.document.source().bytes(),
        bytes,
        "reading changed the bytes"
    );
    assert_sound(&inspected.document);
    for finding in &inspected.findings {
        assert_finding(&inspected.document, finding);
    }
    let fixed = reader
        .fix(bytes.to_vec())
        .unwrap_or_else(|error| panic!("edits that do not fit: {error}"));
    assert_only_edits_changed_bytes(bytes, &fixed);
}

/// Every range of the document exists, names are unique, parents come first.
fn assert_sound(document: &Document) {
    let text = document.source().text();
    let mut names = BTreeSet::new();
    for (index, component) in document.components().iter().enumerate() {
        assert_on_text(text, &component.range);
        assert!(
            names.insert(&component.id),
            "two components are called {}",
            component.id
        );
        assert!(
            component.parent.is_none_or(|parent| parent < index),
            "{component:?}"
        );
    }
    for field in document.texts() {
        assert_on_text(text, &field.map.to_source(0..field.text.len()));
        assert!(
            field.component < document.components().len(),
            "{}",
            field.path
        );
    }
    for outside in document.outside() {
        assert_on_text(text, &outside.range);
        assert_on_text(text, &outside.removal);
    }
    for recovered in document.recovered() {
        assert_on_text(text, &recovered.range);
    }
}

fn assert_finding(document: &Document, finding: &Finding) {
    let source = document.source();
    let code = finding.check.code;
    assert!(
        source.bytes().get(finding.span.range()).is_some(),
        "{code} at {:?}",
        finding.span
    );
    assert_on_text(source.text(), &source.text_range(finding.span));
    assert_eq!(finding.span.version, source.version(), "{code}");
    assert!(!finding.message.is_empty(), "{code}");
    let named = document
        .components()
        .iter()
        .any(|component| component.id == finding.component);
    assert!(
        named,
        "{code} names {}, which does not exist",
        finding.component
    );
    for edit in finding.fix.iter().flat_map(|fix| &fix.edits) {
        assert!(
            source.bytes().get(edit.span.range()).is_some(),
            "{code} edits {:?}",
            edit.span
        );
        assert_eq!(edit.span.version, source.version(), "{code}");
    }
}

/// Plays the reported fixes back on the first bytes, version by version; the
/// result has to be what the fix loop arrived at.
fn assert_only_edits_changed_bytes(before: &[u8], fixed: &Fixed) {
    let mut bytes = before.to_vec();
    for round in fixed
        .applied
        .chunk_by(|a, b| a.span.version == b.span.version)
    {
        let mut edits: Vec<_> = round
            .iter()
            .filter_map(|finding| finding.safe_fix())
            .flat_map(|fix| &fix.edits)
            .map(|edit| (edit.span.range(), edit.text.clone()))
            .collect();
        edits.sort_by_key(|(range, _)| (range.start, range.end));
        bytes = splice(&bytes, &edits);
    }
    let after = fixed.inspected.document.source().bytes();
    assert_eq!(
        bytes, after,
        "bytes changed that no applied fix accounts for"
    );
}
