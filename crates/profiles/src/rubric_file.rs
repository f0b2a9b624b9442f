//! Reading a rubric file: a profile's own `rubric.toml`, or a user's. What is
//! wrong with it is said with the key and what to do about it. No profile and no
//! prompt is known here.

use redraft_gate::score::{Precision, Score};
use redraft_run::rubric::{Anchor, Criterion, FixAction, Repair, Rubric, RubricError};
use thiserror::Error;
use toml::{Table, Value};

/// Why a rubric file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RubricFileError {
    #[error("invalid TOML: {0}")]
    Toml(String),
    /// A key is missing.
    #[error("missing key `{key}`; write {expected}")]
    Missing {
        /// Where it belongs.
        key: String,
        /// What to write there.
        expected: &'static str,
    },
    /// A value is of another kind than is needed.
    #[error("`{key}` is {found}; write {expected}")]
    Odd {
        key: String,
        /// The value that was found.
        found: String,
        /// What to write there.
        expected: &'static str,
    },
    /// A key that means nothing.
    #[error("unknown key `{key}`; {hint}")]
    Unknown {
        key: String,
        /// The nearest key that exists, or all of them.
        hint: String,
    },
    /// Criteria, weights, anchors and hierarchy do not fit together.
    #[error("{error}; {advice}")]
    Unfit {
        /// What does not fit.
        error: RubricError,
        /// What to do about it.
        advice: &'static str,
    },
}

/// Reads a rubric.
///
/// # Errors
/// When the text is not TOML, a key is missing, unknown or odd, or the rubric
/// does not fit together.
pub fn read(text: &str) -> Result<Rubric, RubricFileError> {
    let table: Table = text
        .parse()
        .map_err(|error: toml::de::Error| RubricFileError::Toml(error.to_string()))?;
    let file = Keys::new("", &table);
    file.only(&[
        "name",
        "precision",
        "hierarchy",
        "reasons",
        "terse",
        "criteria",
    ])?;
    let rubric = Rubric {
        name: file.text("name")?,
        precision: precision(&file)?,
        reasons: flag(&file, "reasons")?,
        terse: flag(&file, "terse")?,
        hierarchy: hierarchy(&file)?,
        criteria: file
            .tables("criteria", "one `[[criteria]]` table per criterion")?
            .iter()
            .map(criterion)
            .collect::<Result<_, _>>()?,
    };
    rubric.validate().map_err(|error| RubricFileError::Unfit {
        advice: advice(&error),
        error,
    })?;
    Ok(rubric)
}

/// A rubric that is part of the program. The conformance test reads it, too, and
/// fails where this would fall back to a rubric that nothing can be judged by.
pub(crate) fn built_in(text: &str) -> Rubric {
    read(text).unwrap_or_else(|_| Rubric {
        name: String::new(),
        criteria: Vec::new(),
        hierarchy: Vec::new(),
        precision: Precision::Thousandths,
        reasons: false,
        terse: false,
    })
}

fn advice(error: &RubricError) -> &'static str {
    match error {
        RubricError::Empty => "add a `[[criteria]]` table",
        RubricError::Twice(_) => "remove or rename one of the two",
        RubricError::Weightless => "give at least one criterion a `weight` above 0",
        RubricError::Hierarchy(_) => "list each criterion's `name` exactly once in `hierarchy`",
        RubricError::Anchors(_) => "list `anchors` from the highest `at` to the lowest, none twice",
    }
}

fn precision(file: &Keys<'_>) -> Result<Precision, RubricFileError> {
    const EXPECTED: &str = "\"thousandths\" or \"hundredths\"";
    match file.value("precision", EXPECTED)? {
        Value::String(name) if name == "thousandths" => Ok(Precision::Thousandths),
        Value::String(name) if name == "hundredths" => Ok(Precision::Hundredths),
        other => Err(file.odd("precision", other, EXPECTED)),
    }
}

fn hierarchy(file: &Keys<'_>) -> Result<Vec<String>, RubricFileError> {
    const EXPECTED: &str = "a list of the names of all criteria, the most important first";
    let value = file.value("hierarchy", EXPECTED)?;
    value
        .as_array()
        .and_then(|names| {
            names
                .iter()
                .map(|name| name.as_str().map(str::to_owned))
                .collect()
        })
        .ok_or_else(|| file.odd("hierarchy", value, EXPECTED))
}

