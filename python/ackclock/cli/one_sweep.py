"""The options and steps that ``sweep`` and ``compare`` share."""

from __future__ import annotations

import json
import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.errors import InputError, failed_sweep
from ackclock.cli.options import Command, decorated, store_option
from ackclock.errors import AlgorithmError

if TYPE_CHECKING:
    from ackclock.cli.console import Console
    from ackclock.cli.output import Output
    from ackclock.engine.cost_model import Estimate
    from ackclock.sweeps.cost import Left
    from ackclock.sweeps.design import Design
    from ackclock.sweeps.result import SweepResult
    from ackclock.sweeps.running import RunReport
    from ackclock.sweeps.store import Store

__all__ = ["make_and_show", "starts_option", "sweep_options"]

starts_option = click.option(
    "--starts",
    metavar="auto|fixed|TIME",
    help="Draw starts within TIME, or keep them [default: drawn if nothing else is].",
)


def sweep_options(function: Command) -> Command:
    """``--store``, ``--dask`` and ``--dry-run``."""
    return decorated(
        function,
        store_option("Folder of runs that several sweeps share [default: runs in --out]."),
        click.option(
            "--dask",
            metavar="ADDRESS",
            help="Make the runs on a Dask scheduler's workers: tcp://HOST:PORT, or a scheduler "
            "file.",
        ),
        click.option(
            "--dry-run", is_flag=True, help="Check everything, show the planned runs, and end."
        ),
    )


def make_and_show(
    design: Design,
    folder: Path,
    *,
    store: str | None,
    executor: str | None,
    workers: int | None,
    force: bool,
    dry_run: bool,
    output: Output,
    tables: bool = False,
) -> None:
    """Announce a sweep's size, make the missing runs, write the results and show them.

    Without `store` the runs are kept in `folder`, too. With `dry_run` nothing runs. `tables` adds
    means and differences to the JSON.
    """
    from ackclock.cli.target import check_target
    from ackclock.runtime.extras import MissingExtraError, is_installed, require
    from ackclock.sweeps.left import left_of
    from ackclock.sweeps.result import SWEEP, refuse_earlier
    from ackclock.sweeps.sweeping import check_room

    console = output.messages()
    if executor not in {None, "threads", "processes"}:
        require("dask")
    try:
        refuse_earlier(folder)
    except FileNotFoundError as error:
        raise InputError(f"--out: {error}") from None
    check_target(folder, SWEEP, inside=True)
    left = left_of(design, _store_of(folder) if store is None else store)
    room = check_room(design, left, executor=executor, workers=workers, force=force or dry_run)
    _tell_size(design, left, console, room, executor=executor, workers=workers)
    if dry_run:
        _show_plan(design, left, output)
        return
    before = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        runs = _begun(folder, design, store)
        result = _carry_out(design, runs, folder, console, executor=executor, workers=workers)
    except BaseException:
        from ackclock.sweeps.store import Store

        if store is None and before and not Store(folder / "runs").has_any():
            # A folder without any run is of no use.
            shutil.rmtree(folder, ignore_errors=True)
            for path in before[1:]:
                with suppress(OSError):
                    path.rmdir()
        raise
    output.show_result(result, lambda: result.to_dict(tables=tables))
    console.print(f"Results: {folder}   Report: {folder / 'report.html'}", soft_wrap=True)
    if not is_installed("plots"):
        left_out = f"plots/ is left out: {MissingExtraError('plots')}"
        console.print(left_out, soft_wrap=True)


def _begun(folder: Path, design: Design, store: str | None) -> Store:
    """The store of the runs, in a folder with the sweep's design."""
    from ackclock.atomic_io import WriteError, reason_of
    from ackclock.sweeps.store import StoreError

    try:
        runs = _open_store(folder, store)
        _begin(folder, design.to_toml(folder))
    except (StoreError, WriteError) as error:
        raise InputError(str(error)) from None
    except OSError as error:
        reason = reason_of(error)
        option, named = ("--out", folder) if store is None else ("--store", store)
        raise InputError(
            f"{option}: {WriteError(Path(named), str(error) if reason is None else reason[1])}"
        ) from None
    return runs


