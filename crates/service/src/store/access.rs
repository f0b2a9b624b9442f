//! Tenants and API keys. A key is `redraft_<id>_<secret>`; only the SHA-256 of the secret
//! is stored. The secret has 256 random bits, so a slow hash would add nothing.

use std::collections::BTreeMap;

use redraft_run::ask::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;

use super::{Store, StoreError};
use crate::hex;
use crate::sql::{Row, SqlError, Value};

/// What a key may do.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Check, submit and cancel runs.
    Submit,
    /// Read runs, events and outcomes.
    Read,
    /// Read the review queue and decide.
    Review,
    /// Change the tenant's settings and webhooks.
    Admin,
    /// What concerns all tenants: metrics, and the test of the judges.
    Operate,
}

impl Scope {
    pub const ALL: [Self; 5] = [
        Self::Submit,
        Self::Read,
        Self::Review,
        Self::Admin,
        Self::Operate,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Submit => "submit",
            Self::Read => "read",
            Self::Review => "review",
            Self::Admin => "admin",
            Self::Operate => "operate",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

/// Who calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    pub tenant: String,
    /// The id of the key, for limits.
    pub key: String,
    /// The name of the key: who did something.
    pub name: String,
    pub scopes: Vec<Scope>,
}

/// A key that was just made. The text is shown once and stored nowhere.
#[derive(Clone, Debug)]
pub struct NewKey {
    pub id: String,
    pub text: String,
}

/// A key, without its secret, which is not known.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct KeyInfo {
    pub id: String,
    pub tenant: String,
    pub name: String,
    /// Separated by spaces.
    pub scopes: String,
    /// Milliseconds since 1970.
    pub created: i64,
    /// When it was revoked; `null` while it holds.
    pub revoked: Option<i64>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Tenant {
    pub id: String,
    pub created: i64,
    pub concurrency: i64,
}

/// What a tenant has set for its runs.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How many reviewers must agree: 1 or 2.
    #[schemars(range(min = 1, max = 2))]
    pub reviewers: Option<u8>,
    /// Overrides of the decision policy for all runs, with the keys of `policy.toml`.
    pub policy: Option<serde_json::Map<String, serde_json::Value>>,
    /// The overall score from which a text is accepted, from 0 to 1; `accept` of `policy`
    /// goes over it.
    #[schemars(range(min = 0, max = 1))]
    pub threshold: Option<f64>,
    /// Weight by criterion, from 0 to 1000; other criteria keep theirs, and all are
    /// divided by their sum.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub weights: BTreeMap<String, f64>,
    /// Model by role, such as `judge_primary`: one of the tables of `[models]` in the
    /// operator's `redraft.toml`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, String>,
    #[serde(deserialize_with = "crate::object::read")]
    pub budgets: Budgets,
}

/// What a run of the tenant may use; never more than the operator allows.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budgets {
    #[schemars(range(min = 1))]
    pub tokens_per_run: Option<u64>,
    /// In dollars.
    #[schemars(range(min = 0))]
    pub cost_per_run: Option<f64>,
    #[schemars(range(min = 1))]
    pub seconds_per_run: Option<u64>,
}

impl Settings {
    /// How many reviewers must agree.
    #[must_use]
    pub fn reviewers_needed(&self) -> usize {
        usize::from(self.reviewers.unwrap_or(1).clamp(1, 2))
    }
}

/// The fact that an API key was made.
const KEYS: &str = "keys";

