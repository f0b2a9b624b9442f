//! Damages good lessons in known ways and counts what the checks find, and what
//! they say about lessons that nobody has damaged.
//!
//! `cargo nextest run -p redraft-profiles --test damage --no-capture` prints the
//! figures. `REDRAFT_DAMAGE_ROUNDS` sets how often every kind of damage is
//! planted in every lesson, `REDRAFT_DAMAGE_SEED` chooses other places for it:
//! the figures to believe are those of a seed that nobody has looked at.

#![expect(clippy::expect_used, clippy::panic, reason = "a test may fail loudly")]

mod faults;
mod fixtures;
mod good;
mod json_form;
mod lessons;
mod loops;
mod markup;
mod phrases;
mod plant;

use std::collections::BTreeMap;
use std::ops::Range;

use fixtures::{Form, describe, fixed, found_by, inspect, is_error};
use json_form::{Escaping, Parts};
use lessons::Lesson;
use plant::{Damage, Lcg, plant};
use redraft_gate::finding::{Finding, Severity};
use redraft_gate::fix::Inspected;

/// Bytes below which a lesson is short.
const SHORT: usize = 8_000;

#[derive(Default)]
struct Count {
    planted: usize,
    found: usize,
    restored: usize,
    fixable: usize,
    misses: Vec<String>,
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// How often a kind of damage is planted in a lesson. Long lessons are slow to
/// examine in an unoptimised build, so that each gets only some of the kinds.
fn rounds(lesson: &Lesson, damage: Damage) -> u64 {
    let asked = setting("REDRAFT_DAMAGE_ROUNDS");
    asked.unwrap_or_else(|| {
        let turn = (lesson.id.len() + damage as usize).is_multiple_of(4);
        if lesson.text.len() < SHORT {
            2
        } else {
            u64::from(turn)
        }
    })
}

#[test]
fn damage_is_found() {
    let mut counts: BTreeMap<(Damage, String), Count> = BTreeMap::new();
    let seed = setting("REDRAFT_DAMAGE_SEED").unwrap_or(0);
    for lesson in lessons::all() {
        for damage in Damage::ALL {
            for round in 0..rounds(&lesson, damage) {
                let mut random = Lcg::new(&lesson.id, (seed * 1000 + round) * 31 + damage as u64);
                let Some(damaged) = plant(damage, &lesson.text, &lesson.language, &mut random)
                else {
                    continue;
                };
                let count = counts.entry((damage, lesson.language.clone())).or_default();
                examine(damage, &lesson, &damaged, count);
            }
        }
    }
    print(&counts);
    let mut wanting = Vec::new();
    for damage in Damage::ALL {
        let (mut planted, mut found) = (0, 0);
        for (_, count) in counts.iter().filter(|((kind, _), _)| *kind == damage) {
            planted += count.planted;
            found += count.found;
        }
        if found * 100 < planted * damage.least_found() {
            wanting.push(format!("{damage:?} {found}/{planted}"));
        }
    }
    assert!(wanting.is_empty(), "found too little: {wanting:?}");
}

fn examine(damage: Damage, lesson: &Lesson, damaged: &str, count: &mut Count) {
    count.planted += 1;
    let inspected = inspect(Form::Markdown, damaged.as_bytes().to_vec());
    let found = inspected.findings.iter().any(|finding| {
        finding.check.name == damage.check() && (!damage.needs_error() || is_error(finding))
    });
    if !found {
        let all: Vec<String> = inspected.findings.iter().map(describe).collect();
        let shown = around(&lesson.text, damaged);
        count
            .misses
            .push(format!("{} {shown:?} {all:?}", lesson.id));
        return;
    }
    count.found += 1;
    if damage.is_undone_by_removal() {
        let has_fix = inspected
            .findings
            .iter()
            .any(|finding| finding.check.name == damage.check() && finding.safe_fix().is_some());
        if has_fix {
            count.fixable += 1;
            // Other safe fixes may apply to the lesson itself.
            let good = || {
                fixed(
                    Form::Markdown,
                    inspect(Form::Markdown, lesson.text.as_bytes().to_vec()),
                )
            };
            let restored = fixed(Form::Markdown, inspected);
            if restored == lesson.text || restored == good() {
                count.restored += 1;
            } else {
                let head: String = damaged.chars().take(120).collect();
                count
                    .misses
                    .push(format!("{} not restored: {head:?}", lesson.id));
            }
        }
    }
}

/// The damaged text around the place where it first differs from the good one.
fn around<'a>(good: &str, damaged: &'a str) -> &'a str {
    let same = good
        .bytes()
        .zip(damaged.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let from = damaged.floor_char_boundary(same.saturating_sub(80));
    let to = damaged.floor_char_boundary((same + 80).min(damaged.len()));
    &damaged[from..to]
}

