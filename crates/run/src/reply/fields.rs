//! Types for the fields of a reply. Models leave out fields and get types wrong, so reading a field
//! never fails: it says what was found, and the reader decides whether that is enough. The schemas
//! that are sent with a question are stricter.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A string, if there is one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "FieldValue<IgnoredAny>")]
pub(crate) struct Text(Option<String>);

impl Text {
    pub(crate) fn get(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// The string with its surrounding white space; empty if missing.
    pub(crate) fn whole(&self) -> &str {
        self.get().unwrap_or_default()
    }

    pub(crate) fn trimmed(&self) -> &str {
        self.whole().trim()
    }

    /// The string as a one-word answer: lower case, without white space and full stop.
    pub(crate) fn word(&self) -> Option<String> {
        let word = self.get()?.trim().trim_end_matches('.');
        Some(word.to_ascii_lowercase())
    }
}

/// The values of a [`Choice`], with their names in replies.
pub(crate) trait Choices: Copy + 'static {
    const NAMED: &'static [(&'static str, Self)];
}

/// One of a few words. Keeps the original for messages.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Text", bound = "")]
pub(crate) struct Choice<T> {
    given: Text,
    of: PhantomData<T>,
}

impl<T: Choices> Choice<T> {
    pub(crate) fn given(&self) -> &Text {
        &self.given
    }

    pub(crate) fn known(&self) -> Option<T> {
        Self::named(self.given.trimmed())
    }

    pub(crate) fn named(name: &str) -> Option<T> {
        let mut named = T::NAMED.iter();
        named
            .find(|(known, _)| *known == name)
            .map(|(_, value)| *value)
    }

    pub(crate) fn names() -> Vec<&'static str> {
        T::NAMED.iter().map(|(name, _)| *name).collect()
    }
}

/// Yes or no, as a word or a boolean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "FieldValue<IgnoredAny>")]
pub(crate) struct YesNo(pub(crate) Option<bool>);

impl YesNo {
    const YES: &'static str = "yes";
    const NO: &'static str = "no";
}

/// An integer, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "FieldValue<IgnoredAny>")]
pub(crate) struct Whole(pub(crate) Option<i64>);

/// A list; empty if missing.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "FieldValue<T>", bound = "T: Deserialize<'de>")]
pub(crate) struct List<T>(pub(crate) Vec<T>);

/// A list, if there is one.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "FieldValue<T>", bound = "T: Deserialize<'de>")]
pub(crate) struct Listed<T>(pub(crate) Option<Vec<T>>);

/// An object whose keys are only known at run time.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "FieldValue<T>", bound = "T: Deserialize<'de>")]
pub(crate) struct Named<T>(pub(crate) Option<BTreeMap<String, T>>);

/// One value for each of several names, as a list in their order or as an object with the names as
/// keys. A list is requested, because it takes fewer tokens.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "FieldValue<T>", bound = "T: Deserialize<'de>")]
pub(crate) enum Each<T> {
    InOrder(Vec<T>),
    ByName(BTreeMap<String, T>),
    Nothing,
}

impl<T> Each<T> {
    /// The value for one of these names. A list of the wrong length has no value for any of them.
    pub(crate) fn of(&self, name: &str, names: &[&str]) -> Option<&T> {
        match self {
            Self::InOrder(list) if list.len() == names.len() => {
                let at = names.iter().position(|known| *known == name)?;
                list.get(at)
            }
            Self::ByName(named) => named.get(name),
            Self::InOrder(_) | Self::Nothing => None,
        }
    }
}

/// The name under which the deserializer recognises a [`ScoreLiteral`].
pub(super) const SCORE_LITERAL: &str = "redraft::ScoreLiteral";

/// A score as it was written, so that 0.85 is never read through floating point.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename = "redraft::ScoreLiteral")]
pub(crate) struct ScoreLiteral {
    /// The literal, including quotation marks if it has any.
    pub(crate) json: String,
    string: String,
}

impl ScoreLiteral {
    /// The literal without quotation marks.
    pub(crate) fn digits(&self) -> &str {
        if self.string.is_empty() {
            &self.json
        } else {
            &self.string
        }
    }
}

/// What was found where a field was expected. All fields except scores are read through it.
enum FieldValue<T> {
    Nothing,
    Bool(bool),
    Whole(i64),
    Text(String),
    List(Vec<T>),
    Named(BTreeMap<String, T>),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for FieldValue<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Serde only passes a missing field to a type that asks for an option.
        deserializer.deserialize_option(Anything(PhantomData))
    }
}

