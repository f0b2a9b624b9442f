//! Whether an Ollama answers, and which models it has. One small request to an
//! address, with a short patience; no answer is an answer, too.

use std::io::{Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use serde::Deserialize;

/// Where it listens if nobody says otherwise.
pub const USUAL: &str = "127.0.0.1:11434";

const PORT: &str = "11434";
const CONNECT: Duration = Duration::from_millis(300);
const ANSWER: Duration = Duration::from_millis(800);
/// A list of models is some kilobytes.
const MOST: u64 = 1 << 20;

/// `scheme://host:port` of what `OLLAMA_HOST` may hold: a host, a port, both, or
/// an address. The address to listen on everywhere means here.
#[must_use]
pub fn address(host: &str) -> String {
    let host = host.trim().trim_end_matches('/');
    let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
    let has_scheme = host.contains("://");
    let authority = rest.split('/').next().unwrap_or_default();
    let (name, port) = match authority.rfind(']') {
        // An address of version 6 has colons of its own.
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
        (None, false, _) => PORT,
    };
    format!("{scheme}://{name}:{port}")
}

/// What is said about one that has no model.
pub(super) fn has_no_model(host: &str) -> String {
    format!(
        "an Ollama answers at {host}, but it has no model yet: `ollama pull qwen3:8b` fetches one"
    )
}

/// The models of the Ollama at `host:port`, the largest first, without those that
/// only embed; `None` if none answers.
#[must_use]
pub fn models(host: &str) -> Option<Vec<String>> {
    let address = host.to_socket_addrs().ok()?.next()?;
    let mut stream = TcpStream::connect_timeout(&address, CONNECT).ok()?;
    stream.set_read_timeout(Some(ANSWER)).ok()?;
    stream.set_write_timeout(Some(CONNECT)).ok()?;
    // Version 1.0, so that the answer comes in one piece and the line is closed.
    let request = format!("GET /api/tags HTTP/1.0\r\nHost: {host}\r\nAccept: */*\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = Vec::new();
    stream.take(MOST).read_to_end(&mut answer).ok()?;
    listed(&String::from_utf8_lossy(&answer))
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

fn listed(answer: &str) -> Option<Vec<String>> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.lines().next()?.split_whitespace().nth(1)?;
    if status != "200" {
        return None;
    }
    let mut tags: Tags = serde_json::from_str(body).ok()?;
    tags.models.retain(|tag| !tag.name.contains("embed"));
    tags.models
        .sort_by(|a, b| b.size.cmp(&a.size).then_with(|| a.name.cmp(&b.name)));
    Some(tags.models.into_iter().map(|tag| tag.name).collect())
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

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

    #[test]
    fn an_answer_lists_the_models_by_size_or_is_none() {
        let good = "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{\"models\": [{\"name\": \"small\", \"size\": 1}, {\"name\": \"nomic-embed-text\", \"size\": 9}, {\"name\": \"big\", \"size\": 5}]}";
        assert_eq!(
            listed(good),
            Some(vec!["big".to_owned(), "small".to_owned()])
        );
        for bad in [
            "",
            "HTTP/1.0 200 OK\r\n\r\n<html>",
            "HTTP/1.0 404 Not Found\r\n\r\n{\"models\": []}",
            "SSH-2.0-OpenSSH",
        ] {
            assert_eq!(listed(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_server_is_asked_over_the_wire_and_a_closed_port_is_no_answer() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 512];
            let length = stream.read(&mut request).unwrap();
            stream
                .write_all(b"HTTP/1.0 200 OK\r\n\r\n{\"models\": [{\"name\": \"m\"}]}")
                .unwrap();
            String::from_utf8_lossy(&request[..length]).into_owned()
        });
        assert_eq!(models(&host), Some(vec!["m".to_owned()]));
        assert!(server.join().unwrap().starts_with("GET /api/tags "));
        assert_eq!(models(&host), None, "nobody listens there any more");
    }
}
