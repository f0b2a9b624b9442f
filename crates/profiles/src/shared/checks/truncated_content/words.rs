//! Words that tell whether a text goes on, by language, as data. Where they
//! stand and what follows from them is not known here.

/// The telling words of one language, in lower case, with spaces between them.
#[derive(Debug)]
pub(super) struct Telling {
    /// Nothing can end with these: articles, conjunctions, most prepositions.
    pub(super) unfinished: &'static str,
    /// Sentences seldom end with these, phrases do: verbs that stand last, stray
    /// prepositions ("to look at"), pronouns.
    pub(super) hanging: &'static str,
    /// A line that begins with one of these is a sentence and no title.
    pub(super) starters: &'static str,
    /// A line that begins with one of these may be a question.
    pub(super) questions: &'static str,
}

/// The words of a language; `None` where we know none.
pub(super) fn of(language: &str) -> Option<&'static Telling> {
    match language {
        "en" => Some(&EN),
        "ru" => Some(&RU),
        "de" => Some(&DE),
        "es" => Some(&ES),
        "fr" => Some(&FR),
        "pt" => Some(&PT),
        "zh" => Some(&ZH),
        _ => None,
    }
}

/// How people take their leave; such a line needs no full stop in any language.
pub(super) fn is_farewell(line: &str) -> bool {
    let line = line
        .trim_start_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    FAREWELLS.split('|').any(|farewell| {
        line.strip_prefix(farewell)
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric) || !farewell.is_ascii())
    })
}

/// Beginnings of such lines, separated by bars.
const FAREWELLS: &str = "happy|good luck|good bye|goodbye|bye|see you|have fun|have a|enjoy|cheers|thanks|thank you|best|\
    kind regards|yours|sincerely|with love|the end|to be continued|end of|well done|congratulations|\
    keep|until next|stay|many thanks|welcome|удачи|успехов|до встречи|до свидания|до новых|до скор|\
    спасибо|с уважением|с любовью|конец|продолжение следует|приятного|всего|пока|поздравля|хорошего|\
    viel|bis|auf wiedersehen|tschüss|danke|vielen|herzlich|mit freundlichen|mit besten|liebe grüße|\
    beste grüße|ende|fortsetzung folgt|gutes gelingen|guten appetit|frohes|mach|los geht|glückwunsch|\
    buena|¡buena|suerte|hasta|adiós|gracias|un saludo|saludos|atentamente|fin|feliz|felices|buenas|\
    buenos|continuará|enhorabuena|felicidades|buen|con cariño|bonne|bonnes|bons|bon|à bientôt|au revoir|\
    merci|cordialement|amicalement|bien à vous|à suivre|félicitations|à la prochaine|boa|bom|bons|boas|\
    até|tchau|obrigado|obrigada|um abraço|abraços|atenciosamente|fim|continua|parabéns|祝|谢谢|感谢|再见|加油|完|未完待续|下节课见|\
    下次见|恭喜|此致|全文完|本课结束|课程结束|今天就到这里|就这样|轮到你了|下一课|下节课|下次|动手试|\
    that is all|that's all|that’s all|that's it|that’s it|and that's it|and that’s it|now it's your turn|\
    now it’s your turn|now it is your turn|your turn|over to you|let's go|let’s go|coming soon|more soon|next lesson|\
    next time|practice makes|вот и всё|вот и все|на этом всё|на этом все|это всё|теперь ваша очередь|ваш ход|\
    следующий урок|в следующий раз|das war's|das war’s|das war alles|das ist alles|jetzt sind sie dran|jetzt bist du dran|du bist dran|\
    übung macht|nächste lektion|nächstes mal|eso es todo|esto es todo|ahora te toca|ahora es tu turno|tu turno|\
    próxima lección|c'est tout|c’est tout|à vous de jouer|à toi de jouer|prochaine leçon|é isso|isso é tudo|\
    agora é com você|agora é a sua vez|sua vez|próxima aula";

