//! `redraft.toml`: checks, thresholds, files and models.
//!
//! The shape of the file is declared once, in [`file`] and [`models`]; the JSON
//! Schema and the reference page are generated from it. [`crate::models`] works out
//! which models it assigns to which role.

mod checks;
pub mod defaults;
mod error;
mod file;
mod institution;
pub(crate) mod languages;
mod located;
mod models;
pub mod roles;
mod secret;
mod service;
mod shapes;
pub(crate) mod suggest;
mod validate;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use globset::{Glob, GlobSet, GlobSetBuilder};
use redraft_gate::examine::{ComponentRule, Settings};
use redraft_gate::finding::Severity;
use redraft_gate::policy::Parameters;
use redraft_gate::silence::IgnoreComments;
use redraft_profiles::registry;
use redraft_run::profile::Profile;
use redraft_text::language::Language;
use toml::de::DeTable;

use checks::{selects, severities};

use crate::files::Limits;

pub use error::ConfigError;
pub use file::{
    ConfigFile, InstitutionSection, JudgingSection, OverrideSection, ParameterValue, SeverityName,
};
pub use institution::Institution;
pub use located::{Located, Source};
pub use models::{
    ApiName, LimitsSection, ModelSection, ProviderSection, RoleSection, StructuredName,
};
pub use service::ServiceSection;
pub(crate) use shapes::ConfiguredShape;
pub use shapes::ShapeSection;
pub use suggest::{nearest, suggestion};
pub(crate) use validate::{invalid_url, shown_variable};

pub const FILE_NAME: &str = "redraft.toml";

/// The configuration in force: the file's, and what the command line adds.
#[derive(Debug, Default)]
pub struct Config {
    /// The folder that its paths are relative to.
    root: PathBuf,
    file: ConfigFile,
    source: Source,
    select: Vec<String>,
    ignore: Vec<String>,
    exclude: GlobSet,
    include: Option<GlobSet>,
    overrides: Vec<GlobSet>,
    parameters: Parameters,
    institution: Institution,
    shapes: Vec<ConfiguredShape>,
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

