"""``ackclock study pack``."""

from __future__ import annotations

from pathlib import Path

import click

from ackclock.cli.completion.names import studies
from ackclock.cli.errors import InputError
from ackclock.cli.options import quiet_option
from ackclock.cli.study.targets import folder_of

__all__ = ["command"]


@click.command("pack", short_help="Put a study that has run into one archive.")
@click.argument("word", metavar="DIR|NAME", shell_complete=studies)
@click.option(
    "-o",
    "--output",
    "file",
    metavar="FILE",
    type=click.Path(),
    help="The archive [default: NAME.zip, here].",
)
@quiet_option
def command(word: str, *, file: str | None, quiet: bool) -> None:
    """Put a finished study into one archive.

    The archive holds report, claims, figures, experiments with their runs, versions and the study's
    files. Packing a folder twice gives the same bytes. ackclock study verify makes some of the
    archive's runs again, on any machine.

    \b
    Examples:
      ackclock study pack cos-slow-start
      ackclock study pack runs/studies/vegas -o vegas-2026.zip
    """  # noqa: D301
    from ackclock.studies.tools.packing import ArchiveError, pack

    try:
        done = pack(folder_of(word), None if file is None else Path(file))
    except ArchiveError as error:
        raise InputError(str(error)) from None
    if not quiet:
        click.echo(f"{done.file}: {done.members} files, {done.size / 1e6:.2f} MB")
        for name in done.left_out:
            click.echo(f"left out, since it is outside of the study's folder: {name}", err=True)
