"""Orders to do harm: to run, to switch off, to send away, to hide, to pay, to work badly.

Written as `orders` says.
"""

from __future__ import annotations

from remanence.guard.screening.reasons import CONCEALMENT, EXFILTRATION, GUARD, PAYMENT, SABOTAGE, TOOL

HARMS = {
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
        2 &16 install package aiproper|like_you
        3 &16 create adminuser rights
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
        1 ~1 start|please run ~4 program
        3 &10 forcepush url
        3 ~1 start|please grant ~6 rights
        3 ~3 create adminuser ~3 named
        2 ~3 create adminuser
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
        1 ~1 start|please send ~6 url|mail
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
        3 &12 publicplace private reveal|send|say
        3 ~2 askfor their ~6 private
        3 ~8 private ~8 insert ~8 output|youwork|place
        2 ~1 start handout ~3 private
        3 ~2 send all ~8 publicplace
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
        2 ~1 leave user ~1 outof
        3 ~6 hide output ~3 you
        3 ~3 delete log ~14 nobody
        3 ~3 sothat ~3 user|watcher ~2 not notice_verb
        3 ~3 not user|watcher ~2 notice_verb
        3 ~4 no_need_for ~3 user
        3 ~1 start|please leave ~4 outof ~2 output
        3 ~0 start disguise
        3 ~5 create|insert looklike ~8 sothat|watcher
        3 ~3 delete log ~8 nobody|passed|say
        3 ~2 nobody not tell
        2 unbothered
        3 &12 unbothered pay|delete|money|run|user
        3 normally|asif ~8 passed
        3 ~2 user needless ~3 notice_verb
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
        3 ~1 start|please introduce ~4 flaw
        3 &8 introduce flaw your|you|ai
        2 ~1 start|please falsify ~3 figures
        3 &12 falsify figures you|output|ai|user
    """,
}
