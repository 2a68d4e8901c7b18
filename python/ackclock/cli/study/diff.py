"""``ackclock study diff``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.errors import InputError
from ackclock.cli.options import json_option
from ackclock.cli.study.targets import default_of, folder_of
from ackclock.cli.terminal import json_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.studies.tools.diffing import Comparison, Moved, Other

__all__ = ["command"]


@click.command("diff", short_help="List the changes between two states of a study.")
@click.argument("old", metavar="OLD", type=click.Path())
@click.argument("new", metavar="NEW", type=click.Path())
@json_option
def command(old: str, new: str, *, as_json: bool) -> None:
    """List the changes between two states of a study: claims, verdicts, headlines, numbers.

    OLD and NEW are claims.json files, folders of studies, or archives. A number counts as moved if
    its old and its new value each lie outside of the other's interval.

    \b
    Examples:
      ackclock study diff cos-slow-start.zip runs/studies/cos-slow-start
      ackclock study diff old/claims.json new/claims.json --json
    """  # noqa: D301
    from ackclock.studies.tools.diffing import compare, read_claims
    from ackclock.studies.tools.packing import ArchiveError

    try:
        found = compare(*(read_claims(_place(word)) for word in (old, new)))
    except ArchiveError as error:
        raise InputError(str(error)) from None
    if as_json:
        click.echo(json_text(found.to_dict()))
    else:
        _show(found)


def _place(word: str) -> Path:
    """A file, a folder, or the folder of a study's name."""
    is_study = default_of(word) is not None and not Path(word).is_file()
    return folder_of(word) if is_study else Path(word)


def _show(found: Comparison) -> None:
    for note in found.notes:
        click.echo(f"Note: {note}.")
    if found.is_empty:
        click.echo("Nothing changed: the same claims, verdicts, sentences and numbers.")
        return
    _list("Claims added", found.added)
    _list("Claims removed", found.removed)
    _list(
        "Verdicts",
        [f"{_named(one.id, one.reading)}: {one.old} → {one.new}" for one in found.verdicts],
    )
    _list("Numbers beyond their intervals", [_moved(one) for one in found.moved])
    _list("Criteria", [_two_lines(one) for one in found.criteria])
    _list("Sentences, with the same verdict", [_two_lines(one) for one in found.headlines])
    if found.plain:
        click.echo(f"{len(found.plain)} numbers without an interval are others; --json names them.")


def _two_lines(one: Other) -> str:
    return f"{_named(one.id, one.reading)}\n    old: {one.old}\n    new: {one.new}"


def _list(title: str, rows: Sequence[str]) -> None:
    if rows:
        click.echo(f"{title} ({len(rows)}):")
        for row in rows:
            click.echo(f"  {row}")


def _named(name: str, reading: str) -> str:
    return f"{name} under {reading}" if reading else name


def _moved(one: Moved) -> str:
    from ackclock.studies.claim import Evidence
    from ackclock.studies.weighing import shown

    # Numbers as on the page; the number of seeds (here 2) does not show.
    old, new = (shown(Evidence("", "open", *each, one.unit, 2)) for each in (one.old, one.new))
    return f"{_named(one.id, one.reading)}{one.where and f', {one.where}'}: {old} → {new}"
