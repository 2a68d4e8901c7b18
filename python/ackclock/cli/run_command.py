"""``ackclock run``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import perf_counter

import click

from ackclock.cli.completion.names import scenarios
from ackclock.cli.errors import InputError
from ackclock.cli.options import no_report_option, scenario_options
from ackclock.cli.output import RUN_TABLES, Output, output_options
from ackclock.cli.permitting import runs_code

__all__ = ["command"]


@click.command("run")
@click.argument("file", type=click.Path(), shell_complete=scenarios)
@no_report_option
@click.option(
    "--dry-run", is_flag=True, help="Check the scenario, estimate the run's time and size, and end."
)
@click.option(
    "--digest",
    is_flag=True,
    help="Print 16 digits in place of the tables. Runs whose counters and records are equal to the "
    "last bit have equal digits, on every machine.",
)
@scenario_options("runs/NAME", output_options(*RUN_TABLES))
@runs_code()
def command(
    file: str,
    settings: tuple[str, ...],
    seed: int | None,
    out: str | None,
    no_report: bool,
    dry_run: bool,
    digest: bool,
    force: bool,
    output: Output,
) -> None:
    """Run the scenario in FILE; show a table and write its results.

    \b
    Example:
      ackclock run scenarios/reno-one-flow.toml --set flows.cc=cubic --seed 2
      ackclock run scenarios/pie.toml --format csv --table flows
    """  # noqa: D301
    from ackclock.cli.one_run import check_room, run_and_show, show_estimate
    from ackclock.cli.target import check_target, chosen_folder
    from ackclock.engine.run import run_planned
    from ackclock.results.files import RUN
    from ackclock.scenario import load

    if digest and not output.is_for_terminal:
        raise InputError("--digest, --json, --format, --table: one output has one form")
    began = perf_counter()
    scenario = load(file, settings=settings, seed=seed)
    plan = scenario.plan()
    folder = check_target(chosen_folder(out, Path("runs") / scenario.name), RUN)
    left_aside = (
        f"This scenario has a [compare] table, which run leaves aside: ackclock compare {file}"
    )
    if dry_run:
        show_estimate(scenario, plan, report=not no_report, output=output)
        return
    check_room(scenario, folder, plan=plan, report=not no_report, force=force, output=output)
    run_and_show(
        partial(run_planned, plan=plan, began=began),
        scenario,
        folder,
        report=not no_report,
        output=output,
        left_aside=left_aside,
        digest=digest,
    )
