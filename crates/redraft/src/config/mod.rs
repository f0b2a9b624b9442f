//! `redraft.toml`: which checks, which figures, which files, which models.
//!
//! The file's shape is declared once, in [`file`] and [`models`]; the JSON
//! Schema, the reference page and the search for misspelt keys are made from it.
//! What the model's part comes to is worked out in [`crate::models`].

mod file;
mod institution;
mod keys;
mod kinds;
mod lines;
mod models;
mod secret;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::bail;
use globset::{Glob, GlobSet, GlobSetBuilder};
use redraft_gate::check::Check;
use redraft_gate::examine::{ComponentRule, Settings};
use redraft_gate::finding::Severity;
use redraft_gate::policy::{Parameters, Value};
use redraft_profiles::registry;
use redraft_run::profile::Profile;
use redraft_text::language::Language;
use toml::de::DeTable;

use lines::{below, misfit, unreadable};

pub use file::{ConfigFile, InstitutionSection, OverrideSection, ParameterValue, SeverityName};
pub use institution::Institution;
pub use keys::nearest;
pub use lines::{Complaint, Lines};
pub use models::{
    ApiName, LimitsSection, ModelSection, ProviderSection, RoleSection, StructuredName,
};

/// The name that is looked for.
pub const FILE_NAME: &str = "redraft.toml";

/// A configuration in force.
#[derive(Debug, Default)]
pub struct Config {
    /// The folder that its paths are relative to.
    root: PathBuf,
    file: ConfigFile,
    lines: Lines,
    exclude: GlobSet,
    include: Option<GlobSet>,
    overrides: Vec<GlobSet>,
    parameters: Parameters,
    institution: Institution,
}

impl Config {
    /// The configuration file in force: the one named by the user, else the first
    /// `redraft.toml` in a folder or above it.
    #[must_use]
    pub fn path(named: Option<&Path>, folder: &Path) -> Option<PathBuf> {
        named.map(Path::to_owned).or_else(|| {
            folder
                .ancestors()
                .map(|folder| folder.join(FILE_NAME))
                .find(|path| path.is_file())
        })
    }

    /// Reads a configuration; paths in it are relative to `root`.
    ///
    /// # Errors
    /// When it is no TOML, or says something we do not understand.
    pub fn parse(text: &str, root: PathBuf) -> anyhow::Result<Self> {
        let table = DeTable::parse(text).map_err(|error| unreadable(text, &error))?;
        let lines = Lines::of(text, table.get_ref());
        keys::check(table.get_ref(), &lines)?;
        let file: ConfigFile = toml::from_str(text).map_err(|error| misfit(text, &error))?;
        for (path, name) in named_checks(&file) {
            known_checks(name).map_err(|error| lines.complain(&path, error.to_string()))?;
        }
        crate::models::check(&file, &lines)?;
        let parameters = parameters(&file, &lines)?;
        let institution = Institution::of(&file.institution, &lines)?;
        let overrides = file
            .overrides
            .iter()
            .enumerate()
            .map(|(index, section)| {
                globs(&section.paths, &format!("override[{index}].paths"), &lines)
            })
            .collect::<Result<_, Complaint>>()?;
        if let Some(tag) = &file.language
            && Language::parse(tag).is_none()
        {
            let message = format!("`{tag}` is no language; write a tag such as en, ru or zh-CN");
            return Err(lines.complain("language", message).into());
        }
        if let Some(profile) = &file.profile {
            known_profile(profile).map_err(|error| lines.complain("profile", error.to_string()))?;
        }
        Ok(Self {
            exclude: globs(&file.files.exclude, "files.exclude", &lines)?,
            include: file
                .files
                .include
                .as_ref()
                .map(|include| globs(include, "files.include", &lines))
                .transpose()?,
            root,
            overrides,
            parameters,
            institution,
            lines,
            file,
        })
    }

    /// Lays choices of the command line over the file's.
    ///
    /// # Errors
    /// When a check does not exist.
    pub fn choose(&mut self, select: &[String], ignore: &[String]) -> anyhow::Result<()> {
        for name in select.iter().chain(ignore) {
            known_checks(name)?;
        }
        if !select.is_empty() {
            self.file.select = select.to_vec();
        }
        self.file.ignore.extend_from_slice(ignore);
        Ok(())
    }

