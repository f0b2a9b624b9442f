//! Token counts of calls and their cost: input, output, cache reads and cache writes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ModelSettings;

/// Tokens sent and received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Tokens {
    /// Sent, whether cached or not.
    pub input: u64,
    /// Received.
    pub output: u64,
    /// Of those sent: read from the provider's cache, as the provider reports it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached_input: u64,
    /// Of those sent: written to the provider's cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_write: u64,
}

fn is_zero(tokens: &u64) -> bool {
    *tokens == 0
}

impl Tokens {
    /// Tokens without any caching.
    #[must_use]
    pub const fn new(input: u64, output: u64) -> Self {
        Self {
            input,
            output,
            cached_input: 0,
            cache_write: 0,
        }
    }

    #[must_use]
    pub const fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cached_input: self.cached_input.saturating_add(other.cached_input),
            cache_write: self.cache_write.saturating_add(other.cache_write),
        }
    }

    #[must_use]
    pub const fn times(self, number: u64) -> Self {
        Self {
            input: self.input.saturating_mul(number),
            output: self.output.saturating_mul(number),
            cached_input: self.cached_input.saturating_mul(number),
            cache_write: self.cache_write.saturating_mul(number),
        }
    }

    /// The cost in millionths of a dollar, rounded up. If a model's cache prices are unknown,
    /// cached tokens cost the full price.
    #[must_use]
    pub fn cost(self, model: &ModelSettings) -> u64 {
        let (price_read, price_write) = model
            .cache
            .map_or((model.price_in, model.price_in), |cache| {
                (cache.price_read, cache.price_write)
            });
        // Providers that report more cached tokens than were sent are not believed when they are
        // read; here such a count, of a record, is cut off.
        let read = self.cached_input.min(self.input);
        let written = self.cache_write.min(self.input - read);
        micros([
            (self.input - read - written, model.price_in),
            (read, price_read),
            (written, price_write),
            (self.output, model.price_out),
        ])
    }

    /// The highest possible cost: nothing is read from the cache, everything is written to it.
    /// Limits and reservations use it.
    #[must_use]
    pub fn dearest(self, model: &ModelSettings) -> u64 {
        micros([
            (self.input, model.dearest_in()),
            (self.output, model.price_out),
        ])
    }
}

/// The sum of tokens times price per million, in millionths of a dollar, rounded up.
fn micros<const N: usize>(priced: [(u64, u64); N]) -> u64 {
    let sum: u128 = priced
        .into_iter()
        .map(|(tokens, price)| u128::from(tokens) * u128::from(price))
        .fold(0, u128::saturating_add);
    u64::try_from(sum.div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::ask::CacheTerms;

    pub(in crate::ask) fn model() -> ModelSettings {
        ModelSettings {
            provider: "scripted".to_owned(),
            model: "m".to_owned(),
            temperature_hundredths: 0,
            max_tokens: 100,
            price_in: 3_000_000,
            price_out: 15_000_000,
            cache: None,
        }
    }

    /// Anthropic's list prices of a medium model: cache reads cost a tenth, writes a quarter more.
    pub(in crate::ask) fn caching() -> ModelSettings {
        ModelSettings {
            cache: Some(CacheTerms {
                least_tokens: 1_024,
                price_read: 300_000,
                price_write: 3_750_000,
            }),
            ..model()
        }
    }

    #[test]
    fn costs_are_rounded_up() {
        let tokens = Tokens::new(1, 0);
        assert_eq!(tokens.cost(&model()), 3);
        let none = Tokens::default();
        assert_eq!(none.cost(&model()), 0);
        let cheap = ModelSettings {
            price_in: 1,
            ..model()
        };
        assert_eq!(tokens.cost(&cheap), 1);
    }

    #[test]
    fn cached_tokens_have_prices_of_their_own_and_the_full_one_where_none_is_known() {
        let million = |cached_input, cache_write| Tokens {
            input: 1_000_000,
            output: 0,
            cached_input,
            cache_write,
        };
        for (tokens, known, unknown) in [
            (million(0, 0), 3_000_000, 3_000_000),
            (million(1_000_000, 0), 300_000, 3_000_000),
            (million(0, 1_000_000), 3_750_000, 3_000_000),
            (
                million(400_000, 100_000),
                120_000 + 375_000 + 1_500_000,
                3_000_000,
            ),
            // Cached tokens beyond those sent are ignored.
            (million(u64::MAX, 0), 300_000, 3_000_000),
            (million(900_000, u64::MAX), 270_000 + 375_000, 3_000_000),
        ] {
            assert_eq!(tokens.cost(&caching()), known, "{tokens:?}");
            assert_eq!(tokens.cost(&model()), unknown, "{tokens:?}");
            assert_eq!(tokens.dearest(&caching()), 3_750_000, "{tokens:?}");
            assert_eq!(tokens.dearest(&model()), 3_000_000, "{tokens:?}");
        }
    }

    #[test]
    fn tokens_of_older_records_have_no_cached_ones_and_print_none() {
        let tokens: Tokens = serde_json::from_str(r#"{"input":3,"output":2}"#).unwrap();
        assert_eq!(tokens, Tokens::new(3, 2));
        assert_eq!(
            serde_json::to_string(&tokens).unwrap(),
            r#"{"input":3,"output":2}"#
        );
    }
}
