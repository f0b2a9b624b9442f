//! Banks of generated items: cases, questions, options and explanations put
//! together from lists of words, with names that are made up from syllables, so
//! that no two items say the same and words are as varied as in life. And banks
//! of nothing but keys, for the two tests of banks.

use std::fmt::Write as _;

use redraft_profiles::items::bank::statistics::{
    Generator, Lengths, Positions, length_cue, position_bias,
};

const PEOPLE: &[&str] = &[
    "man", "woman", "boy", "girl", "farmer", "teacher", "nurse", "driver", "student", "baker",
    "runner", "sailor",
];
const COMPLAINTS: &[&str] = &[
    "chest pain that spreads to the left arm",
    "a dry cough and night sweats",
    "swelling of both ankles",
    "a headache behind one eye",
    "pain in the right lower abdomen",
    "blurred vision in the morning",
    "a rash on the trunk",
    "weakness of the right hand",
    "loss of weight without dieting",
    "palpitations after climbing stairs",
    "numbness of the feet",
    "pain on passing urine",
    "yellow eyes and dark urine",
    "a swollen and hot knee",
    "hoarseness that does not pass",
    "double vision towards evening",
];
const SIGNS: &[&str] = &[
    "blood pressure is 150/95 mm Hg",
    "pulse is 112 per minute and irregular",
    "temperature is 38.7 degrees",
    "a soft murmur is heard at the apex",
    "breath sounds are absent at the left base",
    "the liver edge is felt below the ribs",
    "reflexes are brisk on one side",
    "the neck veins are distended",
    "the abdomen is rigid and silent",
    "the fundus shows pale patches",
    "the skin is cold and clammy",
    "sensation is lost below the knee",
];
const TESTS: &[&str] = &[
    "Sodium is 128 mmol/L and potassium 5.9 mmol/L",
    "The film shows a shadow in the upper lobe",
    "Haemoglobin is 8.4 g/dL with small red cells",
    "The tracing shows raised segments in three leads",
    "Creatinine has doubled within two days",
    "The scan shows a bright lesion near the ventricle",
    "Urine contains casts and protein",
    "Glucose is 23 mmol/L with ketones",
];
const QUESTIONS: &[&str] = &[
    "Which drug should be given first?",
    "What is the most likely diagnosis?",
    "Which structure is most likely damaged?",
    "What is the next step in management?",
    "Which test confirms the diagnosis?",
    "Which side effect must be watched for?",
    "Which organism is the most likely cause?",
];
const ENDINGS: &[&str] = &[
    "olol", "azine", "mycin", "itis", "oma", "pril", "statin", "osis", "emia", "vir", "cillin",
    "idine", "aemia", "pathy",
];
const SYLLABLES: &[&str] = &[
    "car", "vo", "lin", "met", "ra", "pen", "tol", "ky", "dor", "fen", "hal", "zu", "bri", "mon",
    "tes", "lu", "gar", "nex", "pho", "cal",
];
const FORMS: &[&str] = &[
    "acute",
    "late",
    "early",
    "inherited",
    "low-dose",
    "oral",
    "intravenous",
    "silent",
    "reactive",
    "mixed",
];
const REASONS: &[&str] = &[
    "explains the findings on both sides",
    "would raise the pressure further",
    "acts within minutes and is safe at this age",
    "takes days before it helps",
    "is seen in younger patients",
    "would spare the sensation",
    "does not change the outcome",
    "accounts for the fever and the pain",
];

/// A bank of items, a line each.
pub(crate) fn lines(items: usize) -> String {
    let mut generator = Generator::new(0x0062_616e_6b73);
    let mut bank = String::with_capacity(items * 900);
    for number in 0..items {
        item(&mut bank, &mut generator, number);
        bank.push('\n');
    }
    bank
}

fn pick<'a>(generator: &mut Generator, list: &[&'a str]) -> &'a str {
    list.get(generator.below(list.len()))
        .copied()
        .unwrap_or_default()
}

fn name(generator: &mut Generator) -> String {
    let mut name = String::new();
    for _ in 0..2 + generator.below(2) {
        name.push_str(pick(generator, SYLLABLES));
    }
    name.push_str(pick(generator, ENDINGS));
    name
}

