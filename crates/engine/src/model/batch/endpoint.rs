//! The connection over which the batches of a provider are submitted and read.

use std::time::{Duration, SystemTime};

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, RequestBuilder, Url};

use super::failure::{BatchFailure, rejected};
use crate::model::connection::Api;
use crate::model::failure::{ProviderError, retry_after};

/// The maximum size of a batch's results: about fifty kilobytes per request.
const LONGEST_RESULTS: usize = 512 << 20;

/// Connection details of a provider.
pub(in crate::model) struct Endpoint {
    pub(in crate::model) api: Api,
    pub(in crate::model) provider: String,
    pub(in crate::model) host: String,
    pub(in crate::model) client: Client,
    /// Ends with a slash.
    pub(in crate::model) base: Url,
    pub(in crate::model) headers: HeaderMap,
    pub(in crate::model) timeout: Duration,
}

impl Endpoint {
    pub(super) fn post(
        &self,
        path: &str,
        body: String,
        kind: Option<&str>,
    ) -> Result<RequestBuilder, BatchFailure> {
        let mut headers = self.headers.clone();
        if let Some(kind) = kind.and_then(|kind| HeaderValue::from_str(kind).ok()) {
            headers.insert(CONTENT_TYPE, kind);
        }
        Ok(self
            .client
            .post(self.url(path)?)
            .headers(headers)
            .body(body))
    }

    pub(super) fn get(&self, path: &str) -> Result<RequestBuilder, BatchFailure> {
        let mut headers = self.headers.clone();
        headers.remove(CONTENT_TYPE);
        Ok(self.client.get(self.url(path)?).headers(headers))
    }

    fn url(&self, path: &str) -> Result<Url, BatchFailure> {
        let joined = self.base.join(path);
        joined.map_err(|error| BatchFailure::Unreachable(error.to_string()))
    }

    /// Sends a request and reads the whole response.
    pub(super) async fn fetch(&self, request: RequestBuilder) -> Result<Vec<u8>, BatchFailure> {
        let unreachable = |error: reqwest::Error| {
            let was_sent = !error.is_connect();
            let why = error.without_url().to_string().to_lowercase();
            match was_sent {
                true => BatchFailure::Unanswered(why),
                false => BatchFailure::Unreachable(why),
            }
        };
        let exchange = async {
            let mut response = request.send().await.map_err(unreachable)?;
            let status = response.status();
            let wait = retry_after(response.headers(), SystemTime::now());
            let mut body = Vec::new();
            while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
                body.extend_from_slice(&chunk);
                if body.len() > LONGEST_RESULTS {
                    return Err(too_long());
                }
            }
            if status.is_success() {
                return Ok(body);
            }
            let mut error = ProviderError::read(&String::from_utf8_lossy(&body));
            error.status = Some(status.as_u16());
            error.retry_after = wait.or(error.retry_after);
            Err(BatchFailure::Rejected(error))
        };
        let late = || BatchFailure::Unanswered("no response in time".to_owned());
        let exchanged = tokio::time::timeout(self.timeout, exchange).await;
        exchanged.unwrap_or_else(|_| Err(late()))
    }
}

fn too_long() -> BatchFailure {
    let most = LONGEST_RESULTS >> 20;
    rejected(422, format!("the results have more than {most} MB"))
}