fn criterion(keys: &Keys<'_>) -> Result<Criterion, RubricFileError> {
    keys.only(&[
        "name",
        "weight",
        "threshold",
        "description",
        "not-about",
        "evidence",
        "anchors",
        "factual",
        "repair",
    ])?;
    Ok(Criterion {
        name: name(keys)?,
        weight: weight(keys)?,
        threshold: keys
            .table
            .get("threshold")
            .map(|_| score(keys, "threshold"))
            .transpose()?,
        description: keys.text("description")?,
        not_about: keys.text("not-about")?,
        evidence: keys.text("evidence")?,
        anchors: keys
            .tables("anchors", "a list such as [{ at = 0.9, means = \"…\" }]")?
            .iter()
            .map(anchor)
            .collect::<Result<_, _>>()?,
        factual: flag(keys, "factual")?,
        repair: repair(keys)?,
    })
}

/// A key that is `false` where it is not written.
fn flag(keys: &Keys<'_>, key: &'static str) -> Result<bool, RubricFileError> {
    match keys.table.get(key) {
        None => Ok(false),
        Some(Value::Boolean(flag)) => Ok(*flag),
        Some(other) => Err(keys.odd(key, other, "true or false")),
    }
}

/// A name is a key of the judge's answer, so it is spelt like one.
fn name(keys: &Keys<'_>) -> Result<String, RubricFileError> {
    let name = keys.text("name")?;
    let is_key = |character: char| character.is_alphanumeric() || "_-".contains(character);
    if name.chars().all(is_key) {
        return Ok(name);
    }
    Err(RubricFileError::Odd {
        key: keys.path("name"),
        found: format!("\"{}\"", name.escape_debug()),
        expected: "letters, digits, `_` and `-` only, as in \"factual_accuracy\"",
    })
}

/// Weights are decimals of at most three places and are kept in thousandths.
fn weight(keys: &Keys<'_>) -> Result<u32, RubricFileError> {
    const EXPECTED: &str = "a number from 0 to 1000 with at most three decimals, such as 0.25; weights are divided by their sum";
    const MOST: f64 = 1_000_000.0;
    let value = keys.value("weight", EXPECTED)?;
    let thousandths = number(value).map(|weight| weight * 1000.0);
    match thousandths {
        Some(thousandths)
            if (0.0..=MOST).contains(&thousandths)
                && (thousandths - thousandths.round()).abs() < 1e-6 =>
        {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "between 0 and a million, and rounded"
            )]
            let whole = thousandths.round() as u32;
            Ok(whole)
        }
        _ => Err(keys.odd("weight", value, EXPECTED)),
    }
}

fn score(keys: &Keys<'_>, key: &'static str) -> Result<Score, RubricFileError> {
    const EXPECTED: &str = "a number from 0 to 1, such as 0.85";
    let value = keys.value(key, EXPECTED)?;
    number(value)
        .and_then(|score| Score::parse(&score.to_string()))
        .ok_or_else(|| keys.odd(key, value, EXPECTED))
}

