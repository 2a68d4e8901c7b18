"""``ackclock live``."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.completion.names import scenarios
from ackclock.cli.errors import InputError
from ackclock.cli.options import Whole, set_option

if TYPE_CHECKING:
    from ackclock.scenario import Scenario

__all__ = ["command"]


@click.command("live")
@click.argument("file", type=click.Path(), shell_complete=scenarios)
@set_option
@click.option("--seed", type=Whole(), metavar="N", help="Another seed.")
@click.option(
    "--out",
    "-o",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The HTML file to write [default: live.html].",
)
@click.option("--no-open", is_flag=True, help="Open no browser.")
@click.option(
    "--no-python",
    is_flag=True,
    help="Write 1 MB, not 11: form, editor, knobs and the copy as Python do not work then.",
)
@click.option(
    "--serve",
    is_flag=True,
    help="Show the page from a server on this machine, until Ctrl-C: this ackclock answers it.",
)
def command(
    file: str,
    settings: tuple[str, ...],
    seed: int | None,
    out: Path | None,
    no_open: bool,
    no_python: bool,
    serve: bool,
) -> None:
    """Write a page that runs the scenario in FILE in the browser, and open it.

    The page is one file with the engine and Python in it. All of it works without a network and
    without ackclock: the form, the TOML editor and the knobs, too. With --serve they ask this
    ackclock what a scenario means.

    \b
    Examples:
      ackclock live scenarios/reno-one-flow.toml
      ackclock live scenarios/reno-one-flow.toml --out lecture.html --no-open
      ackclock live scenarios/reno-one-flow.toml --no-python
      ackclock live scenarios/reno-one-flow.toml --serve
    """  # noqa: D301
    from ackclock.scenario import load

    if serve and out is not None:
        raise InputError("--serve writes no file: leave out --out")
    if serve and no_python:
        raise InputError("--serve shows a page that asks this ackclock: leave out --no-python")
    scenario = load(file, settings=settings, seed=seed)
    if serve:
        _serve(scenario, opens=not no_open)
        return
    from ackclock.atomic_io import whole_file
    from ackclock.cli.target import check_target_file, chosen_file
    from ackclock.pages.live import write_live

    target = check_target_file(chosen_file(out, "live.html"))
    with whole_file(target) as temporary:
        write_live(scenario, temporary, python=not no_python)
    click.echo(target)
    if not no_open:
        _open(target.resolve().as_uri())


def _serve(scenario: Scenario, *, opens: bool) -> None:
    from ackclock.pages.live import LiveServer, live_page
    from ackclock.pages.live.asking import answer

    with LiveServer(live_page(scenario, "served"), answer) as server:
        click.echo(f"{server.address}  (Ctrl-C ends it)")
        if opens:
            _open(server.address)
        with suppress(KeyboardInterrupt):
            server.serve_forever()


def _open(address: str) -> None:
    import webbrowser

    if not webbrowser.open(address):
        click.echo("no browser was found here; open the page with yours", err=True)
