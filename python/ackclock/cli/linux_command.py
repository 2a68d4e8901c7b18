"""``ackclock linux``."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ackclock.cli.completion.names import scenarios
from ackclock.cli.options import no_report_option, scenario_options
from ackclock.cli.output import RUN_TABLES, Output, output_options

if TYPE_CHECKING:
    from ackclock.results import Result

__all__ = ["command"]


@click.command("linux")
@click.argument("file", type=click.Path(), required=False, shell_complete=scenarios)
@no_report_option
@click.option(
    "--check",
    is_flag=True,
    help="Test this machine: namespaces, the kernel's algorithms, exact timing; needs no FILE.",
)
@click.option(
    "--virtual",
    is_flag=False,
    flag_value="",
    default=None,
    metavar="[NAME]",
    help="Run on a kernel of `ackclock kernel list`, in virtual time: exact, without root.",
)
@click.option(
    "--links",
    type=click.Choice(["ours", "kernel"]),
    default="ours",
    show_default=True,
    help="The network between the hosts: the simulator's links, or the kernel's own veth and tc "
    "(with --virtual).",
)
@click.option(
    "--qdisc",
    metavar="WORDS",
    help="A discipline of the kernel in tc's words for the bottlenecks, in place of the scenario's "
    "(with --links kernel): 'cake besteffort', 'fq'.",
)
@scenario_options("runs/NAME-linux", output_options(*RUN_TABLES))
def command(
    file: str | None,
    settings: tuple[str, ...],
    seed: int | None,
    out: str | None,
    no_report: bool,
    check: bool,
    virtual: str | None,
    links: str,
    qdisc: str | None,
    force: bool,
    output: Output,
) -> None:
    """Run the scenario in FILE on this machine's kernel, in real time.

    Senders and receivers are the kernel's TCP, in network namespaces that exist for the run; links
    and queues are the simulator's. A scenario that the kernel cannot run is refused before anything
    starts. docs/linux.md says more.

    \b
    Examples:
      ackclock linux scenarios/reno-one-flow.toml --set duration=10s
      ackclock linux scenarios/reno-one-flow.toml --virtual
      ackclock linux scenarios/codel.toml --virtual --links kernel
      ackclock linux --check
    """  # noqa: D301
    if check:
        if file is not None:
            raise click.UsageError("--check needs no FILE")
        _check(output)
    elif file is None and virtual:
        raise click.UsageError(
            f"'{virtual}' is taken for a kernel's name: write --virtual behind FILE, or "
            "--virtual=NAME before it"
        )
    elif file is None:
        raise click.UsageError("missing FILE, the scenario to run, or --check")
    else:
        _run(
            file,
            settings,
            seed,
            out,
            virtual,
            links,
            qdisc,
            no_report=no_report,
            force=force,
            output=output,
        )


def _run(
    file: str,
    settings: tuple[str, ...],
    seed: int | None,
    out: str | None,
    virtual: str | None,
    links: str,
    qdisc: str | None,
    *,
    no_report: bool,
    force: bool,
    output: Output,
) -> None:
    from ackclock.cli.one_run import check_room, run_and_show
    from ackclock.cli.progress import messages
    from ackclock.cli.target import check_target, chosen_folder
    from ackclock.engine.linux import (
        check_capacity,
        linux_plan,
        remarks,
        require_namespaces,
        run_on_linux,
    )
    from ackclock.engine.linux.virtual.kernels import virtual as virtual_kernel
    from ackclock.results.files import RUN
    from ackclock.results.terminal import warning_lines
    from ackclock.scenario import load

    scenario = load(file, settings=settings, seed=seed)
    kernel = None if virtual is None else virtual_kernel(virtual)
    if links == "kernel" and kernel is None:
        raise click.UsageError("--links kernel needs --virtual: a live kernel's timers are late")
    if qdisc is not None and links != "kernel":
        raise click.UsageError("--qdisc needs --links kernel")
    plan = linux_plan(scenario, None if kernel is None else kernel.kernel, links=links, qdisc=qdisc)
    if links == "kernel":
        instead = dict.fromkeys(scenario.bottlenecks(), qdisc) if qdisc else None
        for line in warning_lines(remarks(plan["plan"], instead)):
            messages(quiet=output.quiet).print(line, soft_wrap=True)
    if kernel is None:
        require_namespaces()
        check_capacity(scenario, plan["plan"])
    folder = check_target(chosen_folder(out, Path("runs") / f"{scenario.name}-linux"), RUN)
    left_aside = (
        f"This scenario has a [compare] table, which linux leaves aside: ackclock compare {file} "
        "--on sim,linux"
    )
    check_room(scenario, folder, report=not no_report, force=force, output=output, real_time=True)
    run_and_show(
        partial(run_on_linux, virtual=kernel, links=links, qdisc=qdisc),
        scenario,
        folder,
        report=not no_report,
        output=output,
        left_aside=left_aside,
    )


def _check(output: Output) -> None:
    from ackclock.engine.linux import LinuxError, kernel, obstacle

    reason = obstacle()
    if reason is not None:
        raise LinuxError(f"this machine cannot run a scenario on its kernel: {reason}")
    result, most = _measure()
    provenance = result.provenance
    assert provenance is not None
    facts: dict[str, Any] = {
        "release": kernel().release,
        "congestion_controls": list(kernel().congestion_controls),
        "packets_per_second": most,
        "provenance": provenance,
        "warnings": result.warnings,
    }
    if output.as_json:
        click.echo(json.dumps(facts, indent=2, allow_nan=False))
    elif not output.quiet:
        _show(facts)


def _measure() -> tuple[Result, float]:
    """A short, typical run, and the largest number of packets per second of this machine."""
    from ackclock.engine.linux import most_packets_per_second, run_on_linux
    from ackclock.scenario import dumbbell, flow

    scenario = dumbbell(
        name="check",
        rate="10Mbit/s",
        rtt="60ms",
        buffer="1bdp",
        flows=[flow("cubic")],
        duration="3s",
    )
    return run_on_linux(scenario.replace({"record.samples": "10ms"})), most_packets_per_second()


def _show(facts: dict[str, Any]) -> None:
    from rich.text import Text

    from ackclock.cli.console import Console
    from ackclock.results.provenance import disturbances, timing_table
    from ackclock.results.terminal import warning_lines
    from ackclock.tables.quantities import quantity

    console = Console()
    rows = [
        ("this machine", "can run scenarios on its kernel"),
        ("congestion controls", ", ".join(facts["congestion_controls"])),
        ("carries at most", quantity(facts["packets_per_second"] * 1500 * 8, "bit/s")),
        *timing_table(facts["provenance"]),
    ]
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        console.print(Text(f"{name:<{width}}  {value}"), soft_wrap=True)
    for line in warning_lines(disturbances(facts["provenance"], [0.06])):
        console.print(line)
