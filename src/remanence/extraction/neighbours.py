"""Words that tell whether their neighbour is a verb, and words that look like verbs but are none; as data."""

from remanence.extraction.lexicon import split_words

OBJECTS = split_words(
    "more less well fine slow fast it them him me us that only new data faster slower better worse longer earlier "
    "later "
    "first last free high low early late together twice once home back there here away abroad"
)
NO_PAST = split_words(
    "hundred sacred naked wicked indeed speed seed feed need breed greed weed bleed embed shred kindred"
)
GERMAN_OTHERS = split_words(
    "oft fast erst jetzt selbst sonst leicht gut weit laut somit damit mit seit nicht recht insgesamt zuerst zunächst "
    "zuletzt direkt alle jede diese keine ihre seine eine unsere meine heute gerne lange beide viele letzte erste "
    "nächste alte neue gute samt statt bereit bekannt gesamt dort meist überhaupt anstatt derart sofort getrennt "
    "zumeist nebst "
    "letzten ersten nächsten unten hinten rechten alten guten ganzen zweiten dritten echten festen besten weiten "
    "bereits"
)
SPANISH_PARTICIPLES = split_words("escrito hecho dicho puesto visto abierto roto muerto vuelto impreso")
SPANISH_ENDINGS = (
    "amos",
    "emos",
    "imos",
    "aron",
    "ieron",
    "ará",
    "arán",
    "erá",
    "erán",
    "irá",
    "irán",
    "aba",
    "aban",
    "ían",
    "ó",
    "aría",
    "ería",
)
SPANISH_CLITICS = split_words("se me nos te lo le les")
IRREGULAR_PLURALS = split_words("children people men women mice feet teeth police")
BEFORE_VERBS = split_words("never always usually often rarely")
SUBJECTS = split_words("i we he she they it er wir ich il elle ils elles je nous on ella él ellos ellas yo nosotros")
RELATIVE = split_words("who which whose where qui dont")
ORDERS = split_words("please pls don't dont do never use avoid let's bitte")
CLITICS = split_words("se me te nos le les lo la los las no ne y en lui leur")
DEMONSTRATIVES = split_words("that this das dies cela ça c'est c'était ceci eso esto")
