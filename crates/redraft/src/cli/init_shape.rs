//! `redraft init --from FILE`: proposes a map for JSON of an unknown shape, and puts it into
//! `redraft.toml`. What the fields seem to be is decided in `redraft_gate::field_map`.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Component, Path};

use anyhow::{Context as _, bail};
use redraft_gate::field_map::{self, Proposal};
use redraft_gate::reading::{self, Form, FormKind, Hint, Raw};
use redraft_gate::source::Source;
use redraft_profiles::items::model;
use redraft_report::count::counted;

use super::exit::Exit;
use super::init::InitOptions;
use super::inputs::{Choice, Inputs};
use super::options::CommonOptions;
use super::output::{complain, shown};
use crate::config::{Config, FILE_NAME};
use crate::files::{self, HardLinks};
use crate::inspection::{Unreadable, path_text};

pub(super) fn run(options: &InitOptions, file: &Path) -> anyhow::Result<Exit> {
    let inspector = Inputs::read(&CommonOptions::default(), Choice::default())?.inspector()?;
    let bytes = files::content(file, &inspector.config.limits())
        .with_context(|| files::cannot_read(file))?;
    match inspector.parse_as(file, bytes.clone()) {
        // JSON without a shape is read as plain text, if nothing else; that is no shape.
        Ok((_, document)) if is_json(file) && document.form() == FormKind::Markdown => {}
        Ok((profile, _)) => {
            complain(&format!(
                "{} needs no map: it is read as {}; check it with `redraft check`",
                shown(file),
                profile.id()
            ));
            return Ok(Exit::Clean);
        }
        Err(Unreadable::UnknownKind(_) | Unreadable::Shape(..)) => {}
        Err(other) => bail!("{}: {other}", shown(file)),
    }
    let Some(proposal) = field_map::propose(&values(bytes)) else {
        bail!(
            "{}: no list of items (a question with options) or sections (a title with a text) found; write the map yourself, see docs/formats.md",
            shown(file)
        );
    };
    let name = shape_name(file);
    let section = section(&name, file, &proposal);
    if options.print {
        anstream::stdout().write_all(section.as_bytes())?;
        return Ok(Exit::Clean);
    }
    add(&name, &section)?;
    tell(file, &name, &proposal)?;
    Ok(Exit::Clean)
}

fn is_json(file: &Path) -> bool {
    let ending = file.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ["json", "jsonl"].contains(&ending.to_ascii_lowercase().as_str()))
}

/// The JSON values of a file.
fn values(bytes: Vec<u8>) -> Vec<redraft_text::json::Json> {
    const ENOUGH: usize = 50;
    let source = Source::new(bytes);
    let read = |hint| -> Raw { reading::read(source.clone(), hint) };
    let form = match read(Hint::Json).form {
        Form::Markdown(_) => read(Hint::JsonLines).form,
        form => form,
    };
    match form {
        Form::Json(json) => vec![json],
        Form::JsonLines(values) => values.iter().take(ENOUGH).collect(),
        Form::Markdown(_) => Vec::new(),
    }
}

/// The name of the shape: that of the file, as far as TOML allows it.
fn shape_name(file: &Path) -> String {
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    let name: String = stem
        .unwrap_or_default()
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '-'
            }
        })
        .collect();
    match name.trim_matches('-') {
        "" => "ours".to_owned(),
        name => name.to_owned(),
    }
}

fn section(name: &str, file: &Path, proposal: &Proposal) -> String {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let mut out = format!("[shapes.{name}]\n");
    // A path that leads elsewhere is not relative to the configuration.
    let is_below = file
        .components()
        .all(|step| matches!(step, Component::Normal(_) | Component::CurDir));
    if is_below {
        let escaped: String = path_text(file)
            .chars()
            .map(|c| match c {
                '*' | '?' | '[' | ']' | '{' | '}' => format!("[{c}]"),
                c => c.to_string(),
            })
            .collect();
        let _ = writeln!(out, "files = [{}]", quoted(&escaped));
    }
    for (key, path) in &proposal.paths {
        let _ = writeln!(out, "{key} = {}", quoted(path));
    }
    out
}

/// Puts the section into `redraft.toml`, which is created if it does not exist.
fn add(name: &str, section: &str) -> anyhow::Result<()> {
    let path = Path::new(FILE_NAME);
    let old = match fs::read_to_string(path) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(error).context(format!("cannot read {FILE_NAME}")),
    };
    let before = old.clone().unwrap_or_default();
    let has_it = before
        .parse::<toml::Table>()
        .ok()
        .and_then(|table| table.get("shapes")?.get(name).cloned())
        .is_some();
    if has_it {
        bail!(
            "{FILE_NAME} has [shapes.{name}] already; print the proposal with --print and compare"
        );
    }
    let gap = match before.as_str() {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let new = format!("{before}{gap}{section}");
    Config::parse(&new, path).context("internal error, please report it: the map is not valid")?;
    match old {
        Some(old) => files::replace(path, old.as_bytes(), new.as_bytes(), HardLinks::Refuse),
        None => files::put(path, new.as_bytes(), HardLinks::Refuse),
    }
}

/// Reads the file by the new map and says what it gives.
fn tell(file: &Path, name: &str, proposal: &Proposal) -> anyhow::Result<()> {
    let inspector = Inputs::read(&CommonOptions::default(), Choice::default())?.inspector()?;
    let bytes = files::content(file, &inspector.config.limits())?;
    let (profile, document) = inspector
        .parse_as(file, bytes)
        .with_context(|| format!("the map in [shapes.{name}] does not fit the file; correct it"))?;
    let is_lesson = proposal.paths.iter().any(|(key, _)| *key == "sections");
    let what = if is_lesson {
        counted(proposal.entries, "section")
    } else {
        let items: Vec<_> = model::items(&document).collect();
        let keys = items.iter().filter(|item| item.correct().is_some()).count();
        format!("{}, {keys} with a key", counted(items.len(), "item"))
    };
    complain(&format!(
        "added [shapes.{name}] to {FILE_NAME}: {} is read as {} ({what}). Review the paths, then run `redraft check {}`",
        shown(file),
        profile.id(),
        shown(file)
    ));
    Ok(())
}
