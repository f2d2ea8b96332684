"""db: what whoever keeps a PostgreSQL database does with the store in it."""

from __future__ import annotations

from contextlib import AbstractContextManager, closing
from typing import TYPE_CHECKING, Any

import click

from remanence.interfaces.cli.listing import Family, list_commands
from remanence.interfaces.cli.words import many, safe

if TYPE_CHECKING:
    from remanence.interfaces.cli.app import Door


def _keeper(door: Door) -> AbstractContextManager[Any]:
    from remanence import settings
    from remanence.opening import administration

    settled = settings.load({} if door.db is None else {"db": door.db})
    return closing(administration(settled.location(), settled))


@click.group("db", cls=Family, invoke_without_command=True)
@click.pass_context
def db(context: click.Context) -> None:
    """A store in PostgreSQL: make it, check it, let others in, spread it over more machines."""
    list_commands(context)


@db.command("init")
@click.option("--partitions", type=int, help="Cut each table of a new store into so many, by namespace; else into one.")
@click.pass_obj
def init(door: Door, partitions: int | None) -> None:
    """Make the store, or bring it up to date."""
    with _keeper(door) as keeper:
        made = keeper.init(partitions)
    if door.as_json:
        door.say(made)
        return
    done = "Made" if made["made"] else "It is there already"
    cut = "one partition" if made["partitions"] == 1 else f"{made['partitions']:,} partitions"
    click.echo(f"{done}: schema {made['schema']}, {cut} a table")
    click.echo("Look at it with: rem db check; let a role in with: rem db grant ROLE NAMESPACE")


@db.command("check")
@click.option("--repair", is_flag=True, help="Make indexes that are missing.")
@click.pass_obj
def check(door: Door, repair: bool) -> int:
    """What the server gives the store, and what is missing; what memories themselves say, rem check looks at."""
    from remanence.interfaces.cli.doctor import show_findings

    with _keeper(door) as keeper:
        made = keeper.repair() if repair else []
        findings = keeper.findings()
    if door.as_json:
        door.say({"ok": all(one.ok for one in findings), "findings": [one.to_dict() for one in findings], "made": made})
    else:
        for one in made:
            click.echo(f"made {one}")
        show_findings(findings)
    return 0 if all(one.ok for one in findings) else 1


@db.command("vacuum-advice")
@click.pass_obj
def vacuum_advice(door: Door) -> None:
    """Which tables have more dead rows than they should, and the statement for each."""
    with _keeper(door) as keeper:
        found = keeper.advice()
    if door.as_json:
        door.say([one.to_dict() for one in found])
        return
    for one in found:
        click.echo(f"{one.table}: {one.why} ({one.dead:,} dead, {one.rows:,} live, {one.bytes:,} bytes)")
        click.echo(f"    {one.statement}")
    if not found:
        click.echo("No table needs anything: autovacuum keeps up.")


@db.command("grant")
@click.argument("role")
@click.argument("namespaces", nargs=-1, required=True)
@click.pass_obj
def grant(door: Door, role: str, namespaces: tuple[str, ...]) -> None:
    """Let a role of the server use namespaces, beside those it may use already."""
    with _keeper(door) as keeper:
        may_use = keeper.grant(role, namespaces)
    if door.as_json:
        door.say({"role": role, "namespaces": list(namespaces), "may_use": may_use})
    elif may_use is None:
        click.echo(safe(f"{role} may use every namespace: it is a superuser, has BYPASSRLS, or owns the store"))
    else:
        click.echo(safe(f"{role} may use {', '.join(may_use)}, and no other namespace"))


@db.command("revoke")
@click.argument("role")
@click.argument("namespaces", nargs=-1, required=True)
@click.pass_obj
def revoke(door: Door, role: str, namespaces: tuple[str, ...]) -> None:
    """Take namespaces from a role."""
    with _keeper(door) as keeper:
        number = keeper.revoke(role, namespaces)
    door.say(
        {"role": role, "revoked": number} if door.as_json else safe(f"{many(number, 'namespace')} taken from {role}")
    )


@db.command("distribute")
@click.option("--dry-run", is_flag=True, help="Show the statements alone.")
@click.pass_obj
def distribute(door: Door, dry_run: bool) -> int:
    """Spread the tables over the nodes of a Citus cluster, by namespace."""
    with _keeper(door) as keeper:
        done = keeper.distribute(dry_run=dry_run)
    if door.as_json:
        door.say(done)
    else:
        click.echo(done["why"])
        if dry_run or not done["distributed"]:
            for statement in done["statements"]:
                click.echo(f"    {statement};")
    return 0 if done["distributed"] or dry_run else 1


COMMANDS = (db,)
