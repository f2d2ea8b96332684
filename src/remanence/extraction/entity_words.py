"""Words that begin with a capital letter and are no names: what opens sentences, days, peoples, bare nouns of notes.

Beside the lexicons of the languages, as plain data in lower case. `OPENING` are dropped from the beginning of a
sentence, `NEVER` are no names anywhere; a noun that terse notes begin with ("User prefers tea") needs other evidence.
"""

from __future__ import annotations

from remanence.extraction.english import ENGLISH
from remanence.extraction.first_names import FEMININE, MASCULINE
from remanence.extraction.french import FRENCH
from remanence.extraction.german import GERMAN
from remanence.extraction.lexicon import split_words
from remanence.extraction.spanish import SPANISH

_CALENDAR = split_words(
    "january february march april may june july august september october november december jan feb mar apr jun jul "
    "aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays "
    "thursdays fridays saturdays sundays mon tue tues wed thu thur thurs fri sat sun januar februar märz mai juni "
    "juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag janvier février "
    "mars avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi samedi "
    "dimanche enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes "
    "miércoles jueves viernes sábado domingo christmas easter halloween thanksgiving weihnachten ostern noël pâques "
    "navidad q1 q2 q3 q4 spring summer autumn winter"
)
_PEOPLES = split_words(
    "english german french spanish italian chinese japanese korean american british european asian african russian "
    "dutch swedish indian mexican portuguese turkish greek polish irish scottish canadian australian latin arabic "
    "hebrew hindi deutsch englisch französisch spanisch deutsche deutschen anglais français espagnol inglés español "
    "alemán francés christian muslim jewish catholic buddhist western eastern northern southern"
)
_SIGNS = split_words(
    "i i'm i've i'll i'd ok okay am pm a.m p.m ad bc am todo fixme note notes nb ps fyi asap tbd tba wip eta etc vs "
    "id ids hi hey hello dear sincerely regards cheers yes no yeah yep nope nah oh ah wow hmm haha lol omg btw imo "
    "imho idk thx ty pls please thanks thank congrats congratulations sorry sure mr mrs ms dr prof sir madam mom "
    "mum dad mommy daddy mama papa grandma grandpa granny aunt uncle auntie god lord bye goodbye morning evening "
    "good great nice cool awesome amazing absolutely definitely exactly totally true false null none nan undefined "
    "yay ugh aw aww whoa woah happy merry best love lovely glad welcome hooray bravo rip q a"
)
_OPENERS = split_words(
    "however therefore moreover furthermore meanwhile otherwise instead anyway besides additionally finally lastly "
    "firstly secondly first second third next last later earlier recently currently previously originally initially "
    "eventually suddenly unfortunately fortunately luckily hopefully apparently obviously clearly basically "
    "generally usually normally typically sometimes often always never maybe perhaps probably possibly actually "
    "honestly seriously today yesterday tomorrow tonight now then here there once twice again also still yet "
    "already just only even both either neither everything something nothing anything everyone someone anyone "
    "everybody somebody anybody nobody people folks guys many most much more less few several some any all every "
    "each another other others such same new old big small long short high low early late open closed done fixed "
    "added removed updated changed created deleted merged speaking according given regarding concerning considering "
    "including following depending due despite although though because since unless until while whereas whether "
    "when whenever where wherever why how what whatever which whichever who whoever whom whose if so as but and or "
    "nor for with without within via per like unlike near about above below under over between among through during "
    "before after from into onto upon toward let lets let's it's that's there's here's what's who's where's how's "
    "he's she's they're we're you're i'd we've can't don't doesn't didn't won't isn't aren't wasn't couldn't "
    "shouldn't wouldn't haven't hasn't ain't gonna gotta make sure check try see look think guess hope wish feel "
    "feels sounds looks seems keep kind type version step summary decision context background goal goals question "
    "answer example examples warning caution important tip hint update reminder result results conclusion action "
    "actions item items section chapter figure table part page total status priority deadline owner author date "
    "time day week month year weekend night afternoon noon midnight two three four five six seven eight nine ten "
    "hundred thousand half quarter gestern heute morgen jetzt dann danach daher deshalb außerdem jedoch leider "
    "bitte danke hallo achtung hinweis wichtig frage antwort beispiel laut seit während wegen trotz ohne gegen hier "
    "dort alle jeder jede jedes viele manche einige wer was wo wann warum wie wenn falls sobald sowie sowohl weder "
    "entweder hier demain aujourd'hui maintenant alors ensuite cependant toutefois donc ainsi merci bonjour salut "
    "attention remarque selon pendant malgré sans sous contre chaque tous toutes quand pourquoi comment lorsque "
    "quel quelle quels ayer hoy mañana ahora entonces después antes además aunque gracias hola atención nota según "
    "durante cada todos todas cuando cómo cuál cuáles quién qué dónde l'équipe"
)
_NOUNS = split_words(
    "user users customer customers client clients server servers service services system systems app apps team "
    "teams manager boss company build builds deploy deployment deployments release releases test tests script "
    "scripts job jobs bug bugs error errors issue issues feature features project projects product products "
    "database databases cache caches backend frontend config configuration setting settings code data memory "
    "memories storage disk network traffic latency bandwidth throughput performance load access login logout "
    "password passwords token tokens key keys secret secrets session sessions request requests response responses "
    "query queries index indexes schema table tables row rows column columns file files folder folders path paths "
    "module modules package packages library libraries function functions class classes method methods variable "
    "variables constant parameter parameters option options flag flags command commands output input log logs event "
    "events message messages queue queues worker workers thread threads process processes container containers "
    "cluster node nodes host hosts client browser mobile desktop screen button page pages form link links image "
    "images video audio text string number numbers value values list lists item map set tree graph model models "
    "agent agents assistant prompt prompts answer support staff management engineering marketing sales finance "
    "legal security privacy compliance documentation docs meeting meetings call email emails mail invoice payment "
    "payments order orders budget cost costs price prices salary revenue profit tax work life love money time "
    "health food water coffee tea milk bread rice meat fish fruit cheese chocolate sugar salt beer wine music art "
    "science history math physics chemistry biology nature weather rain snow sun wind fire air earth sleep exercise "
    "yoga sport football soccer tennis basketball running hiking swimming travel vacation holiday school college "
    "university class homework research study education knowledge experience advice information news feedback "
    "progress success failure luck hope fear anger joy peace war truth beauty family mother father brother sister "
    "son daughter husband wife child children kid kids baby friend friends neighbor neighbour partner colleague "
    "colleagues doctor nurse teacher student students lawyer driver landlord dog cat horse bird car bike bus train "
    "plane house home apartment room kitchen garden door window phone laptop computer camera book books movie "
    "movies film song game games story art photo photos picture paper money production staging development testing "
    "monitoring logging caching auth authentication authorization encryption backup backups restore migration "
    "migrations rollback upgrade downgrade refactor refactoring review reviews merge commit commits branch branches "
    "tag tags pull push root admin guest owner member members group groups role roles permission permissions policy "
    "policies rule rules limit limits quota threshold timeout retry default fallback plan plans design architecture "
    "pattern interface protocol format standard spec specification requirement requirements approach solution "
    "problem problems cause reason effect impact risk risks change changes fix fixes pottery guitar piano violin "
    "drums chess clay poetry fantasy fiction chef meal meals pride identity shadow cooking baking dance ballet "
    "theater theatre fashion jewelry makeup skincare meditation therapy volunteering adoption nutrition fitness "
    "stress anxiety depression pain courage kindness friendship trust freedom justice charity faith religion "
    "politics culture tradition language grammar spelling winter gold silver iron steel wood plastic glass cotton "
    "wool leather gas oil electricity power energy heat light sound noise silence color colour space room size "
    "weight speed distance height width depth color traffic parking weather lots tons plenty loads bunch tough "
    "perfect quite little blue red green black white yellow pink purple brown gray grey orange patch workaround "
    "nobody lunch dinner breakfast rent insurance hardware software firmware source target everyone"
)
_FUNCTION = frozenset().union(
    *(
        lexicon.function
        | lexicon.determiners
        | lexicon.prepositions
        | lexicon.personal
        | frozenset(lexicon.pronouns)
        | lexicon.joining
        | lexicon.contrasting
        | lexicon.subordinating
        | lexicon.modal
        | lexicon.auxiliary
        for lexicon in (ENGLISH, GERMAN, FRENCH, SPANISH)
    )
)
_VERBS = frozenset().union(
    *(lexicon.adverbs | lexicon.bare | lexicon.finite for lexicon in (ENGLISH, GERMAN, FRENCH, SPANISH))
)

