"""The commands of `rem`, built from the table of verbs, and the door they go through: options, errors, exit codes.

Every command takes --json, --db and --namespace, before or after its name. Heavy modules are imported only once a
command really runs, so that `rem --help` stays quick.
"""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

import remanence
from remanence.errors import InvalidInput, RemanenceError
from remanence.interfaces.cli import (
    absorbing,
    ageing,
    bench,
    care,
    codebase,
    connecting,
    consolidating,
    databases,
    demo,
    dreaming,
    guarding,
    guiding,
    hooking,
    looking_back,
    mcp_door,
    moving,
    naming,
    recalling,
    serving,
    sessions,
    special,
    tokens,
    working,
)
from remanence.interfaces.cli.listing import BEGIN, Commands
from remanence.interfaces.parameters import Parameter
from remanence.interfaces.verbs import VERBS, Verb
from remanence.interfaces.wire import exit_code
from remanence.model.checks import TEXT_BYTES

if TYPE_CHECKING:
    from remanence.mind import Mind

_LOG = logging.getLogger("remanence")


@dataclass(slots=True)
class Door:
    """What the common options say."""

    as_json: bool = False
    db: str | None = None
    namespace: str | None = None

    def mind(self) -> Mind:
        """The store's mind; nothing is looked after before a command has done what it was asked."""
        from remanence.mind import Mind

        return Mind(self.db, namespace=self.namespace, settings={"upkeep": {"on_open": False}})

    def look_after(self, mind: Mind) -> None:
        """After a verb of everyday use: upkeep of an overdue store, unless a setting says no."""
        from remanence import settings

        if settings.load().upkeep__on_open:
            with suppress(RemanenceError):
                mind.sessions.drain()
                mind.upkeep(if_overdue=True)

    def say(self, value: Any, mind: Mind | None = None) -> None:
        """Print an answer; where `mind` found nothing since it holds nothing at all, that, and how to begin."""
        from remanence.interfaces.cli import output

        if self.as_json:
            output.write_json(value)
        elif value == [] and mind is not None and mind.count(state="all") == 0:
            output.nothing(self.db, self.namespace)
        else:
            output.show(value, output.console())


_JSON = "Print one JSON document."
_STORE = "The store: a file, postgresql://… or http://…; default: memory.db in your data folder."
_NAMESPACE = "The namespace, a wall between tenants; default: default."


