//! Good lessons of every kind and of several subjects, written for this test: the
//! checks of a template's structure have nothing to say about them. Each of them
//! once made a check cry wolf, or might have.

use std::fs;
use std::path::Path;

use redraft_gate::finding::Severity;
use redraft_gate::reading::Hint;

use crate::fixtures::inspect;

#[test]
fn good_lessons_of_every_kind_pass_the_checks_of_structure() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/cards");
    let mut lessons = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let inspected = inspect(&fs::read(&path).unwrap(), Hint::Json);
        let found: Vec<_> = inspected
            .findings
            .iter()
            .filter(|finding| is_about_structure(finding.check.code))
            .filter(|finding| finding.severity > Severity::Info)
            .map(|finding| (finding.check.name, &finding.message))
            .collect();
        assert!(found.is_empty(), "{}: {found:?}", path.display());
        lessons += 1;
    }
    assert!(lessons >= 5, "only {lessons} lessons");
}

/// The codes SQA001 to SQA049.
fn is_about_structure(code: &str) -> bool {
    code.strip_prefix("SQA0")
        .is_some_and(|number| number < "50")
}
