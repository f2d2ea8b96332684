"""A hundred texts that try to become more than text on the page (S12).

Were one to run, it would leave a trace that `hits` finds, or a request to `hit.invalid`, of which the watched page
complains. Each also carries a word of its own (`mark`), by which a test finds it shown as plain text.
"""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page

HIT = "__hit"
SET = f"window.{HIT}=1"
AWAY = "https://hit.invalid/"


@dataclass(frozen=True, slots=True)
class Payload:
    """One text; `mark` is a plain word in it, unlike any other's."""

    name: str
    text: str
    mark: str


def hits(page: Page) -> list[str]:
    """What has sprung, in the page or in any of its frames, or in what every object inherits."""
    look = f"""() => [
      window.{HIT} !== undefined ? "script ran" : "",
      ({{}}).{HIT} !== undefined ? "every object was changed" : "",
      document.querySelector("[data-hit], hit-element") ? "markup became an element" : "",
      document.title.includes("{HIT}") ? "the title was changed" : "",
      location.host.endsWith("hit.invalid") || location.protocol === "javascript:" ? "it went away" : "",
    ].filter(Boolean)"""
    return [f"{frame.url}: {found}" for frame in page.frames for found in frame.evaluate(look)]


def assert_idle(page: Page) -> None:
    """Nothing has sprung."""
    assert hits(page) == []


