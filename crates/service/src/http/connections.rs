//! Connections: how many there are, and how long a client may take to say what it wants. One
//! that sends its request letter by letter, or nothing at all, holds a place for a while only.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::log;

/// What connections may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Connections at once; who comes then waits until one has ended.
    pub(super) most: u32,
    /// Until all headers of a request have come, also of the next one.
    pub(super) headers: Duration,
}

/// After an error that is the machine's: no file descriptor is left, for example.
const PAUSE: Duration = Duration::from_secs(1);

/// Serves until told to stop, and then until every connection has ended.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    patience: Patience,
    stop: impl Future<Output = ()>,
) {
    let places = Arc::new(Semaphore::new(patience.most as usize));
    let (close, closing) = watch::channel(false);
    let mut stop = pin!(stop);
    loop {
        let accepted = async {
            // It is never closed.
            let place = Arc::clone(&places).acquire_owned().await.ok();
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, _)) => {
                let connection = connection(stream, router.clone(), patience, closing.clone());
                tokio::spawn(held(connection, place));
            }
            Err(error) if is_of_client(&error) => {}
            Err(error) => {
                log::line("accept_failed", json!({"error": error.to_string()}));
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    let _ = close.send(true);
    let _ = places.acquire_many(patience.most).await;
}

/// Something that takes a place for as long as it lasts.
async fn held(connection: impl Future<Output = ()>, place: Option<OwnedSemaphorePermit>) {
    connection.await;
    drop(place);
}

async fn connection(
    stream: TcpStream,
    router: Router,
    patience: Patience,
    mut closing: watch::Receiver<bool>,
) {
    // Events are small, and somebody waits for them.
    let _ = stream.set_nodelay(true);
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(patience.headers);
    let service = TowerToHyperService::new(router);
    let mut served = pin!(builder.serve_connection(TokioIo::new(stream), service));
    tokio::select! {
        // What went wrong with a connection concerns its client alone.
        _ = served.as_mut() => return,
        _ = closing.wait_for(|closing| *closing) => served.as_mut().graceful_shutdown(),
    }
    let _ = served.await;
}

fn is_of_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}

#[cfg(test)]
mod tests {
    use axum::routing;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::sync::oneshot;

    use super::*;

    /// A service with one place whose clients have a moment; and how to stop it.
    async fn started() -> (std::net::SocketAddr, oneshot::Sender<()>, impl Future) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", routing::get(|| async { "here" }));
        let patience = Patience {
            most: 1,
            headers: Duration::from_millis(50),
        };
        let (stop, stopped) = oneshot::channel();
        let serving = serve(listener, router, patience, async {
            let _ = stopped.await;
        });
        (address, stop, tokio::spawn(serving))
    }

    fn block_on(work: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(work);
    }

    #[test]
    fn a_client_that_does_not_say_what_it_wants_is_cut_off() {
        block_on(async {
            let (address, stop, serving) = started().await;
            for beginning in ["", "GET / HTTP/1.1\r\nhost: here\r\nx: "] {
                let mut slow = TcpStream::connect(address).await.unwrap();
                slow.write_all(beginning.as_bytes()).await.unwrap();
                // The only place is taken until the first is cut off.
                let mut next = TcpStream::connect(address).await.unwrap();
                let request = "GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n";
                next.write_all(request.as_bytes()).await.unwrap();
                let mut answer = String::new();
                next.read_to_string(&mut answer).await.unwrap();
                assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
                let mut rest = Vec::new();
                let _ = slow.read_to_end(&mut rest).await;
                assert!(!rest.starts_with(b"HTTP/1.1 200"), "{beginning:?}");
            }
            stop.send(()).unwrap();
            serving.await;
        });
    }

    #[test]
    fn a_service_that_stops_ends_idle_connections() {
        block_on(async {
            let (address, stop, serving) = started().await;
            let mut client = TcpStream::connect(address).await.unwrap();
            client
                .write_all(b"GET / HTTP/1.1\r\nhost: here\r\n\r\n")
                .await
                .unwrap();
            let mut first = [0; 12];
            client.read_exact(&mut first).await.unwrap();
            assert_eq!(&first, b"HTTP/1.1 200");
            stop.send(()).unwrap();
            serving.await;
            assert!(TcpStream::connect(address).await.is_err());
        });
    }
}
