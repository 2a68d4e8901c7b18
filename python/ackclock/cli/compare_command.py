"""``ackclock compare``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from ackclock.cli.options import force_option, json_option, out_option, quiet_option, seed_option, set_option, split_list

if TYPE_CHECKING:
    from ackclock.comparing import Engine, Progress

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
            raise ScenarioError(f"'{text}' is not key=value,value,...; such as flows.count=1,5,10", key="--along", value=text)
        along[key.strip()] = [read_value(part) for part in parts]
    return along


@click.command("compare")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path())
@click.option("--cc", metavar="A,B", help="Algorithms that replace the one of the flows; differences are against the first.")
@click.option("--flows", metavar="NAME,NAME", help="Entries of flows whose algorithm is replaced [default: all].")
@click.option("--along", "along_texts", metavar="KEY=V,V", multiple=True, help="What varies: flows.count=1,5,10. Repeatable.")
@click.option("--seeds", metavar="N", type=click.IntRange(1, 100_000), help="Number of seeds, the same for every variant.")
@click.option("--metric", metavar="NAME", help="What the table shows (ackclock list metric); python:MODULE:FUNCTION for one of your own.")
@click.option("--on", metavar="sim,linux", help="What runs every variant: the simulator, this machine's kernel, or both [default: sim].")
@click.option("--starts", metavar="auto|fixed|TIME", help="Draw starts within TIME, or keep them [default: drawn if nothing else is].")
@click.option("--workers", metavar="N", type=click.IntRange(1, 1024), help="Runs at the same time [default: one per core].")
@set_option
@seed_option
@out_option("runs/NAME-comparison")
@force_option
@json_option
@quiet_option
def command(
    files: tuple[str, ...],
    cc: str | None,
    flows: str | None,
    along_texts: tuple[str, ...],
    seeds: int | None,
    metric: str | None,
    on: str | None,
    starts: str | None,
    workers: int | None,
    settings: tuple[str, ...],
    seed: int | None,
    out: str | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run variants of the scenarios in FILE... side by side, on all cores; on the kernel one after another.

    What is not said here is taken from the [compare] table of the first FILE. Every variant gets the same seeds.

    \b
    Examples:
      ackclock compare scenarios/p1-cos-slow-start.toml
      ackclock compare scenarios/reno-one-flow.toml --cc reno,cubic --seeds 3 \\
          --along network.bottleneck.limit=0.25bdp,1bdp --metric utilisation
      ackclock compare scenarios/reno-one-flow.toml --cc reno,cubic --on sim,linux
    """  # noqa: D301
    from rich.console import Console
    from rich.markup import escape

    from ackclock.cli.progress import Meter, messages
    from ackclock.cli.rescue import write_or_rescue
    from ackclock.cli.target import check_target
    from ackclock.comparing import compare
    from ackclock.results.files import COMPARISON
    from ackclock.scenario import load

    scenarios = [load(file, settings=settings, seed=seed) for file in files]
    name = scenarios[0].name
    folder = check_target(Path(out) if out is not None else Path("runs") / f"{name}-comparison", COMPARISON)
    console = messages(quiet=quiet)
    with Meter(console, name) as meter:

        def show(progress: Progress) -> None:
            rate = progress.finished / meter.elapsed if meter.elapsed > 0 else 0.0
            meter.update(progress.share, f"{progress.finished}/{progress.runs} runs  {rate:.1f}/s")

        comparison = compare(
            scenarios,
            cc=None if cc is None else split_list(cc),
            flows=None if flows is None else split_list(flows),
            along=_along(along_texts),
            seeds=seeds,
            metric=metric,
            on=None if on is None else cast("list[Engine]", split_list(on)),
            starts=starts,
            workers=workers,
            progress=show,
            force=force,
            tell=lambda found: console.print(escape(f"{name}: {found}"), soft_wrap=True),
        )
    with console.status("writing the results"):
        failure = write_or_rescue(comparison.write, folder)
    if as_json:
        click.echo(json.dumps(comparison.to_dict(), indent=2, allow_nan=False))
    elif not quiet:
        Console(highlight=False).print(comparison)
    if failure is not None:
        raise failure
    console.print(f"Results: {folder}   Report: {folder / 'report.html'}", soft_wrap=True)
