//! The key by which a provider routes requests with the same prefix to the server that has it
//! cached. Each key is computed once, because hashing ten kilobytes for every call takes a tenth of
//! the client's time. Knows neither asks nor providers.

use std::sync::{Mutex, PoisonError};

use sha2::{Digest as _, Sha256};

/// A prefix with its key.
struct Made {
    schema: String,
    system: String,
    key: String,
}

/// The most recent keys. There are only a few roles and kinds of content.
static MADE: Mutex<Vec<Made>> = Mutex::new(Vec::new());

const KEPT: usize = 8;

/// The same key for all requests with the same prefix.
pub(super) fn cache_key(system: &str, schema: &str) -> String {
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let known = made
        .iter()
        .find(|made| made.system == system && made.schema == schema);
    if let Some(known) = known {
        return known.key.clone();
    }
    let mut hash = Sha256::new();
    hash.update(schema);
    hash.update([0]);
    hash.update(system);
    let hash = hash.finalize();
    let hex = hash.iter().take(8).map(|byte| format!("{byte:02x}"));
    let key = format!("redraft-{}", hex.collect::<String>());
    if made.len() == KEPT {
        made.remove(0);
    }
    made.push(Made {
        schema: schema.to_owned(),
        system: system.to_owned(),
        key: key.clone(),
    });
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_alike_has_one_key_however_many_others_are_made() {
        let first = cache_key("Be fair.", "{}");
        assert_eq!(cache_key("Be fair.", "{}"), first);
        for other in [("Be fair!", "{}"), ("Be fair.", ""), ("Be fair.{}", "")] {
            assert_ne!(cache_key(other.0, other.1), first);
        }
        for number in 0..2 * KEPT {
            assert_ne!(cache_key(&format!("Be fair {number} times."), "{}"), first);
        }
        assert_eq!(cache_key("Be fair.", "{}"), first);
    }
}
