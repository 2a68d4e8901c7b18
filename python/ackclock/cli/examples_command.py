"""``ackclock examples``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ackclock.cli.errors import InputError
from ackclock.cli.options import json_option, quiet_option
from ackclock.cli.permitting import way_to_trust
from ackclock.cli.target import chosen_folder
from ackclock.cli.terminal import json_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType

    from ackclock.templates.examples import Example

__all__ = ["command"]

_HEADINGS = {
    "run": "One run: ackclock run scenarios/NAME.toml",
    "compare": "Variants side by side: ackclock compare scenarios/NAME.toml",
    "sweep": "Sweeps: ackclock sweep scenarios/NAME.toml",
}

_INDENT = 28
"""Column of the descriptions."""
_LONG_NAME = 30
"""Longest name that has its description on its line."""


@click.group("examples", invoke_without_command=True)
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """List the example scenarios that come with ackclock, copy them, or show one.

    The documentation's commands name them as scenarios/NAME.toml, which is where ackclock examples
    copy puts them.

    \b
    Examples:
      ackclock examples
      ackclock examples copy
      ackclock examples copy your-own sweeps --to mine
      ackclock examples show reno-one-flow
    """  # noqa: D301
    if ctx.invoked_subcommand is not None:
        return
    from ackclock.templates.examples import examples

    entries = examples().values()
    if as_json:
        rows = [
            {
                "name": example.name,
                "command": example.command,
                "description": example.description,
                "needs": list(example.needs),
            }
            for example in entries
        ]
        click.echo(json_text(rows))
    else:
        _list(entries)


@command.command("copy")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--to",
    "folder",
    metavar="FOLDER",
    type=click.Path(),
    help="Folder of the copies [default: scenarios].",
)
@click.option("--force", is_flag=True, help="Replace files of other content.")
@quiet_option
def copy_command(names: tuple[str, ...], folder: str | None, force: bool, quiet: bool) -> None:
    """Copy all examples into FOLDER, or the named ones with the files that they need.

    NAME is an example, or a folder of examples such as sweeps.
    """
    from ackclock.atomic_io import WriteError
    from ackclock.cli.progress import messages
    from ackclock.templates.examples import copy

    place = chosen_folder(folder, "scenarios", "--to")
    try:
        copied = copy(names, place, force=force)
    except (FileExistsError, WriteError) as error:
        raise InputError(str(error)) from None
    first = next((name for name in copied if name.endswith(".toml")), None)
    counted = f"{len(copied)} file{'' if len(copied) == 1 else 's'}"
    console = messages(quiet=quiet)
    console.print(f"Examples: {place} ({counted})", soft_wrap=True, highlight=False)
    way = way_to_trust(place)
    if way and any(name.endswith(".py") for name in copied):
        console.print(
            f"Some name Python code, and this folder is not trusted: {way}",
            soft_wrap=True,
            markup=False,
        )
    if names and first is not None:
        from ackclock.templates.examples import find

        where = (place / first).as_posix()
        console.print(f"Try: ackclock {find(first).command} {where}", soft_wrap=True)


@command.command("show")
@click.argument("name")
def show_command(name: str) -> None:
    """Print the example NAME."""
    from ackclock.templates.examples import find

    click.echo(find(name).path.read_text(encoding="utf-8"), nl=False)


def _list(examples: Iterable[Example]) -> None:
    from rich.text import Text

    from ackclock.cli.console import Console

    rows = list(examples)
    console = Console()
    for kind, heading in _HEADINGS.items():
        console.print(Text(heading, "bold"))
        # Names in a folder are long; a table of their own leaves the other tables narrow.
        by_folder: dict[str, list[Example]] = {}
        for example in rows:
            if example.command == kind:
                by_folder.setdefault(example.name.rpartition("/")[0], []).append(example)
        for alike in by_folder.values():
            console.print(_described(alike))
        console.print()
    console.print("ackclock examples copy puts them into ./scenarios.", soft_wrap=True)


def _described(rows: list[Example]) -> RenderableType:
    """Names and descriptions: beside each other, or below where names are long."""
    from rich.console import Group
    from rich.padding import Padding

    from ackclock.tables.table import Table
    from ackclock.tables.terminal import FACTS, KEPT, REST, drawn

    if max(len(example.name) for example in rows) > _LONG_NAME:
        return Group(
            *(
                part
                for example in rows
                for part in (example.name, Padding(example.description, (0, 0, 0, _INDENT)))
            )
        )
    table = Table(("", ""), [(example.name, example.description) for example in rows], 2)
    return drawn(table, FACTS, (KEPT._replace(least=_INDENT - 2), REST))
