"""``ackclock study diff``."""

from __future__ import annotations

from pathlib import Path

import click

from ackclock.cli.diff_command import show
from ackclock.cli.errors import InputError
from ackclock.cli.options import json_option
from ackclock.cli.study.targets import default_of, folder_of
from ackclock.cli.terminal import json_text

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
    from ackclock.tools.archives.archive import ArchiveError
    from ackclock.tools.archives.diffing import compare, read_claims

    try:
        comparison = compare(*(read_claims(_place(word)) for word in (old, new)))
    except ArchiveError as error:
        raise InputError(str(error)) from None
    if as_json:
        click.echo(json_text(comparison.to_dict()))
    else:
        show(comparison, "study")


def _place(word: str) -> Path:
    """A file, a folder, or the folder of a study's name."""
    is_study = default_of(word) is not None and not Path(word).is_file()
    return folder_of(word) if is_study else Path(word)
