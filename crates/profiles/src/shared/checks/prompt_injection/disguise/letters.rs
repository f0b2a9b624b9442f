//! Which plain letter a character is read as. Knows nothing of words.

/// What a model reads where a person sees nothing: tags spell ASCII.
pub(super) fn seen_as(c: char) -> Option<char> {
    match c {
        '\u{AD}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{115f}' | '\u{1160}' | '\u{17b4}'
        | '\u{17b5}' => None,
        '\u{200B}'..='\u{200F}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{FEFF}' => None,
        '\u{fe00}'..='\u{fe0f}' | '\u{300}'..='\u{36f}' => None,
        '\u{E0020}'..='\u{E007E}' => char::from_u32(c as u32 - 0xE0000),
        '\u{E0000}'..='\u{E0FFF}' => None,
        // Letters, figures, full stop and slash; other marks are ordinary in Chinese.
        '\u{ff0e}'..='\u{ff19}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' => {
            char::from_u32(c as u32 - 0xfee0)
        }
        '\u{1d400}'..='\u{1d7ff}' => Some(mathematical(c)),
        '\u{24b6}'..='\u{24cf}' => char::from_u32(c as u32 - 0x24b6 + 0x61),
        '\u{24d0}'..='\u{24e9}' => char::from_u32(c as u32 - 0x24d0 + 0x61),
        '\u{249c}'..='\u{24b5}' => char::from_u32(c as u32 - 0x249c + 0x61),
        '\u{1f110}'..='\u{1f129}' => char::from_u32(c as u32 - 0x1f110 + 0x61),
        '\u{1f130}'..='\u{1f149}' => char::from_u32(c as u32 - 0x1f130 + 0x61),
        '\u{1f150}'..='\u{1f169}' => char::from_u32(c as u32 - 0x1f150 + 0x61),
        '\u{1f170}'..='\u{1f189}' => char::from_u32(c as u32 - 0x1f170 + 0x61),
        _ => Some(small_capital(c)),
    }
}

/// The letter of the mathematical alphabets, which follow each other in capitals
/// and small letters, and the figures after them.
fn mathematical(c: char) -> char {
    let at = c as u32 - 0x1d400;
    let plain = match at {
        0..0x2a4 => match at % 52 {
            capital @ 0..26 => 0x41 + capital,
            small => 0x61 + small - 26,
        },
        0x3ce..0x400 => 0x30 + (at - 0x3ce) % 10,
        _ => return c,
    };
    char::from_u32(plain).unwrap_or(c)
}

fn small_capital(c: char) -> char {
    const CAPITALS: &[(char, char)] = &[
        ('ᴀ', 'a'),
        ('ʙ', 'b'),
        ('ᴄ', 'c'),
        ('ᴅ', 'd'),
        ('ᴇ', 'e'),
        ('ɢ', 'g'),
        ('ʜ', 'h'),
        ('ɪ', 'i'),
        ('ᴊ', 'j'),
        ('ᴋ', 'k'),
        ('ʟ', 'l'),
        ('ᴍ', 'm'),
        ('ɴ', 'n'),
        ('ᴏ', 'o'),
        ('ᴘ', 'p'),
        ('ʀ', 'r'),
        ('ᴛ', 't'),
        ('ᴜ', 'u'),
        ('ᴠ', 'v'),
        ('ᴡ', 'w'),
        ('ʏ', 'y'),
        ('ᴢ', 'z'),
        ('ɡ', 'g'),
        ('ɑ', 'a'),
    ];
    if !matches!(c, '\u{250}'..='\u{2af}' | '\u{1d00}'..='\u{1d7f}') {
        return c;
    }
    let twin = CAPITALS.iter().find(|(from, _)| *from == c);
    twin.map_or(c, |(_, to)| *to)
}

/// The Latin letter that a Cyrillic, Greek or Armenian one looks like.
pub(super) fn latin_twin(c: char) -> char {
    match c {
        'а' | 'А' | 'α' | 'Α' => 'a',
        'в' | 'В' | 'Β' => 'b',
        'с' | 'С' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'Е' | 'ε' | 'Ε' | 'ё' => 'e',
        'ɡ' | 'ց' => 'g',
        'н' | 'Н' | 'һ' | 'Η' => 'h',
        'і' | 'І' | 'ι' | 'Ι' | 'ї' => 'i',
        'ј' | 'Ј' => 'j',
        'к' | 'К' | 'κ' | 'Κ' => 'k',
        'ӏ' | 'Ӏ' => 'l',
        'м' | 'М' | 'Μ' => 'm',
        'п' | 'η' | 'ո' => 'n',
        'о' | 'О' | 'ο' | 'Ο' | 'օ' | 'σ' => 'o',
        'р' | 'Р' | 'ρ' | 'Ρ' => 'p',
        'ѕ' | 'Ѕ' => 's',
        'т' | 'Т' | 'τ' | 'Τ' => 't',
        'υ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'ԝ' | 'ω' | 'ѡ' => 'w',
        'х' | 'Х' | 'χ' | 'Χ' => 'x',
        'у' | 'У' | 'γ' | 'Υ' => 'y',
        'г' => 'r',
        _ => c,
    }
}
