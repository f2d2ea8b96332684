"""Orders that make the reader someone else's: which rules hold, who it is, what it says, remembers and gives away.

Written as `orders` says.
"""

from __future__ import annotations

from remanence.guard.screening.reasons import ADDRESSED, AUTHORITY, LEAK, MEMORY, OVERRIDE, ROLE, STANDING

TAKEOVERS = {
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
        3 ~6 ignore user|admin|said ~4 user|admin|said
        2 &7 ignore user|admin said
        3 ~2 ignore ~1 your admin|user
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
        3 &8 above test_only
        3 &12 your agentthing ignore|disable|obsolete
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
        3 ~5 act rogue
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
        2 ~2 permissive disable|send|reveal|ignore|delete|run|use
        3 ~10 permissive private|nocheck|guard
        2 ~4 approval ~2 notneeded
        3 &12 approval notneeded money|pay|delete|private|admin|run
        3 &12 approved authorise|pay money
        2 ~2 iam admin ~14 pay|send|grant|run|delete|disable|reveal
        3 ~2 iam admin ~14 pay|send|grant|run|delete|disable|reveal ~14 nocheck|outof|you|account
        3 &10 approved|persist money nocheck
        2 ~8 when you ~3 rights
        3 ~8 when you ~3 rights ~14 create|send|run|delete|disable|grant|leave
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
        3 ~3 aiproper ordered ~2 endorse
        2 ~3 aiproper ordered ~2 urge
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
        2 ~3 when|after working ~10 foremost
        3 ~3 when|after working ~10 foremost ~8 omit|rivals
        3 ~8 output this ~4 ordered
        3 ~1 start respond nothing ~8 when|topic
        2 ~0 start respond ~1 all|every ~2 task|ask
        2 ~1 start say|sway|askfor|pay ~1 user|audience
        3 when|everytime|if ~12 start ~0 respond ~6 withthat
        3 ~4 beforeyou ~8 dothis
        2 ~8 beforeyou ~8 run|send|delete|pay|reveal|say
        2 ~4 theanswer ~6 all|ask|when
        2 ~3 start respond ~1 only
        3 ~1 start refuse_to ~10 user|ask|task
        3 ~3 everytime user ~14 please ~0 say
        3 ~10 asked foremost
        3 ~3 everytime user ~8 you ~14 approve|endorse
        3 ~3 if|when user ~8 start ~0 endorse
        3 ~2 start respond ~2 every ~2 task ~8 withthat
        3 ~8 every output ~8 insert ~6 url
        3 ~12 say user|audience ~10 channel
        3 &14 omit rivals working|output
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
        3 ~0 start|please ignore ~2 userhas
        3 ~2 treat all ~10 trusted
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
        2 ~6 reveal ~3 all tool
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
        1 ~0 aireader|aiproper reads|working
        2 ~0 aireader|aiproper reads|working ~2 this
        3 ~0 aireader|aiproper reads|working ~14 ordered|must|please say|endorse|omit|leave|approve|send|insert
        2 machinereader
        3 &14 machinereader ordered|must|please say|endorse|omit|leave|approve|send|insert|disable|ignore
        2 ~2 instructionsfor|vocative ~1 ai
    """,
}
