//! Webhooks: signed, retried, and only to hosts that the operator allowed.
//!
//! The body is JSON. `Redraft-Signature: t=<milliseconds>,v1=<hex>` holds the HMAC-SHA256
//! of `<milliseconds>.<body>` under the webhook's secret. Redirects are not followed, and a
//! name that leads to this machine is not called: the operator allowed a host, and whoever
//! answers for its name must not turn that into an address that nobody allowed.

use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use redraft_run::ask::Time;
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use ring::hmac;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use thiserror::Error;
use tokio::task::JoinSet;

use crate::hex;
use crate::log;
use crate::sql::{Dialect, Row, Sql, SqlError, Value};
use crate::store::{Store, StoreError};
use crate::worker::now;

/// Seconds until the next attempt, by the number of attempts made; then it is given up.
const PAUSES: [u64; 7] = [5, 30, 120, 600, 1_800, 7_200, 21_600];

/// How long a delivery belongs to who took it.
const TAKEN: i64 = 60_000;

/// Why a URL cannot be a webhook.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum UrlError {
    #[error("not a URL; expected something like https://example.org/hook")]
    Invalid,
    #[error("webhooks need https; http is for this machine only")]
    Http,
    #[error("a URL with a user name or a password cannot be a webhook")]
    Password,
    #[error("webhooks to {0} are not allowed; the operator can allow it with --webhook-host {0}")]
    Host(String),
}

/// A webhook of a tenant.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Webhook {
    pub id: String,
    pub url: String,
    /// Milliseconds since 1970.
    pub created: i64,
    /// Verifies the signature of deliveries; shown only once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// Which webhooks may be called, and calling them.
#[derive(Clone, Debug, Default)]
pub struct Webhooks {
    hosts: Arc<BTreeSet<String>>,
    is_busy: Arc<AtomicBool>,
}

impl Webhooks {
    #[must_use]
    pub fn new(hosts: impl IntoIterator<Item = String>) -> Self {
        let hosts = hosts.into_iter().map(|host| host.to_ascii_lowercase());
        Self {
            hosts: Arc::new(hosts.collect()),
            is_busy: Arc::default(),
        }
    }

    /// The URL as it is called.
    ///
    /// # Errors
    /// When it is not allowed.
    pub fn check(&self, url: &str) -> Result<String, UrlError> {
        let url = Url::parse(url).map_err(|_| UrlError::Invalid)?;
        let host = url.host_str().ok_or(UrlError::Invalid)?.to_owned();
        if !url.username().is_empty() || url.password().is_some() {
            return Err(UrlError::Password);
        }
        let is_here = ["localhost", "127.0.0.1", "[::1]"].contains(&host.as_str());
        match url.scheme() {
            "https" => {}
            "http" if is_here => {}
            "http" => return Err(UrlError::Http),
            _ => return Err(UrlError::Invalid),
        }
        if self.hosts.contains(&host) {
            Ok(url.into())
        } else {
            Err(UrlError::Host(host))
        }
    }

    /// Makes the deliveries that are due, on a task of its own; one at a time.
    pub fn deliver_due(&self, store: &Store) {
        if self.is_busy.swap(true, Ordering::AcqRel) {
            return;
        }
        let (webhooks, store) = (self.clone(), store.clone());
        tokio::spawn(async move {
            // On a task of its own, so that a panic leaves nothing busy.
            let deliverer = webhooks.clone();
            let delivered = tokio::spawn(async move { deliverer.deliver(&store).await });
            let error = match delivered.await {
                Ok(Ok(())) => None,
                Ok(Err(error)) => Some(error.to_string()),
                Err(error) => Some(error.to_string()),
            };
            if let Some(error) = error {
                log::line("webhooks_failed", json!({"error": error}));
            }
            webhooks.is_busy.store(false, Ordering::Release);
        });
    }

    /// All that are due, some at a time: a receiver that does not answer holds up no other,
    /// and none belongs to this process for longer than [`TAKEN`].
    async fn deliver(&self, store: &Store) -> Result<(), StoreError> {
        loop {
            let due = store.database.write(|sql| take_due(sql, now())).await?;
            if due.is_empty() {
                return Ok(());
            }
            let mut calls = JoinSet::new();
            for row in due {
                let delivery = Delivery {
                    id: row.text(0)?,
                    url: row.text(1)?,
                    secret: row.text(2)?,
                    body: row.text(3)?,
                    attempts: row.int(4)?,
                };
                let (webhooks, store) = (self.clone(), store.clone());
                calls.spawn(async move { webhooks.call(&store, delivery).await });
            }
            while let Some(called) = calls.join_next().await {
                if let Ok(called) = called {
                    called?;
                }
            }
        }
    }

