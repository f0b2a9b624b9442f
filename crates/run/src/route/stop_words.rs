//! Words that name no subject: function words, and what every lesson says about
//! itself. Short lists for the languages we know; in any other nothing is one.

use std::collections::BTreeSet;

use redraft_text::language::Language;

use redraft_gate::vocabulary::normal_keys;

/// The words of one language that name nothing, in all their forms.
#[derive(Debug, Default)]
pub(super) struct StopWords {
    keys: BTreeSet<String>,
}

impl StopWords {
    pub(super) fn of(language: Option<Language>) -> Self {
        let lists: &[&str] = match language.as_ref().map(Language::as_str) {
            Some("en") => &[EN, EN_TEACHING],
            Some("ru") => &[RU, RU_TEACHING],
            Some("de") => &[DE],
            Some("fr") => &[FR],
            Some("es") => &[ES],
            Some("it") => &[IT],
            Some("pt") => &[PT],
            Some("zh") => &[ZH],
            _ => &[],
        };
        let words = lists.iter().flat_map(|list| list.split_whitespace());
        Self {
            // A Chinese word has a key for every character.
            keys: words
                .map(|word| normal_keys(word, language).concat())
                .collect(),
        }
    }

    /// Whether a word with this key names nothing.
    pub(super) fn contains_key(&self, key: &str) -> bool {
        self.keys.contains(key)
    }
}

