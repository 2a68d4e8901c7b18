"""``ackclock verify``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ackclock.cli.errors import InputError
from ackclock.cli.options import Command, Real, Whole, json_option, quiet_option, workers_option
from ackclock.cli.permitting import runs_code
from ackclock.cli.terminal import json_text

if TYPE_CHECKING:
    from ackclock.tools.archives.archive import Words
    from ackclock.tools.archives.verifying import Verified

__all__ = ["choice_options", "command", "verify_and_show"]

_MOST_SHOWN = 20


def choice_options(function: Command) -> Command:
    """Add the options that choose runs, and those of the output."""
    for add in (
        quiet_option,
        json_option,
        workers_option,
        click.option(
            "--seed",
            metavar="N",
            type=Whole(),
            default=1,
            show_default=True,
            help="Seed of the choice.",
        ),
        click.option("--runs", metavar="N", type=Whole(1), help="Number of runs, instead."),
        click.option(
            "--share",
            metavar="X",
            type=Real(0, 1, min_open=True),
            help="Share of each experiment's runs [default: 0.05].",
        ),
    ):
        function = add(function)
    return function


@click.command("verify")
@click.argument("file", metavar="FOLDER|ARCHIVE", type=click.Path())
@choice_options
@runs_code()
def command(file: str, **choices: Any) -> int:
    """Make some runs of a result again, with this ackclock, and compare the results' bytes.

    The result is a folder of a run, a sweep or comparison, or a study, or an archive of one that
    ackclock pack wrote. Of an archive each file is compared with its checksum first. Python code
    that a result names is run with --allow-code, or if it lies in a folder that you trust;
    otherwise you are asked. The exit status is 1 if any run differs.

    \b
    Examples:
      ackclock verify runs/reno-one-flow
      ackclock verify buffers-2026.zip --share 1
    """  # noqa: D301
    from ackclock.tools.archives.archive import OF_RESULTS

    return verify_and_show(file, OF_RESULTS, **choices)


def verify_and_show(
    file: str,
    words: Words,
    *,
    share: float | None,
    runs: int | None,
    seed: int,
    workers: int | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Verify a result and show the outcome; the exit status.

    Raises
    ------
    InputError
        If there is no such result.
    click.ClickException
        If a run fails.
    """
    from ackclock.cli.progress import Meter, messages
    from ackclock.runtime.permission import standing_for
    from ackclock.sweeps import SweepError
    from ackclock.tools.archives.archive import ArchiveError
    from ackclock.tools.archives.packing import opened
    from ackclock.tools.archives.verifying import NoRunsError, verify

    if share is not None and runs is not None:
        raise InputError("--share and --runs: give one of them")
    console = messages(quiet=quiet)
    try:
        with (
            opened(Path(file), words) as folder,
            standing_for(folder, Path(file)),
            Meter(console, Path(file).name) as meter,
        ):
            done = verify(
                folder,
                share=0.05 if share is None else share,
                runs=runs,
                seed=seed,
                workers=workers,
                progress=lambda made, of: meter.update(made / of, f"{made:,}/{of:,} runs"),
                warn=lambda text: console.print(f"{file}: {text}", soft_wrap=True),
                tell=lambda estimate: console.print(f"{file}: {estimate}", soft_wrap=True),
            )
    except NoRunsError as error:
        if Path(file).is_dir():
            raise InputError(f"{file}: {error}") from None
        if as_json:
            raise InputError(str(error)) from None
        if not quiet:
            click.echo(f"{error}. Its files are those that were packed.")
        return 0
    except ArchiveError as error:
        raise InputError(str(error)) from None
    except SweepError as error:
        raise click.ClickException(f"{file}: {error}") from None
    if as_json:
        click.echo(json_text(done.to_dict()))
    elif not quiet:
        _show(file, done)
    return int(bool(done.differing))


def _show(file: str, done: Verified) -> None:
    unseen = (
        "its summary is the same"
        if done.kind == "run"
        else "its summary differs, its responses do not"
    )
    for difference in done.differing[:_MOST_SHOWN]:
        changes = ", ".join(
            f"{change.response} {_number(change.packed)} is {_number(change.now)} now"
            for change in difference.changed
        )
        plan = (
            ""
            if difference.same_plan
            else " (the plan, the code of its own or the version of ackclock is another)"
        )
        click.echo(f"{difference.experiment}, {difference.where}: {changes or unseen}{plan}")
    if len(done.differing) > _MOST_SHOWN:
        click.echo(f"... and {len(done.differing) - _MOST_SHOWN:,} more")
    same = done.made - len(done.differing)
    what = (
        "all the same, to the last bit"
        if same == done.made
        else f"{same:,} the same, {len(done.differing):,} differ"
    )
    click.echo(f"{file}: {done.made:,} of {done.runs:,} runs made again: {what}")


def _number(value: float | None) -> str:
    return "nothing" if value is None else repr(value)