    /// The language that the file names.
    #[must_use]
    pub fn language(&self) -> Option<&str> {
        self.file.language.as_deref()
    }

    /// The languages for which models are chosen otherwise.
    #[must_use]
    pub fn languages(&self) -> Vec<Language> {
        let tags: BTreeSet<&String> = self
            .file
            .roles
            .values()
            .flat_map(|role| role.language.keys())
            .collect();
        tags.into_iter()
            .filter_map(|tag| Language::parse(tag))
            .collect()
    }

    /// The file as it was read.
    #[must_use]
    pub fn file(&self) -> &ConfigFile {
        &self.file
    }

    /// What the institution asks of items.
    #[must_use]
    pub fn institution(&self) -> &Institution {
        &self.institution
    }

    /// Where its keys stand.
    #[must_use]
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// A path that the file names, seen from here.
    #[must_use]
    pub fn beside(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// The baseline that the file names.
    #[must_use]
    pub fn baseline(&self) -> Option<PathBuf> {
        self.file.baseline.as_ref().map(|path| self.root.join(path))
    }

    /// Whether a file found in a folder is to be left out.
    #[must_use]
    pub fn excludes(&self, path: &Path) -> bool {
        let path = self.relative(path);
        self.exclude.is_match(&path)
            || self
                .include
                .as_ref()
                .is_some_and(|include| !include.is_match(&path))
    }

    /// The profile that the configuration names for a file.
    #[must_use]
    pub fn profile_for(&self, path: &Path) -> Option<&'static dyn Profile> {
        let of_path = self
            .overrides_for(path)
            .filter_map(|section| section.profile.as_deref())
            .next_back();
        registry::profile(of_path.or(self.file.profile.as_deref())?)
    }

    /// The settings for a file of a profile.
    #[must_use]
    pub fn settings_for(&self, path: &Path, profile: &dyn Profile) -> Settings {
        let mut settings = Settings {
            parameters: profile.parameters().clone(),
            severities: severities(&self.file.severity),
            ..Settings::default()
        };
        settings.parameters.overlay(&self.parameters);
        let selects_all = self.file.select.is_empty();
        for check in profile.checks() {
            let selected = selects_all || self.file.select.iter().any(|name| names(name, check));
            let ignored = self.file.ignore.iter().any(|name| names(name, check));
            if !selected || ignored {
                settings.disabled.insert(check.code.to_owned());
            }
        }
        for section in self.overrides_for(path) {
            let disabled: BTreeSet<String> = profile
                .checks()
                .iter()
                .filter(|check| section.ignore.iter().any(|name| names(name, check)))
                .map(|check| check.code.to_owned())
                .collect();
            let severities = severities(&section.severity);
            if section.components.is_empty() {
                settings.disabled.extend(disabled);
                settings.severities.extend(severities);
            } else {
                settings
                    .components
                    .extend(section.components.iter().map(|pattern| ComponentRule {
                        pattern: pattern.clone(),
                        disabled: disabled.clone(),
                        severities: severities.clone(),
                    }));
            }
        }
        settings
    }

    fn overrides_for(&self, path: &Path) -> impl DoubleEndedIterator<Item = &OverrideSection> {
        let path = self.relative(path);
        self.file
            .overrides
            .iter()
            .zip(&self.overrides)
            .filter(move |(section, globs)| section.paths.is_empty() || globs.is_match(&path))
            .map(|(section, _)| section)
    }

    /// A path as the configuration's globs see it.
    fn relative(&self, path: &Path) -> PathBuf {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        // The parent of a bare file name is the empty path, which means here.
        let root = std::path::absolute(Path::new(".").join(&self.root)).unwrap_or_default();
        absolute
            .strip_prefix(&root)
            .map_or_else(|_| path.to_owned(), Path::to_owned)
    }
}