static EN: Telling = Telling {
    unfinished: "the a an of and or but nor than because if whether although unless their its your our my every \
        into onto between among during via upon toward towards let's we'll you'll it's that's i'm we're \
        you're which whose as various using",
    hanging: "from with without at is are was were be been has have had can will would should could must may \
        might don't isn't doesn't that to for by very such both either these those several when where \
        while until it they we he she i",
    starters: "the a an this that these those in on at if when while because for to from with without by as after \
        before since although though once we you i it they he she there here let's let now then so but and \
        or however first second third finally next each every some many most all your our its their what why \
        how where who which is are do does can it's you'll we'll you've we've don't also instead imagine \
        suppose note of both not another other one two three my",
    questions: "what what's why how which who who's whose when where can could would do does did is are have has should",
};

static RU: Telling = Telling {
    unfinished: "и в во на с со к ко о об от из для по у чтобы который которая которое которые которого которой \
        которых или но а не при если потому над под между через без до перед очень самый каждый каждая \
        каждое ни этот эта эти ваш ваша наш наша",
    hanging: "за что как когда также это после где чем то же ли бы мы вы он она они оно я ты ваше ваши наше \
        наши более менее может можно нужно надо будет является поэтому чего его её их свой свою своё \
        свои тем такой такая такие эту этой этого",
    starters: "в во на с со к о об от из за для по у если когда чтобы что как это этот эта эти мы вы он она они оно \
        я ты и а но или при после перед поэтому теперь здесь там сначала затем потом также кроме каждый \
        каждая каждое некоторые многие все ваш ваша ваше наш наша почему где кто какой какие какая давайте \
        пусть может можно нужно однако наконец так тогда до без благодаря один одна два представьте обратите \
        не",
    questions: "что почему как какой какая какое какие каких какую кто когда где зачем сколько куда откуда чем чему можете понятна понятно",
};

pub(super) static DE: Telling = Telling {
    unfinished: "der die des dem den eine einen einem einer eines und oder aber sondern dass weil ob obwohl für \
        im am zum zur beim vom ins seine seinen seiner ihre ihren ihrer unsere unseren deine deinen \
        meine jede jeder jedes diese dieser dieses diesen diesem sehr kein keine keinen gegen ohne \
        zwischen sowie beziehungsweise bevor nachdem in von als",
    hanging: "das wenn damit ist sind war waren wird werden kann können muss müssen sollte sollten hat haben \
        sein nicht wie bei durch um über unter während wegen wir ihr er es man du ich sie ein sich \
        welche welcher welches",
    starters: "der die das des dem den ein eine einen einem einer in im am an auf bei mit nach von vor zu zum zur \
        für wenn falls weil da dass ob obwohl während nachdem bevor sobald wir du sie ihr ich er es man hier \
        dort jetzt nun dann also aber und oder doch zuerst zunächst schließlich danach außerdem jede jeder \
        jedes einige viele alle diese dieser dieses dein deine ihre unser unsere was warum wie wo wer welche \
        welcher welches ist sind kann bisher durch um ohne unter über stell stellen beachte beachten so auch \
        nicht damit dazu dabei daher deshalb zwei drei",
    questions: "was warum wie welche welcher welches welchen welchem wer wen wem wann wo wozu woher wohin weshalb wieso worin worauf kannst können hast haben",
};

static ES: Telling = Telling {
    unfinished: "el la los las un una unos unas de del y e o u ni pero sino que porque si aunque cuando mientras \
        con sin en para por a al su sus tu tus mi mis nuestro nuestra nuestros nuestras cada este estos \
        estas ese esa muy tan desde hasta entre sobre según durante mediante se le cuyo cuya",
    hanging: "es son era fue ha han he hemos había ser esta lo les me te nos más menos como no donde cual \
        puede pueden está están también qué cómo cuándo",
    starters: "el la los las un una unos unas en de del a al con sin para por desde según durante si cuando \
        mientras aunque porque como este esta estos estas ese esa eso esto aquí ahí ahora luego después \
        antes primero finalmente entonces también además pero y o cada algunos algunas muchos todos todas tu \
        tus su sus nuestro nuestra qué cómo dónde quién cuál es son hay no se lo le nos te vamos tú nosotros \
        ellos ella él sobre entre tras ya más otro otra dos tres imagina",
    questions: "qué cómo cuál cuáles quién quiénes cuándo dónde cuánto cuánta cuántos cuántas puedes",
};

