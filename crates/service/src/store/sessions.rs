//! Sessions of browsers. A session stands for an API key and ends with it, when it
//! expires, or when somebody signs out. Only the SHA-256 of its token is stored.

use std::time::Duration;

use redraft_run::ask::Time;

use super::access::{self, millis};
use super::{Caller, Store, StoreError};
use crate::hex;
use crate::sql::Value;

/// How long a browser stays signed in: a working day.
pub const SESSION: Duration = Duration::from_secs(12 * 60 * 60);

/// How many sessions a key has at most; the oldest goes first.
const MOST: i64 = 20;

/// A session that was just begun. The token is given to the browser and stored nowhere.
#[derive(Clone, Debug)]
pub struct NewSession {
    pub token: String,
    /// Milliseconds since 1970.
    pub expires: i64,
}

/// A session that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub caller: Caller,
    /// Milliseconds since 1970.
    pub expires: i64,
}

impl Store {
    /// Begins a session for a caller; those that have expired are removed.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn begin_session(
        &self,
        caller: &Caller,
        now: Time,
    ) -> Result<NewSession, StoreError> {
        let token = hex::random(32)?;
        let length = i64::try_from(SESSION.as_millis()).unwrap_or(i64::MAX / 2);
        let expires = millis(now) + length;
        let values: [Value; 4] = [
            hex::sha256(token.as_bytes()).into(),
            (&caller.key).into(),
            millis(now).into(),
            expires.into(),
        ];
        let begun = self.database.write(move |sql| {
            sql.run("DELETE FROM sessions WHERE expires <= $1", &values[2..3])?;
            sql.run(
                "DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions WHERE api_key = $1 \
                 ORDER BY created DESC LIMIT 1000 OFFSET $2)",
                &[values[1].clone(), (MOST - 1).into()],
            )?;
            sql.run(
                "INSERT INTO sessions (hash, api_key, created, expires) VALUES ($1, $2, $3, $4)",
                &values,
            )
        });
        begun.await?;
        Ok(NewSession { token, expires })
    }

    /// The session of a token, if it holds and its key was not revoked.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn session(&self, token: &str, now: Time) -> Result<Option<Session>, StoreError> {
        let values: [Value; 2] = [hex::sha256(token.as_bytes()).into(), millis(now).into()];
        let row = self.database.read(move |sql| {
            sql.row(
                "SELECT api_keys.tenant, api_keys.name, api_keys.scopes, api_keys.id, sessions.expires \
                 FROM sessions JOIN api_keys ON api_keys.id = sessions.api_key \
                 WHERE sessions.hash = $1 AND sessions.expires > $2 AND api_keys.revoked IS NULL",
                &values,
            )
        });
        let Some(row) = row.await? else {
            return Ok(None);
        };
        Ok(Some(Session {
            caller: Caller {
                tenant: row.text(0)?,
                name: row.text(1)?,
                scopes: access::scopes(&row.text(2)?),
                key: row.text(3)?,
            },
            expires: row.int(4)?,
        }))
    }

    /// Ends a session.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn end_session(&self, token: &str) -> Result<(), StoreError> {
        let hash: Value = hex::sha256(token.as_bytes()).into();
        let ended = self.database.write(move |sql| {
            sql.run(
                "DELETE FROM sessions WHERE hash = $1",
                std::slice::from_ref(&hash),
            )
        });
        ended.await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::Location;
    use crate::store::Scope;

    #[test]
    fn a_session_ends_with_its_time_or_its_key_or_by_signing_out() {
        let folder = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let location = Location::Sqlite(folder.path().join("redraft.db"));
            let store = Store::open(&location).await.unwrap();
            let start = Time(1_000);
            store.add_tenant("default", 1, start).await.unwrap();
            let key = store
                .add_key("default", "anna", &[Scope::Read], start)
                .await
                .unwrap();
            let caller = store.caller(&key.text).await.unwrap().unwrap();
            let first = store.begin_session(&caller, start).await.unwrap();
            let holds = async |session: &NewSession, now: Time| {
                let found = store.session(&session.token, now).await.unwrap();
                found.map(|session| session.caller)
            };
            let last = Time(u64::try_from(first.expires).unwrap());
            assert_eq!(holds(&first, Time(last.0 - 1)).await, Some(caller.clone()));
            assert_eq!(holds(&first, last).await, None, "it has expired");
            assert_eq!(store.session("guess", start).await.unwrap(), None);

            store.end_session(&first.token).await.unwrap();
            assert_eq!(holds(&first, start).await, None, "signed out");

            let mut sessions = Vec::new();
            for number in 0..21 {
                let now = Time(start.0 + number);
                sessions.push(store.begin_session(&caller, now).await.unwrap());
            }
            assert_eq!(holds(&sessions[0], start).await, None, "one too many");
            assert!(holds(&sessions[1], start).await.is_some());
            store.revoke_key(&key.id, start).await.unwrap();
            assert_eq!(holds(&sessions[20], start).await, None, "revoked");
        });
    }
}
