//! Figures with their intervals of 95%: Wilson's for shares, the bootstrap for
//! means and for quotients of sums. They know nothing of texts.

use crate::dice::Dice;

/// A figure and the interval around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Figure {
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// How many it was made from.
    pub(crate) of: usize,
}

/// The share of those for which something holds.
pub(crate) fn share(holds: usize, of: usize) -> Figure {
    // Two-sided 95% of the normal distribution.
    const Z: f64 = 1.96;
    let (k, n) = (holds as f64, of as f64);
    if of == 0 {
        return Figure {
            value: 0.0,
            low: 0.0,
            high: 1.0,
            of,
        };
    }
    let p = k / n;
    let middle = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    Figure {
        value: p,
        low: (middle - half).max(0.0),
        high: (middle + half).min(1.0),
        of,
    }
}

pub(crate) fn mean(values: &[f64]) -> Figure {
    let pairs: Vec<(f64, f64)> = values.iter().map(|value| (*value, 1.0)).collect();
    quotient(&pairs)
}

/// The sum of the first by the sum of the second.
pub(crate) fn quotient(pairs: &[(f64, f64)]) -> Figure {
    const RESAMPLES: usize = 1_000;
    let of = |chosen: &mut dyn Iterator<Item = &(f64, f64)>| {
        let (above, below) = chosen.fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
        if below == 0.0 { 0.0 } else { above / below }
    };
    let mut dice = Dice::new(pairs.len() as u64, &["bootstrap"]);
    let mut resampled: Vec<f64> = (0..RESAMPLES)
        .map(|_| of(&mut (0..pairs.len()).filter_map(|_| pairs.get(dice.below(pairs.len())))))
        .collect();
    resampled.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = (share * (RESAMPLES - 1) as f64).round() as usize;
        resampled.get(index).copied().unwrap_or_default()
    };
    Figure {
        value: of(&mut pairs.iter()),
        low: at(0.025),
        high: at(0.975),
        of: pairs.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_has_the_interval_of_the_textbook() {
        // Wilson's interval of 8 in 10.
        let figure = share(8, 10);
        assert!((figure.low - 0.490).abs() < 0.001, "{figure:?}");
        assert!((figure.high - 0.943).abs() < 0.001, "{figure:?}");
        assert_eq!(share(0, 0).value, 0.0);
    }

    #[test]
    fn a_mean_lies_in_its_interval_and_the_interval_shrinks() {
        let values = |n: usize| -> Vec<f64> { (0..n).map(|i| (i % 7) as f64).collect() };
        let (few, many) = (mean(&values(70)), mean(&values(7_000)));
        for figure in [few, many] {
            assert!(figure.low <= figure.value && figure.value <= figure.high);
            assert!((figure.value - 3.0).abs() < 1e-9);
        }
        assert!(many.high - many.low < few.high - few.low);
    }
}
