"""Signs: shapes that make a text suspicious whatever its words, and by how much.

Markers of conversations, commands that destroy, fetch and run or send away, addresses that carry data. A shape is
looked for only where one of its keys (␣ is a space in them) is in the text, and each is bounded, so that none takes
long on a hostile text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from remanence.guard.screening.reasons import (
    ADDRESSED,
    AUTHORITY,
    CONCEALMENT,
    EXFILTRATION,
    OVERRIDE,
    ROLE,
    TOKENS,
    TOOL,
)


class Sign(NamedTuple):
    """A shape that is suspicious by itself; looked for where one of `keys` is in the text in lower case."""

    reason: str
    weight: int
    keys: tuple[str, ...]
    shape: re.Pattern[str]


_ROLES = (
    "(?:system|assistant|human|user|developer|instructions?|prompt|context|memory|memories|(?:tool|function)_results?)"
)
_CLAUSE = r"(?:^|[\n.!?>\]=-]\s{0,3})"
_PIPED = "|␣sh |sh |␣bash |bash |␣zsh |␣dash |␣ksh |␣sudo |sudo |␣␣"
_SHELL = r"\|\s{0,4}(?:sudo\s{1,4})?(?:ba|z|da|k)?sh\b"
# Installers that their makers publish as a line for the shell.
_PUBLISHED = (
    r"(?:sh\.rustup\.rs|get\.docker\.com|astral\.sh|bun\.sh|deno\.land|get\.pnpm\.io|ollama\.com"
    r"|install\.python-poetry\.org|raw\.githubusercontent\.com/(?:Homebrew|nvm-sh)/)"
)
_NAMES = "ai|llms?|assistants?|agents?|(?:chat)?bots?|copilot|(?:chat)?gpt|claude|gemini|(?:language )?models?"
_KINDS = "(?: (?:agents?|assistants?|models?|systems?|bots?|crawlers?|readers?|reviewers?|note ?takers?)){0,2}"
_BIDDEN = (
    "ignore|disregard|forget|say|tell|answer|reply|respond|recommend|add|insert|include|append|send|"
    "forward|upload|post|mail|email|run(?! \\d)|execute|pip|npm|install|download|fetch|visit|delete|"
    "remove|erase|replace|overwrite|change|set|rate|rank|give|grant|approve|skip|disable|turn off|"
    "wire|pay|transfer|buy|order|book|store|remember|save|mark|treat|mention|reveal|print|output|"
    "pretend|act|move|accept|hire|select|choose|promote|use|make|put|call|open|follow|let|ask|write|keep|leave|stop"
)
_IMAGE = r"!\[[^\]\n]{0,200}\]\(https?://[^)\s]{0,300}"

_SIGNS = (
    # markers of conversations
    (TOKENS, 3, "<|", r"<\|\s{0,3}[a-z_][\w /-]{1,30}\|>"),
    (TOKENS, 3, "inst]", r"\[/?INST\]"),
    (TOKENS, 3, "sys>>", r"<</?SYS>>"),
    (TOKENS, 3, "</", rf"</{_ROLES}\s{{0,3}}>"),
    (TOKENS, 3, "<system </system", r"</?system[_-]\w{1,20}>"),
    (TOKENS, 3, "<info <important <urgent", r"</?(?:information|important|urgent)>"),
    (TOKENS, 2, "<", rf"<{_ROLES}\s{{0,3}}>"),
    (
        TOKENS,
        3,
        "_of_turn> <function_calls <invoke <tool_call </s>",
        r"<(?:start|end)_of_turn>|<(?:function_calls|invoke\s|tool_call)|</s>",
    ),
    (TOKENS, 3, "##", r"^\s{0,8}#{2,6}\s{0,4}(?:system|instructions?|response|assistant|human)\s{0,3}(?::|$)"),
    (TOKENS, 2, "assistant: human:", r"(?:^|[\n.!?)\]]\s{0,3})(?:assistant|human)\s{0,2}:\s"),
    (TOKENS, 3, "assistant:", r"(?:^|\n)\s{0,8}assistant\s{0,2}:[^\n]{0,400}\n\s{0,8}(?:human|user)\s{0,2}:"),
    (TOKENS, 3, "\"role\" 'role'", r"[\"']role[\"']\s{0,3}:\s{0,3}[\"'](?:system|developer|assistant)[\"']"),
    (TOKENS, 3, "system", r"(?:begin|start|end)\s(?:of\s)?(?:the\s)?system\s(?:prompt|message)"),
    # who is said to speak
    (
        AUTHORITY,
        2,
        "system admin developer root security",
        rf"{_CLAUSE}\[?(?:system|sys|admin(?:istrator)?|developer|root|security)"
        r"(?:\s(?:message|notice|update|alert|override|directive|note|instructions?|prompt|command))?\]?\s{0,2}:\s{0,2}(?=[a-z])",
    ),
    (AUTHORITY, 2, "[system [admin", r"\[(?:system|admin)[ :\]]"),
    (
        AUTHORITY,
        2,
        "system admin developer editor",
        r"(?-i:\b(?:SYSTEM|ADMIN|ADMINISTRATOR|DEVELOPER|EDITOR)(?: [A-Z]{3,14}){0,2}) ?:",
    ),
    (
        OVERRIDE,
        2,
        "assignment: task: objective: instruction: instructions: goal: mission:",
        r"(?:new|actual|real|updated|true) (?:assignment|objective|task|instructions?|goal|mission):",
    ),
    (
        OVERRIDE,
        2,
        "#␣end␣of -␣end␣of =␣end␣of [end␣of <end␣of",
        r"(?:#{2,6}|-{3,9}|={3,9}|\[|<)\s{0,3}end of (?:the )?"
        r"(?:context|document|instructions?|conversation|input|data|page|text|prompt)",
    ),
    (EXFILTRATION, 3, ">. }. ].", r"(?<![\w$])[<{\[][\w .-]{2,40}[>}\]]\.(?:[a-z0-9-]{1,40}\.){1,4}[a-z]{2,8}\b"),
    (AUTHORITY, 2, "override:", rf"{_CLAUSE}override:"),
    (AUTHORITY, 3, "override", r"(?:security|system|admin|safety)[_\s]override(?![a-z])"),
    (
        ADDRESSED,
        2,
        "claude, claude: copilot, copilot: gpt, gpt: gemini, gemini: assistant, ai, ai: agent, agent: llm, llm:",
        rf"{_CLAUSE}(?:(?:claude|copilot|chatgpt|gpt|gemini|ai|agent|llm)[,:]|assistant,) (?=[a-z])",
    ),
    (
        ADDRESSED,
        3,
        "ai, ai: llm, llm: llms, llms: assistant, assistant: assistants, assistants: agent, agent: agents, "
        "agents: bot, bot: bots, bots: chatbot, chatbot: copilot, copilot: gpt, gpt: claude, claude: gemini, "
        "gemini: model, model: models, models: reader, reader: readers, readers: reviewer, reviewer: "
        "reviewers, reviewers: taker, taker: system, system: systems, systems: crawlers, crawlers:",
        rf"(?<!the )(?<!our )(?<!an )(?<!my )(?<![\w/.])(?:{_NAMES}){_KINDS}[,:]\s{{1,3}}"
        rf"(?:(?:please|kindly|also|now|you|must|should|do not|don't|never|always|then) ){{0,3}}(?:{_BIDDEN})(?![-\w])",
    ),
    (
        ADDRESSED,
        3,
        "to␣the to␣any to␣all to␣every",
        rf"{_CLAUSE}to (?:the|any|all|every) (?:ai|llms?|assistants?|agents?|(?:language )?models?|chatbots?)\b"
        r"[^.\n]{0,60}[:,]",
    ),
    (
        OVERRIDE,
        2,
        "decod unquote first␣letters join␣the␣pieces␣ read␣as␣text",
        r"(?:decod(?:e|ed|ing)|unquotes?|first letters|join the pieces|read as text)\b[^\n]{0,100}"
        r"\b(?:act(?:s|ed)? (?:on|up)|do (?:it|what)|obey|follow|carry|granted|behaves?|apply|next task)",
    ),
    (ROLE, 3, "␣now␣", r"you(?: are|'re|’re) now (?:called |named )?(?-i:[A-Z]{3,}\b)"),
    # commands
    (TOOL, 3, _PIPED, rf"(?:curl|wget|fetch)\b(?![^|\n]{{0,160}}{_PUBLISHED})[^|\n]{{0,200}}{_SHELL}"),
    (
        TOOL,
        3,
        "|␣python |python |␣perl |␣ruby |␣node |␣php |␣sudo",
        r"(?:curl|wget)\b[^|\n]{0,200}\|\s{0,4}(?:sudo\s{1,4})?(?:python\d?|perl|ruby|node|php)\b",
    ),
    (TOOL, 3, "$( <(", r"(?:\$\(|<\()\s{0,4}(?:curl|wget)\b"),
    (
        TOOL,
        3,
        "rm␣-",
        r"\brm\s{1,4}-{1,2}[a-z-]{0,12}r[a-z-]{0,12}\s{1,4}"
        r"(?:-\S{1,30}\s{1,4}){0,3}[\"']?(?:/|~|\$HOME|\*|\.\s)(?![\w.]{1,40}/[\w.]|tmp\b)",
    ),
    (TOOL, 3, "push", r"\bgit\s{1,4}push\b[^\n]{0,60}(?:\s-f|--force)\b[^\n]{0,60}(?:https?://|git@)"),
    (
        TOOL,
        2,
        "terraform kubectl drop␣ prune",
        r"\b(?:terraform destroy|kubectl delete (?:ns|namespace|\S{1,30} --all)|drop database)\b",
    ),
    (TOOL, 3, "(req", r"\b(?:eval|exec|system|popen)\(\s{0,3}(?:request|req|params|input)\b"),
    (TOOL, 1, "-auto-approve --yes --force", r"\s-{1,2}(?:auto-approve|yes|force)\b"),
    (TOOL, 3, "--no-preserve-root", r"--no-preserve-root"),
    (TOOL, 3, "base64", rf"base64\s{{1,4}}(?:-d|-D|--decode)[^|\n]{{0,60}}{_SHELL}"),
    (TOOL, 3, "/dev/tcp nc␣- ncat␣-", r"/dev/tcp/|\bnc(?:at)?\s{1,4}-\w{0,4}e\b"),
    (
        TOOL,
        3,
        "powershell iex( iex␣( downloadstring",
        r"powershell\b[^\n]{0,80}-e(?:nc|ncodedcommand|c)?\s|\biex\s{0,3}\(|downloadstring\(",
    ),
    (TOOL, 3, "exec( eval(", r"(?:exec|eval)\([^\n]{0,80}(?:urlopen|requests\.get|fetch\(|b64decode)"),
    (
        TOOL,
        3,
        "authorized_keys",
        r"ssh-(?:rsa|ed25519|dss)\s{1,4}AAAA[^\n]{0,600}authorized_keys"
        r"|authorized_keys[^\n]{0,80}ssh-(?:rsa|ed25519)\s{1,4}AAAA|this key to[^\n]{0,40}authorized_keys",
    ),
    (TOOL, 3, "mkfs of=/dev/ :(){", r"\bmkfs(?:\.\w{1,8})?\s{1,4}/dev/|\bdd\s[^\n]{0,80}of=/dev/[sn]|:\(\)\s{0,2}\{"),
    (TOOL, 2, "os.system /etc/passwd", r"\bos\.system\(|/etc/passwd"),
    (TOOL, 2, "sudoers", r"\bsudoers\b"),
    (TOOL, 2, "core.hookspath", r"core\.hooksPath"),
    # data on its way out
    (
        EXFILTRATION,
        3,
        "|␣curl |curl |␣nc |nc |␣wget |wget",
        r"(?:\benv|\bprintenv|\bcat\b[^|\n]{0,80}|\btar\b[^|\n]{0,80})\s{0,4}\|\s{0,4}(?:curl|nc|ncat|wget)\b",
    ),
    (
        EXFILTRATION,
        3,
        "␣-d ␣-f ␣-t ␣--data ␣--upload",
        r"\bcurl\b[^\n]{0,160}\s(?:-d|-F|-T|--data(?:-\w{1,12})?|--upload-file)\s{0,3}[\"']?@?"
        r"(?:~|\$HOME|/home|/etc|\$\(|[^\s@]{0,20}\.env)",
    ),
    (EXFILTRATION, 3, "](http", _IMAGE + r"[?&/=](?:[^)\s=]{0,60}=)?[^)\s]{0,60}[{<$\[][^)]{0,200}\)?"),
    (
        EXFILTRATION,
        3,
        "](http",
        _IMAGE + r"[?&](?:data|d|q|c|payload|secret|leak|token|chat|msg|conversation|exfil|content|info|history)=",
    ),
    (
        EXFILTRATION,
        3,
        "document.cookie localstorage",
        r"(?:https?://|fetch\(|<img)[^\n]{0,200}(?:document\.cookie|localStorage)",
    ),
    (EXFILTRATION, 2, "http", r"https?://[^\s)\"']{0,200}[?&][\w-]{1,30}=(?-i:[A-Z][A-Z0-9_]{3,30}\b|\{|<|\[)"),
    # text that is there and not seen
    (
        CONCEALMENT,
        1,
        "font-size display opacity color",
        r"font-size\s{0,2}:\s{0,2}0|display\s{0,2}:\s{0,2}none|opacity\s{0,2}:\s{0,2}0|color\s{0,2}:\s{0,2}(?:white|#fff)",
    ),
)


def _sign(reason: str, weight: int, keys: str, shape: str) -> Sign:
    return Sign(
        reason,
        weight,
        tuple(key.replace("␣", " ") for key in keys.split()),
        re.compile(shape, re.IGNORECASE | re.MULTILINE),
    )


SIGNS = tuple(_sign(*sign) for sign in _SIGNS)
