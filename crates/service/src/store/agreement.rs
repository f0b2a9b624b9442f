//! How far reviewers agree, over all texts that two of them decided for themselves.
//!
//! Of each text the first decisions of the first two reviewers count: later ones were made
//! with the others in sight. Whoever could not decide has not decided.

use std::collections::BTreeMap;

use redraft_run::agreement::{Metric, Undefined, alpha};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Store, StoreError, Verb};
use crate::sql::{Row, SqlError, Value};

/// How far reviewers agree.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct Agreement {
    /// Texts that two reviewers decided.
    pub texts: usize,
    /// Those about which they decided the same.
    pub agreed: usize,
    /// Krippendorff's alpha of the decisions, which are names.
    pub alpha: Option<f64>,
    /// Why there is no alpha.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined_because: Option<String>,
    /// Everybody who may review or has reviewed, by name.
    pub reviewers: Vec<Reviewer>,
}

/// What a reviewer has done.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Reviewer {
    /// The name of the key.
    pub name: String,
    /// Texts that they decided, alone or with others.
    pub decided: usize,
    /// Those that were decided by another reviewer, too.
    pub shared: usize,
    /// Of the shared ones those about which both decided the same.
    pub agreed: usize,
    /// Whether a text can be assigned to them.
    pub is_active: bool,
}

/// A decision: about which text, by whom, and what.
struct Said {
    text: (String, i64),
    by: String,
    kind: String,
}

impl Store {
    /// How far the reviewers of a tenant agree.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn agreement(&self, tenant: &str) -> Result<Agreement, StoreError> {
        let active = self.reviewers(tenant).await?;
        let values: [Value; 2] = [tenant.into(), Verb::CannotDecide.name().into()];
        let rows = self.database.read(move |sql| {
            sql.rows(
                "SELECT decisions.run, since, reviewer, kind FROM decisions \
                 JOIN runs ON runs.id = decisions.run \
                 WHERE tenant = $1 AND since > 0 AND kind <> $2 \
                 ORDER BY decisions.run, since, number",
                &values,
            )
        });
        let said = |row: &Row| {
            Ok(Said {
                text: (row.text(0)?, row.int(1)?),
                by: row.text(2)?,
                kind: row.text(3)?,
            })
        };
        let rows = rows.await?;
        let said = rows
            .iter()
            .map(said)
            .collect::<Result<Vec<_>, SqlError>>()?;
        Ok(agreement(&said, active))
    }
}

/// Decisions about a text are adjacent, in their order.
fn agreement(said: &[Said], active: Vec<String>) -> Agreement {
    let mut people: BTreeMap<String, Reviewer> = BTreeMap::new();
    for name in active {
        people.entry(name).or_default().is_active = true;
    }
    let mut pairs: Vec<[f64; 2]> = Vec::new();
    let mut kinds: Vec<&str> = Vec::new();
    let mut agreed = 0;
    for text in said.chunk_by(|a, b| a.text == b.text) {
        let mut first: Vec<&Said> = Vec::new();
        for one in text {
            if first.iter().all(|other| other.by != one.by) {
                first.push(one);
            }
        }
        for one in &first {
            people.entry(one.by.clone()).or_default().decided += 1;
        }
        let [one, other, ..] = first.as_slice() else {
            continue;
        };
        let is_same = one.kind == other.kind;
        agreed += usize::from(is_same);
        for both in [one, other] {
            let person = people.entry(both.by.clone()).or_default();
            person.shared += 1;
            person.agreed += usize::from(is_same);
        }
        let mut number = |kind| {
            let known = kinds.iter().position(|known| *known == kind);
            known.unwrap_or_else(|| {
                kinds.push(kind);
                kinds.len() - 1
            }) as f64
        };
        pairs.push([number(&one.kind), number(&other.kind)]);
    }
    let column = |at: usize| {
        let values = pairs.iter().map(|pair| pair.get(at).copied());
        values.collect::<Vec<Option<f64>>>()
    };
    let (alpha, undefined_because) = match alpha(&[column(0), column(1)], Metric::Nominal) {
        Ok(alpha) => (Some(alpha), None),
        Err(Undefined::AllAlike) => (None, Some("all decisions are the same".to_owned())),
        Err(_) => (
            None,
            Some("no text was decided by two reviewers".to_owned()),
        ),
    };
    Agreement {
        texts: pairs.len(),
        agreed,
        alpha,
        undefined_because,
        reviewers: people
            .into_iter()
            .map(|(name, person)| Reviewer { name, ..person })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(all: &[(&str, &str, &str)]) -> Vec<Said> {
        let one = |(run, by, kind): &(&str, &str, &str)| Said {
            text: ((*run).to_owned(), 1),
            by: (*by).to_owned(),
            kind: (*kind).to_owned(),
        };
        all.iter().map(one).collect()
    }

    #[test]
    fn the_first_decisions_of_the_first_two_reviewers_count() {
        let all = said(&[
            ("r1", "anna", "approve"),
            ("r1", "ben", "reject"),
            // Both saw the dispute.
            ("r1", "ben", "approve"),
            ("r1", "cleo", "approve"),
            ("r2", "anna", "reject"),
            ("r2", "cleo", "reject"),
            ("r3", "ben", "approve"),
        ]);
        let found = agreement(&all, vec!["dora".to_owned(), "anna".to_owned()]);
        assert_eq!((found.texts, found.agreed), (2, 1));
        // By hand: observed 2 of 4, expected 2 * 1 * 3 of 4 * 3.
        assert_eq!(found.alpha.map(|alpha| (alpha * 1000.0).round()), Some(0.0));
        let figures: Vec<(&str, usize, usize, usize, bool)> = found
            .reviewers
            .iter()
            .map(|one| {
                (
                    one.name.as_str(),
                    one.decided,
                    one.shared,
                    one.agreed,
                    one.is_active,
                )
            })
            .collect();
        assert_eq!(
            figures,
            [
                ("anna", 2, 2, 1, true),
                ("ben", 2, 1, 0, false),
                ("cleo", 2, 1, 1, false),
                ("dora", 0, 0, 0, true),
            ]
        );
    }

    #[test]
    fn without_two_different_decisions_there_is_no_alpha() {
        let alike = said(&[("r1", "anna", "approve"), ("r1", "ben", "approve")]);
        for (all, texts, why) in [
            (vec![], 0, "no text was decided by two reviewers"),
            (alike, 1, "all decisions are the same"),
        ] {
            let found = agreement(&all, vec![]);
            assert_eq!((found.texts, found.alpha), (texts, None));
            assert_eq!(found.undefined_because.as_deref(), Some(why));
        }
    }
}
