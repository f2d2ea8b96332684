"""What is worth keeping of what was said in a session: decisions, rules, preferences, corrections; and what is asked.

A correction is a turn of the user that takes back what the agent did: "No, use pnpm". A rule or a preference says
always, never, from now on, prefer; a decision that something was chosen; a constraint what must or cannot be. A
request ("Add a test for …") is work of the moment: it says what a session was about, and is no knowledge.
"""

from __future__ import annotations

import re

from remanence.extraction.chatter import is_question
from remanence.extraction.lexicon import split_words
from remanence.extraction.patterns import pattern

DECISION, CONSTRAINT, PREFERENCE, CORRECTION = "decision", "constraint", "preference", "correction"
FINDING = "finding"
_LONGEST_CORRECTION = 600
_NO = pattern(
    r"(?:(?:no|nope|nah|wrong|stop|wait|hold on)(?=[,.!;:—–]|\s+(?:use|don'?t|do not|never|not|it|that|this|"
    r"the|i|we|you|keep|put|make|let|take|run|just|please|only)\b|$)|"
    r"(?:nein|falsch|stopp|halt|non|faux|mauvais|arrête|mal|incorrecto|não|errado|нет|неверно|no)(?=[,.!;:—–]|$)|"
    r"(?:不|不对|不是|错了|いいえ|違う|違います|ダメ|だめ|아니요|아니)(?=[\s,.!;:，。！、]|$)|"
    r"that(?:'s| is| was) (?:not right|wrong|not what)|not (?:like )?that\b|"
    r"i (?:said|told you|asked(?: you)?)(?: to| that)?\b|das ist falsch|c'est faux|eso no)[\s,.!;:—–，。！、-]*",
    re.IGNORECASE,
)
_INSTEAD = pattern(
    r"\b(?:instead(?: of)?|rather than|not the|use (?:the )?\S+,? not|statt|anstatt|au lieu de|plutôt que|en vez de|"
    r"en lugar de)\b|而不是|ではなく|の代わりに",
    re.IGNORECASE,
)
_TAKEN_BACK = pattern(
    r"(?:please )?(?:don'?t (?!worry|know|think|care|mind|forget)|do not (?!worry|know|commit yet)|stop \w+ing\b|never "
    r"|n'\w+ pas|ne \w+ pas|nicht |não |non \w+re\b|не )|不要|别|しないで|やめて",
    re.IGNORECASE,
)
_EVER = pattern(
    r"\b(?:always|never|from now on|in (?:the )?future|every time|by default|under no circumstances|don'?t ever|"
    r"do not ever|immer|nie|niemals|ab jetzt|künftig|toujours|jamais|désormais|à partir de maintenant|siempre|nunca|"
    r"jamás|de ahora en adelante|sempre|mai|d'ora in poi|a partir de agora|всегда|никогда|впредь)\b|"
    r"总是|永远|从不|以后|务必|千万|必ず|絶対|いつも|今後|항상|절대|앞으로",
    re.IGNORECASE,
)
_NOT_EVER = pattern(
    r"\bnever ?mind\b|\bnever (?:again )?happen\w*|\bhappens? again\b|"
    r"\b(?:immer|toujours|siempre|sempre) (?:noch|pas|en|que|più)\b|"
    r"\bby default(?: it)? (?:is|was|does)\b|\bas always\b|^\W*(?:always|never|siempre|immer|toujours)\W*$",
    re.IGNORECASE,
)
"""Where such a word says something else."""
_STANDING = pattern(
    r"(?:and |also |ok(?:ay)?,? |please |pls )*(?:(?:remember (?:to|that)|make sure (?:to|that|you|every|all)|"
    r"keep in mind|for the future)\b|use (?!this|that|the\b|it\b|these|those|an?\b|my\b|your\b|another|other)[\w.@/+-]+"
    r"(?: [\w.@/+-]+){0,3}(?:,? (?:not|instead of|rather than|over|for) .+|[.!]?$)|"
    r"keep (?:your|all|every|public|the)\b.{3,}|stop (?:adding|using|writing|putting|making|asking)\b|"
    r"(?:the )?[\w/. -]{3,40} (?:is|are) off limits|no [\w-]+ in [\w-]+)",
    re.IGNORECASE,
)
_PREFERS = pattern(
    r"\b(?:i|we|my team|the team|our team) (?:really |much |strongly )?(?:prefer|like|love|hate|dislike)\b|"
    r"\b(?:i'd|we'd|would) rather\b|\bmy favou?rite\b|\bich (?:bevorzuge|mag|will)\b|\bje (?:préfère|veux)\b|"
    r"\bj'aime\b|\b(?:yo )?prefiero\b|\bme gusta\b|我(?:更)?喜欢|我偏好|が好き|の方がいい",
    re.IGNORECASE,
)
_DECIDED = pattern(
    r"\b(?:decided|chose|chosen|settled on|agreed (?:to|on|that)|the decision|signed off|went with|"
    r"(?:let'?s|we'?ll|we will|we are|we're|i'?ll) (?:go(?:ing)? with|use|using|stick(?:ing)? (?:with|to)|keep(?:ing)?|"
    r"switch(?:ing)? to|adopt(?:ing)?|drop(?:ping)?|move to|moving to)|"
    r"beschlossen|entschieden|einigen uns|décidé|choisi|on part sur|decidimos|decidido|acordamos|"
    r"vamos con|deciso|final call|picked|agreed)\b|"
    r"решили|결정|决定|決め|選んだ|決めた|決定|にしましょう",
    re.IGNORECASE,
)
_MUST = pattern(
    r"\b(?:must(?: not|n'?t)?|(?:has|have) to|is required|are required|requires?|cannot|can'?t|can not|not allowed|"
    r"forbidden|may not|only (?:ever|supports?|works?|runs?|allowed)|at most|no more than|needs?(?: to)?|depends on|"
    r"muss|müssen|darf nicht|dürfen nicht|erfordert|braucht|doit|doivent|il faut|interdit|nécessite|debe|deben|"
    r"tiene que|no se puede|requiere)\b|必须|不能|不允许|需要|なければなら|してはいけ|禁止|が必要",
    re.IGNORECASE,
)
_ABOUT_ONESELF = pattern(r"(?:i|i'm|i've|i'd|i'll|you|you'll|you'd)\b", re.IGNORECASE)
_CAUSE = pattern(
    r"\b(?:because|since|caused by|the cause|root cause|the reason|turns out|turned out|"
    r"the (?:problem|issue|bug|culprit) (?:is|was)|due to|weil|ursache|lag an|parce que|à cause|la cause|porque|"
    r"la causa|debido a)\b|原因|因为|なぜなら|のため",
    re.IGNORECASE,
)
_WORKING = pattern(
    r"(?:(?:ok(?:ay)?|sure|great|good|perfect|alright|right|now|next|first|then|so|also|and|but|done|yes|noted|"
    r"understood|got it|hmm|good point|agreed)[,.!:;—– ]+)*"
    r"(?:i'?ll|i will|let me|let's|i'?m (?:going|now|about|looking|checking|running)|i am (?:going|now)|i'?ve|i have|"
    r"i (?:can|could|should|need|see|think|want|notice|believe|found|won'?t|wrote|added|made|fixed|updated|ran|did|"
    r"also|just|now)|now (?:i|let|the)|looking at|checking|running|reading|here(?:'s| is| are)|would you|do you|shall|"
    r"everything|all (?:done|green|good|set|tests)|done|ich (?:werde|schaue|habe)|je vais|j'ai|voy a)\b",
    re.IGNORECASE,
)
_REQUEST = pattern(
    r"(?:(?:ok(?:ay)?|great|good|perfect|thanks|thank you|thx|cool|nice|hi|hello|hey|now|next|then|so|also|and|but|yes|"
    r"great job|alright)[,.!:;—– ]+)*"
    r"(?:please\b|pls\b|can you|could you|would you|will you|i(?:'d| would) like you to|i (?:need|want) you to|bitte\b|"
    r"kannst du|könntest du|peux-tu|pouvez-vous|s'il te|puedes|podrías|por favor|请|帮我|ください|してほしい|"
    r"(?:the )?same (?:for|with|thing)|continue|go on|go ahead|keep going|proceed|try again|weiter\b|"
    r"继续|把.{1,40}改成|i (?:want|need|would like|'d like) (?:to|you|a|an|the)\b|i'd like (?:to|a|an|the)\b|"
    r"necesito|quiero|preciso|"
    r"ich (?:möchte|brauche|will)\b|je (?:veux|voudrais)\b|j'aimerais)|"
    r".{1,120}(?:ください|してほしい|してくれ|해\s?줘|해\s?주세요|주세요)[。.!！]?$",
    re.IGNORECASE,
)
_ASKED_DEEDS = split_words(
    """
    add analyse analyze apply ask build change check clean clear clone close commit compare compile complete
    compose compute configure convert copy correct create debug define delete deploy describe design develop
    disable document download draft drop edit enable ensure estimate evaluate examine execute expand explain
    explore export extract find finish fix format generate get give help identify implement import improve
    include increase inspect install investigate let list load log look make merge migrate modify move open
    optimise optimize organise organize outline plan port prepare print propose provide publish pull push put
    read rebase recommend record reduce refactor release remove rename reorganize repeat replace report reset
    resolve restart restore return review revise rewrite run save scan search send set setup share ship show
    simplify solve sort split start stash stop suggest sum summarise summarize switch tell test think translate
    try turn undo update upgrade upload use validate verify walk write
    """
)
_ASKED_ELSEWHERE = split_words(
    """
    ajoute ajoutez corrige corrigez crée créez écris écrivez lance lancez montre regarde vérifie supprime renomme
    explique añade agrega arregla corrige crea escribe ejecuta muestra mira revisa borra renombra explica haz
    aggiungi correggi crea scrivi esegui mostra guarda controlla elimina spiega adiciona corrija crie escreva rode
    mostre veja verifique apague explique schreib schreibe mach mache lösch lösche zeig zeige prüf prüfe erstell
    erstelle füge starte führ führe schau ändere korrigier добавь исправь создай напиши запусти покажи проверь удали
    объясни
    """
)
_FIRST_WORD = pattern(r"[\"'(\[*_`-]*([^\W\d_]+)")
_PASSING = pattern(
    r"(?:ok(?:ay)?|cool|nice|great|perfect|wonderful|finally|hmm+|ah+|oh+)\b(?:\W+\w+){0,6}\W*$|"
    r"(?:it|that|this|they|these|those|there|das|es|ça|c'est|eso|esto)(?:'s|'re)?\b(?!.*\b(?:because|must|only|needs?)\b)"
    r"(?:\W+\w+){1,7}\W*$|(?:\w+\W+){0,7}(?:still|again|now|yet|tonight|noch|toujours|todavía|ancora)\b(?:\W+\w+){0,4}\W*$",
    re.IGNORECASE,
)


