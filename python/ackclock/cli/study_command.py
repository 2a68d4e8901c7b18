"""``ackclock study``."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.errors import InputError
from ackclock.cli.options import json_option, quiet_option

if TYPE_CHECKING:
    from rich.console import Console

    from ackclock.cli.progress import Meter
    from ackclock.studies.running import StudyProgress, StudyRun

__all__ = ["command"]

_INTERRUPTED = 130
_OURS = {"index.html", "claims.json", "runs"}


@click.command("study")
@click.argument("name", metavar="NAME|all")
@click.option("--quick", is_flag=True, help="Fewer seeds and settings, the same criteria: minutes instead of an hour.")
@click.option("--out", metavar="DIR", type=click.Path(), help="Folder of the pages [default: runs/studies].")
@click.option("--store", metavar="DIR", type=click.Path(), help="Folder of the runs, found again next time [default: runs in --out].")
@click.option("--workers", metavar="N", type=click.IntRange(1, 1024), help="Runs at the same time [default: one per core].")
@json_option
@quiet_option
def command(name: str, *, quick: bool, out: str | None, store: str | None, workers: int | None, as_json: bool, quiet: bool) -> None:
    """Run a paper's experiments and judge its claims one by one, by declared criteria.

    The paper's figures, the verdicts and what they rest on go to report.html, and to claims.json for machines.
    Stopped at any moment, the same command goes on where it was.

    \b
    Papers:
      cos-slow-start   Ru & Liu 2007: a cosine in place of slow start's doubling
      bbr-latency      Huang, Zhu & Wang 2022: BBR with a smaller queue
      small-buffers    Wang, Lan & Li 2008: small buffers and real-time traffic
      tcp-criteria     Pham & Le 2005: criteria for TCP's successors
    \b
    Examples:
      ackclock study cos-slow-start --quick
      ackclock study all
    """  # noqa: D301
    from ackclock.cli.progress import messages
    from ackclock.studies import find_study, studies
    from ackclock.sweeps import StoreError

    try:
        wanted = [find_study(each) for each in (studies() if name == "all" else (name,))]
    except ValueError as error:
        raise InputError(str(error)) from None
    folder = _target(Path(out) if out is not None else Path("runs") / "studies")
    console = messages(quiet=quiet)
    for study in wanted:
        try:
            done = _carry_out(study.name, quick, folder, folder / "runs" if store is None else Path(store), workers, console)
        except StoreError as error:
            raise InputError(str(error)) from None
        if not quiet and not as_json:
            _print(done)
    if as_json:
        click.echo((folder / "claims.json").read_text(encoding="utf-8"), nl=False)
    console.print(f"Pages: {folder / 'index.html'}", soft_wrap=True)


def _target(folder: Path) -> Path:
    from ackclock.studies import STUDIES

    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out: '{folder}' is a file; name a folder")
    if folder.is_dir():
        foreign = sorted(entry.name for entry in folder.iterdir() if entry.name not in _OURS | STUDIES.keys())
        if foreign:
            raise InputError(f"--out: '{folder}' holds '{foreign[0]}', which is no study's; name another folder, or move it away")
    return folder


def _carry_out(name: str, quick: bool, folder: Path, store: Path, workers: int | None, console: Console) -> StudyRun:
    from ackclock.cli.progress import Meter
    from ackclock.studies.running import run_study
    from ackclock.sweeps import SweepError
    from ackclock.sweeps.errors import SweepStoppedError

    began = time.perf_counter()
    try:
        with Meter(console, name) as meter:
            done = run_study(name, quick=quick, store=store, out=folder, workers=workers, progress=partial(_show, meter))
    except (SweepStoppedError, SweepError) as error:
        stopped = isinstance(error, SweepStoppedError)
        complaint = click.ClickException(f"{name}: {error}".replace("same call", "same command"))
        complaint.exit_code = _INTERRUPTED if stopped else 1  # type: ignore[misc]
        raise complaint from None
    seconds = time.perf_counter() - began
    reused = f" ({done.reused:,} reused)" if done.reused else ""
    console.print(f"{name}: {done.made + done.reused:,} runs{reused} in {seconds:.0f} s", soft_wrap=True)
    return done


def _show(meter: Meter, progress: StudyProgress) -> None:
    meter.update(progress.share, f"{progress.experiment} {progress.finished:,}/{progress.runs:,}")


def _print(done: StudyRun) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=done.study.title, title_justify="left", show_edge=False, show_lines=True)
    for name in ("id", "verdict", "what came out"):
        table.add_column(name, no_wrap=name != "what came out")
    for each in done.study.statements:
        verdict = done.verdicts[each.id]
        table.add_row(each.id, verdict.kind, f"{each.text}\n{verdict.text}")
    Console(highlight=False).print(table)
