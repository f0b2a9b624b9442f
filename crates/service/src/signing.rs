//! Signed outcomes: an envelope (DSSE) around the outcome, signed with the service's
//! ed25519 key, so that a receipt proves who made it.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::hex;

/// What is in the envelope.
const PAYLOAD_TYPE: &str = "application/vnd.redraft.outcome+json";

/// A signed outcome.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Envelope {
    #[serde(rename = "payloadType")]
    pub payload_type: String,
    /// The outcome, as base64.
    pub payload: String,
    pub signatures: Vec<Signature>,
}

#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Signature {
    /// The public key, in hexadecimal.
    pub keyid: String,
    /// Base64.
    pub sig: String,
}

/// Why something cannot be signed or believed.
#[derive(Debug, Error)]
pub enum SigningError {
    #[error("{path}: {source}")]
    Io {
        path: String,
        source: std::io::Error,
    },
    #[error("{0} is not a redraft signing key")]
    NoKey(String),
    #[error("cannot create a signing key")]
    NotMade,
    #[error("invalid public key; expected 64 hexadecimal digits")]
    InvalidPublicKey,
    #[error("not a signed redraft outcome")]
    NoEnvelope,
    #[error("the signature does not match: the outcome was changed, or another key signed it")]
    Mismatch,
}

/// The key that signs outcomes.
pub struct Signer {
    pair: Ed25519KeyPair,
}

impl std::fmt::Debug for Signer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Signer({})", self.public())
    }
}

impl Signer {
    /// The key in a file, which is made if there is none; only its owner can read it.
    ///
    /// # Errors
    /// When it cannot be read or made.
    pub fn of_file(path: &Path) -> Result<Self, SigningError> {
        let io = |source| SigningError::Io {
            path: path.display().to_string(),
            source,
        };
        if !path.exists() {
            let made = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new())
                .map_err(|_| SigningError::NotMade)?;
            match write_new(path, &(hex::encode(made.as_ref()) + "\n")) {
                // Another process made one meanwhile.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                written => written.map_err(io)?,
            }
        }
        let text = fs::read_to_string(path).map_err(io)?;
        let bytes = hex::decode(text.trim());
        let pair = bytes.and_then(|bytes| Ed25519KeyPair::from_pkcs8(&bytes).ok());
        let pair = pair.ok_or_else(|| SigningError::NoKey(path.display().to_string()))?;
        Ok(Self { pair })
    }

    /// The public key, in hexadecimal.
    #[must_use]
    pub fn public(&self) -> String {
        hex::encode(self.pair.public_key().as_ref())
    }

    /// Puts an outcome into a signed envelope.
    #[must_use]
    pub fn sign(&self, outcome: &[u8]) -> Envelope {
        let signature = self.pair.sign(&encoded(PAYLOAD_TYPE, outcome));
        Envelope {
            payload_type: PAYLOAD_TYPE.to_owned(),
            payload: STANDARD.encode(outcome),
            signatures: vec![Signature {
                keyid: self.public(),
                sig: STANDARD.encode(signature.as_ref()),
            }],
        }
    }
}

/// The outcome in an envelope that the key has signed.
///
/// # Errors
/// When it is not one, or the signature does not match.
pub fn open(envelope: &[u8], public: &str) -> Result<Vec<u8>, SigningError> {
    let key = hex::decode(public.trim())
        .filter(|key| key.len() == 32)
        .ok_or(SigningError::InvalidPublicKey)?;
    let envelope: Envelope =
        serde_json::from_slice(envelope).map_err(|_| SigningError::NoEnvelope)?;
    if envelope.payload_type != PAYLOAD_TYPE {
        return Err(SigningError::NoEnvelope);
    }
    let payload = STANDARD
        .decode(&envelope.payload)
        .map_err(|_| SigningError::NoEnvelope)?;
    let message = encoded(PAYLOAD_TYPE, &payload);
    let is_signed = envelope.signatures.iter().any(|signature| {
        let bytes = STANDARD.decode(&signature.sig).unwrap_or_default();
        let key = UnparsedPublicKey::new(&ED25519, &key);
        key.verify(&message, &bytes).is_ok()
    });
    if is_signed {
        Ok(payload)
    } else {
        Err(SigningError::Mismatch)
    }
}

/// What DSSE signs: the lengths make the parts unambiguous.
fn encoded(kind: &str, payload: &[u8]) -> Vec<u8> {
    let mut message = format!("DSSEv1 {} {kind} {} ", kind.len(), payload.len()).into_bytes();
    message.extend_from_slice(payload);
    message
}

fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_key_signed_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys/signing.key");
        let signer = Signer::of_file(&path).unwrap();
        let again = Signer::of_file(&path).unwrap();
        assert_eq!(signer.public(), again.public());
        let outcome = br#"{"status":"accepted"}"#;
        let envelope = signer.sign(outcome);
        let text = serde_json::to_vec(&envelope).unwrap();
        assert_eq!(open(&text, &signer.public()).unwrap(), outcome);
        let other = Signer::of_file(&folder.path().join("other.key")).unwrap();
        assert!(matches!(
            open(&text, &other.public()),
            Err(SigningError::Mismatch)
        ));
        let mut forged = envelope;
        forged.payload = STANDARD.encode(br#"{"status":"escalated"}"#);
        let forged = serde_json::to_vec(&forged).unwrap();
        assert!(matches!(
            open(&forged, &signer.public()),
            Err(SigningError::Mismatch)
        ));
        for nothing in [&b"{}"[..], b"", outcome] {
            assert!(matches!(
                open(nothing, &signer.public()),
                Err(SigningError::NoEnvelope)
            ));
        }
        assert!(matches!(
            open(&text, "abc"),
            Err(SigningError::InvalidPublicKey)
        ));
    }
}
