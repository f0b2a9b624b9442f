//! Chance that can be repeated: what a die shows follows from its name alone, not
//! from who threw before. So a simulation on two threads, or of one document by
//! itself, throws the same.

/// A named source of chance.
#[derive(Clone, Debug)]
pub(crate) struct Dice {
    state: u64,
}

impl Dice {
    /// The dice of a name: the seed, and what they are thrown for.
    pub(crate) fn new(seed: u64, name: &[&str]) -> Self {
        let mut state = mixed(seed ^ 0x9e37_79b9_7f4a_7c15);
        for part in name {
            for byte in part.bytes() {
                state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
            state = mixed(state ^ 0x00ff_51af_d7ed_558c);
        }
        Self { state }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.state)
    }

    /// A number from 0 up to, but not including, 1.
    pub(crate) fn share(&mut self) -> f64 {
        // 53 bits are what a double holds.
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Whether something of this probability happens.
    pub(crate) fn happens(&mut self, probability: f64) -> bool {
        self.share() < probability
    }

    /// A number below this one; 0 where there is none.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        let most = most.max(1);
        ((self.share() * most as f64) as usize).min(most - 1)
    }

    /// A number of a range, both ends included.
    pub(crate) fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most.saturating_sub(least) + 1)
    }

    pub(crate) fn one_of<T: Copy>(&mut self, several: &[T]) -> T {
        several[self.below(several.len())]
    }

    /// A normally distributed number (Box and Muller).
    pub(crate) fn normal(&mut self, mean: f64, deviation: f64) -> f64 {
        let radius = (-2.0 * (1.0 - self.share()).ln()).sqrt();
        let angle = std::f64::consts::TAU * self.share();
        mean + deviation * radius * angle.cos()
    }
}

/// Every bit of the input moves every bit of the output (splitmix64).
fn mixed(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_name_throws_the_same_and_another_throws_another() {
        let throw = |seed, name: &[&str]| Dice::new(seed, name).next();
        assert_eq!(throw(1, &["a", "b"]), throw(1, &["a", "b"]));
        for other in [
            throw(2, &["a", "b"]),
            throw(1, &["ab"]),
            throw(1, &["b", "a"]),
        ] {
            assert_ne!(throw(1, &["a", "b"]), other);
        }
    }

    #[test]
    fn noise_has_the_deviation_that_was_asked_for() {
        let mut dice = Dice::new(1, &["noise"]);
        let thrown: Vec<f64> = (0..20_000).map(|_| dice.normal(0.5, 0.03)).collect();
        let mean = thrown.iter().sum::<f64>() / 20_000.0;
        let variance = thrown.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 20_000.0;
        assert!((mean - 0.5).abs() < 0.001, "{mean}");
        assert!((variance.sqrt() - 0.03).abs() < 0.001, "{variance}");
    }
}
