//! Statistical tests: how likely the keys of a bank are by chance. Both tests accept
//! items with different numbers of options, and both are deterministic: random
//! numbers come from a generator with a fixed seed. They see counts, not items.

use std::collections::BTreeMap;
use std::sync::Mutex;

/// Keys by position, for each number of options.
pub type Positions = BTreeMap<usize, Vec<u64>>;

/// How unevenly the keys of a bank are spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionBias {
    /// Items with a key.
    pub items: u64,
    /// The probability of this spread, or a less even one, by chance.
    pub p_value: f64,
    /// Cohen's w: .1 is small, .3 medium, .5 large.
    pub effect: f64,
    /// The most over-represented position.
    pub position: usize,
    /// The keys at that position.
    pub keys: u64,
    /// The keys expected there by chance.
    pub expected: f64,
}

/// Up to this many items the spread is compared with simulated ones; above that the
/// chi-squared distribution is accurate enough.
const SIMULATED: u64 = 1_000;

/// Keys drawn in total, and the minimum and maximum number of simulated banks. The
/// smaller a bank, the more are simulated, so that a p-value near .025 is accurate
/// to .001 for a bank of 30 and to .004 for one of 1,000.
const DRAWN: u64 = 1_000_000;
const ROUNDS: (u64, u64) = (2_000, 20_000);

/// Tests whether keys are spread evenly over the positions. The statistic is
/// Pearson's chi-squared, summed over the groups of items that have the same
/// number of options; an item's key is equally likely at each of its positions.
#[must_use]
pub fn position_bias(positions: &Positions) -> Option<PositionBias> {
    let items: u64 = positions.values().flatten().sum();
    if items == 0 {
        return None;
    }
    let observed = statistic(
        positions
            .iter()
            .map(|(options, counts)| (*options, &counts[..])),
    );
    let p_value = if items <= SIMULATED {
        simulated_p(positions, observed)
    } else {
        let freedom: usize = positions
            .iter()
            .filter(|(_, counts)| counts.iter().sum::<u64>() > 0)
            .map(|(options, _)| options.saturating_sub(1))
            .sum();
        chi_squared_above(observed, freedom)
    };
    let (position, keys, expected) = most_favoured(positions)?;
    Some(PositionBias {
        items,
        p_value,
        effect: (observed / number(items)).sqrt(),
        position,
        keys,
        expected,
    })
}

/// The keys at each position, and the number expected by chance.
#[must_use]
pub fn by_position(positions: &Positions) -> Vec<(u64, f64)> {
    let most = positions.keys().max().copied().unwrap_or(0);
    let mut sums = vec![(0, 0.0); most];
    for (options, counts) in positions {
        let share = number(counts.iter().sum()) / count(*options);
        for (sum, keys) in sums.iter_mut().zip(counts) {
            sum.0 += keys;
        }
        for sum in sums.iter_mut().take(*options) {
            sum.1 += share;
        }
    }
    sums
}

fn most_favoured(positions: &Positions) -> Option<(usize, u64, f64)> {
    by_position(positions)
        .into_iter()
        .enumerate()
        .filter(|(_, (_, expected))| *expected > 0.0)
        .max_by(|a, b| {
            let ahead = |(keys, expected): (u64, f64)| (number(keys) - expected) / expected.sqrt();
            ahead(a.1).total_cmp(&ahead(b.1))
        })
        .map(|(position, (keys, expected))| (position, keys, expected))
}

fn statistic<'a>(groups: impl Iterator<Item = (usize, &'a [u64])>) -> f64 {
    groups
        .map(|(options, counts)| {
            let expected = number(counts.iter().sum()) / count(options);
            if expected == 0.0 {
                return 0.0;
            }
            counts
                .iter()
                .map(|keys| (number(*keys) - expected).powi(2) / expected)
                .sum::<f64>()
        })
        .sum()
}

/// The simulation of these keys. A bank is tested by a check and for its report, so that the
/// last answer is kept.
fn simulated_p(positions: &Positions, observed: f64) -> f64 {
    static LAST: Mutex<Option<(Positions, f64)>> = Mutex::new(None);
    let known = LAST.lock().ok().and_then(|last| {
        let (before, p_value) = last.as_ref()?;
        (before == positions).then_some(*p_value)
    });
    known.unwrap_or_else(|| {
        let p_value = simulate(positions, observed);
        if let Ok(mut last) = LAST.lock() {
            *last = Some((positions.clone(), p_value));
        }
        p_value
    })
}