/// Whether a code, name, prefix or `all` means a check.
fn names(name: &str, check: &Check) -> bool {
    let is_prefix = !name.is_empty()
        && check.code.len() >= name.len()
        && check.code.is_char_boundary(name.len())
        && check.code[..name.len()].eq_ignore_ascii_case(name);
    name.eq_ignore_ascii_case("all") || name == check.name || is_prefix
}

/// The checks that a file names, with the path of each name.
fn named_checks(file: &ConfigFile) -> Vec<(String, &str)> {
    let mut named = Vec::new();
    fn keys<'f>(
        named: &mut Vec<(String, &'f str)>,
        path: &str,
        section: &'f BTreeMap<String, SeverityName>,
    ) {
        named.extend(
            section
                .keys()
                .map(|name| (below(path, name), name.as_str())),
        );
    }
    fn list<'f>(named: &mut Vec<(String, &'f str)>, path: &str, list: &'f [String]) {
        let numbered = list.iter().enumerate();
        named.extend(numbered.map(|(index, name)| (format!("{path}[{index}]"), name.as_str())));
    }
    keys(&mut named, "severity", &file.severity);
    list(&mut named, "ignore", &file.ignore);
    list(&mut named, "select", &file.select);
    for (index, section) in file.overrides.iter().enumerate() {
        keys(
            &mut named,
            &format!("override[{index}].severity"),
            &section.severity,
        );
        list(
            &mut named,
            &format!("override[{index}].ignore"),
            &section.ignore,
        );
    }
    named
}

fn known_checks(name: &str) -> anyhow::Result<()> {
    let checks = registry::all_checks();
    if checks.iter().any(|check| names(name, check)) {
        return Ok(());
    }
    let known = checks.iter().flat_map(|check| [check.code, check.name]);
    match nearest(name, known) {
        Some(near) => bail!("there is no check `{name}`; did you mean `{near}`?"),
        None => bail!("there is no check `{name}`; `redraft explain` lists them"),
    }
}

fn known_profile(name: &str) -> anyhow::Result<()> {
    if registry::profile(name).is_some() {
        return Ok(());
    }
    let known: Vec<&str> = registry::PROFILES
        .iter()
        .map(|profile| profile.id().0)
        .collect();
    bail!(
        "there is no profile `{name}`; there are {}",
        known.join(", ")
    )
}

fn severities(section: &BTreeMap<String, SeverityName>) -> BTreeMap<String, Severity> {
    let checks = registry::all_checks();
    let mut severities = BTreeMap::new();
    for (name, severity) in section {
        for check in checks.iter().filter(|check| names(name, check)) {
            severities.insert(check.code.to_owned(), Severity::from(*severity));
        }
    }
    severities
}

fn parameters(file: &ConfigFile, lines: &Lines) -> Result<Parameters, Complaint> {
    let mut parameters = Parameters::default();
    for (name, values) in &file.checks {
        let path = below("checks", name);
        known_checks(name).map_err(|error| lines.complain(&path, error.to_string()))?;
        let Some(check) = registry::find_check(name) else {
            return Err(lines.complain(&path, format!("[checks.{name}]: name a single check")));
        };
        for (parameter, value) in values {
            let path = below(&path, parameter);
            let declared = check.parameters.iter().map(|parameter| parameter.name);
            if !declared.clone().any(|known| known == parameter) {
                let hint = nearest(parameter, declared.clone())
                    .map(|near| format!("; did you mean `{near}`?"))
                    .unwrap_or_default();
                let known: Vec<&str> = declared.collect();
                let has = if known.is_empty() {
                    "none".to_owned()
                } else {
                    known.join(", ")
                };
                return Err(lines.complain(
                    &path,
                    format!("[checks.{name}] has no parameter `{parameter}`{hint} (it has: {has})"),
                ));
            }
            let value = match value {
                ParameterValue::Number(number) => Value::Number(*number),
                ParameterValue::Texts(texts) => Value::Texts(texts.clone()),
            };
            let kinds = [registry::PROFILES
                .iter()
                .find_map(|profile| profile.parameters().get(check.name, parameter))];
            let fits = kinds
                .iter()
                .flatten()
                .all(|default| std::mem::discriminant(*default) == std::mem::discriminant(&value));
            if !fits {
                let message = format!("[checks.{name}] {parameter} has a value of the wrong kind");
                return Err(lines.complain(&path, message));
            }
            parameters.set(check.name, parameter, value);
        }
    }
    Ok(parameters)
}