FIRST_NAMES = FEMININE | MASCULINE
NEVER = _CALENDAR | _PEOPLES | _SIGNS | _FUNCTION | _OPENERS
"""No names by themselves, also not inside a sentence."""
LEADING = (
    _CALENDAR
    | _SIGNS
    | frozenset().union(
        *(
            lexicon.determiners | lexicon.personal | lexicon.joining | lexicon.contrasting | lexicon.modal
            for lexicon in (ENGLISH, GERMAN, FRENCH, SPANISH)
        )
    )
)
"""They are no part of the name behind them: "The Alchemist"."""
TRAILING = (_CALENDAR | _SIGNS) - split_words("day spring summer winter autumn love god lord best good")
OPENING = NEVER | _OPENERS | _VERBS | _CALENDAR
"""Words a sentence begins with, and drops before a name: "Use Redis"."""
BARE = OPENING | _NOUNS
"""No names at the beginning of a sentence, also not before a verb."""
NO_ACRONYM = (
    _FUNCTION
    | _SIGNS
    | _OPENERS
    | _VERBS
    | _CALENDAR
    | _NOUNS
    | split_words(
        "ok am pm todo fixme note warning error info debug trace fatal critical wip tbd tba asap fyi eta faq aka "
        "important must not only never always do dont stop go new old big yes no please help me us it up ii iii iv vi "
        "vii viii ix xi xii select from where insert update delete create drop alter table join get post put patch head"
    )
)
NEW_PLACES = split_words("york zealand orleans jersey delhi hampshire mexico england haven castle brunswick caledonia")
"""They are new in name."""
SINGULAR = frozenset(verb for verb in ENGLISH.finite if verb.endswith("s")) | split_words("ist hat wird est a es ha")
"""Verb forms that only one thing does: what stands before them is no plural."""
VERBS = ENGLISH.finite - split_words("will may can might must should would could do have are were let put set cut")
GERMAN_WORDS = split_words(
    "der das und ist nicht ein eine einen einem einer zu den dem des mit auf für von im sich auch wird werden sind "
    "als bei aus nach noch nur oder aber wir ich sie er wie bis über unter um zum zur haben wurde kann muss soll "
    "dass weil wenn durch kein keine mehr schon sehr unser unsere dieser diese dieses seit vom beim ihm ihr ihre "
    "sein seine habe"
)
ENGLISH_WORDS = split_words("the and of to is that it for was on are with at be this by have from not has she his her")
PLACES = split_words(
    "berlin hamburg münchen köln frankfurt stuttgart düsseldorf leipzig dresden bremen hannover nürnberg bonn "
    "münster karlsruhe mannheim augsburg freiburg heidelberg mainz kiel lübeck rostock erfurt potsdam kassel aachen "
    "dortmund essen duisburg bochum wien graz salzburg innsbruck linz zürich basel bern genf luzern paris london "
    "madrid barcelona rom mailand lissabon prag warschau budapest brüssel amsterdam kopenhagen stockholm oslo "
    "helsinki athen istanbul moskau kiew dublin tokio peking shanghai singapur sydney boston chicago kalifornien "
    "deutschland österreich schweiz frankreich spanien italien portugal polen europa england schottland irland "
    "norwegen schweden dänemark finnland griechenland türkei russland china japan indien amerika kanada brasilien "
    "mexiko australien"
)
"""Places as German writes them: among capitalised nouns only these are known as names."""
TITLES = split_words(
    "dr mr mrs ms mx prof professor herr frau fr hr miss mme mlle monsieur madame señor señora sr sra srta don doña "
    "dra sir lady lord dame capt captain sgt lt col gen judge senator coach pastor father sister brother saint st"
)
PERSON_TITLES = TITLES - split_words("st saint don fr father sister brother gen col")
