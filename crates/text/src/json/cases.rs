//! Cases of the scanner, as data: what a broken text is read as, what is
//! recorded, and that its edits lead to the same reading by strict JSON.

mod strings;
mod structure;
mod whole;

use serde_json::Value;

use super::testing::{Which, mended, same, scan_all};
use super::{Json, RecoveryKind};

fn kinds(json: &Json) -> Vec<RecoveryKind> {
    json.recoveries
        .iter()
        .map(|recovery| recovery.kind.clone())
        .collect()
}

/// Each case: the source, the value it is read as, the recoveries, and whether
/// any of them is in doubt. The mended text must parse to the same value.
fn check(cases: &[(&str, Value, &[RecoveryKind], Doubt)]) {
    for (source, value, expected, doubt) in cases {
        let json = scan_all(source);
        let root = json.root().unwrap_or_else(|| panic!("no root: {source}"));
        assert!(
            same(root, value),
            "{source} is read otherwise than as {value}: {json:?}"
        );
        assert_eq!(&kinds(&json), expected, "{source}");
        let certain = json.recoveries.iter().all(|recovery| recovery.certain);
        assert_eq!(
            certain,
            *doubt == Doubt::None,
            "{source}: {:?}",
            json.recoveries
        );
        assert!(json.complete(), "{source}");
        let text = mended(source, &json, Which::All);
        let strict: Value =
            serde_json::from_str(&text).unwrap_or_else(|e| panic!("{source} → {text}: {e}"));
        assert_eq!(&strict, value, "{source} → {text}");
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Doubt {
    None,
    Some,
}
