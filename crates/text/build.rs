//! Embeds the phrase files: every `data/LIST/LANGUAGE.txt` becomes a row of the
//! table in `src/phrases.rs`, so that adding a language is adding a file.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a build script reads folders and talks to cargo; the crate itself stays pure"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=data");
    let mut rows = String::from("&[\n");
    for list in entries(Path::new("data"))?
        .iter()
        .filter(|path| path.is_dir())
    {
        for file in entries(list)? {
            let (Some(list), Some(language)) = (name(list), name(&file)) else {
                continue;
            };
            let path = format!("/data/{list}/{language}.txt");
            let text = format!(r#"include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "{path}"))"#);
            let _ = writeln!(rows, "    ({list:?}, {language:?}, {text}),");
        }
    }
    rows.push_str("]\n");
    let out = env::var_os("OUT_DIR")
        .map(PathBuf::from)
        .unwrap_or_default();
    fs::write(out.join("phrase_files.rs"), rows)
}

/// What is in a folder, in the order of the names.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> Option<&str> {
    path.file_stem()?.to_str()
}
