//! Small charts as SVG. They carry no colours of their own, so that light, dark and printed
//! pages all show them, and every figure that they draw is also written beside them.

use std::fmt::Write as _;

use super::escape::escape;

/// The thresholds of a decision, where they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Thresholds {
    /// From here on a text is accepted.
    pub accept: Option<f64>,
    /// From here on it is good enough where nothing can be repaired.
    pub good_enough: Option<f64>,
}

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 210.0;
const LEFT: f64 = 36.0;
/// Room between the edges of the plot and the first and last point.
const INSET: f64 = 34.0;
const RIGHT: f64 = 108.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 34.0;
/// The height of a threshold's words and value.
const LABEL: f64 = 28.0;

/// The score of each judged version, with the thresholds drawn in; `None` below two scores.
#[must_use]
pub fn score_chart(scores: &[(String, f64)], thresholds: Thresholds) -> Option<String> {
    if scores.len() < 2 {
        return None;
    }
    let lines = [
        ("accepted", thresholds.accept),
        ("good enough", thresholds.good_enough),
    ];
    let all = scores.iter().map(|(_, score)| *score);
    let lowest = all
        .chain(lines.iter().filter_map(|(_, at)| *at))
        .fold(1.0_f64, f64::min);
    // A scale from a tenth below the lowest value, so that small steps are seen.
    let floor = ((lowest - 0.05).max(0.0) * 10.0).floor() / 10.0;
    let y = |score: f64| TOP + (1.0 - (score - floor) / (1.0 - floor)) * (HEIGHT - TOP - BOTTOM);
    let step = (WIDTH - LEFT - RIGHT - 2.0 * INSET) / (scores.len() - 1) as f64;
    let x = |index: usize| LEFT + INSET + step * index as f64;
    let told: Vec<String> = scores
        .iter()
        .map(|(label, score)| format!("{label} {score:.3}"))
        .collect();
    let mut svg = format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Score by round: {}\">",
        escape(&told.join(", "))
    );
    for tick in ticks(floor) {
        let at = y(tick);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/><text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{tick:.1}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0
        );
    }
    let mut lowest_label = f64::NEG_INFINITY;
    for (words, value) in drawn(&lines) {
        let at = y(value);
        // Words keep apart where lines are close.
        let label = at.max(lowest_label + LABEL);
        lowest_label = label;
        let _ = write!(
            svg,
            "<line class=\"threshold\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/><text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\">{words}</text><text class=\"tick strong\" x=\"{:.1}\" y=\"{:.1}\">{value:.2}</text>",
            WIDTH - RIGHT,
            WIDTH - RIGHT + 8.0,
            label - 2.0,
            WIDTH - RIGHT + 8.0,
            label + 11.0
        );
    }
    let points: Vec<String> = scores
        .iter()
        .enumerate()
        .map(|(index, (_, score))| format!("{:.1},{:.1}", x(index), y(*score)))
        .collect();
    let _ = write!(
        svg,
        "<polyline class=\"series\" points=\"{}\"/>",
        points.join(" ")
    );
    for (index, (label, score)) in scores.iter().enumerate() {
        let (x, y) = (x(index), y(*score));
        let _ = write!(
            svg,
            "<circle class=\"point\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"/><text class=\"value\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{score:.3}</text><text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            y - 10.0,
            HEIGHT - 12.0,
            escape(label)
        );
    }
    svg.push_str("</svg>");
    Some(svg)
}

