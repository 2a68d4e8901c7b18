"""``ackclock study new``."""

from __future__ import annotations

from pathlib import Path

import click

from ackclock.cli.errors import InputError
from ackclock.cli.options import quiet_option
from ackclock.cli.permitting import way_to_trust

__all__ = ["command"]


@click.command("new", short_help="Write a first study that runs, to be made into your own.")
@click.argument("name", metavar="NAME")
@click.option(
    "--dir", "folder", metavar="DIR", type=click.Path(), help="Folder of its files [default: NAME]."
)
@quiet_option
def command(name: str, *, folder: str | None, quiet: bool) -> None:
    """Write a study that runs in seconds, as a start for the study of a paper.

    It has an experiment (TOML) and claims about it (Python).

    \b
    Examples:
      ackclock study new vegas
      ackclock study new vegas --dir papers
    """  # noqa: D301
    from ackclock.studies.errors import StudyError
    from ackclock.studies.tools.skeleton import write_skeleton

    try:
        experiment, study = write_skeleton(name, Path(name if folder is None else folder))
    except StudyError as error:
        raise InputError(str(error)) from None
    if not quiet:
        way = way_to_trust(study.parent)
        first = f"  {way}\n" if way else ""
        click.echo(
            f"{experiment}: the experiment\n{study}: the claims about it\n\nNext:\n"
            f"{first}  ackclock study check {study}\n  ackclock study {study} --quick\n"
            "Then put the paper's experiment and sentences in the place of these; the comments "
            "say what goes where."
        )
