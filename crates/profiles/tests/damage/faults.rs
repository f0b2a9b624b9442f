//! Single faults, and texts that only resemble them: what failed once, as data.

/// Check, text, number of findings, the text after its safe fixes (`None`: the
/// text itself).
type Row = (&'static str, &'static str, usize, Option<&'static str>);

pub(crate) const FAULTS: &[Row] = &[
    // Cuts.
    (
        "truncated-content",
        "# T\n\nWater boils at a hundred degrees. Steam rises.\n\nThis les",
        1,
        None,
    ),
    (
        "truncated-content",
        "# T\n\nWater boils at a hundred degrees. Steam rises (see",
        1,
        None,
    ),
    (
        "truncated-content",
        "# T\n\nWater boils at a hundred degrees. Read [about](https://exam",
        1,
        None,
    ),
    (
        "truncated-content",
        "# T\n\nWater boils.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4",
        1,
        None,
    ),
    (
        "truncated-content",
        "# T\n\nWater boils.\n\n$$\nE = m",
        1,
        None,
    ),
    (
        "truncated-content",
        "# T\n\n- **Heat:** it rises.\n- **Cold air",
        1,
        None,
    ),
    (
        "truncated-content",
        "# Título\n\nEl agua hierve a cien grados.\n\n- ¿Qué",
        1,
        None,
    ),
    (
        "truncated-content",
        "# T\n\nPlants need water, and without it they die.\n\nThe answer is no, said by J. R. R. Tolkien.\n",
        0,
        None,
    ),
    (
        "truncated-content",
        "# T\n\nWater boils at a hundred degrees. Steam rises.\n\nThanks to Dr. Smith\n",
        0,
        None,
    ),
    (
        "truncated-content",
        "# T\n\nWater boils at a hundred degrees.\n\n- The lesson so far ([zip][])\n",
        0,
        None,
    ),
    (
        "truncated-content",
        "# T\n\nWater boils at a hundred degrees. Steam rises.[^1]\n",
        0,
        None,
    ),
    (
        "truncated-content",
        "# T\n\nWater boils at a hundred degrees.\n\n1. Take a kettle with enough\n",
        1,
        None,
    ),
    (
        "truncated-content",
        "# T\n\nWater boils at a hundred degrees.\n\n- Why does it boil?\n- How hot is it?\n- Where\n",
        1,
        None,
    ),
    (
        "truncated-content",
        "# Урок\n\nВода кипит при ста градусах.\n\n## Пар\n\nХороший пар поднимается\n",
        1,
        None,
    ),
    (
        "truncated-content",
        "# Lektion\n\nWasser kocht bei hundert Grad.\n\n## Tanz\n\nAuf der Wabe läuft die W\n",
        1,
        None,
    ),
    (
        "truncated-content",
        "# Aula\n\nO Python é uma linguagem. Instale o Python primeiro.\n\nO Pyth\n",
        1,
        None,
    ),
    (
        "truncated-content",
        "# T\n\nWater boils at a hundred degrees.\n\n[Insert a picture of it here]\n",
        0,
        None,
    ),
    (
        "truncated-content",
        "# T\n\nWater boils at a hundred degrees.\n\n“Practice makes perfect”\n",
        0,
        None,
    ),
    (
        "truncated-content",
        "# T\n\nLook at it closely now my dear\n\nAnd look at it again and again\n\nWater boils at a hundred degrees. On a mountain the pressure is lower, so that\n",
        1,
        None,
    ),
    // Bold.
    (
        "unclosed-emphasis",
        "# T\n\nRound to the **nearest penny **, and say so.\n",
        1,
        Some("# T\n\nRound to the **nearest penny**, and say so.\n"),
    ),
    (
        "unclosed-emphasis",
        "# T\n\nThe **water boils.\n",
        1,
        Some("# T\n\nThe water boils.\n"),
    ),
    (
        "unclosed-emphasis",
        "# T\n\nSteam rises.\n\nThe **water boils",
        1,
        None,
    ),
    (
        "unclosed-emphasis",
        "# Python\n\nThe **water boils.\n",
        1,
        None,
    ),
    (
        "unclosed-emphasis",
        "# Python\n\nPass **kwargs on.\n",
        0,
        None,
    ),
    (
        "unclosed-emphasis",
        "# T\n\n```py\nf(**extra)\n```\n\nPass **extra on.\n",
        0,
        None,
    ),
    (
        "unclosed-emphasis",
        "# T\n\n**🚀 This is it!\n",
        1,
        Some("# T\n\n🚀 This is it!\n"),
    ),
    (
        "unclosed-emphasis",
        "# 课\n\n水在**一百度时沸腾。\n",
        1,
        Some("# 课\n\n水在一百度时沸腾。\n"),
    ),
    (
        "unclosed-emphasis",
        "# T\n\nUse '**' or (**) for folders.\n",
        0,
        None,
    ),
    // Placeholders.
    (
        "placeholder-text",
        "# T\n\n[Describe the water cycle]\n\nWater boils.\n",
        1,
        None,
    ),
    (
        "placeholder-text",
        "# T\n\nTODO : write this\n\nWater boils.\n",
        1,
        None,
    ),
    (
        "placeholder-text",
        "# T\n\n[Content to be added]\n\nWater boils.\n",
        1,
        None,
    ),
    (
        "placeholder-text",
        "# T\n\n[Add file](x.md)\n\nWater boils.\n",
        0,
        None,
    ),
    (
        "placeholder-text",
        "# T\n\n[Insert]\n\nWater boils.\n",
        0,
        None,
    ),
    (
        "placeholder-text",
        "# T\n\n## TODO\n\n- Learn more.\n\n## Placeholder\n\nIt is grey.\n",
        0,
        None,
    ),
    (
        "placeholder-text",
        "# T\n\n## Your text here\n\nWater boils.\n",
        1,
        None,
    ),
    // Chat.
    (
        "chatbot-framing",
        "Great question! Here is a lesson that covers it:\n\n# T\n\nWater boils.\n",
        1,
        None,
    ),
    (
        "chatbot-framing",
        "# T\n\nWater boils.\n\nI could also prepare slides or a shorter version of it.\n",
        1,
        None,
    ),
    (
        "chatbot-framing",
        "# T\n\nWater boils.\n\nLet me know in the comments if you want more examples!\n",
        0,
        None,
    ),
    // Reasoning.
    (
        "leaked-reasoning",
        "# T\n\nA model ends its thoughts with </think> and goes on.\n\nWater boils.\n",
        1,
        None,
    ),
    // Links.
    (
        "broken-link",
        "# T\n\nThe class [^abc] matches other letters, [^0-9]+ no digits.\n",
        0,
        None,
    ),
    ("broken-link", "# T\n\nWater boils.[^1]\n", 1, None),
    (
        "broken-link",
        "# T\n\n[Back to top](#)\n\nSee [this lesson](#) about water.\n",
        1,
        None,
    ),
    // Lists.
    (
        "malformed-list",
        "# T\n\n-Hola, Ana.\n-Hola, Luis. ¿Qué tal?\n",
        1,
        None,
    ),
    (
        "malformed-list",
        "# T\n\n-Agua\n-Sal\n",
        1,
        Some("# T\n\n- Agua\n- Sal\n"),
    ),
    // Repetition.
    (
        "repeated-text",
        "# T\n\n0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1\n",
        0,
        None,
    ),
    (
        "repeated-text",
        "# T\n\nRow your boat\nGently down the stream\nLife is but a dream of us all\n\nWater boils.\n\nRow your boat\nGently down the stream\nLife is but a dream of us all\n",
        0,
        None,
    ),
    (
        "repeated-text",
        "# T\n\nWater boils at a hundred degrees when the pressure of the air is as usual.\n\nSteam rises into the cold air above the kettle and becomes a small white cloud.\n\nWater boils at a hundred degrees when the pressure of the air is as usual.\n\nSteam.\n\nWater boils at a hundred degrees when the pressure of the air is as usual.\n",
        1,
        None,
    ),
    // Empty sections.
    (
        "empty-section",
        "# Water\n\n# Introduction\n\nWater boils.\n",
        0,
        None,
    ),
    (
        "empty-section",
        "# Water\n\n## Heat\n\n## Steam\n\nWater boils.\n",
        1,
        None,
    ),
    (
        "empty-section",
        "# Water\n\n## [Read more](x.md)\n\n## `f(x)`\n\n## `f(x, y)`\n\nIt boils.\n",
        0,
        None,
    ),
    // Eaten escapes.
    (
        "eaten-escape",
        "# T\n\n$$\nu = v + at\n$$\n\n$$\ne^x\n$$\n",
        0,
        None,
    ),
    (
        "eaten-escape",
        "# T\n\nIt is $a\neq b$.\n",
        1,
        Some("# T\n\nIt is $a\\neq b$.\n"),
    ),
    (
        "eaten-escape",
        "# T\n\nIt costs $5 and\ni think that $3 is enough.\n",
        0,
        None,
    ),
    // Control characters.
    (
        "control-character",
        "# T\n\nDon\u{92}t boil\u{0} it.\n",
        2,
        Some("# T\n\nDon’t boil it.\n"),
    ),
    (
        "control-character",
        "# T\n\nThe end\u{c}Next page.\n",
        1,
        Some("# T\n\nThe end Next page.\n"),
    ),
];
