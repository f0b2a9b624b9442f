//! Any text as `redraft.toml`: settings or an error. What is accepted
//! can be asked for the settings of any file.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use redraft::config::Config;
use redraft_profiles::registry::PROFILES;

fuzz_target!(|text: &str| {
    match Config::parse(text, Path::new("/course/redraft.toml")) {
        Err(error) => assert!(!error.to_string().trim().is_empty()),
        Ok(config) => {
            for path in ["/course/week 1/lesson.md", "elsewhere.json"].map(Path::new) {
                let _ = (config.excludes(path), config.profile_for(path));
                for profile in PROFILES {
                    let _ = config.settings_for(path, *profile);
                }
            }
        }
    }
});
