//! Limits of requests: how many at once, how many a second for a key, how large, how
//! long; and the headers of every answer.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::App;
use super::connections::Patience;
use super::problem::Problem;
use crate::store::Scope;

/// The limits of the API.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a request.
    pub body: usize,
    /// Requests a second for a key.
    pub rate: u32,
    /// Requests at once; a tenant has at most half of them.
    pub at_once: usize,
    /// Maximum open event streams; a tenant gets at most a quarter.
    pub streams: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 8 << 20,
            rate: 100,
            at_once: 256,
            streams: 4_096,
        }
    }
}

/// How long a client may take for the headers of a request, or be idle.
const HEADERS: Duration = Duration::from_secs(30);

impl Limits {
    /// A connection for every stream, and some for each request that is served at once.
    pub(super) fn patience(self) -> Patience {
        let most = self.streams.saturating_add(self.at_once.saturating_mul(4));
        Patience {
            most: u32::try_from(most).unwrap_or(u32::MAX).min(1 << 20),
            headers: HEADERS,
        }
    }
}

const LONGEST: Duration = Duration::from_secs(60);
/// What needs no key is small.
const LONGEST_WITHOUT_KEY: Duration = Duration::from_secs(10);
/// How long a request waits for its turn while too many are served.
const TURN: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(super) struct Limiter {
    rate: f64,
    buckets: Mutex<HashMap<String, (f64, Instant)>>,
    slots: Arc<Semaphore>,
    most_of_tenant: usize,
    by_tenant: Mutex<HashMap<String, Arc<Semaphore>>>,
}

/// A request that is being served takes one of all places, and one of its tenant's.
#[derive(Clone, Debug)]
pub(super) struct RequestSlot {
    of_all: Arc<Mutex<Option<OwnedSemaphorePermit>>>,
}

impl RequestSlot {
    fn put(&self, permit: Option<OwnedSemaphorePermit>) {
        *self.of_all.lock().unwrap_or_else(PoisonError::into_inner) = permit;
    }
}

impl Limiter {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            rate: f64::from(limits.rate.max(1)),
            buckets: Mutex::default(),
            slots: Arc::new(Semaphore::new(limits.at_once.max(1))),
            most_of_tenant: limits.at_once.div_ceil(2),
            by_tenant: Mutex::default(),
        }
    }

    /// Waits for one of all places.
    async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        let turn = tokio::time::timeout(TURN, Arc::clone(&self.slots).acquire_owned());
        turn.await.ok()?.ok()
    }

    /// Waits for a slot of a tenant. While it does, the request takes no other slot: one
    /// tenant whose requests are slow must not hold up the rest.
    pub(super) async fn turn_of(
        &self,
        tenant: &str,
        slot: &RequestSlot,
    ) -> Result<OwnedSemaphorePermit, Problem> {
        let places = {
            let mut by_tenant = self
                .by_tenant
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let new = || Arc::new(Semaphore::new(self.most_of_tenant.max(1)));
            Arc::clone(by_tenant.entry(tenant.to_owned()).or_insert_with(new))
        };
        if let Ok(own) = Arc::clone(&places).try_acquire_owned() {
            return Ok(own);
        }
        slot.put(None);
        let own = tokio::time::timeout(TURN, places.acquire_owned()).await;
        let Ok(Ok(own)) = own else {
            return Err(Problem::too_many_at_once(self.most_of_tenant));
        };
        match self.turn().await {
            Some(permit) => slot.put(Some(permit)),
            None => return Err(no_turn()),
        }
        Ok(own)
    }

    /// Whether a key may send another request: as many as the rate, and twice as many
    /// after a pause.
    pub(super) fn admits(&self, key: &str) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let most = self.rate * 2.0;
        let bucket = buckets.entry(key.to_owned()).or_insert((most, now));
        let passed = now.duration_since(bucket.1).as_secs_f64();
        *bucket = ((bucket.0 + passed * self.rate).min(most), now);
        if bucket.0 < 1.0 {
            return false;
        }
        bucket.0 -= 1.0;
        true
    }
}

/// The streams of events that are open. Each holds a connection, a task and a buffer for as
/// long as its run goes on, so their number has a limit of its own.
#[derive(Debug)]
pub(super) struct Streams {
    most: usize,
    by_tenant: Mutex<BTreeMap<String, usize>>,
}

/// A stream that is open until this is dropped.
#[derive(Debug)]
pub(super) struct OpenStream {
    streams: Arc<Streams>,
    tenant: String,
}