def _carry_out(
    design: Design,
    runs: Store,
    folder: Path,
    console: Console,
    *,
    executor: str | None,
    workers: int | None,
) -> SweepResult:
    from ackclock.atomic_io import WriteError
    from ackclock.cli.progress import Meter
    from ackclock.metrics import MetricError, UnknownMetricError
    from ackclock.sweeps.running import SweepError, SweepStoppedError
    from ackclock.sweeps.sweeping import carry_out, find_warmup

    began = time.perf_counter()
    warmup_ps = None
    try:
        if design.warmup is not None:
            with Meter(console, f"{design.name}: pilots") as meter:
                warmup_ps = find_warmup(
                    design, runs, executor=executor, workers=workers, progress=meter.show
                )
            if warmup_ps is not None:
                console.print(f"Warm-up, found on pilots: {warmup_ps / 1e12:g} s", soft_wrap=True)
        with Meter(console, design.name) as meter:
            result, report = carry_out(
                design,
                runs,
                warmup_ps=warmup_ps,
                executor=executor,
                workers=workers,
                progress=meter.show,
            )
    except SweepStoppedError as stopped:
        message = str(stopped).replace("stopped: ", "interrupted: ")
        raise failed_sweep(stopped, message) from None
    except (SweepError, AlgorithmError, MetricError, UnknownMetricError) as error:
        message = str(error)
        if "same call" not in message and runs.has_any():
            message += f"; runs that are finished are kept in {runs.folder}"
        status = 1 if isinstance(error, SweepError) else 2
        raise failed_sweep(error, message, status) from None
    for note in (*report.redone_damaged, *report.notes):
        console.print(note, style="yellow", soft_wrap=True)
    try:
        with console.status("writing the results"):
            result.write(
                folder, timing={**report.timing, "wall_seconds": time.perf_counter() - began}
            )
    except (WriteError, FileExistsError) as error:
        raise click.ClickException(
            f"all runs are kept in {runs.folder}, but {error}; the same command goes on from there"
        ) from None
    console.print(_told(report), soft_wrap=True)
    return result


def _told(report: RunReport) -> str:
    parts = [f"{report.made:,} made"]
    if report.reused:
        parts.append(f"{report.reused:,} reused")
    if report.same:
        parts.append(f"{report.same:,} the same as another")
    if report.elsewhere:
        parts.append(f"{report.elsewhere:,} made by another process")
    return f"{len(report.rows):,} runs ({', '.join(parts)}) in {report.timing['seconds']:.1f} s"


def _tell_size(
    design: Design,
    left: Left,
    console: Console,
    room: Estimate | None,
    *,
    executor: str | None,
    workers: int | None,
) -> None:
    from ackclock.engine.cost_model import lasting, paced
    from ackclock.sweeps.executors import cores
    from ackclock.tables.quantities import quantity

    size = design.estimate(left)
    axes = " × ".join(f"{len(axis.values)} {axis.name}" for axis in design.axes)
    settings = f"{axes} settings" if axes else "1 setting"
    if len(design.axes) > 1:
        settings = f"{size.settings:,} settings ({axes})"
    most = "" if size.most == size.runs else f" to {size.most:,}"
    runs = f"{size.runs:,}{most} runs"
    seeds = f"{design.replications:,} seed{'s' if design.replications != 1 else ''}"
    pilots = f", after {size.pilots:,} pilots" if size.pilots else ""
    count = workers or cores()
    is_elsewhere = executor not in {None, "threads", "processes"}
    where = "of one core" if is_elsewhere else f"on {count} core{'s' if count != 1 else ''}"
    simulated = size.seconds_on(1 if is_elsewhere else count) - size.real_seconds
    counts = [0 if design.is_live(at) else number for at, number in enumerate(left.runs)]
    simulated = paced(
        simulated, design.run_sizes(), counts, lambda at: design.scenario_at(at).plan()
    )
    about = lasting(simulated + size.real_seconds)
    count_there = "all" if size.there == size.runs else f"{size.there:,}"
    there = f", {count_there} there already" if size.there else ""
    first = "" if size.most == size.runs else f"the first {size.runs:,} take "
    is_large = room is not None and room.is_large
    large = f", {quantity(room.memory, 'bytes', 2)} of memory" if room and is_large else ""
    console.print(
        f"{design.name}: {settings} × {seeds} = {runs}{there}{pilots}; {first}about {about} "
        f"{where}{large}",
        soft_wrap=True,
    )
    if design.starts.why:
        console.print(design.starts.why, soft_wrap=True)
    for pair in design.same:
        console.print(
            f"axis {pair.axis}: {pair.a} and {pair.b} are the very same runs at every setting: "
            "this axis changes nothing between them",
            style="yellow",
            soft_wrap=True,
        )


