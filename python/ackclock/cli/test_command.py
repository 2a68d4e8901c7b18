"""``ackclock test``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ackclock.cli.completion.names import scenarios
from ackclock.cli.errors import InputError, failed_sweep
from ackclock.cli.options import Whole, force_option, out_option, store_option, workers_option
from ackclock.cli.output import Output, check_junit, junit_option, output_options, write_junit
from ackclock.cli.permitting import runs_code
from ackclock.cli.target import chosen_folder
from ackclock.cli.terminal import json_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.cli.console import Console
    from ackclock.golden import GoldenResult, Recorded

__all__ = ["command"]


@click.command("test")
@click.argument("file", metavar="FILE", type=click.Path(), shell_complete=scenarios)
@click.option(
    "--record",
    is_flag=True,
    help="Keep the figures of now as those that tests expect, and show what moved.",
)
@click.option(
    "--against",
    metavar="OLD",
    type=click.Path(),
    help="Compare seed by seed with an earlier recording, or with the folder of an earlier test.",
)
@click.option(
    "--only", metavar="NAME", help="Cells of this name alone; a pattern, as in a shell: 'bbr-*'."
)
@click.option(
    "--seeds",
    metavar="N",
    type=Whole(2, 100_000),
    help="Number of seeds of every cell [default: the file's].",
)
@junit_option
@out_option("Folder of the results [default: runs/NAME-test].")
@store_option()
@workers_option
@force_option
@output_options()
@runs_code()
def command(
    file: str,
    *,
    record: bool,
    against: str | None,
    only: str | None,
    seeds: int | None,
    junit: str | None,
    out: str | None,
    store: str | None,
    workers: int | None,
    force: bool,
    output: Output,
) -> int:
    """Test whether a change of code or parameters has moved the figures of golden cells.

    FILE lists cells: scenarios with metrics (docs/test.md). --record runs them and keeps the
    figures beside FILE. A later test runs them again, and fails if a mean lies outside of the
    interval that chance explains. The exit status is 0 if all checks pass, 1 if one fails and 2 for
    wrong input. Stopped at any moment, the same command goes on where it was.

    \b
    Examples:
      ackclock test golden/golden.toml
      ackclock test golden.toml --record
      ackclock test golden.toml --only 'bbr-*' --junit report.xml
      ackclock test golden.toml --against golden-of-main.toml
    """  # noqa: D301
    from ackclock.atomic_io import without_links

    if record:
        for option, value in (("--against", against), ("--junit", junit)):
            if value is not None:
                raise InputError(f"{option}: a recording has no checks; leave out one of the two")
    folder = chosen_folder(out, Path("runs") / f"{Path(file).stem}-test")
    given: dict[str, Any] = {
        "only": only,
        "seeds": seeds,
        "store": without_links(folder, "runs") if store is None else store,
        "workers": workers,
        "force": force,
    }
    if record:
        return _record(file, given, output)
    return _test(file, {**given, "against": against}, folder, junit, output)


def _record(file: str, given: dict[str, Any], output: Output) -> int:
    from ackclock.golden import record_golden

    console = output.messages()
    done: Recorded = _with_progress(
        file, console, lambda show: record_golden(file, progress=show, **given)
    )
    _tell(done, console)
    _show(done, output)
    console.print(f"Recording: {done.file}", soft_wrap=True)
    return 0


def _test(file: str, given: dict[str, Any], folder: Path, junit: str | None, output: Output) -> int:
    from ackclock.atomic_io import WriteError
    from ackclock.cli.target import check_target
    from ackclock.golden import check_golden
    from ackclock.golden.folder import GOLDEN, write_result

    console = output.messages()
    check_target(folder, GOLDEN, inside=True)
    check_junit(junit)
    done: GoldenResult = _with_progress(
        file, console, lambda show: check_golden(file, progress=show, **given)
    )
    _tell(done, console)
    try:
        write_result(done, folder)
        write_junit(junit, done.verdicts)
    except (WriteError, FileExistsError) as error:
        raise click.ClickException(
            f"all runs are kept in {given['store']}, but {error}; the same command goes on from "
            "there"
        ) from None
    _show(done, output)
    if output.quiet and not output.as_json:
        for line in done.lines:
            click.echo(line, err=True)
    console.print(f"Results: {folder}", soft_wrap=True)
    return done.verdicts.exit_status


def _with_progress(file: str, console: Console, run: Callable[[Any], Any]) -> Any:
    """Run cells behind a progress bar; the ends of a sweep become messages of one line."""
    from ackclock.cli.progress import Meter
    from ackclock.errors import FileMissingError
    from ackclock.sweeps.errors import SweepError, SweepStoppedError
    from ackclock.sweeps.store import StoreError

    try:
        with Meter(console, Path(file).stem) as meter:
            return run(meter.show)
    except (SweepStoppedError, SweepError) as error:
        message = str(error).replace("stopped: ", "interrupted: ")
        raise failed_sweep(error, message) from None
    except (StoreError, FileMissingError) as error:
        # Status 1 is that of a failed check.
        raise InputError(str(error)) from None


def _tell(done: GoldenResult | Recorded, console: Console) -> None:
    for note in done.notes:
        console.print(note, style="yellow", soft_wrap=True)
    reused = f" ({done.reused:,} reused)" if done.reused else ""
    console.print(f"{done.made + done.reused:,} runs{reused}", soft_wrap=True)


def _show(done: GoldenResult | Recorded, output: Output) -> None:
    from ackclock.cli.console import Console

    if output.as_json:
        click.echo(json_text(done.to_dict()))
    elif not output.quiet:
        Console().print(done)