impl Streams {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self {
            most: limits.streams.max(1),
            by_tenant: Mutex::default(),
        })
    }

    /// How many are open.
    pub(super) fn number(&self) -> usize {
        self.lock().values().sum()
    }

    /// # Errors
    /// When there are too many.
    pub(super) fn open(self: &Arc<Self>, tenant: &str) -> Result<OpenStream, Problem> {
        let mut by_tenant = self.lock();
        if by_tenant.values().sum::<usize>() >= self.most {
            return Err(Problem::unavailable(
                "too many event streams are open; try again, or ask with `Accept: application/json`",
            ));
        }
        let most = self.most.div_ceil(4);
        let open = by_tenant.entry(tenant.to_owned()).or_default();
        if *open >= most {
            return Err(Problem::too_many_streams(most));
        }
        *open += 1;
        Ok(OpenStream {
            streams: Arc::clone(self),
            tenant: tenant.to_owned(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, usize>> {
        self.by_tenant
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut by_tenant = self.streams.lock();
        if let Some(open) = by_tenant.get_mut(&self.tenant) {
            *open -= 1;
            if *open == 0 {
                by_tenant.remove(&self.tenant);
            }
        }
    }
}

pub(super) fn no_turn() -> Problem {
    Problem::unavailable("too many requests at once; try again")
}

/// Around every request.
pub(super) async fn limit(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let is_odd = is_odd(&request.uri().to_string());
    // A thousand browsers that come back at once after a restart are all served.
    let mut response = match app.0.limiter.turn().await {
        Some(_) if is_odd => {
            Problem::malformed("the address contains a NUL, or is not UTF-8").into_response()
        }
        Some(permit) => {
            let slot = RequestSlot {
                of_all: Arc::new(Mutex::new(Some(permit))),
            };
            request.extensions_mut().insert(slot.clone());
            let response = next.run(request).await;
            slot.put(None);
            response
        }
        None => no_turn().into_response(),
    };
    app.0
        .requests
        .count(response.status().as_u16(), started.elapsed());
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'",
        ),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Whether an address cannot name anything: no database stores a NUL, and names are text.
fn is_odd(address: &str) -> bool {
    let mut parts = address.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let code = part
            .get(..2)
            .and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.extend(code);
        let rest = if code.is_some() {
            part.get(2..)
        } else {
            Some(part)
        };
        bytes.extend(rest.unwrap_or_default().as_bytes());
    }
    bytes.contains(&0) || std::str::from_utf8(&bytes).is_err()
}

/// Ends a request that takes too long.
pub(super) async fn timed(
    scope: Option<Scope>,
    response: impl Future<Output = Response>,
) -> Response {
    let longest = match scope {
        Some(_) => LONGEST,
        None => LONGEST_WITHOUT_KEY,
    };
    tokio::time::timeout(longest, response)
        .await
        .unwrap_or_else(|_| {
            Problem::unavailable("the request took too long; try again").into_response()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_text_without_a_nul() {
        for (address, expected) in [
            ("/v1/runs/r1?cursor=100%25", false),
            ("/v1/runs/%C3%A9", false),
            ("/v1/runs/%zz%", false),
            ("/v1/runs/%00", true),
            ("/v1/runs/%ff", true),
            ("/v1/runs?status=a%00", true),
        ] {
            assert_eq!(is_odd(address), expected, "{address}");
        }
    }

    #[test]
    fn a_tenant_that_waits_takes_no_place_of_others() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let limiter = Limiter::new(Limits {
                at_once: 3,
                ..Limits::default()
            });
            let begin = async || RequestSlot {
                of_all: Arc::new(Mutex::new(limiter.turn().await)),
            };
            let (first, second, third) = (begin().await, begin().await, begin().await);
            let served = [
                limiter.turn_of("a", &first).await.unwrap(),
                limiter.turn_of("a", &second).await.unwrap(),
            ];
            assert_eq!(limiter.slots.available_permits(), 0);
            // The third waits for its tenant, and somebody else is served.
            let waiting = limiter.turn_of("a", &third);
            let other = async {
                let slot = begin().await;
                let own = limiter.turn_of("b", &slot).await.unwrap();
                drop((own, slot, served));
            };
            let (own, ()) = tokio::join!(waiting, other);
            assert!(own.is_ok());
            // Whoever waits too long is told so.
            let fourth = begin().await;
            let _second = limiter.turn_of("a", &fourth).await.unwrap();
            drop(second);
            let fifth = begin().await;
            let problem = limiter.turn_of("a", &fifth).await.err().unwrap();
            assert_eq!(problem, Problem::too_many_at_once(2));
        });
    }

    #[test]
    fn no_tenant_takes_all_streams_and_a_closed_one_makes_room() {
        let limits = Limits {
            streams: 8,
            ..Limits::default()
        };
        let streams = Streams::new(limits);
        let open = |tenant: &str| streams.open(tenant);
        let mut first: Vec<OpenStream> = (0..2).map(|_| open("a").unwrap()).collect();
        assert!(open("a").is_err(), "a quarter");
        let others = ["b", "b", "c", "c", "d", "d"].map(|tenant| open(tenant).unwrap());
        assert!(open("e").is_err(), "all");
        first.pop();
        let last = open("e").unwrap();
        assert!(open("f").is_err());
        drop((first, others, last));
        assert_eq!(streams.number(), 0);
    }
}
