"""``ackclock pack``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.errors import InputError
from ackclock.cli.options import Command, quiet_option

if TYPE_CHECKING:
    from ackclock.tools.archives.archive import Words

__all__ = ["command", "output_option", "write_archive"]


def output_option(function: Command) -> Command:
    """Add -o: the archive."""
    return click.option(
        "-o",
        "--output",
        "file",
        metavar="FILE",
        type=click.Path(),
        help="The archive [default: NAME.zip, here].",
    )(function)


@click.command("pack")
@click.argument("folder", metavar="FOLDER", type=click.Path())
@output_option
@quiet_option
def command(folder: str, *, file: str | None, quiet: bool) -> None:
    """Put a folder of results into one archive.

    FOLDER is of a run, a sweep or comparison, a study, an evaluation, a test of golden cells, or a
    validation. The archive holds the files that ackclock wrote there, with their checksums. Packing
    a folder twice gives the same bytes. ackclock verify makes the archive's runs again, on any
    machine.

    \b
    Examples:
      ackclock pack runs/reno-one-flow
      ackclock pack runs/buffer-size-sweep -o buffers-2026.zip
    """  # noqa: D301
    from ackclock.tools.archives.archive import OF_RESULTS

    write_archive(Path(folder), file, OF_RESULTS, quiet=quiet)


def write_archive(folder: Path, file: str | None, words: Words, *, quiet: bool) -> None:
    """Pack a folder and say what the archive has, and what it has not.

    Raises
    ------
    InputError
        If there is no such result, or no archive can be written.
    """
    from ackclock.tools.archives.archive import ArchiveError
    from ackclock.tools.archives.packing import pack

    try:
        done = pack(folder, None if file is None else Path(file), words)
    except ArchiveError as error:
        raise InputError(str(error)) from None
    if not quiet:
        click.echo(f"{done.file}: {done.members} files, {done.size / 1e6:.2f} MB")
        for name in done.left_out:
            click.echo(f"left out, since it is outside of {done.place}: {name}", err=True)
