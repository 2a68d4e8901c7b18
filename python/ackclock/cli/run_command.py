"""``ackclock run``."""

from __future__ import annotations

import json
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
    from rich.console import Console

    from ackclock.cli.progress import Meter, messages
    from ackclock.cli.target import check_target
    from ackclock.running import run
    from ackclock.scenario import load
    from ackclock.scenario.quantities import PS_PER_S, time_ps

    scenario = load(file, settings=settings, seed=seed)
    scenario.plan()
    folder = check_target(Path(out) if out is not None else Path("runs") / scenario.name, "summary.json")
    console = messages(quiet=quiet)
    duration = time_ps(scenario.duration) / PS_PER_S
    with Meter(console, scenario.name) as meter:
        result = run(scenario, progress=lambda share: meter.update(share, f"{share * duration:.1f} of {duration:g} s"))
    with console.status("writing the results"):
        result.write(folder, plots=not no_plots, report=not no_plots)
    if as_json:
        click.echo(json.dumps(result.summary(), indent=2, allow_nan=False))
    elif not quiet:
        Console(highlight=False).print(result)
    if scenario.compare is not None:
        console.print(f"This scenario has a \\[compare] table, which run leaves aside: ackclock compare {file}", soft_wrap=True)
    report = "" if no_plots else f"   Report: {folder / 'report.html'}"
    console.print(f"Results: {folder}{report}", soft_wrap=True)
