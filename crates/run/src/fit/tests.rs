//! What is kept and what is left out, case by case.

use proptest::prelude::*;

use super::*;
use crate::token_estimate::estimated_tokens;

fn given(sizes: &[(u64, Need)]) -> Vec<(String, u64, Need)> {
    sizes
        .iter()
        .enumerate()
        .map(|(index, (tokens, need))| (format!("sec_{}", index + 1), *tokens, *need))
        .collect()
}

fn fit(sizes: &[(u64, Need)], limit: u64) -> Result<FittedComponents, TooLong> {
    let given = given(sizes);
    let list: Vec<SizedComponent<'_>> = given
        .iter()
        .map(|(id, tokens, need)| SizedComponent {
            id,
            tokens: *tokens,
            need: *need,
        })
        .collect();
    components(&list, limit)
}

#[test]
fn what_fits_goes_whole_and_what_does_not_is_named() {
    use Need::{May, Must};
    for (sizes, limit, kept, note) in [
        (&[(100, May), (100, May)][..], 200, &[0, 1][..], None),
        (&[], 0, &[], None),
        (
            &[(100, May), (100, May), (100, May), (100, May)],
            399,
            &[0, 1],
            Some("parts sec_3, sec_4 were left out, 200 tokens"),
        ),
        (
            &[(100, May), (900, May), (100, May)],
            500,
            &[0, 2],
            Some("part sec_2 was left out, 900 tokens"),
        ),
        (
            &[(300, May), (300, May), (300, May), (300, Must)],
            800,
            &[0, 3],
            Some("parts sec_2, sec_3 were left out, 600 tokens"),
        ),
        (
            &[(400, Must), (200, May), (200, May), (200, May)],
            600,
            &[0],
            Some("parts sec_2 to sec_4 were left out, 600 tokens"),
        ),
    ] {
        let fitted = fit(sizes, limit).unwrap();
        assert_eq!(fitted.kept, kept, "{sizes:?}");
        let said = fitted.cut.as_ref().map(|cut| cut.note.as_str());
        assert_eq!(said, note, "{sizes:?}");
    }
}

#[test]
fn what_must_be_there_and_does_not_fit_is_an_error() {
    for (sizes, limit, needed) in [
        (&[(1_000, Need::Must), (10, Need::May)][..], 900, 1_150),
        (&[(1_000, Need::May)], 900, 1_150),
        (&[(500, Need::Must), (500, Need::Must)], 999, 1_150),
        // Only the note would be left, and it does not fit.
        (&[(0, Need::May), (92, Need::May)], 0, 150),
    ] {
        assert_eq!(fit(sizes, limit), Err(TooLong { needed, limit }));
    }
}

#[test]
fn a_note_is_bounded_however_many_parts_go() {
    let sizes: Vec<(u64, Need)> = (0..400)
        .map(|place| (if place % 2 == 0 { 1 } else { 1_000 }, Need::May))
        .collect();
    let cut = fit(&sizes, 400).unwrap().cut.unwrap();
    assert_eq!(cut.parts.len(), 200);
    assert!(cut.note.contains("and 192 more"), "{}", cut.note);
    assert!(estimated_tokens(&cut.note) <= NOTE_TOKENS);
}

