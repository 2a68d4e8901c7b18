"""``ackclock explain``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ackclock.cli.completion.names import runs_and_scenarios
from ackclock.cli.errors import InputError
from ackclock.cli.options import OneOf, Whole
from ackclock.cli.permitting import runs_code

if TYPE_CHECKING:
    from ackclock.tools.explain import Decision, Holding

__all__ = ["command"]


@click.command("explain")
@click.argument("run", metavar="RUN", type=click.Path(), shell_complete=runs_and_scenarios)
@click.option("--flow", metavar="NAME", required=True, help="The flow.")
@click.option(
    "--at", metavar="TIME", help="The moment, as 12.3s: the decision at or before it is explained."
)
@click.option(
    "--count",
    metavar="N",
    type=Whole(1, 1000),
    default=1,
    show_default=True,
    help="Number of decisions, the last one at or before --at.",
)
@click.option(
    "--why-not-faster",
    "faster",
    is_flag=True,
    help="Tell what held the flow back over the measured time, and what to change.",
)
@click.option(
    "--format",
    "form",
    metavar="text|json",
    type=OneOf(("text", "json")),
    default="text",
    help="Format of the output [default: text].",
)
@runs_code()
def command(run: str, flow: str, at: str | None, count: int, faster: bool, form: str) -> None:
    """Explain why a sender did what it did in RUN.

    RUN is the folder of a run whose scenario has record.decisions, or a scenario file, which is
    run again with the record on.

    \b
    Examples:
      ackclock explain scenarios/reno-one-flow.toml --flow reno --at 12.3s
      ackclock explain runs/mine --flow mine --at 12.3s --count 5
      ackclock explain runs/mine --flow mine --why-not-faster
    """  # noqa: D301
    from ackclock.scenario.quantities import PS_PER_S, time_ps
    from ackclock.tools.explain import ExplainError, decisions_at, open_run, why_not_faster

    if (at is None) != faster:
        raise InputError("--at TIME, or --why-not-faster: give one of the two")
    moment = 0.0
    if at is not None:
        try:
            moment = time_ps(at) / PS_PER_S
        except ValueError as error:
            raise InputError(f"--at: {error}") from None
    try:
        result = open_run(run, flow)
        if faster:
            _show_holding(why_not_faster(result, flow), form)
        else:
            _show_decisions(decisions_at(result, flow, moment, count=count), form)
    except ExplainError as error:
        raise InputError(str(error)) from None
    except (FileNotFoundError, KeyError, TypeError) as error:
        raise InputError(f"{run}: the results there cannot be read: {error}") from None


def _show_decisions(decisions: list[Decision], form: str) -> None:
    if form == "json":
        click.echo(
            json.dumps([decision.to_dict() for decision in decisions], indent=2, allow_nan=False)
        )
        return
    for place, decision in enumerate(decisions):
        if place:
            click.echo()
        click.echo(str(decision))
    click.echo()
    last = decisions[-1].lines()
    width = max(len(name) for name, _ in last)
    for name, value in last:
        click.echo(f"  {name:<{width}}  {value}")


def _show_holding(holding: Holding, form: str) -> None:
    if form == "json":
        click.echo(json.dumps(holding.to_dict(), indent=2, allow_nan=False))
        return
    for sentence in holding.sentences():
        click.echo(sentence)
    click.echo()
    click.echo("  held back by            time   of which, by rule")
    for share in holding.shares:
        click.echo(f"  {share.held_by:<20} {100.0 * share.share:6.1f} %")
        for rule, part in share.rules:
            click.echo(f"  {'':<20} {'':<8} {100.0 * part:6.1f} %  {rule}")
    if holding.largest:
        click.echo()
        click.echo("  largest reductions of the window, packets")
        for reduction in holding.largest:
            before, after = reduction.before / holding.mss, reduction.after / holding.mss
            click.echo(
                f"  {reduction.time:11.6f} s {before:8.1f} -> {after:<8.1f} {reduction.rule}"
            )
            if reduction.transport_rule is not None:
                click.echo(f"  {'':<34}{reduction.transport_rule}")