    /// Makes a delivery, and notes what became of it.
    async fn call(&self, store: &Store, delivery: Delivery) -> Result<(), StoreError> {
        let answer = self.post(&delivery).await;
        let next = match &answer {
            Ok(_) => None,
            Err(_) => usize::try_from(delivery.attempts - 1)
                .ok()
                .and_then(|number| PAUSES.get(number))
                .map(|seconds| millis(now()) + i64::try_from(seconds * 1_000).unwrap_or(0)),
        };
        let answer = answer.unwrap_or_else(|error| error);
        log::line(
            "webhook_called",
            json!({"delivery": delivery.id, "answer": answer}),
        );
        let values: [Value; 3] = [next.into(), answer.into(), delivery.id.into()];
        let told = store.database.write(move |sql| {
            sql.run(
                "UPDATE deliveries SET due = $1, answer = $2 WHERE id = $3",
                &values,
            )
        });
        told.await?;
        Ok(())
    }

    async fn post(&self, delivery: &Delivery) -> Result<String, String> {
        self.check(&delivery.url)
            .map_err(|error| error.to_string())?;
        let time = now().0;
        let key = hmac::Key::new(hmac::HMAC_SHA256, delivery.secret.as_bytes());
        let signed = hmac::sign(&key, format!("{time}.{}", delivery.body).as_bytes());
        let sent = client()
            .map_err(|error| error.without_url().to_string())?
            .post(&delivery.url)
            .header("content-type", "application/json")
            .header(
                "redraft-signature",
                format!("t={time},v1={}", hex::encode(signed.as_ref())),
            )
            .body(delivery.body.clone())
            .send();
        match sent.await {
            Ok(answer) if answer.status().is_success() => Ok(answer.status().as_str().to_owned()),
            Ok(answer) => Err(answer.status().as_str().to_owned()),
            // Without the URL, which may hold a token.
            Err(error) => Err(error.without_url().to_string()),
        }
    }
}

/// A client that follows no redirect: it would lead to a host that nobody allowed.
fn client() -> reqwest::Result<reqwest::Client> {
    // Fails if the process has a default already, which may stay.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .user_agent(concat!("redraft/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .dns_resolver(Arc::new(Elsewhere))
        .timeout(Duration::from_secs(10))
        .build()
}

/// Finds the addresses of hosts, but for those of this machine and its neighbours.
struct Elsewhere;

