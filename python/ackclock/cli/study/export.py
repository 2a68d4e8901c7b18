"""``ackclock study export``."""

from __future__ import annotations

import click

from ackclock.cli.completion.names import studies
from ackclock.cli.errors import InputError
from ackclock.cli.study.targets import folder_of

__all__ = ["command"]

_SUFFIXES = {"md": "markdown", "tex": "latex"}
_WRITERS = {"markdown": "md", "latex": "tex"}


@click.command("export", short_help="Print claims as CSV, Markdown, LaTeX, or the BibTeX entry.")
@click.argument("word", metavar="DIR|NAME", shell_complete=studies)
@click.option(
    "--format",
    "format_",
    metavar="csv|markdown|latex|bib",
    type=click.Choice(["csv", "markdown", "latex", "bib", *_SUFFIXES]),
    required=True,
    help="Format of the output; md and tex are understood, too.",
)
def command(word: str, *, format_: str) -> None:
    """Print the claims of a finished study as CSV, Markdown or LaTeX, or the paper's BibTeX entry.

    DIR is a study's folder, or a folder of several studies. A study's folder holds these texts,
    too: claims.csv, claims.md, claims.tex, paper.bib.

    \b
    Examples:
      ackclock study export cos-slow-start --format latex > claims.tex
      ackclock study export runs/studies --format csv > all.csv
    """  # noqa: D301
    from ackclock.studies.tools.exporting import bibtex_of, claims_text
    from ackclock.tools.archives.archive import ArchiveError
    from ackclock.tools.archives.diffing import read_claims

    folder = folder_of(word)
    format_ = _WRITERS.get(format_, format_)
    try:
        text = bibtex_of(folder) if format_ == "bib" else claims_text(read_claims(folder), format_)
    except (ArchiveError, FileNotFoundError) as error:
        raise InputError(str(error)) from None
    click.echo(text, nl=False)