fn wanted<'a>(components: &'a [&'a str], limit: u64) -> SourceRequest<'a> {
    SourceRequest {
        components,
        language: Some(Language::EN),
        limit,
        count: &estimated_tokens,
    }
}

#[test]
fn sources_go_whole_until_they_do_not_fit() {
    let all = ["Leaves take in light.", "", "Roots take in water."];
    let whole = sources(&all, &wanted(&["Leaf"], 1_000));
    let ids: Vec<&str> = whole.kept.iter().map(|chunk| chunk.id.as_str()).collect();
    assert_eq!(ids, ["source_1", "source_3"]);
    assert_eq!(whole.cut, None);
}

#[test]
fn then_every_part_gets_its_nearest_chunks_in_turn() {
    let filler = "Something else entirely is told here at some length. ".repeat(15);
    let all = [
        format!("The Clearances emptied the glens. {filler}"),
        format!("Leaves take in light and give oxygen away. {filler}"),
        format!("Roots drink water from the soil. {filler}"),
        format!("A leaf has openings, and leaves close them. {filler}"),
    ];
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let each = estimated_tokens(all[1]);
    let parts = ["What leaves do with light", "How roots find water"];
    let ids = |limit: u64| {
        let fitted = sources(&all, &wanted(&parts, limit));
        let ids: Vec<String> = fitted.kept.iter().map(|chunk| chunk.id.clone()).collect();
        (ids, fitted.cut)
    };
    let (kept, cut) = ids(2 * each + NOTE_TOKENS + 5);
    assert_eq!(kept, ["source_2", "source_3"], "one for each part");
    let cut = cut.unwrap();
    assert_eq!(cut.of, Input::Sources);
    assert_eq!(cut.parts, ["source_1", "source_4"]);
    assert!(
        cut.note
            .starts_with("passages source_1, source_4 were left out, ")
    );
    let (kept, _) = ids(3 * each + NOTE_TOKENS + 5);
    assert_eq!(kept, ["source_2", "source_3", "source_4"]);
    let (kept, cut) = ids(10);
    assert!(kept.is_empty());
    assert_eq!(cut.unwrap().parts.len(), 4);
}

#[test]
fn one_long_source_is_shown_in_part_and_strangers_in_their_order() {
    let long: String = (0..40)
        .map(|number| {
            format!(
                "Paragraph {number} is about topic{number}. {}\n\n",
                "Words. ".repeat(150)
            )
        })
        .collect();
    let fitted = sources(&[&long], &wanted(&["topic7", "topic30"], 1_500));
    let texts: Vec<&str> = fitted
        .kept
        .iter()
        .map(|chunk| &long[chunk.range.clone()])
        .collect();
    assert!(
        texts.iter().any(|text| text.contains("topic7.")),
        "{texts:?}"
    );
    assert!(texts.iter().any(|text| text.contains("topic30.")));
    assert!(
        fitted
            .kept
            .iter()
            .all(|chunk| chunk.id.starts_with("source_1."))
    );
    let strange = sources(&[&long], &wanted(&["植物"], 1_500));
    assert_eq!(
        strange.kept[0].id, "source_1.1",
        "nothing in common: in their order"
    );
}

proptest! {
    #[test]
    fn what_goes_fits_and_nothing_is_lost(
        sizes in prop::collection::vec((0u64..500, prop::bool::weighted(0.1)), 0..30),
        limit in 0u64..4_000,
    ) {
        let sizes: Vec<(u64, Need)> = sizes
            .into_iter()
            .map(|(tokens, must)| (tokens, if must { Need::Must } else { Need::May }))
            .collect();
        if let Ok(fitted) = fit(&sizes, limit) {
            let sum: u64 = fitted.kept.iter().map(|place| sizes[*place].0).sum();
            let note = if fitted.cut.is_some() { NOTE_TOKENS } else { 0 };
            prop_assert!(sum + note <= limit);
            let left = fitted.cut.map_or(0, |cut| cut.parts.len());
            prop_assert_eq!(fitted.kept.len() + left, sizes.len());
            for (place, (_, need)) in sizes.iter().enumerate() {
                prop_assert!(*need == Need::May || fitted.kept.contains(&place));
            }
        }
    }

    #[test]
    fn sources_that_go_fit_and_nothing_is_lost(
        texts in prop::collection::vec("([a-z]{1,8}[ .\n]{1,2}){0,120}", 0..6),
        part in "([a-z]{1,8} ){0,10}",
        limit in 0u64..1_500,
    ) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let parts = [part.as_str()];
        let fitted = sources(&texts, &wanted(&parts, limit));
        let sum: u64 = fitted
            .kept
            .iter()
            .map(|chunk| estimated_tokens(&texts[chunk.source][chunk.range.clone()]))
            .sum();
        prop_assert!(sum <= limit);
        let place = |chunk: &Chunk| (chunk.source, chunk.range.start);
        let ordered = fitted.kept.windows(2).all(|pair| place(&pair[0]) < place(&pair[1]));
        prop_assert!(ordered);
    }
}
