"""``ackclock plot``."""

from __future__ import annotations

from pathlib import Path

import click

from ackclock.cli.completion.names import results
from ackclock.cli.errors import InputError
from ackclock.cli.options import quiet_option

__all__ = ["command"]

_SUFFIXES = ("svg", "pdf", "png")


@click.command("plot")
@click.argument("folder", metavar="DIR", type=click.Path(), shell_complete=results)
@click.option(
    "--out",
    metavar="FOLDER",
    type=click.Path(),
    help="Folder of the figures [default: DIR/plots]. Earlier figures there are replaced.",
)
@click.option(
    "--format",
    "suffix",
    type=click.Choice(_SUFFIXES),
    default="svg",
    show_default=True,
    help="Format of the figures.",
)
@quiet_option
def command(folder: str, out: str | None, suffix: str, quiet: bool) -> None:
    """Draw the figures of an earlier run in DIR, for print.

    Figures of a sweep are in its plots/ already; ackclock sweep show --plot draws others.

    \b
    Example:
      ackclock plot runs/reno-one-flow
    """  # noqa: D301
    from ackclock.cli.progress import messages
    from ackclock.cli.target import check_target_file
    from ackclock.extras import require
    from ackclock.results import Result
    from ackclock.sweeps.result import refuse_earlier

    where = Path(folder)
    if not where.is_dir():
        raise InputError(f"{folder}: there is no such folder; give one that ackclock run wrote")
    if (where / "sweep.toml").is_file():
        raise InputError(
            f"{folder}: the folder of a sweep: its figures are in {where / 'plots'}, and ackclock "
            "sweep show --plot FILE draws others"
        )
    try:
        refuse_earlier(where)
        result = Result.load(where)
    except FileNotFoundError as error:
        raise InputError(str(error)) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder}: the results there cannot be read: {error}") from None
    if not result.has_samples:
        raise InputError(
            f'{folder}: no time series were recorded: set record.samples, for instance "10ms"'
        )
    require("plots")
    target = Path(out) if out is not None else where / "plots"
    _make(target)
    check_target_file(target / f"overview.{suffix}")

    # Loading matplotlib takes as long as a short run.
    from ackclock.plot import figures

    for name, figure in figures(result):
        figure.write(target / f"{name}.{suffix}")
    messages(quiet=quiet).print(f"Figures: {target}", soft_wrap=True)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--out: '{folder}' cannot be made: {error.strerror}") from None
