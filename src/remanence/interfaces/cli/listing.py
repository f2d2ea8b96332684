"""How `rem --help` lists the commands: in groups by what one wants to do, each in a line; and those of one subject."""

from __future__ import annotations

import click

BEGIN = """Begin with: rem remember "Deploys need a green build", rem recall "what do deploys need", rem doctor.
rem COMMAND --help says what a command takes."""
SECTIONS: dict[str, tuple[str, ...]] = {
    "Remember and recall": (
        "remember",
        "recall",
        "context",
        "extract",
        "absorb",
        "show",
        "list",
        "count",
        "counts",
        "revise",
    ),
    "Let go and bring back": ("forget", "restore", "purge", "undo"),
    "One memory by hand": ("pin", "unpin", "promote", "demote", "confirm", "challenge", "used", "feedback"),
    "Ask why": ("explain", "forecast", "history", "lineage", "receipts", "journal", "past", "stats"),
    "Ageing and dreams": ("sweep", "dedup", "policy", "dream", "consolidate", "compact", "work"),
    "Work and knowledge": ("action", "crystallize", "lesson", "entities", "entity", "ingest"),
    "Agents and sessions": ("connect", "session", "memory", "read", "hook", "mcp", "import"),
    "Look and serve": ("page", "serve", "token", "demo"),
    "Review and care": ("review", "scan", "check", "reembed", "export", "backup", "doctor", "config", "completion"),
    "More than one machine": ("db", "migrate"),
    "Measure": ("bench",),
}


class Commands(click.Group):
    """A group whose commands keep the order of the table, and are listed in sections."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.commands))
        for title, names in SECTIONS.items():
            with formatter.section(title):
                left = formatter.width - width - 6
                formatter.write_dl([(n.ljust(width), brief(self.commands[n].help or "", left)) for n in names])


class Family(click.Group):
    """The commands of one subject; alone it lists them."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.commands))
        with formatter.section("Commands"):
            left = formatter.width - width - 6
            formatter.write_dl([(name, brief(one.help or "", left)) for name, one in self.commands.items()])


def list_commands(context: click.Context) -> None:
    """What a family says when no command of it is named; a program that asks for JSON is told that one is missing."""
    if context.invoked_subcommand is not None:
        return
    if context.obj.as_json:
        assert isinstance(context.command, click.Group)
        raise click.UsageError(f"Missing command, one of {', '.join(context.command.commands)}.", context)
    click.echo(context.get_help())


def brief(help: str, width: int) -> str:
    """The first sentence of a help text; one that is too long for its line ends where its first clauses do."""
    first = help.split("\n\n", maxsplit=1)[0].replace("\n", " ").split(". ")[0].rstrip(".") + "."
    if len(first) <= width:
        return first
    for end in ("; ", ": ", ", "):
        if (at := first.rfind(end, 0, width)) > 0:
            return first[:at].removesuffix(", or") + "."
    return first[: width - 1].rsplit(" ", 1)[0] + " …"
