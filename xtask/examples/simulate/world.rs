//! The hidden truth about a text. Every planted defect is a sentence that the
//! world recognises wherever it stands, so that any text has a true quality: the
//! one that came in, a repaired one, one that was written anew, and one that was
//! put back byte for byte. Nothing here knows what redraft does with a text.

use std::ops::Range;

use redraft_run::rubric::Rubric;

/// How bad a defect is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    Minor,
    Major,
    Critical,
}

impl Severity {
    pub(crate) const ALL: [Self; 3] = [Self::Minor, Self::Major, Self::Critical];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Minor => "minor",
            Self::Major => "major",
            Self::Critical => "critical",
        }
    }

    fn index(self) -> usize {
        match self {
            Self::Minor => 0,
            Self::Major => 1,
            Self::Critical => 2,
        }
    }
}

/// Where a defect can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Among the sentences of any running text.
    Prose,
    /// In the fields whose name ends like this.
    Field(&'static str),
    /// Where the generator of damage puts it; the free checks see it.
    Damage,
}

/// A kind of defect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// The criterion that it lowers.
    pub(crate) criterion: &'static str,
    pub(crate) severity: Severity,
    pub(crate) place: Place,
    /// Two wordings: a repair that fails turns one into the other. `{}` stands for
    /// a term; what follows it ends the sentence and occurs nowhere else.
    pub(crate) wordings: [&'static str; 2],
    /// What a judge says about it.
    pub(crate) said: &'static str,
    /// What a judge wants to be done.
    pub(crate) fix: &'static str,
    /// Whether a judge quotes it; what is missing cannot be quoted.
    pub(crate) is_quoted: bool,
    /// The free check that sees it, too, where there is one.
    pub(crate) check: &'static str,
}

/// A kind of defect that a judge can quote and no free check sees.
pub(crate) const fn kind(
    criterion: &'static str,
    severity: Severity,
    place: Place,
    wordings: [&'static str; 2],
    said: &'static str,
    fix: &'static str,
) -> Kind {
    Kind {
        criterion,
        severity,
        place,
        wordings,
        said,
        fix,
        is_quoted: true,
        check: "",
    }
}

impl Kind {
    pub(crate) fn sentence(&self, wording: usize, term: &str) -> String {
        self.wordings[wording % 2].replace("{}", term)
    }
}

/// A defect in a text.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) kind: &'static Kind,
    pub(crate) wording: usize,
    /// Its sentence.
    pub(crate) range: Range<usize>,
    pub(crate) sentence: String,
    /// The term that it speaks of.
    pub(crate) term: String,
}

/// All defects in a text, in their order.
pub(crate) fn defects(kinds: &'static [Kind], text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for kind in kinds {
        for (wording, template) in kind.wordings.iter().enumerate() {
            let (head, tail) = template.split_once("{}").unwrap_or((template, ""));
            let marker = if tail.is_empty() { head } else { tail };
            for (at, _) in text.match_indices(marker) {
                let end = at + marker.len();
                let before = text.get(..at).unwrap_or_default();
                let start = match tail.is_empty() {
                    true => Some(at),
                    false => before.rfind(head),
                };
                let Some(start) = start else { continue };
                let term = text.get(start + head.len()..at).unwrap_or_default();
                found.push(Found {
                    kind,
                    wording,
                    range: start..end,
                    sentence: text.get(start..end).unwrap_or_default().to_owned(),
                    term: term.to_owned(),
                });
            }
        }
    }
    found.sort_by_key(|defect| defect.range.start);
    found
}

/// How good a text truly is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Truth {
    /// By criterion, in the rubric's order.
    pub(crate) scores: Vec<f64>,
    /// The weighted mean.
    pub(crate) overall: f64,
    /// How many defects it has.
    pub(crate) defects: usize,
    /// Whether one of them is critical.
    pub(crate) has_critical: bool,
}

/// What is good about a text without any defect, and what each defect costs.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    /// By criterion, in the rubric's order: nothing is perfect, and some subjects
    /// are harder to teach than others.
    pub(crate) base: Vec<f64>,
    /// What a minor, a major and a critical defect take off their criterion: the
    /// steps between the anchors of the profile's rubric.
    pub(crate) costs: [f64; 3],
}

/// The least that a criterion can come to.
const FLOOR: f64 = 0.2;

impl Scale {
    /// The truth about a text with these defects.
    pub(crate) fn truth(&self, rubric: &Rubric, defects: &[Found]) -> Truth {
        let (mut sum, mut weights) = (0.0, 0.0);
        let mut scores = Vec::new();
        for (criterion, base) in rubric.criteria.iter().zip(&self.base) {
            let lost: f64 = defects
                .iter()
                .filter(|defect| defect.kind.criterion == criterion.name)
                .map(|defect| self.costs[defect.kind.severity.index()])
                .sum();
            let score = (base - lost).max(FLOOR);
            scores.push(score);
            sum += score * f64::from(criterion.weight);
            weights += f64::from(criterion.weight);
        }
        Truth {
            scores,
            overall: sum / weights,
            defects: defects.len(),
            has_critical: defects
                .iter()
                .any(|defect| defect.kind.severity == Severity::Critical),
        }
    }
}
