//! Good text that looks bad: about Markdown, code, chat and placeholders, in
//! verse, letters and recipes, with every kind of ending.

/// A short lesson around a passage, so that the text has habits.
pub(crate) fn lesson(passage: &str, language: &str) -> String {
    let (title, opening, middle) = match language {
        "ru" => (
            "Урок",
            "Вода кипит при ста градусах, если давление обычное.",
            "Пар поднимается вверх и остывает.",
        ),
        "de" => (
            "Lektion",
            "Wasser kocht bei hundert Grad, wenn der Druck normal ist.",
            "Der Dampf steigt auf und kühlt ab.",
        ),
        "es" => (
            "Lección",
            "El agua hierve a cien grados cuando la presión es normal.",
            "El vapor sube y se enfría.",
        ),
        "fr" => (
            "Leçon",
            "L’eau bout à cent degrés quand la pression est normale.",
            "La vapeur monte et se refroidit.",
        ),
        "pt" => (
            "Aula",
            "A água ferve a cem graus quando a pressão é normal.",
            "O vapor sobe e esfria.",
        ),
        "zh" => (
            "课程",
            "在正常的气压下，水在一百度时沸腾。",
            "蒸汽上升并冷却。",
        ),
        _ => (
            "Lesson",
            "Water boils at a hundred degrees when the pressure is normal.",
            "The steam rises and cools down.",
        ),
    };
    format!(
        "# {title}\n\n{opening} {middle}\n\n{middle} {opening}\n\n## 1\n\n{opening}\n\n{middle}\n\n{passage}\n"
    )
}