fn simulate(positions: &Positions, observed: f64) -> f64 {
    let mut generator = Generator::new(0x6b65_7973);
    let groups: Vec<(usize, u64)> = positions
        .iter()
        .map(|(options, counts)| (*options, counts.iter().sum()))
        .collect();
    let mut drawn: Vec<Vec<u64>> = groups
        .iter()
        .map(|(options, _)| vec![0; *options])
        .collect();
    let items: u64 = groups.iter().map(|(_, items)| items).sum();
    let rounds = (DRAWN / items.max(1)).clamp(ROUNDS.0, ROUNDS.1);
    let mut as_uneven: u64 = 0;
    for _ in 0..rounds {
        for ((options, items), counts) in groups.iter().zip(&mut drawn) {
            counts.fill(0);
            for _ in 0..*items {
                counts[generator.below(*options)] += 1;
            }
        }
        let groups = groups.iter().zip(&drawn);
        let statistic = statistic(groups.map(|((options, _), counts)| (*options, &counts[..])));
        // Equal statistics may differ in their last digit.
        as_uneven += u64::from(statistic >= observed - 1e-9);
    }
    number(as_uneven + 1) / number(rounds + 1)
}

/// How often the key is the longest option, compared with chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthCue {
    /// Items with a single longest option.
    pub items: u64,
    /// The items of these in which it is the key.
    pub longest: u64,
    /// The share expected by chance.
    pub chance: f64,
    /// The probability of at least as many by chance.
    pub p_value: f64,
    /// The 95% interval of the share (Wilson).
    pub interval: (f64, f64),
}

impl LengthCue {
    /// The share of items in which the longest option is the key.
    #[must_use]
    pub fn rate(&self) -> f64 {
        number(self.longest) / number(self.items)
    }
}

/// Items with a single longest option, and those in which it is the key, by number
/// of options.
pub type Lengths = BTreeMap<usize, (u64, u64)>;

/// Up to this many items the probability is exact.
const EXACT: u64 = 2_000;

/// Tests whether the longest option is the key more often than by chance.
#[must_use]
pub fn length_cue(lengths: &Lengths) -> Option<LengthCue> {
    let items: u64 = lengths.values().map(|(items, _)| items).sum();
    let longest: u64 = lengths.values().map(|(_, longest)| longest).sum();
    if items == 0 {
        return None;
    }
    let expected: f64 = lengths
        .iter()
        .map(|(options, (items, _))| number(*items) / count(*options))
        .sum();
    let p_value = if items <= EXACT {
        exact_above(lengths, longest)
    } else {
        let variance: f64 = lengths
            .iter()
            .map(|(options, (items, _))| {
                let chance = 1.0 / count(*options);
                number(*items) * chance * (1.0 - chance)
            })
            .sum();
        normal_above((number(longest) - 0.5 - expected) / variance.sqrt())
    };
    Some(LengthCue {
        items,
        longest,
        chance: expected / number(items),
        p_value,
        interval: wilson(longest, items),
    })
}

/// The probability of `least` hits or more, from the exact distribution of hits.
fn exact_above(lengths: &Lengths, least: u64) -> f64 {
    let mut hits = vec![1.0_f64];
    for (options, (items, _)) in lengths {
        let chance = 1.0 / count(*options);
        for _ in 0..*items {
            hits.resize(hits.len() + 1, 0.0);
            for number in (0..hits.len()).rev() {
                let one_less = number.checked_sub(1).map_or(0.0, |less| hits[less]);
                hits[number] = hits[number] * (1.0 - chance) + one_less * chance;
            }
        }
    }
    let from = usize::try_from(least).unwrap_or(usize::MAX);
    hits.iter().skip(from).sum::<f64>().min(1.0)
}

/// Wilson's 95% interval of a share.
fn wilson(hits: u64, of: u64) -> (f64, f64) {
    const Z: f64 = 1.96;
    let (n, share) = (number(of), number(hits) / number(of));
    let centre = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (
        ((centre - half) / scale).max(0.0),
        ((centre + half) / scale).min(1.0),
    )
}

