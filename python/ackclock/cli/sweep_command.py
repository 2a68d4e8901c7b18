"""``ackclock sweep``."""

from __future__ import annotations

import json
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ackclock.cli.errors import InputError
from ackclock.cli.options import force_option, json_option, out_option, quiet_option, seed_option, set_option, split_list
from ackclock.cli.sweep_show import show
from ackclock.cli.sweep_status import status

if TYPE_CHECKING:
    from rich.console import Console

    from ackclock.cli.progress import Meter
    from ackclock.estimating import Estimate
    from ackclock.sweeps.design import Design
    from ackclock.sweeps.left import Left
    from ackclock.sweeps.result import SweepResult
    from ackclock.sweeps.running import Progress, RunReport
    from ackclock.sweeps.store import Store

__all__ = ["command"]

_INTERRUPTED = 130


def _failure(message: str, status: int) -> click.ClickException:
    """One line; the exit status says whose fault it was."""
    error = click.ClickException(message)
    error.exit_code = status  # type: ignore[misc]
    return error


_PARTS = {"status": status, "show": show}


class _WithParts(click.Command):
    """A command of its own, and others behind their names: `sweep FILE`, `sweep status DIR`."""

    def make_context(self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any) -> click.Context:
        """Hand over to the command that the first word names."""
        part = _PARTS.get(args[0]) if args else None
        if part is None:
            return super().make_context(info_name, args, parent, **extra)
        # Its usage says `sweep status`, not `status`.
        return part.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)