/// The thresholds that there are, the highest first. Two that are the same are one line.
fn drawn(lines: &[(&'static str, Option<f64>); 2]) -> Vec<(&'static str, f64)> {
    let mut drawn: Vec<(&str, f64)> = Vec::new();
    for (words, value) in lines
        .iter()
        .filter_map(|(words, at)| Some((*words, (*at)?)))
    {
        if drawn
            .iter()
            .all(|(_, other)| (other - value).abs() > 0.000_5)
        {
            drawn.push((words, value));
        }
    }
    drawn.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    drawn
}

fn ticks(floor: f64) -> Vec<f64> {
    let first = (floor * 10.0).round() as u32;
    let step = if first < 5 { 2 } else { 1 };
    (first..=10)
        .filter(|tick| (10 - tick) % step == 0)
        .map(|tick| f64::from(tick) / 10.0)
        .collect()
}

/// A value between 0 and 1 as a bar, with a threshold.
pub(super) fn bar(value: f64, threshold: Option<f64>) -> String {
    let class = match threshold {
        Some(threshold) if value < threshold => "value below",
        _ => "value",
    };
    bar_of(class, value, threshold)
}

/// A count as a bar against the largest, with what was expected.
pub(super) fn count_bar(count: f64, expected: Option<f64>, most: f64) -> String {
    let most = most.max(1.0);
    bar_of(
        "value",
        count / most,
        expected.map(|expected| expected / most),
    )
}

fn bar_of(class: &str, value: f64, limit: Option<f64>) -> String {
    let percent = |share: f64| {
        if share.is_nan() {
            0.0
        } else {
            share.clamp(0.0, 1.0) * 100.0
        }
    };
    let mut svg = format!(
        "<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"track\" width=\"100\" height=\"8\"/><rect class=\"{class}\" width=\"{:.1}\" height=\"8\"/>",
        percent(value)
    );
    if let Some(limit) = limit {
        let _ = write!(
            svg,
            "<rect class=\"limit\" x=\"{:.1}\" width=\"0.8\" height=\"8\"/>",
            percent(limit)
        );
    }
    svg.push_str("</svg>");
    svg
}

/// How many scores lie in each tenth, with the threshold of acceptance.
pub(super) fn histogram(scores: &[f64], accept: Option<f64>) -> Option<String> {
    if scores.is_empty() {
        return None;
    }
    let mut tenths = [0_usize; 10];
    for score in scores {
        let tenth = (score.clamp(0.0, 1.0) * 10.0).floor() as usize;
        tenths[tenth.min(9)] += 1;
    }
    let most = tenths.iter().copied().max().unwrap_or(1).max(1) as f64;
    let (left, right, base, top) = (10.0, 390.0, 150.0, 38.0);
    let width = (right - left) / 10.0;
    let told: Vec<String> = tenths
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
        .map(|(tenth, count)| format!("{count} from 0.{tenth}"))
        .collect();
    let mut svg = format!(
        "<svg class=\"chart\" viewBox=\"0 0 400 180\" role=\"img\" aria-label=\"Scores: {}\"><line class=\"axis\" x1=\"{left}\" x2=\"{right}\" y1=\"{base}\" y2=\"{base}\"/>",
        told.join(", ")
    );
    for (tenth, count) in tenths.iter().enumerate() {
        let x = left + width * tenth as f64;
        let height = (base - top) * *count as f64 / most;
        if *count > 0 {
            let _ = write!(
                svg,
                "<rect class=\"column\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\"/><text class=\"value\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{count}</text>",
                x + 3.0,
                base - height,
                width - 6.0,
                x + width / 2.0,
                base - height - 5.0
            );
        }
        let _ = write!(
            svg,
            "<text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">0.{tenth}</text>",
            base + 17.0
        );
    }
    let _ = write!(
        svg,
        "<text class=\"tick\" x=\"{right}\" y=\"{:.1}\" text-anchor=\"middle\">1</text>",
        base + 17.0
    );
    if let Some(accept) = accept {
        let x = left + (right - left) * accept.clamp(0.0, 1.0);
        let _ = write!(
            svg,
            "<line class=\"threshold\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"8\" y2=\"{base}\"/><text class=\"tick\" x=\"{:.1}\" y=\"14\" text-anchor=\"end\">accepted from {accept:.2}</text>",
            x - 5.0
        );
    }
    svg.push_str("</svg>");
    Some(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_shows_every_score_and_threshold() {
        let scores = [
            ("before".to_owned(), 0.796),
            ("round <1>".to_owned(), 0.839),
        ];
        let thresholds = Thresholds {
            accept: Some(0.85),
            good_enough: Some(0.75),
        };
        let svg = score_chart(&scores, thresholds).unwrap_or_default();
        for words in [
            "0.796",
            "0.839",
            "accepted",
            "0.85",
            "0.75",
            "round &lt;1&gt;",
        ] {
            assert!(svg.contains(words), "{words}: {svg}");
        }
        assert_eq!(score_chart(&scores[..1], thresholds), None);
    }

    #[test]
    fn the_words_of_thresholds_never_overlap() {
        let scores = [("before".to_owned(), 0.80), ("round 1".to_owned(), 0.84)];
        let drawn = |accept: f64, good_enough: f64| {
            let thresholds = Thresholds {
                accept: Some(accept),
                good_enough: Some(good_enough),
            };
            score_chart(&scores, thresholds).unwrap_or_default()
        };
        assert!(!drawn(0.9, 0.9).contains("good enough"));
        for (accept, good_enough) in [(0.90, 0.89), (0.85, 0.90), (0.9, 0.5)] {
            let svg = drawn(accept, good_enough);
            let height = |words: &str| -> f64 {
                let (before, _) = svg.split_once(&format!("\">{words}<")).unwrap();
                let (_, at) = before.rsplit_once("y=\"").unwrap();
                at.parse().unwrap()
            };
            let apart = (height("accepted") - height("good enough")).abs();
            assert!(apart >= LABEL - 0.1, "{accept} {good_enough}: {apart}");
        }
    }

    #[test]
    fn odd_values_stay_on_the_chart() {
        for value in [f64::NAN, -3.0, 0.0, 1.0, 7.0] {
            let svg = bar(value, Some(value));
            assert!(!svg.contains("width=\"-"), "{svg}");
            assert!(histogram(&[value], Some(value)).is_some());
        }
    }
}
