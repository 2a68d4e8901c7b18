"""``ackclock validate``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.completion.names import controls, scenarios
from ackclock.cli.options import Real, Whole, out_option, set_option
from ackclock.cli.output import Output, check_junit, junit_option, output_options, write_junit

if TYPE_CHECKING:
    from ackclock.validation.judging import Comparison

__all__ = ["command"]

REPETITIONS = 4
RETRY = 2


@click.command("validate")
@click.argument("what", nargs=-1, metavar="[NAME|FILE]...", shell_complete=scenarios)
@click.option(
    "--live",
    is_flag=True,
    help="Run this machine's kernel, too, beside recorded runs; a FILE has none.",
)
@click.option(
    "--virtual",
    is_flag=False,
    flag_value="",
    default=None,
    metavar="[NAME]",
    help="Hold both against each other packet by packet, on a kernel of `ackclock kernel list`.",
)
@click.option(
    "--drawn",
    type=Whole(1, 100_000),
    metavar="N",
    help="With --virtual: N small scenarios drawn at random, for the share of figures that agree.",
)
@click.option(
    "--record",
    is_flag=True,
    help="Run this machine's kernel, and keep the runs as the recordings of these scenarios.",
)
@click.option(
    "--repetitions", type=Whole(1, 100), metavar="N", help="Runs of the kernel [default: 4]."
)
@click.option(
    "--retry",
    type=Whole(0, 100),
    metavar="N",
    help="Make a disturbed run of the kernel again, N times [default: 2].",
)
@click.option(
    "--seeds",
    type=Whole(1, 100),
    default=8,
    show_default=True,
    metavar="N",
    help="Runs of the simulator.",
)
@click.option(
    "--short",
    is_flag=True,
    help="Three runs of 10 s on this machine's kernel, if it allows them: for CI.",
)
@click.option(
    "--random",
    "scripts",
    type=Whole(1, 1_000_000),
    metavar="N",
    help="Play N random scripts on this machine's kernel, or with --virtual on another, and on the "
    "simulator's sender.",
)
@click.option(
    "--cc",
    "ccs",
    metavar="LIST",
    shell_complete=controls,
    help="With --random: congestion controls [default: reno,cubic,bbr]; with --drawn those of "
    "half of the flows [default: all that both sides have].",
)
@click.option(
    "--seed", type=Whole(0), metavar="S", help="With --random or --drawn: their seed [default: 1]."
)
@click.option(
    "--least",
    type=Real(0, 100),
    metavar="PERCENT",
    help="With --random: share that must agree [default: 99; bbr: 95].",
)
@out_option("Write validation.md and the figures there.")
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with status 1 if a bar is missed, or nothing could be compared.",
)
@junit_option
@set_option
@output_options()
def command(
    what: tuple[str, ...],
    live: bool,
    virtual: str | None,
    drawn: int | None,
    record: bool,
    repetitions: int | None,
    retry: int | None,
    seeds: int,
    short: bool,
    scripts: int | None,
    ccs: str | None,
    seed: int | None,
    least: float | None,
    out: str | None,
    strict: bool,
    junit: str | None,
    settings: tuple[str, ...],
    output: Output,
) -> int:
    """Compare the simulator with the real kernel: with recorded runs, or runs made now.

    NAME is a scenario of validation/, by default all of them; FILE is any scenario that the kernel
    can run. Both sides have several runs: a bar holds if the means differ by no more than the bar
    plus the kernel's spread, or if chance can explain a larger difference.

    --set changes the scenario. Without --live it changes the simulator's side only; with --live it
    changes both sides, and recorded runs are left out.

    --virtual runs each scenario once on a kernel in virtual time and once in the simulator, and
    says which packet, ACK, window or value of TCP_INFO differs first.

    \b
    Examples:
      ackclock validate reno-10mbit-60ms-1bdp
      ackclock validate my.toml --live --repetitions 5
      ackclock validate --set transport.host_time='uniform(10us, 40us)'
      ackclock validate --virtual=7.3 my.toml
      ackclock validate --virtual --drawn 60
      ackclock validate --random 1000 --virtual --cc reno
    """  # noqa: D301
    from ackclock.cli.errors import InputError
    from ackclock.cli.progress import Meter
    from ackclock.cli.target import check_target as check_writable
    from ackclock.runtime.extras import require
    from ackclock.validation.choosing import (
        RefusalError,
        changed,
        check_target,
        choose,
        short_cases,
    )
    from ackclock.validation.comparing import compare
    from ackclock.validation.judging import verdicts
    from ackclock.validation.writing import KIND

    if scripts is None and least is not None:
        raise click.UsageError("--least is of random scripts: add --random N")
    if scripts is None and drawn is None and (ccs is not None or seed is not None):
        raise click.UsageError("--cc and --seed are of random runs: add --random N or --drawn N")
    if drawn is not None and virtual is None:
        raise click.UsageError("--drawn is of a kernel in virtual time: add --virtual")
    if scripts is not None:
        if (
            what
            or live
            or drawn is not None
            or record
            or short
            or settings
            or repetitions is not None
            or retry is not None
            or junit is not None
        ):
            raise click.UsageError(
                "--random makes its own scripts: leave out NAME, --drawn, --junit, --live, "
                "--record, --repetitions, --retry, --set and --short"
            )
        return _random(scripts, virtual, ccs=ccs, seed=seed, least=least, out=out, output=output)
    if virtual is not None:
        if live or record or short or repetitions is not None or retry is not None or out or junit:
            raise click.UsageError(
                "--virtual compares one run of each side: leave out --junit, --live, --out, "
                "--record, --repetitions, --retry and --short"
            )
        if drawn is not None:
            if what or settings or strict:
                raise click.UsageError(
                    "--drawn makes its own scenarios: leave out NAME, --set and --strict"
                )
            return _survey(drawn, virtual, ccs=ccs, seed=seed, output=output)
        return _exact(what, settings, virtual, strict=strict, output=output)
    if short and (what or record or live):
        raise click.UsageError(
            "--short chooses its scenarios and runs the kernel itself: leave out NAME, --live and "
            "--record"
        )
    for option, value in (("--repetitions", repetitions), ("--retry", retry)):
        if value is not None and not (short or record or live):
            raise click.UsageError(f"{option} is of runs that are made now: add --live or --record")
    if settings and record:
        raise click.UsageError(
            "--record keeps runs of the scenario as it is written: leave out --set, or change "
            "scenario.toml"
        )
    try:
        chosen = short_cases() if short else choose(what, live=live, record=record)
        chosen = changed(chosen, settings, live=live)
        target = (
            None if out is None else check_target(Path(out), whole=not (what or short or settings))
        )
    except RefusalError as refusal:
        raise InputError(str(refusal)) from None
    if target is not None:
        require("plots")
        check_writable(target, KIND, inside=True)
    check_junit(junit)
    if (live or record or short) and _is_blocked(
        "short" if short else "record" if record else "live"
    ):
        return int(strict)
    console = output.messages()
    with Meter(console, "validate") as meter:
        comparisons = compare(
            chosen,
            live=live or short,
            record=record,
            repetitions=repetitions or (1 if short else REPETITIONS),
            seeds=seeds,
            retry=RETRY if retry is None else retry,
            progress=meter.update,
        )
    _show(comparisons, output, alone=len(what) == 1 or short)
    if target is not None:
        from ackclock.validation.writing import stale_notes, write

        with console.status("drawing"):
            page = write(comparisons, target)
        for note in [] if what or short or settings else stale_notes(comparisons):
            console.print(
                f"validation/notes.toml: nothing of '{note.measure}' is missed in "
                f"'{note.scenario}' any more",
                soft_wrap=True,
            )
        console.print(f"Results: {page}", soft_wrap=True)
    judged = verdicts(comparisons)
    write_junit(junit, judged)
    return int(strict and judged.exit_status)


def _random(
    scripts: int,
    virtual: str | None,
    *,
    ccs: str | None,
    seed: int | None,
    least: float | None,
    out: str | None,
    output: Output,
) -> int:
    """Play random scripts; the status is 1 if too few agree."""
    from ackclock.cli.errors import InputError
    from ackclock.cli.progress import Meter
    from ackclock.cli.target import check_target
    from ackclock.engine.linux.virtual.kernels import virtual as virtual_kernel
    from ackclock.validation.random.report import BARS
    from ackclock.validation.random.running import check_ccs, play_random
    from ackclock.validation.random.terminal import view
    from ackclock.validation.random.writing import KIND, write

    chosen = list(BARS) if ccs is None else [cc.strip() for cc in ccs.split(",")]
    try:
        check_ccs(chosen)
    except ValueError as error:
        raise InputError(str(error)) from None
    if out is not None:
        check_target(Path(out), KIND, inside=True)
    kernel = None if virtual is None else virtual_kernel(virtual)
    if kernel is None:
        _is_blocked("random")
    console = output.messages()
    with Meter(console, "validate --random") as meter:
        report = play_random(
            scripts,
            ccs=chosen,
            seed=1 if seed is None else seed,
            progress=lambda share: meter.update(share, ""),
            virtual=kernel,
        )
    output.show(lambda: view(report), report.as_json)
    if out is not None:
        console.print(f"Results: {write(report, Path(out))}", soft_wrap=True)
    return int(
        any(
            result.share < (result.bar if least is None else least / 100)
            for result in report.results
        )
    )


def _exact(
    what: tuple[str, ...], settings: tuple[str, ...], virtual: str, *, strict: bool, output: Output
) -> int:
    """Compare packet by packet; with `strict` the status is 1 if anything differs."""
    from ackclock.cli.errors import InputError
    from ackclock.cli.progress import Meter
    from ackclock.engine.linux import linux_plan
    from ackclock.engine.linux.virtual.kernels import virtual as virtual_kernel
    from ackclock.sweeps.executors import cores
    from ackclock.validation.choosing import RefusalError, changed, choose
    from ackclock.validation.exact.running import compare_exactly
    from ackclock.validation.exact.terminal import overview, scenario_view

    if virtual.endswith(".toml"):
        # `--virtual FILE` is no kernel's name.
        what, virtual = (virtual, *what), ""
    kernel = virtual_kernel(virtual)
    try:
        chosen = changed(choose(what, live=True, record=False), settings, live=True)
    except RefusalError as refusal:
        raise InputError(str(refusal)) from None
    scenarios = [case.scenario for case in chosen]
    for scenario in scenarios:
        linux_plan(scenario, kernel.kernel)
    with Meter(output.messages(), "validate --virtual") as meter:
        compared = compare_exactly(scenarios, kernel, workers=cores(), progress=meter.update)
    output.show(
        lambda: scenario_view(compared[0]) if len(compared) == 1 else overview(compared),
        lambda: {"scenarios": [exact.as_json() for exact in compared]},
    )
    return int(strict and any(exact.first is not None for exact in compared))


def _survey(number: int, virtual: str, *, ccs: str | None, seed: int | None, output: Output) -> int:
    """Draw scenarios and say how many figures agree."""
    from ackclock.cli.errors import InputError
    from ackclock.cli.progress import Meter
    from ackclock.engine.linux.names import CannotHaveError, kernel_name
    from ackclock.engine.linux.virtual.kernels import virtual as virtual_kernel
    from ackclock.sweeps.executors import cores
    from ackclock.validation.exact.survey import survey
    from ackclock.validation.exact.terminal import survey_view

    kernel = virtual_kernel(virtual)
    controls = None if ccs is None else [cc.strip() for cc in ccs.split(",")]
    for control in controls or ():
        try:
            kernel_name(control, kernel.kernel)
        except CannotHaveError as error:
            raise InputError(f"--cc: {error}") from None
    with Meter(output.messages(), "validate --drawn") as meter:
        surveyed = survey(
            number,
            1 if seed is None else seed,
            kernel,
            controls=controls,
            workers=cores(),
            progress=meter.update,
        )
    output.show(lambda: survey_view(surveyed), surveyed.as_json)
    return 0


def _is_blocked(option: str) -> bool:
    """Whether this machine cannot run the kernel; an error, except with --short."""
    from ackclock.cli.errors import InputError
    from ackclock.validation.kernel import obstacle

    blocked = obstacle()
    if blocked is None:
        return False
    if option != "short":
        raise InputError(f"--{option}: this machine cannot run a scenario on its kernel: {blocked}")
    click.echo(
        f"NOTHING WAS VALIDATED: this machine cannot run a scenario on its kernel: {blocked}",
        err=True,
    )
    return True


def _show(comparisons: list[Comparison], output: Output, *, alone: bool) -> None:
    from ackclock.cli.console import Console
    from ackclock.validation.page import count
    from ackclock.validation.terminal import overview, scenario_view

    if output.as_json:
        held, bars = count(comparisons)
        document = {
            "bars": bars,
            "held": held,
            "scenarios": [comparison.as_json() for comparison in comparisons],
        }
        click.echo(json.dumps(document, indent=2, allow_nan=False))
    elif not output.quiet:
        console = Console()
        if alone:
            for comparison in comparisons:
                console.print(scenario_view(comparison))
        else:
            console.print(overview(comparisons))
