"""English, as data."""

from remanence.extraction.first_names import FEMININE, MASCULINE
from remanence.extraction.lexicon import Lexicon, either, split_words

_IRREGULAR = """
    be:was,were:been begin:began:begun break:broke:broken bring:brought:brought build:built:built buy:bought:bought
    catch:caught:caught choose:chose:chosen come:came:come cost:cost:cost cut:cut:cut deal:dealt:dealt do:did:done
    draw:drew:drawn drive:drove:driven eat:ate:eaten fall:fell:fallen feel:felt:felt find:found:found fly:flew:flown
    forget:forgot:forgotten get:got:gotten give:gave:given go:went:gone grow:grew:grown hang:hung:hung have:had:had
    hear:heard:heard hide:hid:hidden hit:hit:hit hold:held:held keep:kept:kept know:knew:known lead:led:led
    learn:learned:learnt leave:left:left lend:lent:lent let:let:let lose:lost:lost make:made:made mean:meant:meant
    meet:met:met overwrite:overwrote:overwritten pay:paid:paid put:put:put read:read:read rebuild:rebuilt:rebuilt
    rerun:reran:rerun rewrite:rewrote:rewritten ride:rode:ridden rise:rose:risen run:ran:run say:said:said
    see:saw:seen sell:sold:sold send:sent:sent set:set:set shrink:shrank:shrunk shut:shut:shut sit:sat:sat
    sleep:slept:slept speak:spoke:spoken spend:spent:spent spin:spun:spun split:split:split stand:stood:stood
    steal:stole:stolen stick:stuck:stuck swim:swam:swum take:took:taken teach:taught:taught tell:told:told
    think:thought:thought throw:threw:thrown understand:understood:understood win:won:won withdraw:withdrew:withdrawn
    overspend:overspent:overspent spread:spread:spread forbid:forbade:forbidden foresee:foresaw:foreseen
    oversee:oversaw:overseen
    strike:struck:struck sweep:swept:swept swing:swung:swung tear:tore:torn weave:wove:woven dig:dug:dug bend:bent:bent
    bite:bit:bitten blow:blew:blown burn:burned:burnt cling:clung:clung creep:crept:crept lean:leaned:leant
    quit:quit:quit
    swear:swore:sworn undo:undid:undone redo:redid:redone mistake:mistook:mistaken resend:resent:resent
    dream:dreamed:dreamt
    write:wrote:written become:became:become freeze:froze:frozen override:overrode:overridden
    undergo:underwent:undergone
    wake:woke:woken wear:wore:worn bind:bound:bound feed:fed:fed fight:fought:fought lay:laid:laid lie:lay:lain
    light:lit:lit seek:sought:sought shoot:shot:shot show:showed:shown sing:sang:sung sink:sank:sunk slide:slid:slid
"""
_REGULAR = """
    abort accept access achieve act add adjust adopt advise affect agree aim alert allow announce answer appear apply
    approve archive argue arrive ask assign assume attach attend audit authorize avoid back ban batch belong block book
    boot bump cache calculate call cancel capture care carry cause change charge check claim clean clear click clone
    close code collect combine commit communicate compare compile complain complete comply compress compute conclude
    configure confirm conflict connect consider consist consume contain contact continue contribute control convert
    cook copy correct count cover crash create decide decline declare decrease default delay delete deliver demand
    deny depend deploy deprecate describe design detect determine develop differ disable disagree discover discuss
    display document double download drain drop duplicate edit emit employ enable encode encounter encrypt end enforce
    ensure enter escalate establish estimate evaluate exceed execute exhaust exist expect expire explain expose
    export extend extract fail favor favour fetch file fill filter finish fit fix flag flush follow force format forward
    function gain generate grant group guarantee handle happen hash hate help hire host identify ignore implement
    import improve include increase indicate inherit initialize insert insist inspect install integrate intend
    introduce invalidate invest invite involve isolate issue join jump kill label lack last launch leak like limit link
    list listen live load lock log look love lower maintain manage map mark match matter measure mention merge migrate
    mirror miss monitor mount move name need normalize note notice notify object observe occur offer omit open operate
    order organize outweigh overflow own pack parse pass patch pause peak perform persist pick pin place plan play point
    poll populate postpone prefer prepare present preserve prevent process produce progress prohibit promise promote
    propose protect prove provide provision publish pull purchase purge push quarantine query queue raise reach react
    realize reboot receive recommend record recover reduce refactor refer reflect refresh refuse regress reject
    relate release rely remain remember remind remove rename render renew rent reorder repeat replace replicate report
    represent reproduce request require reserve reset resolve respond restart restore restrict retain retire retry
    return reuse reveal reverse revert review revoke roll rotate route sample sanitize save scale scan schedule score
    scrape seem select separate serialize serve settle share shift ship sign simplify skip smoke sort specify stabilize
    stage start state stay stop store stream study submit subscribe succeed suffer suggest supersede supply support
    suppose surprise suspect suspend swap switch sync synchronize talk target terminate test thank throttle tie time
    time-out timeout tolerate touch track train transfer transform translate travel treat trigger trim trust try tune
    turn type undo uninstall unlock update upgrade upload use validate vary vendor verify version vest view violate
    visit volunteer vote wait walk want warn wash watch weigh welcome widen wish work worry wrap yield zip
    die convince persuade earn fear land climb hurt own lean knock hop wander drift hope plan regret doubt admit
    assert assure bother boast brag
    collapse compete concern contract crack declare degrade delegate demo demonstrate depart deserve destroy detail
    devote differ digest direct disappear discard disconnect dismiss dispatch dispute distribute divide dominate donate
    draft dump echo elect eliminate embed emerge endorse engage enhance enlarge enrol enroll entail equal erase err
    evolve
    exchange exclude excuse exempt exhibit exit expand expel experience exploit explore favor finance flatten flip
    float flood flow fluctuate focus fold forbid forecast fund gather govern grab grade greet guard guess
    guide halt harm harvest heal hesitate impact implode imply impose impress incorporate incur inform infer inflate
    initiate inject innovate insure interact interfere interpret interrupt interview invent invert iterate justify kick
    knit label lag lift locate loop mail march master mature max mix mislead model modify motivate multiply nest
    nominate obey obtain occupy opt outsource overlap overload overspend overheat owe paint park participate peel
    permit pilot plug polish pool position possess post pour power praise predict prefix prescribe press pretend print
    prioritize privatize proceed program progress project prompt prosper punish qualify question quit race range rank
    rate recall reclaim recognize recommend reconcile reconfigure recruit recycle redeem redeploy redesign redo refill
    refine reformat regain register regulate rehearse reinstall reinforce relax relay reload remedy remount reopen
    repair repay repeat reply repost rescue research resemble resend resign resist resize respect rest resubmit result
    resume retest retrain retreat retrieve reunite reward ring risk rule rush safeguard satisfy saturate scatter scrub
    seal search secure segment send sense sentence serve shape shave shelve shorten shrug shuffle signal skim slip slow
    smell smooth snap sound span spare spark specialize speed spell spill sponsor spot spread stack staff stall stamp
    star
    starve steer step sting stock strengthen stretch strike strip struggle subtract sue suit sum supplement suppress
    surface surge surpass surround survive sustain sweep swell tackle tag tap taste tear tease tend terminate testify
    thrive tighten tilt tip title top tour tow trade transition transmit transport trap trend trick trip troubleshoot
    unblock uncover undergo underestimate undo unify unite unload unmount unpack unveil urge utilize vanish vet voice
    void
    warm warrant waste weaken weigh whisper wipe wire witness wonder worsen crawl bake brew fry plant sail climb hike
    jog knit paint swim retire adopt foster inherit emigrate immigrate settle divorce coach tutor lecture born raise
    celebrate enjoy dislike practice practise suffer drink smoke cycle commute
    supervise mentor coordinate oversee head chair consult invoice refund bill quote negotiate renegotiate
    acknowledge confirm clarify emphasize stress highlight outline summarize investigate debug profile benchmark
    double halve triple plateau spike dip hover average total remain reside weigh stem originate trace correlate
    outperform underperform mitigate remediate escalate triage page ack snooze silence drain cordon taint evict
    preempt schedule reschedule postpone prune vacuum reindex backfill dedupe deduplicate shard partition paginate
    cap clip cluster bundle minify lint mock stub seed hydrate serialize deserialize marshal encode decode escape
    redirect proxy forward tunnel whitelist blacklist allowlist blocklist authenticate authorise
"""
_DOUBLING = split_words(
    "ban bar cap chat clip commit control cut dip drag drop dub fit flag format get hop let log map nod omit pin plan "
    "plug pop prefer put quit refer regret rip rob run scan scrap set ship shop shut sit skip slip span spin split "
    "spot "
    "step stop strip stub submit swap tag tap tip top transfer transmit trap trim trip unplug wrap zip"
)
# As often nouns as verbs in their -s form (or bare).
_NOUNS = split_words(
    "concern contract detail dump echo exchange experience exploit finance flip float flood flow focus fold forecast fund "
    "grade guard guess guide halt harm harvest impact interview lag lift loop mail march master mix model nest paint park "
    "pilot plug pool position post power praise press print program project prompt question race range rank rate recall "
    "research rest reward ring risk rule rush search segment sense sentence shape signal slip sound span spark speed spell "
    "sponsor spot spread stack staff stall stamp star step stock strike strip struggle sum supplement surface surge tag tap "
    "taste title top tour tow trade transition transport trap trend trick trip voice void waste wire witness plant coach "
    "tutor lecture sail fear land draft demo plateau yield approach permit profit reply result "
    "access aim alert answer audit back ban batch block book boot bump cache call care cause change charge check claim "
    "clone code commit conflict contact control copy cost count cover crash cut cycle deal default delay delete demand "
    "design document double drain drop edit end estimate export fall file filter fix flag force format function gain "
    "grant group hash head help hit hold host import increase insert issue jump key label lead leak light limit link "
    "list load lock log look love map mark match matter measure merge mirror monitor mount move name need note notice "
    "object offer order pack page patch pause peak pin place plan play point poll process progress promise profile "
    "proxy pull purchase push query queue quote read record refund release report request reserve reset result return "
    "reverse review rise roll route run sample save scale scan schedule score set share shift show sign sleep sort "
    "spike split stage stand start state stop store stream study supply support surprise swap switch sync talk target "
    "test tie time timeout touch track trace train transfer trigger trust tune turn type update upgrade upload use "
    "version view visit vote wait walk warn wash watch work wrap yield shard partition bundle cap clip cluster bill "
    "average total dip seed mock stub drink smoke practice lay lie feed page escape download display launch live "
    "level cover install redirect invoice benchmark present quarantine vendor handle"
)


