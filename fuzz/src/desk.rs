//! The desk without the program around it, and what it promises for any bytes.

use std::collections::BTreeSet;

use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::examine::{self, Examined, Settings};
use redraft_gate::finding::Finding;
use redraft_gate::fix::{self, Fixed, Inspected};
use redraft_run::profile::Profile;
use redraft_gate::reading::{self, Hint};
use redraft_gate::source::Source;

use crate::{assert_on_text, splice};

/// How bytes are read and examined.
pub struct Desk {
    profile: &'static dyn Profile,
    hint: Hint,
    companions: Companions,
    settings: Settings,
}

impl Desk {
    /// A desk with the default settings of a profile and no companions.
    #[must_use]
    pub fn new(profile: &'static dyn Profile, hint: Hint) -> Self {
        Self {
            profile,
            hint,
            companions: Companions::default(),
            settings: Settings {
                parameters: profile.parameters().clone(),
                ..Settings::default()
            },
        }
    }

    fn inspect(&self, bytes: Vec<u8>) -> (Document, Examined) {
        let raw = reading::read(Source::new(bytes), self.hint);
        let document = self.profile.parse(raw, None);
        let examined = examine::examine(
            self.profile.checks(),
            &document,
            &self.companions,
            &self.settings,
        );
        (document, examined)
    }
}

/// Reading changes nothing, findings point at what exists, fixing ends, and no
/// byte changes outside the edits that are reported.
pub fn assert_promises(desk: &Desk, bytes: &[u8]) {
    let (document, examined) = desk.inspect(bytes.to_vec());
    assert_eq!(
        document.source().bytes(),
        bytes,
        "reading changed the bytes"
    );
    assert_sound(&document);
    for finding in examined
        .findings
        .iter()
        .chain(examined.silenced.iter().map(|(finding, _)| finding))
    {
        assert_finding(&document, finding);
    }
    let start = Inspected {
        document,
        findings: examined.findings,
    };
    let fixed = fix::fix(start, |bytes| {
        let (document, examined) = desk.inspect(bytes);
        Inspected {
            document,
            findings: examined.findings,
        }
    })
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
