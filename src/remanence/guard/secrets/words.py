"""Words that are no passwords: what templates and programs hold in their place, and what is said about them."""

from __future__ import annotations

# What a template has in the place of a secret; in any mixture and with any signs between.
_PLACEHOLDER_WORDS_TEXT = """
    your yours my our the a an this that some any api apikey key keys token tokens secret secrets password
    passwords passwd passphrase pass pwd pw username user here insert enter put replace replaceme add paste with
    me value values example examples sample dummy fake mock placeholder todo tbd fixme xxx xxxx xxxxx xxxxxx yyy
    zzz none null nil undefined nan true false yes no on off empty blank string str text bytes int integer
    number bool boolean object float unknown redacted hidden masked removed omitted censored encrypted hashed
    unset unavailable required optional nullable default defaults changeme change private public access auth
    client id account admin service credentials credential bearer basic login goes and or to from of for in is
    not foo bar baz abc abcd env environ var variable config settings param parameter arg args input field type
    form data sk pk ghp live test prod dev staging openai anthropic github aws google azure slack stripe db
    database server app application see below above same omit vault secure
"""
PLACEHOLDER_WORDS = frozenset(_PLACEHOLDER_WORDS_TEXT.split())
_OF_CODE_TEXT = """
    self cls super com org net www github src lib core util utils common model models request response context
    session cache hash get set load read has new old next prev current item items name path file url list map
    options props state store module package import export handler factory builder provider
"""
OF_CODE = frozenset(_OF_CODE_TEXT.split())
# Templates have these too, yet they are real passwords of real machines …
CHOSEN = ("admin", "root", "guest", "toor")
# … and these are, where someone says so: "the password is still changeme".
TOLD = ("changeme", "password", *CHOSEN)
# Words that say something about a secret instead of saying it.
_REMARKS_TEXT = """
    wrong right correct incorrect invalid valid expired weak strong safe unsafe secure insecure old new gone
    lost fine ok okay bad good known unknown missing absent present same different long short empty blank null
    none needed hard easy simple public private shared secret there here where what how when who why which
    whatever still again also always never not only just now then too very so as at by for from in into of off
    on onto out over to up with without under about after before because but if or and nor than that this these
    those it its they them he she we you i me my your our his her their mine yours ours theirs a an the is are
    was were be been being has have had do does did can could may might must shall should will would mandatory
    optional default unique random plain plaintext cleartext sensitive tricky critical important sha bcrypt
    cached static dynamic fresh stale dead alive broken down live local remote global temporary permanent
    everything nothing something anything fun weird ugly nice great awful terrible obvious outdated standard
    internal external base64 hex opaque single double numeric alphanumeric ascii unicode string text bytes
    number hash hashes ready enough falsch richtig korrekt ungültig abgelaufen zu im der die das den dem ein
    eine nicht noch schon bekannt geheim leer sicher unsicher schwach stark geändert vergessen weg neu alt lang
    kurz kaputt trop oublié expiré invalide faux vide dans sur le la les un une pas court longue nouveau
    incorrecta incorrecto correcta demasiado muy obligatoria obligatorio inválida vacía débil segura nueva corta
    larga el los las una incorreta fraca forte errada obrigatória muito sbagliata scaduta debole troppo
    obbligatoria verkeerd onjuist verlopen leeg te een het błędne nieprawidłowe неверный неправильный истек
    должен слишком пуст time practice patience love butter salt sugar water kindness honesty listening sleep
    obsolete legacy intact tomorrow today yesterday upstairs downstairs online offline somewhere elsewhere nonsense
    universal separate robust complex adequate appropriate accurate precise identical private hers alive silly
    mine ancient absurd lame funny boring rubbish garbage ridiculous perfect forever later soon away pflicht standard
    work luck trust consistency simplicity silence timing key santa
"""
REMARKS = frozenset(_REMARKS_TEXT.split())
_PROSE_TEXT = """
    the a an is are was be must should will would can may not of for to in on at with and or if your you this
    that it than least please enter from by has have der die das muss nicht le la les doit pas el los debe
"""
PROSE = frozenset(_PROSE_TEXT.split())
# Words that tell how a secret is or what is done with it, besides those with a telling end ("expired", "stolen").
_DESCRIBING_TEXT = """
    longer shorter stronger weaker better worse newer older easier harder simpler safer best worst latest longest
    shortest strongest weakest newest oldest easiest first second third last next final other another either neither
    both each every several many few more most less least all any some enough half such own proper later earlier
    sooner further inner outer upper lower super former user users server servers owner manager number letter letters
    character characters parameter header counter helper maker over under after never ever together however whoever
    rather whether whatever whichever written unwritten hidden broken forgotten stolen given taken mistaken chosen
    spoken eaten bitten shown known drawn blown grown thrown worn torn sworn born gone done undone woven frozen proven
    different current recent permanent frequent urgent sufficient insufficient efficient evident consistent
    inconsistent persistent dependent independent transparent apparent silent important relevant irrelevant constant
    instant redundant compliant significant pleasant brilliant elegant distant dominant abundant apart smart part
    trivial official special partial initial essential confidential commercial social crucial potential sequential
    credential artificial material serial special beneficial personal optional normal formal usual final manual
    annual equal legal actual real ideal total vital fatal global mental nominal original decimal minimal maximal
    tight right bright light caught bought brought taught thought sought fought quick thick sick slick worth smooth
    fourth fifth kept sent held read put built made found left stuck bound tied due set reset cut hit let met paid
    said told sold seen sung spent lent bent felt dealt meant kept slept swept lost cost shut split spread sent used
    reused typed clear main major minor common rare unclear fair fine full half high low large small big tiny huge
    wide narrow deep hot cold warm cool dry wet rich poor hard soft rough loose close closed open ajar free busy idle
    active inactive passive native naive positive negative sensitive insensitive exclusive inclusive effective
    expensive primitive massive impressive excessive alternative offline online outside inside nearby beside between
    among along across behind below above beyond within without through throughout during until unless while whereas
    since although though despite instead regardless otherwise maybe perhaps probably possibly likely unlikely
    certain sure unsure afraid aware unaware able unable ready willing eager keen glad happy sad sorry proud tired
    weird odd strange crazy insane bizarre mad evil stupid dumb clever wise decent solid sane legit legitimate valid
    safe immune prone subject exempt eligible liable due overdue pending ongoing upcoming imminent
    case length date place way day week month year hour minute system policy rule reason problem issue question
    answer mistake error bug feature option choice matter fact idea story joke mess pain risk burden weakness
    strength requirement must nothing none nobody anyone someone everyone himself herself itself themselves yourself
    mandatory necessary unnecessary temporary secondary primary ordinary arbitrary imaginary
    yes yeah yep nope nah okay sure dunno hmm huh really seriously please thanks sorry click contact visit see ask
    check look try use using enter type call email mail write send make take give keep store change update create
    choose pick select find forget remember recover renew rotate verify confirm continue proceed access gain login
    logon avoid prevent protect match expire comply meet follow work fail open close unlock lock apply become include
    contain begin start end stop go come get let put help show tell need want like love hate think know hope
    attacks attack manager managers protection protected prompt reset resets screen page form dialog field box link
    change changes sharing reuse guessing cracking spraying stuffing policy policies rules hygiene entropy vault
    strong good bad poor lousy crap crappy trash shit sucks stinks pointless redundant verboten
    erforderlich notwendig optional gesperrt verschlüsselt gespeichert hinterlegt vergessen gehasht sichtbar
    unsichtbar einfach schwer schwierig wichtig gleich identisch anders besser länger kürzer nie immer niemals
    irgendwo hier dort bereits wieder abgelaufen sowieso leider nötig pflicht unklar öffentlich privat bitte siehe
    requis requise obligatoire expirée incorrect incorrecte faible fort forte vide stocké stockée chiffré changé
    lowercase uppercase straightforward counterintuitive misunderstood foolproof bulletproof gibberish guesswork
    commonplace
    nécessaire toujours jamais ici ailleurs bientôt
    requerida requerido necesaria necesario caducada expirada guardada cifrada olvidada segura siempre nunca aquí
    richiesta obbligatorio sicura sempre mai vuota
    verplicht nodig onbekend vergeten opgeslagen
"""
DESCRIBING = frozenset(_DESCRIBING_TEXT.split()) | REMARKS
# "non-empty", "auto-generated": what begins so describes.
_BEGINNINGS_TEXT = """
    non un pre re auto self multi semi well single double one two ultra too very per anti cross end e x co sub super
    hard plain clear zero
"""
BEGINNINGS = frozenset(_BEGINNINGS_TEXT.split())
# "in-memory", "all-caps": what ends so describes.
_COMPOUND_ENDS_TEXT = """
    risk quality house memory prem premise premises site day days art source party force paste school text channel caps
    case wide term time way level grade class style size length word words character digit factor step click hand end
    side line value type name id user friendly free proof ready safe dependent rich heavy like ish based role group
    scale factors box fi mail web side fits all box out stop shelf board service
"""
COMPOUND_ENDS = frozenset(_COMPOUND_ENDS_TEXT.split())
# A part of a compound that only a template or a program would have.
_FREE_TEXT = """
    a an the of for to in on not or and no yes is my our me this that some any from with here goes blue off live prod
    dev test path map item old new next last list file root guest add object base core state present store admin
"""
OF_TEMPLATES = (PLACEHOLDER_WORDS | OF_CODE) - frozenset(_FREE_TEXT.split())