const EN: &str = "a an the this that these those such same other another each every either neither both all any some many much more most few less least several enough no none not nor and or but if then else than so as because since while until unless although though whether when where why how what which who whom whose is are am was were be been being do does did done doing have has had having can could may might must shall should will would i me my mine we us our ours you your yours he him his she her hers it its they them their theirs itself themselves yourself myself one ones two three four five six seven eight nine ten first second third last next previous of in on at by for from to into onto with without within about above below over under between among through during before after behind beyond across along around near off out up down away back again against per via like unlike here there now later often always never sometimes usually also too very quite rather just only even still already yet once twice almost away however therefore thus hence instead else otherwise perhaps maybe don't doesn't didn't isn't aren't wasn't weren't can't couldn't won't wouldn't shouldn't haven't hasn't let's that's it's you're we're they're i'm you'll we'll i'll you've we've what's there's here's let";
const EN_TEACHING: &str = "lesson lessons section sections chapter unit example examples exercise exercises activity activities task question questions answer answers solution step steps part parts note tip hint summary introduction conclusion overview page table figure list student students learner learners teacher reader people person someone everyone something anything everything nothing thing things way ways time times day days year kind kinds type lot number bit end start begin following different similar new old good better best bad big small large great little long short high low main important simple easy hard difficult common general specific certain possible available able own real true false right wrong use using used uses make makes making made get gets getting got give gives given take takes taken go goes going come comes see seen look looks find found know known think want wants need needs try tries help helps work works working show shows shown tell says said say ask call called calls mean means set put keep learn learned learning understand read reading write writing run running click add adding added create creating created change changes include includes including consider remember imagine suppose happen happens become becomes seem turn below above left right top bottom side description prompt remember really exciting challenge lecture";
const RU: &str = "и а но да или либо то что чтобы как так также тоже же ли бы не ни нет если когда пока где куда откуда почему зачем потому поэтому хотя лишь только даже уже ещё еще вот вон тут там здесь сейчас теперь потом затем тогда всегда никогда иногда часто обычно очень более менее больше меньше самый самая самое самые весь вся всё все всех всем всего каждый каждая каждое любой любая другой другая другие другое иной этот эта это эти этого этой этих этим тот та те того той тех тем такой такая такое такие который которая которое которые которого которой которых сам сама само сами свой своя своё свои мой моя наш наша наше ваш ваша его её ее их я ты он она оно мы вы они меня тебя нас вас ему ей им мне тебе нам вам кто чей чем чём кого какой какая какое какие сколько несколько много мало один одна одно одни два две три четыре пять первый второй третий в во на с со к ко у о об от до для из за по под над при через между без перед после около вокруг внутри вне про ради среди быть есть был была было были будет будут является являются может могут можно нужно надо должен должна должны нельзя стоит лучше хорошо важно именно например т.е";
const RU_TEACHING: &str = "урок раздел пример примеры задание упражнение вопрос ответ шаг часть глава тема страница рисунок таблица список ученик студент учитель человек люди вещь способ раз случай вид тип образ новый новая новые старый большой маленький разный разные простой простая важный важная главный основной общий нужный следующий следующая предыдущий хороший использовать используется используют используем сделать делать делает дать давать взять брать получить получать найти находить знать узнать понять понимать увидеть видеть смотреть посмотреть показать показывать говорить сказать называть называется хотеть нужен попробовать начать начинать стать становиться работать работает помочь помогать написать писать читать изучить добавить создать изменить помнить представь представить описание введение совет помощь чувствовать";
const DE: &str = "der die das den dem des ein eine einen einem einer eines und oder aber denn wenn dann als wie so auch nur noch schon nicht kein keine nichts mehr viel viele sehr zu zum zur in im an am auf aus bei beim mit nach von vom vor für über unter durch gegen ohne um zwischen ist sind war waren sein wird werden wurde haben hat hatte kann können muss müssen soll sollen will wollen darf ich du er sie es wir ihr ihnen ihm ihn uns euch mein dein sein ihre unser dieser diese dieses jeder jede jedes alle man sich was wer wo wann warum welche welcher welches hier dort jetzt beispiel beispiele aufgabe aufgaben lektion abschnitt schritt frage fragen antwort teil weil dass ob damit bis seit während zum also etwa etwas immer oft wieder neue neuen erste zweite andere anderen beschreibung hinweis tipp denke daran rot grün stellen bedarf herausforderung welt";
const FR: &str = "le la les l un une des du de d et ou mais donc or ni car si que qui quoi dont où quand comment pourquoi ce cet cette ces ça cela il elle ils elles on nous vous je tu me te se lui leur leurs mon ton son ma ta sa mes tes ses notre votre nos vos à au aux en dans par pour sur sous avec sans entre vers chez est sont était être a ont avoir avait peut peuvent doit doivent faire fait ne pas plus moins très bien aussi tout tous toute toutes même autre autres comme alors ainsi après avant pendant exemple exemples exercice leçon section étape question réponse partie un deux trois premier première importe quel quelle quels quelques plusieurs chaque aucun trouver utiliser voir";
const ES: &str = "el la los las un una unos unas lo de del y e o u pero si que qué quien cual cuál cuando cuándo como cómo donde dónde por para con sin sobre entre en a al desde hasta es son era ser estar está están fue ha han hay haber tiene tienen puede pueden debe deben hacer hace no ni más menos muy también todo todos toda todas otro otra otros este esta estos estas ese esa esos eso esto su sus mi tu nuestro se me te le les nos yo él ella ellos ustedes usted ejemplo ejemplos ejercicio lección sección paso pregunta respuesta parte uno dos tres primer primera ya así entonces porque aunque cada recuerda recordar descripción nota consejo introducción haz véase tus propios realmente alguna vez ahora mismo desafío cuestionario";
const IT: &str = "il lo la i gli le un uno una di del della dei delle e o ma se che chi cui quando come dove perché per con senza su tra fra in a al alla da dal è sono era essere ha hanno avere può possono deve fare non più meno molto anche tutto tutti ogni altro altri questo questa questi quello quella suo sua loro mio tuo nostro si mi ti ci vi io tu lui lei noi voi loro esempio esempi esercizio lezione sezione passo domanda risposta parte uno due tre primo prima poi così quindi";
const PT: &str = "o a os as um uma uns umas de do da dos das e ou mas se que quem qual quando como onde por para com sem sobre entre em no na nos nas ao à é são era ser estar está foi tem têm ter pode podem deve devem fazer não mais menos muito também todo todos toda outro outra este esta estes essa esse isso isto seu sua seus meu nosso ele ela eles você vocês nós eu exemplo exemplos exercício lição aula seção passo pergunta resposta parte um dois três primeiro primeira já assim então porque cada";
const ZH: &str = "我们 你们 他们 她们 它们 自己 大家 这个 那个 这些 那些 这里 那里 这样 那样 什么 怎么 怎样 如何 为什么 哪些 哪个 可以 能够 需要 应该 必须 可能 如果 那么 因为 所以 但是 而且 并且 或者 以及 还是 不是 就是 没有 不能 不会 已经 正在 然后 现在 之后 之前 以后 以前 时候 非常 比较 更加 一个 一些 一种 一样 一般 两个 三个 第一 第二 例如 比如 其中 通过 进行 使用 用来 作为 成为 根据 关于 对于 由于 不同 相同 主要 重要 问题 例子 练习 部分 步骤 内容 本课 课程 学习 学生 知道 看到 得到 包括 的 了 是 在 和 与 或 也 都 就 不 有 我 你 他 她 它 这 那 会 能 要 把 被 对 从 到 为 以 中 上 下 里 很 更 最 而 但 如 等 及 其 之 个 种 们 你的 我的 我们的 它的 描述 注意 创建 理解 开始 完成 添加 确保 方式 功能 提示 记住 你会 这种 而是 就像 喜欢 第一次 准备 发生 包含 掌握";
