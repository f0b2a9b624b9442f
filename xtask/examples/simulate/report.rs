//! What is told of a simulation: figures beside their goals, and tables of where
//! documents end. Plain text for people, JSON for programs; the same seed gives
//! the same bytes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::figures::{Figure, share};
use crate::frozen;

/// What a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Share,
    Number,
    Tokens,
    Dollars,
}

/// What a figure has to be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    Above(f64),
    Below(f64),
    Between(f64, f64),
}

impl Goal {
    fn holds(self, value: f64) -> bool {
        match self {
            Self::Above(least) => value > least,
            Self::Below(most) => value < most,
            Self::Between(least, most) => value > least && value < most,
        }
    }

    /// Met, missed, or met only by the figure and not by its whole interval.
    fn verdict(self, figure: Figure) -> &'static str {
        let whole = self.holds(figure.low) && self.holds(figure.high);
        match (self.holds(figure.value), whole) {
            (true, true) => "met",
            (true, false) => "met, not by the whole interval",
            (false, _) => "MISSED",
        }
    }
}

/// A figure with its name.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) figure: Figure,
    pub(crate) unit: Unit,
    pub(crate) goal: Option<Goal>,
}

impl Line {
    pub(crate) fn new(name: impl Into<String>, figure: Figure, unit: Unit) -> Self {
        Self {
            name: name.into(),
            figure,
            unit,
            goal: None,
        }
    }

    pub(crate) fn share(name: impl Into<String>, holds: usize, of: usize) -> Self {
        Self::new(name, share(holds, of), Unit::Share)
    }

    pub(crate) fn goal(mut self, goal: Goal) -> Self {
        self.goal = Some(goal);
        self
    }
}

/// Figures under a heading.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) lines: Vec<Line>,
}

/// The same figures of several variants, side by side.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub(crate) title: String,
    pub(crate) columns: &'static [(&'static str, Unit)],
    pub(crate) rows: Vec<(&'static str, Vec<Figure>)>,
}

/// A whole report.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(crate) seed: u64,
    pub(crate) sections: Vec<Section>,
    pub(crate) grids: Vec<Grid>,
}

impl Report {
    /// The goals that are missed, by what they are goals of.
    pub(crate) fn missed(&self) -> Vec<String> {
        let lines = self.sections.iter().flat_map(|section| {
            let named = |line| (section.title.as_str(), line);
            section.lines.iter().map(named)
        });
        let is_missed = |line: &Line| {
            let goal = line.goal;
            goal.is_some_and(|goal| !goal.holds(line.figure.value))
        };
        lines
            .filter(|(_, line)| is_missed(line))
            .map(|(title, line)| format!("{title}: {}", line.name.trim()))
            .collect()
    }

    /// For people.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("Simulation, seed {}, {}\n", self.seed, frozen::told());
        for section in &self.sections {
            let _ = writeln!(text, "\n{}\n", section.title);
            for line in &section.lines {
                let goal = match line.goal {
                    None => String::new(),
                    Some(goal) => {
                        let bounds = match goal {
                            Goal::Above(figure) => format!("> {}", written(figure, line.unit)),
                            Goal::Below(figure) => format!("< {}", written(figure, line.unit)),
                            Goal::Between(low, high) => {
                                let [low, high] = [low, high].map(|one| written(one, line.unit));
                                format!("{low} to {high}")
                            }
                        };
                        format!("   goal {bounds}: {}", goal.verdict(line.figure))
                    }
                };
                let _ = writeln!(
                    text,
                    "  {:<58} {:>8}  [{} – {}] of {}{goal}",
                    line.name,
                    written(line.figure.value, line.unit),
                    written(line.figure.low, line.unit),
                    written(line.figure.high, line.unit),
                    line.figure.of,
                );
            }
        }
        for grid in &self.grids {
            text.push_str(&grid.text());
        }
        text
    }

    /// For programs.
    pub(crate) fn json(&self) -> Value {
        let sections: Vec<Value> = self
            .sections
            .iter()
            .map(|section| {
                let lines: Vec<Value> = section.lines.iter().map(line_json).collect();
                json!({"title": section.title, "figures": lines})
            })
            .collect();
        let grids: Vec<Value> = self.grids.iter().map(Grid::json).collect();
        json!({"seed": self.seed, "world": frozen::world(), "sections": sections, "grids": grids})
    }
}

impl Grid {
    fn text(&self) -> String {
        let mut text = format!("\n{}\n\n  {:<58}", self.title, "");
        for (name, _) in self.columns {
            let _ = write!(text, " {name:>15}");
        }
        for (name, figures) in &self.rows {
            let _ = write!(text, "\n  {name:<58}");
            for (figure, (_, unit)) in figures.iter().zip(self.columns) {
                let half = (figure.high - figure.low) / 2.0;
                let cell = format!("{} ±{}", written(figure.value, *unit), written(half, *unit));
                let _ = write!(text, " {:>15}", cell.replace("%", ""));
            }
        }
        text.push('\n');
        text
    }

    fn json(&self) -> Value {
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|(name, figures)| {
                let lines = figures.iter().zip(self.columns);
                let lines: Vec<Value> = lines
                    .map(|(figure, (name, unit))| line_json(&Line::new(*name, *figure, *unit)))
                    .collect();
                json!({"name": name, "figures": lines})
            })
            .collect();
        json!({"title": self.title, "rows": rows})
    }
}

fn line_json(line: &Line) -> Value {
    let rounded = |value: f64| (value * 10_000.0).round() / 10_000.0;
    let mut value = json!({
        "name": line.name,
        "value": rounded(line.figure.value),
        "low": rounded(line.figure.low),
        "high": rounded(line.figure.high),
        "of": line.figure.of,
    });
    if let Some(goal) = line.goal {
        value["goal"] = match goal {
            Goal::Above(figure) => json!({ "above": figure }),
            Goal::Below(figure) => json!({ "below": figure }),
            Goal::Between(low, high) => json!({ "above": low, "below": high }),
        };
        value["verdict"] = json!(goal.verdict(line.figure));
    }
    value
}

fn written(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Share => format!("{:.1}%", value * 100.0),
        Unit::Number => format!("{value:.3}"),
        Unit::Tokens => format!("{value:.0}"),
        Unit::Dollars => format!("${value:.4}"),
    }
}

/// Shares of names, the most frequent first.
pub(crate) fn shares(names: impl Iterator<Item = String>) -> Vec<Line> {
    let mut counted: BTreeMap<String, usize> = BTreeMap::new();
    let mut of = 0;
    for name in names {
        *counted.entry(name).or_default() += 1;
        of += 1;
    }
    let mut counted: Vec<(String, usize)> = counted.into_iter().collect();
    counted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counted
        .into_iter()
        .map(|(name, count)| Line::share(name, count, of))
        .collect()
}