/// The normal distribution above `z`, by Abramowitz and Stegun 26.2.17.
fn normal_above(z: f64) -> f64 {
    if z < 0.0 {
        return 1.0 - normal_above(-z);
    }
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let series = t
        * (0.319_381_530
            + t * (-0.356_563_782
                + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() * series
}

/// The chi-squared distribution above `x`, by Wilson and Hilferty; accurate to a few
/// thousandths, used for large banks only.
fn chi_squared_above(x: f64, freedom: usize) -> f64 {
    if freedom == 0 {
        return 1.0;
    }
    let k = count(freedom);
    let spread = 2.0 / (9.0 * k);
    normal_above(((x / k).cbrt() - (1.0 - spread)) / spread.sqrt())
}

#[expect(clippy::cast_precision_loss, reason = "counts of items")]
fn number(count: u64) -> f64 {
    count as f64
}

#[expect(clippy::cast_precision_loss, reason = "counts of options")]
fn count(options: usize) -> f64 {
    options.max(1) as f64
}

/// Random numbers that are the same on every machine and in every run (SplitMix64).
#[derive(Clone, Debug)]
pub struct Generator(u64);

impl Generator {
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub const fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below a bound; 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.next_number()) * bound as u128;
        usize::try_from(wide >> 64).unwrap_or(0)
    }

    /// A number from 0 to 1.
    pub fn share(&mut self) -> f64 {
        number(self.next_number() >> 11) / number(1 << 53)
    }
}

/// Mixes the bits of a number.
#[must_use]
pub const fn mix(number: u64) -> u64 {
    let z = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_of_the_distributions() {
        let close = |a: f64, b: f64, by: f64| assert!((a - b).abs() < by, "{a} {b}");
        close(normal_above(1.96), 0.025, 1e-4);
        close(normal_above(-1.0), 0.841_34, 1e-4);
        // Tables of the chi-squared distribution.
        close(chi_squared_above(7.815, 3), 0.05, 3e-3);
        close(chi_squared_above(13.277, 4), 0.01, 2e-3);
        // 6 or more sixes in 10 throws: 0.002438.
        let sixes = Lengths::from([(6, (10, 6))]);
        close(length_cue(&sixes).unwrap().p_value, 0.002_438, 1e-6);
        let (low, high) = wilson(10, 40);
        close(low, 0.1419, 1e-3);
        close(high, 0.4019, 1e-3);
        // Pearson's statistic 12 with 3 degrees of freedom: .0074.
        let skewed = Positions::from([(4, vec![40, 20, 20, 20])]);
        close(position_bias(&skewed).unwrap().p_value, 0.0074, 5e-3);
    }

    #[test]
    fn an_even_bank_is_unremarkable_and_a_one_sided_one_is_not() {
        let even = Positions::from([(4, vec![10, 10, 10, 10]), (5, vec![4, 4, 4, 4, 4])]);
        assert!(position_bias(&even).unwrap().p_value > 0.99);
        let one = Positions::from([(4, vec![0, 40, 0, 0])]);
        let bias = position_bias(&one).unwrap();
        assert!(bias.p_value < 0.001 && (bias.position, bias.keys) == (1, 40));
        assert_eq!(position_bias(&Positions::new()), None);
        let zero = Positions::from([(4, vec![0, 0, 0, 0])]);
        assert_eq!(position_bias(&zero), None);
    }

    /// The share of `banks` banks that each test reports. `favoured` is the share
    /// of keys on one letter, `longer` the share of keys that are the longest
    /// option; 0.25 is chance. Every third item has five options.
    fn alarms(items: usize, banks: usize, favoured: f64, longer: f64) -> (f64, f64) {
        let mut generator = Generator::new(5 + items as u64);
        let (mut position, mut length) = (0, 0);
        for _ in 0..banks {
            let mut keys = Positions::from([(4, vec![0; 4]), (5, vec![0; 5])]);
            let mut lengths = Lengths::from([(4, (0, 0)), (5, (0, 0))]);
            for item in 0..items {
                let options = if item % 3 == 0 { 5 } else { 4 };
                let chance = 1.0 / count(options);
                let planted = |share: f64| (share - 0.25).max(0.0) / 0.75;
                let key = if generator.share() < planted(favoured) {
                    1
                } else {
                    generator.below(options)
                };
                keys.get_mut(&options).unwrap()[key] += 1;
                let hit = generator.share() < planted(longer) || generator.share() < chance;
                let of_length = lengths.get_mut(&options).unwrap();
                of_length.0 += 1;
                of_length.1 += u64::from(hit);
            }
            position += u32::from(position_bias(&keys).unwrap().p_value < 0.025);
            length += u32::from(length_cue(&lengths).unwrap().p_value < 0.025);
        }
        let share = |number: u32| f64::from(number) / count(banks);
        (share(position), share(length))
    }

    #[test]
    fn unbiased_banks_raise_few_alarms_and_biased_ones_are_found() {
        for (items, banks) in [(30, 200), (100, 60), (1_000, 20)] {
            let (position, length) = alarms(items, banks, 0.25, 0.25);
            assert!(
                position <= 0.05 && length <= 0.05,
                "{items}: {position} {length}"
            );
        }
        let (position, length) = alarms(100, 40, 0.5, 0.5);
        assert!(position > 0.95 && length > 0.95, "{position} {length}");
    }
}