fn globs(patterns: &[String], path: &str, lines: &Lines) -> Result<GlobSet, Complaint> {
    let mut builder = GlobSetBuilder::new();
    for (index, pattern) in patterns.iter().enumerate() {
        let glob = Glob::new(pattern).map_err(|error| {
            let message = format!("`{pattern}` is no path pattern: {}", error.kind());
            lines.complain(&format!("{path}[{index}]"), message)
        })?;
        builder.add(glob);
    }
    builder
        .build()
        .map_err(|error| lines.complain(path, error.kind().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> String {
        Config::parse(text, PathBuf::new())
            .map_or_else(|error| format!("{error:#}"), |_| String::new())
    }

    #[test]
    fn what_is_misspelt_is_named_with_the_nearest() {
        for (text, expected) in [
            (
                "selct = [\"all\"]",
                "line 1: there is no key `selct`; did you mean `select`?",
            ),
            (
                "[files]\nexlude = []",
                "line 2: there is no key `files.exlude`; did you mean `exclude`?",
            ),
            (
                "[[override]]\npath = [\"a\"]",
                "there is no key `override[0].path`; did you mean `paths`?",
            ),
            (
                "ignore = [\"empty-sektion\"]",
                "there is no check `empty-sektion`; did you mean `empty-section`?",
            ),
            (
                "ignore = [\n\"TXT\",\n\"TXT999\"]",
                "line 3: there is no check `TXT999`",
            ),
            (
                "[checks.repeated-text]\nmin-word = 3",
                "line 2: [checks.repeated-text] has no parameter `min-word`; did you mean `min-words`?",
            ),
            (
                "[checks.repeated-text]\nmin-words = [\"a\"]",
                "line 2: [checks.repeated-text] min-words has a value of the wrong kind",
            ),
            ("profile = \"lessons\"", "there is no profile `lessons`"),
            (
                "[severity]\nempty-section = \"fatal\"",
                "line 2: `severity.empty-section` takes one of \"info\", \"warning\", \"error\"",
            ),
            (
                "[[override]]\npaths = [\"a[\"]\n",
                "line 2: `a[` is no path pattern",
            ),
            (
                "[roles]\njudge = \"gpt\"",
                "line 2: this takes a table: [roles.judge] with `provider` and `model` below it",
            ),
            ("a = 1\nselect = ", "line 2: this is no TOML"),
        ] {
            let complaint = complaint(text);
            assert!(complaint.contains(expected), "{text:?}: {complaint}");
        }
    }

    #[test]
    fn no_complaint_repeats_a_key_of_a_provider() {
        // Short ones, that only begin like a key, and real ones.
        for canary in [
            "sk-canary",
            "sk-ant-api03-canary-0000111122223333",
            "AIzaSycanary0000111122223333444455556",
            "gsk_canary000011112222",
            "xai-canary000011112222",
            "hf_canary000011112222",
            "canary00001111222233334444555566667777",
        ] {
            for place in [
                "{}",
                "{} = 1",
                "profile = '{}'",
                "language = '{}'",
                "select = ['{}']",
                "ignore = ['{}']",
                "[files]\ninclude = ['{}[']",
                "[files]\n{} = []",
                "[severity]\nempty-section = '{}'",
                "[severity]\n{} = 'info'",
                "[checks.{}]\na = 1",
                "[checks.repeated-text]\n{} = 1",
                "[checks.repeated-text]\nmin-words = '{}'",
                "[[override]]\npaths = ['{}[']",
                "[[override]]\nignore = ['{}']",
                "override = '{}'",
                "providers = '{}'",
                "[providers]\nhouse = '{}'",
                "[providers.house]\n{} = 1",
                "[providers.house]\napi-key = '{}'",
                "[providers.house]\nbase-url = '{}'",
                "[providers.{}]\napi = 'openai'",
                "[providers.openai]\napi = '{}'",
                "[providers.openai]\nstructured = '{}'",
                "[providers.openai]\nin-flight = '{}'",
                "[providers.openai]\nin-flight = {}",
                "[providers.openai]\nkey-env = '{}-'",
                "[models]\ncheap = '{}'",
                "[models.cheap]\nprovider = '{}'",
                "[models.cheap]\nprice-in = '{}'",
                "[models.cheap]\ncontext = '{}'",
                "roles = '{}'",
                "[roles]\njudge = '{}'",
                "[roles.{}]",
                "[roles.judge]\n{} = 'a'",
                "[roles.judge]\nprovider = '{}'",
                "[roles.judge]\ntemperature = '{}'",
                "[roles.judge]\nmax-tokens = '{}'",
                "[roles.judge]\nfall-backs = '{}'",
                "[roles.judge]\nfall-backs = [['{}']]",
                "[roles.judge.language.{}]",
                "limits = '{}'",
                "[limits]\ncost-per-run = '{}'",
                "[limits]\n{} = 1",
                "[institution]\nthreshold = '{}'",
                "[institution.weights]\n{} = 1",
            ] {
                let text = place.replace("{}", canary);
                let said = complaint(&text);
                // There are languages that begin like a key.
                assert!(!said.is_empty() || place.contains("language"), "{text}");
                assert!(!said.to_lowercase().contains("canary"), "{text}\n{said}");
            }
            for place in [
                "[providers.openai]\napi = '{}'",
                "[roles.judge]\nprovider = '{}'",
                "[providers.house]\n{} = 1",
                "[models.cheap]\ncontext = '{}'",
            ] {
                let said = complaint(&place.replace("{}", canary));
                assert!(said.starts_with("line 2: "), "{said}");
                for words in ["does not belong into this file", "key-env", "key-file"] {
                    assert!(said.contains(words), "{said}");
                }
            }
        }
        // Where anything is taken, only what is a key beyond doubt is refused.
        for (model, expected) in [
            (
                "sk-ant-api03-canary-0000111122223333",
                "line 2: `roles.judge.model`: this looks like a key",
            ),
            ("0123456789abcdef0123456789abcdef", ""),
            ("sk-large", ""),
        ] {
            let said = complaint(&format!("[roles.judge]\nmodel = '{model}'"));
            assert!(said.starts_with(expected), "{said}");
            assert_eq!(said.is_empty(), expected.is_empty(), "{said}");
        }
    }

    #[test]
    fn checks_are_chosen_by_code_name_prefix_and_path() {
        let config = Config::parse(
            r#"
                ignore = ["TXT002"]
                [severity]
                broken-link = "info"
                [checks.repeated-text]
                min-words = 30
                [[override]]
                paths = ["drafts/**"]
                ignore = ["TXT"]
                [[override]]
                components = ["exercise_*"]
                ignore = ["placeholder-text"]
            "#,
            PathBuf::new(),
        )
        .unwrap();
        let profile = registry::profile("lesson").unwrap();
        let settings = config.settings_for(Path::new("a.md"), profile);
        assert!(settings.disabled.contains("TXT002"));
        assert!(!settings.disabled.contains("TXT001"));
        assert_eq!(settings.severities.get("TXT008"), Some(&Severity::Info));
        assert!(
            (settings.parameters.number("repeated-text", "min-words") - 30.0).abs() < f64::EPSILON
        );
        assert_eq!(settings.components[0].pattern, "exercise_*");
        let drafts = config.settings_for(Path::new("drafts/b/c.md"), profile);
        assert!(drafts.disabled.contains("TXT001"));
    }

    #[test]
    fn the_command_line_replaces_the_selection() {
        let mut config = Config::parse("select = [\"TXT001\"]", PathBuf::new()).unwrap();
        config.choose(&["TXT002".to_owned()], &[]).unwrap();
        let settings = config.settings_for(Path::new("a.md"), registry::profile("lesson").unwrap());
        assert!(settings.disabled.contains("TXT001"));
        assert!(!settings.disabled.contains("TXT002"));
        assert!(config.choose(&["nonsense".to_owned()], &[]).is_err());
    }
}
