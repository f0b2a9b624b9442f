//! Spanish chat framing, as data.

use super::phrases::Source;

pub(super) const SOURCE: Source = Source {
    code: "es",
    parts: &[
        (
            "hm",
            r"(?:(?:bien|vale|bueno|de acuerdo|okay|ok|entonces|a ver|veamos|primero)[,.]? )*",
        ),
        (
            "task",
            r"lección|plan de clase|curso|tutorial|cuestionario|unidad didáctica|guía de estudio",
        ),
        (
            "here",
            r"aquí (?:tienes|tiene|está|te dejo|le dejo|va|te presento|le presento|os dejo)|a continuación(?:,)? (?:te |le |se )?(?:presento|presenta|encontrarás|encontrará|tienes|tiene|dejo|está|muestro|ofrezco)|esta es|te presento|le presento|te dejo|le dejo",
        ),
        (
            "revised",
            r"revisad[oa]s?|actualizad[oa]s?|corregid[oa]s?|mejorad[oa]s?|solicitad[oa]s?|reescrit[oa]s?|editad[oa]s?|modificad[oa]s?|ampliad[oa]s?|adaptad[oa]s?|ajustad[oa]s?|pedid[oa]s?",
        ),
        (
            "kind",
            r"complet[oa]|detallad[oa]|final|breve|estructurad[oa]|nuev[oa]|sencill[oa]|interactiv[oa]|íntegr[oa]",
        ),
        (
            "lesson",
            r"lecci[óo]n|plan de (?:la )?(?:clase|lección)|contenido de la lección|material didáctico|texto de la lección|unidad didáctica|curso|tutorial|guía de estudio",
        ),
        (
            "text",
            r"json|markdown|texto|versión|respuesta|documento|borrador|contenido|artículo|traducción|sección|cuestionario|objeto json|archivo json",
        ),
        ("det", r"la|el|tu|su|una|un|los|las|mi"),
        (
            "topic",
            r",? (?:sobre|acerca de|para|en (?:formato|markdown|json|español)|con (?:los|las|tus|sus)|titulad[oa]|basad[oa] en|según|siguiendo|de acuerdo con|que (?:solicitaste|solicitó|pediste|pidió|has pedido|cumple)|de la lección|de tu lección|de su lección)\b[^:;]*",
        ),
        (
            "asked",
            r"que (?:me )?(?:solicitaste|solicitó|pediste|pidió|has pedido|ha pedido|has solicitado|ha solicitado|solicitas)|(?:tal )?como (?:lo |me )?(?:solicitaste|solicitó|pediste|pidió|has pedido|ha solicitado)|(?:según|siguiendo|de acuerdo con|conforme a|basad[oa] en) (?:tus|sus|tu|su) (?:\S+ )?(?:instrucciones|indicaciones|solicitud|petición|requisitos|especificaciones|comentarios|sugerencias)|con (?:todos )?los cambios (?:solicitados|sugeridos|pedidos)|con (?:todas )?las (?:correcciones|modificaciones) (?:solicitadas|sugeridas)",
        ),
        (
            "edit",
            r"cambios?|cambie|ajustes?|ajuste|modificaci(?:ón|ones)|modifique|correcci(?:ón|ones)|añada|agregue|incluya|amplíe|revise|adapte|simplifique|aclaraci(?:ón|ones)|más (?:ejemplos|ejercicios|detalles|ayuda|información)|algo más|ayuda adicional|otra versión|otras? (?:preguntas?|dudas?)|modificar|ajustar|cambiar|añadir|agregar",
        ),
    ],
    acknowledgement: r"claro(?: que sí)?|por supuesto|desde luego|con (?:mucho )?gusto|sí|de acuerdo|entendido|perfecto|vale|bien|excelente|cómo no|sin problema|encantad[oa]|gracias|muy bien|seguro",
    opening_hints: "aquí|continuación|esta es|presento|dejo|como|he |claro|supuesto|desde luego|gusto|sí|acuerdo|entendido|perfecto|vale|bien|excelente|cómo no|sin problema|encantad|gracias|seguro|crearé|prepararé|escribiré|voy a",
    closing_hints: "espero|hazme|hágame|házmelo|avís|déj|dime|dígame|gustaría|quiere|desea|prefiere|si |dude|puedo|hay algo|estoy",
    polite_opening: &[
        r"(?:estaré |estoy )?encantad[oa] de ayudar(?:te|le)?(?: con (?:eso|esto))?",
        r"con (?:mucho )?gusto (?:te|le) ayudo(?: con (?:eso|esto))?",
        r"gracias por (?:tu|su|la) (?:solicitud|mensaje|petición|consulta|aclaración)",
    ],
    announcement: &[
        r"{here} {det}(?: {kind})* (?:{lesson})(?: {kind})*(?: y)? {revised}(?: y {revised})?(?:{topic})?",
        r"{here} {det} versión(?: {kind})*(?: {revised})(?: y {revised})? (?:de (?:la|tu|su) {lesson}|del curso)(?:{topic})?",
        r"{here} {det}(?: {kind}| {revised})* (?:{lesson}|{text})(?: [^:;]*?)?,? {asked}[^:;]*",
        r"{here} (?:tu|su) (?:{kind} )*(?:lección|plan de clase|curso)(?: {kind}| {revised})*(?:{topic})?",
        r"(?:tal )?como (?:solicitaste|solicitó|pediste|pidió), [^:;]*",
        r"he (?:preparado|creado|revisado|actualizado|escrito|corregido|reescrito|elaborado) {det} (?:{lesson}|{text})(?: [^:;]*?)?,? {asked}[^:;]*",
    ],
    announcement_after_yes: &[
        r"{here} {det}(?: {kind}| {revised})* (?:{lesson}|{text})(?: {kind}| {revised}| y)*(?:{topic})?",
        r"he (?:preparado|creado|revisado|actualizado|escrito|corregido|elaborado)(?: para ti| para usted)? {det}(?: {kind})* {lesson}(?: {kind}| {revised})*(?:{topic})?",
        r"(?:te |le )?(?:crearé|prepararé|escribiré|voy a (?:crear|preparar|escribir)) {det}(?: {kind})* {lesson}(?: {kind}| {revised})*(?:{topic})?",
    ],
    announcement_on_its_line: &[
        r"aquí (?:tienes|tiene|está) (?:la|tu|su) (?:{kind} )*lección(?: {kind})*(?: en (?:formato )?\S+)?",
        r"a continuación(?:,)? (?:te |le |se )?(?:presento|presenta|encontrarás|encontrará) la lección(?: {kind})*(?: en (?:formato )?\S+)?",
    ],
    offer: &[
        r"espero que (?:esto|esta lección|esta versión|este material|te|le|os|la lección)? ?(?:te |le |os )?(?:sea|resulte|ayude|sirva)(?: de)?(?: (?:útil|ayuda|utilidad|gran ayuda))?(?: a ti| para ti)?",
        r"(?:por favor, )?(?:hazme|hágame|házmelo|avísame|avíseme|déjame|déjeme|dime|dígame)(?: saber)?,? si (?:necesitas?|quieres?|deseas?|desea|quiere|te gustaría|le gustaría|hay|prefieres|tienes?) [^:;]*\b{edit}\b[^:;]*",
        r"(?:te gustaría|le gustaría|quieres|quiere|deseas|desea|prefieres) que (?:te |le )?(?:añada|agregue|incluya|amplíe|modifique|ajuste|cree|adapte|revise|cambie|prepare|simplifique|traduzca|continúe|elabore)\b[^:;]*",
        r"si (?:necesitas?|quieres?|quiere|deseas?|desea|te gustaría|le gustaría|prefieres|hay|tienes?) [^:;]*\b{edit}\b[^:;]*, (?:no dudes? en (?:decírmelo|pedírmelo|avisarme|preguntar(?:me)?|hacérmelo saber|pedirlo|decirme|consultarme)|(?:hazme|hágame|házmelo|hágamelo|déjame|avísame|avíseme|dímelo|dígamelo|dime|dígame)(?: saber| lo)?|estaré encantad[oa] de [^:;]*|estoy aquí para ayudar(?:te|le)?|puedo [^:;]*)",
        r"no dudes? en (?:pedirme|decirme|avisarme|solicitarme|hacerme saber|preguntarme|preguntar|contactarme)(?: si)? [^:;]*\b{edit}\b[^:;]*",
        r"(?:también )?puedo (?:también )?(?:añadir|agregar|crear|ampliar|adaptar|incluir|preparar) [^:;]* si (?:lo )?(?:deseas?|quieres?|quiere|necesitas?|prefieres)",
        r"hay algo más en lo que (?:te|le)? ?pueda ayudar(?:te|le)?",
    ],
    polite_closing: &[
        r"no dudes? en (?:preguntar|consultar|preguntarme|consultarme)(?: si tienes?(?: alguna)? (?:preguntas?|dudas?))?",
        r"si tienes? (?:alguna )?(?:pregunta|duda|preguntas|dudas), (?:no dudes? en (?:preguntar|consultar|preguntarme|consultarme|decírmelo)|házmelo saber|dímelo)",
        r"estoy aquí para ayudar(?:te|le)?",
    ],
    self_reference: &[
        r"(?:lo siento, pero |lamentablemente, )?como (?:un |una )?(?:gran )?(?:modelo de lenguaje|inteligencia artificial|ia|asistente virtual|asistente de ia|modelo de ia|modelo de inteligencia artificial)[^,«»“”\x22]*, (?:no )?(?:puedo|tengo|soy|estoy|carezco|yo|debo|dispongo)\b[^«»“”\x22]*",
        r"soy (?:solo |sólo |solamente )?(?:un modelo de lenguaje|una inteligencia artificial|un asistente de ia)(?:,| y) [^«»“”\x22]*",
        r"(?:lo siento, pero )?no puedo (?:ayudar(?:te|le)? con (?:esa|esta|tu|su) (?:solicitud|petición)|cumplir (?:con )?(?:esa|esta|tu|su) (?:solicitud|petición))[^«»“”\x22]*",
    ],
    thinking: &[
        r"{hm}(?:el usuario|la usuaria) (?:quiere|pide|ha pedido|solicita|ha solicitado|me pide|necesita|desea|está pidiendo|me ha pedido)\b[^:;]*\b{task}\b",
        r"{hm}(?:tengo que|debo|necesito|tenemos que|debemos) [^:;]*\b(?:petición|solicitud|instrucciones|requisitos|especificaciones) del usuario\b",
        r"{hm}(?:me han pedido|se me (?:pide|ha pedido)|mi tarea es) [^:;]*\b{task}\b",
        r"{hm}(?:déjame|voy a) pensar (?:en )?cómo (?:estructurar|organizar|escribir) (?:esta|la|mi) (?:lección|respuesta)",
    ],
    thinking_before_json: &[
        r"{hm}(?:tengo que|debo|necesito|tenemos que|debemos) (?:generar|producir|crear|escribir|devolver|entregar|responder)\b[^:;]*\b(?:json|lección|respuesta)\b",
    ],
};