fn item(bank: &mut String, generator: &mut Generator, number: usize) {
    let g = generator;
    let _ = write!(
        bank,
        r#"{{"id": "item-{number}", "vignette": "A {}-year-old {} has had {} for {} days. The {}, and the {}. {}. There was an episode of {} two years ago.", "stem": "{}", "options": ["#,
        18 + g.below(70),
        pick(g, PEOPLE),
        pick(g, COMPLAINTS),
        2 + g.below(20),
        pick(g, SIGNS),
        pick(g, SIGNS),
        pick(g, TESTS),
        name(g),
        pick(g, QUESTIONS),
    );
    let options = 4 + g.below(2);
    let mut first = String::new();
    for index in 0..options {
        let option = format!("{} {}", pick(g, FORMS), name(g));
        let separator = if index > 0 { ", " } else { "" };
        let label = char::from(b'A' + u8::try_from(index).unwrap_or_default());
        let _ = write!(
            bank,
            r#"{separator}{{"key": "{label}", "text": "{option}"}}"#
        );
        if index == 0 {
            first = option;
        }
    }
    let key = char::from(b'A' + u8::try_from(g.below(options)).unwrap_or_default());
    let _ = write!(
        bank,
        r#"], "correct_answer": "{key}", "rationale": "This choice {}. {first} {}, and {} {}.", "metadata": {{"bloom_level": "{}", "difficulty": "medium"}}}}"#,
        pick(g, REASONS),
        pick(g, REASONS),
        name(g),
        pick(g, REASONS),
        ["remember", "apply", "analyze"][g.below(3)],
    );
}

/// How often each of the two tests of banks speaks up.
pub(crate) fn power() {
    const BANKS: usize = 1_000;
    println!("tests of banks: share of {BANKS} banks reported (4 options, every third item 5)");
    println!("  items  keys on one letter        reported   keys that are longest  reported");
    for items in [30, 100, 1_000] {
        for share in [0.25, 0.3, 0.4, 0.5, 0.6] {
            let (position, length) = alarms(items, BANKS, share);
            let what = if share > 0.25 {
                format!("{:.0}%", share * 100.0)
            } else {
                "chance".to_owned()
            };
            println!("  {items:>5}  {what:>18}  {position:>14.3}   {what:>21}  {length:>8.3}");
        }
    }
}

/// The shares of banks that are reported with the default figures, where a share
/// of keys is planted on the second letter and on the longest option.
fn alarms(items: usize, banks: usize, planted: f64) -> (f64, f64) {
    let mut generator = Generator::new(items as u64);
    let (mut by_position, mut by_length) = (0_u32, 0_u32);
    // What has to be planted beside what falls there by chance.
    let extra = |options: f64| (planted - 1.0 / options).max(0.0) / (1.0 - 1.0 / options);
    for _ in 0..banks {
        let mut positions = Positions::new();
        let mut lengths = Lengths::new();
        for item in 0..items {
            let (options, number) = if item % 3 == 0 { (5, 5.0) } else { (4, 4.0) };
            let is_biased = planted > 0.25;
            let planted_key = is_biased && generator.share() < extra(number);
            let key = if planted_key {
                1
            } else {
                generator.below(options)
            };
            if let Some(keys) = positions
                .entry(options)
                .or_insert_with(|| vec![0; options])
                .get_mut(key)
            {
                *keys += 1;
            }
            let planted_length = is_biased && generator.share() < extra(number);
            let of_length = lengths.entry(options).or_default();
            of_length.0 += 1;
            of_length.1 += u64::from(planted_length || generator.below(options) == 0);
        }
        let position = position_bias(&positions)
            .is_some_and(|bias| bias.p_value < 0.025 && bias.effect >= 0.1);
        let length = length_cue(&lengths)
            .is_some_and(|cue| cue.p_value < 0.025 && cue.rate() >= cue.chance + 0.05);
        by_position += u32::from(position);
        by_length += u32::from(length);
    }
    #[expect(clippy::cast_precision_loss, reason = "a thousand banks")]
    let share = |count: u32| f64::from(count) / banks as f64;
    (share(by_position), share(by_length))
}
