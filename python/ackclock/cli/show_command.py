"""``ackclock show``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.errors import InputError
from ackclock.cli.output import RUN_TABLES, SWEEP_TABLES, Output, output_options

if TYPE_CHECKING:
    from ackclock.results import Result
    from ackclock.sweeps.result import SweepResult

__all__ = ["command"]


@click.command("show")
@click.argument("folder", metavar="DIR", type=click.Path())
@output_options(*RUN_TABLES, *SWEEP_TABLES, quiet=False)
def command(folder: str, output: Output) -> None:
    """Show the tables of earlier results in DIR: of a run, a comparison or a sweep.

    \b
    Examples:
      ackclock show runs/reno-one-flow
      ackclock show runs/reno-one-flow --format latex --table flows > flows.tex
      ackclock show runs/buffer-size-sweep --format csv --table runs > runs.csv
    """  # noqa: D301
    from ackclock.results import Result

    result = _read(folder)
    output.show_result(
        result,
        lambda: result.summary() if isinstance(result, Result) else result.to_dict(tables=True),
    )


def _read(folder: str) -> Result | SweepResult:
    from ackclock.atomic_io import is_file
    from ackclock.results import Result
    from ackclock.sweeps.result import refuse_earlier
    from ackclock.sweeps.sweeping import open_sweep

    where = Path(folder)
    if not where.is_dir():
        raise InputError(
            f"{folder}: there is no such folder; give one that ackclock run, compare or sweep wrote"
        )
    try:
        refuse_earlier(where)
        return open_sweep(where) if is_file(where, "sweep.toml") else Result.load(where)
    except (FileNotFoundError, ValueError) as error:
        raise InputError(str(error)) from None
    except (OSError, KeyError, TypeError) as error:
        raise InputError(f"{folder}: the results there cannot be read: {error}") from None
