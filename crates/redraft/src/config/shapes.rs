//! `[shapes.NAME]`: JSON of the user's own shape, and which files have it.

use std::path::Path;
use std::sync::Arc;

use globset::GlobSet;
use redraft_gate::field_map::{FieldMap, FieldPath, MappedContent};
use schemars::JsonSchema;
use serde::Deserialize;

use super::located::{Located, Source};
use super::{ConfigError, ConfigFile, globs};

/// Where your own JSON keeps what redraft reads: members with a dot between them, `[]` for
/// every entry of a list (`data.questions[]`), `.*` for every member of an object
/// (`questions.*`), a number for an entry of a list, and commas between several (`a, b, c`). Paths of an item, option or section begin there.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(
    default,
    rename_all = "kebab-case",
    deny_unknown_fields,
    expecting = "a table, for example [shapes.ours] with items = \"data.questions[]\""
)]
pub struct ShapeSection {
    /// Files that have this shape, relative to this file; one that does not fit is an error.
    /// Without it the shape is tried on JSON of an unknown kind.
    pub files: Vec<Located<String>>,
    /// Where the items are; without it each value of the file is an item.
    pub items: Option<Located<String>>,
    /// The question of an item.
    pub stem: Option<Located<String>>,
    /// The options of an item, such as `choices[]`.
    pub options: Option<Located<String>>,
    /// The right answer of an item.
    pub key: Option<Located<String>>,
    /// Why it is right.
    pub explanation: Option<Located<String>>,
    /// The case of an item.
    pub vignette: Option<Located<String>>,
    /// The id of an item.
    pub id: Option<Located<String>>,
    /// The text of an option that is an object.
    pub option_text: Option<Located<String>>,
    /// The letter or name of an option, as the key names it.
    pub option_label: Option<Located<String>>,
    /// Whether an option is right.
    pub option_correct: Option<Located<String>>,
    /// What is said to an option.
    pub option_feedback: Option<Located<String>>,
    /// The sections of a lesson, such as `content[]`.
    pub sections: Option<Located<String>>,
    /// The title of a section.
    pub title: Option<Located<String>>,
    /// The text of a section.
    pub body: Option<Located<String>>,
    /// The title of the lesson.
    pub lesson_title: Option<Located<String>>,
    /// The introduction of the lesson.
    pub introduction: Option<Located<String>>,
    /// The conclusion of the lesson.
    pub conclusion: Option<Located<String>>,
}

/// A shape and the files that have it.
#[derive(Clone, Debug)]
pub(crate) struct ConfiguredShape {
    pub(crate) map: Arc<FieldMap>,
    /// `None` where it is tried on whatever is unknown.
    files: Option<GlobSet>,
}

impl ConfiguredShape {
    /// Whether the configuration says that a file has this shape.
    pub(crate) fn claims(&self, path: &Path) -> bool {
        self.files
            .as_ref()
            .is_some_and(|files| files.is_match(path))
    }

    /// Whether it is for any file of an unknown kind.
    pub(crate) fn is_for_any(&self) -> bool {
        self.files.is_none()
    }
}

/// The shapes of a configuration.
pub(super) fn read(
    file: &ConfigFile,
    source: &Source,
) -> Result<Vec<ConfiguredShape>, ConfigError> {
    file.shapes
        .iter()
        .map(|(name, section)| {
            let files = (!section.files.is_empty())
                .then(|| globs(&section.files, source))
                .transpose()?;
            let map = FieldMap {
                name: name.clone(),
                content: content(section, source)?,
                is_item: false,
            };
            Ok(ConfiguredShape {
                map: Arc::new(map),
                files,
            })
        })
        .collect()
}

fn content(section: &Located<ShapeSection>, source: &Source) -> Result<MappedContent, ConfigError> {
    let path = |written: &Option<Located<String>>| {
        written
            .as_ref()
            .map(|written| {
                FieldPath::parse(written).ok_or_else(|| {
                    let message = format!(
                        "\"{}\" is not a path; separate members with dots, and write [] for the entries of a list and .* for the members of an object",
                        **written
                    );
                    source.error(written, message)
                })
            })
            .transpose()
    };
    let named = |fields: &[(&'static str, &Option<Located<String>>)]| {
        fields
            .iter()
            .filter_map(|(name, written)| path(written).transpose().map(|path| Ok((*name, path?))))
            .collect::<Result<Vec<_>, ConfigError>>()
    };
    if let Some(sections) = path(&section.sections)? {
        return Ok(MappedContent::Lesson {
            sections,
            section_fields: named(&[("title", &section.title), ("content", &section.body)])?,
            fields: named(&[
                ("title", &section.lesson_title),
                ("introduction", &section.introduction),
                ("conclusion", &section.conclusion),
            ])?,
        });
    }
    let (Some(stem), Some(options)) = (path(&section.stem)?, path(&section.options)?) else {
        let message = "a shape needs `stem` and `options` for items, or `sections` for a lesson";
        return Err(source.error(section, message.to_owned()));
    };
    Ok(MappedContent::Items {
        items: path(&section.items)?,
        stem,
        options,
        fields: named(&[
            ("correct_answer", &section.key),
            ("explanation", &section.explanation),
            ("vignette", &section.vignette),
            ("id", &section.id),
        ])?,
        option_fields: named(&[
            ("label", &section.option_label),
            ("text", &section.option_text),
            ("is_correct", &section.option_correct),
            ("feedback", &section.option_feedback),
        ])?,
    })
}
