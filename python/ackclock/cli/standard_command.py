"""``ackclock standard``."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ackclock.cli.options import (
    Real,
    Whole,
    decorated,
    force_option,
    no_report_option,
    out_option,
    set_option,
    workers_option,
)
from ackclock.cli.output import RUN_TABLES, SWEEP_TABLES, Output, output_options
from ackclock.cli.permitting import runs_code
from ackclock.cli.target import chosen_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.results import Result
    from ackclock.scenario import Scenario
    from ackclock.tools.testsuites import StandardTest

__all__ = ["command"]

_TYPES: dict[str, click.ParamType[Any]] = {
    "load": Real(0.01, 2.0),
    "streams": Whole(1, 1000),
    "seed": Whole(0),
}


def _test_options(function: Callable[..., None]) -> Callable[..., None]:
    from ackclock.tools.testsuites.test import MEANINGS

    options = [
        click.option(
            f"--{name.replace('_', '-')}",
            name,
            metavar=name.upper(),
            type=_TYPES.get(name, click.STRING),
            help=f"{meaning[0].upper()}{meaning[1:]}.",
        )
        for name, meaning in MEANINGS.items()
    ]
    return decorated(function, *options)


@click.command("standard")
@click.argument("name", metavar="NAME")
@_test_options
@click.option(
    "--scenario",
    "prints_scenario",
    is_flag=True,
    help="Print the scenario (TOML) for `ackclock run` or `ackclock sweep`, and run nothing.",
)
@out_option("Folder of the results [default: runs/NAME].")
@no_report_option
@set_option
@workers_option
@force_option
@output_options(*RUN_TABLES, *SWEEP_TABLES)
@runs_code()
def command(
    name: str,
    *,
    prints_scenario: bool,
    out: str | None,
    no_report: bool,
    settings: tuple[str, ...],
    workers: int | None,
    force: bool,
    output: Output,
    **options: Any,
) -> None:
    """Run the standard test NAME, or `list` them.

    RRUL and its kin are flent's; the others are those of the Common TCP Evaluation Suite. `list`
    has their sources, options, and decisions where a source is silent. docs/standard.md says more.

    \b
    Examples:
      ackclock standard list
      ackclock standard rrul --rate 20Mbit/s --rtt 40ms --qdisc fq_codel --cc cubic
      ackclock standard access-link --cc bbr --load 0.6
    """  # noqa: D301
    from ackclock.scenario.overrides import split_setting
    from ackclock.tools.testsuites import TESTS, standard
    from ackclock.tools.testsuites.catalogue import find

    if name == "list":
        _list(list(TESTS.values()), as_json=output.as_json)
        return
    test = find(name)
    given = {key: value for key, value in options.items() if value is not None}
    scenario = standard(name, **given)
    if settings:
        scenario = scenario.replace(dict(map(split_setting, settings)))
    if prints_scenario:
        click.echo(scenario.to_toml(), nl=False)
        return
    folder = chosen_folder(out, Path("runs") / test.name)
    if scenario.sweep is not None:
        _sweep(scenario, folder, workers=workers, force=force, output=output)
    else:
        _run(test, scenario, folder, report=not no_report, force=force, output=output)


def _list(tests: list[StandardTest], *, as_json: bool) -> None:
    if as_json:
        rows = [
            {
                "name": test.name,
                "title": test.title,
                "source": test.source,
                "choices": test.choices,
                "options": test.defaults,
            }
            for test in tests
        ]
        click.echo(json.dumps(rows, indent=2))
        return
    from rich.padding import Padding
    from rich.text import Text

    from ackclock.cli.console import Console

    console = Console()
    for test in tests:
        options = " ".join(
            f"--{key.replace('_', '-')}" + ("" if value is None else f" {value}")
            for key, value in test.defaults.items()
        )
        console.print(Text.assemble((test.name, "bold"), f"  {test.title}"))
        console.print(Padding(Text(f"{test.source}. {test.choices}", style="dim"), (0, 0, 0, 4)))
        console.print(Padding(Text(options), (0, 0, 0, 4)))


def _sweep(
    scenario: Scenario, folder: Path, *, workers: int | None, force: bool, output: Output
) -> None:
    from ackclock.cli.one_sweep import make_and_show
    from ackclock.sweeps.sweeping import design_of

    with output.messages().status("checking every setting"):
        design = design_of(scenario)
    make_and_show(
        design,
        folder,
        store=None,
        executor="threads",
        workers=workers,
        force=force,
        dry_run=False,
        output=output,
    )


def _run(
    test: StandardTest,
    scenario: Scenario,
    folder: Path,
    *,
    report: bool,
    force: bool,
    output: Output,
) -> None:
    from time import perf_counter

    from ackclock.cli.one_run import check_room, run_and_show
    from ackclock.cli.target import check_target
    from ackclock.engine.run import run_planned
    from ackclock.results.files import RUN

    began = perf_counter()
    plan = scenario.plan()
    folder = check_target(folder, RUN)
    check_room(scenario, folder, plan=plan, report=report, force=force, output=output)
    is_rrul = test.figures == "rrul"
    kept: list[Result] = []

    def engine(scenario: Scenario, *, progress: Callable[[float], None]) -> Result:
        kept.append(run_planned(scenario, plan=plan, began=began, progress=progress))
        return kept[-1]

    run_and_show(
        engine,
        scenario,
        folder,
        report=report,
        output=replace(output, as_json=False, quiet=True) if is_rrul and output.as_json else output,
        left_aside="",
    )
    if is_rrul and (output.as_json or output.is_for_terminal):
        _show_rrul(kept[0], output)


def _show_rrul(result: Result, output: Output) -> None:
    from ackclock.tools.testsuites.latency import rrul_figures
    from ackclock.tools.testsuites.terminal import rrul_view

    figures = rrul_figures(result)
    output.show(
        lambda: rrul_view(figures), lambda: {"summary": result.summary(), "rrul": figures.to_dict()}
    )
