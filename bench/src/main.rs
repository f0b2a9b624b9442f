//! What a lesson and a bank of items cost, in CPU time, and where it goes.
//!
//! `redraft-bench` measures lessons, `redraft-bench banks` items and the two tests
//! of banks, `redraft-bench alpha` the agreement of judges, and `redraft-bench
//! write-bank FILE NUMBER` writes a generated bank, to be checked by the program
//! itself under a clock. `redraft-bench asks` measures asking models over HTTP,
//! beside a bare loop that does nothing but ask.
//!
//! Lessons of 8 to 9 KB are put together from paragraphs of real ones, so that
//! words, links and code are as they are in life. The clock counts this process
//! alone, so that a busy machine does not matter much; every figure also stands
//! beside the cost of parsing the same Markdown once, which is the yardstick.
//!
//! Paragraphs come from `../shared/data/lessons_markdown` or `REDRAFT_DATA`;
//! without them from the repository's examples.

mod alpha;
mod asks;
mod banks;
mod clock;
mod endpoint;
mod lessons;
mod runs;

use std::hint::black_box;

use redraft_gate::check::{Check, Examination, Sink};
use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::examine::{self, Settings};
use redraft_gate::reading::{self, Hint};
use redraft_gate::source::Source;
use redraft_mermaid as mermaid;
use redraft_profiles::registry;
use redraft_run::profile::Profile;
use redraft_text::markdown;

use clock::cpu_seconds;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] => lessons(),
        ["runs"] => runs::measure(lesson_profile()?, &lessons::corpora()?),
        ["asks"] => asks::measure(&lessons::corpora()?),
        ["asks-endpoint"] => asks::serve(lesson_profile()?),
        ["asks-phase", name, address, folder] => asks::phase(
            name,
            address,
            folder.as_ref(),
            lesson_profile()?,
            &lessons::corpora()?,
        ),
        ["whole", number] => whole(number.parse()?),
        ["banks"] => banks(),
        ["alpha"] => {
            alpha::measure();
            Ok(())
        }
        ["write-bank", file, number] => {
            std::fs::write(file, banks::lines(number.parse()?)).map_err(Into::into)
        }
        _ => anyhow::bail!(
            "usage: redraft-bench [alpha | asks | banks | runs | whole NUMBER | write-bank FILE NUMBER]"
        ),
    }
}

/// Items: all checks, then each on its own, by the size of the bank.
fn banks() -> anyhow::Result<()> {
    let profile = registry::profile("clinical-mcq")
        .ok_or_else(|| anyhow::anyhow!("there is no profile for items"))?;
    for items in [1_000, 10_000, 100_000] {
        let bank = [banks::lines(items)];
        #[expect(clippy::cast_precision_loss, reason = "numbers of items")]
        let number = items as f64;
        let read = cpu_seconds(&bank, |bank| {
            black_box(parse_lines(profile, bank));
        });
        let whole = cpu_seconds(&bank, |bank| {
            black_box(examined(profile, &parse_lines(profile, bank)));
        });
        println!(
            "{items:>7} items of {} bytes: {:6.1} µs an item, {:6.0} items a CPU-second, of it reading {:.1} µs",
            bank[0].len() / items,
            whole / number * 1e6,
            number / whole,
            read / number * 1e6
        );
    }
    let bank = banks::lines(10_000);
    let mut rows: Vec<(&str, f64)> = Vec::new();
    for check in profile.checks() {
        // Each on a document of its own, so that none profits from another's work.
        let documents = [parse_lines(profile, &bank)];
        let seconds = cpu_seconds(&documents, |document| one_check(profile, check, document));
        rows.push((check.name, seconds));
    }
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (name, seconds) in rows {
        println!("    {name:<28} {:8.2} µs an item", seconds / 10_000.0 * 1e6);
    }
    banks::power();
    Ok(())
}

fn parse_lines(profile: &dyn Profile, bank: &str) -> Document {
    let raw = reading::read(Source::new(bank.as_bytes().to_vec()), Hint::JsonLines);
    profile.parse(raw, None)
}

fn lesson_profile() -> anyhow::Result<&'static dyn Profile> {
    registry::profile("lesson").ok_or_else(|| anyhow::anyhow!("there is no lesson profile"))
}

/// For a profiler: nothing but so many whole lessons of each language.
fn whole(number: usize) -> anyhow::Result<()> {
    let profile = lesson_profile()?;
    for lesson in lessons::corpora()?
        .iter()
        .flat_map(|corpus| corpus.lessons(number, 1))
    {
        black_box(check(profile, &lesson));
    }
    Ok(())
}

