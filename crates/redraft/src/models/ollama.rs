//! Finds out whether an Ollama server answers and which models it has: one small
//! request with a short timeout.

use std::time::Duration;

use reqwest::{Client, StatusCode, redirect};
use serde::Deserialize;

/// Where Ollama listens by default.
pub const DEFAULT_HOST: &str = "127.0.0.1:11434";

const DEFAULT_PORT: &str = "11434";
const CONNECT: Duration = Duration::from_millis(300);
const ANSWER: Duration = Duration::from_millis(800);
/// A list of models is some kilobytes long.
const MAX_BYTES: usize = 1 << 20;

/// `scheme://host:port` for a value of `OLLAMA_HOST`: a host, a port, both, or an
/// address. The address that listens on all interfaces becomes loopback.
#[must_use]
pub fn address(host: &str) -> String {
    let host = host.trim().trim_end_matches('/');
    let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
    let has_scheme = host.contains("://");
    let authority = rest.split('/').next().unwrap_or_default();
    let (name, port) = match authority.rfind(']') {
        // An IPv6 address contains colons.
        Some(end) => {
            let (name, rest) = authority.split_at(end + 1);
            (name, rest.strip_prefix(':'))
        }
        None => match authority.rsplit_once(':') {
            Some((name, port)) => (name, Some(port)),
            None => (authority, None),
        },
    };
    let name = match name {
        "" | "0.0.0.0" | "[::]" => "127.0.0.1",
        name => name,
    };
    let port = match (port.filter(|port| !port.is_empty()), has_scheme, scheme) {
        (Some(port), ..) => port,
        (None, true, "https") => "443",
        (None, true, _) => "80",
        (None, false, _) => DEFAULT_PORT,
    };
    format!("{scheme}://{name}:{port}")
}

/// The note about a server that has no model.
pub(super) fn has_no_model(host: &str) -> String {
    format!("the Ollama server at {host} has no models; run `ollama pull qwen3:8b`")
}

/// The models of the Ollama server at `host:port`, the largest first, without
/// embedding models; `None` if no server answers.
///
/// The request has a thread and a runtime of its own, so that callers may be
/// synchronous or not, and commands that ask no Ollama start neither.
#[must_use]
pub fn models(host: &str) -> Option<Vec<String>> {
    // A user name or a password is an error elsewhere and is not sent.
    if host.contains('@') {
        return None;
    }
    std::thread::scope(|scope| {
        let request = scope.spawn(|| {
            tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .ok()?
                .block_on(request(host))
        });
        request.join().ok().flatten()
    })
}

async fn request(host: &str) -> Option<Vec<String>> {
    // A client cannot be built without a TLS provider, even for plain HTTP. One that
    // was installed before stays.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder()
        .tls_certs_only(std::iter::empty())
        .no_proxy()
        .redirect(redirect::Policy::none())
        .connect_timeout(CONNECT)
        .timeout(CONNECT + ANSWER)
        .build()
        .ok()?;
    let url = format!("http://{host}/api/tags");
    let mut response = client.get(url).send().await.ok()?;
    if response.status() != StatusCode::OK {
        return None;
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.ok()? {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_BYTES {
            return None;
        }
    }
    names(&body)
}

#[derive(Deserialize)]
struct Tags {
    models: Vec<Tag>,
}

#[derive(Deserialize)]
struct Tag {
    name: String,
    #[serde(default)]
    size: u64,
}

fn names(body: &[u8]) -> Option<Vec<String>> {
    let mut tags: Tags = serde_json::from_slice(body).ok()?;
    tags.models.retain(|tag| !tag.name.contains("embed"));
    tags.models
        .sort_by(|a, b| b.size.cmp(&a.size).then_with(|| a.name.cmp(&b.name)));
    Some(tags.models.into_iter().map(|tag| tag.name).collect())
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::thread::JoinHandle;
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_host_is_read_in_every_form_that_ollama_takes() {
        for (host, expected) in [
            ("127.0.0.1", "http://127.0.0.1:11434"),
            ("0.0.0.0", "http://127.0.0.1:11434"),
            (":8080", "http://127.0.0.1:8080"),
            ("box:9", "http://box:9"),
            ("http://box:9/", "http://box:9"),
            ("https://box", "https://box:443"),
            ("http://box", "http://box:80"),
            ("[::1]:9", "http://[::1]:9"),
            ("[::1]", "http://[::1]:11434"),
            ("", "http://127.0.0.1:11434"),
        ] {
            assert_eq!(address(host), expected, "{host}");
        }
    }

    /// Answers one request with these bytes and returns the request.
    fn serve(answer: &'static str) -> (String, JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 1024];
            let length = stream.read(&mut request).unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
            String::from_utf8_lossy(&request[..length]).into_owned()
        });
        (host, server)
    }

    #[test]
    fn models_are_listed_by_size_without_embedding_models() {
        let (host, server) = serve(
            "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{\"models\": [{\"name\": \"small\", \"size\": 1}, {\"name\": \"nomic-embed-text\", \"size\": 9}, {\"name\": \"big\", \"size\": 5}]}",
        );
        let expected = vec!["big".to_owned(), "small".to_owned()];
        assert_eq!(models(&host), Some(expected));
        assert!(server.join().unwrap().starts_with("GET /api/tags "));
        assert_eq!(models(&host), None, "the port is closed");
    }

    #[test]
    fn other_answers_are_no_ollama() {
        for answer in [
            "",
            "HTTP/1.0 200 OK\r\n\r\n<html>",
            "HTTP/1.0 404 Not Found\r\n\r\n{\"models\": []}",
            "HTTP/1.0 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n{\"models\": []}",
            "SSH-2.0-OpenSSH",
        ] {
            let (host, server) = serve(answer);
            assert_eq!(models(&host), None, "{answer:?}");
            server.join().unwrap();
        }
        assert_eq!(models("me:canary@127.0.0.1:1"), None);
    }

    #[test]
    fn a_server_that_does_not_answer_is_given_up_soon() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let start = Instant::now();
        assert_eq!(models(&host), None);
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[tokio::test]
    async fn a_server_can_be_asked_from_inside_a_runtime() {
        assert_eq!(models("127.0.0.1:1"), None);
    }
}
