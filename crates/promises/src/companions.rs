//! Any bytes as each kind of companion: an answer or a refusal in words.

use redraft_profiles::companions;

pub(crate) fn holds(bytes: &[u8]) {
    let _ = companions::specification(bytes.to_vec());
    let _ = companions::sources(bytes.to_vec());
    let _ = companions::scheme_of_work(bytes.to_vec());
    let _ = companions::outcomes(bytes.to_vec());
}
