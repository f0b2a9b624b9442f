//! What must hold for every rubric: it can be used, it has the seeds' figures,
//! and every criterion is complete.

use redraft_gate::score::{Precision, Score};
use redraft_profiles::registry::{self, PROFILES};
use redraft_profiles::rubric_file;
use redraft_run::rubric::FixAction;

fn thousandths(score: Score) -> u16 {
    score.thousandths()
}

/// Name, weight and threshold in thousandths.
type Row = (&'static str, u32, Option<u16>);

#[test]
fn weights_and_thresholds_are_those_of_the_seeds() {
    let cases: [(&str, Precision, &[Row]); 4] = [
        // Seed 002.
        (
            "lesson",
            Precision::Thousandths,
            &[
                ("learning_objective_alignment", 250, None),
                ("pedagogical_structure", 200, None),
                ("factual_accuracy", 150, None),
                ("clarity_readability", 150, None),
                ("engagement_examples", 150, None),
                ("completeness", 100, None),
            ],
        ),
        // Seed 000.
        (
            "sqa-lesson",
            Precision::Hundredths,
            &[
                ("pedagogical_design", 200, Some(880)),
                ("assessment_design", 250, Some(880)),
                ("accessibility", 200, Some(880)),
                ("scottish_context", 200, Some(880)),
                ("coherence", 150, Some(850)),
                ("sow_template_fidelity", 250, Some(880)),
            ],
        ),
        // Seed 004.
        (
            "clinical-mcq",
            Precision::Thousandths,
            &[
                ("clinical_accuracy", 300, None),
                ("pedagogical_alignment", 200, None),
                ("distractor_quality", 200, None),
                ("slo_coverage", 200, None),
                ("blooms_match", 100, None),
            ],
        ),
        (
            "mcq",
            Precision::Thousandths,
            &[
                ("accuracy", 200, None),
                ("clarity", 200, None),
                ("distractors", 200, None),
                ("alignment", 200, None),
                ("level", 200, None),
            ],
        ),
    ];
    for (profile, precision, expected) in cases {
        let rubric = registry::profile(profile).unwrap().rubric();
        let rows: Vec<Row> = expected.to_vec();
        let found: Vec<(&str, u32, Option<u16>)> = rubric
            .criteria
            .iter()
            .map(|criterion| {
                (
                    criterion.name.as_str(),
                    criterion.weight,
                    criterion.threshold.map(thousandths),
                )
            })
            .collect();
        assert_eq!(found, rows, "{profile}");
        assert_eq!(rubric.precision, precision, "{profile}");
        assert_eq!(rubric.name, profile);
    }
}

#[test]
fn a_lesson_s_hierarchy_is_that_of_seed_003() {
    assert_eq!(
        registry::profile("lesson").unwrap().rubric().hierarchy,
        [
            "factual_accuracy",
            "learning_objective_alignment",
            "pedagogical_structure",
            "clarity_readability",
            "engagement_examples",
            "completeness",
        ]
    );
}

#[test]
fn lessons_are_rewritten_for_three_criteria_only_and_never_for_something_minor() {
    // Ruling 28.
    let rubric = registry::profile("lesson").unwrap().rubric();
    for criterion in &rubric.criteria {
        let expected = match criterion.name.as_str() {
            "factual_accuracy" | "completeness" | "pedagogical_structure" => {
                FixAction::RegenerateSection
            }
            _ => FixAction::SurgicalEdit,
        };
        let repair = &criterion.repair;
        let name = &criterion.name;
        assert_eq!(repair.critical, expected, "{name}");
        assert_eq!(repair.major, expected, "{name}");
        assert_eq!(repair.minor, FixAction::SurgicalEdit, "{name}");
        assert_eq!(repair.target, None, "{name}");
    }
}

#[test]
fn items_are_repaired_where_ruling_20_says() {
    let rubric = registry::profile("clinical-mcq").unwrap().rubric();
    for (criterion, target) in [
        ("clinical_accuracy", "vignette"),
        ("pedagogical_alignment", "stem"),
        ("distractor_quality", "options"),
        ("slo_coverage", "stem"),
        ("blooms_match", "stem"),
    ] {
        let repair = &rubric.criterion(criterion).unwrap().repair;
        assert_eq!(repair.target.as_deref(), Some(target), "{criterion}");
    }
}

#[test]
fn anchors_are_the_bands_of_the_rulings_and_the_seeds() {
    let bands = |profile: &str, criterion: &str| -> Vec<u16> {
        let rubric = registry::profile(profile).unwrap().rubric();
        let criterion = rubric.criterion(criterion).unwrap();
        criterion
            .anchors
            .iter()
            .map(|anchor| thousandths(anchor.at))
            .collect()
    };
    for criterion in &registry::profile("lesson").unwrap().rubric().criteria {
        assert_eq!(bands("lesson", &criterion.name), [1000, 900, 750, 600]);
    }
    for profile in ["clinical-mcq", "mcq"] {
        for criterion in &registry::profile(profile).unwrap().rubric().criteria {
            assert_eq!(bands(profile, &criterion.name), [900, 700, 400]);
        }
    }
    // Seed 000; the lowest is ours.
    for (criterion, expected) in [
        ("pedagogical_design", [1000, 950, 880, 750]),
        ("assessment_design", [1000, 900, 880, 750]),
        ("accessibility", [1000, 900, 880, 750]),
        ("scottish_context", [1000, 950, 880, 750]),
        ("coherence", [1000, 900, 850, 750]),
        ("sow_template_fidelity", [1000, 950, 880, 750]),
    ] {
        assert_eq!(bands("sqa-lesson", criterion), expected, "{criterion}");
    }
}

#[test]
fn the_files_are_read_without_falling_back() {
    for (profile, text) in [
        ("lesson", include_str!("../../src/lesson/rubric.toml")),
        (
            "sqa-lesson",
            include_str!("../../src/sqa_lesson/rubric.toml"),
        ),
        (
            "clinical-mcq",
            include_str!("../../src/clinical_mcq/rubric.toml"),
        ),
        ("mcq", include_str!("../../src/mcq/rubric.toml")),
    ] {
        let read = rubric_file::read(text).unwrap_or_else(|error| panic!("{profile}: {error}"));
        assert_eq!(&read, registry::profile(profile).unwrap().rubric());
    }
}

#[test]
fn every_criterion_has_a_weight_anchors_a_rank_and_words() {
    for profile in PROFILES {
        let rubric = profile.rubric();
        assert_eq!(rubric.validate(), Ok(()), "{}", profile.id());
        for criterion in &rubric.criteria {
            let name = &criterion.name;
            assert!(criterion.weight > 0, "{name}");
            assert!(criterion.anchors.len() >= 3, "{name}");
            assert!(rubric.hierarchy.contains(name), "{name}");
            for words in [
                &criterion.description,
                &criterion.not_about,
                &criterion.evidence,
            ] {
                assert!(words.split_whitespace().count() >= 5, "{name}: {words}");
            }
        }
    }
}
