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
    /// Sorted, without duplicates, as are the words.
    options: Vec<u64>,
    words: Vec<u64>,
}

/// For every item that asks the same as an earlier one in other words, the two indexes.
#[must_use]
pub fn pairs(views: &[ItemView<'_>], least: f64) -> Vec<(usize, usize)> {
    let mut by_key: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut items: Vec<Option<Item>> = Vec::with_capacity(views.len());
    let mut pairs = Vec::new();
    for (second, view) in views.iter().enumerate() {
        let Some((key, item)) = read(*view) else {
            items.push(None);
            continue;
        };
        let earlier = by_key.entry(key).or_default();
        let same = earlier.iter().copied().find(|first| {
            let other = items.get(*first).and_then(Option::as_ref);
            other.is_some_and(|other| is_same(other, &item, least))
        });
        pairs.extend(same.map(|first| (first, second)));
        if earlier.len() < COMPARED {
            earlier.push(second);
        }
        items.push(Some(item));
    }
    pairs
}

fn read(view: ItemView<'_>) -> Option<(u64, Item)> {
    let right = view.correct()?;
    let mut options: Vec<u64> = view
        .option_texts()
        .map(|text| hash(&inverted::natural(text)))
        .collect();
    let key = *options.get(right)?;
    options.sort_unstable();
    options.dedup();
    let told = view.vignette().iter().chain(view.stem());
    let mut words: Vec<u64> = told
        .flat_map(|field| roots(&field.text))
        .take(LONGEST)
        .collect();
    words.sort_unstable();
    words.dedup();
    Some((key, Item { options, words }))
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

fn common(a: &[u64], b: &[u64]) -> usize {
    a.iter()
        .filter(|word| b.binary_search(word).is_ok())
        .count()
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        mix(hash ^ u64::from(byte))
    })
}