fn print(counts: &BTreeMap<(Damage, String), Count>) {
    println!(
        "{:<22} {:<3} {:>7} {:>6} {:>7} {:>8}",
        "damage", "", "planted", "found", "fixable", "restored"
    );
    for ((damage, language), count) in counts {
        println!(
            "{:<22} {language:<3} {:>7} {:>6} {:>7} {:>8}",
            format!("{damage:?}"),
            count.planted,
            count.found,
            count.fixable,
            count.restored
        );
    }
    for ((damage, _), count) in counts {
        for miss in &count.misses {
            println!("MISS {damage:?} {miss}");
        }
    }
}

#[test]
fn good_lessons_are_left_alone() {
    let mut alarms = Vec::new();
    for lesson in lessons::all() {
        let inspected = inspect(Form::Markdown, lesson.text.clone().into_bytes());
        for finding in &inspected.findings {
            println!(
                "{} {}: {}",
                lesson.id,
                finding.component.0,
                describe(finding)
            );
            if is_error(finding) {
                alarms.push(format!("{}: {}", lesson.id, describe(finding)));
            }
        }
    }
    assert!(alarms.is_empty(), "{alarms:#?}");
}

/// Where a lesson ends at the end of one of its blocks, nothing can be seen; what
/// is reported there would be reported in a good lesson.
#[test]
fn a_lesson_may_end_behind_any_of_its_blocks() {
    let mut alarms = Vec::new();
    let mut ends = 0;
    for lesson in lessons::all() {
        // Long lessons have more ends than an unoptimised build has time for.
        let all = lesson.text.len() < SHORT || setting("REDRAFT_DAMAGE_ROUNDS").is_some();
        let step = if all { 1 } else { 5 };
        for end in plant::possible_ends(&lesson.text).into_iter().step_by(step) {
            ends += 1;
            let text = &lesson.text[..end];
            // A section before the end is another matter.
            let at_the_end = |finding: &Finding| finding.span.end >= text.trim_end().len();
            let found = found_by("truncated-content", text);
            for finding in found.into_iter().filter(|f| at_the_end(f) || is_error(f)) {
                let tail = &text[text.floor_char_boundary(end.saturating_sub(90))..];
                alarms.push(format!("{} {tail:?}: {}", lesson.id, finding.message));
            }
        }
    }
    println!("{} alarms at {ends} ends\n{alarms:#?}", alarms.len());
    assert!(alarms.len() * 100 <= ends, "{alarms:#?}");
}

#[test]
fn good_text_that_looks_bad_is_left_alone() {
    let mut alarms = Vec::new();
    let endings = good::ENDINGS
        .iter()
        .map(|(language, passage)| (passage, good::lesson(passage, language)));
    let passages = good::PASSAGES.iter().map(|(language, passage)| {
        let rest = good::lesson("", language);
        let (_, rest) = rest.split_once("\n\n").expect("a heading");
        (
            passage,
            format!("{}\n## 2\n\n{rest}", good::lesson(passage, language)),
        )
    });
    let mut texts = 0;
    for (passage, text) in endings.chain(passages) {
        texts += 1;
        for finding in &inspect(Form::Markdown, text.into_bytes()).findings {
            // The passage is repeated around it on purpose, and so short a lesson
            // has remarks on its length.
            if finding.check.name != "repeated-text" && finding.severity > Severity::Info {
                alarms.push(format!("{passage:?}: {}", describe(finding)));
            }
        }
    }
    assert!(texts >= 100, "{texts}");
    assert!(alarms.is_empty(), "{alarms:#?}");
}

