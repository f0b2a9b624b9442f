//! Items that ask the same in other words: one right answer, most options in common, and most
//! words of the question. Only items with the same right answer are compared, each with a few
//! earlier ones, so that the cost grows linearly with the number of items.

use std::collections::HashMap;

use super::statistics::mix;
use crate::items::inverted;
use crate::items::model::ItemView;
use redraft_text::phrases::is_unspaced;

/// The maximum number of earlier items that an item is compared with.
const COMPARED: usize = 8;

/// The words of a question that are compared.
const LONGEST: usize = 64;

/// Letters of a word that count, so that its inflected forms are one.
const ROOT: usize = 4;

/// What of an item is compared.
struct Item {
    index: usize,
    /// Sorted, without duplicates, as are the words.
    options: Box<[u32]>,
    words: Box<[u32]>,
}

/// For every item that asks the same as an earlier one in other words, the two indexes.
#[must_use]
pub fn pairs<'a>(
    views: impl Iterator<Item = ItemView<'a>> + Clone,
    least: f64,
) -> Vec<(usize, usize)> {
    // Nearly all items of a large bank are the only ones with their answer: their words
    // need not be kept.
    let mut uses: HashMap<u64, u32> = HashMap::new();
    for key in views.clone().filter_map(key) {
        *uses.entry(key).or_default() += 1;
    }
    uses.retain(|_, uses| *uses > 1);
    let mut by_key: HashMap<u64, Vec<Item>> = HashMap::new();
    let mut pairs = Vec::new();
    for (second, view) in views.enumerate() {
        let Some(key) = key(view).filter(|key| uses.contains_key(key)) else {
            continue;
        };
        let item = read(second, view);
        let earlier = by_key.entry(key).or_default();
        let same = earlier.iter().find(|other| is_same(other, &item, least));
        pairs.extend(same.map(|first| (first.index, second)));
        if earlier.len() < COMPARED {
            earlier.push(item);
        }
    }
    pairs
}

/// The right answer.
fn key(view: ItemView<'_>) -> Option<u64> {
    let right = view.correct()?;
    let text = (right < view.options().len()).then(|| view.option(right))?;
    Some(hash(&inverted::natural(text)))
}

fn read(index: usize, view: ItemView<'_>) -> Item {
    let options = view
        .option_texts()
        .map(|text| hash(&inverted::natural(text)));
    let told = view.vignette().iter().chain(view.stem());
    let words = told.flat_map(|field| roots(&field.text)).take(LONGEST);
    Item {
        index,
        options: set(options),
        words: set(words),
    }
}

/// Sorted and without duplicates.
fn set(hashes: impl Iterator<Item = u64>) -> Box<[u32]> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "half of a mixed number identifies a word as well"
    )]
    let mut set: Vec<u32> = hashes.map(|hash| hash as u32).collect();
    set.sort_unstable();
    set.dedup();
    set.into()
}

/// The words of a text by their first letters; pairs of signs where no spaces are written.
fn roots(text: &str) -> Vec<u64> {
    let lower = text.to_lowercase();
    let mut roots = Vec::new();
    for word in lower.split(|c: char| !c.is_alphanumeric()) {
        let signs: Vec<char> = word.chars().collect();
        let is_sign = |c: &char| is_unspaced(c.encode_utf8(&mut [0; 4]));
        if signs.iter().any(is_sign) {
            let pairs = signs.windows(2).map(|pair| pair.iter().collect::<String>());
            roots.extend(pairs.map(|pair| hash(&pair)));
        } else if signs.len() >= ROOT || word.bytes().any(|byte| byte.is_ascii_digit()) {
            let root: String = signs.iter().take(ROOT).collect();
            roots.push(hash(&root));
        }
    }
    roots
}

fn is_same(a: &Item, b: &Item, least: f64) -> bool {
    const FEWEST: usize = 2;
    let options = common(&a.options, &b.options);
    let words = common(&a.words, &b.words);
    let most = a.options.len().max(b.options.len());
    #[expect(clippy::cast_precision_loss, reason = "the words of a question")]
    let share = words as f64 / a.words.len().max(b.words.len()).max(1) as f64;
    words >= FEWEST && 4 * options >= 3 * most && most > FEWEST && share >= least
}

fn common(a: &[u32], b: &[u32]) -> usize {
    a.iter()
        .filter(|word| b.binary_search(word).is_ok())
        .count()
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        mix(hash ^ u64::from(byte))
    })
}
