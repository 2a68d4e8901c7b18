"""``ackclock study verify``."""

from __future__ import annotations

from typing import Any

import click

from ackclock.cli.permitting import runs_code
from ackclock.cli.verify_command import choice_options, verify_and_show

__all__ = ["command"]


@click.command("verify", short_help="Make some runs of an archive again and compare them.")
@click.argument("file", metavar="ARCHIVE", type=click.Path())
@choice_options
@runs_code()
def command(file: str, **choices: Any) -> int:
    """Make some runs of a packed study again, with this ackclock, and compare the results' bytes.

    ARCHIVE is a file that ackclock study pack wrote, or the folder of a study. The archive of a
    study that is not installed may bring Python code. It is run with --allow-code, or if the
    archive lies in a folder that you trust; otherwise you are asked. The exit status is 1 if any
    run differs.

    \b
    Examples:
      ackclock study verify cos-slow-start.zip
      ackclock study verify vegas.zip --share 1
    """  # noqa: D301
    from ackclock.tools.archives.archive import OF_STUDIES

    return verify_and_show(file, OF_STUDIES, **choices)
