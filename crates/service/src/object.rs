//! Reading a structure from a JSON object and nothing else: of a list serde would take
//! the fields by their order.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize as _, Deserializer};
use serde_json::{Map, Value};

/// For `#[serde(deserialize_with = …)]`.
pub(crate) fn read<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let object = Map::<String, Value>::deserialize(from)?;
    T::deserialize(Value::Object(object)).map_err(D::Error::custom)
}

/// The same where it may be null.
pub(crate) fn read_or_null<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let Some(object) = Option::<Map<String, Value>>::deserialize(from)? else {
        return Ok(None);
    };
    let read = T::deserialize(Value::Object(object));
    read.map(Some).map_err(D::Error::custom)
}
