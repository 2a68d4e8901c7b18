"""``ackclock diff``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.errors import InputError
from ackclock.cli.options import json_option
from ackclock.cli.terminal import json_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.tools.archives.diffing import Comparison, Moved, Other

__all__ = ["command", "show"]

_MOST_SHOWN = 40


@click.command("diff")
@click.argument("old", metavar="OLD", type=click.Path())
@click.argument("new", metavar="NEW", type=click.Path())
@json_option
def command(old: str, new: str, *, as_json: bool) -> None:
    """List the changes between two results of a kind: verdicts, sentences, numbers.

    OLD and NEW are folders of results or archives: two runs, two sweeps, two studies, two
    evaluations, two tests of golden cells. A number with an interval counts as moved if its old and
    its new value each lie outside of the other's.

    \b
    Examples:
      ackclock diff runs/reno-one-flow runs/with-sack
      ackclock diff buffers-2026.zip runs/buffer-size-sweep --json
    """  # noqa: D301
    from ackclock.tools.archives.archive import ArchiveError
    from ackclock.tools.archives.diffing import compare, read_parts

    try:
        (kind, before), (other, after) = (read_parts(Path(word)) for word in (old, new))
    except ArchiveError as error:
        raise InputError(str(error)) from None
    if kind != other:
        raise InputError(f"{old} is a {kind}, {new} a {other}: give two results of a kind")
    comparison = compare(before, after, values=kind != "study")
    if as_json:
        click.echo(json_text(comparison.to_dict()))
    else:
        show(comparison, kind)


def show(comparison: Comparison, kind: str) -> None:
    """Show the differences between two results of a kind."""
    for note in comparison.notes:
        click.echo(f"Note: {note}.")
    if comparison.is_empty:
        same = "claims, verdicts, sentences and numbers" if kind == "study" else "numbers"
        click.echo(f"Nothing changed: the same {same}.")
        return
    claims = "Claims " if kind == "study" else ""
    _list(f"{claims}added".capitalize(), comparison.added)
    _list(f"{claims}removed".capitalize(), comparison.removed)
    _list(
        "Verdicts",
        [
            f"{_named(verdict.id, verdict.reading)}: {verdict.old} → {verdict.new}"
            for verdict in comparison.verdicts
        ],
    )
    _list("Numbers beyond their intervals", [_moved(number) for number in comparison.moved])
    _list("Criteria", [_two_lines(criterion) for criterion in comparison.criteria])
    _list(
        "Sentences, with the same verdict",
        [_two_lines(headline) for headline in comparison.headlines],
    )
    if kind != "study":
        _list("Numbers without an interval", comparison.plain[:_MOST_SHOWN])
        if len(comparison.plain) > _MOST_SHOWN:
            click.echo(f"  ... and {len(comparison.plain) - _MOST_SHOWN:,} more; --json names them")
    elif comparison.plain:
        click.echo(
            f"{len(comparison.plain)} numbers without an interval are others; --json names them."
        )


def _two_lines(change: Other) -> str:
    return f"{_named(change.id, change.reading)}\n    old: {change.old}\n    new: {change.new}"


def _list(title: str, rows: Sequence[str]) -> None:
    if rows:
        click.echo(f"{title} ({len(rows)}):")
        for row in rows:
            click.echo(f"  {row}")


def _named(name: str, reading: str) -> str:
    return f"{name} under {reading}" if reading else name


def _moved(number: Moved) -> str:
    from ackclock.studies.claim import Evidence
    from ackclock.studies.weighing import shown

    # Numbers as on the page; the number of seeds (here 2) does not show.
    old, new = (
        shown(Evidence("", "open", *value, number.unit, 2)) for value in (number.old, number.new)
    )
    return (
        f"{_named(number.id, number.reading)}{number.where and f', {number.where}'}: {old} → {new}"
    )
