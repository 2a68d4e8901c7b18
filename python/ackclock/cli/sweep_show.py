"""``ackclock sweep show``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ackclock.cli.completion.names import results
from ackclock.cli.errors import InputError
from ackclock.cli.figure_options import figure_options
from ackclock.cli.options import held_values
from ackclock.cli.output import SWEEP_TABLES, Output, output_options
from ackclock.cli.target import existing_folder
from ackclock.sweeps.pictures import KINDS

if TYPE_CHECKING:
    from ackclock.sweeps.result import SweepResult
    from ackclock.views.figure_options import Options

__all__ = ["show"]


@click.command("show")
@click.argument("folder", metavar="DIR", type=click.Path(), shell_complete=results)
@click.option(
    "--response",
    metavar="NAME",
    help="One response alone [default: all; the first of them with the options below].",
)
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    help="Form: means over an axis, a map of two axes, runs (box, cdf, scatter), differences.",
)
@click.option(
    "--x", metavar="AXIS", help="Axis of the rows, or the horizontal one [default: most numbers]."
)
@click.option(
    "--by",
    metavar="AXIS",
    help="Axis of the columns, or colours [default: the axis of the comparison].",
)
@click.option(
    "--at",
    "held",
    metavar="AXIS=VALUE",
    multiple=True,
    help="Show one value of an axis only. Repeatable.",
)
@click.option(
    "--plot", metavar="FILE", type=click.Path(), help="Draw a figure: FILE.svg, .pdf, .png or .pgf."
)
@figure_options
@output_options(*SWEEP_TABLES, quiet=False)
def show(
    folder: str,
    response: str | None,
    kind: str | None,
    x: str | None,
    by: str | None,
    held: tuple[str, ...],
    plot: str | None,
    look: Options,
    output: Output,
) -> None:
    """Show the tables of the finished sweep in DIR, or one of its figures.

    \b
    Examples:
      ackclock sweep show runs/buffer-size-sweep
      ackclock sweep show runs/buffer-size-sweep --kind difference
      ackclock sweep show runs/buffer-size-sweep --kind heat --plot buffers.pdf
    """  # noqa: D301
    from ackclock.atomic_io import is_file, read_text
    from ackclock.sweeps.sweeping import open_sweep

    where = existing_folder(folder)
    if is_file(where, "sweep.toml") and not is_file(where, "sweep.json"):
        raise InputError(
            f"{folder}: this sweep is not finished; ackclock sweep status {folder} tells how far "
            "it is"
        )
    try:
        result = open_sweep(where)
    except (FileNotFoundError, ValueError) as error:
        raise InputError(str(error)) from None
    if output.as_json:
        click.echo(read_text(where, "sweep.json"), nl=False)
    elif any((response, kind, x, by, held, plot)):
        if look and plot is None:
            raise InputError(f"--{next(iter(look)).replace('_', '-')}: goes with --plot FILE")
        if output.wanted:
            raise InputError("--table: --response, --kind, --x, --by and --at show one table")
        _show_part(
            result,
            response,
            kind,
            {"x": x, "by": by, "at": held_values(held)},
            plot,
            output.form,
            look,
        )
    else:
        output.show_result(result, result.to_dict)


def _show_part(
    result: SweepResult,
    response: str | None,
    kind: str | None,
    placed: dict[str, Any],
    plot: str | None,
    form: str | None,
    look: Options,
) -> None:
    from ackclock.cli.console import Console
    from ackclock.cli.target import check_target_file
    from ackclock.pages.run.sweep.exported import chosen_table
    from ackclock.pages.run.sweep.terminal import view
    from ackclock.plot_data.sweep.layout import ViewError
    from ackclock.runtime.extras import require

    if plot is not None:
        require("plots")
        check_target_file(Path(plot), "--plot")
    try:
        shown = view(result, response, kind=kind, **placed)
        table = chosen_table(result, response, kind=kind, **placed)
        if plot is not None:
            result.plot(response, kind=kind, **placed, **look).write(plot)
    except ViewError as error:
        raise InputError(str(error)) from None
    except ValueError as error:
        raise InputError(f"--plot: {error}") from None
    if form is None:
        Console().print(shown)
    else:
        click.echo(table.text(form), nl=False)
    if plot is not None:
        click.echo(f"Figure: {plot}", err=True)
