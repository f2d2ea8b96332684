"""Commands of ageing: sweep, dedup, explain, forecast, work, and the policies."""

from __future__ import annotations

import os
import select
import signal
import sys
from typing import TYPE_CHECKING, Any

import click

from remanence.interfaces.cli import backtesting, learning
from remanence.interfaces.cli.listing import Family, list_commands
from remanence.interfaces.cli.words import many, safe
from remanence.interfaces.verbs import Verb

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door
    from remanence.interfaces.working import Served

_BETWEEN_RUNS_SECONDS = 60.0


def planned(door: Door, verb: Verb, given: dict[str, Any]) -> None:
    """Show the plan of a sweep or dedup; with --apply, apply it."""
    from remanence.interfaces.cli import fates, output
    from remanence.interfaces.cli.app import arguments_of

    apply, force = given.pop("apply"), given.pop("force")
    arguments = arguments_of(verb, given)
    with door.mind() as mind:
        if verb.name == "sweep":
            with output.progress("Dating", quiet=door.as_json) as progress:
                plan = mind.sweep(**arguments, progress=progress)
        else:
            plan = verb.call(mind, arguments)
        if not door.as_json:
            fates.plan(plan, output.console(), mind.get, applying=apply)
        if apply:
            door.say(mind.apply(plan, force=force))
        elif door.as_json:
            door.say(plan)


def explained(door: Door, verb: Verb, given: dict[str, Any]) -> None:
    """Explain, with a small plot; --svg and --html write files."""
    from remanence.interfaces import plots
    from remanence.interfaces.cli import fates, output
    from remanence.interfaces.cli.words import one_line

    svg, html = given.pop("svg"), given.pop("html")
    with door.mind() as mind:
        told = mind.explain(given["id"])
        memory = mind.get(given["id"])
    if svg:
        output.write_file(svg, plots.curve_svg(told))
    if html:
        output.write_file(html, plots.explanation_page(told, one_line(memory.text)))
    if door.as_json:
        door.say(told)
    else:
        fates.explanation(told, memory, output.console())


def forecasted(door: Door, verb: Verb, given: dict[str, Any]) -> None:
    """Forecast, with a plot of the days; --svg and --html write files."""
    from remanence.interfaces import plots
    from remanence.interfaces.cli import output
    from remanence.interfaces.cli.app import arguments_of

    svg, html = given.pop("svg"), given.pop("html")
    with door.mind() as mind, output.progress("Looking ahead", quiet=door.as_json) as progress:
        forecast = mind.forecast(**arguments_of(verb, given), progress=progress)
    if svg:
        output.write_file(svg, plots.forecast_svg(forecast))
    if html:
        output.write_file(html, plots.forecast_page(forecast))
    door.say(forecast)


@click.command("work")
@click.option("--once", is_flag=True, help="Do what is due now and stop: for cron or a timer.")
@click.option("--all", "every", is_flag=True, help="Every namespace, together with any number of other workers.")
@click.pass_obj
def work(door: Door, once: bool, every: bool) -> int:
    """Look after the store: sweep what is due, once, or at every interval until stopped; process sessions meanwhile."""
    if every:
        return _work_for_all(door, once=once)
    from remanence import settings
    from remanence.interfaces.cli import output
    from remanence.model.duration import duration

    # A pipe: an event's own lock may be held by the very thread that a signal interrupts.
    told, tell = os.pipe()
    if not once:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: os.write(tell, b"."))
    try:
        while True:
            with door.mind() as mind, output.progress("Working", quiet=door.as_json) as progress:
                report = mind.upkeep(progress=progress)
            door.say(report)
            chosen = settings.load()
            left = duration(chosen.upkeep__interval).total_seconds()
            while not once and left > 0:
                pause = min(left, _BETWEEN_RUNS_SECONDS) if chosen.memories__enabled else left
                if select.select([told], [], [], pause)[0]:
                    return 0
                left -= pause
                if chosen.memories__enabled and left > 0:
                    _process(door)
            if once:
                return 0
    finally:
        os.close(told)
        os.close(tell)


def _work_for_all(door: Door, *, once: bool) -> int:
    """One worker among others; what each namespace got is a line, or with --once --json one document."""
    from remanence import settings
    from remanence.interfaces.working import Worker

    settled = settings.load({} if door.db is None else {"db": door.db})
    worker = Worker(settled.location(), settled, only=None if door.namespace is None else [door.namespace])
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: worker.stop())
    served: list[Served] = []

    def told(one: Served) -> None:
        served.append(one)
        if not once:
            _say_served(door, one)
            served.clear()

    try:
        (worker.once if once else worker.run)(told)
    finally:
        worker.close()
    if once and door.as_json:
        door.say({"served": [one.to_dict() for one in served]})
    elif once:
        for one in served:
            _say_served(door, one)
        click.echo(f"{many(len(served), 'namespace')} looked after")
    return 0