fn number(value: &Value) -> Option<f64> {
    match value {
        #[expect(clippy::cast_precision_loss, reason = "weights and scores are small")]
        Value::Integer(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}

fn anchor(keys: &Keys<'_>) -> Result<Anchor, RubricFileError> {
    keys.only(&["at", "means"])?;
    Ok(Anchor {
        at: score(keys, "at")?,
        means: keys.text("means")?,
    })
}

fn repair(criterion: &Keys<'_>) -> Result<Repair, RubricFileError> {
    const EXPECTED: &str = "{ critical = \"…\", major = \"…\", minor = \"…\" }, each \"surgical-edit\" or \"regenerate-section\"";
    let value = criterion.value("repair", EXPECTED)?;
    let table = value
        .as_table()
        .ok_or_else(|| criterion.odd("repair", value, EXPECTED))?;
    let keys = Keys::new(criterion.path("repair"), table);
    keys.only(&[
        "critical",
        "major",
        "major-addition",
        "minor",
        "quoted",
        "target",
    ])?;
    Ok(Repair {
        critical: action(&keys, "critical")?,
        major: action(&keys, "major")?,
        major_addition: match table.get("major-addition") {
            Some(_) => Some(action(&keys, "major-addition")?),
            None => None,
        },
        minor: action(&keys, "minor")?,
        quoted: match table.get("quoted") {
            Some(_) => Some(action(&keys, "quoted")?),
            None => None,
        },
        target: match table.get("target") {
            Some(_) => Some(keys.text("target")?),
            None => None,
        },
    })
}

fn action(keys: &Keys<'_>, key: &'static str) -> Result<FixAction, RubricFileError> {
    const EXPECTED: &str = "\"surgical-edit\" or \"regenerate-section\"";
    let value = keys.value(key, EXPECTED)?;
    value
        .as_str()
        .and_then(FixAction::parse)
        .ok_or_else(|| keys.odd(key, value, EXPECTED))
}

/// A table of the file, and its path.
struct Keys<'a> {
    at: String,
    table: &'a Table,
}

impl<'a> Keys<'a> {
    fn new(at: impl Into<String>, table: &'a Table) -> Self {
        Self {
            at: at.into(),
            table,
        }
    }

    fn path(&self, key: &str) -> String {
        if self.at.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.at)
        }
    }

    /// Complains about the first key that is not one of these.
    fn only(&self, known: &[&str]) -> Result<(), RubricFileError> {
        let Some(unknown) = self.table.keys().find(|key| !known.contains(&key.as_str())) else {
            return Ok(());
        };
        let hint = nearest(unknown, known).map_or_else(
            || format!("known keys: {}", known.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        Err(RubricFileError::Unknown {
            key: self.path(unknown),
            hint,
        })
    }

    fn value(&self, key: &str, expected: &'static str) -> Result<&'a Value, RubricFileError> {
        self.table.get(key).ok_or_else(|| RubricFileError::Missing {
            key: self.path(key),
            expected,
        })
    }

    fn text(&self, key: &str) -> Result<String, RubricFileError> {
        const EXPECTED: &str = "a non-empty string";
        let value = self.value(key, EXPECTED)?;
        value
            .as_str()
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
            .ok_or_else(|| self.odd(key, value, EXPECTED))
    }

    fn tables(&self, key: &str, expected: &'static str) -> Result<Vec<Keys<'a>>, RubricFileError> {
        let value = self.value(key, expected)?;
        let items = value
            .as_array()
            .ok_or_else(|| self.odd(key, value, expected))?;
        items
            .iter()
            .enumerate()
            .map(|(index, item)| {
                let key = format!("{key}[{index}]");
                item.as_table()
                    .map(|table| Keys::new(self.named(&key, table), table))
                    .ok_or_else(|| self.odd(&key, item, expected))
            })
            .collect()
    }

    /// A criterion is easier to find by its name than by its number.
    fn named(&self, key: &str, table: &Table) -> String {
        match table.get("name").and_then(Value::as_str) {
            Some(name) if !name.is_empty() => format!("{} ({name})", self.path(key)),
            _ => self.path(key),
        }
    }

    fn odd(&self, key: &str, value: &Value, expected: &'static str) -> RubricFileError {
        RubricFileError::Odd {
            key: self.path(key),
            found: match value {
                Value::String(text) if text.trim().is_empty() => "empty".to_owned(),
                Value::String(text) => format!("\"{}\"", text.escape_debug()),
                Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {
                    value.to_string()
                }
                Value::Array(_) => "a list".to_owned(),
                Value::Table(_) => "a table".to_owned(),
            },
            expected,
        }
    }
}

/// Of several keys the one most like `word`, if any is like it at all.
fn nearest<'a>(word: &str, keys: &[&'a str]) -> Option<&'a str> {
    const LIKE: f64 = 0.75;
    keys.iter()
        .map(|key| (strsim::jaro_winkler(&word.to_lowercase(), key), *key))
        .filter(|(likeness, _)| *likeness >= LIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, key)| key)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"
name = "small"
precision = "hundredths"
hierarchy = ["truth", "taste"]

[[criteria]]
name = "taste"
weight = 0.125
threshold = 0.88
description = "It tastes."
not-about = "looks"
evidence = "quote the taste"
anchors = [{ at = 1, means = "sweet" }, { at = 0.5, means = "bland" }]
repair = { critical = "regenerate-section", major = "surgical-edit", minor = "surgical-edit", target = "card" }

