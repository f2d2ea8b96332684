"""German, as data. Nouns are capitalised, so a word in lower case that looks like a verb mostly is one."""

from remanence.extraction.first_names import FEMININE, MASCULINE
from remanence.extraction.lexicon import Lexicon, either, split_words
from remanence.extraction.patterns import pattern

_AUXILIARY = split_words(
    "ist sind war waren bin bist hat haben hatte hatten habe wird werden wurde wurden werde sei wäre wären hätte hätten"
)
_MODAL = split_words(
    "kann können konnte konnten könnte könnten muss müssen musste mussten müsste müssten soll sollen sollte sollten "
    "darf "
    "dürfen durfte dürfte dürften will wollen wollte wollten möchte möchten mag mögen muß würde würden lässt"
)
_VERBS = split_words(
    "arbeitet arbeiten arbeite arbeitete wohnt wohnen wohne wohnte lebt leben lebte leitet leiten leite leitete "
    "übernimmt übernehmen übernahm erstellt erstellen erstellte bleibt bleiben blieb blieben zieht ziehen zog zogen "
    "läuft laufen lief liefen nutzt nutzen nutze nutzte nutzten verwendet verwenden verwendete braucht brauchen "
    "brauchte "
    "benötigt benötigen macht machen machte geht gehen ging gingen kommt kommen kam kamen steht stehen stand standen "
    "liegt liegen lag lagen gibt geben gab gaben nimmt nehmen nahm sagt sagen sagte sagten meint meinte meinen glaubt "
    "glauben glaube glaubte denkt denken denke dachte findet finden fand fanden fehlt fehlen fehlte fehlten zeigt "
    "zeigen "
    "zeigte speichert speichern speicherte sendet senden sendete schickt schicken schickte startet starten starte "
    "startete beginnt beginnen begann endet enden endete kostet kosten kostete funktioniert funktionieren "
    "funktionierte "
    "unterstützt unterstützen empfiehlt empfehlen empfahl bevorzugt bevorzugen bevorzuge spricht sprechen sprach heißt "
    "heißen hieß kennt kennen kannte weiß wissen wusste ergibt ergab enthält enthalten enthielt besteht bestehen "
    "bestand "
    "gehört gehören gehörte fährt fahren fuhr fliegt fliegen flog isst trinkt trank mag liest lesen las schreibt "
    "schreiben schrieb schrieben betreut betreuen betreute verantwortet plant planen plante prüft prüfen prüfe prüfte "
    "testet testen testete liefert liefern lieferte steigt steigen stieg stiegen sinkt sinken sank sanken fällt fallen "
    "fiel fielen wächst wächst kümmert kümmern kümmerte verschiebt verschiebt verschob wechselt wechseln wechselte "
    "trifft "
    "treffen traf trafen beträgt betragen betrug dauert dauern dauerte reicht reichen verlangt verlangen verlangte "
    "erfordert erfordern schließt schließen schloss öffnet öffnen öffnete lehnt lehnte stimmt stimmte stimmen folgt "
    "folgen folgte gilt gelten galt entscheidet entschied entschieden beschloss beschließt bestellt bestellte meldet "
    "melden meldete informiert informierte kauft kaufte verkauft verkaufte studiert studierte spielt spielen spielte "
    "lernt lernte hilft helfen half bringt bringen brachte hält halten hielt setzt setzen setzte stellt stellen "
    "stellte "
    "führt führen führte baut bauen baute löscht löschen löschte ersetzt ersetzen ersetzte erhält erhalten erhielt "
    "bekommt bekommen bekam bietet bieten bot erlaubt erlauben verhindert verhindern blockiert blockieren migriert "
    "migrieren migrierte betrifft betreffen verursacht verursachte verursachen scheint scheinen schien bewirkt sorgt "
    "sorgen tritt treten trat schlägt schlug scheitert scheiterte bricht brach lädt laden lud rechnet rechnen hofft "
    "hoffen erwartet erwarten wartet warten wartete erreicht erreichen erreichte zahlt zahlen zahlte verbraucht "
    "verlässt verlassen verließ kündigt kündigte vertritt vertreten rotiert schätzt schätzen misst maß kehrt kehrte "
    "sprang springt springen versorgt versorgen versorgte gewann gewinnt verlor verliert verlieren wuchs wachsen "
    "schlief schläft "
    "aß essen esse trug trägt tragen hängt rief ruft rufen wirft warf zwingt zwang stirbt starb half vergisst vergaß "
    "überträgt "
    "betreibt betreiben betrieb bestätigt bestätigte fordert fordern forderte lehrt lehrte erlaubt erlaubte merkt "
    "merkte passiert "
    "passierte reagiert reagierte "
    "reist reisen reiste befindet befinden unterschreibt unterschrieb genehmigt genehmigte akzeptiert wiegt hängt "
    "hängen "
    "dient dienen bezieht beziehen besucht besuchen besuchte aktualisiert installiert konfiguriert dokumentiert "
    "leiht leihen lieh verleiht mietet mieten vermietet pflegt pflegen repariert reparieren züchtet backt kocht "
    "kochen singt "
    "singen tanzt malt malen näht strickt wandert wandern schwimmt schwimmen rennt ruht bellt hasst liebt lieben "
    "mietete "
    "beliefert beliefern beschäftigt beschäftigen produziert produzieren importiert exportiert vertreibt entwickelt "
    "entwickeln "
    "veröffentlicht unterrichtet unterrichten erklärt erklärte erzählt erzählte behauptet behauptete fragt fragte "
    "antwortet "
    "antwortete warnt warnte verspricht versprach vermutet vermutete befürchtet plädiert ärgert freut interessiert "
    "gefällt "
    "gefallen schmeckt riecht klingt wirkt wirken fürchtet erinnert vergeht verging erfolgt erfolgen erfolgte entsteht "
    "entstehen entstand verschwindet verschwand explodiert brennt brannte regnet schneit taut friert fror verdient "
    "verdienen "
    "verdiente spart sparen investiert investieren kassiert überweist leidet litt heiratet heirateten verbringt "
    "verbrachte "
    "umfasst umfassen zählt zählen schützt schützen sichert sichern prüfen wählt wählen wählte gründete gründet "
    "eröffnet "
    "eröffnete entließ entlässt stellt übergibt übergab vereinbart vereinbarte verhandelt weicht weichen wich passt "
    "passen "
    "analysiert entfernt ergänzt verschickt verteilt überwacht verwaltet koordiniert organisiert"
)