/// Language and passage; the passage stands at the end of a lesson.
pub(crate) const ENDINGS: &[(&str, &str)] = &[
    ("en", "Happy coding"),
    ("en", "Good luck, and see you in the next lesson 👋"),
    ("en", "That was a lot for one day! Happy baking"),
    ("en", "Thanks for reading. Anna Schmidt"),
    (
        "en",
        "That is all for today, thank you for reading so far. Anna Schmidt",
    ),
    ("en", "— Anna Schmidt, Edinburgh"),
    ("en", "Anna Schmidt, 3 May 2021"),
    ("en", "The End"),
    ("en", "To be continued"),
    (
        "en",
        "Further reading: *The Chemistry of Water*, Oxford University Press",
    ),
    ("en", "Source: National Water Museum of the City of London"),
    ("en", "Photo by Dr. J. R. Miller"),
    ("en", "#water #steam #physics"),
    ("en", "© 2021 The Water School and its authors"),
    ("en", "Read on in [the next lesson](next.md)"),
    (
        "en",
        "The code of this lesson is at https://example.org/code",
    ),
    ("en", "Now start the program with `python main.py`"),
    ("en", "The correct answer to the last question is option A"),
    (
        "en",
        "You need:\n\n- a kettle\n- two cups of water\n- vitamin A and D",
    ),
    (
        "en",
        "- Heat the water.\n- Pour it into the cup.\n- Wait.\n- Enjoy",
    ),
    (
        "en",
        "Complete the sentences:\n\n- The opposite of hot is\n- The colour of snow is\n- The capital of France is",
    ),
    (
        "en",
        "| Step | Time |\n|---|---|\n| Heat | 5 min |\n| Wait | 3 min |",
    ),
    ("en", "Step | Time\n---|---\nHeat | 5 min\nWait | 3 min"),
    (
        "en",
        "| Step | Time |\n|---|---|\n| Heat | 5 min |\nTable 1: How long it takes",
    ),
    ("en", "```\nboil(water)\n```"),
    (
        "en",
        "The water says\nnothing at all\nand the kettle\nsings to the wall",
    ),
    ("en", "The Water Museum\n12 Kettle Street\nLondon SW1"),
    (
        "en",
        "> Water, water, every where,\n> Nor any drop to drink.\n>\n> — Samuel Taylor Coleridge",
    ),
    (
        "en",
        "Water has three states.[^1]\n\n[^1]: Solid, liquid, gas",
    ),
    ("en", "![A kettle](kettle.png)"),
    ("en", "The energy is $E = mc^2$"),
    (
        "en",
        "*Written by the teachers of our school for the science week*",
    ),
    ("en", "**Next time: how ice floats on a lake**"),
    ("en", "Yours sincerely,\nThe Water Board"),
    ("en", "What did you find out? Discuss it with your partner!"),
    ("en", "She said: “Wait until it boils.”"),
    ("en", "(See the appendix for the figures.)"),
    (
        "en",
        "Serves four to six people as a starter, or two as a main course :)",
    ),
    (
        "en",
        "Smith, J. and Jones, K. (2019). *Boiling*. Oxford: Oxford University Press.",
    ),
    ("en", "That's all for today"),
    ("en", "Now it’s your turn"),
    ("en", "Practice makes perfect"),
    ("en", "Written by Anna Schmidt"),
    ("en", "Answer: four apples"),
    ("en", "Homework: read pages 4 and 5"),
    ("en", "Next lesson: how ice floats on a lake"),
    ("en", "Lesson 3 of 12"),
    ("en", "## Answer\n\nThe right answer is B"),
    ("en", "## Answer\n\n42"),
    ("en", "## Licence\n\nCC BY 4.0"),
    ("en", "Smith, J. Boiling. doi: 10.1000/182.x"),
    ("en", "Download the file water_v2.tar.gz"),
    ("en", "The code is on GitHub at example/water.git"),
    (
        "en",
        "You can now:\n\n- say what it will be\n- find what to look at\n- name what it depends on",
    ),
    ("en", "1. Heat the water.\n2. Wait.\n3. Done"),
    (
        "en",
        "- [ ] Explain what steam is\n- [ ] Teach it to somebody you work with",
    ),
    ("en", "- Why does water boil?\n- How to cool steam"),
    ("en", "- Heat it (slowly!)\n- Watch how the bubbles rise"),
    ("en", "> Practice makes perfect"),
    (
        "en",
        "> The best way to learn a thing is to do it\n\n— Anna",
    ),
    ("en", "What would happen on a mountain?"),
    ("en", "$$\nE = mc^2\n$$"),
    ("en", "Thanks go to the pupils of class 7b"),
    ("ru", "Вот и всё на сегодня"),
    ("ru", "Ответ: четыре яблока"),
    ("ru", "Домашнее задание: прочитать параграф 5"),
    ("ru", "Автор урока Анна Иванова"),
    ("ru", "## Ответ\n\nПравильный ответ Б"),
    ("ru", "- автоматизируйте всё\n- запомните все"),
    ("de", "Das war’s für heute"),
    ("de", "Fotos von Anna Schmidt"),
    ("de", "Lösung: vier Äpfel"),
    (
        "de",
        "Du weißt jetzt:\n\n- warum Wasser kocht, wenn es heiß ist\n- wie du Dampf erkennen kannst\n- was du noch brauchst, bevor es losgehen kann",
    ),
    ("de", "- Probiere es aus\n- Denk über die Folgen nach"),
    ("es", "Eso es todo por hoy"),
    ("es", "Respuesta: cuatro manzanas"),
    ("fr", "C’est tout pour aujourd’hui"),
    ("fr", "Réponse : quatre pommes"),
    ("pt", "É isso por hoje"),
    ("pt", "Resposta: quatro maçãs"),
    ("zh", "今天就到这里"),
    ("zh", "作者：王芳"),
    ("zh", "- 返回两个数的和\n- 测试所有功能\n- 更好地管理它"),
    ("ru", "Удачи в учёбе"),
    ("ru", "До встречи на следующем уроке"),
    ("ru", "— А. С. Пушкин"),
    ("ru", "Материал подготовила Анна Иванова, Москва"),
    ("ru", "- вода\n- чайник\n- чашка"),
    ("ru", "Он сказал: «Подожди, пока закипит»."),
    ("de", "Viel Erfolg beim Ausprobieren"),
    ("de", "Der Lehrer sagte: „Warte, bis es kocht.“"),
    ("de", "Bis zum nächsten Mal"),
    ("de", "- Wasser\n- ein Topf\n- etwas Salz"),
    ("de", "Liebe Grüße\nAnna"),
    ("es", "¡Hasta la próxima!"),
    ("es", "¿Qué has aprendido hoy?"),
    ("es", "Buena suerte"),
    ("es", "- agua\n- una tetera"),
    ("fr", "Il répondit : « Attends que l’eau bouille. »"),
    ("fr", "Bonne chance"),
    ("fr", "- de l’eau ;\n- une bouilloire ;\n- une tasse"),
    ("pt", "Bons estudos e até a próxima"),
    ("pt", "- água\n- uma chaleira"),
    ("zh", "祝你学习愉快"),
    ("zh", "- 水\n- 茶壶\n- 杯子"),
    ("zh", "他说：“等水开了再说。”"),
    ("zh", "下节课见"),
];