[[criteria]]
name = "truth"
weight = 3
factual = true
description = "It is true."
not-about = "taste"
evidence = "quote the lie"
anchors = [{ at = 0.9, means = "true" }]
repair = { critical = "regenerate-section", major = "regenerate-section", major-addition = "surgical-edit", minor = "surgical-edit" }
"#;

    #[test]
    fn a_file_becomes_a_rubric_with_weights_in_thousandths() {
        let rubric = read(SMALL).unwrap();
        assert_eq!(rubric.name, "small");
        assert_eq!(rubric.precision, Precision::Hundredths);
        assert_eq!(rubric.hierarchy, ["truth", "taste"]);
        assert!(!rubric.reasons && !rubric.terse);
        let taste = rubric.criterion("taste").unwrap();
        assert_eq!(taste.weight, 125);
        assert_eq!(taste.threshold, Score::parse("0.88"));
        assert_eq!(taste.anchors[0].at, Score::ONE);
        assert_eq!(taste.repair.critical, FixAction::RegenerateSection);
        assert_eq!(taste.repair.target.as_deref(), Some("card"));
        let truth = rubric.criterion("truth").unwrap();
        assert_eq!(truth.weight, 3000);
        assert_eq!(truth.threshold, None);
        assert_eq!(truth.repair.target, None);
        assert_eq!((taste.factual, truth.factual), (false, true));
        assert_eq!(taste.repair.major_addition, None);
        assert_eq!(truth.repair.major_addition, Some(FixAction::SurgicalEdit));
    }

    /// What is replaced in the small rubric, by what, and what the error says.
    const WRONG: &[(&str, &str, &str)] = &[
        ("[[criteria]]", "[[criteria]", "invalid TOML"),
        (
            "precision = \"hundredths\"",
            "",
            "missing key `precision`; write \"thousandths\" or \"hundredths\"",
        ),
        (
            "\"hundredths\"",
            "\"tenths\"",
            "`precision` is \"tenths\"; write \"thousandths\" or",
        ),
        (
            "not-about = \"looks\"",
            "not_about = \"looks\"",
            "unknown key `criteria[0] (taste).not_about`; did you mean `not-about`?",
        ),
        (
            "threshold = 0.88",
            "zzz = 0.88",
            "unknown key `criteria[0] (taste).zzz`; known keys: name, weight, threshold",
        ),
        (
            "weight = 0.125",
            "weight = \"heavy\"",
            "`criteria[0] (taste).weight` is \"heavy\"; write a number",
        ),
        ("weight = 0.125", "weight = -1", "is -1; write a number"),
        ("weight = 0.125", "weight = nan", "is nan; write a number"),
        (
            "weight = 0.125",
            "weight = 0.1234",
            "at most three decimals",
        ),
        (
            "threshold = 0.88",
            "threshold = 88",
            "is 88; write a number from 0 to 1",
        ),
        (
            "at = 0.5,",
            "at = 1.5,",
            "`criteria[0] (taste).anchors[1].at` is 1.5; write a number from 0 to 1",
        ),
        (
            "description = \"It tastes.\"",
            "description = \" \"",
            "`criteria[0] (taste).description` is empty; write a non-empty string",
        ),
        (
            "major = \"surgical-edit\"",
            "major = \"scissors\"",
            "`criteria[0] (taste).repair.major` is \"scissors\"; write \"surgical-edit\" or",
        ),
        (
            "name = \"small\"",
            "name = \"small\"\nreasons = 1",
            "`reasons` is 1; write true or false",
        ),
        (
            "name = \"small\"",
            "name = \"small\"\nterse = \"yes\"",
            "`terse` is \"yes\"; write true or false",
        ),
        (
            "threshold = 0.88",
            "factual = \"yes\"",
            "`criteria[0] (taste).factual` is \"yes\"; write true or false",
        ),
        (
            "target = \"card\"",
            "targets = \"card\"",
            "unknown key `criteria[0] (taste).repair.targets`; did you mean `target`?",
        ),
        (
            "name = \"taste\"",
            "name = \"taste\\\": 1, \\\"\"",
            "letters, digits, `_` and `-` only",
        ),
        (
            "[\"truth\", \"taste\"]",
            "[\"truth\"]",
            "look at `taste`; list each criterion's `name` exactly once",
        ),
        (
            "[\"truth\", \"taste\"]",
            "[\"truth\", 1]",
            "`hierarchy` is a list; write a list of the names",
        ),
        (
            "at = 0.5,",
            "at = 1.0,",
            "the criterion `taste` needs anchors, the best first; list `anchors` from the highest",
        ),
        (
            "name = \"truth\"",
            "name = \"taste\"",
            "the criterion `taste` appears twice; remove or rename",
        ),
    ];

    #[test]
    fn what_is_wrong_is_said_with_the_key_and_what_to_do() {
        for (from, to, message) in WRONG {
            assert!(SMALL.contains(from), "{from}");
            let error = read(&SMALL.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(message), "{error}\nshould say: {message}");
        }
    }

    #[test]
    fn nothing_to_judge_by_is_an_error() {
        let empty = "name = \"x\"\nprecision = \"hundredths\"\nhierarchy = []\ncriteria = []";
        let error = read(empty).unwrap_err().to_string();
        assert!(error.contains("add a `[[criteria]]` table"), "{error}");
        let weightless = SMALL
            .replace("weight = 0.125", "weight = 0")
            .replace("weight = 3", "weight = 0.0");
        let error = read(&weightless).unwrap_err().to_string();
        assert!(error.contains("`weight` above 0"), "{error}");
    }
}
