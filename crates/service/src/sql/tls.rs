//! TLS to PostgreSQL, with rustls.
//!
//! | `sslmode` of the URL | then |
//! |---|---|
//! | absent, `disable`, `prefer` or `allow` | no TLS: use a socket or a private network |
//! | `require`, `verify-ca` or `verify-full` | TLS; the certificate must be valid for the host, for an authority of the system or of `sslrootcert` |
//!
//! A certificate is never left unchecked: TLS without that keeps nobody out.

use std::fs::File;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, InvalidDnsNameError, ServerName};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;

use super::SqlError;

/// A URL of PostgreSQL as its client reads it, and how it is reached.
pub(super) struct Reached {
    pub(super) url: String,
    pub(super) tls: Option<Tls>,
}

/// Takes what concerns TLS out of a URL.
pub(super) fn reached(url: &str) -> Result<Reached, SqlError> {
    let (base, query) = url.split_once('?').unwrap_or((url, ""));
    let (mut mode, mut root, mut rest) = (None, None, Vec::new());
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        match pair.split_once('=') {
            Some(("sslmode", value)) => mode = Some(value),
            Some(("sslrootcert", value)) => root = Some(value),
            _ => rest.push(pair),
        }
    }
    let is_encrypted = match mode {
        None | Some("disable" | "allow" | "prefer") => false,
        Some("require" | "verify-ca" | "verify-full") => true,
        Some(other) => {
            return Err(SqlError::Other(format!(
                "invalid URL of PostgreSQL: sslmode={other}; use disable, or verify-full for TLS"
            )));
        }
    };
    rest.push(if is_encrypted {
        "sslmode=require"
    } else {
        "sslmode=disable"
    });
    Ok(Reached {
        url: format!("{base}?{}", rest.join("&")),
        tls: is_encrypted.then(|| Tls::new(root)).transpose()?,
    })
}

/// Makes TLS of connections.
#[derive(Clone)]
pub(super) struct Tls(TlsConnector);

impl Tls {
    fn new(root: Option<&str>) -> Result<Self, SqlError> {
        let failed =
            |why: &dyn std::fmt::Display| SqlError::Other(format!("TLS to PostgreSQL: {why}"));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| failed(&error))?;
        let config = match root {
            None => builder
                .with_platform_verifier()
                .map_err(|error| failed(&error))?
                .with_no_client_auth(),
            Some(path) => builder
                .with_root_certificates(authorities(path)?)
                .with_no_client_auth(),
        };
        Ok(Self(TlsConnector::from(Arc::new(config))))
    }
}

/// The authorities in a file of PEM.
fn authorities(path: &str) -> Result<RootCertStore, SqlError> {
    let failed =
        |why: &dyn std::fmt::Display| SqlError::Other(format!("sslrootcert {path}: {why}"));
    let file = File::open(path).map_err(|error| failed(&error))?;
    let mut store = RootCertStore::empty();
    for certificate in CertificateDer::pem_reader_iter(file) {
        let certificate = certificate.map_err(|error| failed(&error))?;
        store.add(certificate).map_err(|error| failed(&error))?;
    }
    if store.is_empty() {
        return Err(failed(&"no certificate in it"));
    }
    Ok(store)
}

impl MakeTlsConnect<Socket> for Tls {
    type Stream = Encrypted;
    type TlsConnect = Encrypting;
    type Error = InvalidDnsNameError;

    fn make_tls_connect(&mut self, host: &str) -> Result<Encrypting, InvalidDnsNameError> {
        Ok(Encrypting {
            connector: self.0.clone(),
            host: ServerName::try_from(host.to_owned())?,
        })
    }
}

/// A connection that becomes encrypted.
pub(super) struct Encrypting {
    connector: TlsConnector,
    host: ServerName<'static>,
}

impl TlsConnect<Socket> for Encrypting {
    type Stream = Encrypted;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let stream = self.connector.connect(self.host, socket).await?;
            Ok(Encrypted(stream))
        })
    }
}

/// An encrypted connection.
pub(super) struct Encrypted(tokio_rustls::client::TlsStream<Socket>);

impl TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_says_whether_tls_is_used() {
        for (url, read, is_encrypted) in [
            (
                "postgres://u@h/d",
                "postgres://u@h/d?sslmode=disable",
                false,
            ),
            (
                "postgres://u@h/d?sslmode=prefer&connect_timeout=3",
                "postgres://u@h/d?connect_timeout=3&sslmode=disable",
                false,
            ),
            (
                "postgres://u@h/d?sslmode=verify-full",
                "postgres://u@h/d?sslmode=require",
                true,
            ),
        ] {
            let reached = reached(url).unwrap();
            assert_eq!(reached.url, read);
            assert_eq!(reached.tls.is_some(), is_encrypted, "{url}");
        }
        for (url, words) in [
            (
                "postgres://u@h/d?sslmode=yes",
                "use disable, or verify-full",
            ),
            (
                "postgres://u@h/d?sslmode=require&sslrootcert=/nothing.pem",
                "sslrootcert /nothing.pem",
            ),
        ] {
            let error = reached(url).err().unwrap().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