static FR: Telling = Telling {
    unfinished: "le la les un une des du de et ou mais ni car que qui dont si lorsque quand parce puisque dans \
        par sur sous chez à au aux en ce cet cette ces son sa ses leur leurs notre nos votre vos mon ma \
        mes ton ta tes chaque très je tu se ne afin jusqu'à selon",
    hanging: "avec sans pour vers entre est sont était a ont être avoir plus moins comme nous vous il elle ils \
        elles on peut peuvent doit où depuis pendant y plusieurs",
    starters: "le la les un une des du de dans pour par sur sous avec sans à au aux en ce cet cette ces cela ceci \
        c'est il elle ils elles on nous vous je tu si lorsque quand parce comme puisque afin après avant \
        depuis pendant maintenant ensuite puis enfin d'abord ici mais et ou donc chaque certains certaines \
        plusieurs tous toutes votre vos notre nos leur son sa ses que qui quel quelle comment pourquoi où \
        est sont ne y voici voilà selon entre deux trois imaginez notez mon",
    questions: "que quel quelle quels quelles comment pourquoi qui quand où combien pouvez",
};

static PT: Telling = Telling {
    unfinished: "o a os as um uma uns umas de do da dos das e ou mas nem que porque se embora quando enquanto com \
        sem em no na nos nas num numa para por pelo pela pelos pelas ao aos à às seu sua seus suas meu \
        minha nosso nossa cada este estes estas esse essa esses essas muito tão desde até entre sobre \
        cujo cuja",
    hanging: "é são era foi está estão tem têm ser ter esta mais menos como não pode podem deve também você \
        vocês ele ela eles elas nós onde qual",
    starters: "o a os as um uma em no na nos nas de do da com sem para por pelo pela ao à se quando enquanto embora \
        porque como este esta estes estas esse essa isso isto aqui agora depois antes primeiro finalmente \
        então também além mas e ou cada alguns algumas muitos todos todas seu sua nosso nossa que quem qual \
        onde é são há não você nós eles elas ele ela eu vamos durante segundo sobre entre desde após já mais \
        outro outra dois duas três imagine",
    questions: "que qual quais como quem quando onde quanto quantos quantas",
};

/// Chinese has no spaces: the first are compared with the last word that ICU sees,
/// the starters with the start.
static ZH: Telling = Telling {
    unfinished: "和 与 在 把 被 从 向 为 将 就 都 也 很 最 更 而 并 或 且 以 于 其 该 每 各 因为 所以 如果 但是 但 虽然 由于 通过 例如 比如 比 跟 让 使 由 没 不 还 只 已 正 所 之 以及 或者 并且 而且 为了 关于 即使 不仅 无论 一个 一种 这个 那个 这些 那些 每个 各种",
    hanging: "对 是 会 能 要 给 这 那 哪 我 你 您 他 她 它 我们 你们 您 他们 它们 使用 可以 的 需要 应该 必须 能够 进行 当 有 还是 另 只有",
    starters: "如果 在 我们 你 您 我 他 她 它 当 这 那 为了 因为 由于 通过 使用 现在 首先 然后 接着 最后 例如 比如 但 虽然 所以 因此 每 有 没有 从 对 把 让 请 可以 要 不 也 想 \
        一旦 只要 只有 除了 根据 与 和 以 是 用 一 其 此 该 许多 大多 很多 什么 怎么 为什么 如何 哪 谁",
    questions: "什么 为什么 如何 怎么 怎样 哪 谁 何时 你能 你是否",
};