def _third(base: str) -> str:
    if base == "have":
        return "has"
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


def _past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    if base in _DOUBLING:
        return base + base[-1] + "ed"
    return base + "ed"


def _forms() -> tuple[dict[str, str], frozenset[str], frozenset[str], frozenset[str]]:
    third: dict[str, str] = {}
    past: set[str] = set()
    participle: set[str] = set()
    for entry in _IRREGULAR.split():
        base, pasts, participles = entry.split(":")
        third[base] = _third(base)
        past.update(pasts.split(","))
        participle.add(participles)
    for base in _REGULAR.split():
        third[base] = _third(base)
        past.add(_past(base))
        participle.add(_past(base))
    return third, frozenset(past), frozenset(participle), frozenset(third)


_THIRD, _PAST, _PARTICIPLE, _BASE = _forms()

_MODAL = split_words(
    "will would shall should can could may might must cannot cant wont shouldnt wouldnt can't won't wouldn't "
    "shouldn't couldn't mustn't needn't "
    "'ll i'll we'll they'll he'll she'll it'll you'll i'd we'd they'd he'd she'd"
)
_AUXILIARY = split_words(
    "is are was were am im ive dont doesnt didnt isnt wasnt arent hasnt havent isn't aren't wasn't weren't has have "
    "had hasn't haven't hadn't do does did don't doesn't didn't "
    "i'm we're they're he's she's it's you're i've we've they've you've that's there's there're who's what's"
)

