"""``ackclock evaluate``."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.completion.names import controls, engines, one_control
from ackclock.cli.errors import InputError, failed_sweep
from ackclock.cli.options import (
    Whole,
    out_option,
    quiet_option,
    split_list,
    store_option,
    workers_option,
)
from ackclock.cli.output import check_junit, format_option, junit_option, print_tables, write_junit
from ackclock.cli.permitting import runs_code
from ackclock.cli.target import chosen_folder
from ackclock.cli.terminal import json_text

if TYPE_CHECKING:
    from ackclock.evaluation.dossier import Dossier
    from ackclock.tables.table import Table as ResultTable

__all__ = ["command"]

_TOP = Path("runs") / "evaluate"


@click.command("evaluate")
@click.argument("subject", metavar="SUBJECT", shell_complete=one_control)
@click.option(
    "--quick/--full",
    default=True,
    help="Quick: fewer cells and seeds, half the time [default]. Full: all cells, 20 seeds.",
)
@click.option("--only", metavar="5.2,E12", help="Sections of RFC 9743 and rows: these alone.")
@click.option("--cell", metavar="ID", help="With one row in --only: this cell alone.")
@click.option(
    "--against",
    metavar="A,B",
    shell_complete=controls,
    help="References in the subject's seat, in place of reno,cubic.",
)
@click.option(
    "--ecn",
    type=click.Choice(["off", "classic", "accurate", "l4s"]),
    help="ECN of the subject's flows [default: what the algorithm implies].",
)
@click.option(
    "--claim",
    "claims",
    multiple=True,
    type=click.Choice(["data-centre"]),
    help="A special case that the subject claims; its rows then apply. Repeatable.",
)
@click.option(
    "--on",
    metavar="sim,linux,virtual",
    shell_complete=engines,
    default="sim",
    show_default=True,
    help="Some cells on kernels too: linux, this machine's in real time; virtual or virtual:NAME, "
    "in virtual time (ackclock kernel list).",
)
@click.option(
    "--seeds",
    metavar="N",
    type=Whole(2, 100_000),
    help="Seeds of every row [default: quick 5, or 10 where flows compete; full 20].",
)
@click.option("--seed", metavar="N", type=Whole(0), default=1, help="First seed [default: 1].")
@out_option(f"Folder of the dossier [default: {_TOP.as_posix()}/SUBJECT].")
@store_option(f"Folder of the runs, which all subjects share [default: {_TOP.as_posix()}/runs].")
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Dask scheduler that makes the runs, tcp://HOST:PORT or the file that it wrote.",
)
@click.option(
    "--scenario",
    "prints_scenario",
    is_flag=True,
    help="With --cell: print the cell's scenario (TOML) for `ackclock run`, and run nothing.",
)
@junit_option
@workers_option
@format_option
@quiet_option
@runs_code("subject")
def command(
    subject: str,
    *,
    quick: bool,
    only: str | None,
    cell: str | None,
    against: str | None,
    ecn: str | None,
    claims: tuple[str, ...],
    on: str,
    seeds: int | None,
    seed: int,
    out: str | None,
    store: str | None,
    dask: str | None,
    prints_scenario: bool,
    junit: str | None,
    workers: int | None,
    form: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Evaluate the congestion control SUBJECT by the criteria of RFC 9743.

    SUBJECT is anything that `cc` takes: bbr, cos+reno, python:gentle:Gentle. The dossier
    (index.html, dossier.json, dossier.md) has a verdict for each of the RFC's demands, against Reno
    and CUBIC in the same place. A run is never made twice: stopped at any moment, the same command
    goes on where it was.

    \b
    Examples:
      ackclock evaluate bbr
      ackclock evaluate python:gentle:Gentle --only 5.2,E06
      ackclock evaluate cubic --full --seed 5000
    """  # noqa: D301
    from ackclock.cli.progress import Meter, messages
    from ackclock.cli.target import check_target
    from ackclock.errors import UnknownNameError
    from ackclock.evaluation.evaluating import evaluate
    from ackclock.evaluation.output.writing import KIND
    from ackclock.runtime.extras import require
    from ackclock.sweeps import StoreError, SweepError
    from ackclock.sweeps.errors import SweepStoppedError

    rows = None if only is None else split_list(only)
    if prints_scenario:
        _print_scenario(subject, rows, cell, quick=quick, ecn=ecn, claims=claims)
        return
    require("plots", *(["dask"] if dask is not None else []))
    console = messages(quiet=quiet)
    folder = chosen_folder(out, _TOP / _folder_name(subject))
    check_target(folder, KIND)
    check_junit(junit)
    began = time.perf_counter()
    try:
        with Meter(console, "evaluating") as meter:
            dossier = evaluate(
                subject,
                quick=quick,
                only=rows,
                cell=cell,
                against=None if against is None else split_list(against),
                ecn=ecn,
                claims=claims,
                on=split_list(on),
                seeds=seeds,
                first_seed=seed,
                store=chosen_folder(store, _TOP / "runs", "--store"),
                executor=dask,
                workers=workers,
                progress=meter.show,
            )
    except UnknownNameError as error:
        raise InputError(str(error)) from None
    except StoreError as error:
        raise InputError(str(error)) from None
    except (SweepStoppedError, SweepError) as error:
        raise failed_sweep(error) from None
    with console.status("writing the dossier"):
        page = dossier.write(folder)
    write_junit(junit, dossier.verdicts)
    if as_json:
        click.echo(json_text(dossier.to_dict()))
    elif form is not None:
        print_tables({"rows": _table(dossier)}, form)
    elif not quiet:
        _print(dossier)
    seconds = time.perf_counter() - began
    console.print(
        f"{dossier.made:,} runs made, {dossier.reused:,} found, {seconds:.0f} s", soft_wrap=True
    )
    console.print(f"Dossier: {page}", soft_wrap=True)


