//! "Did you mean": of the names that exist, the one most like what was written.

/// The name most like `word`, if any is similar enough.
pub fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const SIMILAR: f64 = 0.75;
    names
        .map(|name| {
            (
                strsim::jaro_winkler(&word.to_lowercase(), &name.to_lowercase()),
                name,
            )
        })
        .filter(|(similarity, _)| *similarity >= SIMILAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// What to write instead of a name that does not exist: the most similar one, else
/// all of them.
pub fn suggestion<'a>(word: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(word, names.clone()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("known: {}", names.collect::<Vec<_>>().join(", ")),
    }
}
