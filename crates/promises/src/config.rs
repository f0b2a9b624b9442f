//! Any text as `redraft.toml`: settings or a refusal in words. What is accepted
//! can be asked for the settings of any file.

use redraft::config::Config;
use redraft_profiles::registry::PROFILES;
use std::path::Path;

pub(crate) fn holds(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match Config::parse(text, Path::new("/course/redraft.toml")) {
        Err(refusal) => assert!(!format!("{refusal:#}").trim().is_empty()),
        Ok(config) => {
            for path in ["/course/week 1/lesson.md", "elsewhere.json"].map(Path::new) {
                let _ = (config.excludes(path), config.profile_for(path));
                for profile in PROFILES {
                    let _ = config.settings_for(path, *profile);
                }
            }
        }
    }
}