def _folder_name(subject: str) -> str:
    return re.sub(r"[^\w.+=-]+", "-", subject.removeprefix("python:")).strip("-")


def _print_scenario(
    subject: str,
    rows: list[str] | None,
    cell: str | None,
    *,
    quick: bool,
    ecn: str | None,
    claims: tuple[str, ...],
) -> None:
    from ackclock.errors import UnknownNameError
    from ackclock.evaluation.evaluating import scenario_of

    if cell is None or rows is None:
        raise InputError("--scenario needs --only ROW and --cell ID: one cell is one scenario")
    try:
        scenario = scenario_of(subject, rows, cell, quick=quick, ecn=ecn, claims=claims)
    except UnknownNameError as error:
        raise InputError(str(error)) from None
    click.echo(scenario.to_toml(), nl=False)


def _table(dossier: Dossier) -> ResultTable:
    """The verdicts, a row per demand of RFC 9743."""
    from ackclock.evaluation.output.words import verdict_sentence
    from ackclock.tables.table import Column, Table

    rows = dossier.ordered
    columns = [
        Column("section", [verdict.row.section for verdict in rows]),
        Column("row", [verdict.row.id for verdict in rows]),
        Column("demand", [verdict.row.title for verdict in rows]),
        Column("strength", [verdict.row.strength for verdict in rows]),
        Column("informative", [verdict.row.informative for verdict in rows]),
        Column("verdict", [verdict.kind for verdict in rows]),
        Column("figures", [verdict_sentence(verdict) for verdict in rows]),
    ]
    return Table.of("rows", f"RFC 9743: {dossier.subject}", columns, names=len(columns))


def _print(dossier: Dossier) -> None:
    from ackclock.cli.console import Console
    from ackclock.evaluation.output.words import verdict_sentence
    from ackclock.evaluation.row import STRENGTHS
    from ackclock.tables.table import Table, styled
    from ackclock.tables.terminal import BARE, FOLDED, drawn

    styles = {"concern": "bold red", "better": "blue", "not judged": "yellow"}
    rows = dossier.ordered
    cells = []
    for verdict in rows:
        kind = f"{verdict.kind} (informative)" if verdict.row.informative else verdict.kind
        style = styles.get(verdict.kind, "") if not verdict.row.informative else ""
        sentence = verdict_sentence(verdict) if verdict.kind not in ("no concern", "shown") else ""
        name = f"{verdict.row.id} {verdict.row.title}"
        cells.append(
            (verdict.row.section, name, verdict.row.strength, styled((kind, style)), sentence)
        )
    table = Table(("§", "row", "strength", "verdict", ""), cells, 5)
    Console().print(drawn(table, BARE._replace(padding=(1, 1), fit=FOLDED)))
    counts = ", ".join(
        f"{len(dossier.concerns_of(strength))} of "
        f"{sum(verdict.row.strength == strength for verdict in dossier.rows)} {name}"
        for strength, name in STRENGTHS.items()
    )
    click.echo(f"\nRows with a concern: {counts}. No overall grade.")