fn lessons() -> anyhow::Result<()> {
    let profile = lesson_profile()?;
    let corpora = lessons::corpora()?;
    for corpus in &corpora {
        let lessons = corpus.lessons(400, 1);
        let bytes: usize = lessons.iter().map(String::len).sum();
        println!(
            "{}: {} lessons of {} bytes on average",
            corpus.name,
            lessons.len(),
            bytes / lessons.len()
        );
        let yardstick = cpu_seconds(&lessons, |lesson| {
            black_box(markdown::analyse(lesson));
        });
        let whole = cpu_seconds(&lessons, |lesson| {
            black_box(check(profile, lesson));
        });
        let count = lessons_as_number(&lessons);
        println!(
            "  all checks     {:8.1} µs a lesson, {:6.0} lessons a CPU-second, {:.1} × parsing",
            whole / count * 1e6,
            count / whole,
            whole / yardstick
        );
        stages(profile, &lessons, yardstick);
        lengths(profile, corpus);
    }
    diagrams();
    runs::measure(profile, &corpora)
}

/// What a diagram costs, on average and for most of them.
fn diagrams() {
    let diagrams = lessons::diagrams();
    if diagrams.is_empty() {
        return;
    }
    let mut each: Vec<f64> = diagrams
        .iter()
        .map(|diagram| {
            cpu_seconds(std::slice::from_ref(diagram), |diagram| {
                black_box(mermaid::examine(diagram));
            }) * 1e6
        })
        .collect();
    each.sort_by(f64::total_cmp);
    let at = |percent: usize| each[(each.len() - 1) * percent / 100];
    #[expect(clippy::cast_precision_loss, reason = "a few thousand diagrams")]
    let mean = each.iter().sum::<f64>() / each.len() as f64;
    println!(
        "{} diagrams: {mean:.0} µs each, half below {:.0} µs, nine of ten below {:.0} µs",
        each.len(),
        at(50),
        at(90)
    );
}

#[expect(clippy::cast_precision_loss, reason = "a few hundred lessons")]
fn lessons_as_number(lessons: &[String]) -> f64 {
    lessons.len() as f64
}

fn parse(profile: &dyn Profile, lesson: &str) -> Document {
    let raw = reading::read(Source::new(lesson.as_bytes().to_vec()), Hint::Markdown);
    profile.parse(raw, None)
}

fn check(profile: &dyn Profile, lesson: &str) -> usize {
    examined(profile, &parse(profile, lesson))
}

fn examined(profile: &dyn Profile, document: &Document) -> usize {
    let settings = Settings {
        parameters: profile.parameters().clone(),
        ..Settings::default()
    };
    examine::examine(
        profile.checks(),
        document,
        &Companions::default(),
        &settings,
    )
    .findings
    .len()
}

/// Where the time goes: reading, then each check on documents read before.
fn stages(profile: &'static dyn Profile, lessons: &[String], yardstick: f64) {
    let count = lessons_as_number(lessons);
    let mut rows: Vec<(&str, f64)> = vec![
        ("parsing alone", yardstick),
        (
            "decoding",
            cpu_seconds(lessons, |lesson| {
                black_box(Source::new(lesson.as_bytes().to_vec()));
            }),
        ),
        (
            "finding the content",
            cpu_seconds(lessons, |lesson| {
                black_box(reading::read(
                    Source::new(lesson.as_bytes().to_vec()),
                    Hint::Markdown,
                ));
            }),
        ),
        (
            "telling the language",
            cpu_seconds(lessons, |lesson| {
                black_box(redraft_text::language::detect(lesson));
            }),
        ),
        (
            "reading, all of it",
            cpu_seconds(lessons, |lesson| {
                black_box(parse(profile, lesson));
            }),
        ),
        // Sentences are cut once for a document, by whoever asks first; below,
        // they are there already.
        (
            "reading and sentences",
            cpu_seconds(lessons, |lesson| {
                black_box(parse(profile, lesson).reading_grade());
            }),
        ),
    ];
    let documents: Vec<Document> = lessons
        .iter()
        .map(|lesson| parse(profile, lesson))
        .collect();
    for check in profile.checks() {
        rows.push((
            check.name,
            cpu_seconds(&documents, |document| one_check(profile, check, document)),
        ));
    }
    rows[6..].sort_by(|a, b| b.1.total_cmp(&a.1));
    for (name, seconds) in rows {
        println!("    {name:<28} {:8.1} µs", seconds / count * 1e6);
    }
}

fn one_check(profile: &dyn Profile, check: &'static Check, document: &Document) {
    let companions = Companions::default();
    let examination = Examination::new(check, document, &companions, profile.parameters());
    let mut findings = Vec::new();
    (check.run)(&examination, &mut Sink::new(check, document, &mut findings));
    black_box(findings);
}

/// Cost by length: ten times the text should cost ten times as much.
fn lengths(profile: &dyn Profile, corpus: &lessons::Corpus) {
    for factor in [1, 10, 100] {
        let lessons = corpus.lessons(200 / factor + 2, factor);
        let bytes: usize = lessons.iter().map(String::len).sum();
        let seconds = cpu_seconds(&lessons, |lesson| {
            black_box(check(profile, lesson));
        });
        #[expect(clippy::cast_precision_loss, reason = "megabytes at most")]
        let per_byte = seconds / bytes as f64 * 1e9;
        println!("  {factor:>3} × the length: {per_byte:6.1} ns a byte");
    }
}
