"""``ackclock compare``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ackclock.cli.completion.names import controls, engines, one_of, scenarios
from ackclock.cli.one_sweep import make_and_show, starts_option, sweep_options
from ackclock.cli.options import Whole, scenario_options, split_list, workers_option
from ackclock.cli.output import SWEEP_TABLES, Output, output_options
from ackclock.cli.permitting import runs_code
from ackclock.cli.target import chosen_folder

__all__ = ["command"]


def _along(texts: tuple[str, ...]) -> dict[str, list[Any]] | None:
    from ackclock.scenario.errors import ScenarioError
    from ackclock.scenario.overrides import read_value

    if not texts:
        return None
    along: dict[str, list[Any]] = {}
    for text in texts:
        key, equals, values = text.partition("=")
        parts = split_list(values)
        if not equals or not key.strip() or not all(parts):
            raise ScenarioError(
                f"'{text}' is not key=value,value,...; such as flows.count=1,5,10",
                key="--along",
                value=text,
            )
        along[key.strip()] = [read_value(part) for part in parts]
    return along


@click.command("compare")
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(), shell_complete=scenarios
)
@click.option(
    "--cc",
    metavar="A,B",
    shell_complete=controls,
    help="Algorithms that replace the one of the flows; differences are against the first.",
)
@click.option(
    "--flows",
    metavar="NAME,NAME",
    help="Entries of flows whose algorithm is replaced [default: all].",
)
@click.option(
    "--along",
    "along_texts",
    metavar="KEY=V,V",
    multiple=True,
    help="A key with the values to try: flows.count=1,5,10. Repeatable.",
)
@click.option(
    "--seeds",
    metavar="N",
    type=Whole(1, 100_000),
    help="Number of seeds, the same for every variant.",
)
@click.option(
    "--metric",
    metavar="NAME",
    shell_complete=one_of("metric"),
    help="Metric of the table (ackclock list metric); python:MODULE:FUNCTION for one of yours.",
)
@click.option(
    "--on",
    metavar="sim,linux,virtual",
    shell_complete=engines,
    help="Engines for every variant: simulator, this machine's kernel in real time, kernels in "
    "virtual time, virtual:NAME (ackclock kernel list) [default: sim].",
)
@starts_option
@sweep_options
@workers_option
@scenario_options("runs/NAME-comparison", output_options(*SWEEP_TABLES))
@runs_code()
def command(
    files: tuple[str, ...],
    cc: str | None,
    flows: str | None,
    along_texts: tuple[str, ...],
    seeds: int | None,
    metric: str | None,
    on: str | None,
    starts: str | None,
    store: str | None,
    workers: int | None,
    dask: str | None,
    dry_run: bool,
    settings: tuple[str, ...],
    seed: int | None,
    out: str | None,
    force: bool,
    output: Output,
) -> None:
    """Run variants of the scenarios in FILE... side by side, with the same seeds.

    Simulations and kernels in virtual time use all cores; runs in real time follow one another.
    Defaults are those of the [compare] table of the first FILE.

    A comparison is a sweep over the variants: stopped at any moment, the same command goes on where
    it was; `ackclock sweep show DIR` shows further tables and figures.

    \b
    Examples:
      ackclock compare scenarios/p1-cos-slow-start.toml
      ackclock compare scenarios/reno-one-flow.toml --cc reno,cubic --seeds 3 \\
          --along network.bottleneck.limit=0.25bdp,1bdp --metric utilisation
      ackclock compare scenarios/reno-one-flow.toml --on sim,virtual,linux
    """  # noqa: D301
    from ackclock.scenario import load
    from ackclock.sweeps.comparing import comparison_of

    scenarios = [load(file, settings=settings, seed=seed) for file in files]
    with output.messages().status("checking every setting"):
        design = comparison_of(
            scenarios,
            cc=None if cc is None else split_list(cc),
            flows=None if flows is None else split_list(flows),
            along=_along(along_texts),
            seeds=seeds,
            metric=metric,
            on=None if on is None else split_list(on),
            starts=starts,
        )
    folder = chosen_folder(out, Path("runs") / f"{design.name}-comparison")
    make_and_show(
        design,
        folder,
        store=store,
        executor=dask or "threads",
        workers=workers,
        force=force,
        dry_run=dry_run,
        output=output,
        tables=True,
    )
