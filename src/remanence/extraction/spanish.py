"""Spanish, as data. The subject is often left out, so a sentence may begin with its verb."""

from remanence.extraction.first_names import FEMININE, MASCULINE
from remanence.extraction.lexicon import Lexicon, either, split_words

_AUXILIARY = split_words(
    "es son era eran fue fueron será serán sería está están estaba estaban estará ha han había habían hay hubo habrá "
    "soy somos "
    "estoy estamos he hemos sea sean esté"
)
_MODAL = split_words(
    "puede pueden podía podrá podrán podría podrían debe deben debía deberá deberán debería deberían va van iba quiere "
    "quieren quería tiene tienen tenía tendrá tuvo"
)
_VERBS = split_words(
    "trabaja trabajan trabajaba trabajó vive viven vivía vivió dirige dirigen dirigió viaja viajan viajó queda "
    "quedan quedó "
    "quedará come comen bebe beben cuesta cuestan costó costará sale salen salió llega llegan llegó usa usan usó "
    "utiliza "
    "utilizan utilizó prefiere prefieren recomienda recomiendan recomendó piensa piensan cree creen dice dicen dijo "
    "dijeron "
    "empieza empiezan empezó comienza comienzan comenzó termina terminan terminó necesita necesitan requiere requieren "
    "permite permiten funciona funcionan falla fallan falló contiene contienen guarda guardan guardó envía envían "
    "envió "
    "recibe reciben recibió lleva llevan llevó hace hacen hizo pone ponen puso toma toman tomó sigue siguen siguió "
    "aprobó "
    "aprueba decidió decide decidieron eligió propone propuso confirma confirmó indica indicó informa informó avisó "
    "muestra "
    "muestran supone estima estimó depende dependen habla hablan habló gusta gustan estudia estudió juega juegan lee "
    "escribe escribió compra compró vende vendió paga pagó entrega entregó corrige corrigió añade añadió elimina "
    "eliminó "
    "reemplaza reemplazó bloquea bloqueó espera esperan cubre cubren dura duran duró expira vence vencen abre abrió "
    "cierra "
    "cerró cerrará acepta aceptó rechazó rechaza revisa revisó parece parecen migra migró despliega desplegó prueba "
    "probó "
    "responde respondió encarga gestiona gestionó coordina lidera lideró supervisa organiza preparó prepara presenta "
    "presentó participa pertenece aumenta aumentó disminuye bajó baja subió sube alcanza alcanzó mantiene mantuvo "
    "conserva "
    "entra entró vuelve volvió regresa regresó nació murió ganó perdió cambió cambia pasó pasa visite visita visitó "
    "asiste asistió ocupa ejecuta procesa almacena consume soporta incluye incluyen excluye cuida cuidan cobra "
    "cobran contesta "
    "contestan opone oponen alquila alquilan repara reparan limpia limpian cocina cocinan enseña enseñan aprende "
    "aprenden "
    "conoce conocen sabe saben duerme duermen corre corren nada nadan canta cantan baila bailan cultiva cultivan "
    "fabrica "
    "fabrican produce producen construye construyen ofrece ofrecen busca buscan encuentra encuentran trae traen da "
    "dan deja "
    "dejan mide miden pesa pesan vale valen suma suman resulta resultan ocurre ocurren sirve sirven falta faltan "
    "sobra basta "
    "conviene teme temen desea desean promete prometen obliga obligan prohíbe prohíben autoriza evita evitan provoca "
    "causan "
    "causa impide publica publican lanza lanzan anuncia anuncian prevé prevén inicia inician reinicia instala "
    "instalan carga "
    "cargan devuelve devuelven quedan quedaron tarda tardan firma firmó firman viste pinta pintan compone toca tocan "
    "odia "
    "odian adora adoran detesta canceló cancela retrasa retrasó adelanta acuerda reserva reservó negocia opera operan"
)

