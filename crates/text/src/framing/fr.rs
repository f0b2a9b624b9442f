//! French chat framing, as data.

use super::phrases::Source;

pub(super) const SOURCE: Source = Source {
    code: "fr",
    parts: &[
        (
            "hm",
            r"(?:(?:d'accord|bon|bien|okay|ok|alors|voyons|très bien|d'abord)[,.]? )*",
        ),
        (
            "task",
            r"leçon|plan de cours|cours|tutoriel|questionnaire|fiche pédagogique",
        ),
        (
            "here",
            r"voici|voilà|vous trouverez (?:ci-dessous|ci-après)|tu trouveras (?:ci-dessous|ci-après)|ci-dessous(?:,)? (?:vous trouverez|tu trouveras|se trouve|figure)|je vous (?:propose|présente)|je te (?:propose|présente)",
        ),
        (
            "revised",
            r"révisée?s?|corrigée?s?|améliorée?s?|demandée?s?|réécrite?s?|actualisée?s?|modifiée?s?|retravaillée?s?|remaniée?s?|adaptée?s?|enrichie?s?|ajustée?s?|mise? à jour|mis à jour",
        ),
        (
            "kind",
            r"complète?|détaillée?|finale?|brève|bref|structurée?|nouvelle|nouveau|courte?|simple|interactive|intégrale?",
        ),
        (
            "lesson",
            r"leçon|plan de (?:la )?leçon|plan de cours|cours|contenu de la leçon|texte de la leçon|matériel pédagogique|fiche pédagogique|tutoriel|séquence pédagogique",
        ),
        (
            "text",
            r"json|markdown|texte|version|réponse|document|brouillon|contenu|article|traduction|section|questionnaire|objet json|fichier json",
        ),
        (
            "det",
            r"la |le |l'|votre |ta |ton |une |un |les |vos |mon |ma ",
        ),
        (
            "topic",
            r",? (?:sur|à propos d[eu']|consacrée? à|pour|au format|en (?:markdown|json|français)|avec (?:les|vos|tes)|intitulée?|basée? sur|selon|suivant|conformément|que vous (?:avez|m'avez) (?:demandée?|demandé)|de la leçon|de votre leçon)\b[^:;]*",
        ),
        (
            "asked",
            r"que (?:vous|tu) (?:m')?(?:avez|as) demandée?s?|comme (?:demandé|convenu|vous l'avez demandé)|(?:selon|suivant|conformément à|d'après) (?:vos|votre|tes|ta) (?:\S+ )?(?:instructions|consignes|demande|exigences|commentaires|remarques|indications|suggestions)|avec (?:toutes )?les (?:modifications|corrections|améliorations) (?:demandées|suggérées)|avec (?:tous )?les changements (?:demandés|suggérés)",
        ),
        (
            "edit",
            r"modifications?|modifier|modifie|ajustements?|ajuster|ajuste|changements?|changer|corrections?|ajouter|ajoute|compléter|complète|développer|développe|adapter|adapte|précisions?|plus d'(?:exemples|exercices|aide|informations?)|plus de détails|d'autres (?:exemples|exercices|questions)|autre chose|aide supplémentaire|simplifie|simplifier|raccourcir|réviser|crée|créer",
        ),
    ],
    acknowledgement: r"bien sûr|bien entendu|certainement|avec plaisir|volontiers|d'accord|oui|absolument|très bien|parfait|entendu|pas de problème|compris|super|merci|ok|tout à fait|naturellement|bien",
    opening_hints: "voici|voilà|trouver|dessous|propose|présente|demandé|convenu|j'ai|je |bien|certainement|plaisir|volontiers|d'accord|oui|absolument|parfait|entendu|problème|compris|super|merci|ok|tout à fait|naturellement",
    closing_hints: "j'espère|hésite|moi|souhaite|voulez|veux|aimeriez|si |je |autre chose",
    polite_opening: &[
        r"je (?:serais|suis) (?:ravie?|heureux|heureuse) de (?:vous|t')? ?aider",
        r"je (?:vous|t')? ?aide avec plaisir",
        r"merci pour (?:votre|ta|ces) (?:demande|message|précisions|question)",
    ],
    announcement: &[
        r"{here} {det}(?:{kind} )*(?:{lesson})(?: {kind})* {revised}(?: et {revised})?(?:{topic})?",
        r"{here} {det}(?:{kind} )*version(?: {kind})* {revised}(?: et {revised})? (?:de (?:la|votre|ta) {lesson}|du cours)(?:{topic})?",
        r"{here} {det}(?:{kind} )*(?:{lesson}|{text})(?: [^:;]*?)?,? {asked}[^:;]*",
        r"{here} (?:votre|ta) (?:{kind} )*(?:leçon|plan de cours|fiche pédagogique)(?: {kind}| {revised})*(?:{topic})?",
        r"comme (?:demandé|convenu|vous l'avez demandé), [^:;]*",
        r"j'ai (?:préparé|créé|révisé|rédigé|corrigé|réécrit|modifié) {det}(?:{kind} )*(?:{lesson}|{text})(?: [^:;]*?)?,? {asked}[^:;]*",
    ],
    announcement_after_yes: &[
        r"{here} {det}(?:{kind} )*(?:{lesson}|{text})(?: {kind}| {revised}| et)*(?:{topic})?",
        r"j'ai (?:préparé|créé|révisé|rédigé|corrigé|réécrit)(?: pour vous| pour toi)? {det}(?:{kind} )*{lesson}(?: {kind}| {revised})*(?:{topic})?",
        r"je vais (?:vous |te )?(?:préparer|créer|rédiger|écrire) {det}(?:{kind} )*{lesson}(?: {kind}| {revised})*(?:{topic})?",
    ],
    announcement_on_its_line: &[
        r"voici (?:la|votre|ta) (?:{kind} )*leçon(?: {kind})*(?: (?:au format|en) \S+)?",
        r"(?:vous trouverez ci-dessous|ci-dessous(?:,)? vous trouverez) la leçon(?: {kind})*(?: (?:au format|en) \S+)?",
    ],
    offer: &[
        r"j'espère que (?:cela|ceci|ça|cette leçon|cette version|ce cours|la leçon) (?:(?:vous|t'|te) ?)?(?:aide|aidera|sera utile|est utile|conviendra|convient|sera d'une grande aide)(?: à .*)?",
        r"(?:n'hésitez pas|n'hésite pas) à (?:me )?(?:le )?(?:demander|dire|contacter|signaler|faire savoir|solliciter|poser)(?: si| pour| toute)? [^:;]*\b(?:{edit}|d'autres questions)\b[^:;]*",
        r"(?:dites-moi|dis-moi|faites-moi savoir|fais-moi savoir|faites-le-moi savoir),? si (?:vous|tu) (?:souhaitez|voulez|avez|désirez|préférez|souhaites|veux|as|préfères|voudriez) [^:;]*\b{edit}\b[^:;]*",
        r"(?:souhaitez-vous|voulez-vous|veux-tu|souhaites-tu|aimeriez-vous) que (?:j'(?:ajoute|adapte|ajuste)|je (?:modifie|développe|crée|complète|rédige|révise|simplifie|raccourcisse|traduise|prépare|continue|poursuive))\b[^:;]*",
        r"si (?:vous|tu) (?:souhaitez|voulez|avez|désirez|préférez|souhaites|veux|as|préfères)[^:;]*\b{edit}\b[^:;]*, (?:n'hésitez pas(?: à (?:me )?(?:le )?(?:demander|dire|contacter|faire savoir|préciser|solliciter|poser))?|n'hésite pas(?: à (?:me )?(?:le )?(?:demander|dire|contacter))?|(?:dites|faites)-le-moi(?: savoir)?|dis-le-moi|faites-moi savoir|dites-moi|je (?:suis|serai|reste) [^:;]*|je peux [^:;]*)",
        r"je (?:peux|pourrais) (?:également |aussi )(?:ajouter|créer|développer|adapter|préparer|rédiger) [^:;]* si (?:vous le (?:souhaitez|voulez|désirez)|tu (?:le )?(?:veux|souhaites))",
        r"y a-t-il autre chose (?:que je puisse|avec quoi je puisse|pour laquelle)[^:;]*",
        r"je reste à (?:votre|ta) disposition pour (?:toute|d'autres|d'éventuelles) (?:modifications?|ajustements?|corrections?|questions? supplémentaires?|précisions?)[^:;]*",
    ],
    polite_closing: &[
        r"(?:n'hésitez pas|n'hésite pas) (?:à (?:me )?(?:poser (?:vos|tes|des) questions|demander|contacter))?(?: si (?:vous avez|tu as) (?:des |d'autres )?questions)?",
        r"si (?:vous avez|tu as) (?:des|d'autres) questions, (?:n'hésitez pas|n'hésite pas)(?: à (?:me )?(?:les poser|demander|contacter))?",
        r"je reste à (?:votre|ta) disposition",
    ],
    self_reference: &[
        r"(?:je suis désolée?, mais |malheureusement, )?en tant (?:que|qu') ?(?:grand )?(?:modèle de langage|intelligence artificielle|ia|assistant virtuel|assistant ia|modèle d'ia|modèle linguistique)[^,«»“”\x22]*, je (?:ne |n')?[^«»“”\x22]*",
        r"je (?:ne )?suis (?:qu')?(?:un modèle de langage|une intelligence artificielle|un assistant ia)(?:,| et) [^«»“”\x22]*",
        r"(?:je suis désolée?, mais )?je ne peux pas (?:répondre à|satisfaire|accéder à|traiter) (?:cette|votre|ta) demande[^«»“”\x22]*",
    ],
    thinking: &[
        r"{hm}(?:l'utilisateur|l'utilisatrice) (?:veut|demande|souhaite|a demandé|me demande|voudrait|désire|a besoin)\b[^:;]*\b{task}\b",
        r"{hm}(?:je dois|il faut que je|nous devons|j'ai besoin de) [^:;]*\b(?:(?:demande|consignes|instructions|exigences) de l'utilisateur|que (?:veut|demande|souhaite) l'utilisateur)",
        r"{hm}(?:on m'a demandé|on me demande|ma tâche (?:est|consiste)) [^:;]*\b{task}\b",
        r"{hm}(?:laissez-moi|je vais) réfléchir à (?:la façon de|comment) (?:structurer|organiser|rédiger) (?:cette|la|ma) (?:leçon|réponse)",
    ],
    thinking_before_json: &[
        r"{hm}(?:je dois|il faut|nous devons) (?:générer|produire|créer|écrire|rédiger|renvoyer|fournir)\b[^:;]*\b(?:json|leçon|réponse)\b",
    ],
};