def correction_of(turn: str) -> str | None:
    """What a user's turn corrects, without the word that says no; None where it is no correction."""
    text = " ".join(turn.split())
    if not text or len(text) > _LONGEST_CORRECTION:
        return None
    match = _NO.match(text)
    rest = text[match.end() :] if match else text
    if is_question(rest) or (match is not None and len(rest.split()) < 3 and not _dense(rest)):
        return None
    says_how = _INSTEAD.search(rest) is not None or _TAKEN_BACK.match(rest) is not None or _is_deed(rest)
    if match is not None:
        return _raised(rest) if says_how or _is_ever(rest) or _STANDING.match(rest) or _MUST.search(rest) else None
    is_short = len(text) <= 240
    return _raised(text) if is_short and _TAKEN_BACK.match(text) and not _is_ever(text) else None


def signal_of(statement: str, *, by_user: bool) -> str | None:
    """What a statement is in a session: a decision, a preference, a constraint, a finding; None where nothing of it."""
    if _DECIDED.search(statement):
        return DECISION if by_user or not _WORKING.match(statement) else None
    if by_user and (_PREFERS.search(statement) or _is_ever(statement) or _STANDING.match(statement)):
        return PREFERENCE
    if _MUST.search(statement) and not _ABOUT_ONESELF.match(statement):
        return CONSTRAINT
    return FINDING if not by_user and _CAUSE.search(statement) and not _WORKING.match(statement) else None


def _is_ever(statement: str) -> bool:
    return _EVER.search(_NOT_EVER.sub(" ", statement)) is not None


def is_working_talk(statement: str) -> bool:
    """Whether an agent only says what it does, did or will do."""
    return _WORKING.match(statement) is not None


def is_request(statement: str) -> bool:
    """Whether a user asks for something to be done now: a wish, an order, a question; no standing rule."""
    if _is_ever(statement) or (_STANDING.match(statement) and not is_question(statement)):
        return False
    return is_question(statement) or _REQUEST.match(statement) is not None or _is_deed(statement)


def is_passing(statement: str) -> bool:
    """Whether a statement only tells how things stand at the moment: "It works now." """
    return _PASSING.match(statement) is not None or (statement.isascii() and len(statement.split()) < 4)


def _is_deed(text: str) -> bool:
    match = _FIRST_WORD.match(text)
    return match is not None and match[1].lower() in _ASKED_DEEDS | _ASKED_ELSEWHERE


def _dense(text: str) -> bool:
    return not text.isascii() and len(text) >= 4 and re.search(r"[\u3040-\u9fff]", text) is not None


def _raised(text: str) -> str:
    return text[:1].upper() + text[1:]
