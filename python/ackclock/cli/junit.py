"""The option ``--junit`` of commands that judge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.atomic_io import write_text
from ackclock.cli.target import check_target_file

if TYPE_CHECKING:
    from ackclock.verdicts import Verdicts

__all__ = ["check_junit", "junit_option", "write_junit"]

junit_option = click.option(
    "--junit",
    metavar="FILE",
    type=click.Path(),
    help="Write the checks as JUnit XML, which forges and CI servers read.",
)


def check_junit(file: str | None) -> None:
    """Complain about a file that cannot be written, before anything runs."""
    if file is not None:
        check_target_file(Path(file), "--junit")


def write_junit(file: str | None, verdicts: Verdicts) -> None:
    """Write the verdicts, if the user named a file."""
    if file is not None:
        write_text(Path(file), verdicts.junit())
