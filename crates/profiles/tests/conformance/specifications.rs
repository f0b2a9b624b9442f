//! Lessons beside their specifications, in languages that inflect and in one
//! that writes without spaces: what is covered, and what a teacher would be told.

use std::fs;
use std::path::Path;

use redraft_gate::companion::Companions;
use redraft_gate::reading::Hint;
use redraft_profiles::{companions, registry};

use crate::fixtures::inspect_beside;

fn read(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/specified");
    fs::read(folder.join(name)).unwrap()
}

/// The lesson, the share of keywords covered in thousandths, and the findings
/// that need its specification.
const LESSONS: &[(&str, u32, &[&str])] = &[
    (
        "funnel",
        // Missing: loyalty programme, calculate.
        800,
        &[
            "warning specification-section-missing: no section covers “Customer loyalty” of the specification",
        ],
    ),
    (
        "requests",
        // Missing: 301, кэш, обмениваться.
        800,
        &[
            "warning specification-section-missing: no section covers “Кэширование страниц” of the specification",
            "error prohibited-term: “гарантию” is a form of “гарантия”, which the specification prohibits",
        ],
    ),
    (
        "photosynthesis",
        // Missing: 光照强度, 温度, 利用.
        769,
        &[
            "warning few-exercises: the lesson has 2 of 3 exercises that were asked for",
            "warning thin-section: the section “光合作用的过程” has 32 words, but the specification asks for more than a summary (100 words at least)",
            "error prohibited-term: the specification prohibits “呼吸”",
        ],
    ),
];

#[test]
fn lessons_are_compared_with_their_specifications() {
    let profile = registry::profile("lesson").unwrap();
    for (name, coverage, expected) in LESSONS {
        let companions = Companions {
            specification: Some(companions::specification(read(&format!("{name}.json"))).unwrap()),
            ..Companions::default()
        };
        let content = (read(&format!("{name}.md")), Hint::Markdown);
        let inspected = inspect_beside(&companions, profile.checks(), profile, content);
        let figures = profile.figures(&inspected.document, &companions);
        let thousandths = figures
            .keyword_coverage
            .map(|share| (share * 1000.0).round());
        assert!(figures.missing_sections.is_empty(), "{name}");
        let found: Vec<String> = inspected
            .findings
            .iter()
            .filter(|finding| !["word-count", "reading-grade"].contains(&finding.check.name))
            .map(|finding| {
                let severity = finding.severity.name();
                format!("{severity} {}: {}", finding.check.name, finding.message)
            })
            .collect();
        let expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
        assert_eq!(
            (thousandths, found),
            (Some(f64::from(*coverage)), expected),
            "{name}"
        );
    }
}

#[test]
fn a_hostile_specification_beside_a_long_lesson_is_examined() {
    let profile = registry::profile("lesson").unwrap();
    let keywords: Vec<String> = (0..100_000)
        .map(|number| match number % 4 {
            0 => format!("water boils {number}"),
            1 => "water boils".to_owned(),
            2 => format!("c{}", "+".repeat(number % 50)),
            _ => format!("`f{number}()`"),
        })
        .collect();
    let titles = ["Introduction", "Water and heat", "Exercises", "Steam"];
    let sections: Vec<serde_json::Value> = (0..2_000)
        .map(|number| {
            serde_json::json!({
                "title": titles[number % 4],
                "constraints": {
                    "depth": "comprehensive",
                    "required_keywords": if number == 0 { &keywords[..] } else { &[] },
                    "prohibited_terms": ["steam", "water vapour", keywords[number]],
                },
                "key_points_to_cover": ["an example of water"],
            })
        })
        .collect();
    let objectives = vec!["Explain how water boils and c++ code runs"; 1_000];
    let specification = serde_json::json!({
        "title": "T", "sections": sections, "learning_objectives": objectives,
        "estimated_duration_minutes": 1e300, "exercises": [1, 2],
    });
    let companions = Companions {
        specification: Some(
            companions::specification(specification.to_string().into_bytes()).unwrap(),
        ),
        ..Companions::default()
    };
    let units = [
        "Water boils and c++ c+ f3() water \"boils\" steam. ",
        "\n\n## Water and heat\n\nWater boils. ",
        "\n\n## Exercises\n\n1. Boil \"water\n2. Steam\n",
        "水水水蒸气",
        "“water “steam ",
    ];
    for unit in units {
        let text = unit.repeat(300_000 / unit.len());
        let content = (text.into_bytes(), Hint::Markdown);
        let own: Vec<_> = profile
            .checks()
            .iter()
            .copied()
            .filter(|check| check.code.starts_with("LES"))
            .collect();
        let inspected = inspect_beside(&companions, &own, profile, content);
        let _ = profile.figures(&inspected.document, &companions);
    }
}
