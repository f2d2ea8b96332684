"""French, as data."""

from remanence.extraction.first_names import FEMININE, MASCULINE
from remanence.extraction.lexicon import Lexicon, either, split_words

_AUXILIARY = split_words(
    "est sont était étaient sera seront serait seraient fut furent a ont avait avaient aura auront aurait ai suis es "
    "êtes "
    "sommes avons avez n'est n'a n'ont n'était n'avait c'est s'est j'ai n'ai"
)
_MODAL = split_words(
    "peut peuvent pouvait pourra pourront pourrait pourraient doit doivent devait devra devront devrait devraient veut "
    "veulent voulait voudrait va vont allait faut faudra faudrait sait savent"
)
_VERBS = split_words(
    "travaille travaillent travaillait habite habitent habitait vit vivent vivait dirige dirigent dirigeait encadre "
    "encadrent rend rendent gère gèrent gérait passe passent passait reste restent restera resteront restait utilise "
    "utilisent utilisait préfère préfèrent préférait recommande recommandent pense pensent pensait croit croient dit "
    "disent disait coûte coûtent coûtait coûtera commence commencent commencera finit finissent termine terminent "
    "prend prennent prendra prenait met mettent mettra fait font faisait fera feront vient viennent venait viendra "
    "part "
    "partent partira arrive arrivent arrivera rejoint rejoignent reçoit reçoivent envoie envoient stocke stockent "
    "contient "
    "contiennent supporte supportent permet permettent exige exigent demande demandent demandait propose proposent "
    "confirme confirment indique indiquent signale signalent montre montrent estime estiment faillit échoue échouent "
    "fonctionne fonctionnent fonctionnait tourne tournent dépend dépendent parle parlent aime aiment mange mangent "
    "boit "
    "lit lisent écrit écrivent joue jouent étudie étudient suit suivent paie paye payent achète achètent vend vendent "
    "livre livrent livrera corrige corrigent ajoute ajoutent supprime suppriment remplace remplacent bloque bloquent "
    "attend attendent assure assurent organise organisent prépare préparent présente présentent participe participent "
    "appartient appartiennent s'élève s'élèvent s'appelle s'occupe s'occupent concerne concernent augmente augmentent "
    "diminue diminuent baisse baissent atteint atteignent dure durent durera expire expirent ouvre ouvrent ferme "
    "ferment "
    "souhaite souhaitent refuse refusent accepte acceptent valide valident décide décident choisit choisissent semble "
    "semblent devient deviennent tient tiennent possède possèdent migre migrent déploie déploient teste testent "
    "vérifie "
    "vérifient répond répondent voyage voyagent déménage déménagent quitte quittent revient reviennent maintient "
    "conserve conservent couvre couvrent exclut excluent accueille accueillent figure figurent existe existent loue "
    "louent "
    "héberge hébergent emploie emploient fabrique fabriquent produit produisent construit construisent chauffe "
    "chauffent "
    "oublie oublient cherche cherchent trouve trouvent garde gardent porte portent donne donnent apporte apportent "
    "emmène "
    "conduit conduisent enseigne enseignent apprend apprennent connaît connaissent vaut valent pèse pèsent mesure "
    "mesurent "
    "compte comptent comprend comprennent inclut incluent fournit fournissent reprend reprennent déteste détestent "
    "évite "
    "évitent dort dorment court courent nage nagent chante chantent danse dansent cuisine cuisinent jardine répare "
    "réparent "
    "nettoie nettoient range rangent s'ouvre s'arrête démarre démarrent redémarre s'installe s'inscrit rédige "
    "rédigent publie "
    "publient lance lancent annonce annoncent prévoit prévoient espère espèrent craint craignent redoute promet "
    "promettent "
    "oblige obligent interdit interdisent autorise autorisent empêche empêchent provoque provoquent cause causent "
    "mène mènent "
    "sert servent manque manquent suffit suffisent convient conviennent plaît plaisent revoit relit relance transmet "
    "transmettent sauvegarde charge chargent installe installent consomme consomment traite traitent renvoie renvoient "
    "dois peux veux vais fais sais prends mets viens suis crois pense dis vois bois lis écris habite travaille"
)