@click.command("sweep", cls=_WithParts)
@click.argument("file", metavar="FILE", type=click.Path())
@click.option("--store", metavar="DIR", type=click.Path(), help="Folder of runs that several sweeps share [default: runs in --out].")
@click.option("--replications", metavar="N", type=click.IntRange(1, 1_000_000), help="Number of seeds, the same at every setting.")
@click.option("--responses", metavar="A,B", help="Metrics to look at (ackclock list metric).")
@click.option("--starts", metavar="auto|fixed|TIME", help="Draw starts within TIME, or keep them [default: drawn if nothing else is].")
@click.option("--workers", metavar="N", type=click.IntRange(1, 1024), help="Runs at the same time [default: one per core].")
@click.option("--dask", metavar="ADDRESS", help="Let a Dask scheduler's workers make the runs: tcp://HOST:PORT, or a scheduler file.")
@click.option("--on", metavar="sim", hidden=True)
@click.option("--dry-run", is_flag=True, help="Check everything, show what would run, and end.")
@set_option
@seed_option
@out_option("runs/NAME-sweep")
@force_option
@json_option
@quiet_option
def command(
    file: str,
    store: str | None,
    replications: int | None,
    responses: str | None,
    starts: str | None,
    workers: int | None,
    dask: str | None,
    on: str | None,
    dry_run: bool,
    settings: tuple[str, ...],
    seed: int | None,
    out: str | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run the scenario in FILE over the axes and seeds of its [sweep] table, on all cores or a cluster.

    Runs that are there already are not made again: stopped at any moment, by whatever, the same command goes on where it was.

    \b
    ackclock sweep status DIR   how far a sweep is
    ackclock sweep show DIR     its tables and figures

    \b
    Examples:
      ackclock sweep scenarios/sweeps/buffer-size.toml
      ackclock sweep scenarios/sweeps/buffer-size.toml --replications 50
      ackclock sweep scenarios/sweeps/buffer-size.toml --dask tcp://10.0.0.1:8786
    """  # noqa: D301
    from rich.console import Console

    from ackclock.cli.progress import messages
    from ackclock.cli.target import check_target
    from ackclock.scenario import load
    from ackclock.sweeps.left import left_of
    from ackclock.sweeps.result import SWEEP
    from ackclock.sweeps.store import StoreError
    from ackclock.sweeps.sweeping import check_room, design_of
    from ackclock.writing import WriteError, reason_of

    if on not in {None, "sim"}:
        raise InputError(
            f"--on: a sweep's runs are simulated, not run on '{on}'; a few variants on the kernel: ackclock compare --on linux"
        )
    console = messages(quiet=quiet)
    scenario = load(file, settings=settings, seed=seed)
    given = {"replications": replications, "responses": None if responses is None else split_list(responses), "starts": starts}
    if scenario.sweep is None:
        raise InputError(f"{file}: no [sweep] in it: it says what varies; one run is ackclock run, a few variants are ackclock compare")
    with console.status("checking every setting"):
        design = design_of(scenario, given)
    folder = check_target(Path(out) if out is not None else Path("runs") / f"{design.name}-sweep", SWEEP, inside=True)
    left = left_of(design, folder / "runs" if store is None else store)
    room = check_room(design, left, executor=dask, workers=workers, force=force or dry_run)
    _tell_size(design, left, console, room, dask=dask, workers=workers)
    if dry_run:
        _show_plan(design, left, as_json=as_json, quiet=quiet)
        return
    try:
        runs = _open_store(folder, store)
        _begin(folder, design.to_toml(folder))
    except (StoreError, WriteError) as error:
        raise InputError(str(error)) from None
    except OSError as error:
        found = reason_of(error)
        option, named = ("--out", folder) if store is None else ("--store", store)
        raise InputError(f"{option}: {WriteError(Path(named), str(error) if found is None else found[1])}") from None
    result = _carry_out(design, runs, folder, console, dask=dask, workers=workers)
    if as_json:
        click.echo((folder / "sweep.json").read_text(encoding="utf-8"), nl=False)
    elif not quiet:
        Console(highlight=False).print(result)
    console.print(f"Results: {folder}   Report: {folder / 'report.html'}", soft_wrap=True)


def _carry_out(design: Design, runs: Store, folder: Path, console: Console, *, dask: str | None, workers: int | None) -> SweepResult:
    from ackclock.cli.progress import Meter
    from ackclock.sweeps.running import SweepError, SweepStoppedError
    from ackclock.sweeps.sweeping import carry_out, find_warmup
    from ackclock.writing import WriteError

    began = time.perf_counter()
    warmup_ps = None
    try:
        if design.warmup is not None:
            with Meter(console, f"{design.name}: pilots") as meter:
                warmup_ps = find_warmup(design, runs, executor=dask, workers=workers, progress=partial(_show, meter))
            if warmup_ps is not None:
                console.print(f"Warm-up, found on pilots: {warmup_ps / 1e12:g} s", soft_wrap=True)
        with Meter(console, design.name) as meter:
            result, report = carry_out(design, runs, warmup_ps=warmup_ps, executor=dask, workers=workers, progress=partial(_show, meter))
    except SweepStoppedError as stopped:
        raise _failure(str(stopped).replace("stopped: ", "interrupted: ").replace("same call", "same command"), _INTERRUPTED) from None
    except SweepError as error:
        told = str(error) if "same call" in str(error) else f"{error}; runs that are finished are kept in {runs.folder}"
        raise _failure(told.replace("same call", "same command"), 1) from None
    for note in (*report.redone_damaged, *report.notes):
        console.print(note, style="yellow", soft_wrap=True)
    try:
        with console.status("writing the results"):
            result.write(folder, timing={**report.timing, "wall_seconds": time.perf_counter() - began})
    except (WriteError, FileExistsError) as error:
        raise _failure(f"all runs are kept in {runs.folder}, but {error}; the same command goes on from there", 1) from None
    console.print(_told(report), soft_wrap=True)
    return result


def _show(meter: Meter, progress: Progress) -> None:
    reused = f", {progress.reused:,} reused" if progress.reused else ""
    meter.update(progress.share, f"{progress.finished:,}/{progress.runs:,} runs{reused}  {progress.rate:.1f}/s", left=progress.left)


def _told(report: RunReport) -> str:
    parts = [f"{report.made:,} made"]
    if report.reused:
        parts.append(f"{report.reused:,} reused")
    if report.same:
        parts.append(f"{report.same:,} the same as another")
    if report.elsewhere:
        parts.append(f"{report.elsewhere:,} made by another process")
    return f"{len(report.rows):,} runs ({', '.join(parts)}) in {report.timing['seconds']:.1f} s"


def _tell_size(design: Design, left: Left, console: Console, room: Estimate | None, *, dask: str | None, workers: int | None) -> None:
    from ackclock.comparing import cores
    from ackclock.estimating import lasting
    from ackclock.results.text import quantity

    size = design.estimate(left)
    axes = " × ".join(f"{len(axis.values)} {axis.name}" for axis in design.axes)
    settings = f"{size.settings:,} settings ({axes})" if len(design.axes) > 1 else f"{axes} settings" if axes else "1 setting"
    runs = f"{size.runs:,} runs" if size.most == size.runs else f"{size.runs:,} to {size.most:,} runs"
    seeds = f"{design.replications:,} seed{'s' if design.replications != 1 else ''}"
    pilots = f", after {size.pilots:,} pilots" if size.pilots else ""
    count = workers or cores()
    where = "of one core" if dask is not None else f"on {count} core{'s' if count != 1 else ''}"
    about = lasting(size.seconds_on(1 if dask is not None else count))
    there = f", {'all' if size.there == size.runs else f'{size.there:,}'} there already" if size.there else ""
    first = "" if size.most == size.runs else f"the first {size.runs:,} take "
    large = f", {quantity(room.memory, 'bytes', 2)} of memory" if room is not None and room.is_large else ""
    console.print(f"{design.name}: {settings} × {seeds} = {runs}{there}{pilots}; {first}about {about} {where}{large}", soft_wrap=True)
    if design.starts.why:
        console.print(design.starts.why, soft_wrap=True)
    for one in design.same:
        console.print(
            f"axis {one.axis}: {one.a} and {one.b} are the very same runs at every setting: this axis changes nothing between them",
            style="yellow",
            soft_wrap=True,
        )


_SHOWN_SETTINGS = 20


def _show_plan(design: Design, left: Left, *, as_json: bool, quiet: bool) -> None:
    from rich.console import Console
    from rich.table import Table

    size = design.estimate(left)
    if as_json:
        axes = [{"name": axis.name, "keys": list(axis.keys), "labels": list(axis.labels)} for axis in design.axes]
        told = {
            "name": design.name,
            "axes": axes,
            "settings": size.settings,
            "replications": design.replications,
            "runs": size.runs,
            "most_runs": size.most,
            "runs_there": size.there,
            "core_seconds": round(size.core_seconds, 3),
            "responses": [{"name": one.name, "unit": one.unit} for one in design.responses],
            "starts_within_ps": design.starts.within_ps,
            "same": [{"axis": one.axis, "a": one.a, "b": one.b} for one in design.same],
        }
        click.echo(json.dumps(told, indent=2, allow_nan=False))
    elif not quiet:
        table = Table(box=None, header_style="bold")
        for name in ("setting", *(axis.name for axis in design.axes)):
            table.add_column(name, justify="right")
        for setting in design.settings[:_SHOWN_SETTINGS]:
            table.add_row(str(setting.index), *(str(label) for label in setting.labels))
        if size.settings > _SHOWN_SETTINGS:
            table.add_row("…", *("…" for _ in design.axes))
        console = Console(highlight=False)
        if design.axes:
            console.print(table)
        last = design.seed(design.replications - 1)
        console.print(
            f"Seeds {design.scenario.seed} to {last}; responses: {', '.join(one.name for one in design.responses)}", soft_wrap=True
        )


def _open_store(folder: Path, shared: str | None) -> Store:
    from ackclock.sweeps.store import Store

    runs = folder / "runs"
    if shared is not None:
        there = Path(shared).absolute()
        if runs.is_symlink() and runs.resolve() != there.resolve():
            raise InputError(f"--store: '{folder}' keeps its runs in '{runs.resolve()}'; name another --out")
        if runs.is_dir() and not runs.is_symlink() and runs.resolve() != there.resolve():
            raise InputError(f"--store: '{folder}' has runs of its own; name another --out, or leave --store out")
        opened = Store.open(there, create=True)
        folder.mkdir(parents=True, exist_ok=True)
        if not runs.exists():
            runs.symlink_to(there, target_is_directory=True)
        return opened
    folder.mkdir(parents=True, exist_ok=True)
    return Store.open(runs, create=True)


def _begin(folder: Path, text: str) -> None:
    """Say in the folder what will be in it. The results of an earlier sweep stay until those of this one take their place."""
    from ackclock.sweeps.result import NEXT
    from ackclock.writing import write_text

    path, following = folder / "sweep.toml", folder / NEXT
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        following.unlink(missing_ok=True)
        return
    write_text(following if (folder / "sweep.json").is_file() else path, text)