    /// Reads the text of the configuration file at `path`; paths in it are relative
    /// to its folder.
    ///
    /// # Errors
    /// If it is not TOML, has an unknown key, or a value that makes no sense.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        let source = Source::new(text, path);
        let table = DeTable::parse(text).map_err(|error| error::syntax(&source, &error))?;
        error::api_key(&source, table.get_ref())?;
        let file: ConfigFile = toml::from_str(text)
            .map_err(|error| error::mismatch(&source, table.get_ref(), &error))?;
        checks::validate(&file, &source)?;
        validate::check(&file, &source)?;
        service::check(&file.service, &source)?;
        let parameters = checks::parameters(&file, &source)?;
        let institution = Institution::of(&file.institution, &source)?;
        let shapes = shapes::read(&file, &source)?;
        let overrides = file
            .overrides
            .iter()
            .map(|section| globs(&section.paths, &source))
            .collect::<Result<_, ConfigError>>()?;
        if let Some(tag) = &file.language
            && let Err(message) = languages::language(tag)
        {
            return Err(source.error(tag, message));
        }
        if let Some(profile) = &file.profile
            && let Some(message) = unknown_profile(profile)
        {
            return Err(source.error(profile, message));
        }
        let texts = |list: &[Located<String>]| list.iter().map(|name| (**name).clone()).collect();
        Ok(Self {
            exclude: globs(&file.files.exclude, &source)?,
            include: file
                .files
                .include
                .as_ref()
                .map(|include| globs(include, &source))
                .transpose()?,
            root: path.parent().map(Path::to_owned).unwrap_or_default(),
            select: texts(&file.select),
            ignore: texts(&file.ignore),
            overrides,
            parameters,
            institution,
            shapes,
            source,
            file,
        })
    }

    /// Applies `--select` (instead of the file's) and `--ignore` (in addition to it).
    ///
    /// # Errors
    /// If a check does not exist.
    pub fn choose(&mut self, select: &[String], ignore: &[String]) -> anyhow::Result<()> {
        for name in select.iter().chain(ignore) {
            checks::require(name)?;
        }
        if !select.is_empty() {
            self.select = select.to_vec();
        }
        self.ignore.extend_from_slice(ignore);
        Ok(())
    }

    /// The `language` of the file.
    #[must_use]
    pub fn language(&self) -> Option<&str> {
        self.file.language.as_deref().map(String::as_str)
    }

    /// The languages that have models of their own.
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

    #[must_use]
    pub fn file(&self) -> &ConfigFile {
        &self.file
    }

    /// The shapes of the user's own JSON.
    pub(crate) fn shapes(&self) -> &[ConfiguredShape] {
        &self.shapes
    }

    #[must_use]
    pub fn judging(&self) -> &JudgingSection {
        &self.file.judging
    }

    #[must_use]
    pub fn institution(&self) -> &Institution {
        &self.institution
    }

    /// The file's path and lines, for errors.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// A path in the file, relative to the current folder.
    #[must_use]
    pub fn beside(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    #[must_use]
    pub fn baseline(&self) -> Option<PathBuf> {
        self.file.baseline.as_ref().map(|path| self.root.join(path))
    }

    /// The most bytes that are read.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let limits = &self.file.limits;
        let default = Limits::default();
        Limits {
            document: limits
                .max_input_bytes
                .as_deref()
                .copied()
                .unwrap_or(default.document),
            bank: limits
                .max_bank_bytes
                .as_deref()
                .copied()
                .unwrap_or(default.bank),
        }
    }

    /// Whether `check` honours ignore comments.
    #[must_use]
    pub fn ignore_comments(&self) -> IgnoreComments {
        if self.file.ignore_comments {
            IgnoreComments::Honoured
        } else {
            IgnoreComments::NotHonoured
        }
    }

    /// How bad it is that a file was not read; `None` if `unread-file` is ignored there.
    #[must_use]
    pub fn unread_severity(&self, path: &Path) -> Option<Severity> {
        let check = registry::find_check("unread-file")?;
        // Every profile has the shared checks.
        let settings = self.settings_for(path, *registry::PROFILES.first()?);
        if settings.disabled.contains(check.code) {
            return None;
        }
        let severity = settings.severities.get(check.code);
        Some(severity.copied().unwrap_or(check.severity))
    }

    /// Whether a file in a folder is skipped.
    #[must_use]
    pub fn excludes(&self, path: &Path) -> bool {
        let path = self.relative(path);
        self.exclude.is_match(&path)
            || self
                .include
                .as_ref()
                .is_some_and(|include| !include.is_match(&path))
    }

    /// The profile that is configured for a file.
    #[must_use]
    pub fn profile_for(&self, path: &Path) -> Option<&'static dyn Profile> {
        let of_path = self
            .overrides_for(path)
            .filter_map(|section| section.profile.as_deref())
            .next_back();
        let of_file = self.file.profile.as_deref().map(String::as_str);
        registry::profile(of_path.or(of_file)?)
    }

    #[must_use]
    pub fn settings_for(&self, path: &Path, profile: &dyn Profile) -> Settings {
        let mut settings = Settings {
            parameters: profile.parameters().clone(),
            severities: severities(&self.file.severity),
            ..Settings::default()
        };
        settings.parameters.overlay(&self.parameters);
        let selects_all = self.select.is_empty();
        for check in profile.checks() {
            let selected = selects_all || self.select.iter().any(|name| selects(name, check));
            let ignored = self.ignore.iter().any(|name| selects(name, check));
            if !selected || ignored {
                settings.disabled.insert(check.code.to_owned());
            }
        }
        for section in self.overrides_for(path) {
            let disabled: BTreeSet<String> = profile
                .checks()
                .iter()
                .filter(|check| section.ignore.iter().any(|name| selects(name, check)))
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

    /// A path relative to the configuration file, as its patterns expect.
    pub(crate) fn relative(&self, path: &Path) -> PathBuf {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        // The parent of a bare file name is the empty path: the current folder.
        let root = std::path::absolute(Path::new(".").join(&self.root)).unwrap_or_default();
        absolute
            .strip_prefix(&root)
            .map_or_else(|_| path.to_owned(), Path::to_owned)
    }
}

fn unknown_profile(name: &str) -> Option<String> {
    if registry::profile(name).is_some() {
        return None;
    }
    let known = registry::PROFILES.iter().map(|profile| profile.id().0);
    let hint = suggestion(name, known);
    Some(format!("unknown profile \"{name}\"; {hint}"))
}

fn globs(patterns: &[Located<String>], source: &Source) -> Result<GlobSet, ConfigError> {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = Glob::new(pattern).map_err(|error| {
            let message = format!("invalid path pattern \"{}\": {}", **pattern, error.kind());
            source.error(pattern, message)
        })?;
        builder.add(glob);
    }
    builder.build().map_err(|error| {
        let line = patterns.first().map(|first| source.line(first));
        source.error_on(line, format!("invalid path patterns: {}", error.kind()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, ConfigError> {
        Config::parse(text, Path::new(FILE_NAME))
    }

    fn message(text: &str) -> String {
        parse(text).map_or_else(|error| error.to_string(), |_| String::new())
    }

    #[test]
    fn a_misspelt_name_is_reported_with_the_nearest() {
        for (text, expected) in [
            (
                "selct = [\"all\"]",
                "redraft.toml:1: unknown key \"selct\"; did you mean \"select\"?",
            ),
            (
                "[files]\nexlude = []",
                "redraft.toml:2: unknown key \"exlude\" in [files]; did you mean \"exclude\"?",
            ),
            (
                "[[override]]\npath = [\"a\"]",
                "redraft.toml:2: unknown key \"path\" in [[override]]; did you mean \"paths\"?",
            ),
            (
                "xyz = 1",
                "redraft.toml:1: unknown key \"xyz\"; known: profile, language, ",
            ),
            (
                "ignore = [\"empty-sektion\"]",
                "redraft.toml:1: unknown check \"empty-sektion\"; did you mean \"empty-section\"?",
            ),
            (
                "ignore = [\n\"TXT\",\n\"TXT999\"]",
                "redraft.toml:3: unknown check \"TXT999\"",
            ),
            (
                "[checks.repeated-text]\nmin-word = 3",
                "redraft.toml:2: unknown parameter \"min-word\" in [checks.repeated-text]; did you mean \"min-words\"?",
            ),
            (
                "[checks.repeated-text]\nmin-words = [\"a\"]",
                "redraft.toml:2: invalid value for \"min-words\": expected a number",
            ),
            (
                "profile = \"lessons\"",
                "redraft.toml:1: unknown profile \"lessons\"; did you mean \"lesson\"?",
            ),
            (
                "[severity]\nempty-section = \"fatal\"",
                "redraft.toml:2: invalid value for \"empty-section\": expected one of \"info\", \"warning\", \"error\"",
            ),
            (
                "[severity]\n\nempty-sektion = \"info\"",
                "redraft.toml:3: unknown check \"empty-sektion\"",
            ),
            (
                "[[override]]\npaths = [\"a[\"]\n",
                "redraft.toml:2: invalid path pattern \"a[\"",
            ),
            ("a = 1\nselect = ", "redraft.toml:2: invalid TOML: "),
        ] {
            let message = message(text);
            assert!(message.starts_with(expected), "{text:?}: {message}");
        }
    }

    #[test]
    fn no_error_repeats_an_api_key() {
        // Short ones that only start like a key, and real ones.
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
                let said = message(&text);
                // Some language tags start like a key.
                assert!(!said.is_empty() || place.contains("language"), "{text}");
                assert!(!said.to_lowercase().contains("canary"), "{text}\n{said}");
            }
            for place in [
                "[providers.openai]\napi = '{}'",
                "[roles.judge]\nprovider = '{}'",
                "[providers.house]\n{} = 1",
                "[models.cheap]\ncontext = '{}'",
            ] {
                let said = message(&place.replace("{}", canary));
                assert!(said.starts_with("redraft.toml:2: "), "{said}");
                for words in ["Do not put keys in this file", "key-env", "key-file"] {
                    assert!(said.contains(words), "{said}");
                }
            }
        }
        // A key that takes any text rejects only what is certainly an API key.
        for (model, expected) in [
            (
                "sk-ant-api03-canary-0000111122223333",
                "redraft.toml:2: the value of \"model\" looks like an API key",
            ),
            ("0123456789abcdef0123456789abcdef", ""),
            ("sk-large", ""),
        ] {
            let said = message(&format!("[roles.judge]\nmodel = '{model}'"));
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
            Path::new(FILE_NAME),
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
        let mut config = parse("select = [\"TXT001\"]").unwrap();
        config.choose(&["TXT002".to_owned()], &[]).unwrap();
        let settings = config.settings_for(Path::new("a.md"), registry::profile("lesson").unwrap());
        assert!(settings.disabled.contains("TXT001"));
        assert!(!settings.disabled.contains("TXT002"));
        assert!(config.choose(&["nonsense".to_owned()], &[]).is_err());
    }
}
