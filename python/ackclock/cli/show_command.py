"""``ackclock show``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.errors import InputError
from ackclock.cli.table_format import print_tables, table_options

if TYPE_CHECKING:
    from ackclock.results import Result
    from ackclock.sweeps.result import SweepResult

__all__ = ["HIDDEN", "RUN_TABLES", "SWEEP_TABLES", "command"]

RUN_TABLES = ("flows", "streams", "transfers", "links", "diagnosis")
"""Names of a run's tables."""
SWEEP_TABLES = ("means", "differences", "runs")
"""Names, or their first words, of a sweep's tables."""
HIDDEN = ("diagnosis", "runs")
"""Tables that are printed on demand only."""


@click.command("show")
@click.argument("folder", metavar="DIR", type=click.Path())
@table_options(*RUN_TABLES, *SWEEP_TABLES)
def command(folder: str, form: str | None, wanted: tuple[str, ...], as_json: bool) -> None:
    """Show the tables of earlier results in DIR: of a run, a comparison or a sweep.

    \b
    Examples:
      ackclock show runs/reno-one-flow
      ackclock show runs/reno-one-flow --format latex --table flows > flows.tex
      ackclock show runs/buffer-size-sweep --format csv --table runs > runs.csv
    """  # noqa: D301
    from ackclock.cli.console import Console

    result = _read(folder)
    if as_json:
        from ackclock.results import Result

        document = result.summary() if isinstance(result, Result) else result.to_dict(tables=True)
        click.echo(json.dumps(document, indent=2, allow_nan=False))
    elif form is not None or wanted:
        print_tables(result.tables, form or "markdown", wanted, hidden=HIDDEN)
    else:
        Console().print(result)


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
