//! Lessons put together from paragraphs of real ones.

use std::fs;
use std::path::{Path, PathBuf};

/// The paragraphs of one language.
pub(crate) struct Corpus {
    pub(crate) name: String,
    paragraphs: Vec<String>,
}

/// The corpora at hand: English and Russian lessons without diagrams, else the
/// repository's examples.
pub(crate) fn corpora() -> anyhow::Result<Vec<Corpus>> {
    let Ok(lines) = fs::read_to_string(data().join("lessons_markdown/lessons.jsonl")) else {
        println!("no reference data; paragraphs come from the examples");
        let text = fs::read_to_string(root().join("examples/photosynthesis.md"))?;
        return Ok(vec![Corpus {
            name: "examples".to_owned(),
            paragraphs: paragraphs(&text),
        }]);
    };
    let mut corpora: Vec<Corpus> = Vec::new();
    for line in lines.lines() {
        let lesson: serde_json::Value = serde_json::from_str(line)?;
        let language = lesson["lang"].as_str().unwrap_or_default();
        if !["en", "ru"].contains(&language) {
            continue;
        }
        let found = paragraphs(lesson["text"].as_str().unwrap_or_default());
        match corpora.iter_mut().find(|corpus| corpus.name == language) {
            Some(corpus) => corpus.paragraphs.extend(found),
            None => corpora.push(Corpus {
                name: language.to_owned(),
                paragraphs: found,
            }),
        }
    }
    Ok(corpora)
}

/// Different diagrams of the reference data; none without it.
pub(crate) fn diagrams() -> Vec<String> {
    let lines = fs::read_to_string(data().join("mermaid/dev.jsonl")).unwrap_or_default();
    let mut diagrams: Vec<String> = lines
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|diagram| diagram["text"].as_str().map(str::to_owned))
        .collect();
    diagrams.sort_unstable();
    diagrams.dedup();
    diagrams
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn data() -> PathBuf {
    std::env::var_os("REDRAFT_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from)
}

/// Blocks between blank lines, fences kept whole; diagrams, front matter and
/// headings left out.
fn paragraphs(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n");
    let body = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
        .map_or(text.as_str(), |(_, body)| body);
    let mut blocks: Vec<String> = Vec::new();
    let mut block = String::new();
    let mut in_fence = false;
    for line in body.lines() {
        in_fence ^= line.trim_start().starts_with("```");
        if line.trim().is_empty() && !in_fence {
            blocks.push(std::mem::take(&mut block));
        } else {
            block.push_str(line);
            block.push('\n');
        }
    }
    blocks.push(block);
    blocks.retain(|block| {
        block.len() > 40 && !block.starts_with('#') && !block.contains("```mermaid")
    });
    blocks
}

impl Corpus {
    /// Lessons of 8 to 9 KB times a factor, drawn in a fixed order.
    pub(crate) fn lessons(&self, number: usize, factor: usize) -> Vec<String> {
        let mut state: u64 = 0x5eed;
        let mut draw = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap_or_default() % below.max(1)
        };
        (0..number)
            .map(|_| {
                let mut lesson = String::from("# A lesson\n\n");
                let mut section = 0;
                while lesson.len() < 8_300 * factor {
                    if lesson.len() > section * 1_400 {
                        section += 1;
                        lesson.push_str(&format!("## Section {section}\n\n"));
                    }
                    lesson.push_str(&self.paragraphs[draw(self.paragraphs.len())]);
                    lesson.push('\n');
                }
                lesson
            })
            .collect()
    }
}
