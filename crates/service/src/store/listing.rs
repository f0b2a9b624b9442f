//! Lists of runs: filters and pages.

use schemars::JsonSchema;
use serde::Serialize;

use super::runs::{INFO, RunInfo, RunState, info};
use super::{Store, StoreError};
use crate::sql::Value;

/// Which runs are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    pub state: Option<RunState>,
    pub status: Option<String>,
    pub profile: Option<String>,
    pub batch: Option<String>,
    /// Only those whose name contains this, ignoring case.
    pub name: Option<String>,
    /// Only those before this one.
    pub before: Option<String>,
    pub limit: i64,
}

/// Some runs, the latest first.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Page {
    pub runs: Vec<RunInfo>,
    /// Give it as `cursor` to get the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

impl Store {
    /// The runs of a tenant.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list(&self, tenant: &str, filter: &Filter) -> Result<Page, StoreError> {
        let (sentence, values) = listing(tenant, filter);
        let rows = self
            .database
            .read(move |sql| sql.rows(&sentence, &values))
            .await?;
        let mut runs = rows.iter().map(info).collect::<Result<Vec<_>, _>>()?;
        let limit = usize::try_from(filter.limit).unwrap_or_default();
        let has_more = runs.len() > limit;
        runs.truncate(limit);
        let next = runs.last().filter(|_| has_more).map(|run| run.run.clone());
        Ok(Page { runs, next })
    }
}

fn listing(tenant: &str, filter: &Filter) -> (String, Vec<Value>) {
    let mut sentence = format!("SELECT {INFO} FROM runs WHERE tenant = $1");
    let mut values: Vec<Value> = vec![tenant.into()];
    let state = filter.state.map(|state| state.name().to_owned());
    let conditions = [
        ("state =", &state),
        ("status =", &filter.status),
        ("profile =", &filter.profile),
        ("batch =", &filter.batch),
        ("id <", &filter.before),
    ];
    for (condition, value) in conditions {
        if let Some(value) = value {
            values.push(value.into());
            sentence.push_str(&format!(" AND {condition} ${}", values.len()));
        }
    }
    if let Some(name) = &filter.name {
        // SQLite knows the cases of ASCII alone, so that other letters are also sought as
        // they are.
        for pattern in [contains(&name.to_lowercase()), contains(name)] {
            values.push(pattern.into());
        }
        let last = values.len();
        sentence.push_str(&format!(
            " AND (LOWER(name) LIKE ${} ESCAPE '!' OR name LIKE ${last} ESCAPE '!')",
            last - 1
        ));
    }
    values.push((filter.limit + 1).into());
    sentence.push_str(&format!(" ORDER BY id DESC LIMIT ${}", values.len()));
    (sentence, values)
}

/// A pattern of `LIKE` for everything that contains these words.
fn contains(words: &str) -> String {
    let mut pattern = String::from("%");
    for c in words.chars() {
        if ['%', '_', '!'].contains(&c) {
            pattern.push('!');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::Location;

    /// With 100,000 runs a page must not look at all of them.
    #[test]
    fn listing_reads_an_index_in_its_order() {
        let folder = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let before = Some("r5".to_owned());
        let filters = [
            ("runs_by_tenant", Filter::default()),
            (
                "runs_by_tenant",
                Filter {
                    before: before.clone(),
                    ..Filter::default()
                },
            ),
            (
                "runs_in_state",
                Filter {
                    state: Some(RunState::Done),
                    before: before.clone(),
                    ..Filter::default()
                },
            ),
            (
                "runs_in_batch",
                Filter {
                    batch: Some("b1".to_owned()),
                    ..Filter::default()
                },
            ),
            (
                "runs_by_status",
                Filter {
                    status: Some("escalated".to_owned()),
                    before,
                    ..Filter::default()
                },
            ),
            (
                "runs_by_profile",
                Filter {
                    profile: Some("mcq".to_owned()),
                    ..Filter::default()
                },
            ),
        ];
        runtime.block_on(async {
            let location = Location::Sqlite(folder.path().join("redraft.db"));
            let store = Store::open(&location).await.unwrap();
            for (index, filter) in filters {
                let (sentence, values) = listing("default", &filter);
                let explained = format!("EXPLAIN QUERY PLAN {sentence}");
                let plan = store
                    .database
                    .read(move |sql| sql.rows(&explained, &values));
                let plan: Vec<String> = plan
                    .await
                    .unwrap()
                    .iter()
                    .map(|row| row.text(3).unwrap())
                    .collect();
                let plan = plan.join("; ");
                let search = format!("SEARCH runs USING INDEX {index} ");
                assert!(plan.contains(&search), "{plan}");
                assert!(!plan.contains("TEMP B-TREE"), "{plan}");
            }
        });
    }
}
