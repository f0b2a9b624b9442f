//! Points that answers give, as learning platforms want them: the right ones of a choice of
//! several give all of them together.

/// Whether the shares of the right answers, in per cent, add up. Nothing adds up to anything.
pub(crate) fn add_up(shares: &[f64]) -> bool {
    // Platforms compare with two digits after the point: 33.33333 three times is enough.
    const TOLERANCE: f64 = 0.5;
    let given: f64 = shares.iter().filter(|share| **share > 0.0).sum();
    given == 0.0 || (given - 100.0).abs() <= TOLERANCE
}
