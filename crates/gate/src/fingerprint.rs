//! What a finding is recognised by when the text around it moves: a baseline and a
//! SARIF viewer match findings by it.

use sha2::{Digest as _, Sha256};

use crate::content::Document;
use crate::finding::Finding;

/// A fingerprint of the words that the finding points at; white space does not
/// count. Baselines and reports know a finding by it across versions of a file.
#[must_use]
pub fn fingerprint(document: &Document, finding: &Finding) -> String {
    const MOST: usize = 400;
    let range = document.source().text_range(finding.span);
    let words = document.source().text().get(range).unwrap_or_default();
    let mut hash = Sha256::new();
    for word in words.split_whitespace().take(MOST) {
        hash.update(word.as_bytes());
        hash.update(b" ");
    }
    let digest = hash.finalize();
    digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
