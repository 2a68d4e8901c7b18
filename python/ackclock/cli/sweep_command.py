"""``ackclock sweep``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ackclock.cli.completion.names import scenarios, several_of
from ackclock.cli.errors import InputError
from ackclock.cli.one_sweep import make_and_show, starts_option, sweep_options
from ackclock.cli.options import Whole, scenario_options, split_list, workers_option
from ackclock.cli.output import SWEEP_TABLES, Output, output_options
from ackclock.cli.permitting import runs_code
from ackclock.cli.sweep_show import show
from ackclock.cli.sweep_status import status
from ackclock.cli.target import chosen_folder

__all__ = ["command"]

_PARTS: dict[str, click.Command] = {"status": status, "show": show}


class _WithParts(click.Command):
    """A command with subcommands: `sweep FILE`, `sweep status DIR`."""

    @property
    def parts(self) -> dict[str, click.Command]:
        """The subcommands by name, for the reference of all commands."""
        return _PARTS

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Hand over to the subcommand that the first word names."""
        part = _PARTS.get(args[0]) if args else None
        if part is None:
            return super().make_context(info_name, args, parent, **extra)
        # The subcommand's usage says `sweep status` instead of `status`.
        return part.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)


@click.command("sweep", cls=_WithParts)
@click.argument("file", metavar="FILE", type=click.Path(), shell_complete=scenarios)
@click.option(
    "--replications",
    metavar="N",
    type=Whole(1, 1_000_000),
    help="Number of seeds, the same at every setting.",
)
@click.option(
    "--responses",
    metavar="A,B",
    shell_complete=several_of("metric"),
    help="Metrics to look at (ackclock list metric).",
)
@starts_option
@sweep_options
@workers_option
@click.option("--on", metavar="sim", hidden=True)
@scenario_options("runs/NAME-sweep", output_options(*SWEEP_TABLES))
@runs_code()
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
    output: Output,
) -> None:
    """Run the scenario in FILE over the axes and seeds of its [sweep] table.

    Runs use all cores, or a cluster. A run is never made twice: stopped at any moment, the same
    command goes on where it was.

    \b
    ackclock sweep status DIR   how far a sweep is
    ackclock sweep show DIR     its tables and figures

    \b
    Examples:
      ackclock sweep scenarios/sweeps/buffer-size.toml
      ackclock sweep scenarios/sweeps/buffer-size.toml --replications 50
      ackclock sweep scenarios/sweeps/buffer-size.toml --dask tcp://10.0.0.1:8786
    """  # noqa: D301
    from ackclock.scenario import load
    from ackclock.sweeps.sweeping import design_of

    if on not in {None, "sim"}:
        raise InputError(
            "--on: a sweep's engine is an axis, on = ['sim', 'virtual'], and no option; a few "
            f"variants on {on}: ackclock compare --on {on}"
        )
    scenario = load(file, settings=settings, seed=seed)
    given = {
        "replications": replications,
        "responses": None if responses is None else split_list(responses),
        "starts": starts,
    }
    if scenario.sweep is None:
        raise InputError(
            f"{file}: no [sweep] in it, the table of what varies; one run is ackclock run, a few "
            "variants are ackclock compare"
        )
    with output.messages().status("checking every setting"):
        design = design_of(scenario, given)
    folder = chosen_folder(out, Path("runs") / f"{design.name}-sweep")
    make_and_show(
        design,
        folder,
        store=store,
        executor=dask,
        workers=workers,
        force=force,
        dry_run=dry_run,
        output=output,
    )