/// Damage in one string of a JSON lesson: the same is found as in Markdown, it
/// points into that string, and deleting it gives the file back.
#[test]
fn damage_is_found_in_json_where_it_is() {
    let mut faults = Vec::new();
    let (mut planted, mut found) = (0, 0);
    for lesson in lessons::own() {
        let good = json_form::parts(&lesson.text);
        for escaping in [Escaping::Least, Escaping::Ascii] {
            let original = good.write(escaping);
            let silent = inspect(Form::Json, original.clone().into_bytes());
            faults.extend(
                silent
                    .findings
                    .iter()
                    .filter(|finding| finding.severity > Severity::Info)
                    .map(|finding| format!("{} good: {}", lesson.id, describe(finding))),
            );
            for damage in Damage::ALL {
                let mut random = Lcg::new(&lesson.id, damage as u64);
                let Some((damaged, path)) =
                    plant_in_parts(damage, &good, &lesson.language, &mut random)
                else {
                    continue;
                };
                planted += 1;
                let file = damaged.write(escaping);
                let inspected = inspect(Form::Json, file.clone().into_bytes());
                let strings = field_range(&inspected, &path);
                let hit = inspected.findings.iter().find(|finding| {
                    finding.check.name == damage.check()
                        && (!damage.needs_error() || is_error(finding))
                });
                let Some(hit) = hit else {
                    println!("MISS {} {damage:?} {path}", lesson.id);
                    continue;
                };
                found += 1;
                if hit.span.start < strings.start || hit.span.end > strings.end {
                    faults.push(format!("{} {damage:?}: points beside {path}", lesson.id));
                }
                let is_fixable = hit.safe_fix().is_some();
                if damage.is_undone_by_removal()
                    && is_fixable
                    && fixed(Form::Json, inspected) != original
                {
                    faults.push(format!(
                        "{} {damage:?} {escaping:?}: not restored",
                        lesson.id
                    ));
                }
            }
        }
    }
    println!("JSON: {found} of {planted} found");
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(found * 100 >= planted * 90, "{found} of {planted}");
}

/// Cuts stand at the end of the last section, chat and reasoning at the start of
/// the introduction or the end of the lesson, anything else in the first section.
fn plant_in_parts(
    damage: Damage,
    good: &Parts,
    language: &str,
    random: &mut Lcg,
) -> Option<(Parts, String)> {
    let mut parts = good.clone();
    let last = parts.sections.len() - 1;
    let path = match damage {
        Damage::ChatInFront | Damage::TaggedReasoning => {
            parts.intro = plant(damage, &parts.intro, language, random)?;
            // Without its opening tag, reasoning inside a string is mistaken for
            // reasoning in front of the whole file.
            if parts.intro.contains("</think>") && !parts.intro.contains("<think>") {
                return None;
            }
            "intro".to_owned()
        }
        // In a string without a heading nobody can tell where thoughts end.
        Damage::UntaggedReasoning => return None,
        // A section of JSON has no headings.
        Damage::CutSection => return None,
        _ => {
            let has_place = |index: usize| {
                plant(
                    damage,
                    &good.sections[index].1,
                    language,
                    &mut random.clone(),
                )
                .is_some()
            };
            let index = (0..=last).rev().find(|index| has_place(*index))?;
            parts.sections[index].1 = plant(damage, &good.sections[index].1, language, random)?;
            if damage.check() == "truncated-content" || damage == Damage::ChatBehind {
                parts.sections.truncate(index + 1);
            }
            format!("sections[{index}].content")
        }
    };
    Some((parts, path))
}

fn field_range(inspected: &Inspected, path: &str) -> Range<usize> {
    let texts = inspected.document.texts();
    let field = texts.iter().find(|field| &*field.path == path);
    let paths: Vec<&str> = texts.iter().map(|field| &*field.path).collect();
    field
        .unwrap_or_else(|| panic!("{path} is not among {paths:?}"))
        .map
        .source_span()
}

/// Each row: a check, a text, how many findings, what the safe fixes make of it.
#[test]
fn faults_are_found_where_they_are_and_mended_where_that_is_certain() {
    let mut wrong = Vec::new();
    for (name, text, number, expected) in faults::FAULTS {
        let inspected = inspect(Form::Markdown, text.as_bytes().to_vec());
        let all: Vec<String> = inspected.findings.iter().map(describe).collect();
        let found = inspected
            .findings
            .iter()
            .filter(|finding| finding.check.name == *name)
            .count();
        let after = fixed(Form::Markdown, inspected);
        if found != *number || after != expected.unwrap_or(text) {
            wrong.push(format!("{name} in {text:?}: {all:?}, fixed {after:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
