//! HTTP by hand: one request a connection.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::Value;

#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) text: String,
}

impl Answer {
    /// A header; its name in lower case.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    pub(super) fn json(&self) -> Value {
        let json = serde_json::from_str(&self.text);
        assert!(json.is_ok(), "{} {}", self.status, self.text);
        json.unwrap()
    }

    /// The numbers and the data of the events in a stream.
    pub(super) fn events(&self) -> Vec<(i64, Value)> {
        let blocks = self
            .text
            .split("\n\n")
            .filter(|block| block.starts_with("id: "));
        blocks
            .map(|block| {
                let (id, data) = block.split_once('\n').unwrap();
                let id = id.strip_prefix("id: ").unwrap().parse().unwrap();
                let data = data.strip_prefix("data: ").unwrap();
                (id, serde_json::from_str(data).unwrap())
            })
            .collect()
    }
}

/// Sends a request with a body of JSON, if there is one.
pub(super) fn call(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<&Value>,
) -> Answer {
    let body = body.map(Value::to_string);
    let kind = body.as_ref().map(|_| ("content-type", "application/json"));
    let headers: Vec<_> = headers.iter().copied().chain(kind).collect();
    send(
        address,
        method,
        path,
        &headers,
        body.as_deref().unwrap_or_default(),
    )
}

/// Sends a request.
pub(super) fn send(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    let host = if headers.iter().any(|(name, _)| *name == "host") {
        String::new()
    } else {
        format!("host: {address}\r\n")
    };
    let headers: String = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let request = format!(
        "{method} {path} HTTP/1.1\r\n{host}connection: close\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    );
    // A server that rejects a large body may close before it has read all of it.
    let _ = stream.write_all(request.as_bytes());
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
    let head = head.to_lowercase();
    let text = if head.contains("transfer-encoding: chunked") {
        joined(body)
    } else {
        body.to_owned()
    };
    Answer {
        status: status.unwrap_or(0),
        head,
        text,
    }
}

/// The chunks of a body together.
fn joined(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap();
        text.push_str(&rest[..length]);
        body = rest[length..].trim_start_matches("\r\n");
        if length == 0 {
            break;
        }
    }
    text
}
