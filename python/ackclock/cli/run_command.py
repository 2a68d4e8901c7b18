"""``ackclock run``."""

from __future__ import annotations

from pathlib import Path

import click

from ackclock.cli.options import json_option, out_option, quiet_option, seed_option, set_option

__all__ = ["command"]


@click.command("run")
@click.argument("file", type=click.Path())
@set_option
@seed_option
@out_option("runs/NAME")
@click.option("--no-plots", is_flag=True, help="Leave out the figures and the report, which take longer than most runs.")
@json_option
@quiet_option
def command(file: str, settings: tuple[str, ...], seed: int | None, out: str | None, no_plots: bool, as_json: bool, quiet: bool) -> None:
    """Run the scenario in FILE; show a table and write its results.

    \b
    Example:
      ackclock run scenarios/reno-one-flow.toml --set flows.cc=cubic --seed 2
    """  # noqa: D301
    from ackclock.cli.one_run import run_and_show
    from ackclock.cli.target import check_target
    from ackclock.results.files import RUN
    from ackclock.running import run
    from ackclock.scenario import load

    scenario = load(file, settings=settings, seed=seed)
    scenario.plan()
    folder = check_target(Path(out) if out is not None else Path("runs") / scenario.name, RUN)
    left_aside = f"This scenario has a [compare] table, which run leaves aside: ackclock compare {file}"
    run_and_show(run, scenario, folder, plots=not no_plots, as_json=as_json, quiet=quiet, left_aside=left_aside)