ENGLISH = Lexicon(
    name="en",
    function=split_words(
        "the of and to in is that it for was on are with as at be this by have from or had not but which were they "
        "their an has we our you your will would can should must he she his her its if when there been who what "
        "because "
        "after before until only also than then into about all any each i my me do does did don't so just no never"
    ),
    abbreviations=split_words(
        "mr mrs ms dr prof sr jr st vs e.g i.e eg ie etc approx est dept inc ltd co corp no nr fig eq sec ch vol pp "
        "p cf al "
        "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun a.m p.m u.s u.k "
        "para esp art cl app ref refs ed eds rd gen col lt rev hon min max avg ext tel misc incl excl ca resp temp "
        "ave blvd"
    ),
    joining=split_words("and & plus"),
    contrasting=split_words("but while whereas yet however"),
    subordinating=split_words(
        "because since if unless when whenever until till after before although though even as that which who whom "
        "whose "
        "where whether so once lest provided while how why what"
    ),
    reporting=split_words(
        "said says say think thinks thought believe believes believed flagged noted notes reported reports confirmed "
        "confirms mentioned mentions claims claimed argued argues suggested suggests recommend recommends recommended "
        "knows know know assumes assume assumed suspects suspect suspected means found finds showed shows show "
        "explained "
        "insists insisted expects expect hopes told tells warned warns reckons estimates estimated asked decided "
        "agreed "
        "ensure ensures require requires requested"
    ),
    finite=frozenset(_THIRD.values()) | _PAST | _MODAL | _AUXILIARY,
    auxiliary=_AUXILIARY,
    modal=_MODAL,
    bare=_BASE,
    past=_PARTICIPLE | _PAST,
    doubtful=frozenset(_THIRD.get(base, base + "s") for base in _NOUNS) | _NOUNS,
    determiners=split_words(
        "the a an this that these those my your his her its our their all any each every some no both either neither "
        "another several many most few two three four five six seven eight nine ten"
    ),
    prepositions=split_words(
        "of in on at by for from to with into onto over under about between among through during without within "
        "against "
        "via per than like as near across behind beyond below above around toward towards off out up down upon except "
        "since until till after before despite"
    ),
    adverbs=split_words(
        "also then now currently still never always not no longer already often usually typically subsequently finally "
        "later only just immediately automatically again sometimes frequently probably possibly likely clearly "
        "therefore thus instead soon recently previously originally initially eventually otherwise even mostly mainly "
        "generally simply actually really explicitly silently today yesterday rarely hardly barely apparently"
    ),
    personal=split_words(
        "i we you he she it they this these those that there someone everyone everybody nobody nothing"
    ),
    pronouns={
        "he": ("m", False),
        "him": ("m", False),
        "his": ("m", True),
        "she": ("f", False),
        "her": ("f", True),
        "it": ("n", False),
        "its": ("n", True),
        "they": ("p", False),
        "their": ("p", True),
    },
    feminine=FEMININE,
    masculine=MASCULINE,
    titles={
        "mr": "m",
        "mrs": "f",
        "ms": "f",
        "miss": "f",
        "sir": "m",
        "madam": "f",
        "dr": "",
        "prof": "",
        "professor": "",
    },
    collective=split_words(
        "team group department company committee board staff crew council squad devops management engineering "
        "marketing sales legal finance hr support customers users people engineers developers reviewers"
    ),
    connectors=either(
        r"(?:however|also|additionally|furthermore|moreover|besides|in addition|in addition to that|on top of that|"
        r"meanwhile|therefore|thus|hence|consequently|as a result|for example|for instance|that said|in fact|"
        r"of course|by the way|btw|fyi|anyway|nevertheless|nonetheless|in other words|in short|in summary|to summarize|"
        r"to sum up|overall|finally|lastly|first|firstly|first of all|second|secondly|third|thirdly|next|then|well|so|"
        r"oh|ah|oh and|plus|please remember|remember|reminder|otherwise|note that|please note that|please note|note|"
        r"also note that|remember that|keep in mind that|"
        r"importantly|interestingly|on the other hand|conversely|similarly|likewise|as mentioned|as noted|to be clear|"
        r"just to confirm|quick update|update|one more thing|another thing|good news|bad news|heads up|"
        r"alright|right|sure|great|perfect|ok|okay|yes|yeah|yep|no problem|hi all|hi everyone|hi team|hello)"
        r"\s*[,:!–—-]+\s+",
        r"(?:also|additionally|furthermore|moreover|and|but|so|note that|please note that|please note|plus|btw|fyi|"
        r"tbh|basically|honestly|anyway|"
        r"oh and|keep in mind that|remember that|it is worth noting that|it's worth noting that|be aware that|"
        r"just fyi)\s+(?=\w)",
    ),
    chatter=either(
        r"(?:hi|hello|hey|good (?:morning|afternoon|evening|day|night)|dear|greetings|welcome|morning|"
        r"evening)(?: [^\s,:]+){0,4}",
        r"(?:great |cool |awesome |ok |perfect )?(?:many |a million |huge )?(?:thanks|thank you|thx|ty|"
        r"cheers)\b.{0,80}",
        r"(?:otherwise |overall |rest |all )*(?:lgtm|looks good|sgtm)\b.{0,40}",
        r"(?:this|the) (?:session|conversation|chat) is (?:being )?(?:continued|resumed)\b.{0,80}",
        r"here(?:'s| is| are)\b[^:]{0,120}",
        r"(?:so |very |really )?sorry (?:to hear|for|about)\b[^,.;]{0,50}",
        r"(?:all the )?best",
        r"(?:(?:lol|ok|okay|haha|yeah|yes|yep|hey|hi|bye|talk (?:later|soon)|see (?:you|ya)|later|thanks|thx|cool|"
        r"nice|great|sure|np|cheers|"
        r"good night|night|gn|right|oh|well|alright)[ ,!.]*){1,12}",
        r"(?:just )?(?:a )?(?:quick|short|brief|small|little|friendly) (?:note|update|summary|recap|heads[- ]up|"
        r"question|reminder|sync|brain dump|one)\b[^:]{0,60}",
        r"(?:yeah|yes|yep|no|ok|oh)?,? ?i (?:saw|know|see|did|agree|think so|guess so|noticed|got it)(?: (?:that|it|"
        r"too|this))*",
        r"(?:please |pls )?(?:remember|note|keep|save|remember) (?:that|this|it|these)(?: (?:for me|in mind|"
        r"for later))?",
        r"i(?:'ll| will) (?:remember|note|keep (?:that|this|it) in mind|bear that|make a note|keep you)\b.{0,100}",
        r"just give me a (?:call|shout|ping|ring)\b.{0,20}",
        r"(?:ok(?:ay)?|fine|good|great|works) (?:for|with|by) (?:me|us)",
        r"(?:i'm|i am|so|very) sorry\b.{0,60}",
        r"you(?:'re| are) (?:very |most )?welcome\b.{0,20}",
        r"(?:yes|yeah|yep|yup|no|nope|nah|ok|okay|k|sure|right|alright|all right|fine|cool|great|nice|good|perfect|"
        r"excellent|"
        r"awesome|amazing|wonderful|fantastic|brilliant|super|sweet|neat|wow|oh|ah|hm+|uh|um|lol|haha|heh|lgtm|sgtm|"
        r"\+1|ack|acknowledged|done|noted|understood|got it|gotcha|roger|agreed|exactly|absolutely|definitely|indeed|"
        r"of course|certainly|no worries|no problem|np|you're welcome|my pleasure|sorry|apologies|my bad|oops|"
        r"never mind|nevermind|same here|me too|fair enough|makes sense|that makes sense|will do|on it|interesting|"
        r"congrats|congratulations|well done|good job|great job|nice work|great work|good work|good point|great point|"
        r"good catch|nice catch|great question|good question|sounds (?:good|great|fine|reasonable)|looks (?:good|"
        r"great)|"
        r"works for me|fine by me|good to know|see you|see ya|bye|goodbye|take care|talk soon|ttyl|brb|cool beans|"
        r"not sure|i see|i agree|you're right|true|correct|that works|let's do it|let's go|go ahead|please do|"
        r"one sec|one moment|just a sec|hang on|hold on|bear with me|anyway|first of all|i hear you|good luck|enjoy|"
        r"done and dusted|all good|all set|no objections?|nothing else|that's all|that's it|that is all|hope so|"
        r"i hope so|i guess|whatever|yay|woohoo|phew|ouch|ugh|please|ping|bump|fyi|btw|tl;?dr|etc)"
        r"(?:[ ,!.]+(?:thanks|thank you|then|so much|a lot|everyone|all|team|guys|folks|there|man|mate|again|indeed|"
        r"for sure|by me|with me|to me|too|now|please|sure|great|good|cool|no problem|it|that|this|point|"
        r"for (?:the|your|that|this|all)\b.{0,40}|me too|got it|makes sense|sounds good|will do|of course|perfect|"
        r"i'll (?:take a look|have a look|look into it|check|do that|do it)))*",
        r"(?:that|this|it)(?:'s| is| was| sounds| looks)(?: a)?(?: very| really| so| pretty| super| all)? "
        r"(?:great|good|awesome|perfect|fine|nice|cool|helpful|amazing|wonderful|fair|excellent|right|correct|true|"
        r"good point|good question|great question|great idea|good idea|great news|good news|interesting|fun|it|all)"
        r"(?: (?:idea|point|question|news|call|work|to (?:hear|know|see|me)))?(?:,? thanks| (?:for|to) .{0,40})?",
        r"(?:hope|i hope|hoping) .{0,60}(?:well|weekend|day|helps|helpful|soon|clear|everyone)",
        r"(?:please )?(?:let me know|feel free|don't hesitate|do not hesitate|reach out|ping me|shout|give me a shout|"
        r"happy to|i'm happy to|i am happy to|i'd be happy to|glad to|looking forward|i look forward|"
        r"just let me know)\b.*",
        r"if (?:you|there|anything|anyone)\b.{0,80}(?:let me know|feel free|reach out|ask|ping me|shout|call me|"
        r"me a call|write me|email me|contact me|happy to help|"
        r"get in touch|give me a shout).{0,60}",
        r"(?:let me|lemme|i'll|i will|let's|let us|give me a (?:sec|second|minute|moment)(?: to)?|allow me to|"
        r"i'm going to) "
        r"(?:just |quickly |first |now |go |try to )*"
        r"(?:check|look|see|think|take a (?:look|quick look|closer look)|have a look|pull up|dig|investigate|"
        r"start by|begin by|"
        r"begin with|start with|get started|get back to you|walk you through|explain|summarize|recap|verify|find out|"
        r"read|explore|examine|search|open|look into|circle back|keep you posted|move on|dive in|continue|proceed|"
        r"get to it|break this down|go through|run through|jump in)\b.{0,80}",
        r"(?:here(?:'s| is| are)|below is|below are|following is|the following is|this is|these are|attached is|"
        r"attached are|"
        r"see below for|please find)\b.{0,120}:",
        r"(?:here(?:'s| is| are)|below is|below are)\b.{0,30}"
        r"(?:summary|overview|breakdown|recap|list|rundown|notes|draft|result|answer|plan|update|"
        r"what i found)s?\b.{0,60}",
        r"(?:i'd|i would|we'd|we would) (?:love|be (?:happy|glad))\b.*",
        r"(?:have|enjoy) (?:a|an|your) .{0,40}",
        r"(?:best|kind|warm|warmest|many)?,? ?(?:regards|wishes|cheers|sincerely|yours truly|yours sincerely|"
        r"yours)[ ,]*.{0,30}",
        r"(?:great|good|excellent|interesting|fantastic|awesome|nice|amazing|wonderful|impressive|brilliant|lovely) "
        r"(?:job|work|question|point|stuff|idea|progress|catch|call|news|effort|meeting|session|discussion|to hear|"
        r"to see)\b.{0,60}",
        r"(?:any|more) (?:questions|thoughts|feedback|comments|objections)\b.{0,40}",
        r"as (?:an ai|a language model)\b.*",
        r"(?:i|we) (?:really )?(?:appreciate|hope|love) (?:it|that|this|you|your|the (?:help|effort|"
        r"feedback))\b.{0,60}",
        r"(?:loading|processing|working|thinking|please wait|running|fetching|compiling|downloading|installing|"
        r"searching|"
        r"analyzing|generating)\b.{0,30}(?:\.{3}|…)",
        r"(?:end of|begin|start of) (?:file|document|message|transcript|summary|report|log|output)",
        r"(?:say|tell) (?:hi|hello)\b.{0,40}",
        r"(?:how are you|how's it going|what's up|long time no see|nice to (?:meet|see) you|good to see you|"
        r"see you (?:then|there|soon|later|tomorrow|next|on|at|all)|talk to you (?:soon|later)|"
        r"until next time)\b.{0,40}",
        r"(?:enjoy|have) .{0,20}(?:weekend|day|evening|lunch|vacation|holiday|one)",
        r"(?:i'm|i am|we're) (?:back|here|in|ready|done|so excited|excited|sorry|afraid not|good|fine|listening|"
        r"on it)\b.{0,20}",
        r"(?:sent from my|get outlook for|confidentiality notice|this email and any attachments)\b.*",
        r"(?:let's|let us) (?:do (?:it|that|this)|go|see|hope|get (?:started|going)|move on|talk|chat|dive in|"
        r"discuss).{0,30}",
    ),
    openers=either(
        r"(?:hi|hello|hey|thanks|thank you|thx|sure|great|perfect|awesome|ok|okay|yes|yeah|yep|no|nope|right|well|"
        r"oh|ah|cool|nice|"
        r"got it|sounds good|good point|good question|great question|agreed|exactly|of course|alright|understood|true|"
        r"sorry|hmm+|um|uh|lol|haha|wow|noted|certainly|absolutely|fair enough|makes sense|no worries|no problem|"
        r"correct|"
        r"quick update|update|fyi|btw|by the way|good morning|morning all|morning|heads up|just a heads up)"
        r"(?: (?:all|everyone|team|folks|guys|there|again|so much|a lot|[A-Z][a-z]+))?\s*[,!—–:-]+\s+",
        r"(?:i just wanted to let you know that|i wanted to let you know that|just a reminder that|"
        r"just letting you know that|"
        r"just a quick note that|as you know,|as we discussed,|as discussed,|to answer your question,|to recap,)\s+",
    ),
    agreeing=either(
        r"(?:yes|yeah|yep|yup|no|nope|correct|right|exactly|agreed|affirmative|sure|definitely|absolutely)\b"
    ),
    asking=either(
        r"(?:who|what|when|where|why|which|whose|how|is|are|was|were|do|does|did|can|could|should|shall|will|would|"
        r"has|have|"
        r"any|isn't|aren't|don't|doesn't|didn't|may)\b"
    ),
    empty_headings=split_words(
        "summary notes note overview introduction details detail background misc miscellaneous other others general "
        "highlights info information context agenda minutes recap tldr tl;dr conclusion description update updates "
        "points "
        "discussion content contents output result answer response report text message log changes"
    ),
)


def third_person(base: str) -> str:
    """ "prefer" → "prefers"; "" for what is no known verb."""
    return _THIRD.get(base, "")
