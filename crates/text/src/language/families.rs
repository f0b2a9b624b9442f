//! The words that tell languages of one script apart: short, frequent ones, by
//! language. Data only; how they are weighed is documented at [`Family`](super::family::Family).

use std::sync::LazyLock;

use super::family::Family;

/// Languages in Latin letters.
pub(super) static LATIN: LazyLock<Family> = LazyLock::new(|| {
    Family::new(
        &[
            (
                "en",
                "the of and a to in is that it for was on are as with be by at this have from or had not but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two him see could no than been who its now did get may part you i he they my me our us after only also because where most such any those while should does being between through over under here just very don t s re ve ll isn doesn one his first new time people year years day days work use used using make made makes know take want need needs like good long little much before right same every still must why again help learn example however both during without within another even well per next last three four let monday tuesday wednesday thursday friday saturday sunday january february march june july august october december",
            ),
            (
                "de",
                "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde wenn ihre ihr seine ich wir kann können diese dieser dieses dann unter sehr was wer hier schon muss müssen gegen vom wurden keine kein alle sondern jedoch weil uns mich mir dir euch zwischen zwei jeder etwas da denn ihm ihn hatte ob beim also damit eines wo warum immer wieder ja nein mal nun ganz gibt macht machen viel viele jetzt heute gut ohne während seit dort hatten wären würde wollte sollte soll will weiter neue neuen jahr jahre zeit selbst doch ihrer ihren seiner ebenfalls bereits",
            ),
            (
                "es",
                "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy años hasta desde está mi porque qué sólo solo han yo hay vez puede todos así nos ni parte tiene él uno donde bien mismo ese ahora cada e otro otra otros después te esto eso estos estas nuestra nuestro usted ellos ella según hacer aunque tan están tu cuál cómo les pues unos unas siempre nunca hoy ayer aquí allí mucho mucha muchos poco nada algo alguien hace hacia durante contra mediante tras antes luego entonces además gran nuevo nueva primera primer tres debe pueden tienen hemos creo ninguna ninguno cual quien quienes mientras",
            ),
            (
                "fr",
                "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec son cette aux ou comme mais on nous tout sa ses ils elle été être fait deux même si leur très aussi sans vous je y où bien peut ces leurs entre dont après avant encore ont quand c d l n qu s j m t lui donc sous depuis avait était était chez votre notre nos vos mes mon ma tous toute toutes cela ça car alors fut chaque autres autre elles ainsi moins à ici fois peu jamais toujours rien celui celle ceux quel quelle comment pourquoi faut doit va vont sera serait soit plusieurs chose temps jour jours an ans lors vers contre jusqu puis parce selon pendant parfois j'ai ai as es suis êtes sommes deviennent devient",
            ),
            (
                "pt",
                "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre era depois sem mesmo aos ter seus quem nas me esse eles estão você tinha foram essa num nem suas meu às minha têm numa pelos elas havia seja qual será nós tenho lhe deles essas esses pelas este fosse dele tu te vocês vos são pode sobre onde cada porque nesta neste desta deste nossa nosso outros outro fazer ainda estava sempre nunca hoje ontem aqui ali muita muitos pouco nada algo alguém faz durante contra após antes então além novo nova primeira primeiro três deve podem tanto tanta todos todas tudo vai vem fez ano anos dia dias uns umas assim enquanto segundo apenas agora lá estamos quer",
            ),
            (
                "it",
                "di e il la che in a per un è del non una i le con si da sono dei al nel come della lo gli ha anche alla più ma su dal delle se o suo sua questo questa ci loro quando essere stato dalla tra fra ai nella molto ne alle stata mi ho degli sulla dell all nell sull l d un c quello cui perché così dopo solo tutti tutto può hanno era prima ogni dove cosa anni due fatto sia poi noi lui lei io chi senza sul dai negli",
            ),
            (
                "nl",
                "de het een en van in is dat op te zijn met voor niet aan er om ook als dan maar bij uit door over ze hij naar heeft hebben worden wordt deze nog wel geen kan meer wat of was werd zo je we ik haar hun tot omdat zou kunnen moet veel andere onder waar tussen dit die want zich al mijn u",
            ),
            (
                "pl",
                "i w na z do się nie jest że to o jak po za od dla przez ale tak co był była było przy czy tym tego są lub jego już tylko oraz który która które jej ich przed może być ze pod gdy nad bardzo także a u jako więc nawet mnie mi ma jednak go może np bez",
            ),
            (
                "sv",
                "och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan när år under också efter eller nu sin där vid mot ska skulle kommer ut får finns vara hade alla andra mycket än här då sedan över bara in blir upp även vad ni du mellan denna detta",
            ),
            (
                "da",
                "og i at det er en til af på for med de som den der ikke et har han var om fra men jeg vi sig så kan når år også efter eller nu hvor ved mod skal ville kommer ud får være havde alle andre meget her da siden over bare ind bliver op hvad du denne dette blev vil mere hun kun mange",
            ),
            (
                "no",
                "og i det er en til av på for med de som den ikke et har han var om fra men jeg vi seg så kan når år også etter eller nå hvor ved mot skal ville kommer ut får være hadde alle andre mye her da siden over bare inn blir opp hva du denne dette ble vil mer hun noen mange kunne enn",
            ),
            (
                "ro",
                "de și în a la cu pe din care este o un nu că mai pentru sunt se fi ca au prin sau dar fost după între lui ei al ale cel cea când această acest am ai dacă foarte unde despre către fără doar lor său sa avea toate tot",
            ),
            (
                "ca",
                "de la i el que a les en per un amb els una és no del al es seva seu més com o són però si va han ha ser dels aquest aquesta als també perquè molt l d s n on pel fins sense entre quan tot tots hi ho seus ja",
            ),
            (
                "cs",
                "a v se na je že s z do o i to k ve pro za by jako po jsou tak byl ale jeho které který která od při není jsem bylo také až nebo ze jen podle však mezi aby si co když před už své než pod jejich může být",
            ),
            (
                "sk",
                "a v sa na je že s z do o aj to k vo pre za by ako po sú tak bol ale jeho ktoré ktorý ktorá od pri nie som bolo tiež až alebo zo len podľa však medzi aby si čo keď pred už svoje než pod ich môže byť",
            ),
            (
                "hr",
                "i u je se na da su za od s a o kao ne koji koja koje iz to biti bio bila ali ili do po kako više ako te što bi sam samo nije jer kod među prema već njegov sve može ova ovaj",
            ),
            (
                "tr",
                "ve bir bu da de için ile olarak çok olan daha gibi ne kadar en sonra ama o her var ya mi mı ki değil ise oldu olduğu göre hem veya ancak ben sen biz siz bunu onun tarafından üzerinde iki şey büyük yok diye bile nasıl şekilde içinde kendi bütün böyle",
            ),
            (
                "fi",
                "ja on ei se että oli hän ovat mutta tai kun joka niin myös kuin ole mukaan jos vain sen hänen olla mitä tämä tässä ne he me minä sinä te jo vielä sekä voi sitä siitä kanssa ennen jälkeen vuonna jotka noin itse nyt hyvin tämän muun en",
            ),
            (
                "hu",
                "a az és hogy nem is egy volt meg ez de csak már még ha vagy mint el ki azt kell lehet amely után szerint minden volna van ezt pedig akkor ami úgy nagy neki mert lesz között majd sem így itt több ő én te mi",
            ),
            (
                "id",
                "yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke karena ada adalah mereka oleh sebagai atau kita telah bisa lebih dapat sudah seorang kami hanya anda dia saat para seperti tersebut bahwa secara harus orang namun sedangkan hingga ketika beberapa tetapi merupakan maupun sehingga apakah bagaimana",
            ),
            (
                "vi",
                "và của là có không được trong một cho các với những người đã này khi để đến từ cũng như nhưng về tại sẽ vào ra hay làm phải rất nhiều nếu thì theo bị đó lại trên",
            ),
            (
                "ga",
                "agus an na ar i a go is le do bhí ag ach tá sé nach ní sa mar chun ina leis sí siad bhfuil ó bhi atá as níl faoi gur seo sin den don é iad raibh nó cad conas féin nuair gach tar éis idir mé tú againn acu aige dá ba níor aon óna dhá",
            ),
            (
                "af",
                "die en van in is nie het te dat wat vir met op as hy sy word ook aan by om was kan sal deur uit maar ek ons hulle haar sê moet so nog daar toe net tot een baie wees",
            ),
            (
                "eo",
                "la de kaj en al estas ne ke por kun li mi vi ili oni pri sed pli ankaŭ tiu ĉi kiu kiel estis el ĝi povas sur ĉar aŭ ĝis tio post nur dum",
            ),
            (
                "la",
                "et in est non ad ut cum sed quod ex si qui quae per atque ab esse de nec sunt etiam aut eius autem enim hoc quam ac erat ipse quid nihil omnia neque",
            ),
            (
                "et",
                "ja on ei et see oli mis kui ka oma kes aga või siis nii välja veel kus mida ta ma sa nad me te olid olnud pole selle seda sellest kõik väga ning ainult juba nende tema minu sest kuid pärast enne kuni üks kaks mitte peab saab võib tuleb läbi üle alla vahel juures järgi nagu iga kogu midagi need selles meie teie aastal inimesed ole",
            ),
            (
                "lt",
                "ir yra į kad su iš tai kaip ne bet ar buvo jis ji jie mes jūs aš tik apie po prie už nuo per tarp dėl jei jau dar labai kai kur kas ką jų jo jos savo šis ši tas ta to be kuris kuri kurie gali turi nėra visi taip pat arba nes todėl metų metais prieš pagal vienas du",
            ),
            (
                "lv",
                "un ir uz ar par no ka tas kas kā bet arī nav bija viņš viņa viņi mēs jūs es tikai pēc pie līdz vai ja jau vēl ļoti kad kur savu šis šī to tā tie tās kurš kura kuri var vajag visi gan jo tādēļ gada gadā pirms starp pret viens divi ko lai bez nebija tiek esmu",
            ),
            (
                "sl",
                "in je v na se da so za ki z s pa ne tudi po kot od pri do ali ni bil bila bilo če ga iz že kar še bi lahko tem to ta so sem smo jih jo ker kako kaj kje kdo njegov njena med pred nad pod zaradi vendar zelo samo vse vsi vsak ima imajo treba potem ko tako ter oziroma torej ob saj",
            ),
            (
                "sw",
                "na ya wa kwa ni za katika la cha vya hii hiyo huo hicho huyu hao hawa yake wake lake kama si au lakini pia ili kuwa alikuwa ambao ambayo ambaye baada kabla wakati watu mtu sana tu bila hata kila mwaka hivyo kwamba yao wao sisi wewe mimi yeye nini wapi jinsi kutoka hadi juu chini ndani nje zaidi kuna hakuna",
            ),
            (
                "tl",
                "ang ng sa na mga ay at para ito kung hindi ni nang si may ako ikaw siya kami kayo sila natin namin nila niya ko mo ka kaya dahil pero o din rin lang lamang isang isa ating kanyang kanilang mula hanggang kapag habang bago pagkatapos upang bilang tulad wala mayroon ano sino saan paano bakit dito doon iyon ganito maaari dapat",
            ),
            (
                "ms",
                "yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke kerana ada adalah mereka oleh sebagai atau kita telah boleh lebih dapat sudah seorang kami hanya anda dia semasa para seperti tersebut bahawa secara harus orang ialah daripada beliau iaitu kepada manakala jika apabila semua setiap perlu kamu awak sahaja pula mempunyai",
            ),
        ],
        &[
            ("en", "ing ings ness ful ght ould ally ed ly ity ities ies"),
            ("en fr", "tion tions"),
            (
                "de",
                "ung ungen lich liche lichen keit heit isch ische ischen schaft tschaft",
            ),
            ("es", "ción ciones dad dades iendo ando amiento"),
            ("pt", "ção ções dade dades mento"),
            ("fr", "eux euse ement ements aient eur eurs ique iques"),
            ("it", "zione zioni mente aggio ezza ità"),
            ("ro", "ului ilor ție"),
            ("nl", "heid ijk ijke"),
            ("pl", "ości ego ych owie owy"),
            ("et", "mine tud sse dest dele"),
            ("lt", "imas ymas umas iams omis ybė ių"),
            ("sl", "ost osti anje enje ega emu imi"),
            (
                "tr",
                "lar ler ları leri ların lerin larının lerinin iyor ıyor uyor",
            ),
        ],
        &[
            ("de", "ß"),
            ("de sv fi hu tr", "ö"),
            ("de tr hu", "ü"),
            ("de sv fi", "ä"),
            ("es", "ñ¿¡"),
            ("pt", "ãõ"),
            ("fr", "œèùûëî"),
            ("fr pt", "êâ"),
            ("fr pt ca", "ç"),
            ("it ca", "ìò"),
            ("pl", "łąęśźżńć"),
            ("tr", "ğışİ"),
            ("sv da no", "å"),
            ("da no", "øæ"),
            ("ro", "ășțţ"),
            ("hu", "őű"),
            ("cs", "ěřů"),
            ("sk", "ľĺŕô"),
            ("cs sk", "ď ť"),
            ("cs sk hr sl lt lv", "čšž"),
            ("hr", "đ"),
            ("eo", "ĉĝĥĵŝŭ"),
            ("lt", "ėįų"),
            ("lt lv", "ū"),
            ("lv", "āēīģķļņ"),
            ("et", "õ"),
            ("vi", "ơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ"),
        ],
    )
});