# MARK, SET and AWAY are put in below: braces are part of the texts.
_TEXTS: dict[str, tuple[str, ...]] = {
    "script": (
        "MARK <script>SET</script>",
        "MARK <ScRiPt>SET</sCrIpT >",
        "MARK <script\t>SET</script\n>",
        "MARK <script src=AWAYx.js></script>",
        "MARK <script type=module>SET</script>",
        "MARK <scr<script>ipt>SET</scr</script>ipt>",
        "MARK </script><script>SET</script>",
        "MARK </textarea></title></style></noscript></template><script>SET</script>",
        "MARK <!--><script>SET</script-->",
        "MARK <![CDATA[<script>SET</script>]]>",
    ),
    "handler": (
        "MARK <img src=x onerror=SET data-hit>",
        "MARK <img src=x onerror='SET'//",
        'MARK "><img src=x onerror="SET">',
        "MARK '><img src=x onerror='SET'>",
        "MARK <body onload=SET>",
        "MARK <details open ontoggle=SET>x</details>",
        "MARK <input autofocus onfocus=SET>",
        "MARK <video><source onerror=SET></video>",
        "MARK <marquee onstart=SET>x</marquee>",
        "MARK <a href=# onclick=SET data-hit>click</a>",
        'MARK " autofocus onfocus="SET" x="',
        "MARK ' onmouseover='SET' x='",
        "MARK <div onpointerenter=SET style=position:fixed;inset:0 data-hit>x</div>",
        "MARK <button popovertarget=p onclick=SET>x</button>",
        "MARK <hit-element onanimationend=SET></hit-element>",
    ),
    "address": (
        "javascript:SET//MARK",
        "JaVaScRiPt:SET//MARK",
        "java\tscript:SET//MARK",
        "MARK <a href='javascript:SET'>x</a>",
        "MARK <iframe src='javascript:parent.__hit=1'></iframe>",
        "MARK <form action='javascript:SET'><button>x</button></form>",
        "MARK <meta http-equiv=refresh content='0;url=AWAY'>",
        "MARK <base href='AWAY'>",
        "MARK <link rel=stylesheet href='AWAYx.css'>",
        "MARK <object data='data:text/html,<script>parent.__hit=1</script>'></object>",
        "data:text/html,<script>opener.__hit=1</script>MARK",
        "vbscript:SET//MARK",
    ),
    "svg": (
        "MARK <svg onload=SET>",
        "MARK <svg><script>SET</script></svg>",
        "MARK <svg><animate onbegin=SET attributeName=x dur=1s></svg>",
        "MARK <svg><a xlink:href='javascript:SET'><text y=20>x</text></a></svg>",
        "MARK <svg><foreignObject><img src=x onerror=SET></foreignObject></svg>",
        "MARK <svg><use href='data:image/svg+xml,<svg id=x onload=SET>#x'></use></svg>",
        "MARK <math><mtext><mglyph><style><img src=x onerror=SET></style></mglyph></mtext></math>",
        "MARK <svg><title><style><img title='</style><img src=x onerror=SET>'></style></title></svg>",
    ),
    "template": (
        "MARK {{constructor.constructor('SET')()}}",
        "MARK ${SET}",
        "MARK `${SET}`",
        "MARK <%= SET %>",
        "MARK #{SET}",
        "MARK {% raw %}{{ SET }}{% endraw %}",
        "MARK [[${SET}]]",
        "MARK <template shadowrootmode=open><img src=x onerror=SET></template>",
        "MARK {version} {0} %s %(x)s $1 $& \\1",
        "MARK v-on:click=SET x-init=SET ng-init=SET",
    ),
    "style": (
        "MARK <style>*{background:url(AWAYx.png)}</style>",
        "MARK <style>@import 'AWAYx.css';</style>",
        'MARK ";background:url(AWAYy.png);x:"',
        "MARK </style><style>body{display:none}</style>",
        "MARK expression(SET)",
        "MARK url(javascript:SET)",
        "MARK red;position:fixed;inset:0;z-index:9999",
    ),
    "markdown": (
        "MARK [link](javascript:SET)",
        "MARK ![image](x){onerror=SET}",
        "MARK ![image](AWAYpixel.png)",
        "MARK <javascript:SET>",
        "MARK [a]: javascript:SET\n\n[a]",
        "MARK\n\n```html\n<img src=x onerror=SET>\n```",
        "# MARK\n\n<img src=x onerror=SET>\n\n- [x] done\n\n| a | b |\n|---|---|",
        "MARK &lt;img src=x onerror=SET&gt;",
        "MARK &#60;script&#62;SET&#60;/script&#62;",
    ),
    "json": (
        'MARK "}];SET;[{"x":"',
        "MARK ');SET;('",
        "MARK \\';SET;//",
        "MARK \\u003cscript\\u003eSET\\u003c/script\\u003e",
        "MARK \\x3cimg src=x onerror=SET\\x3e",
        '{"mark":"MARK","__proto__":{"__hit":1}}',
        "MARK \u2028SET\u2029",
        "data: MARK\n\nevent: change\ndata: {}\n\n",
        "MARK\r\nset-cookie: x=1\r\n\r\n<hit-element>",
    ),
    "name": (
        "__proto__ MARK",
        "constructor MARK",
        "toString valueOf hasOwnProperty MARK",
        "MARK ../../../../etc/passwd %2e%2e%2f %00",
        "MARK undefined null NaN true [object Object]",
        "MARK ' OR 1=1 --",
    ),
    "unicode": (
        "MARK \u202egnp.exe\u202c after",
        "MARK \u2066\u2067mirrored\u2069\u2069 \u200f\u200e",
        "MARK zero\u200bwidth\u200c\u200d\u2060\ufeffjoined",
        "MARK Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349a\u0363\u0364\u0365l",
        "MARK 👩‍👩‍👧‍👦 🏳️‍🌈 👍🏿 🇺🇳 🫠",
        "MARK العربية עברית देवनागरी ไทย 漢字 한국어",
        "MARK \uff1cscript\uff1eSET\uff1c/script\uff1e",
        "MARK \u2400 \\0 \\u0000 &#0; \ufffd",
        "MARK " + "W" * 3_000,
        "MARK " + "long-word/" * 400,
        "MARK " + "\u0300" * 500,
        "MARK tab\tand\nlines\n\n\n\nof\u00a0space   kept",
        "MARK \U000e0041\U000e0042\U000e007f tags",
        "MARK ſcript İ ı ß ﬀ K",
    ),
}


def _payloads() -> tuple[Payload, ...]:
    made: list[Payload] = []
    for family, texts in _TEXTS.items():
        for number, text in enumerate(texts, 1):
            mark = f"zq{family}{number:02}"
            text = text.replace("MARK", mark).replace("SET", SET).replace("AWAY", AWAY)
            made.append(Payload(f"{family}-{number:02}", text, mark))
    return tuple(made)


PAYLOADS = _payloads()
WORDS = tuple(payload for payload in PAYLOADS if "\n" not in payload.text and len(payload.text) <= 200)
"""Those that fit where one line is wanted: a category, a scope's segment, a kind."""