_SHOWN_SETTINGS = 20


def _show_plan(design: Design, left: Left, output: Output) -> None:
    from ackclock.cli.console import Console
    from ackclock.tables.table import Table
    from ackclock.tables.terminal import BARE, drawn

    size = design.estimate(left)
    if output.as_json:
        axes = [
            {"name": axis.name, "keys": list(axis.keys), "labels": list(axis.labels)}
            for axis in design.axes
        ]
        document = {
            "name": design.name,
            "axes": axes,
            "settings": size.settings,
            "replications": design.replications,
            "runs": size.runs,
            "most_runs": size.most,
            "runs_there": size.there,
            "core_seconds": round(size.core_seconds, 3),
            "responses": [
                {"name": response.name, "unit": response.unit} for response in design.responses
            ],
            "starts_within_ps": design.starts.within_ps,
            "same": [{"axis": pair.axis, "a": pair.a, "b": pair.b} for pair in design.same],
        }
        click.echo(json.dumps(document, indent=2, allow_nan=False))
    elif not output.quiet:
        header = ("setting", *(axis.name for axis in design.axes))
        rows = [
            (str(setting.index), *(str(label) for label in setting.labels))
            for setting in design.settings[:_SHOWN_SETTINGS]
        ]
        if size.settings > _SHOWN_SETTINGS:
            rows.append(("…",) * len(header))
        console = Console()
        if design.axes:
            look = BARE._replace(padding=(1, 1), has_edge=True)
            console.print(drawn(Table(header, rows, 0), look))
        last = design.seed(design.replications - 1)
        console.print(
            f"Seeds {design.scenario.seed} to {last}; responses: "
            f"{', '.join(response.name for response in design.responses)}",
            soft_wrap=True,
        )


def _open_store(folder: Path, shared: str | None) -> Store:
    from ackclock.atomic_io import make_place
    from ackclock.sweeps.elsewhere import RUNS, link_runs, linked_store, store_of
    from ackclock.sweeps.store import Store

    if shared is not None:
        there, linked = Path(shared).absolute(), linked_store(folder)
        if linked is not None and linked.resolve() != there.resolve():
            raise InputError(
                f"--store: '{folder}' keeps its runs in '{linked}'; name another --out"
            )
        runs = folder / RUNS
        if linked is None and runs.is_dir() and runs.resolve() != there.resolve():
            raise InputError(
                f"--store: '{folder}' has runs of its own; name another --out, or leave --store out"
            )
        opened = Store.open(there, create=True)
        make_place(folder)
        link_runs(folder, there)
        return opened
    make_place(folder)
    return Store.open(store_of(folder), create=True)


def _store_of(folder: Path) -> Path:
    from ackclock.sweeps.elsewhere import store_of
    from ackclock.sweeps.store import StoreError

    try:
        return store_of(folder)
    except StoreError as error:
        raise InputError(str(error)) from None


def _begin(folder: Path, text: str) -> None:
    """Write the design into the folder; results of an earlier sweep stay until the new ones."""
    from ackclock.atomic_io import is_file, read_bytes, remove_file, write_text
    from ackclock.sweeps.result import NEXT

    if is_file(folder, "sweep.toml") and read_bytes(folder, "sweep.toml") == text.encode():
        remove_file(folder, NEXT)
        return
    name = NEXT if is_file(folder, "sweep.json") else "sweep.toml"
    write_text(folder / name, text, beneath=folder)
