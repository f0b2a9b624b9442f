//! The documented examples of every check are executed, and declarations are
//! complete and consistent.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use redraft_banks::BankFormat;
use redraft_gate::check::{Check, Example, ExampleForm, Mends};
use redraft_gate::companion::Companions;
use redraft_gate::fix;
use redraft_gate::policy::Parameters;
use redraft_gate::reading::Hint;
use redraft_profiles::{clinical_mcq, items, lesson, registry, shared, sqa_lesson};

use crate::fixtures::{inspect_beside, inspect_with, profile_of};

fn bytes(form: ExampleForm, text: &str) -> (Vec<u8>, Hint) {
    match form {
        ExampleForm::Markdown => (text.as_bytes().to_vec(), Hint::Markdown),
        ExampleForm::Json => (text.as_bytes().to_vec(), Hint::Json),
        ExampleForm::Gift => (text.as_bytes().to_vec(), Hint::Bank(BankFormat::Gift)),
        ExampleForm::Windows1251 => (windows_1251(text), Hint::Markdown),
    }
}

fn windows_1251(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| match u32::from(c) {
            ascii @ 0..0x80 => u8::try_from(ascii).unwrap(),
            cyrillic @ 0x410..=0x44f => u8::try_from(cyrillic - 0x410 + 0xc0).unwrap(),
            other => panic!("U+{other:04X} has no place in this example"),
        })
        .collect()
}

fn codes(check: &'static Check, form: ExampleForm, text: &str) -> usize {
    let (bytes, hint) = bytes(form, text);
    let profile = profile_of(&bytes, hint);
    let content = (bytes, hint);
    inspect_beside(&beside(check), &[check], profile, content)
        .findings
        .len()
}

/// What the examples of a check come with.
fn beside(check: &Check) -> Companions {
    registry::beside_examples(check).companions().unwrap()
}

/// The check about files that were not read has no text to show.
const ABOUT_FILES: &str = "unread-file";

#[test]
fn every_failing_example_fails_and_every_passing_one_passes() {
    for check in registry::all_checks() {
        assert_eq!(
            check.examples.is_empty(),
            check.name == ABOUT_FILES,
            "{} has no example",
            check.name
        );
        for Example {
            form,
            fails,
            passes,
            ..
        } in check.examples
        {
            assert!(
                codes(check, *form, fails) > 0,
                "{}: this should fail: {fails:?}",
                check.name
            );
            let passing = if *form == ExampleForm::Windows1251 {
                ExampleForm::Markdown
            } else {
                *form
            };
            assert_eq!(
                codes(check, passing, passes),
                0,
                "{}: this should pass: {passes:?}",
                check.name
            );
        }
    }
}

#[test]
fn every_fixed_example_comes_out_as_documented() {
    for check in registry::all_checks() {
        for example in check.examples {
            let (bytes, hint) = bytes(example.form, example.fails);
            let profile = profile_of(&bytes, hint);
            let inspect = |bytes, hint| inspect_with(&[check], profile, bytes, hint);
            let start = inspect(bytes.clone(), hint);
            assert!(
                check.mends != Mends::Never
                    || start.findings.iter().all(|finding| finding.fix.is_none()),
                "{} says that it never mends",
                check.name
            );
            let fixed = fix::fix(start, |bytes, form| inspect(bytes, Hint::Decided(form))).unwrap();
            let text = fixed.inspected.document.source().bytes();
            let expected = example.fixed.map_or(bytes, |text| text.as_bytes().to_vec());
            assert_eq!(
                String::from_utf8_lossy(text),
                String::from_utf8_lossy(&expected),
                "{}",
                check.name
            );
        }
    }
}

#[test]
fn codes_and_names_are_unique_and_well_formed() {
    let checks = registry::all_checks();
    let codes: BTreeSet<&str> = checks.iter().map(|check| check.code).collect();
    let names: BTreeSet<&str> = checks.iter().map(|check| check.name).collect();
    assert_eq!((codes.len(), names.len()), (checks.len(), checks.len()));
    for check in checks {
        let (letters, digits) = check.code.split_at(3);
        assert!(
            ["TXT", "LES", "SQA", "MCQ", "BNK"].contains(&letters),
            "{}",
            check.code
        );
        assert!(
            digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit()),
            "{}",
            check.code
        );
        assert!(
            check
                .name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'),
            "{}",
            check.name
        );
        for text in [check.summary, check.what, check.why] {
            assert!(!text.trim().is_empty(), "{} is not explained", check.name);
        }
    }
}

#[test]
fn every_file_in_a_folder_of_checks_is_registered() {
    let folders = [
        ("src/shared/checks", shared::checks::MODULES, shared::CHECKS),
        (
            "src/lesson/checks",
            lesson::checks::MODULES,
            lesson::checks::CHECKS,
        ),
        (
            "src/sqa_lesson/checks",
            sqa_lesson::checks::MODULES,
            sqa_lesson::checks::CHECKS,
        ),
        (
            "src/clinical_mcq/checks",
            clinical_mcq::checks::MODULES,
            clinical_mcq::checks::CHECKS,
        ),
        (
            "src/items/checks",
            items::checks::MODULES,
            items::checks::CHECKS,
        ),
    ];
    for (folder, modules, checks) in folders {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let files: BTreeSet<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter_map(|name| name.strip_suffix(".rs").map(str::to_owned))
            .filter(|module| module != "mod")
            .collect();
        let listed: BTreeSet<String> = modules.iter().map(|module| (*module).to_owned()).collect();
        assert_eq!(files, listed);
        for (module, check) in modules.iter().zip(checks) {
            assert_eq!(module.replace('_', "-"), check.name);
        }
    }
}

#[test]
fn every_parameter_has_a_default_and_every_default_a_parameter() {
    for profile in registry::PROFILES {
        let parameters: &Parameters = profile.parameters();
        for check in profile.checks() {
            for parameter in check.parameters {
                assert!(
                    parameters.get(check.name, parameter.name).is_some(),
                    "{}: {} of {} has no default",
                    profile.id(),
                    parameter.name,
                    check.name
                );
            }
        }
        for (check, parameter, _) in parameters.iter() {
            let declared = profile
                .checks()
                .iter()
                .find(|known| known.name == check)
                .is_some_and(|known| known.parameters.iter().any(|known| known.name == parameter));
            assert!(
                declared,
                "{}: nobody reads {parameter} of {check}",
                profile.id()
            );
        }
    }
}

#[test]
fn a_finding_sets_no_cap_that_its_check_does_not_declare() {
    for check in registry::all_checks() {
        for example in check.examples {
            let (bytes, hint) = bytes(example.form, example.fails);
            let profile = profile_of(&bytes, hint);
            let content = (bytes, hint);
            for finding in inspect_beside(&beside(check), &[check], profile, content).findings {
                for cap in &finding.caps {
                    assert!(check.caps.contains(cap), "{}: {cap:?}", check.name);
                }
                assert!(
                    check.caps.is_empty() || !finding.caps.is_empty(),
                    "{} declares caps, and its example sets none",
                    check.name
                );
            }
        }
    }
}
