"""English, as data."""

from remanence.extraction.english_verbs import BASES, DOUBTFUL, PARTICIPLES, PAST, THIRD
from remanence.extraction.first_names import FEMININE, MASCULINE
from remanence.extraction.lexicon import Lexicon, either, split_words

_MODAL = split_words(
    "will would shall should can could may might must cannot cant wont shouldnt wouldnt can't won't wouldn't "
    "shouldn't couldn't mustn't needn't "
    "'ll i'll we'll they'll he'll she'll it'll you'll i'd we'd they'd he'd she'd"
)
_AUXILIARY = split_words(
    "is are was were am im ive dont doesnt didnt isnt wasnt arent hasnt havent isn't aren't wasn't weren't has have "
    "had hasn't haven't hadn't do does did don't doesn't didn't "
    "shes hes theyre youre i'm we're they're he's she's it's you're i've we've they've you've that's there's "
    "there're who's what's"
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
        "ave blvd mt mts hr hrs yr yrs wk wks ft sq oz lb lbs gal ver govt assn bros capt cmdr sgt maj adm"
        " pres sen rep gov supt messrs pl hwy pkwy ln apt bldg univ inst intl natl viz ibid n.b p.s b.c a.d ph.d m.d "
        "b.a m.a p.a c.f mme esq s.a n.v"
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
    finite=frozenset(THIRD.values()) | PAST | _MODAL | _AUXILIARY,
    auxiliary=_AUXILIARY,
    modal=_MODAL,
    bare=BASES,
    past=PARTICIPLES | PAST,
    doubtful=DOUBTFUL,
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
        **dict.fromkeys(
            split_words(
                "lt col capt sgt maj gen adm rev judge inspector detective officer senator coach nurse captain"
            ),
            "",
        ),
        **dict.fromkeys(split_words("auntie aunt lady queen princess señora sister"), "f"),
        **dict.fromkeys(split_words("uncle lord king prince señor father brother"), "m"),
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
        r"oh|ah|oh and|plus|please remember|remember|reminder|otherwise|note \d+|note that|please note that|"
        r"please note|note|"
        r"also note that|remember that|keep in mind that|"
        r"importantly|interestingly|on the other hand|conversely|similarly|likewise|as mentioned|as noted|to be clear|"
        r"just to confirm|quick update|update|one more thing|another thing|good news|bad news|heads[- ]up|"
        r"(?:summary|recap) of (?:the|our|this) (?:conversation|session|chat|discussion|meeting)(?: so far)?|"
        r"oh (?:great|no|dear|wow|well)|alright|right|sure|great|perfect|ok|okay|yes|yeah|yep|no problem|hi all|"
        r"hi everyone|hi team|hello)"
        r"\s*[,:!–—-]+\s+",
        r"(?:also|additionally|furthermore|moreover|and|but|so|note that|please note that|please note|plus|btw|fyi|"
        r"tbh|basically|honestly|anyway|"
        r"oh and|keep in mind that|remember that|it is worth noting that|it's worth noting that|be aware that|"
        r"just fyi)\s+(?=\w)",
    ),
    chatter=either(
        r"(?:hi|hello|hey|good (?:morning|afternoon|evening|day|night)|dear|greetings|morning|"
        r"evening)(?: [^\s,:]+){0,4}",
        r"(?:great |cool |awesome |ok |perfect )?(?:many |a million |huge )?(?:thanks|thank you|thx|ty|"
        r"cheers)\b.{0,80}",
        r"(?:otherwise |overall |rest |all )*(?:lgtm|looks good|sgtm)\b.{0,40}",
        r"(?:this|the) (?:session|conversation|chat) is (?:being )?(?:continued|resumed)\b.{0,80}",
        r"here(?:'s| is| are)\b[^:]{0,120}",
        r"(?:so |very |really )?sorry (?:to hear|for|about)\b[^,.;]{0,50}",
        r"(?:all the )?best",
        r"(?:that |this |it |oh |which )*sounds (?:so |really |absolutely |very )*(?:wonderful|lovely|amazing|"
        r"perfect|fun|interesting|"
        r"exciting|delicious|like (?:a plan|fun)|about right|right|promising|familiar)\b.{0,20}",
        r"great energy\b.{0,20}",
        r"below (?:is|are|you'll find|you will find)\b[^:]{0,80}",
        r"if you(?:'d| would)? (?:want|like|wish|need|prefer)\b.{0,60}\b(?:i can|i could|i'll|i will|i'd|we can|"
        r"we could)\b.{0,80}",
        r"(?:please )?do (?:let me know|reach out|get in touch|feel free|not hesitate)\b.{0,80}",
        r"(?:i )?hope\b.{0,60}\byou(?:r|rs)?\b.{0,40}",
        r"it(?:'s| is| was) (?:so |very |really )?(?:lovely|great|nice|good|wonderful|a pleasure) (?:to|hearing|"
        r"seeing|meeting|"
        r"talking|chatting|working)\b.{0,50}",
        r"(?:very |really |super )?(?:nice|great|lovely|good|neat|clean|solid) (?:clean-?up|refactor(?:ing)?|fix|"
        r"find|touch|"
        r"write-?up|summary|explanation|improvements?|tests?|solution|approach|pr|patch|change|spot|one|start|shot|"
        r"photo|"
        r"picture|job|weekend|to know)\b.{0,40}",
        r"you(?:'re| are) (?:a|an|the|my|so|very|too|such a|all)(?: \w+)? ?(?:star|best|hero|legend|angel|lifesaver|"
        r"genius|kind|"
        r"sweet|amazing|awesome|great|funny|champ|gem)\b.{0,20}",
        r"(?:i|we|they|he|she|it|you) (?:did|do|does|is|was|are|were|will|can|could|have|has|am|would|should)(?:n't|"
        r" not)?"
        r"(?: too| as well| indeed| so| lol| haha)?",
        r"(?:(?:haha+|hehe+|lol|omg|aw+|ok|yes|oh|ooh|wow|so|same|i|we) )*(?:love (?:it|that|this)(?: idea| plan|"
        r" one)?|love the (?:idea|plan)|loved it|can't wait|"
        r"cannot wait|same here|nice one|gotta (?:run|go)|have to (?:run|go)|got to go|need to run|must dash|"
        r"have fun|hey|hiya|"
        r"hii+|heyy+|back|brb|afk|ttyl|cya|gtg|g2g|sweet dreams|sleep well|get well soon|happy birthday|"
        r"merry christmas|"
        r"you too|likewise|same to you|fingers crossed|touch wood|cool cool|no idea|who knows|dunno|idk|imo|rofl|lmao)"
        r"(?:[ ,!]+(?:then|now|too|all|everyone|guys|ttyl|bye|again|soon|it|later|cya|thanks|hey))*",
        r"(?:i'm |we're |still |just |already |now )*(?:working|looking|checking|getting) (?:on|into|at) (?:it|that|"
        r"this)"
        r"(?: now| right now| already| as we speak)?",
        r"(?:all ?right|alright|ok|okay|sure|yes)?,? ?(?:one|just a|just one|give me a|wait a) (?:second|sec|minute|"
        r"moment|min)"
        r"(?: please)?",
        r"(?:please |so |and )?(?:don't|do not|no need to) (?:worry|panic|mention it|be sorry)\b.{0,30}",
        r"(?:well |oh |hm+ |ah )*(?:that|this|it)(?:'s| is| was| must be| sounds)(?: a| an)?(?: very| really| so|"
        r" pretty| quite| "
        r"totally| bit)* (?:common|annoying|sad|bad|weird|strange|odd|funny|crazy|wild|terrible|awful|lovely|"
        r"exciting|frustrating|"
        r"tough|hard|sweet|kind|ok|okay|alright|normal|understandable|unfortunate|tricky|rough|beautiful|hilarious|"
        r"brilliant|"
        r"impressive|incredible|unbelievable|a shame|a pity|shame|pity|relief|bummer)(?: (?:of you|to hear|indeed))?",
        r"(?:reply to this email|view it on github|you are receiving this|unsubscribe|manage (?:your )?notifications|"
        r"you received this|this is an automated|do not reply)\b.{0,160}",
        r"@?[\w-]+ (?:commented|requested changes|approved|left a comment|started a review)(?: on this pull request|"
        r" these "
        r"changes| on this| a review)?",
        r"(?:totally|for real|true that|right on|incredible|unbelievable|no way|oh no|oh dear|oh well|poor thing|"
        r"bless you|"
        r"bless|hooray|hurray|cheers everyone|ha)",
        r"welcome(?: back| all| everyone| to the (?:meeting|call|show|team))?(?:,? (?:all|everyone|folks|team))?",
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
        r"oh no|oh dear|oh well|oh|ah|cool|nice|fine|good|lovely|brilliant|excellent|"
        r"got it|sounds good|good point|good question|great question|agreed|exactly|of course|alright|understood|true|"
        r"sorry|hmm+|um|uh|lol|haha|wow|noted|certainly|absolutely|fair enough|makes sense|no worries|no problem|"
        r"correct|"
        r"quick update|update|fyi|btw|by the way|good morning|morning all|morning|heads up|just a heads up)"
        r"(?: (?:all|everyone|team|folks|guys|there|again|so much|a lot|(?-i:[A-Z][a-z]+)))?\s*[,!—–:-]+\s+",
        r"(?:i just wanted to let you know that|i wanted to let you know that|just a reminder that|"
        r"just letting you know that|"
        r"just a quick note that|as you know,|as we discussed,|as discussed,|to answer your question,|to recap,|"
        r"in case you missed it,)\s+",
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
