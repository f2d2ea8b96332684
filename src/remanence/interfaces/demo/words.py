"""The words of the demo: four projects with their parts, the people around them, and what may be said of each.

All of it is invented. People have first names and roles only. In a pattern `{part}`, `{person}` and the like stand for
words of the lists here; patterns are short and their slots many, so that two sentences of one pattern are seldom taken
for two versions of one statement.
"""

from __future__ import annotations

from collections.abc import Mapping

OWNER = "Noor"
"""Whom the agent works for."""

PEOPLE: Mapping[str, str] = {
    "Priya": "leads the backend work of Atlas",
    "Jonas": "runs operations and is on call every other week",
    "Yuki": "designs the screens of Atlas and Lantern",
    "Ines": "decides what Harbor ships next",
    "Mateo": "writes the importers of Harbor",
    "Hanna": "answers customers and brings their bug reports",
    "Felix": "keeps the sensors of Lantern running",
}

API, WEB, HARBOR, LANTERN = "/project/atlas/api", "/project/atlas/web", "/project/harbor", "/project/lantern"
USER, TEAM = "/user", "/team"

PARTS: Mapping[str, tuple[str, ...]] = {
    API: (
        "route planner", "order queue", "token check", "price cache", "webhook sender", "address search",
        "rate limiter", "invoice job", "audit trail", "health endpoint", "tariff table", "retry worker",
    ),
    WEB: (
        "map view", "login form", "driver list", "dark theme", "export dialog", "service worker", "date picker",
        "onboarding tour", "error banner", "settings page",
    ),
    HARBOR: (
        "manifest parser", "container index", "customs feed", "berth calendar", "tide table", "CSV importer",
        "duplicate finder", "nightly sync", "crane log", "quota report",
    ),
    LANTERN: (
        "sensor bridge", "meter reader", "forecast chart", "alarm rule", "firmware updater", "battery gauge",
        "pairing wizard", "history file",
    ),
}  # fmt: skip
"""What each project is made of, by its scope."""

TICKETS: Mapping[str, str] = {API: "AT", WEB: "AT", HARBOR: "HB", LANTERN: "LN"}
SERVICES = ("Redis", "PostgreSQL", "Grafana", "Kafka", "Beacon", "Quill", "Sentry", "Nginx")
"""Some everybody knows; Beacon signs people in and Quill sends mail, both made up."""
CATEGORIES = ("backend", "frontend", "database", "release", "testing", "performance", "security", "support", "design")

SLOTS: Mapping[str, tuple[str, ...]] = {
    "person": tuple(PEOPLE),
    "service": SERVICES,
    "when": (
        "after a restart", "under load", "on slow phones", "at midnight", "with an empty cart", "behind a proxy",
        "when the clock changes", "in the second run", "with two tabs open", "after a long pause", "on the first visit",
        "with very long names", "without a network", "while a backup runs",
    ),
    "trouble": (
        "times out", "loses the last row", "shows yesterday's numbers", "answers twice", "forgets the filter",
        "sorts the wrong way", "leaks a connection", "blocks the queue", "rounds down", "drops accents",
        "ends in a blank page", "counts one too many", "keeps the old token", "ignores the time zone",
    ),
    "habit": (
        "keeps its state in {service}", "waits for {service} before it starts", "asks {service} at most once a minute",
        "falls back to the last good copy when {service} is away", "writes one line a request for {service}",
        "treats an empty answer as an error", "rounds times to full minutes", "sorts by arrival, never by name",
        "skips rows without an id", "is the only writer of its table", "reads its limits from a file beside it",
        "runs in a thread of its own", "checks its input twice", "speaks UTC everywhere", "was rewritten in Rust",
        "is built on the same schema as the {other}", "hands big jobs over to the {other}", "logs no names",
        "sends its events through Kafka", "keeps thirty days and no more",
    ),
    "reason": (
        "so that a restart loses nothing", "since {person} saw it time out", "because the phone app counts on it",
        "as agreed with {person}", "until {ticket} is closed", "which {person} measured under load",
        "because two writers once met there", "so that the report adds up", "after the outage in the spring",
        "because {service} is slow in the morning", "to spare the {other}", "which customers asked {person} for",
        "so that tests need no network", "because the law wants it so", "while {person} looks for a better way",
    ),
    "choice": (
        "plain SQL over another layer", "one table a tenant", "feature flags in {service}", "weekly releases",
        "snapshots in place of fixtures", "server-side paging", "a queue in place of a cron job", "signed cookies",
        "an index on the arrival date", "uploads in parts", "Markdown for all notes", "one retry and no more",
        "optimistic locking", "a read-only replica", "small pull requests", "structured logs",
    ),
    "doing": (
        "reviewed", "measured", "cleaned up", "documented", "broke and mended", "renamed", "profiled", "explained",
        "split in two", "tested by hand", "showed to a customer", "sketched anew",
    ),
    "mood": (
        "and was pleased with it", "and found little to change", "over two cups of coffee", "late in the afternoon",
        "while the build was red", "between two calls", "and wants a second look", "from the train",
        "with the window open", "and wrote nothing down", "after lunch", "on the shared screen",
    ),
    "step": (
        "write the failing test", "ask {person}", "measure it again", "rename the column", "update the notes",
        "look at the logs in {service}", "split the commit", "wait for the review", "remove the flag", "tell {person}",
    ),
}  # fmt: skip
"""What a slot may be filled with, beside those that depend on the project."""