impl Store {
    /// Adds a tenant.
    ///
    /// # Errors
    /// When it exists, or its name is not one.
    pub async fn add_tenant(
        &self,
        id: &str,
        concurrency: i64,
        now: Time,
    ) -> Result<(), StoreError> {
        if !is_name(id) {
            return Err(StoreError::Refused(format!(
                "`{id}` cannot be the name of a tenant; use up to 64 letters, digits, `-`, `_` or `.`"
            )));
        }
        let values: Vec<Value> = vec![
            id.into(),
            millis(now).into(),
            concurrency.into(),
            "{}".into(),
        ];
        let added = self.database.write(move |sql| {
            sql.run(
                "INSERT INTO tenants (id, created, concurrency, settings) VALUES ($1, $2, $3, $4)",
                &values,
            )
        });
        match added.await {
            Ok(_) => Ok(()),
            Err(SqlError::Duplicate(_)) => {
                Err(StoreError::Refused(format!("tenant `{id}` already exists")))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Sets how many runs of a tenant are driven at once; those that are being driven go on.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn set_concurrency(&self, id: &str, concurrency: i64) -> Result<(), StoreError> {
        let values: [Value; 2] = [concurrency.into(), id.into()];
        let set = self.database.write(move |sql| {
            sql.run("UPDATE tenants SET concurrency = $1 WHERE id = $2", &values)
        });
        set.await?;
        Ok(())
    }

    /// The tenants, in the order of their names.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn tenants(&self) -> Result<Vec<Tenant>, StoreError> {
        let rows = self.database.read(|sql| {
            sql.rows(
                "SELECT id, created, concurrency FROM tenants ORDER BY id",
                &[],
            )
        });
        let tenant = |row: Row| {
            Ok(Tenant {
                id: row.text(0)?,
                created: row.int(1)?,
                concurrency: row.int(2)?,
            })
        };
        Ok(rows
            .await?
            .into_iter()
            .map(tenant)
            .collect::<Result<_, SqlError>>()?)
    }

    /// Makes a key.
    ///
    /// # Errors
    /// When the tenant does not exist, or has a key of that name.
    pub async fn add_key(
        &self,
        tenant: &str,
        name: &str,
        scopes: &[Scope],
        now: Time,
    ) -> Result<NewKey, StoreError> {
        if !is_name(name) {
            return Err(StoreError::Refused(format!(
                "`{name}` cannot be the name of a key; use up to 64 letters, digits, `-`, `_` or `.`"
            )));
        }
        let (id, secret) = (hex::random(8)?, hex::random(32)?);
        let names: Vec<&str> = scopes.iter().map(|scope| scope.name()).collect();
        let values: Vec<Value> = vec![
            (&id).into(),
            tenant.into(),
            name.into(),
            hex::sha256(secret.as_bytes()).into(),
            names.join(" ").into(),
            millis(now).into(),
        ];
        let of = tenant.to_owned();
        let added = self.database.write(move |sql| {
            if sql.row("SELECT id FROM tenants WHERE id = $1", &[(&of).into()])?.is_none() {
                return Ok(0);
            }
            sql.run(
                "INSERT INTO facts (name) VALUES ($1) ON CONFLICT DO NOTHING",
                &[KEYS.into()],
            )?;
            sql.run(
                "INSERT INTO api_keys (id, tenant, name, hash, scopes, created) VALUES ($1, $2, $3, $4, $5, $6)",
                &values,
            )
        });
        match added.await {
            Ok(0) => Err(StoreError::Refused(format!(
                "unknown tenant `{tenant}`; add it with `redraft admin tenant add {tenant}`"
            ))),
            Ok(_) => Ok(NewKey {
                text: format!("redraft_{id}_{secret}"),
                id,
            }),
            Err(SqlError::Duplicate(_)) => Err(StoreError::Refused(format!(
                "tenant `{tenant}` already has a key named `{name}`; revoked keys keep their names"
            ))),
            Err(error) => Err(error.into()),
        }
    }

    /// All keys; their secrets are not known.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn keys(&self) -> Result<Vec<KeyInfo>, StoreError> {
        let rows = self.database.read(|sql| {
            sql.rows(
                "SELECT id, tenant, name, scopes, created, revoked FROM api_keys ORDER BY tenant, name",
                &[],
            )
        });
        let key = |row: Row| {
            Ok(KeyInfo {
                id: row.text(0)?,
                tenant: row.text(1)?,
                name: row.text(2)?,
                scopes: row.text(3)?,
                created: row.int(4)?,
                revoked: row.int_or_null(5)?,
            })
        };
        Ok(rows
            .await?
            .into_iter()
            .map(key)
            .collect::<Result<_, SqlError>>()?)
    }

    /// Revokes a key; tells whether there was one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn revoke_key(&self, id: &str, now: Time) -> Result<bool, StoreError> {
        let values: Vec<Value> = vec![millis(now).into(), id.into()];
        let revoked = self.database.write(move |sql| {
            sql.run(
                "UPDATE api_keys SET revoked = $1 WHERE id = $2 AND revoked IS NULL",
                &values,
            )
        });
        Ok(revoked.await? > 0)
    }

