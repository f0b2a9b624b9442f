//! Portuguese chat framing, as data.

use super::phrases::Source;

pub(super) const SOURCE: Source = Source {
    code: "pt",
    parts: &[
        (
            "hm",
            r"(?:(?:bem|bom|certo|ok|okay|então|vejamos|primeiro|tudo bem)[,.]? )*",
        ),
        (
            "task",
            r"aula|lição|plano de aula|curso|tutorial|questionário",
        ),
        (
            "here",
            r"aqui (?:está|estão|vai|tem|você tem)|(?:a seguir|abaixo)(?:,)? (?:está|você encontra|você encontrará|apresento|segue|encontra-se|encontra)|segue(?: abaixo)?|eis|apresento",
        ),
        (
            "revised",
            r"revisad[oa]s?|revist[oa]s?|atualizad[oa]s?|corrigid[oa]s?|melhorad[oa]s?|solicitad[oa]s?|reescrit[oa]s?|editad[oa]s?|modificad[oa]s?|ampliad[oa]s?|adaptad[oa]s?|ajustad[oa]s?|pedid[oa]s?",
        ),
        (
            "kind",
            r"complet[oa]|detalhad[oa]|final|breve|estruturad[oa]|nov[oa]|simples|interativ[oa]|íntegra",
        ),
        (
            "lesson",
            r"aula|lição|plano de aula|conteúdo da (?:aula|lição)|texto da (?:aula|lição)|material didático|curso|tutorial|unidade didática",
        ),
        (
            "text",
            r"json|markdown|texto|versão|resposta|documento|rascunho|conteúdo|artigo|tradução|seção|secção|questionário|objeto json|arquivo json|ficheiro json",
        ),
        ("det", r"a|o|sua|seu|a sua|o seu|a tua|o teu|uma|um|as|os"),
        (
            "topic",
            r",? (?:sobre|acerca de|para|em (?:formato|markdown|json|português)|no formato|com (?:as|os|suas|seus)|intitulad[oa]|basead[oa] em|segundo|conforme|seguindo|de acordo com|que (?:você |o senhor |a senhora )?(?:solicitou|pediu|pediste|atende)|da (?:aula|lição)|da sua (?:aula|lição))\b[^:;]*",
        ),
        (
            "asked",
            r"que (?:você |me )?(?:solicitou|pediu|pediste|solicitaste)|(?:como|conforme) (?:você )?(?:solicitado|pedido|solicitou|pediu|pediste)|(?:segundo|seguindo|conforme|de acordo com|com base n[ao]s?) (?:as |os |a |o )?(?:suas|seus|sua|seu|tuas|teus) (?:\S+ )?(?:instruções|orientações|solicitação|pedido|requisitos|especificações|comentários|sugestões)|com (?:todas )?as (?:alterações|correções|mudanças|modificações) (?:solicitadas|sugeridas|pedidas)",
        ),
        (
            "edit",
            r"alteraç(?:ão|ões)|mudanças?|ajustes?|modificaç(?:ão|ões)|correç(?:ão|ões)|mudar|alterar|ajustar|modificar|adicionar|acrescentar|mais (?:exemplos|exercícios|detalhes|ajuda|informações)|algo mais|ajuda adicional|outra versão|outras? (?:perguntas?|dúvidas?)|esclarecimentos?|adicione|acrescente|ajuste|modifique|amplie|adapte|mude|altere",
        ),
    ],
    acknowledgement: r"claro(?: que sim)?|com certeza|certamente|com (?:muito )?prazer|sim|está bem|entendido|perfeito|ótimo|sem problemas?|ok|okay|certo|obrigad[oa]|pois não|evidentemente|bem|combinado",
    opening_hints: "aqui|seguir|abaixo|segue|eis|apresento|solicit|pedi|preparei|criei|revisei|atualizei|escrevi|corrigi|reescrevi|elaborei|vou|criarei|prepararei|claro|certeza|certamente|prazer|sim|está bem|entendido|perfeito|ótimo|problema|ok|certo|obrigad|pois não|evidentemente|bem|combinado|fic|terei|posso",
    closing_hints: "espero|avis|diga|informe|saber|que eu|se |caso|hesite|vontade|posso|algo|disposição",
    polite_opening: &[
        r"(?:ficarei|fico|terei) (?:feliz|contente|prazer) em ajudar(?:-lo|-la|-te)?(?: com isso)?",
        r"obrigad[oa] (?:pelo|pela) (?:seu |sua )?(?:pedido|mensagem|solicitação|contato)",
        r"posso ajudar com isso",
    ],
    announcement: &[
        r"{here} {det} (?:{kind} )*(?:{lesson})(?: {kind})* {revised}(?: e {revised})?(?:{topic})?",
        r"{here} {det} versão(?: {kind})* {revised}(?: e {revised})? (?:d[ao] (?:sua |seu )?{lesson})(?:{topic})?",
        r"{here} {det} (?:{kind} )*(?:{lesson}|{text})(?: [^:;]*?)?,? {asked}[^:;]*",
        r"{here} (?:a )?(?:sua|tua) (?:{kind} )*(?:aula|lição)(?: {kind}| {revised})*(?:{topic})?",
        r"(?:como|conforme) (?:solicitado|pedido|você pediu|você solicitou), [^:;]*",
        r"(?:eu )?(?:preparei|criei|revisei|atualizei|escrevi|corrigi|reescrevi|elaborei) {det} (?:{lesson}|{text})(?: [^:;]*?)?,? {asked}[^:;]*",
    ],
    announcement_after_yes: &[
        r"{here} {det} (?:{kind} )*(?:{lesson}|{text})(?: {kind}| {revised}| e)*(?:{topic})?",
        r"(?:eu )?(?:preparei|criei|revisei|atualizei|escrevi|elaborei)(?: para você| para ti)? {det} (?:{kind} )*{lesson}(?: {kind}| {revised})*(?:{topic})?",
        r"(?:eu )?(?:vou (?:criar|preparar|escrever|elaborar)|criarei|prepararei) {det} (?:{kind} )*{lesson}(?: {kind}| {revised})*(?:{topic})?",
    ],
    announcement_on_its_line: &[
        r"aqui está (?:a|a sua|sua) (?:{kind} )*(?:aula|lição)(?: {kind})*(?: em (?:formato )?\S+)?",
        r"(?:segue(?: abaixo)?|(?:a seguir|abaixo),? (?:está|segue|apresento)) a (?:aula|lição)(?: {kind})*(?: em (?:formato )?\S+)?",
    ],
    offer: &[
        r"espero que (?:isto|isso|esta aula|esta lição|esta versão|este material|a aula)? ?(?:te |lhe |o |a )?(?:seja|ajude|sirva|tenha ajudado)(?: (?:útil|de ajuda|de grande ajuda))?(?: para você)?(?: você)?",
        r"(?:por favor, )?(?:me avise|avise-me|avisa-me|me diga|diga-me|me informe|informe-me|deixe-me saber|me deixe saber),? (?:se|caso) (?:precisar|quiser|desejar|você (?:precisar|quiser|desejar|gostaria)|precisares|quiseres|houver|tiver|gostaria|deseja|precise|queira|deseje) [^:;]*\b{edit}\b[^:;]*",
        r"(?:você )?(?:gostaria|quer|deseja|prefere|queres|gostarias) que eu (?:adicione|acrescente|inclua|amplie|modifique|ajuste|crie|adapte|revise|mude|prepare|simplifique|traduza|continue|elabore|faça)\b[^:;]*",
        r"(?:se|caso) (?:precisar|quiser|desejar|você|precisares|quiseres|houver|tiver|precise|queira|deseje|tenha)[^:;]*\b{edit}\b[^:;]*, (?:é só (?:me )?(?:avisar|pedir|dizer|falar)|(?:me avise|avise-me|me diga|diga-me|me informe|avisa-me|diz-me)|não hesite em (?:pedir|perguntar|me avisar|dizer|contatar|entrar em contato)|fique à vontade para (?:pedir|perguntar|me avisar)|estou à disposição|ficarei feliz em [^:;]*|posso [^:;]*|estou aqui para ajudar)",
        r"(?:não hesite em|fique à vontade para|sinta-se à vontade para) (?:me )?(?:pedir|perguntar|avisar|dizer|solicitar)(?: se| caso)? [^:;]*\b{edit}\b[^:;]*",
        r"(?:também )?posso (?:também )?(?:adicionar|acrescentar|criar|ampliar|adaptar|incluir|preparar) [^:;]* (?:se|caso) (?:você )?(?:quiser|desejar|preferir|precisar|queira|deseje|quiseres)",
        r"(?:há|tem) (?:mais )?algo (?:mais )?(?:em que|com que|no que) (?:eu )?(?:possa|posso) ajudar(?:-lo|-te)?",
        r"posso ajudar (?:em|com) (?:mais alguma coisa|algo mais)",
    ],
    polite_closing: &[
        r"(?:não hesite em|fique à vontade para|sinta-se à vontade para) (?:me )?perguntar(?: se tiver (?:alguma )?(?:dúvidas?|perguntas?))?",
        r"(?:se|caso) (?:tiver|tenha|você tiver) (?:alguma |mais )?(?:dúvidas?|perguntas?), (?:é só (?:me )?(?:perguntar|avisar)|não hesite em perguntar|me avise|estou à disposição)",
        r"estou à (?:sua )?disposição",
    ],
    self_reference: &[
        r"(?:desculpe, mas |sinto muito, mas |infelizmente, )?como (?:um |uma )?(?:grande )?(?:modelo de linguagem|inteligência artificial|ia|assistente virtual|assistente de ia|modelo de ia)[^,«»“”\x22]*, (?:eu )?(?:não )?(?:posso|tenho|sou|estou|eu|consigo|devo|possuo)\b[^«»“”\x22]*",
        r"(?:eu )?sou (?:apenas |só )?(?:um modelo de linguagem|uma inteligência artificial|um assistente de ia)(?:,| e) [^«»“”\x22]*",
        r"(?:desculpe, mas |sinto muito, mas )?(?:eu )?não posso (?:ajudar(?:-lo)? com (?:esse|este|o seu|seu) pedido|atender (?:a )?(?:esse|este|o seu|seu|essa|esta|sua) (?:pedido|solicitação))[^«»“”\x22]*",
    ],
    thinking: &[
        r"{hm}(?:o usuário|o utilizador|a usuária) (?:quer|pede|pediu|solicita|solicitou|precisa|deseja|está pedindo|me pediu|gostaria)\b[^:;]*\b{task}\b",
        r"{hm}(?:tenho que|devo|preciso|temos que|devemos|precisamos) [^:;]*\b(?:pedido|solicitação|instruções|requisitos|especificações) do (?:usuário|utilizador)\b",
        r"{hm}(?:me pediram|foi-me pedido|minha tarefa é|a minha tarefa é) [^:;]*\b{task}\b",
        r"{hm}(?:deixe-me|deixa eu|vou) pensar em como (?:estruturar|organizar|escrever) (?:esta|a|minha) (?:aula|lição|resposta)",
    ],
    thinking_before_json: &[
        r"{hm}(?:tenho que|devo|preciso|temos que|devemos|precisamos) (?:gerar|produzir|criar|escrever|devolver|retornar|fornecer)\b[^:;]*\b(?:json|aula|lição|resposta)\b",
    ],
};