#[cfg(test)]
pub(super) const CASES: super::tests::Cases = super::tests::Cases {
    opening: &[
        "¡Claro! Aquí tienes la lección:",
        "¡Por supuesto! Aquí está la lección revisada:",
        "Claro, aquí tienes la lección completa sobre la fotosíntesis:",
        "Aquí tienes la lección:",
        "Aquí tiene la lección revisada con los cambios solicitados:",
        "¡Con gusto! A continuación te presento una lección sobre los volcanes:",
        "Aquí está la versión corregida de la lección:",
        "Aquí tienes el texto que solicitaste:",
        "Perfecto. Aquí tienes el JSON:",
        "Tal como pediste, aquí tienes la lección en Markdown.",
        "¡Desde luego! He preparado una lección detallada sobre las fracciones.",
        "Aquí tienes tu lección actualizada:",
    ],
    not_opening: &[
        "Por supuesto, el agua hierve a 100 °C.",
        "¡Claro! Nadie lee primero el manual.",
        "Aquí tienes un ejemplo de recursión:",
        "Aquí está el código:",
        "Aquí está el código actualizado:",
        "Aquí está la lección que podemos sacar de esta historia:",
        "Aquí está el texto del poema:",
        "A continuación se presenta una tabla de verbos irregulares.",
        "En esta lección aprenderás qué es un bucle.",
        "¡Perfecto! Has escrito tu primer programa.",
        "Bien, aquí tienes el plan de hoy:",
        "Esta es la lección más importante de la historia.",
        "Esta es la versión final de nuestra función:",
        "Claro está que la Tierra gira.",
        "Aquí está la clase actualizada:",
        "Bien, esta es la clase modificada:",
    ],
    closing: &[
        "Espero que esto te sea útil. Si necesitas algún cambio, házmelo saber.",
        "Espero que esto te sea útil.",
        "¡Espero que te ayude!",
        "Espero que esta lección le sea de ayuda.",
        "Avísame si quieres que haga algún cambio.",
        "¿Te gustaría que añada ejercicios?",
        "¿Quieres que amplíe alguna sección?",
        "Si deseas más ejemplos, no dudes en pedírmelo.",
        "Si necesita algún ajuste, hágamelo saber.",
        "No dudes en decirme si necesitas más ejemplos.",
        "También puedo añadir ejercicios si lo deseas.",
        "¿Hay algo más en lo que pueda ayudarte?",
    ],
    not_closing: &[
        "Espero que esta lección te haya mostrado para qué sirve un bucle.",
        "Si tienes dudas, pregunta a tu profesor.",
        "Si tienes alguna duda, no dudes en preguntar.",
        "Si quieres cambiar el color, edita la hoja de estilo.",
        "¿Quieres saber más sobre los volcanes?",
        "No dudes en cambiar los valores y ejecutar el programa.",
        "Espero que hayas disfrutado de la lección.",
        "Si necesitas más ayuda, lee la documentación.",
        "¿Quieres que abra la ventana?",
        "Dime si hay vida en Marte.",
        "Prueba a añadir otro ejemplo.",
        "Espero que llueva mañana.",
    ],
    itself: &[
        "Como modelo de lenguaje, no puedo acceder a internet.",
        "Como inteligencia artificial, no tengo experiencias propias.",
        "Lo siento, pero no puedo ayudarte con esa solicitud.",
    ],
    not_itself: &[
        "Como modelo de lenguaje, GPT predice la palabra siguiente.",
        "Como profesora, puedo confirmarlo.",
        "La inteligencia artificial ayuda a los médicos.",
    ],
    thinking: &[
        "Bien, el usuario quiere una lección sobre los volcanes.",
        "Bueno, el usuario me pide una lección corta.",
        "Tengo que escribir una lección que cumpla la petición del usuario.",
    ],
    not_thinking: &[
        "Bien, veamos cómo funciona un bucle.",
        "Primero tenemos que instalar Python.",
        "Cuando el usuario pide una página, el servidor la envía.",
        "Tengo que explicar qué es una variable.",
        "Debemos leer la respuesta del servidor.",
        "Primero tenemos que preguntar el nombre al usuario.",
        "El usuario quiere iniciar sesión.",
        "La tarea es encontrar el camino más corto.",
        "Mi tarea es dar de comer a los animales.",
    ],
};