PARTICIPLE = pattern(
    r"(?:\w{0,6}ge\w{2,}(?:t|en)|\w{3,}iert|(?:auf|an|ab|aus|ein|vor|nach|um|zu|mit|bei|durch|wieder)?"
    r"(?:ver|be|ent|er|zer|über|unter)\w{2,}(?:t|en|an))$"
)
INFINITIVE = pattern(r"\w{2,}(?:en|eln|ern)$")

GERMAN = Lexicon(
    name="de",
    function=split_words(
        "der die das und ist nicht ein eine einen einem einer zu den dem des mit auf für von im in sich auch wird "
        "werden sind "
        "als an es bei aus nach noch nur oder aber wir ich sie er wie bis über unter um am zum zur hat haben war wurde "
        "kann muss soll dass weil wenn vor durch kein keine mehr schon sehr unser unsere dieser diese dieses ja nein"
    ),
    abbreviations=split_words(
        "z.b d.h u.a usw bzw ca dr prof hr fr nr str tel abs art bspw evtl ggf inkl exkl max min mio mrd vgl st o.ä "
        "u.u i.d.r "
        "v.a s.o s.u jan feb mär apr jun jul aug sep sept okt nov dez mo di mi do sa so geb gem lt zzgl etc dipl ing"
    ),
    joining=split_words("und sowie"),
    contrasting=split_words("aber doch jedoch sondern"),
    subordinating=split_words(
        "weil dass daß wenn falls ob damit obwohl während nachdem bevor sobald solange sodass seitdem indem sofern "
        "bis als "
        "welche welcher welches was wer wo wie warum da"
    ),
    reporting=split_words(
        "sagt sagte meint meinte glaubt glaube denkt denke findet erklärte berichtet berichtete vermutet"
    ),
    finite=_AUXILIARY | _MODAL | _VERBS,
    auxiliary=_AUXILIARY,
    modal=_MODAL,
    determiners=split_words(
        "der die das den dem des ein eine einen einem einer eines kein keine keinen dieser diese dieses diesen jeder "
        "jede jedes "
        "mein meine dein deine sein seine ihr ihre unser unsere alle beide viele einige mehrere zwei drei vier fünf "
        "sechs"
    ),
    prepositions=split_words(
        "in im an am auf aus bei beim mit nach von vom zu zum zur für über unter um vor durch gegen ohne zwischen "
        "seit bis ab "
        "wegen trotz laut pro per als wie"
    ),
    adverbs=split_words(
        "auch dann jetzt nun noch nicht nie niemals immer schon bereits oft meist meistens später danach seitdem "
        "dort hier "
        "dafür daher deshalb derzeit aktuell bisher künftig nur wieder gerade heute gestern morgen vermutlich "
        "wahrscheinlich "
        "vielleicht eventuell sofort automatisch anschließend zuletzt inzwischen weiterhin nicht mehr"
    ),
    personal=split_words("ich wir du er sie es ihr man dies das diese jemand niemand alle"),
    pronouns={
        "er": ("m", False),
        "ihn": ("m", False),
        "ihm": ("m", False),
        "sie": ("f", False),
        "es": ("n", False),
        "sein": ("m", True),
        "seine": ("m", True),
        "seinen": ("m", True),
        "ihre": ("f", True),
        "ihr": ("f", True),
    },
    owning="{}s",
    feminine=FEMININE | split_words("meike sina svenja silke antje wiebke frauke elke gisela renate"),
    masculine=MASCULINE | split_words("kai oskar miro ole malte hauke detlef jochen"),
    titles={"frau": "f", "herr": "m", "herrn": "m", "dr": "", "prof": ""},
    collective=split_words("team abteilung firma gruppe kunden nutzer kollegen entwickler"),
    connectors=either(
        r"(?:außerdem|zudem|allerdings|jedoch|übrigens|ferner|darüber hinaus|des weiteren|trotzdem|dennoch|also|"
        r"kurz gesagt|"
        r"zusammengefasst|erstens|zweitens|drittens|zum beispiel|beispielsweise|hinweis|achtung, hinweis|"
        r"wichtig ist|ach ja|"
        r"im übrigen|nebenbei)\s*[,:!–—-]+\s+",
        r"(?:und|aber|sondern|denn)\s+(?=\w)",
    ),
    chatter=either(
        r"(?:hallo|hi|hey|moin|servus|guten (?:morgen|tag|abend)|gute nacht|liebe[rs]?|sehr geehrte[rs]?|"
        r"grüß (?:gott|dich)|"
        r"mahlzeit)(?: [^\s,:]+){0,4}",
        r"(?:vielen |herzlichen |besten |lieben |schönen )?dank\b.{0,60}",
        r"(?:danke|merci)\b.{0,60}",
        r"(?:ja|nein|ok|okay|klar|gut|super|toll|prima|genau|stimmt|passt|alles klar|gerne|gern|perfekt|cool|oh|ah|"
        r"oh je|"
        r"ach so|aha|hm+|na ja|naja|schade|einverstanden|verstanden|sicher|natürlich|kein problem|bitte|bitte schön|"
        r"gern geschehen|mach ich|wird gemacht|geht klar|klingt gut|sehr gut|sehr schön|wunderbar|top|fein|richtig|"
        r"jo|jup|nö|"
        r"gute frage|gute idee|guter punkt|gute arbeit|weiter so|viel erfolg|viel glück|los geht's|bis (?:dann|bald|"
        r"morgen|später))"
        r"(?:[ ,!.]+(?:danke|dir|euch|ihnen|sehr|dann|alle|zusammen|so|gut|klar|ok|gerne|mache ich|bis dann))*",
        r"(?:das ist|das klingt|das war|klingt|sieht) (?:sehr |echt |wirklich )?(?:gut|super|toll|prima|schön|"
        r"klasse|aus)\b.{0,30}",
        r"(?:ich )?(?:schaue?|gucke?|sehe|prüfe) (?:es |das |mir )*(?:mal |kurz |gleich |eben |schnell )*(?:nach|an|"
        r"mal|gleich)?.{0,20}",
        r"(?:bei (?:fragen|rückfragen)|wenn (?:du|ihr|sie) (?:noch )?fragen|falls (?:du|ihr|sie)|melde dich|"
        r"meldet euch|melden sie "
        r"sich|sag(?:t)? (?:einfach )?bescheid|gebt? bescheid|lass(?:t)? (?:es )?mich wissen)\b.*",
        r"(?:mit )?(?:freundlichen|vielen|besten|herzlichen|lieben|viele|beste|liebe|schöne|herzliche) grü(?:ß|"
        r"ss)en?.{0,40}",
        r"(?:grüße|gruß|lg|vg|mfg|ciao|tschüs+|auf wiedersehen)\b.{0,40}",
        r"(?:schönes|schönen|schöne|guten) (?:wochenende|tag|abend|feierabend|start|woche|urlaub)\b.{0,40}",
        r"(?:hier (?:ist|sind|kommt)|anbei|im folgenden|es folgt|nachfolgend)\b.{0,80}:",
        r"ich hoffe,? .{0,80}",
        r"(?:einen )?(?:moment|sekunde)(?: bitte| mal)?",
        r"(?:lass|lassen sie) mich\b.{0,60}",
    ),
    openers=either(
        r"(?:ja|nein|ok|okay|klar|genau|gut|super|danke|stimmt|natürlich|oh|ach|ah|hallo|hi|hey|moin|gerne|"
        r"alles klar|sorry|"
        r"kurzes update|kurze info|info|zur info|sicher)(?: (?:zusammen|alle|team|nochmal|dir|euch|"
        r"(?-i:[A-ZÄÖÜ]\w+)))?\s*[,!–—:-]+\s+",
    ),
    agreeing=either(r"(?:ja|nein|genau|stimmt|richtig|klar|natürlich)\b"),
    asking=either(
        r"(?:wer|was|wann|wo|warum|wieso|welche[rsnm]?|wie|ist|sind|hat|haben|kann|können|soll|sollen|wird|gibt)\b"
    ),
    empty_headings=split_words(
        "zusammenfassung notizen notiz überblick übersicht einleitung details hintergrund sonstiges allgemein "
        "protokoll "
        "agenda inhalt ergebnis bericht diskussion punkte"
    ),
)
