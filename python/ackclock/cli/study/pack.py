"""``ackclock study pack``."""

from __future__ import annotations

import click

from ackclock.cli.completion.names import studies
from ackclock.cli.options import quiet_option
from ackclock.cli.pack_command import output_option, write_archive
from ackclock.cli.study.targets import folder_of

__all__ = ["command"]


@click.command("pack", short_help="Put a study that has run into one archive.")
@click.argument("word", metavar="DIR|NAME", shell_complete=studies)
@output_option
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
    from ackclock.tools.archives.archive import OF_STUDIES

    write_archive(folder_of(word), file, OF_STUDIES, quiet=quiet)
