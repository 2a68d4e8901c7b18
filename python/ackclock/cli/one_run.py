"""The steps that ``run`` and ``linux`` share: estimate, run, write, show."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ackclock.cli.output import Output
    from ackclock.core_types.plan import Plan
    from ackclock.results import Result
    from ackclock.scenario import Scenario

__all__ = ["check_room", "run_and_show", "show_estimate"]


class Engine(Protocol):
    """`ackclock.run` or `ackclock.engine.linux.run_on_linux`."""

    def __call__(self, scenario: Scenario, *, progress: Callable[[float], None]) -> Result:
        """Run a scenario."""


def check_room(
    scenario: Scenario,
    folder: Path,
    *,
    plan: Plan | None = None,
    report: bool,
    force: bool,
    output: Output,
    real_time: bool = False,
) -> None:
    """Announce a long or large run in a line, and refuse one that is too large.

    Raises
    ------
    TooLargeError
        If the run does not fit into memory or onto the disk.
    """
    from ackclock.engine.cost_model import check

    console = output.messages()
    check(
        scenario,
        plan=plan,
        folder=folder,
        plots=report,
        force=force,
        real_time=real_time,
        tell=lambda estimate: console.print(f"{scenario.name}: {estimate}", soft_wrap=True),
    )


def show_estimate(scenario: Scenario, plan: Plan, *, report: bool, output: Output) -> None:
    """Show the estimated time and size of a run."""
    from dataclasses import asdict

    from ackclock.engine.cost_model import estimate

    cost = estimate(scenario, plan=plan, plots=report)
    if output.as_json:
        rounded = {name: float(f"{value:.3g}") for name, value in asdict(cost).items()}
        click.echo(json.dumps({"name": scenario.name, **rounded}, indent=2))
    elif not output.quiet:
        click.echo(f"{scenario.name}: {cost}")


@contextmanager
def _in_this_folder() -> Iterator[None]:
    """Return to the current folder, which the user's code may leave: --out is relative to it."""
    try:
        here = Path.cwd()
    except OSError:
        yield
        return
    try:
        yield
    finally:
        os.chdir(here)


def run_and_show(
    engine: Engine,
    scenario: Scenario,
    folder: Path,
    *,
    report: bool,
    output: Output,
    left_aside: str,
    digest: bool = False,
) -> None:
    """Run with a progress line, write the results into the folder (or rescue them), and show them.

    `digest` asks for the digest of the run, in place of its tables.
    `left_aside` is the message for a scenario with a [compare] table, which a single run ignores.
    """
    from ackclock.cli.progress import Meter
    from ackclock.cli.rescue import write_or_rescue
    from ackclock.scenario.quantities import PS_PER_S, time_ps

    console = output.messages()
    duration = time_ps(scenario.duration) / PS_PER_S
    with Meter(console, scenario.name) as meter, _in_this_folder():
        result = engine(
            scenario,
            progress=lambda share: meter.update(share, f"{share * duration:.1f} of {duration:g} s"),
        )
    status = console.status("writing the results") if console.is_terminal else nullcontext()
    with status:
        failure = write_or_rescue(lambda where: result.write(where, report=report), folder)
    if digest:
        click.echo(f"digest {result.digest()}")
    else:
        output.show_result(result, result.summary)
    if scenario.compare is not None:
        console.print(left_aside, soft_wrap=True)
    if failure is not None:
        raise failure
    page = f"   Report: {folder / 'report.html'}" if report else ""
    console.print(f"Results: {folder}{page}", soft_wrap=True)
