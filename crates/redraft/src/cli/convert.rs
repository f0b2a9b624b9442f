//! `redraft convert`: a question bank in another format, and what did not survive.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use redraft_banks::{Loss, PlainItem, PlainOption, Target, Written};
use redraft_gate::content::{Document, TextField};
use redraft_profiles::items::model::{self, Bank, ItemView, Key};
use redraft_report::count::counted;
use redraft_report::plain;

use super::bank::{lines_of_others, other_values};
use super::convert_losses::{self as losses, other_questions};
use super::convert_preview as preview;
use super::exit::Exit;
use super::inputs::{Choice, Inputs};
use super::options::{self, CommonOptions};
use super::output::{self, complain, shown};
use crate::files::{self, HardLinks};

#[derive(Clone, Debug, Args)]
pub struct ConvertOptions {
    /// Bank to convert; `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write the result to this file; `-` for stdout
    #[arg(long, short, value_name = "FILE", required_unless_present = "preview")]
    pub output: Option<PathBuf>,
    /// Show how the bank was read, and write nothing
    #[arg(long, conflicts_with_all = ["output", "to"])]
    pub preview: bool,
    /// Write this format [default: from the extension of the output]
    #[arg(long, value_name = "FORMAT", value_parser = ["gift", "aiken", "moodle-xml", "qti", "csv", "tsv", "json", "jsonl"])]
    pub to: Option<String>,
    /// Read this format instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = ["gift", "aiken", "moodle-xml", "qti", "csv", "tsv"])]
    pub format_in: Option<String>,
    /// Columns of a table: stem=NAME,options=FIRST..LAST,key=NAME
    #[arg(long, value_name = "COLUMNS", value_parser = options::valid_columns)]
    pub columns: Option<String>,
    /// Configuration [default: redraft.toml in this or a parent folder]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

pub(super) fn run(options: &ConvertOptions) -> anyhow::Result<Exit> {
    output::spare(options.output.as_deref(), [options.file.as_path()])?;
    let common = CommonOptions {
        format_in: options.format_in.clone(),
        columns: options.columns.clone(),
        config: options.config.clone(),
        ..CommonOptions::default()
    };
    let inspector = Inputs::read(&common, Choice::default())?.inspector()?;
    let bytes = files::content(&options.file, &inspector.config.limits())
        .with_context(|| files::cannot_read(&options.file))?;
    let document = inspector
        .parse(&options.file, bytes)
        .with_context(|| format!("cannot convert {}", shown(&options.file)))?;
    let bank = document.model::<Bank>();
    if bank.is_none() {
        bail!("{} has no multiple-choice items", shown(&options.file));
    }
    let items: Vec<PlainItem> = model::items(&document)
        .enumerate()
        .map(|(index, view)| item(&document, index, view))
        .collect();
    let Some(output) = &options.output else {
        let columns = inspector.columns.as_deref();
        let text = preview::text(&options.file, &document, &items, columns);
        output::say(&text)?;
        return Ok(Exit::Clean);
    };
    let written = redraft_banks::write(&items, target(options, output)?);
    if output.as_os_str() == "-" {
        anstream::stdout().write_all(written.text.as_bytes())?;
    } else {
        files::put(output, written.text.as_bytes(), HardLinks::Refuse)?;
    }
    tell(output, &document, &items, &written);
    if let Some(lost) = losses::columns(&document, inspector.columns.as_deref()) {
        complain(&lost);
    }
    let keyless = keyless(&document);
    if !keyless.is_empty() {
        complain(&format!(
            "no key in the bank: {} ({})",
            counted(keyless.len(), "item"),
            names(&keyless)
        ));
    }
    let others = other_questions(&document);
    let unread = losses::unread(&document).next().is_some();
    let junk = bank.map_or_else(Vec::new, |bank| lines_of_others(&document, bank));
    if let Some(trouble) = other_values(&options.file, &junk) {
        complain(&trouble);
    }
    let unsure = without_key(&document);
    if !unsure.is_empty() {
        complain(&format!(
            "lost: keys that name no option for certain, which `redraft check` shows: {} ({})",
            counted(unsure.len(), "item"),
            names(&unsure)
        ));
    }
    let is_whole = written.items == items.len()
        && others == 0
        && !unread
        && junk.is_empty()
        && unsure.is_empty();
    Ok(if !is_whole {
        Exit::GateFailed
    } else {
        Exit::Clean
    })
}

fn target(options: &ConvertOptions, output: &Path) -> anyhow::Result<Target> {
    let by_name = options.to.as_deref().and_then(Target::named);
    let ending = output.extension().and_then(|ending| ending.to_str());
    by_name
        .or_else(|| ending.and_then(Target::of_ending))
        .with_context(|| {
            format!(
                "cannot tell the format from {}; give --to FORMAT",
                shown(output)
            )
        })
}

fn item(document: &Document, index: usize, view: ItemView<'_>) -> PlainItem {
    let text = document.source().text();
    let format = document.form().bank_format();
    let weights = format.and_then(|format| redraft_banks::weights(text, format, &view.item.range));
    // Where key and flags disagree, neither is written.
    let right = match is_unsure(&view) {
        true => Vec::new(),
        false => view.right(),
    };
    let options = view
        .option_texts()
        .enumerate()
        .map(|(index, text)| PlainOption {
            text: text.to_owned(),
            is_right: right.contains(&index),
            feedback: view
                .option_explanation(index)
                .map_or_else(String::new, |field| field.text.to_string()),
            weight: weights.as_ref().and_then(|all| all.get(index).copied()),
        })
        .collect();
    let stem = joined(view.stem());
    PlainItem {
        id: view.id().to_owned(),
        is_undecided: right.len() > 1 && !view.item.wants_several && view.item.key != Key::Several,
        is_numbered: view.id() == format!("item_{}", index + 1),
        vignette: joined(view.vignette()),
        stem: match view.stem_after_gap() {
            Some(rest) => format!("{stem} _____ {}", rest.text.trim()),
            None => stem,
        },
        options,
        explanation: joined(view.explanation()),
    }
}

fn joined(fields: &[TextField]) -> String {
    let texts: Vec<&str> = fields.iter().map(|field| field.text.trim()).collect();
    texts.join("\n\n")
}

/// The items whose key says something that names no option.
fn without_key(document: &Document) -> Vec<&str> {
    let items = model::items(document).filter(is_unsure);
    items.map(|view| view.id()).collect()
}

fn is_unsure(view: &ItemView<'_>) -> bool {
    match view.item.key {
        Key::Missing => false,
        Key::One(key) => {
            let flags: Vec<usize> = view.flagged().collect();
            !flags.is_empty() && !flags.contains(&usize::from(key))
        }
        _ => view.right().is_empty(),
    }
}

/// The items of which the bank says nothing about the key.
fn keyless(document: &Document) -> Vec<&str> {
    let is_keyless = |view: &ItemView<'_>| view.item.key == Key::Missing && view.right().is_empty();
    let items = model::items(document).filter(is_keyless);
    items.map(|view| view.id()).collect()
}

/// Says how many items were written, and what of which was lost.
fn tell(output: &Path, document: &Document, items: &[PlainItem], written: &Written) {
    let mut lines = vec![format!(
        "{} of {} written to {}",
        written.items,
        counted(items.len(), "item"),
        shown(output)
    )];
    let mut lost: BTreeMap<Loss, Vec<&str>> = BTreeMap::new();
    for (id, loss) in &written.losses {
        lost.entry(*loss).or_default().push(id);
    }
    lines.extend(lost.iter().map(|(loss, ids)| {
        format!(
            "{}: {} ({})",
            in_words(*loss),
            counted(ids.len(), "item"),
            names(ids)
        )
    }));
    lines.extend(losses::of_source(document));
    for line in lines {
        complain(&line);
    }
}

/// Some names of many.
fn names(ids: &[&str]) -> String {
    const MOST: usize = 5;
    let mut names: Vec<String> = ids
        .iter()
        .take(MOST)
        .map(|id| plain::words(id).to_string())
        .collect();
    if ids.len() > MOST {
        names.push("…".to_owned());
    }
    names.join(", ")
}

fn in_words(loss: Loss) -> &'static str {
    match loss {
        Loss::Id => "lost: ids, which the format does not have",
        Loss::Feedback => "lost: feedback of options, which the format does not have",
        Loss::Explanation => "lost: explanations, which the format does not have",
        Loss::SeveralAnswers => "left out: several right answers, which the format does not have",
        Loss::NoAnswer => "left out: no right answer, which the format needs",
        Loss::LineBreaks => "changed: lines of a text are joined",
        Loss::Vignette => "changed: the case was put before the question",
        Loss::TooManyOptions => "left out: more than 26 options",
        Loss::Undecided => {
            "left out: several answers are marked as right where one is to be chosen"
        }
        Loss::Ambiguous => {
            "left out: a line would be read as an option or an answer, or an option is empty"
        }
        Loss::Controls => "lost: control characters, which XML does not have",
        Loss::Weights => "lost: weights and points for a part of the answer",
    }
}