def common(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options every command has."""
    for option in (
        click.option("--json", "as_json", is_flag=True, expose_value=False, callback=_keep, help=_JSON),
        click.option("--db", metavar="PATH", expose_value=False, callback=_keep, help=_STORE),
        click.option("--namespace", metavar="NAME", expose_value=False, callback=_keep, help=_NAMESPACE),
    ):
        command = option(command)
    return command


def _keep(context: click.Context, option: click.Parameter, value: Any) -> Any:
    door = context.ensure_object(Door)
    if value is not None and value is not False:
        setattr(door, str(option.name), value)
    return value


@click.group(
    cls=Commands, epilog=BEGIN, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(remanence.__version__, prog_name="rem")
@common
def rem() -> None:
    """Memory for AI agents that knows how to forget."""


def _option(parameter: Parameter) -> click.Parameter:
    kind: Any = click.Choice(parameter.choices) if parameter.choices else _FORMS.get(parameter.form, str)
    if parameter.positional:
        return click.Argument(
            [parameter.name], type=kind, required=parameter.required, nargs=-1 if parameter.many else 1
        )
    flags = [f"--{name.replace('_', '-')}" for name in (parameter.name, *parameter.aliases)]
    if parameter.form == "either":
        return click.Option(
            [f"{flags[0]}/--no-{flags[0][2:]}", parameter.name], is_flag=True, default=None, help=parameter.help
        )
    if parameter.form == "flag":
        names = [f"{flags[0]}/--no-{flags[0][2:]}"] if parameter.default else flags
        return click.Option(
            [*names, parameter.name], is_flag=True, default=bool(parameter.default), help=parameter.help
        )
    return click.Option(
        [*flags, parameter.name],
        type=kind,
        multiple=parameter.many,
        default=parameter.default,
        required=parameter.required,
        show_default=parameter.default is not None,
        help=parameter.help + (" May be given several times." if parameter.many else ""),
    )


class _Number(click.ParamType):
    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            return float(value)
        except ValueError:
            self.fail(f"{value!r} is not a number", param, ctx)


class _Moment(click.ParamType):
    name = "when"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        from remanence.model.moment import parse_moment

        try:
            return value if isinstance(value, datetime) else parse_moment(value)
        except ValueError as reason:
            self.fail(str(reason), param, ctx)


class _Json(click.ParamType):
    name = "json"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return value if isinstance(value, dict) else json.loads(value)
        except (ValueError, RecursionError) as reason:
            self.fail(f"not JSON: {reason}", param, ctx)


_FORMS: dict[str, Any] = {"number": _Number(), "integer": int, "moment": _Moment(), "json": _Json()}


def arguments_of(verb: Verb, given: dict[str, Any]) -> dict[str, Any]:
    """What was given, as the library takes it; what was not given is left to the library's default."""
    arguments: dict[str, Any] = {}
    for parameter in verb.parameters:
        value = given.get(parameter.name)
        if parameter.many:
            value = list(value or ()) or None
        if parameter.form == "flag" and value == bool(parameter.default):
            continue
        if value is not None:
            arguments[parameter.name] = read_in(value, TEXT_BYTES) if parameter.name in ("text", "query") else value
    return arguments


def read_in(text: str, most_bytes: int = -1) -> str:
    """The text itself, or all of standard input for '-', if that is not too much."""
    if text != "-":
        return text
    read = sys.stdin.buffer.read(most_bytes if most_bytes < 0 else most_bytes + 3)
    if 0 <= most_bytes < len(read) - 2:
        raise InvalidInput(f"standard input is longer than {most_bytes} bytes; 'rem absorb --file -' reads it in parts")
    try:
        return read.decode().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as reason:
        raise InvalidInput(f"standard input is not UTF-8: {reason.reason} at byte {reason.start}") from None


def _command(verb: Verb, run: Callable[[Door, Verb, dict[str, Any]], Any]) -> click.Command:
    @click.pass_obj
    def callback(door: Door, **given: Any) -> None:
        run(door, verb, given)

    command = click.Command(verb.name, callback=callback, help=verb.help, params=[_option(p) for p in verb.parameters])
    return common(command)  # type: ignore[return-value]


def plainly(door: Door, verb: Verb, given: dict[str, Any]) -> None:
    """Call the verb and print its answer."""
    with door.mind() as mind:
        arguments = arguments_of(verb, given)
        door.say(verb.call(mind, arguments), mind)


def _extend(command: click.Command, options: Sequence[click.Option], optional: Sequence[str]) -> None:
    command.params.extend(options)
    for parameter in command.params:
        if parameter.name in optional:
            parameter.required = False


def run(arguments: Sequence[str]) -> int:
    """Run a command line; its exit code: 0 done, 1 failed, 2 bad input, 3 not found."""
    as_json = "--json" in arguments
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        result = rem.main(list(arguments) or ["--help"], prog_name="rem", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except (click.Abort, KeyboardInterrupt) as end:
        if isinstance(end, click.Abort) and not isinstance(end.__cause__, KeyboardInterrupt):
            return _fail({"error": "stopped", "message": "Nothing was changed."}, 1, as_json)  # the answer was no
        message = "Stopped. What was acknowledged before is kept; see: rem journal"
        return _fail({"error": "stopped", "message": message}, 1, as_json)
    except click.ClickException as error:
        message = " ".join(error.format_message().split())
        message = message if message.endswith((".", "?", "?)")) else f"{message}."
        hint = f" See: {error.ctx.command_path} --help" if isinstance(error, click.UsageError) and error.ctx else ""
        return _fail({"error": "invalid_input", "message": message + hint, "problems": [message]}, 2, as_json)
    except RemanenceError as error:
        return _fail(error.to_dict(), exit_code(error), as_json)
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except Exception as error:  # the door: nothing may leave as a traceback
        _LOG.debug("unexpected error", exc_info=True)
        message = f"Unexpected {type(error).__name__}: {error}. This is a defect of remanence; please report it"
        return _fail({"error": "failed", "message": message}, 1, as_json)


def _fail(problem: dict[str, Any], code: int, as_json: bool) -> int:
    if as_json:
        text = json.dumps(problem, ensure_ascii=True)
    else:
        from remanence.interfaces.cli.words import safe

        text = f"Error: {safe(str(problem['message']))}"
    sys.stderr.write(text + "\n")
    return code


_RUNS = special.RUNS | ageing.RUNS | absorbing.RUNS | looking_back.RUNS
_OPTIONS = special.OPTIONS | ageing.OPTIONS | absorbing.OPTIONS
_OPTIONAL = special.OPTIONAL | absorbing.OPTIONAL
for _verb in VERBS:
    rem.add_command(_command(_verb, _RUNS.get(_verb.name, plainly)))
    _extend(rem.commands[_verb.name], _OPTIONS.get(_verb.name, ()), _OPTIONAL.get(_verb.name, ()))
_LATER = (
    ageing,
    dreaming,
    consolidating,
    working,
    naming,
    codebase,
    sessions,
    guiding,
    hooking,
    connecting,
    serving,
    mcp_door,
    tokens,
    recalling,
    guarding,
    care,
    demo,
    databases,
    moving,
)
for _more in (command for module in _LATER for command in module.COMMANDS):
    rem.add_command(common(_more))  # type: ignore[arg-type]
    for _inner in _more.commands.values() if isinstance(_more, click.Group) else ():
        common(_inner)
bench.register(rem, common)
