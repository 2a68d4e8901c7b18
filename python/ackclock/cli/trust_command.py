"""``ackclock trust``."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["command"]


@click.command("trust")
@click.argument("folder", metavar="DIR", required=False, type=click.Path())
@click.option("--remove", is_flag=True, help="Trust DIR no longer.")
@click.option("--list", "lists", is_flag=True, help="List the trusted folders.")
def command(folder: str | None, *, remove: bool, lists: bool) -> None:
    """Trust the folder DIR: run the Python code that scenarios and studies in it name.

    A scenario that others wrote can name a Python class (python:MODULE:CLASS). ackclock runs it
    only if the scenario's folder is trusted, and never in a command that only looks. Trust covers
    the folders below DIR and lasts until --remove. Read the code first.

    \b
    Examples:
      ackclock trust .
      ackclock trust --list
      ackclock trust mine --remove
    """  # noqa: D301
    from ackclock.messages import clean
    from ackclock.runtime.permission import trust, trust_of_user

    known = trust_of_user()
    if lists:
        if folder is not None or remove:
            raise click.UsageError("--list shows all folders: leave out DIR and --remove")
        if known.doubt:
            click.echo(clean(known.doubt), err=True)
        for place in known.folders:
            click.echo(clean(place))
        return
    if folder is None:
        raise click.UsageError("missing DIR, the folder to trust, or --list")
    if remove:
        click.echo(f"no longer trusted: {clean(str(known.remove(Path(folder))))}")
    else:
        click.echo(f"trusted: {clean(str(trust(folder)))}")