PATTERNS: Mapping[str, tuple[str, ...]] = {
    "fact": (
        "The {part} {habit} {reason}.",
        "{person} owns the {part}, which {habit}.",
        "{service} stands behind the {part} and the {other} {reason}.",
        "The {part} was made for {person} and {habit}.",
    ),
    "decision": (
        "We settled on {choice} for the {part} {reason}.",
        "{person} and {owner} chose {choice} where the {part} meets the {other}.",
        "The {part} gets {choice} with {ticket}, {reason}.",
    ),
    "bug": (
        "The {part} {trouble} {when}; {person} saw it as {ticket}.",
        "{ticket}: {when} the {part} {trouble}, and the {other} shows it.",
        "{person} reports that the {part} {trouble} {when}.",
    ),
    "observation": (
        "{person} {doing} the {part} {mood}.",
        "{person} {doing} the {part}, {mood}, for {ticket} and the {other}.",
        "{person} {doing} the {part} and the {other} {mood}.",
        "{service} was slow {when}, and {person} noticed {mood}.",
    ),
    "tool_output": (
        "pytest tests/test_{file}.py: {a} passed, {b} failed in {c} s",
        "git log src/{file}.py: {a} commits, the last by {person} for {ticket}",
        "rg '{file}' src: {a} matches in {b} files while looking into {ticket}",
        "docker stats {service}: {a} MB, {b} % of a core while the {part} ran",
    ),
    "session_state": (
        "Working on {ticket} in the {part}: {b} of {a} tests green, next {step}.",
        "Branch {ticket}-{file} is open; {step}, then {step2}.",
        "Stopped in the middle of the {part} {when}; {step} first.",
    ),
    "workflow": (
        "To release the {part}: {step}, {step2}, then tag it for {ticket}.",
        "Before the {part} is touched: {step}, and {step2} {reason}.",
    ),
    "architecture": (
        "The {part} talks to the {other} through {service} only, and {habit}.",
        "Between the {part} and {service} stands the {other}, which {habit}.",
    ),
    "pattern": (
        "Who changes the {part} changes the {other} as well, {reason}.",
        "Failures of the {part} {when} come from {service} more often than from the {other}.",
    ),
    "gotcha": (
        "Mind that the {part} {trouble} {when} unless {service} is up.",
        "{when}, the {part} {trouble}: {step} first.",
    ),
    "lesson": (
        "Changing the {part} {when} costs a day: {step} first.",
        "The {part} {trouble} when {service} restarts, so {step} before that.",
        "A test of the {part} that needs {service} is flaky; fake the {other} there.",
    ),
}
"""Sentences of each kind; the kinds are the product's own."""