struct Anything<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Anything<T> {
    type Value = FieldValue<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value or none")
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<FieldValue<T>, D::Error> {
        value.deserialize_any(self)
    }

    fn visit_none<E>(self) -> Result<FieldValue<T>, E> {
        Ok(FieldValue::Nothing)
    }

    fn visit_unit<E>(self) -> Result<FieldValue<T>, E> {
        Ok(FieldValue::Nothing)
    }

    fn visit_bool<E>(self, value: bool) -> Result<FieldValue<T>, E> {
        Ok(FieldValue::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<FieldValue<T>, E> {
        Ok(FieldValue::Whole(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<FieldValue<T>, E> {
        Ok(FieldValue::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<FieldValue<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(FieldValue::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<FieldValue<T>, A::Error> {
        let mut named = BTreeMap::new();
        while let Some((name, value)) = members.next_entry()? {
            named.insert(name, value);
        }
        Ok(FieldValue::Named(named))
    }
}

impl From<FieldValue<IgnoredAny>> for Text {
    fn from(found: FieldValue<IgnoredAny>) -> Self {
        match found {
            FieldValue::Text(text) => Self(Some(text)),
            _ => Self(None),
        }
    }
}

impl<T> From<Text> for Choice<T> {
    fn from(given: Text) -> Self {
        Self {
            given,
            of: PhantomData,
        }
    }
}

impl From<FieldValue<IgnoredAny>> for YesNo {
    fn from(found: FieldValue<IgnoredAny>) -> Self {
        Self(match found {
            FieldValue::Bool(value) => Some(value),
            other => match Text::from(other).word().as_deref() {
                Some(Self::YES) => Some(true),
                Some(Self::NO) => Some(false),
                _ => None,
            },
        })
    }
}

impl From<FieldValue<IgnoredAny>> for Whole {
    fn from(found: FieldValue<IgnoredAny>) -> Self {
        match found {
            FieldValue::Whole(number) => Self(Some(number)),
            _ => Self(None),
        }
    }
}

impl<T> From<FieldValue<T>> for List<T> {
    fn from(found: FieldValue<T>) -> Self {
        match found {
            FieldValue::List(list) => Self(list),
            _ => Self(Vec::new()),
        }
    }
}

impl<T> From<FieldValue<T>> for Listed<T> {
    fn from(found: FieldValue<T>) -> Self {
        match found {
            FieldValue::List(list) => Self(Some(list)),
            _ => Self(None),
        }
    }
}

impl<T> From<FieldValue<T>> for Named<T> {
    fn from(found: FieldValue<T>) -> Self {
        match found {
            FieldValue::Named(named) => Self(Some(named)),
            _ => Self(None),
        }
    }
}

impl<T> From<FieldValue<T>> for Each<T> {
    fn from(found: FieldValue<T>) -> Self {
        match found {
            FieldValue::List(list) => Self::InOrder(list),
            FieldValue::Named(named) => Self::ByName(named),
            _ => Self::Nothing,
        }
    }
}

/// Implements the schemas of the types above, all without a name of their own.
macro_rules! asks_for {
    ($($type:ident $(<$of:ident: $bound:ident>)?: |$generator:ident| $schema:expr;)*) => {$(
        impl$(<$of: $bound>)? JsonSchema for $type$(<$of>)? {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    )*};
}

asks_for! {
    Text: |_generator| json_schema!({"type": "string"});
    Choice<T: Choices>: |_generator| json_schema!({"type": "string", "enum": Self::names()});
    YesNo: |_generator| json_schema!({"type": "string", "enum": [Self::YES, Self::NO]});
    Whole: |_generator| json_schema!({"type": "integer"});
    List<T: JsonSchema>: |generator| json_schema!({
        "type": "array",
        "items": generator.subschema_for::<T>(),
    });
    Listed<T: JsonSchema>: |generator| List::<T>::json_schema(generator);
    Each<T: JsonSchema>: |generator| List::<T>::json_schema(generator);
    Named<T: JsonSchema>: |generator| json_schema!({
        "type": "object",
        "additionalProperties": generator.subschema_for::<T>(),
    });
    ScoreLiteral: |_generator| json_schema!({"type": "number", "minimum": 0, "maximum": 1});
}
