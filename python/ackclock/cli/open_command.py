"""``ackclock open``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.completion.names import results
from ackclock.cli.errors import InputError
from ackclock.cli.target import chosen_folder

if TYPE_CHECKING:
    from ackclock.tools.runs import Entry

__all__ = ["command"]

_RUNS = "runs"


@click.command("open")
@click.argument("run", metavar="[RUN]", required=False, shell_complete=results)
@click.option("--print", "prints", is_flag=True, help="Print the path of the page, and end.")
@click.option(
    "--in",
    "folder",
    metavar="FOLDER",
    type=click.Path(),
    help="Folder of the results [default: runs].",
)
def command(run: str | None, *, prints: bool, folder: str | None) -> None:
    """Open the page of the last result in the browser, or that of RUN.

    RUN is a folder, a file of a page, or a name as ackclock runs lists it: of a run, a comparison,
    a sweep, a study or a dossier.

    \b
    Examples:
      ackclock open
      ackclock open buffer-size-sweep
      ackclock open studies/cos-slow-start --print
    """  # noqa: D301
    page = _page(run, chosen_folder(folder, _RUNS, "--in"))
    click.echo(page)
    if prints:
        return
    import webbrowser

    if not webbrowser.open(page.resolve().as_uri()):
        click.echo("no browser was found here; open the page with yours", err=True)


def _page(run: str | None, folder: Path) -> Path:
    from ackclock.errors import FileMissingError
    from ackclock.tools.runs import find, latest

    if run is None:
        newest = latest(folder)
        if newest is None:
            raise InputError(
                f"no result in {folder} has a page: ackclock demo makes a first one"
                if folder.is_dir()
                else f"there is no folder '{folder}' here: ackclock demo makes a first result"
            )
        return newest
    if Path(run).suffix == ".html" and Path(run).is_file():
        return Path(run)
    try:
        named = find(run, folder)
    except FileMissingError as error:
        raise InputError(str(error)) from None
    if named.page is None:
        raise InputError(f"{named.folder}: {_without_page(named)}")
    return named.page


def _without_page(named: Entry) -> str:
    if named.kind in {"run", "kernel run", "sweep", "comparison"}:
        return f"there is no report.html in it: ackclock report {named.folder} writes it"
    return f"a {named.kind} has no page"