impl Resolve for Elsewhere {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let host = name.as_str().to_owned();
            let found = tokio::net::lookup_host((host.as_str(), 0)).await?;
            let found: Vec<SocketAddr> = found
                .filter(|address| may_call(&host, address.ip()))
                .collect();
            if found.is_empty() {
                let why = "the name resolves to this machine or to a link-local address";
                return Err(why.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Whether a host may have this address. An inside network is fine, for the operator named
/// the host; this machine has to be named as such.
fn may_call(host: &str, address: IpAddr) -> bool {
    let address = address.to_canonical();
    let is_link_local = match address {
        IpAddr::V4(address) => address.is_link_local() || address.is_broadcast(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    };
    let is_here = address.is_loopback() || address.is_unspecified();
    (!is_here || host == "localhost") && !is_link_local && !address.is_multicast()
}

struct Delivery {
    id: String,
    url: String,
    secret: String,
    body: String,
    attempts: i64,
}

fn millis(time: Time) -> i64 {
    i64::try_from(time.0).unwrap_or(i64::MAX)
}

fn take_due(sql: &mut dyn Sql, now: Time) -> Result<Vec<Row>, SqlError> {
    let skip = match sql.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR UPDATE SKIP LOCKED",
    };
    let taken = sql.rows(
        &format!(
            "UPDATE deliveries SET due = $1, attempts = attempts + 1 WHERE id IN \
             (SELECT id FROM deliveries WHERE due <= $2 ORDER BY due LIMIT 20{skip}) RETURNING id"
        ),
        &[(millis(now) + TAKEN).into(), millis(now).into()],
    )?;
    let mut rows = Vec::new();
    for id in taken {
        rows.extend(sql.rows(
            "SELECT deliveries.id, url, secret, body, attempts FROM deliveries \
             JOIN webhooks ON webhooks.id = deliveries.webhook WHERE deliveries.id = $1",
            &[id.text(0)?.into()],
        )?);
    }
    Ok(rows)
}

impl Store {
    /// Adds a webhook; its secret is in the answer.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn add_webhook(
        &self,
        tenant: &str,
        url: &str,
        at: Time,
    ) -> Result<Webhook, StoreError> {
        let hook = Webhook {
            id: format!("h{}", hex::random(8)?),
            url: url.to_owned(),
            created: millis(at),
            secret: Some(hex::random(32)?),
        };
        let values: [Value; 5] = [
            (&hook.id).into(),
            tenant.into(),
            url.into(),
            hook.secret.as_ref().into(),
            hook.created.into(),
        ];
        let added = self.database.write(move |sql| {
            sql.run(
                "INSERT INTO webhooks (id, tenant, url, secret, created) VALUES ($1, $2, $3, $4, $5)",
                &values,
            )
        });
        added.await?;
        Ok(hook)
    }

    /// # Errors
    /// When the database fails.
    pub async fn webhooks(&self, tenant: &str) -> Result<Vec<Webhook>, StoreError> {
        let tenant: Value = tenant.into();
        let rows = self.database.read(move |sql| {
            sql.rows(
                "SELECT id, url, created FROM webhooks WHERE tenant = $1 ORDER BY created, id",
                std::slice::from_ref(&tenant),
            )
        });
        let hook = |row: Row| {
            Ok(Webhook {
                id: row.text(0)?,
                url: row.text(1)?,
                created: row.int(2)?,
                secret: None,
            })
        };
        Ok(rows
            .await?
            .into_iter()
            .map(hook)
            .collect::<Result<_, SqlError>>()?)
    }

    /// Removes a webhook; tells whether there was one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn remove_webhook(&self, tenant: &str, id: &str) -> Result<bool, StoreError> {
        let values: [Value; 2] = [tenant.into(), id.into()];
        let removed = self.database.write(move |sql| {
            sql.run(
                "DELETE FROM deliveries WHERE webhook IN (SELECT id FROM webhooks WHERE tenant = $1 AND id = $2)",
                &values,
            )?;
            sql.run("DELETE FROM webhooks WHERE tenant = $1 AND id = $2", &values)
        });
        Ok(removed.await? > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_does_not_lead_to_this_machine_unless_it_says_so() {
        for (host, address, expected) in [
            ("hooks.example.org", "203.0.113.7", true),
            ("hooks.internal", "10.1.2.3", true),
            ("hooks.example.org", "2001:db8::1", true),
            ("hooks.example.org", "127.0.0.1", false),
            ("hooks.example.org", "::1", false),
            ("hooks.example.org", "::ffff:127.0.0.1", false),
            ("hooks.example.org", "0.0.0.0", false),
            ("hooks.example.org", "::", false),
            ("hooks.example.org", "169.254.169.254", false),
            ("hooks.example.org", "::ffff:169.254.169.254", false),
            ("hooks.example.org", "fe80::1", false),
            ("hooks.example.org", "224.0.0.1", false),
            ("localhost", "127.0.0.1", true),
            ("localhost", "169.254.169.254", false),
            ("localhost.example.org", "127.0.0.1", false),
        ] {
            let found = may_call(host, address.parse().unwrap());
            assert_eq!(found, expected, "{host} {address}");
        }
    }

    #[test]
    fn only_allowed_hosts_are_called() {
        let webhooks = Webhooks::new(["Hooks.example.org".to_owned(), "127.0.0.1".to_owned()]);
        let cases = [
            (
                "https://hooks.example.org/a?b=c",
                Ok("https://hooks.example.org/a?b=c"),
            ),
            (
                "HTTPS://HOOKS.example.ORG/\0x",
                Ok("https://hooks.example.org/%00x"),
            ),
            ("http://127.0.0.1:8080/", Ok("http://127.0.0.1:8080/")),
            ("http://hooks.example.org/", Err(UrlError::Http)),
            (
                "https://example.org/",
                Err(UrlError::Host("example.org".to_owned())),
            ),
            (
                "https://169.254.169.254/latest",
                Err(UrlError::Host("169.254.169.254".to_owned())),
            ),
            (
                "https://hooks.example.org.evil.example/",
                Err(UrlError::Host("hooks.example.org.evil.example".to_owned())),
            ),
            ("https://me:pw@hooks.example.org/", Err(UrlError::Password)),
            ("file:///etc/passwd", Err(UrlError::Invalid)),
            ("hooks.example.org", Err(UrlError::Invalid)),
            ("", Err(UrlError::Invalid)),
        ];
        for (url, expected) in cases {
            assert_eq!(webhooks.check(url), expected.map(str::to_owned), "{url}");
        }
    }
}