SPANISH = Lexicon(
    name="es",
    function=split_words(
        "el la los las de del un una y es en a que por para con no se su sus lo al como más pero o este esta estos "
        "estas son ha han "
        "muy también ya si sin sobre desde hasta entre cuando donde está están ser fue hay porque nos yo ella ellos "
        "todo "
        "todos nuestro nuestra mi tu le les será"
    ),
    abbreviations=split_words(
        "sr sra srta dr dra prof ud uds p.ej ej aprox etc núm pág tel av art ee.uu máx mín ene feb abr ago sept"
    ),
    joining=split_words("y e"),
    contrasting=split_words("pero mientras aunque sino"),
    subordinating=split_words(
        "que quien quienes porque pues si cuando donde como para hasta desde aunque mientras ya cual cuales cuyo "
        "cuya después antes"
    ),
    reporting=split_words("dice dijo cree creen piensa piensan indica indicó confirma confirmó informó avisó supone"),
    finite=_AUXILIARY | _MODAL | _VERBS,
    auxiliary=_AUXILIARY,
    modal=_MODAL,
    determiners=split_words(
        "el la los las un una unos unas este esta estos estas ese esa esos mi tu su sus nuestro nuestra cada todo "
        "toda todos todas "
        "ningún ninguna algún varios varias dos tres cuatro cinco seis"
    ),
    prepositions=split_words(
        "de a en por para con sin sobre desde hasta entre contra bajo al del según durante tras como"
    ),
    adverbs=split_words(
        "también luego después ahora no nunca siempre ya todavía aún actualmente además se me nos le les lo la los "
        "las probablemente "
        "quizás quizá solo sólo normalmente"
    ),
    personal=split_words("yo nosotros tú usted ustedes él ella ellos ellas esto eso"),
    pronouns={"él": ("m", False), "ella": ("f", False), "ellos": ("p", False), "ellas": ("p", False)},
    owning="de {}",
    feminine=FEMININE,
    masculine=MASCULINE | split_words("ramón martín jesús joaquin andres"),
    titles={
        "sr": "m",
        "sra": "f",
        "srta": "f",
        "señor": "m",
        "señora": "f",
        "don": "m",
        "doña": "f",
        "dr": "m",
        "dra": "f",
    },
    collective=split_words("equipo empresa grupo clientes usuarios"),
    connectors=either(
        r"(?:además|sin embargo|no obstante|por otro lado|por ejemplo|en resumen|de hecho|por lo tanto|así que|"
        r"por cierto|"
        r"primero|segundo|finalmente|por último|nota|asimismo|también)\s*[,:!–—-]+\s+",
        r"(?:y|pero|e)\s+(?=\w)",
    ),
    chatter=either(
        r"¡?(?:hola|buenos días|buenas tardes|buenas noches|buenas|estimad[oa]s?|"
        r"querid[oa]s?)(?: [^\s,:]+){0,3}(?:,? gracias.{0,40})?",
        r"¡?(?:gracias|muchas gracias|mil gracias)\b.{0,80}",
        r"¡?(?:sí|si|no|ok|vale|claro|perfecto|genial|de acuerdo|entendido|exacto|bien|muy bien|por supuesto|"
        r"de nada|bueno|ah|oh|"
        r"buena idea|buena pregunta|buen trabajo|excelente|estupendo|listo|hecho|hasta (?:luego|mañana|pronto)|adiós|"
        r"nos vemos|con gusto|suena bien|felicidades|enhorabuena)(?:[ ,!.¡]+(?:gracias|a todos|muchas|entonces|bien))*",
        r"¡?(?:un saludo|saludos|atentamente|cordialmente|un abrazo|abrazos|cordiales saludos)\b.{0,40}",
        r"¡?(?:que tengas?|que tengan|feliz|buen) .{0,50}",
        r"(?:avísame|avísenme|no dudes?|no duden|si tienes?|si tienen|si necesitas?|quedo a|cualquier duda|dime)\b.*",
        r"(?:aquí (?:está|están|tienes)|a continuación|adjunto|les dejo|te dejo)\b.{0,100}:?",
        r"(?:espero que|déjame|dame un|un momento|voy a (?:revisar|ver|comprobar))\b.{0,60}",
    ),
    openers=either(
        r"¡?(?:sí|no|ok|vale|claro|gracias|muchas gracias|buenas tardes|buenos días|buenas noches|buenas|hola|"
        r"perfecto|bueno|ah|oh|exacto|perdón|por supuesto|de acuerdo)"
        r"(?: (?:a todos|(?-i:[A-ZÁÉÍÓÚ]\w+)))?\s*[,!–—:-]+\s+",
    ),
    agreeing=either(r"(?:sí|no|claro|exacto|correcto|por supuesto)\b"),
    asking=either(r"¿"),
    empty_headings=split_words("resumen notas introducción detalles contexto varios general acta discusión"),
)
