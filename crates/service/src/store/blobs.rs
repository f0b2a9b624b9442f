//! Documents and companions, each once for a tenant under the hash of its bytes.

use std::collections::BTreeMap;

use super::{Store, StoreError};
use crate::hex;
use crate::sql::{Sql, SqlError, Value};

/// A document or a companion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    pub hash: String,
    pub bytes: Vec<u8>,
}

impl Blob {
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self {
            hash: hex::sha256(bytes),
            bytes: bytes.to_vec(),
        }
    }
}

pub(super) fn put(sql: &mut dyn Sql, tenant: &str, blob: &Blob) -> Result<(), SqlError> {
    let values: Vec<Value> = vec![
        tenant.into(),
        (&blob.hash).into(),
        blob.bytes.clone().into(),
    ];
    sql.run(
        "INSERT INTO blobs (tenant, hash, bytes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        &values,
    )?;
    Ok(())
}

impl Store {
    /// The blobs with these hashes.
    ///
    /// # Errors
    /// When one is missing or was altered.
    pub async fn blobs(
        &self,
        tenant: &str,
        hashes: &[String],
    ) -> Result<BTreeMap<String, Vec<u8>>, StoreError> {
        let (tenant, hashes) = (tenant.to_owned(), hashes.to_vec());
        let found = self.database.read(move |sql| {
            let mut found = BTreeMap::new();
            for hash in &hashes {
                let values: [Value; 2] = [(&tenant).into(), hash.into()];
                let row = sql.row(
                    "SELECT bytes FROM blobs WHERE tenant = $1 AND hash = $2",
                    &values,
                )?;
                found.insert(hash.clone(), row.map(|row| row.bytes(0)).transpose()?);
            }
            Ok(found)
        });
        let mut blobs = BTreeMap::new();
        for (hash, bytes) in found.await? {
            let bytes = bytes.ok_or_else(|| StoreError::damaged(&hash, &"it is missing"))?;
            if hex::sha256(&bytes) != hash {
                return Err(StoreError::damaged(&hash, &"its bytes were altered"));
            }
            blobs.insert(hash, bytes);
        }
        Ok(blobs)
    }
}
