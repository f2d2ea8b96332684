"""English verbs: their forms, made from lists of bases, and those that are as often nouns."""

from remanence.extraction.lexicon import split_words

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
    bark boil breathe brush bury chase chew clap climb cough crawl cross cry dance dive drown dry dye envy escort
    faint fetch
    flee gaze giggle glow grin groan hug hunt itch kiss kneel laugh lick limp lock melt mend mow murmur nap nod pat peel
    pet pinch plead plow poke pray preach purr rain rattle rinse roar rob roast rub sail scare scold scratch scream sew
    shiver shout sigh sip ski skate slam smile snap sneeze sniff snore snow soak sob spray squeeze stare stir swallow
    tangle thaw tickle tow trot tumble unpack veer vomit vow wade wag wail whistle wink yawn ratify criticise criticize
    organise realise recognise prioritise authorise standardise standardize harmonise modernise modernize digitise
    analyse analyze sanction lobby campaign veto amend repeal enact appoint dismiss nominate inaugurate donate
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
    "concern contract detail dump echo exchange experience exploit finance flip float flood flow focus fold forecast "
    "fund "
    "grade guard guess guide halt harm harvest impact interview lag lift loop mail march master mix model nest paint "
    "park "
    "pilot plug pool position post power praise press print program project prompt question race range rank rate "
    "recall "
    "research rest reward ring risk rule rush search segment sense sentence shape signal slip sound span spark speed "
    "spell "
    "sponsor spot spread stack staff stall stamp star step stock strike strip struggle sum supplement surface surge "
    "tag tap "
    "taste title top tour tow trade transition transport trap trend trick trip voice void waste wire witness plant "
    "coach "
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


THIRD, PAST, PARTICIPLES, BASES = _forms()
DOUBTFUL = frozenset(THIRD.get(base, base + "s") for base in _NOUNS) | _NOUNS


def third_person(base: str) -> str:
    """ "prefer" → "prefers"; "" for what is no known verb."""
    return THIRD.get(base, "")
