//! The page of `redraft report` in a real browser: the examples and a hostile lesson, in
//! three widths, light and dark. Looked at: that nothing hostile runs or loads, that nothing
//! is wider than the screen, that links lead somewhere, and that words stand out from their
//! ground. The long form also takes screenshots, for people to look at.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::process::{Repository, build_folder};
use crate::steps::Outcome;

/// How much is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// One scheme, no screenshots.
    Short,
    Long,
}

const HARNESS: &str = include_str!("report_page.html");

const HOSTILE: &str = "# Water </title><script>document.title = 'gone'</script>\n\n\
    <script>document.documentElement.dataset.gone = 1</script>\n\n\
    Text <img src=x onerror=\"document.documentElement.dataset.gone = 1\"> and \
    [a](javascript:document.documentElement.dataset.gone=1), ![i](https://example.org/p.png).\n\n\
    </style></textarea>]]> {{ 7 * 7 }} <svg onload=\"document.documentElement.dataset.gone=1\"></svg>\n\n\
    Turned \u{202e}around\u{202c}.\n\n\
    ## שלום \"><svg onload=document.documentElement.dataset.gone=1>\n\n\
    המים רותחים ב־100 מעלות. $\\text{<img src=x>}$\n\n\
    | a | b |\n|---|---|\n| Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft | `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx` |\n\n\
    ```mermaid\ngraph TD; A[\"<img src=x onerror=alert(1)>\"] --> B\n```\n";

/// The examples with scripted replies: name, document, replies.
const EXAMPLES: [(&str, &str, &str); 3] = [
    (
        "lesson",
        "refine-kettle/lesson.md",
        "refine-kettle/replies.toml",
    ),
    ("cards", "refine-cards.json", "refine-cards-replies.toml"),
    ("item", "refine-item.json", "refine-item-replies.toml"),
];

/// Looks at the pages; skipped without a browser.
pub(crate) fn check(repository: &Repository, length: Length) -> Result<Outcome> {
    let Some(browser) = browser(repository) else {
        return Ok(Outcome::Skipped(
            "no Chromium; install `chromium` to look at the page of `redraft report`".to_owned(),
        ));
    };
    // The tests have just built the program.
    let is_built = length == Length::Short && build_folder()?.join("redraft").exists();
    if !is_built {
        repository.cargo(&["build", "--package", "redraft", "--locked", "--quiet"])?;
    }
    let folder = repository.path("target/report-page");
    if folder.exists() {
        fs::remove_dir_all(&folder).context("cannot clear target/report-page")?;
    }
    fs::create_dir_all(&folder).context("cannot create target/report-page")?;
    let pages = make_pages(repository, &folder)?;
    let list: Vec<String> = pages.iter().map(|page| format!("\"{page}\"")).collect();
    let harness = folder.join("harness.html");
    fs::write(&harness, HARNESS.replace("/*PAGES*/", &list.join(", ")))?;
    let schemes: &[&str] = match length {
        Length::Short => &["light"],
        Length::Long => &["light", "dark"],
    };
    for scheme in schemes {
        look(&browser, &folder, &harness, scheme)?;
    }
    if length == Length::Short {
        return Ok(Outcome::Ran);
    }
    for page in &pages {
        for scheme in schemes {
            screenshot(&browser, &folder, page, scheme)?;
        }
    }
    Ok(Outcome::RanBut(format!(
        "screenshots are in {}; look at them",
        folder.display()
    )))
}

pub(crate) fn browser(repository: &Repository) -> Option<PathBuf> {
    ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .map(PathBuf::from)
        .find(|name| repository.succeeds(name.clone(), &["--version"]))
}

/// Makes the pages and gives their names.
fn make_pages(repository: &Repository, folder: &Path) -> Result<Vec<String>> {
    let program = build_folder()?.join("redraft");
    let run = |arguments: &[&str]| -> Result<Vec<u8>> {
        let output = Command::new(&program)
            .args(arguments)
            .current_dir(folder)
            .env("REDRAFT_KEY", "a key for tests alone")
            .output()
            .with_context(|| format!("cannot start {}", program.display()))?;
        if output.status.code().is_none_or(|code| code > 1) {
            bail!(
                "`redraft {}` failed: {}",
                arguments.join(" "),
                String::from_utf8_lossy(&output.stderr)
            );
        }
        Ok(output.stdout)
    };
    let mut pages = Vec::new();
    for (name, document, replies) in EXAMPLES {
        let document = repository.path(&format!("examples/{document}"));
        let replies = repository.path(&format!("examples/{replies}"));
        let (document, replies) = (document.to_string_lossy(), replies.to_string_lossy());
        run(&[
            "refine",
            &document,
            "--script",
            &replies,
            "--runs",
            &format!("runs/{name}"),
            "--quiet",
        ])?;
        pages.push(format!("{name}.html"));
        run(&[
            "report",
            &format!("runs/{name}"),
            "-o",
            &format!("{name}.html"),
        ])?;
    }
    fs::write(folder.join("hostile.md"), HOSTILE)?;
    let bank = repository.path("examples/question-bank.json");
    for (name, document) in [
        ("hostile", "hostile.md"),
        ("bank", &*bank.to_string_lossy()),
    ] {
        let result = run(&["check", document, "--format", "json"])?;
        fs::write(folder.join(format!("{name}.json")), result)?;
        run(&[
            "report",
            &format!("{name}.json"),
            "-o",
            &format!("{name}.html"),
        ])?;
        pages.push(format!("{name}.html"));
    }
    Ok(pages)
}

fn chromium(browser: &Path, folder: &Path, scheme: &str) -> Command {
    let mut command = Command::new(browser);
    command
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--allow-file-access-from-files",
        ])
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .stderr(Stdio::null());
    if scheme == "dark" {
        command.arg("--blink-settings=preferredColorScheme=0");
    }
    command
}

fn look(browser: &Path, folder: &Path, harness: &Path, scheme: &str) -> Result<()> {
    let output = chromium(browser, folder, scheme)
        .args(["--virtual-time-budget=120000", "--dump-dom"])
        .arg(format!("file://{}", harness.display()))
        .output()
        .context("cannot start the browser")?;
    let shown = String::from_utf8_lossy(&output.stdout);
    let result = shown
        .split_once("<pre id=\"result\">")
        .and_then(|(_, rest)| rest.split_once("</pre>"))
        .map_or("the browser showed nothing", |(result, _)| result);
    if result.starts_with(&format!("CLEAN {scheme}")) {
        return Ok(());
    }
    bail!("the page of `redraft report` in a browser, {scheme}:\n{result}")
}

fn screenshot(browser: &Path, folder: &Path, page: &str, scheme: &str) -> Result<()> {
    let name = page.trim_end_matches(".html");
    for (width, height) in [(500, 3000), (1280, 3000)] {
        let target = folder.join(format!("{name}-{width}-{scheme}.png"));
        let status = chromium(browser, folder, scheme)
            .arg(format!("--window-size={width},{height}"))
            .arg(format!("--screenshot={}", target.display()))
            .arg(format!("file://{}", folder.join(page).display()))
            .stdout(Stdio::null())
            .status()
            .context("cannot start the browser")?;
        if !status.success() {
            bail!("no screenshot of {page}");
        }
    }
    Ok(())
}
