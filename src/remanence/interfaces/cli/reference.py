"""The reference page of the command line, written from the commands themselves."""

from __future__ import annotations

from inspect import cleandoc

import click

from remanence.interfaces.cli.app import rem

_HEAD = """# Command line

Written by `python -m remanence.interfaces.cli.reference`; do not edit.

Every command takes `--json` (one JSON document on standard output, errors as JSON on standard error), `--db PATH` and
`--namespace NAME`, before or after its name. Exit codes: 0 done, 1 failed, 2 bad input, 3 not found.

Inside a git folder, `rem remember` gives a new memory the scope `/project/NAME` of that folder; `--scope` wins. Reading
commands look everywhere; `--here` keeps to the folder's scope.
"""
_COMMON = ("as_json", "db", "namespace")


def page() -> str:
    """The page as Markdown."""
    sections = []
    for name, command in rem.commands.items():
        sections.append(_section(name, command))
        inner = command.commands if isinstance(command, click.Group) else {}
        sections += (_section(f"{name} {word}", one) for word, one in inner.items())
    return "\n".join([_HEAD, *sections])


def _section(name: str, command: click.Command) -> str:
    context = click.Context(command, info_name=f"rem {name}")
    usage = " ".join(piece for piece in command.collect_usage_pieces(context) if piece != "[OPTIONS]")
    lines = [f"## rem {name}", "", cleandoc(command.help or ""), "", "```", f"rem {name} {usage}".strip(), "```", ""]
    options = [p for p in command.params if isinstance(p, click.Option) and p.name not in _COMMON]
    if options:
        lines += ["| option | |", "|---|---|", *(_row(option) for option in options), ""]
    return "\n".join(lines)


def _row(option: click.Option) -> str:
    names = ", ".join((*option.opts, *option.secondary_opts))
    notes = [option.help or ""]
    if isinstance(option.type, click.Choice):
        notes.append("One of " + ", ".join(map(str, option.type.choices)) + ".")
    if option.show_default and option.default is not None:
        notes.append(f"Default: {option.default}.")
    if option.multiple:
        notes.append("May be given several times." if "several times" not in notes[0] else "")
    return f"| `{names}` | {' '.join(filter(None, notes))} |"


if __name__ == "__main__":
    print(page(), end="")
