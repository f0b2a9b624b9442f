//! Inspecting a file: chooses the profile and the settings by its path, then runs
//! the pipeline of `redraft_gate::inspect`. Opens no files.

use std::path::Path;
use std::sync::Arc;

use redraft_banks::{BankFormat, ColumnChoice, ColumnError};
use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::edit::EditError;
use redraft_gate::examine::Settings;
use redraft_gate::field_map::FieldMap;
use redraft_gate::finding::Finding;
use redraft_gate::fix::{self, Fixed, Inspected};
use redraft_gate::format::{self, Format};
use redraft_gate::inspect::{Inspect as _, Reader};
use redraft_gate::policy::{Parameters, Value};
use redraft_gate::profile::ProfileId;
use redraft_gate::reading::{self, Form, FormKind, Hint, Raw, Shapes};
use redraft_gate::silence::{IgnoreComments, Unheeded};
use redraft_gate::source::Source;
use redraft_profiles::items::{self, Fragment};
use redraft_profiles::registry;
use redraft_report::item_path;
use redraft_run::profile::Profile;
use redraft_text::encoding::Encoding;
use thiserror::Error;

use crate::baseline::Baseline;
use crate::config::{Config, ConfiguredShape};
use crate::fix_choice::FixChoice;

/// Why a file cannot be examined at all.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unreadable {
    #[error("not a text file; redraft reads {READABLE}")]
    Binary,
    #[error("this seems to be {}; redraft reads {READABLE}", .0.0)]
    Format(Format),
    #[error("this seems to be {}; redraft reads {READABLE}. If it is a lesson, say so with --profile lesson", .0.0)]
    Text(Format),
    #[error("unknown kind of JSON ({}); redraft reads {READABLE}. If it is one of these, name its kind with --profile; of JSON of your own shape, `redraft init --from FILE` proposes a map", .0.0)]
    UnknownKind(Format),
    #[error(
        "the configuration says that this file has the shape `{0}`, but it has nothing at `{1}`"
    )]
    Shape(String, String),
    #[error("{0}")]
    Columns(ColumnError),
    #[error("no content of the profile {0} found; leave out --profile to detect the kind")]
    NoContent(ProfileId),
}

/// What is readable, in errors.
const READABLE: &str = "Markdown, JSON with a lesson, cards or items, and question banks in GIFT, Aiken, Moodle XML, QTI (also in zip and imscc packages), CSV, TSV or XLSX";

impl Unreadable {
    /// The reason in a list of files that were not read.
    #[must_use]
    pub fn in_short(&self) -> String {
        match self {
            Self::Binary => "not a text file".to_owned(),
            Self::Format(format) | Self::Text(format) => {
                format!("{}, which redraft does not read", format.0)
            }
            Self::UnknownKind(format) => {
                format!("not a lesson, cards or items: {}", format.0)
            }
            Self::Shape(name, path) => format!("not of the shape {name}: nothing at {path}"),
            Self::Columns(_) => "a table without columns for a question and two options".to_owned(),
            Self::NoContent(profile) => format!("no content of the profile {profile} found"),
        }
    }
}