/// Language and passage; more of the lesson follows.
pub(crate) const PASSAGES: &[(&str, &str)] = &[
    (
        "en",
        "In Python, write `**kwargs`, or just **kwargs in a comment. The power 2**3 is 8, and x ** 2 is a square.",
    ),
    (
        "en",
        "Python collects the rest in **options, and f(*args, **extra) passes both.",
    ),
    (
        "en",
        "The pattern src/**/*.js matches all scripts, and **/*.md all texts.",
    ),
    (
        "en",
        "To make a word bold, type `**word**`. Two stars, \\*\\*, do nothing on their own.",
    ),
    (
        "en",
        "The regular expression `a**` is an error, while `(a*)*` is slow. Outside code, .* matches anything.",
    ),
    ("en", "Rate it: ★★★★☆ or **** out of five."),
    (
        "en",
        "A footnote mark * or ** refers to the notes below the table.",
    ),
    (
        "en",
        "Our TODO app shows a list. Its title is TODO, and every item can be ticked off.",
    ),
    (
        "en",
        "The input has the attribute `placeholder=\"Your text here\"`. The field shows “Your text here” until you type.",
    ),
    (
        "en",
        "Press [Insert] to paste, then click [Add file] and choose [Enter] on the keyboard.",
    ),
    (
        "en",
        "Type your text here and press Enter. Then insert an image here and there.",
    ),
    (
        "en",
        "Printers use Lorem ipsum as a filler, since nobody reads it.",
    ),
    (
        "en",
        "He wrote [sic] and [...] in the margin, and the editor added [his emphasis].",
    ),
    (
        "en",
        "Of course, water boils at 100 °C. Sure, you may try it. Here is an example:\n\n- a kettle",
    ),
    (
        "en",
        "A chatbot often begins with “Sure! Here is the lesson:” and ends with “I hope this helps!”",
    ),
    (
        "en",
        "> Sure! Here is the lesson you asked for:\n\nDelete such a sentence before you publish a text.",
    ),
    (
        "en",
        "Reasoning models put their thoughts between `<think>` and `</think>`:\n\n```\n<think>The user wants a lesson.</think>\nHere it is.\n```",
    ),
    (
        "en",
        "As an AI researcher, I have seen many models. As an AI language model, ChatGPT predicts words.",
    ),
    (
        "en",
        "“Would you like me to add more sugar?” asked the waiter.",
    ),
    (
        "en",
        "Row, row, row your boat,\nGently down the stream.\nMerrily, merrily, merrily, merrily,\nLife is but a dream.",
    ),
    (
        "en",
        "The matrix element is a[i][j], and m[0](x) calls the first function. Look at [1] and [2, p. 5].",
    ),
    (
        "en",
        "A checkbox is written [ ] or [x]. An interval is written [0, 1) or (a, b].",
    ),
    ("en", "-1 degrees is cold.\n-20 degrees is very cold."),
    ("en", "The options are:\n-v for version\n-h for help"),
    ("en", "3.14 is nearly pi.\n2.72 is nearly e."),
    (
        "en",
        "1.5 litres of water are enough.\n2.5 litres are too much.",
    ),
    ("en", "The price is $5, or $10 for two. A dozen costs $50."),
    (
        "en",
        "Write \\frac{1}{2} for a half. A tab\tmay stand in a line, and\nnew lines in a paragraph.",
    ),
    (
        "en",
        "A template says `{{ name }}`, or [link]({{ site.url }}/x) in Jekyll.",
    ),
    ("en", "Well, well, well. Very, very good: ha ha ha ha ha!"),
    (
        "ru",
        "В Python пишут **kwargs, а степень это 2**3. Звёздочки * и ** ставят в сносках.",
    ),
    (
        "ru",
        "Приложение TODO показывает список дел. Нажмите [Добавить] и введите текст.",
    ),
    (
        "ru",
        "Конечно, вода кипит при ста градусах. Вот пример:\n\n- чайник",
    ),
    (
        "ru",
        "Нейросеть часто пишет: «Конечно! Вот ваш урок:», и это надо удалить.",
    ),
    (
        "de",
        "Natürlich kocht Wasser. Hier ist ein Beispiel: „Das Wasser kocht.“ Der Ausdruck 2**3 ergibt acht.",
    ),
    (
        "de",
        "Geben Sie hier Ihren Text ein und drücken Sie [Eingabe]. Das Wort »Platzhalter« steht im Feld.",
    ),
    (
        "de",
        "Im Jahr 2020 kamen z. B. Dr. Müller und Prof. A. B. Schmidt.",
    ),
    (
        "es",
        "Por supuesto, el agua hierve. ¿Lo sabías? ¡Claro que sí! Aquí tienes un ejemplo:\n\n- una tetera",
    ),
    (
        "es",
        "Escriba su texto aquí y pulse [Intro]. En Python se escribe **kwargs.",
    ),
    (
        "fr",
        "Bien sûr, l’eau bout. Voici un exemple : « L’eau bout. » Appuyez sur [Entrée].",
    ),
    (
        "pt",
        "Claro, a água ferve. Aqui está um exemplo:\n\n- uma chaleira",
    ),
    ("zh", "当然，水会沸腾。以下是一个例子：\n\n- 茶壶"),
    (
        "zh",
        "请在输入框中输入文本，然后按[确定]。占位符是输入框里的灰色文字。",
    ),
    ("zh", "函数的写法是**kwargs，幂的写法是2**3。"),
];