/// Languages in Cyrillic letters.
pub(super) static CYRILLIC: LazyLock<Family> = LazyLock::new(|| {
    Family::new(
        &[
            (
                "ru",
                "и в не на что с по как это а то но к из у за от же для бы мы он она они был была было его её ее или при до так если все когда уже только во со о об где нет да я ты вы их мне нас вас том чем чтобы также может быть есть под над между после через этот эта эти который которая которые очень тоже себя этого лишь ещё еще том можно нужно под ли был были тем кто вот меня ему ей без там здесь тут теперь сейчас потом тогда всегда никогда опять снова надо будет будут стал стала стали время год года лет день раз более менее самый всё всех всего этом этой тот та те один два три чего какой какая какие свой свою своей себе даже хотя потому сам сама того тоже почему зачем",
            ),
            (
                "bg",
                "на и е за се от да са с не по че като със при до или във беше има към но това тази този тези които който която може бе те той тя ние вие си го я му ѝ им ще след преди между само също така ли какво защо когато където без над под още много бил била била са им в а",
            ),
            (
                "sr",
                "је и у се да на су за од са као који која које не ће то би из али или што био била до по после није само код како он она оно они сам смо ми ви им га му јој њен његов а о",
            ),
            (
                "mk",
                "на и во е од се за да со што ги го не по како или до кој која кои беше има но тоа оваа овој овие може тие тој таа ние вие си ја му им ќе по пред меѓу само исто така ли кога каде без над под уште многу бил била а",
            ),
            (
                "uk",
                "і в на що не з до та як є у за від це але для або так його її вони він вона був була було бути при про після під між також може який яка які ще вже лише тільки коли де й зі а й це ми ви нас вас то якщо чи",
            ),
            (
                "be",
                "і ў на што не з да як у за ад гэта але для або так яго яе яны ён яна быў была было быць пры пра пасля пад між таксама можа які якая якія яшчэ ўжо толькі калі дзе а мы вы нас вас то гэты ці",
            ),
        ],
        &[
            (
                "ru",
                "ого его ться ется ются ными ость ости ение ения ании ий ать ять ить еть ешь ишь ете ите ющий ющая",
            ),
            ("bg", "ът ите ата ето ото ваше аха иха"),
        ],
        &[
            ("uk be", "і"),
            ("uk", "їєґ"),
            ("be", "ў"),
            ("ru be", "ыэё"),
            ("bg ru", "ъ"),
        ],
    )
});

/// Languages in Devanagari.
pub(super) static DEVANAGARI: LazyLock<Family> = LazyLock::new(|| {
    Family::new(
        &[
            (
                "hi",
                "है हैं में और की का के को से पर ने यह वह एक भी नहीं तो कि जो कर हो था थी थे इस उस अपने अपना अपनी लिए तक या जब तब क्या कैसे किया गया जाता होता होती होते साथ बाद सकते सकता चाहिए",
            ),
            (
                "mr",
                "आहे आहेत आणि ते ती तो हे ही हा च्या चा ची चे मध्ये नाही होते होता होती एक या त्या व पण की तर काही सर्व साठी करून केले असे म्हणून असते आपण त्याचा त्याची",
            ),
            (
                "ne",
                "छ छन् र को का की मा ले लाई पनि यो त्यो एक हो थियो भने गर्न गर्ने गरेको भएको हुन्छ हुन् तर वा लागि सँग बाट आफ्नो उनी धेरै",
            ),
        ],
        &[],
        &[],
    )
});
