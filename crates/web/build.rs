//! Packs `web/dist` if it is there, else a page that says how to make it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

const MISSING: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
    <title>redraft</title>\n<h1>The inspector is not part of this build</h1>\n\
    <p>Build it, and then the program again: <code>cd web &amp;&amp; npm ci &amp;&amp; npm run build</code>.</p>\n\
    <p>Everything else works: <a href=\"/v1/openapi.json\">/v1/openapi.json</a> describes the API.</p>\n</html>\n";

fn main() -> io::Result<()> {
    let here = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(variable("OUT_DIR")?);
    let web = here.join("../../web");
    let dist = web.join("dist");
    // Cargo builds anew each time while a path that it watches is missing.
    let _ = fs::create_dir_all(&dist);
    let watched = if dist.is_dir() { &dist } else { &web };
    println!("cargo::rerun-if-changed={}", watched.display());
    println!("cargo::rerun-if-changed=build.rs");
    let mut files = Vec::new();
    let is_built = dist.join("index.html").is_file();
    if is_built {
        gather(&dist, &dist, &mut files)?;
    } else {
        files.push(("index.html".to_owned(), MISSING.as_bytes().to_vec()));
    }
    files.sort();
    let mut code = format!("const IS_BUILT: bool = {is_built};\n");
    code.push_str("static ASSETS: &[Asset] = &[\n");
    for (index, (name, bytes)) in files.iter().enumerate() {
        let packed = format!("{index}.gz");
        // The build of the page packs its files, which is quicker than this script.
        let beside = dist.join(format!("{name}.gz"));
        match fs::read(beside) {
            Ok(ready) if is_built => fs::write(out.join(&packed), ready)?,
            _ => fs::write(out.join(&packed), gzip(bytes)?)?,
        }
        let hash: String =
            Sha256::digest(bytes)
                .iter()
                .take(8)
                .fold(String::new(), |mut hash, byte| {
                    let _ = write!(hash, "{byte:02x}");
                    hash
                });
        let _ = writeln!(
            code,
            "    Asset {{ name: {name:?}, media: {:?}, gzip: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{packed}\")), hash: {hash:?}, is_hashed: {} }},",
            media(name),
            name.starts_with("assets/")
        );
    }
    code.push_str("];\n");
    fs::write(out.join("assets.rs"), code)
}

fn variable(name: &str) -> io::Result<String> {
    env::var(name).map_err(|error| io::Error::other(format!("{name}: {error}")))
}

fn gather(root: &Path, folder: &Path, files: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(root, &path, files)?;
        } else if let Ok(name) = path.strip_prefix(root)
            && path.extension().is_none_or(|end| end != "gz")
        {
            let name = name.to_string_lossy().replace('\\', "/");
            files.push((name, fs::read(&path)?));
        }
    }
    Ok(())
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes)?;
    packer.finish()
}

fn media(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
