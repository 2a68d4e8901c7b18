"""``ackclock plot``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.completion.names import results
from ackclock.cli.errors import InputError
from ackclock.cli.figure_options import FIGURE_SUFFIXES, figure_options
from ackclock.cli.options import Whole, held_values, quiet_option, split_list
from ackclock.cli.permitting import runs_code

if TYPE_CHECKING:
    from ackclock.results import Result
    from ackclock.views.figure_options import Options

__all__ = ["command"]


@click.command("plot")
@click.argument(
    "folders", metavar="DIR...", nargs=-1, required=True, type=click.Path(), shell_complete=results
)
@click.option(
    "--out",
    metavar="FOLDER|FILE",
    type=click.Path(),
    help="Folder of the figures [default: DIR/plots], where earlier ones are replaced; or a file "
    "with all of --only in one figure: FILE.svg, .pdf, .png or .pgf.",
)
@click.option(
    "--format",
    "suffix",
    metavar="|".join(FIGURE_SUFFIXES),
    type=click.Choice(FIGURE_SUFFIXES),
    default=None,
    help="Format of the figures; pgf is for LaTeX [default: svg, or as --out says].",
)
@click.option(
    "--only",
    metavar="NAME,NAME",
    help="These figures: overview, cwnd, rate, rtt, queue, delay [default: all].",
)
@click.option(
    "--overlay",
    "overlays",
    is_flag=True,
    help="The same quantity of several runs in one panel; of a comparison or sweep, its variants, "
    "which are run again. Several DIRs imply it.",
)
@click.option("--by", metavar="AXIS", help="With a sweep: the axis with a line per value.")
@click.option(
    "--at",
    "held",
    metavar="AXIS=VALUE",
    multiple=True,
    help="With a sweep: the value of another axis [default: its first]. Repeatable.",
)
@click.option(
    "--seed", type=Whole(), metavar="N", help="With a sweep: the seed [default: the first]."
)
@click.option("--flow", metavar="NAME", help="With an overlay: one flow in place of all.")
@click.option(
    "--phases/--no-phases",
    default=None,
    help="Shade slow start, recovery and BBR's modes [default: for three flows at most].",
)
@figure_options
@quiet_option
@runs_code()
def command(
    folders: tuple[str, ...],
    out: str | None,
    suffix: str | None,
    only: str | None,
    overlays: bool,
    by: str | None,
    held: tuple[str, ...],
    seed: int | None,
    flow: str | None,
    phases: bool | None,
    look: Options,
    quiet: bool,
) -> None:
    """Draw the figures of earlier runs in DIR, for print.

    Figures of a sweep are in its plots/ already; ackclock sweep show --plot draws others. Over
    time, --overlay draws the variants of a sweep or comparison.

    \b
    Examples:
      ackclock plot runs/reno-one-flow
      ackclock plot runs/first --only cwnd,rate --out first.pgf --width 9cm
      ackclock plot runs/reno runs/cubic --out both.pdf
      ackclock plot runs/c-comparison --overlay
    """  # noqa: D301
    from ackclock.cli.plotting import Wish, draw_overlay, draw_run, read_runs

    wish = Wish(
        names=None if only is None else [name for name in split_list(only) if name],
        suffix=suffix,
        out=None if out is None else Path(out),
        phases=phases,
        look=look,
        quiet=quiet,
    )
    if overlays or len(folders) > 1:
        if phases:
            raise InputError("--phases: an overlay has several runs, whose phases differ")
        draw_overlay(
            read_runs(folders, by=by, at=held_values(held), seed=seed), folders, flow, wish
        )
        return
    for option, value in (("--by", by), ("--at", held), ("--seed", seed), ("--flow", flow)):
        if value not in (None, ()):
            raise InputError(f"{option}: goes with --overlay")
    draw_run(_run(folders[0]), Path(folders[0]), wish)


def _run(folder: str) -> Result:
    from ackclock.atomic_io import is_file
    from ackclock.cli.plotting import read_run

    where = Path(folder)
    if is_file(where, "sweep.toml"):
        raise InputError(
            f"{folder}: the folder of a sweep: its figures are in {where / 'plots'}, ackclock "
            "sweep show --plot FILE draws others, and --overlay draws its variants over time"
        )
    return read_run(folder)
