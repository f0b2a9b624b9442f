//! Plans for real documents of every profile: terms, anchors and places.

use std::collections::BTreeSet;
use std::fs;

use redraft_core::arbitrate::{Agreement, AgreementLevel, Arbitration};
use redraft_core::companion::Companions;
use redraft_core::content::Document;
use redraft_core::profile::Profile;
use redraft_core::reading::Hint;
use redraft_core::route::{RefinementPlan, RouteFigures, Routing, Targets, route};

use crate::desk::{inspect, profile_of};
use crate::reference_data::data;

fn nothing() -> Arbitration {
    Arbitration {
        agreement: Agreement {
            level: AgreementLevel::NotApplicable,
            alpha: None,
            undefined_because: None,
            widest_spread: 0,
        },
        issues: Vec::new(),
        set_aside: Vec::new(),
        conflicts: Vec::new(),
        needs_review: false,
    }
}

fn plan(profile: &dyn Profile, document: &Document, arbitration: &Arbitration) -> RefinementPlan {
    route(&Routing {
        document,
        companions: &Companions::default(),
        rubric: profile.rubric(),
        arbitration,
        assessment: None,
        findings: &[],
        figures: &RouteFigures::part_by_part(Targets::All),
        locked: &BTreeSet::new(),
    })
}

fn terms(text: &str) -> Vec<String> {
    let hint = Hint::Markdown;
    let inspected = inspect(text.as_bytes(), hint);
    let profile = profile_of(text.as_bytes(), hint);
    plan(profile, &inspected.document, &nothing()).preserve_terminology
}

#[test]
fn dump() {
    let Some(folder) = data("lessons_markdown") else {
        return;
    };
    let lines = fs::read_to_string(folder.join("lessons.jsonl")).unwrap();
    for (n, line) in lines.lines().enumerate() {
        let lesson: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = lesson["text"].as_str().unwrap();
        if n % 4 == 0 {
            eprintln!("{} {:?}\n", lesson["id"], terms(text));
        }
    }
    for f in ["photosynthesis", "kettle"] {
        eprintln!(
            "{f} {:?}",
            terms(
                &fs::read_to_string(format!(
                    "{}/../../examples/{f}.md",
                    env!("CARGO_MANIFEST_DIR")
                ))
                .unwrap()
            )
        );
    }
}
