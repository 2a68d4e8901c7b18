"""``ackclock study list``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ackclock.cli.output import format_option, print_tables
from ackclock.cli.terminal import json_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.studies.tools.listing import Outline
    from ackclock.tables.table import Table

__all__ = ["command"]


@click.command("list", short_help="List the studies that are installed.")
@format_option
def command(*, form: str | None, as_json: bool) -> None:
    """List the installed studies: paper, claims, questions, experiments, approximate time here.

    \b
    Examples:
      ackclock study list
      ackclock study list --json
    """  # noqa: D301
    from ackclock.cli.progress import messages
    from ackclock.studies.registered import NONE_INSTALLED, find_study, studies
    from ackclock.studies.tools.listing import outline_of

    with messages(quiet=False).status("estimating times"):
        rows = [outline_of(find_study(name)) for name in studies()]
    if not rows:
        click.echo(f"ackclock: {NONE_INSTALLED}", err=True)
    if as_json:
        click.echo(json_text([row.to_dict() for row in rows]))
    elif form is not None:
        print_tables({"studies": _table(rows)}, form)
    elif rows:
        _show(rows)


_HEADINGS = ("claims", "questions", "sweeps", "quick", "full")


def _table(rows: Sequence[Outline]) -> Table:
    """The studies with their size; times are on this machine, s."""
    from ackclock.tables.table import Column, Table

    columns = [
        Column("study", [row.name for row in rows]),
        Column("paper", [row.paper for row in rows]),
        Column("claims", [row.claims for row in rows]),
        Column("questions", [row.questions for row in rows]),
        Column("sweeps", [row.experiments for row in rows]),
        Column("quick", [row.quick_seconds for row in rows], "s"),
        Column("full", [row.full_seconds for row in rows], "s"),
    ]
    return Table.of("studies", "Studies", columns, names=2)


def _show(rows: Sequence[Outline]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from ackclock.cli.console import Console
    from ackclock.engine.cost_model import lasting

    console = Console()
    width = max(len(row.name) for row in rows)
    console.print(
        Text(
            "  ".join(["study".ljust(width), *(f"{heading:>9}" for heading in _HEADINGS)]), "bold"
        ),
        soft_wrap=True,
    )
    for row in rows:
        cells = (
            f"{row.claims}",
            f"{row.questions}",
            f"{row.experiments}",
            lasting(row.quick_seconds),
            lasting(row.full_seconds),
        )
        console.print(
            Text.assemble((row.name.ljust(width), "bold"), *(f"  {cell:>9}" for cell in cells)),
            soft_wrap=True,
        )
        console.print(Padding(Text(row.paper, "dim"), (0, 0, 0, 2)))
