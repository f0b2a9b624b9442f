//! The common parts of requests of all protocols. Knows no protocol.

use redraft_run::ask::Ask;
use serde::{Serialize, Serializer};

use super::quirks::Quirks;

/// A message of a chat.
#[derive(Serialize)]
pub(super) struct Message<C> {
    pub(super) role: &'static str,
    pub(super) content: C,
}

/// A temperature in hundredths. Whole numbers are written without a fraction.
#[derive(Clone, Copy)]
pub(super) struct Temperature(u16);

impl Temperature {
    /// The temperature of an ask, if the model accepts one.
    pub(super) fn of(ask: &Ask, quirks: Quirks) -> Option<Self> {
        (!quirks.no_temperature).then_some(Self(ask.model.temperature_hundredths))
    }

    /// The temperature limited to 1, for protocols with that range.
    pub(super) fn at_most_one(self) -> Self {
        Self(self.0.min(100))
    }
}

impl Serialize for Temperature {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(100) {
            serializer.serialize_u16(self.0 / 100)
        } else {
            serializer.serialize_f32(f32::from(self.0) / 100.0)
        }
    }
}
