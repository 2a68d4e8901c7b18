"""``ackclock study verify``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.errors import InputError
from ackclock.cli.options import Real, Whole, json_option, quiet_option, workers_option
from ackclock.cli.permitting import runs_code
from ackclock.cli.terminal import json_text

if TYPE_CHECKING:
    from ackclock.studies.tools.verifying import Verified

__all__ = ["command"]

_MOST_SHOWN = 20


@click.command("verify", short_help="Make some runs of an archive again and compare them.")
@click.argument("file", metavar="ARCHIVE", type=click.Path())
@click.option(
    "--share",
    metavar="X",
    type=Real(0, 1, min_open=True),
    help="Share of each experiment's runs [default: 0.05].",
)
@click.option("--runs", metavar="N", type=Whole(1), help="Number of runs, instead.")
@click.option(
    "--seed", metavar="N", type=Whole(), default=1, show_default=True, help="Seed of the choice."
)
@workers_option
@json_option
@quiet_option
@runs_code()
def command(
    file: str,
    *,
    share: float | None,
    runs: int | None,
    seed: int,
    workers: int | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Make some runs of a packed study again, with this ackclock, and compare the results' bytes.

    ARCHIVE is a file that ackclock study pack wrote, or the folder of a study. The archive of a
    study that is not installed may bring Python code. It is run with --allow-code, or if the
    archive lies in a folder that you trust; otherwise you are asked. The exit status is 1 if any
    run differs.

    \b
    Examples:
      ackclock study verify cos-slow-start.zip
      ackclock study verify vegas.zip --share 1
    """  # noqa: D301
    from ackclock.cli.progress import Meter, messages
    from ackclock.permission import standing_for
    from ackclock.studies.tools.packing import ArchiveError, opened
    from ackclock.studies.tools.verifying import verify
    from ackclock.sweeps import SweepError

    if share is not None and runs is not None:
        raise InputError("--share and --runs: give one of them")
    console = messages(quiet=quiet)
    try:
        with (
            opened(Path(file)) as folder,
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
                tell=lambda found: console.print(f"{file}: {found}", soft_wrap=True),
            )
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
    for one in done.differing[:_MOST_SHOWN]:
        told = ", ".join(
            f"{each.response} {_number(each.packed)} is {_number(each.now)} now"
            for each in one.changed
        )
        plan = (
            ""
            if one.same_plan
            else " (the plan, the code of its own or the version of ackclock is another)"
        )
        click.echo(
            f"{one.experiment}, {one.where}: "
            f"{told or 'its summary differs, its responses do not'}{plan}"
        )
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
