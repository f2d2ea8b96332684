"""Orders: which parts, standing together, make a text suspicious, and by how much.

A line is a weight and the parts of one order; a text is suspicious where weights near one another come to `ENOUGH`.
Parts stand in this order with at most four words between two of them, or as many as `~n` says for those after it; `&n`
means any order within n words of the first. Of parts with `|` between them one is enough.
"""

from __future__ import annotations

from typing import NamedTuple

ENOUGH = 3

OVERRIDE = "tells the reader to ignore earlier instructions"
ROLE = "tells the reader to become someone without rules"
AUTHORITY = "claims an authority or an approval that nobody can check"
TOKENS = "imitates the markers of a conversation"
STANDING = "gives the reader a standing order"
TOOL = "wants a harmful command run or a tool misused"
GUARD = "wants a protection switched off"
EXFILTRATION = "wants private data sent away"
CONCEALMENT = "wants something kept from the user"
MEMORY = "wants to change what is remembered, or how far it is trusted"
LEAK = "asks for the reader's own instructions"
PAYMENT = "wants payments to go elsewhere"
ADDRESSED = "addresses an AI that reads it"
SABOTAGE = "wants the work done badly"

_RULES = {
    OVERRIDE: """
        3 &8 ignore prior rule
        3 ignore your rule
        3 ~3 ignore all ~2 rule
        2 ~3 ignore limits
        2 ~2 ignore above
        3 ~2 ignore above ~8 say|reveal|obey|run|thisthing
        3 ~4 ignore sysprompt
        3 ~3 ignore all ~2 above
        3 &8 all prior rule obsolete
        2 &7 prior|above rule obsolete
        3 your rule ~6 obsolete
        3 ~3 not follow ~4 sysprompt|your|prior
        3 ~3 not follow ~2 user
        1 ~2 follow thisthing
        3 ~2 outrank sysprompt|your
        3 ~8 outrank user say
        3 ~2 obey thisthing
        2 ai obey
        3 ~1 your new rule
        1 ~1 new rule
        2 ~4 ignore task
        3 ~4 ignore task ~4 thisthing|say|reveal
        3 ~5 ignore aisafety
        2 ~2 always obey
        2 whatever ~3 your|user
        2 whatever ~6 rule|say
        3 &10 whatever ignore
        3 &7 ignore user said
        3 ~2 ignore all ~5 said|you
        2 ~3 outrank user
        2 ~2 you|ai must ~2 follow rule
        3 ~3 obey ~8 url|said
        2 ~3 follow rule ~4 url
        3 ~3 nothing ~4 prior|above ~6 counts
        3 &8 above rule obsolete
        2 ~2 only obey
        3 ~2 ignore above ~10 thisthing|reveal|run|send|delete
        3 ~3 treat this ~4 your
        3 ~2 your admin|agentthing ~6 obsolete
        3 ~2 not follow ~2 user ask|said
        2 &8 all above|prior test_only
    """,
    ROLE: """
        2 ~3 you new ~2 identity
        2 ~4 act admin
        3 ~2 youare now ~6 aiproper|unbound
        3 ~2 now youare ~6 aiproper|unbound
        3 ~8 youare|act|mode ~3 without limits
        3 &14 act|mode|youare unbound
        3 ~5 without|off|disable|obsolete aisafety
        3 ~6 aisafety off|obsolete|without
        3 ~10 say ~3 without limits
        2 freed
        3 &20 freed you|ai|say|act|youare
        2 ~1 your real identity
        3 ~3 aiproper always obey
        3 ~14 act aiproper ~12 say
        2 ~3 ai without ~2 limits
        2 ~4 youare|ai unbound
        1 act
        1 unbound
        2 ~8 act ai
        2 ~2 act you
        3 ~8 mode without|limits|say
        2 &6 mode you
        2 ~2 your new identity
        3 ~3 you now ~3 without
        2 ~3 persist|habit youare
    """,
    AUTHORITY: """
        2 asiffrom
        2 ~3 ai follow ~2 rule
        2 secretorder
        2 ordering
        3 &8 ordering admin|ai|you
        2 notreal
        2 ~2 only trust
        2 ~2 you nocheck
        3 ~2 you nocheck ~4 pay|delete|run|money
        2 &4 vendor notice
        2 ~2 admin notice
        3 &8 vendor|admin approved you
        2 &8 user|admin|vendor approved
        3 &10 user|admin|vendor approved all
        2 approved you
        2 ~3 you|ai approved
        1 nocheck
        2 threat
        3 &12 threat ai|you|obey
        2 ~5 limits|guard off
        3 &8 limits off ai|you
        3 ~3 your admin ~12 must|approved|obey
        2 &6 admin notice must
        2 ~2 admin|notice aiproper must
        2 ~10 treat admin
        3 ~2 say nocheck
        3 &14 approved nocheck
        3 &14 approved run|delete|pay|send|you
        2 &5 follow admin rule|only
        2 ~2 start notice ~0 from
        3 ~2 start notice ~0 from ~3 support|admin|vendor ~8 run|send|disable|grant|pay|reveal
        3 &8 approved private|delete
    """,
    STANDING: """
        2 ~8 every youwork
        3 ~6 insert|spread ~10 every youwork
        3 &10 every youwork url|choose|say
        2 ~2 say always
        3 ~3 say user ~10 whatever
        2 ~2 output must ~3 insert|wording
        3 ~3 persist say
        2 &8 persist you
        3 &8 persist you always|must|say
        3 ~8 persist aiproper must
        3 ~6 persist ~2 youare
        1 future
        2 &10 future you
        3 &10 future aiproper|say|run|send
        3 ~4 when user ~3 ask ~14 say
        2 ~4 when user ~3 ask ~14 send|you|aiproper|must
        3 ~5 user when ~3 ask ~14 say
        3 ~3 user ~14 ask when ~14 say
        3 ~12 asked say
        1 ~2 when you ~14 say|always|send
        3 ~3 after working ~3 always
        3 ~12 ask must ~2 answered
        2 ~8 output must ~2 answered|say
        2 codeword
        2 ~4 every|all task ~8 say|choose|send|run
        2 ~4 after userrequest
        3 ~4 after userrequest ~5 you must
        2 ~3 say user
        3 ~3 say user ~14 phone|url|mail
        2 ~3 after working ~8 say|spread|reveal|send
        3 ~3 after working ~8 say|spread|reveal|send ~3 wording|url|mail
        2 ~2 aiproper must
        3 ~2 aiproper must ~3 always ~3 say|choose|approve|spread|insert
        3 ~3 remember ~3 user want ~3 you
        2 ~3 user want ~2 you
        1 ~2 you must
        2 ~2 you must ~3 say|approve|send
        3 ~3 remember ~8 aiproper obey|must
        3 ~3 always say ~12 url
        2 ~3 every say ~12 url
        3 ~12 persist endorse
        3 ~4 persist ~3 when ~4 user ~3 ask
        2 ~14 everytime send|insert ~4 mail|url|phone
        3 ~3 everytime youwork ~8 insert|use|spread ~6 package|url|mail|wording
        3 ~8 everytime|when topic ~8 steer|endorse|say
        2 steer
        3 &14 steer when|url|user
        3 ~12 always endorse ~6 foremost|topic
        3 ~12 everytime|when|if ~14 always endorse
        3 ~2 you must ~2 endorse ~8 foremost|url
        3 ~3 aiproper ordered ~2 urge|endorse
        2 ~3 endorse|say ~10 foremost ~8 omit
        2 ~2 omit rivals
        3 &14 omit rivals endorse|say|foremost
        3 ~4 whatever user ~8 send
        3 ~3 all user ~3 said|ask ~8 send
        3 ~8 insert ~6 your output ~8 url|mail|phone
        3 &16 say audience|user lure url|phone|mail
        3 ~2 say|urge audience ~10 giftcard|payee
        3 ~14 everytime insert ~4 mail|url|phone
        3 ~2 habit ~2 respond|say|insert|endorse|send
        2 ~3 habit ~10 url
        3 ~12 when|everytime|if ~0 start ~0 respond ~6 withthat
        2 ~1 start|please respond ~8 withthat
        3 ~1 start|please respond ~12 withthat ~8 url|mail|phone
        2 ~4 user|audience ~8 must ~0 betold
        3 ~4 user|audience ~3 ask ~6 must ~0 betold
        3 &12 whatever say when|if|choose
        3 ~8 every youwork ~8 approve|approved_word
        2 ~1 start let ~1 user
        3 ~1 start let ~2 user ~14 url|phone
        3 ~1 start|please say|sway ~2 user|audience ~14 url|giftcard|disable
        2 ~2 sway user|audience
        3 &14 sway topic|everytime|ask user|audience
        3 ~3 when|after working ~10 foremost
        3 ~8 output this ~4 ordered
        3 ~1 start respond nothing ~8 when|topic
        2 ~0 start respond ~1 all|every ~2 task|ask
        2 ~1 start say|sway|askfor|pay ~1 user|audience
    """,
    TOOL: """
        3 &16 run|install nocheck
        1 ~2 run this|thisthing program
        3 &10 run program nocheck|silent
        2 ~6 run program|url ~8 user|ai
        2 ~3 use your tool
        3 ~6 use tool ~8 delete|send|private|url|secretpath
        1 ~3 use tool
        1 ~8 use url
        3 ~3 install this package ~8 url
        1 ~8 install url
        3 &8 run|delete|pay|send nocheck ai|you|user|program
        2 &6 run nocheck
        2 ~5 grant rights
        3 ~12 grant rights mail|tool
        2 secretpath
        3 ~8 send|reveal|use|run|reads secretpath
        3 ~4 use ~2 delete|send ~3 tool ~6 all|every
        3 &12 schedule runit url
        1 ~4 delete data
        2 ~3 delete all ~4 data
        3 ~3 aiproper ordered ~3 run|send|delete|pay|install|disable|insert|rewrite
        2 ~4 run ~3 url ~6 run
        3 &10 url whatit
        3 ~4 change supply_chain ~6 url
        3 ~3 create adminuser
        1 ~1 start|please run ~4 program
        3 &10 forcepush url
    """,
    GUARD: """
        2 ~4 disable guard
        3 &12 disable guard you|ai|must
        3 ~3 disable your guard
        3 ~4 aiproper disable check|guard
        2 ~2 not logit
        3 ~3 ignore your guard
        3 &8 disable guard silent|nocheck
        3 &8 nocheck delete|pay
        1 ~3 disable check
        2 ~3 start|please disable ~3 check
        3 &14 disable guard like_you|nocheck|audience|aiproper
    """,
    EXFILTRATION: """
        1 ~10 private send
        2 ~4 reveal private
        3 ~6 send private ~10 url|mail|place
        3 ~6 send ~8 url|mail ~8 private
        2 ~3 send all ~3 private
        2 ~5 send private
        3 &12 send private user|your ~8 link
        3 &10 image link private
        3 ~8 reads private ~8 send
        2 &8 send you url|mail
        3 ~12 send private mail|url
        3 ~12 private ~6 url|mail|place ~6 send
        2 ~12 private url|mail
        3 ~8 private ~6 send ~8 url|mail|place
        3 ~4 private ~3 you send
        3 &10 link private send|url
        3 ~3 askfor user ~5 private
        3 ~3 aiproper must ~2 askfor ~5 private
        2 ~4 send all ~4 data
        3 &12 send data publicplace
        3 ~6 private ~8 send ~6 place|publicplace
        3 &10 userhas url send|tell|insert
        3 ~8 private ~4 send ~5 url|place
        3 ~6 insert|send private ~6 place
        2 ~4 create ~6 reveal ~3 private
        3 ~4 askfor|say user|audience ~8 private
        2 ~3 start|please reveal ~3 all ~3 private
        3 ~4 create ~6 reveal all private
    """,
    CONCEALMENT: """
        2 traceless
        3 &12 traceless delete|insert|run|log
        3 ~3 makesure ~3 nobody ~6 notice_verb
        3 ~2 not tell user
        3 ~2 not tell this ~4 user
        3 ~2 not tell ~14 asquestioned
        2 ~2 tell not
        3 user not ~2 tell
        3 ~4 user ~2 tell not
        3 ~3 not user ~2 notice_verb
        3 ~2 user not notice_verb
        2 ~4 hide user
        3 ~6 hide this ~8 user
        3 ~6 this hide ~6 user
        2 withouttelling
        3 &8 withouttelling user|say|send|run
        1 silent
        2 &4 silent run|send|delete|you
        2 normally
        3 &8 normally you|say
        2 ~2 not tell
        2 ~2 not tell ~3 this|private
        2 asquestioned
        2 onlyfor
        2 &10 delete|say|not nobody
        3 ~3 delete this entry ~4 your
        3 ~4 say ~3 not tell
        1 nobody
        2 ~6 hide output
        3 ~6 hide output ~3 you
        3 ~3 delete log ~14 nobody
        3 ~3 sothat ~3 user|watcher ~2 not notice_verb
        3 ~3 not user|watcher ~2 notice_verb
        1 disguise
        3 normally ~8 passed
        3 ~4 no_need_for ~3 user
        3 ~1 start|please leave ~4 outof ~2 output
        3 ~1 start disguise
        3 ~5 create|insert looklike ~8 sothat|watcher
        3 ~3 delete log ~8 nobody|passed|say
        3 ~2 nobody not tell
    """,
    MEMORY: """
        3 ~3 this entry ~2 must ~3 spread
        3 ~3 store longmemory
        3 ~3 delete longmemory
        3 ~2 delete all memory
        3 ~2 delete all ~3 memory
        3 ~3 this entry ~3 outrank
        3 ~3 treat this entry ~6 trusted
        3 ~2 treat this ~6 trusted
        2 ~3 this entry ~4 trusted
        3 ~3 this entry ~8 trusted ~8 trusted|ai
        2 &6 entry trusted ai
        2 ~10 treat trusted
        3 ~2 rewrite memory
        3 ~3 spread this ~6 memory|entry|future
        3 ~3 longmemory ~6 obsolete
        2 ~4 raise trust
        2 ~2 always trust
        2 ~2 memory outrank
        3 ~4 outrank all memory
        3 ~8 remember|store thisthing|always ~6 aiproper
        2 &8 prior memory obsolete
        3 ~4 store ~4 trusted ~2 memory|entry
        3 forgetthat
        2 records
        3 &16 records pay|money|all|url
        3 ~4 raise trust ~6 url|mail|entry
        3 ~1 start|please redirect|rewrite|delete ~3 stored
        3 ~2 start|please store this ~3 forever
        3 ~2 start|please store ~3 memory ~4 forever
        3 ~2 rewrite all ~3 memory
        2 ~3 start store ~2 preference
        3 ~8 asiffrom ~6 treat|urge|trusted
    """,
    LEAK: """
        3 ~8 reveal sysprompt
        3 ~2 sysprompt reveal
        2 ~5 sysprompt reveal
        2 ~3 reveal above
        3 &10 reveal above verbatim|rule
        3 &8 reveal verbatim prior|your rule
        1 ~3 reveal your
        3 &7 reveal your rule
        3 &11 sysprompt verbatim insert|send|reveal
        3 ~8 above rule|output|verbatim ~6 reveal
        3 &8 rule above your
        3 ~2 start|please reveal ~1 your agentthing
        2 &12 output above verbatim|first_words
    """,
    PAYMENT: """
        3 &14 account redirect|always|persist
        3 &10 account pay
        2 account
        2 &6 payee redirect
        3 &10 payee redirect pay|always|persist
        3 ~3 redirect money
        3 ~3 ignore payee
        1 giftcard
        3 &8 giftcard pay
        3 &10 pay behalf
        3 &10 pay money nocheck
        3 ~3 pay crypto
        2 ~3 redirect payee
        3 ~4 redirect payee ~8 account|phone|nocheck
        3 ~3 redirect recovery
        3 &12 payee use|pay always|persist|future|every
        3 &10 pay userhas money|crypto
        3 &12 pay behalf user
        3 &12 account|payee money redirect|nocheck
        2 ~4 authorise money
    """,
    ADDRESSED: """
        3 ~3 if youare aiproper
        3 ~2 vocative aiproper
        2 ~3 instructionsfor ai
        3 ~2 ai reads this
        1 ~1 aiproper rule
        2 ~2 when you ~2 reads ~2 this
        2 ~2 when you ~2 this reads
        3 ~3 if aireader ~3 reads ~10 ordered|must
        2 ~0 your agentthing
        1 ~1 your output
        2 like_you
        2 ~2 instructionsfor|vocative ~1 ai
    """,
    SABOTAGE: """
        3 &6 insert backdoor
        3 ~2 you|ai ~3 approve all
        2 ~2 approve all|every
        3 ~2 spread|insert thisthing ~6 every
        2 ~3 say passed
        3 &14 say passed delete|you|not
        2 ~2 aiproper ~3 insert
        2 ~3 redirect output
        2 ~12 choose whatever
        3 &10 approve nocheck
        2 ~3 say|urge false
    """,
}


class Rule(NamedTuple):
    """Parts that make a suspicion together; `steps` are the words allowed up to each of them, None is any order."""

    reason: str
    weight: int
    parts: tuple[tuple[str, ...], ...]
    steps: tuple[int, ...] | None
    within: int


def _rule(reason: str, line: str) -> Rule:
    weight, *rest = line.split()
    parts: list[tuple[str, ...]] = []
    steps: list[int] = []
    step, within = 4, 0
    for piece in rest:
        if piece[0] == "~":
            step = int(piece[1:])
        elif piece[0] == "&":
            within = int(piece[1:])
        else:
            parts.append(tuple(piece.split("|")))
            steps.append(step)
    return Rule(reason, int(weight), tuple(parts), None if within else tuple(steps), within)


RULES = tuple(_rule(reason, line) for reason, lines in _RULES.items() for line in lines.strip().splitlines())