/// Content with its profile, and the map that it was read by.
type Read = (&'static dyn Profile, Raw, Option<Arc<FieldMap>>);

/// Inspects files under the configuration and the options of a command.
#[derive(Debug)]
pub struct Inspector {
    pub config: Config,
    pub companions: Arc<Companions>,
    /// The profile that the user named.
    pub profile: Option<&'static dyn Profile>,
    /// The format of a question bank that the user named.
    pub format_in: Option<BankFormat>,
    /// What the user says about the columns of a table.
    pub columns: Option<Arc<ColumnChoice>>,
    /// Findings that are known.
    pub baseline: Baseline,
    /// Whether comments in the text silence findings; only `check` may honour them.
    pub ignore_comments: IgnoreComments,
    /// What keys that are numbers count from, if the user or their bank says.
    pub index_base: Option<u8>,
}

/// A file that was inspected.
#[derive(Debug)]
pub struct FileInspection {
    pub profile: &'static dyn Profile,
    pub inspected: Inspected,
    /// Findings that ignore comments silenced, with the reasons.
    pub silenced: Vec<(Finding, String)>,
    /// Findings that the baseline lists.
    pub known: Vec<Finding>,
    /// Ignore comments that do not count.
    pub unheeded: Vec<Unheeded>,
    /// Inspects other versions of the same file.
    pub reader: Reader,
}

impl FileInspection {
    /// The check parameters that apply to the file.
    #[must_use]
    pub fn parameters(&self) -> &Parameters {
        &self.reader.settings.parameters
    }

    /// Applies the fixes that were chosen.
    ///
    /// # Errors
    /// When edits do not fit their document, which is an internal error.
    pub fn fix(self, choice: &FixChoice) -> Result<Fixed, EditError> {
        let inspect = |bytes, form| self.reader.inspect_as(bytes, form);
        if *choice == FixChoice::default() {
            return fix::fix(self.inspected, inspect);
        }
        let mut fixed = fix::fix(choice.first(self.inspected), |bytes, form| {
            choice.later(inspect(bytes, form))
        })?;
        let document = &fixed.inspected.document;
        fixed.inspected = inspect(document.source().bytes().to_vec(), document.form());
        Ok(fixed)
    }
}

impl Inspector {
    /// # Errors
    /// When the file is not text, or JSON of an unknown kind.
    pub fn inspect(&self, path: &Path, bytes: Vec<u8>) -> Result<FileInspection, Unreadable> {
        let (profile, raw, map) = self.read(path, bytes)?;
        // Every later version is read as what the first one was (ruling 45).
        let hint = decided(path, &raw);
        let mut reader = Reader {
            hint,
            ..self.reader(path, profile)
        };
        reader.settings.field_map = map;
        let inspection = reader.inspect_raw(raw);
        Ok(FileInspection {
            profile,
            inspected: inspection.inspected,
            silenced: inspection.silenced,
            known: inspection.known,
            unheeded: inspection.unheeded,
            reader,
        })
    }

    /// Parses a file without examining it.
    ///
    /// # Errors
    /// When the file is not text, or JSON of an unknown kind.
    pub fn parse(&self, path: &Path, bytes: Vec<u8>) -> Result<Document, Unreadable> {
        self.parse_as(path, bytes).map(|(_, document)| document)
    }

    /// Parses a file without examining it, and tells the profile.
    ///
    /// # Errors
    /// When the file is not text, or JSON of an unknown kind.
    pub fn parse_as(
        &self,
        path: &Path,
        bytes: Vec<u8>,
    ) -> Result<(&'static dyn Profile, Document), Unreadable> {
        let (profile, raw, _) = self.read(path, bytes)?;
        Ok((profile, self.reader(path, profile).parse(raw)))
    }

    /// The profile is the one that the user named, else the one that the
    /// configuration gives for the path, else the one that recognises the content. A
    /// text of another format is read only if the user says on the command line what it
    /// is; a configuration speaks of many files.
    fn read(&self, path: &Path, bytes: Vec<u8>) -> Result<Read, Unreadable> {
        if let Some(format) = format::of_bytes(&bytes) {
            return Err(Unreadable::Format(format));
        }
        let source = Source::new(bytes);
        if source.encoding() == Encoding::Binary {
            return Err(Unreadable::Binary);
        }
        let raw = self.read_source(path, source)?;
        let (raw, map) = self.in_our_names(path, raw)?;
        let named = self
            .profile
            .or_else(|| self.config.profile_for(file_of(path)));
        if let Some(profile) = named {
            // That a text is empty is a finding, and one that is still to be written is.
            let is_empty = raw.source.text().trim().is_empty();
            if !is_empty && !profile.has_content(&raw) {
                return Err(Unreadable::NoContent(profile.id()));
            }
            return Ok((profile, raw, map));
        }
        match registry::recognise(&raw) {
            Some(profile) => Ok((profile, raw, map)),
            None => Err(Unreadable::UnknownKind(json_kind(&raw))),
        }
    }

    /// Finds the content. What the name or the text shows to be a question bank is read as
    /// one; another format is not read.
    fn read_source(&self, path: &Path, source: Source) -> Result<Raw, Unreadable> {
        let by_name = format::of_name(&extension(path));
        // That a bank is empty is a finding, as it is of a lesson.
        if format::may_be_bank(&extension(path)) && source.text().trim().is_empty() {
            return Ok(reading::read_with(source, Hint::Markdown, &self.shapes()));
        }
        if let Some(bank) = self.bank_format(path, source.text()) {
            if bank == BankFormat::Table {
                redraft_banks::columns(source.text(), self.columns.as_deref())
                    .map_err(Unreadable::Columns)?;
            }
            return Ok(self.read_bank(path, source, bank));
        }
        if let Some(format) = by_name.filter(|_| !is_json(source.text())) {
            return Err(Unreadable::Format(format));
        }
        let raw = reading::read_with(source, hint(path), &self.shapes());
        if self.profile.is_some_and(|profile| !profile.reads_banks()) {
            return Ok(raw);
        }
        let Some(format) = other_format(&raw) else {
            return Ok(raw);
        };
        match redraft_banks::detect(raw.source.text()) {
            Some(bank) => Ok(self.read_bank(path, raw.source, bank.format)),
            // What is wrong with it is said at its place.
            None if format.0 == "Aiken"
                && redraft_banks::cut(raw.source.text(), BankFormat::Aiken).is_some() =>
            {
                Ok(self.read_bank(path, raw.source, BankFormat::Aiken))
            }
            // An export of Anki is a table, whatever its columns hold.
            None if format::is_anki(raw.source.text()) => {
                let columns = redraft_banks::columns(raw.source.text(), None);
                Err(columns.map_or_else(Unreadable::Columns, |_| Unreadable::Text(format)))
            }
            None if self.profile.is_some() => Ok(raw),
            None => Err(Unreadable::Text(format)),
        }
    }

    fn shapes(&self) -> Shapes {
        Shapes {
            columns: self.columns.clone(),
            ..registry::shapes()
        }
    }

    fn read_bank(&self, path: &Path, source: Source, format: BankFormat) -> Raw {
        let hint = match item_of(path) {
            Some(_) => Hint::Question(format),
            None => Hint::Bank(format),
        };
        reading::read_with(source, hint, &self.shapes())
    }

    /// The format of a bank: as the user says, else the one that the ending of the file
    /// name speaks of, if the text is one, else what the text shows. A table may be one whose
    /// columns do not show it.
    fn bank_format(&self, path: &Path, text: &str) -> Option<BankFormat> {
        if self.format_in.is_some() {
            return self.format_in;
        }
        let shown = || redraft_banks::detect(text).map(|bank| bank.format);
        let named: &[BankFormat] = match extension(path).to_lowercase().as_str() {
            "gift" => &[BankFormat::Gift],
            "aiken" => &[BankFormat::Aiken],
            "xml" | "qti" => &[BankFormat::MoodleXml, BankFormat::Qti],
            "zip" | "imscc" => &[BankFormat::Qti],
            "csv" | "tsv" | "tab" | "xlsx" => &[BankFormat::Table],
            // Columns are named of tables only.
            _ if self.columns.is_some() => return Some(BankFormat::Table),
            // A question alone shows less than its bank, but it is one.
            "txt" | "text" | "" if item_of(path).is_some() => return shown(),
            // Neither JSON nor what a model wrote around it.
            "json" | "jsonl"
                if !text.contains("\":") && !text.trim_start().starts_with(['{', '[']) =>
            {
                return shown();
            }
            _ => return None,
        };
        let is_certain = |format: &BankFormat| match format {
            BankFormat::Table => {
                self.columns.is_some() || redraft_banks::columns(text, None).is_ok()
            }
            format => redraft_banks::cut(text, *format).is_some_and(|bank| bank.is_certain()),
        };
        let may_be = |format: &BankFormat| {
            *format == BankFormat::Table || redraft_banks::cut(text, *format).is_some()
        };
        let named = |is_it: &dyn Fn(&BankFormat) -> bool| named.iter().copied().find(is_it);
        let certain = named(&is_certain).or_else(shown);
        // JSON under the name of another format is read as what it is.
        certain.or_else(|| named(&may_be).filter(|_| !is_json(text)))
    }

    /// Content of the user's own shape under our names, and the map. A file that the
    /// configuration claims must fit; what is of a known kind is read as that.
    fn in_our_names(
        &self,
        path: &Path,
        raw: Raw,
    ) -> Result<(Raw, Option<Arc<FieldMap>>), Unreadable> {
        let Some(map) = self.field_map(path, &raw) else {
            return Ok((raw, None));
        };
        match raw.mapped(&map) {
            Ok(raw) => Ok((raw, Some(map))),
            Err(unfit) => Err(Unreadable::Shape(map.name.clone(), unfit.path)),
        }
    }

    fn field_map(&self, path: &Path, raw: &Raw) -> Option<Arc<FieldMap>> {
        let of = |shape: &ConfiguredShape| match item_of(path) {
            Some(_) => Arc::new(shape.map.for_item()),
            None => Arc::clone(&shape.map),
        };
        let shapes = self.config.shapes();
        let file = self.config.relative(file_of(path));
        if let Some(shape) = shapes.iter().find(|shape| shape.claims(&file)) {
            return Some(of(shape));
        }
        let is_unknown =
            !matches!(raw.form, Form::Markdown(_)) && registry::recognise(raw).is_none();
        let open = shapes
            .iter()
            .filter(|shape| is_unknown && shape.is_for_any());
        open.map(of).find(|map| raw.fits(map))
    }

    fn reader(&self, path: &Path, profile: &'static dyn Profile) -> Reader {
        let mut settings = self.config.settings_for(file_of(path), profile);
        if let Some(base) = self.index_base {
            let base = Value::Number(f64::from(base));
            let parameters = &mut settings.parameters;
            parameters.set("ambiguous-answer-index", "index-base", base);
        }
        Reader {
            profile,
            settings: Settings {
                known_checks: registry::all_checks(),
                shapes: self.shapes(),
                ignore_comments: self.ignore_comments,
                known: Arc::new(self.baseline.of_file(&path_text(file_of(path)))),
                component_prefix: item_of(path).map_or_else(String::new, |item| format!("{item}/")),
                ..settings
            },
            companions: Arc::clone(&self.companions),
            hint: hint(path),
        }
    }
}

/// The file that a path belongs to: `bank.jsonl` for its item `bank.jsonl#item_3`.
#[must_use]
pub fn file_of(path: &Path) -> &Path {
    path.to_str()
        .map_or(path, |text| Path::new(item_path::file(text)))
}

/// How later versions of a file are read. A file without content decides nothing:
/// what is written into it may be anything.
fn decided(path: &Path, raw: &Raw) -> Hint {
    match raw.kind {
        FormKind::NoJson => hint(path),
        _ if raw.source.text().trim().is_empty() => hint(path),
        kind => Hint::Decided(kind),
    }
}

/// The id of the item that a path names: `item_3` of `bank.jsonl#item_3`.
fn item_of(path: &Path) -> Option<&str> {
    item_path::item(path.to_str()?)
}

fn hint(path: &Path) -> Hint {
    // An item is one JSON object, whatever its bank is.
    if file_of(path) != path {
        return Hint::Json;
    }
    Hint::from_extension(&extension(path))
}

fn extension(path: &Path) -> String {
    let extension = file_of(path).extension().and_then(|name| name.to_str());
    extension.unwrap_or_default().to_owned()
}

/// What a text seems to be that would be read as Markdown.
/// Whether a text is a JSON object or list, whatever its name.
fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
        && text.contains("\":")
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

fn other_format(raw: &Raw) -> Option<Format> {
    let is_content = !matches!(raw.form, Form::Markdown(_)) || !raw.recovered.is_empty();
    if is_content {
        return None;
    }
    format::of_text(raw.source.text())
}

fn json_kind(raw: &Raw) -> Format {
    match items::fragment(raw) {
        Some(Fragment::Question(field)) => {
            return Format(format!(
                "a question in `{field}`, but no options under a known name such as `options`, `choices` or `A`, `B`, `C`"
            ));
        }
        Some(Fragment::Options(field)) => {
            return Format(format!(
                "options in `{field}`, but no question under a known name such as `question` or `stem`"
            ));
        }
        None => {}
    }
    match &raw.form {
        Form::Json(json) => format::of_json(json),
        Form::JsonLines(values) => values.first().map_or_else(
            || Format("no values".to_owned()),
            |first| {
                let Format(first) = format::of_json(&first);
                Format(format!("lines that begin with {first}"))
            },
        ),
        Form::Markdown(_) => Format("no JSON".to_owned()),
    }
}

/// A path as it is shown and kept in baselines: with forward slashes, without a
/// leading `./`.
#[must_use]
pub fn path_text(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    text.strip_prefix("./").map_or(text.clone(), str::to_owned)
}