#[cfg(test)]
pub(super) const CASES: super::tests::Cases = super::tests::Cases {
    opening: &[
        "Bien sûr ! Voici la leçon demandée :",
        "Bien sûr ! Voici la leçon :",
        "Certainement ! Voici une leçon complète sur la photosynthèse :",
        "Voici la leçon :",
        "Voici la leçon révisée avec les modifications demandées :",
        "D’accord, voici la version corrigée de la leçon :",
        "Avec plaisir ! Vous trouverez ci-dessous la leçon au format JSON :",
        "Voici le texte que vous avez demandé :",
        "Comme demandé, voici la leçon en Markdown.",
        "Parfait ! J’ai préparé une leçon détaillée sur les volcans.",
        "Voici votre leçon mise à jour :",
        "Très bien, voici le JSON :",
    ],
    not_opening: &[
        "Bien sûr, l’eau bout à 100 °C.",
        "Bien sûr ! Personne ne lit d’abord le manuel.",
        "Voici un exemple de récursion :",
        "Voici le code :",
        "Voici le code corrigé :",
        "Voici la leçon que nous pouvons tirer de cette histoire :",
        "Voici le texte du poème :",
        "Vous trouverez ci-dessous un tableau des verbes irréguliers.",
        "Dans cette leçon, vous apprendrez ce qu’est une boucle.",
        "Parfait ! Vous avez écrit votre premier programme.",
        "D’accord, voici le plan du jour :",
        "Voici la leçon : ne faites jamais confiance aux données saisies.",
        "Voilà la version finale de notre fonction :",
        "Bien des plantes poussent à l’ombre.",
    ],
    closing: &[
        "J’espère que cela vous aide ! N’hésitez pas à me dire si vous souhaitez des modifications.",
        "J’espère que cela vous aidera !",
        "J’espère que cette leçon vous sera utile.",
        "Dites-moi si vous souhaitez des ajustements.",
        "Souhaitez-vous que j’ajoute des exercices ?",
        "Voulez-vous que je développe une section ?",
        "Si vous souhaitez d’autres exemples, n’hésitez pas à me le demander.",
        "Si vous voulez modifier quelque chose, faites-le-moi savoir.",
        "Je peux également ajouter des exercices si vous le souhaitez.",
        "Je reste à votre disposition pour toute modification.",
        "Y a-t-il autre chose que je puisse faire ?",
        "J’espère que ça t’aide !",
    ],
    not_closing: &[
        "J’espère que cette leçon vous a montré à quoi sert une boucle.",
        "Si vous avez des questions, demandez à votre professeur.",
        "Si vous avez des questions, n’hésitez pas à les poser.",
        "Si vous voulez changer la couleur, modifiez la feuille de style.",
        "Voulez-vous en savoir plus sur les volcans ?",
        "N’hésitez pas à changer les valeurs et à relancer le programme.",
        "J’espère que la leçon vous a plu.",
        "Si vous avez besoin d’aide, lisez la documentation.",
        "Voulez-vous que j’ouvre la fenêtre ?",
        "Dites-moi si la Terre est ronde.",
        "Essayez d’ajouter un autre exemple.",
        "Je reste à la maison.",
    ],
    itself: &[
        "En tant que modèle de langage, je ne peux pas accéder à Internet.",
        "En tant qu’intelligence artificielle, je n’ai pas d’expérience personnelle.",
        "Je suis désolé, mais je ne peux pas répondre à cette demande.",
    ],
    not_itself: &[
        "En tant que modèle de langage, GPT prédit le mot suivant.",
        "En tant que professeure, je peux le confirmer.",
        "L’intelligence artificielle aide les médecins.",
    ],
    thinking: &[
        "D’accord, l’utilisateur demande une leçon sur les volcans.",
        "Bon, l’utilisateur veut une leçon courte.",
        "Je dois écrire une leçon qui réponde à ce que veut l’utilisateur.",
    ],
    not_thinking: &[
        "D’accord, voyons comment fonctionne une boucle.",
        "D’abord, nous devons installer Python.",
        "Quand l’utilisateur demande une page, le serveur l’envoie.",
        "Je dois expliquer ce qu’est une variable.",
        "Il faut lire la réponse du serveur.",
        "D’abord, nous devons demander son nom à l’utilisateur.",
        "L’utilisateur veut se connecter.",
        "La tâche consiste à trouver le chemin le plus court.",
        "Ma tâche est de nourrir les animaux.",
    ],
};
