"""``ackclock report``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.completion.names import results
from ackclock.cli.errors import InputError
from ackclock.cli.output import Output, output_options

if TYPE_CHECKING:
    from ackclock.sweeps import SweepResult

__all__ = ["command"]


@click.command("report")
@click.argument("folder", metavar="DIR", type=click.Path(), shell_complete=results)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(),
    help="The HTML file to write [default: DIR/report.html].",
)
@click.option(
    "--playground",
    metavar="URL",
    help="The page that a run's report links to [default: ACKCLOCK_PLAYGROUND, or the public one].",
)
@output_options()
def command(folder: str, out: str | None, playground: str | None, output: Output) -> None:
    """Show earlier results in DIR and write their report again.

    \b
    Example:
      ackclock report runs/reno-one-flow
    """  # noqa: D301
    from ackclock.atomic_io import is_file, whole_file
    from ackclock.cli.target import check_target_file
    from ackclock.pages.run import write_report
    from ackclock.results import Result
    from ackclock.sweeps.result import refuse_earlier

    where = Path(folder)
    if not where.is_dir():
        raise InputError(
            f"{folder}: there is no such folder; give one that ackclock run, compare or sweep wrote"
        )
    result: Result | SweepResult
    try:
        if is_file(where, "sweep.toml"):
            from ackclock.sweeps import open_sweep

            result = open_sweep(where)
        else:
            refuse_earlier(where)
            result = Result.load(where)
    except FileNotFoundError as error:
        raise InputError(str(error)) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder}: the results there cannot be read: {error}") from None
    target = Path(out) if out is not None else where / "report.html"
    beneath = where if out is None else None
    check_target_file(target, beneath=beneath)
    with whole_file(target, beneath=beneath) as temporary:
        write_report(result, temporary, playground=playground)
    output.show_result(
        result, lambda: result.summary() if isinstance(result, Result) else result.to_dict()
    )
    output.messages().print(f"Report: {target}", soft_wrap=True)
