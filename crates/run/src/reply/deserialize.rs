//! Serde over the tolerant JSON scanner. A value of the wrong type counts as missing, unknown
//! members are ignored, and the last of several members with one name wins. Each field's type
//! decides whether it may be missing (see `fields`).

use std::fmt;

use redraft_text::json::{Kind, Node};
use serde::de::value::{BorrowedStrDeserializer, MapDeserializer};
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::fields::SCORE_LITERAL;

/// A type requires something that the scanner cannot provide.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct ReadError(String);

impl serde::de::Error for ReadError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Reads a value of a reply. `text` must be the reply that the node was scanned from.
pub(crate) fn from_node<T: DeserializeOwned>(text: &str, node: Node<'_>) -> Result<T, ReadError> {
    T::deserialize(Value { text, node })
}

#[derive(Clone, Copy)]
struct Value<'de> {
    text: &'de str,
    node: Node<'de>,
}

impl<'de> Value<'de> {
    fn at(self, node: Node<'de>) -> Self {
        Self { node, ..self }
    }
}

impl<'de> Deserializer<'de> for Value<'de> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.node.kind() {
            Kind::Bool => visitor.visit_bool(self.node.as_bool().unwrap_or_default()),
            Kind::Number => match self.node.as_i64() {
                Some(whole) => visitor.visit_i64(whole),
                None => visitor.visit_unit(),
            },
            Kind::String => visitor.visit_borrowed_str(self.node.as_str().unwrap_or_default()),
            Kind::Array => visitor.visit_seq(Items {
                value: self,
                rest: self.node.items(),
            }),
            Kind::Object => visitor.visit_map(Members {
                value: self,
                rest: self
                    .node
                    .members()
                    .map(|(key, node)| (key.text.as_str(), node)),
                next: None,
            }),
            Kind::Null | Kind::Invalid => visitor.visit_unit(),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_some(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        if name == SCORE_LITERAL {
            let json = self.text.get(self.node.span()).unwrap_or_default();
            let string = self.node.as_str().unwrap_or_default();
            let members = fields.iter().copied().zip([json, string]);
            return visitor.visit_map(MapDeserializer::new(members));
        }
        visitor.visit_map(Members {
            value: self,
            rest: fields
                .iter()
                .filter_map(move |name| Some((*name, self.node.get(name)?))),
            next: None,
        })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

struct Items<'de, I> {
    value: Value<'de>,
    rest: I,
}

impl<'de, I: Iterator<Item = Node<'de>>> SeqAccess<'de> for Items<'de, I> {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, ReadError> {
        self.rest
            .next()
            .map(|node| seed.deserialize(self.value.at(node)))
            .transpose()
    }
}

struct Members<'de, I> {
    value: Value<'de>,
    rest: I,
    next: Option<Node<'de>>,
}

impl<'de, I: Iterator<Item = (&'de str, Node<'de>)>> MapAccess<'de> for Members<'de, I> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ReadError> {
        let Some((name, node)) = self.rest.next() else {
            return Ok(None);
        };
        self.next = Some(node);
        seed.deserialize(BorrowedStrDeserializer::new(name))
            .map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ReadError> {
        let node = self
            .next
            .take()
            .ok_or_else(|| ReadError("a value was read before its name".to_owned()))?;
        seed.deserialize(self.value.at(node))
    }
}