    /// The names of a tenant's keys that may review.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn reviewers(&self, tenant: &str) -> Result<Vec<String>, StoreError> {
        let tenant: Value = tenant.into();
        let rows = self.database.read(move |sql| {
            sql.rows(
                "SELECT name, scopes FROM api_keys WHERE tenant = $1 AND revoked IS NULL ORDER BY name",
                std::slice::from_ref(&tenant),
            )
        });
        let mut names = Vec::new();
        for row in rows.await? {
            if scopes(&row.text(1)?).contains(&Scope::Review) {
                names.push(row.text(0)?);
            }
        }
        Ok(names)
    }

    /// Whether any key was ever made: then every request needs one, also when its tenant was
    /// erased since.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn has_keys(&self) -> Result<bool, StoreError> {
        let row = self
            .database
            .read(|sql| sql.row("SELECT name FROM facts WHERE name = $1", &[KEYS.into()]));
        Ok(row.await?.is_some())
    }

    /// Who a key belongs to, if it is valid.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn caller(&self, key: &str) -> Result<Option<Caller>, StoreError> {
        let mut words = key.splitn(3, '_');
        let (Some("redraft"), Some(id), Some(secret)) = (words.next(), words.next(), words.next())
        else {
            return Ok(None);
        };
        if id.bytes().any(|byte| !byte.is_ascii_hexdigit()) {
            return Ok(None);
        }
        let of: Value = id.into();
        let row = self.database.read(move |sql| {
            sql.row(
                "SELECT tenant, name, hash, scopes FROM api_keys WHERE id = $1 AND revoked IS NULL",
                std::slice::from_ref(&of),
            )
        });
        let Some(row) = row.await? else {
            return Ok(None);
        };
        let hash = hex::sha256(secret.as_bytes());
        if !bool::from(hash.as_bytes().ct_eq(row.text(2)?.as_bytes())) {
            return Ok(None);
        }
        Ok(Some(Caller {
            tenant: row.text(0)?,
            key: id.to_owned(),
            name: row.text(1)?,
            scopes: scopes(&row.text(3)?),
        }))
    }

    /// What a tenant has set.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn settings(&self, tenant: &str) -> Result<Settings, StoreError> {
        let tenant: Value = tenant.into();
        let row = self.database.read(move |sql| {
            sql.row(
                "SELECT settings FROM tenants WHERE id = $1",
                std::slice::from_ref(&tenant),
            )
        });
        let Some(row) = row.await? else {
            return Ok(Settings::default());
        };
        serde_json::from_str(&row.text(0)?)
            .map_err(|error| StoreError::damaged("a tenant's settings", &error))
    }

    /// # Errors
    /// When the database fails.
    pub async fn set_settings(&self, tenant: &str, settings: &Settings) -> Result<(), StoreError> {
        let text = serde_json::to_string(settings)
            .map_err(|error| StoreError::damaged("a tenant's settings", &error))?;
        let values: Vec<Value> = vec![text.into(), tenant.into()];
        let set = self
            .database
            .write(move |sql| sql.run("UPDATE tenants SET settings = $1 WHERE id = $2", &values));
        set.await?;
        Ok(())
    }
}

/// Scopes as they are stored.
pub(super) fn scopes(text: &str) -> Vec<Scope> {
    text.split(' ').filter_map(Scope::parse).collect()
}

/// Milliseconds as databases count them.
pub(crate) fn millis(time: Time) -> i64 {
    i64::try_from(time.0).unwrap_or(i64::MAX)
}

/// Whether something can name a tenant or a key.
fn is_name(name: &str) -> bool {
    let is_of = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
    (1..=64).contains(&name.len()) && name.chars().all(is_of)
}
