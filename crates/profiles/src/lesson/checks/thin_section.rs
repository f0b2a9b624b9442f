//! `thin-section`: a section is much shorter than requested.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use std::collections::BTreeSet;

use redraft_gate::companion::SectionSpecification;
use redraft_gate::content::{Component, Document};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::lesson::extents::{self, Extent};
use crate::lesson::keywords;
use crate::lesson::plan::{self, Fit};
use crate::lesson::structure;

pub(super) static CHECK: Check = Check {
    code: "LES006",
    name: "thin-section",
    severity: Severity::Warning,
    summary: "a section is much shorter than requested",
    what: "Reports a section with fewer than 100 words if the specification requests a detailed or comprehensive treatment. Otherwise short sections are usual in good lessons; only a section with a few words of prose, without code, list, table, picture, link or heading of its own, among sections that are many times as long is reported as info. The first and the last section, exercises and lists of sources are left alone.",
    why: "A section of two sentences among long ones is usually unfinished.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\n## Heat\n\nHeat makes water boil. It takes a while.\n",
        passes: "# Water\n\n## Heat\n\nWhen water is heated, its particles move faster and faster. At first only a few of them leave the surface, and we say that the water evaporates. As the temperature rises, small bubbles appear at the bottom of the pot, where it is hottest. They are filled with steam and collapse again as they rise into cooler layers. At a hundred degrees the pressure in the bubbles is as high as that of the air above, so they no longer collapse. They reach the surface and burst. From now on all the heat is used to turn water into steam, and the temperature stays where it is.\n",
        fixed: None,
    }],
    parameters: &[
        Parameter {
            name: "min-words",
            what: "minimum number of words in a section that must be detailed",
        },
        Parameter {
            name: "bare-words",
            what: "number of words below which a section among long ones is reported",
        },
        Parameter {
            name: "times-longer",
            what: "how many times longer the median section must be for that",
        },
    ],
    run,
    ..DEFAULTS
};

pub(super) const SPECIFICATION: &str = r#"{
  "title": "Water",
  "sections": [{"title": "Heat", "constraints": {"depth": "comprehensive"}}]
}"#;

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let extents = extents::extents(document);
    let demanded = demanded(examination);
    let least = examination.count("min-words");
    for component in &demanded {
        let words = extents.get(*component).map_or(0, |extent| extent.words);
        if words > 0 && words < least {
            let message = format!(
                "{} has {words} words; the specification requests detail, so write at least {least}",
                named(document, *component)
            );
            structure::report_component(document, sink, *component, message);
        }
    }
    for (component, words) in bare(examination, &extents) {
        if !demanded.contains(&component) {
            let message = format!(
                "{} has {words} words, far fewer than the other sections; expand it or merge it",
                named(document, component)
            );
            structure::report_component(document, sink, component, message)
                .severity(Severity::Info);
        }
    }
}

/// The components for which the specification requests detail.
fn demanded(examination: &Examination<'_>) -> BTreeSet<usize> {
    let Some((specification, language)) =
        keywords::comparable(examination.document, examination.companions)
    else {
        return BTreeSet::new();
    };
    let is_deep = |section: &SectionSpecification| {
        matches!(
            section.depth.as_deref(),
            Some("detailed_analysis" | "comprehensive")
        )
    };
    if !specification.sections.iter().any(is_deep) {
        return BTreeSet::new();
    }
    let fits = plan::compare(examination.document, specification, language).fits;
    let deep = specification
        .sections
        .iter()
        .zip(fits)
        .filter(|(section, _)| is_deep(section));
    deep.filter_map(|(_, fit)| match fit {
        Fit::Matched(component) | Fit::Retitled(component) => Some(component),
        Fit::Covered | Fit::Missing => None,
    })
    .collect()
}

/// Sections with a few words of prose among long ones.
fn bare(examination: &Examination<'_>, extents: &[Extent]) -> Vec<(usize, usize)> {
    let document = examination.document;
    let sections: Vec<(usize, &Component)> = structure::sections(document).collect();
    let words = |component: usize| extents.get(component).map_or(0, |extent| extent.words);
    let mut lengths: Vec<usize> = sections
        .iter()
        .map(|(component, _)| words(*component))
        .collect();
    lengths.sort_unstable();
    let middle = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
    let times = examination.count("times-longer");
    let below = examination.count("bare-words");
    let inner = sections.len().saturating_sub(2);
    sections
        .iter()
        .skip(1)
        .take(inner)
        .filter(|(component, section)| {
            let title = section.title.as_deref().unwrap_or_default();
            let words = words(*component);
            let is_prose = extents
                .get(*component)
                .is_some_and(|extent| !extent.shows_more);
            is_prose
                && words > 0
                && words < below
                && words.saturating_mul(times) <= middle
                && !structure::serves(title)
        })
        .map(|(component, _)| (*component, words(*component)))
        .collect()
}

fn named(document: &Document, component: usize) -> String {
    let title = document
        .components()
        .get(component)
        .and_then(|component| component.title.as_deref());
    match title.map(str::trim).filter(|title| !title.is_empty()) {
        Some(title) => format!("the section “{title}”"),
        None => "this section".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity::{Info, Warning};

    use crate::lesson::checks::testing::severities;

    #[test]
    fn a_short_section_is_thin_only_where_more_was_asked_for_or_others_are_long() {
        let long = "One two three four five six. ".repeat(50);
        let deep = r#"{"title": "T", "sections": [{"title": "Heat", "constraints": {"depth": "comprehensive"}}, {"title": "Steam", "constraints": {"depth": "summary"}}]}"#;
        for (heat, steam, spec, expected) in [
            ("Heat.", "Steam.", None, &[Info, Info][..]),
            ("Heat.", "Steam.", Some(deep), &[Warning, Info]),
            ("Heat.", long.as_str(), None, &[Info]),
            ("- Heat.", long.as_str(), None, &[]),
            ("See [this](a.md).", long.as_str(), None, &[]),
            ("![A kettle](a.png)", long.as_str(), None, &[]),
            (long.as_str(), "Steam.", Some(deep), &[Info]),
        ] {
            let lesson = format!(
                "# T\n\n## Water\n\n{long}\n\n## Heat\n\n{heat}\n\n## Steam\n\n{steam}\n\n## Ice\n\n{long}\n"
            );
            assert_eq!(
                severities(&super::CHECK, &lesson, spec),
                expected,
                "{heat:.10} {steam:.10} {spec:?}"
            );
        }
        let short = "# T\n\n## Water\n\nOne.\n\n## Heat\n\nTwo.\n\n## Ice\n\nThree.\n";
        assert_eq!(severities(&super::CHECK, short, None), []);
    }
}
