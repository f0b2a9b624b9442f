//! The files of the inspector, packed when the program was built. Without `web/dist`
//! (`npm ci && npm run build` in `web/`) there is one page, which says how to build them.

/// A file.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its path below `/`.
    pub name: &'static str,
    pub media: &'static str,
    pub gzip: &'static [u8],
    /// Of its content, in hexadecimal.
    pub hash: &'static str,
    /// Whether its name has a hash in it, so that it never changes.
    pub is_hashed: bool,
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

const PAGE: &str = "index.html";

#[must_use]
pub fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

/// The page itself.
#[must_use]
pub fn page() -> &'static Asset {
    find(PAGE).unwrap_or(&ASSETS[0])
}

/// Whether the page was there when the program was built.
#[must_use]
pub fn is_built() -> bool {
    IS_BUILT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_always_a_page() {
        assert_eq!(page().name, PAGE);
        assert!(page().media.starts_with("text/html"));
        assert!(find("no-such-file.js").is_none());
        assert!(find("../Cargo.toml").is_none());
        if is_built() {
            assert!(ASSETS.iter().any(|asset| asset.is_hashed));
        }
    }
}
