//! Bytes of a file in a JSON record: as text if they are UTF-8, so that people can read the record,
//! otherwise as hexadecimal.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes as they appear in a record.
#[derive(Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BytesJson {
    /// UTF-8.
    Text(String),
    /// Anything else, two digits a byte.
    Hex(String),
}

/// Serialises bytes, for `#[serde(with = …)]`.
///
/// # Errors
/// If the serializer fails.
pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    let written = match std::str::from_utf8(bytes) {
        Ok(text) => BytesJson::Text(text.to_owned()),
        Err(_) => BytesJson::Hex(bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
    };
    written.serialize(serializer)
}

/// Deserialises bytes, for `#[serde(with = …)]`.
///
/// # Errors
/// If the value is neither text nor hexadecimal.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    match BytesJson::deserialize(deserializer)? {
        BytesJson::Text(text) => Ok(text.into_bytes()),
        BytesJson::Hex(hex) => hex
            .as_bytes()
            .chunks(2)
            .map(|pair| {
                std::str::from_utf8(pair)
                    .ok()
                    .and_then(|pair| u8::from_str_radix(pair, 16).ok())
                    .ok_or_else(|| serde::de::Error::custom("this is not hexadecimal"))
            })
            .collect(),
    }
}