def _say_served(door: Door, one: Served) -> None:
    if door.as_json:
        door.say(one.to_dict())
    else:
        left = 0 if one.report is None else one.report.archived + one.report.forgotten
        click.echo(safe(f"{one.namespace}: {left:,} left recall, {one.embedded:,} embedded"))
    sys.stdout.flush()


def _process(door: Door) -> None:
    """Process the sessions that are ready; told where there were any."""
    with door.mind() as mind:
        done = mind.sessions.run()
    if done.processed or done.written or done.failed:
        door.say(done)


@click.group("policy", cls=Family, invoke_without_command=True)
@click.pass_context
def policy(context: click.Context) -> None:
    """The rules by which memories age: look at them, compare them, choose them."""
    list_commands(context)


@policy.command("list")
@click.pass_obj
def list_policies(door: Door) -> None:
    """The presets, and the policy in force."""
    with door.mind() as mind:
        found = mind.policies.list()
    if door.as_json:
        door.say(found)
        return
    for entry in found:
        off = "" if entry["enabled"] else " (sweeps are switched off)"
        click.echo(safe(f"{'*' if entry['current'] else ' '} {entry['name']:<12} {entry['about']}{off}"))
    click.echo("Look at one with: rem policy show NAME; choose one with: rem policy use NAME")


@policy.command("show")
@click.argument("name", required=False)
@click.option("--yaml", "as_yaml", is_flag=True, help="As a file you can change: rem policy show --yaml > mine.yml")
@click.pass_obj
def show_policy(door: Door, name: str | None, as_yaml: bool) -> None:
    """A policy in words and numbers; the one in force when none is named."""
    from remanence.interfaces.cli import fates, output

    with door.mind() as mind:
        found = mind.policies.show(name)
        if as_yaml:
            click.echo(safe(mind.policies.yaml(found)), nl=False)
            return
        regrets = name is None and not door.as_json and found.number("regret_gain", 0.0) > 0
        slowed = mind.stats().slowed if regrets else {}
    if door.as_json:
        door.say(found)
    else:
        fates.policy(found, output.console(), slowed)


@policy.command("check")
@click.argument("path")
@click.pass_obj
def check_policy(door: Door, path: str) -> None:
    """Read a policy file and name every problem, with line and allowed range."""
    from remanence.policies.reading import named

    found = named(path)
    rules = f"{len(found.rules)} rules, {len(found.targets)} targets"
    door.say({"ok": True, "name": found.name} if door.as_json else f"OK: {safe(found.name)}, {rules}")


@policy.command("diff")
@click.argument("one")
@click.argument("other", required=False)
@click.pass_obj
def diff_policies(door: Door, one: str, other: str | None) -> None:
    """Where two policies differ; the second is the one in force when left out."""
    from remanence.interfaces.cli import fates, output

    with door.mind() as mind:
        found = mind.policies.diff(one, other)
        against = mind.policies.show(other).name
    if door.as_json:
        door.say(found)
        return
    if not found:
        click.echo(safe(f"{one} and {against} are the same"))
        return
    fates.differences(found, one, against, output.console())


@policy.command("use")
@click.argument("name")
@click.option("--force", is_flag=True, help="Even if its first sweep would take more than a fifth of a scope.")
@click.pass_obj
def use_policy(door: Door, name: str, force: bool) -> None:
    """Make a preset, or a file, the policy of this store; every memory is dated anew."""
    from remanence.interfaces.cli import output

    with door.mind() as mind, output.progress("Dating", quiet=door.as_json) as progress:
        used = mind.policies.use(name, force=force, progress=progress)
    door.say(used if door.as_json else safe(str(used)))


@policy.command("reviewed")
@click.argument("name", type=click.Choice(["historical", "archive"]))
@click.pass_obj
def reviewed(door: Door, name: str) -> None:
    """Note that you have looked at what a policy wants looked at: old memories, or the archive."""
    with door.mind() as mind:
        mind.policies.reviewed(name)
    door.say({"reviewed": name} if door.as_json else f"The {name} review is noted.")


policy.add_command(backtesting.backtest)
policy.add_command(learning.learn)

_APPLY = click.Option(["--apply", "apply"], is_flag=True, help="Do it; without, the plan is only shown.")
_FORCE = click.Option(["--force", "force"], is_flag=True, help="Even if it takes more than a fifth of a scope.")
_FILES = (
    click.Option(["--svg"], metavar="FILE", help="Write the plot as SVG."),
    click.Option(["--html"], metavar="FILE", help="Write a page with the plot."),
)
RUNS = {"sweep": planned, "dedup": planned, "explain": explained, "forecast": forecasted}
OPTIONS: dict[str, tuple[click.Option, ...]] = {
    "sweep": (_APPLY, _FORCE),
    "dedup": (_APPLY, _FORCE),
    "explain": _FILES,
    "forecast": _FILES,
}
COMMANDS = (work, policy)