FRENCH = Lexicon(
    name="fr",
    function=split_words(
        "le la les de des du un une et est en à que qui dans pour par sur pas plus ne se ce cette ces au aux avec "
        "sont a ont nous "
        "vous il elle ils elles je on mais ou où sera été être avoir son sa ses leur leurs notre nos chez comme très "
        "également aussi depuis jusqu'à avant après si c'est n'est l'ancien"
    ),
    abbreviations=split_words(
        "m mme mlle mm dr pr p.ex ex env etc cf n° av apr j.-c janv févr juil sept oct nov déc tél st ste bd max min "
        "éd vol art"
    ),
    joining=split_words("et"),
    contrasting=split_words("mais tandis alors"),
    subordinating=split_words(
        "que qui dont où parce car puisque si lorsque quand comme afin pour bien avant après jusqu'à pendant tant "
        "qu'il qu'elle "
        "qu'ils lequel laquelle"
    ),
    reporting=split_words("dit disent pense pensent croit croient estime estiment signale indique confirme explique"),
    finite=_AUXILIARY | _MODAL | _VERBS,
    auxiliary=_AUXILIARY,
    modal=_MODAL,
    determiners=split_words(
        "le la les un une des du de ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs "
        "chaque tous "
        "toutes aucun aucune plusieurs quelques deux trois quatre cinq six sept"
    ),
    prepositions=split_words(
        "de à en dans pour par sur avec sans chez vers entre depuis pendant avant après sous contre au aux du des "
        "jusqu'au comme dès"
    ),
    adverbs=split_words(
        "aujourd'hui hier demain aussi également puis ensuite ne n' toujours souvent déjà encore actuellement "
        "maintenant jamais désormais y "
        "en se s' "
        "probablement peut-être seulement directement automatiquement"
    ),
    personal=split_words("je j' nous vous il elle ils elles on ce cela ça ceci"),
    pronouns={"il": ("m", False), "elle": ("f", False), "ils": ("p", False), "elles": ("p", False)},
    owning="de {}",
    feminine=FEMININE,
    masculine=MASCULINE,
    titles={"m": "m", "mme": "f", "mlle": "f", "monsieur": "m", "madame": "f", "dr": ""},
    collective=split_words("équipe société groupe clients utilisateurs"),
    connectors=either(
        r"(?:de plus|en outre|cependant|toutefois|par ailleurs|néanmoins|d'ailleurs|par exemple|en effet|en résumé|"
        r"bref|"
        r"enfin|donc|ainsi|d'abord|ensuite|premièrement|deuxièmement|au fait|à noter|note|remarque|par conséquent|"
        r"aussi|"
        r"pour résumer|au passage)\s*[,:!–—-]+\s+",
        r"(?:et|mais|donc|or)\s+(?=\w)",
    ),
    chatter=either(
        r"(?:bonjour|bonsoir|salut|coucou|cher|chère|chers|chères|hello)(?: [^\s,:]+){0,4}",
        r"(?:merci|mille mercis|un grand merci)\b.{0,80}",
        r"(?:oui|non|si|ok|okay|d'accord|bien sûr|parfait|super|génial|très bien|entendu|exact|exactement|voilà|bon|"
        r"ah|oh|hm+|"
        r"tout à fait|pas de souci|pas de problème|de rien|je vous en prie|ça marche|ça roule|bonne question|"
        r"bonne idée|"
        r"bon travail|bravo|félicitations|excellent|c'est noté|bien reçu|à bientôt|à demain|à plus|au revoir|"
        r"c'est (?:bon|parfait|"
        r"super)|compris|certainement|volontiers|excellente question)(?:[ ,!.]+(?:merci|à tous|beaucoup|alors|bien|"
        r"à toi|à vous))*",
        r"bonne? (?:journée|soirée|semaine|week-end|fin|continuation|après-midi|chance|fête)s?\b.{0,60}",
        r"bon (?:week-end|courage|appétit|voyage)\b.{0,40}",
        r"(?:bien )?(?:cordialement|amicalement|sincèrement|à vous|bises|respectueusement)\b.{0,40}",
        r"(?:n'hésit(?:e|ez)|dis-moi|dites-moi|fais-moi signe|faites-moi|tiens-moi|tenez-moi|si (?:vous|tu) av(?:ez|"
        r"ais?)|"
        r"si tu as|je reste à|je suis à votre)\b.*",
        r"(?:voici|voilà|ci-dessous|ci-joint|veuillez trouver)\b.{0,100}:?",
        r"j'espère (?:que )?.{0,80}",
        r"(?:je (?:regarde|vérifie|vais (?:vérifier|regarder|voir))|laissez?-moi|un instant|une seconde)\b.{0,50}",
        r"(?:je vous prie|veuillez agréer|meilleures salutations|salutations)\b.*",
    ),
    openers=either(
        r"(?:oui|non|ok|d'accord|merci|bonjour|salut|bien sûr|parfait|super|ah|oh|exact|désolée?|pour info|"
        r"très bien|petite info)"
        r"(?: (?:à tous|beaucoup|(?-i:[A-ZÉ]\w+)))?\s*[,!–—:-]+\s+",
    ),
    agreeing=either(r"(?:oui|non|si|exact|bien sûr|tout à fait)\b"),
    asking=either(r"(?:qui|que|quoi|quand|où|pourquoi|quel(?:le)?s?|comment|combien|est-ce)\b"),
    empty_headings=split_words(
        "résumé notes aperçu introduction détails contexte divers général ordre compte-rendu discussion"
    ),
)