#[cfg(test)]
pub(super) const CASES: super::tests::Cases = super::tests::Cases {
    opening: &[
        "Claro! Aqui está a aula:",
        "Claro, aqui está a aula revisada:",
        "Com certeza! Segue abaixo a lição completa sobre a fotossíntese:",
        "Aqui está a lição:",
        "Aqui está a aula atualizada com as alterações solicitadas:",
        "Certamente! A seguir, apresento uma aula sobre vulcões:",
        "Aqui está a versão corrigida da aula:",
        "Aqui está o texto que você pediu:",
        "Perfeito! Aqui está o JSON:",
        "Conforme solicitado, aqui está a aula em Markdown.",
        "Ótimo! Preparei uma aula detalhada sobre frações.",
        "Aqui está a sua lição:",
    ],
    not_opening: &[
        "Claro, a água ferve a 100 °C.",
        "Claro! Ninguém lê primeiro o manual.",
        "Aqui está um exemplo de recursão:",
        "Aqui está o código:",
        "Aqui está o código atualizado:",
        "Aqui está a lição que podemos tirar desta história:",
        "Aqui está o texto do poema:",
        "Abaixo está uma tabela de verbos irregulares.",
        "Nesta aula você aprenderá o que é um laço.",
        "Perfeito! Você escreveu o seu primeiro programa.",
        "Certo, aqui está o plano de hoje:",
        "Aqui está a lição: nunca confie nos dados digitados.",
        "Aqui está a versão final da nossa função:",
        "Bem perto do rio há uma floresta.",
    ],
    closing: &[
        "Espero que ajude! Se precisar de alterações, me avise.",
        "Espero que ajude!",
        "Espero que esta aula seja útil.",
        "Espero que isso ajude você!",
        "Me avise se quiser fazer alguma mudança.",
        "Gostaria que eu adicionasse exercícios? Você quer que eu crie mais exemplos?",
        "Você quer que eu adicione exercícios?",
        "Se quiser mais exemplos, é só pedir.",
        "Caso precise de algum ajuste, me avise.",
        "Fique à vontade para pedir mais exemplos.",
        "Também posso adicionar exercícios se você quiser.",
        "Há algo mais em que eu possa ajudar?",
    ],
    not_closing: &[
        "Espero que esta aula tenha mostrado para que serve um laço.",
        "Se tiver dúvidas, pergunte ao seu professor.",
        "Se tiver dúvidas, não hesite em perguntar.",
        "Se quiser mudar a cor, edite a folha de estilo.",
        "Você quer saber mais sobre vulcões?",
        "Fique à vontade para mudar os valores e executar o programa.",
        "Espero que tenha gostado da aula.",
        "Se precisar de mais ajuda, leia a documentação.",
        "Você quer que eu abra a janela?",
        "Me diga se a Terra é redonda.",
        "Tente acrescentar outro exemplo.",
        "Espero que chova amanhã.",
    ],
    itself: &[
        "Como modelo de linguagem, não posso acessar a internet.",
        "Como inteligência artificial, eu não tenho experiências próprias.",
        "Desculpe, mas não posso ajudar com esse pedido.",
    ],
    not_itself: &[
        "Como modelo de linguagem, o GPT prevê a próxima palavra.",
        "Como professora, posso confirmar isso.",
        "A inteligência artificial ajuda os médicos.",
    ],
    thinking: &[
        "Bem, o usuário quer uma aula sobre vulcões.",
        "Certo, o usuário pediu uma aula curta.",
        "Preciso escrever uma aula que atenda ao pedido do usuário.",
    ],
    not_thinking: &[
        "Bem, vejamos como funciona um laço.",
        "Primeiro precisamos instalar o Python.",
        "Quando o usuário pede uma página, o servidor a envia.",
        "Preciso explicar o que é uma variável.",
        "Devemos ler a resposta do servidor.",
        "Primeiro precisamos perguntar o nome ao usuário.",
        "O usuário quer entrar no sistema.",
        "A tarefa é encontrar o caminho mais curto.",
        "Minha tarefa é alimentar os animais.",
    ],
};
