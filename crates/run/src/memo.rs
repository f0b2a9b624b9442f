//! A small cache for values that are needed for one document after another. The value must be a
//! pure function of its key, so that no caller can tell whether it was cached.

use std::sync::{Arc, Mutex, PoisonError};

/// The last few values of a function.
#[derive(Debug)]
pub struct Memo<K, V> {
    known: Mutex<Vec<(K, Arc<V>)>>,
}

/// A process uses one rubric or a few. Searching the list must stay cheaper than computing the
/// value.
const MOST: usize = 8;

impl<K, V> Memo<K, V> {
    #[must_use]
    pub const fn new() -> Self {
        Self {
            known: Mutex::new(Vec::new()),
        }
    }

    /// The value for the key that `is` recognises. If it is unknown, `make` computes both.
    ///
    /// # Errors
    /// The errors of `make`. They are not cached.
    pub fn get<E>(
        &self,
        is: impl Fn(&K) -> bool,
        make: impl FnOnce() -> Result<(K, V), E>,
    ) -> Result<Arc<V>, E> {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, value)) = lock().iter().find(|(key, _)| is(key)) {
            return Ok(Arc::clone(value));
        }
        let (key, value) = make()?;
        let value = Arc::new(value);
        let mut known = lock();
        if known.len() >= MOST {
            known.remove(0);
        }
        known.push((key, Arc::clone(&value)));
        Ok(value)
    }
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn a_value_is_worked_out_once_while_it_is_remembered() {
        let squares = Memo::new();
        let worked_out = Cell::new(0);
        let square = |number: usize| {
            let value = squares.get(
                |key| *key == number,
                || {
                    worked_out.set(worked_out.get() + 1);
                    Ok::<_, Infallible>((number, number * number))
                },
            );
            *value.unwrap()
        };
        assert_eq!((square(3), square(3), worked_out.get()), (9, 9, 1));
        for number in 10..10 + MOST {
            assert_eq!(square(number), number * number);
        }
        // The oldest entry was evicted, the newest was not.
        assert_eq!((square(10 + MOST - 1), worked_out.get()), (17 * 17, 9));
        assert_eq!((square(3), worked_out.get()), (9, 10));
    }

    #[test]
    fn what_went_wrong_is_not_remembered() {
        let values: Memo<u8, u8> = Memo::new();
        assert_eq!(values.get(|_| true, || Err("no")), Err("no"));
        let second = values.get(|_| true, || Ok::<_, &str>((1, 2)));
        assert_eq!(second.as_deref(), Ok(&2));
    }
}
