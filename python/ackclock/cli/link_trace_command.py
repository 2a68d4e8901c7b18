"""``ackclock link-trace``."""

from __future__ import annotations

from pathlib import Path

import click

from ackclock.cli.completion.names import scenarios
from ackclock.cli.errors import InputError
from ackclock.cli.options import quiet_option

__all__ = ["command"]


def _target(out: str) -> Path:
    """The file to write, which must be new or an earlier trace."""
    from ackclock.cli.target import check_target_file
    from ackclock.scenario import mahimahi

    path = Path(out)
    if path.is_dir():
        raise InputError(f"--out: '{path}' is a folder; name a file")
    if path.exists():
        try:
            mahimahi.read(path)
        except mahimahi.TraceError:
            raise InputError(
                f"--out: '{path}' is there and is no such trace; name another file, or move it away"
            ) from None
    return check_target_file(path)


@click.command("link-trace")
@click.argument("source", metavar="SCENARIO|RUN|RATE", shell_complete=scenarios)
@click.option(
    "--out",
    required=True,
    metavar="FILE",
    type=click.Path(),
    help="The trace to write; an earlier one is replaced.",
)
@click.option("--link", metavar="NAME", help="Name of the link [default: the first bottleneck].")
@click.option(
    "--duration",
    metavar="TIME",
    help="Length of the trace [default: a period of a link whose rate repeats, else the run; 60s "
    "of just a rate].",
)
@click.option(
    "--delivered",
    is_flag=True,
    help="Packets that the link delivered in the run, instead of its rate; needs record.packets.",
)
@quiet_option
def command(
    source: str, out: str, link: str | None, duration: str | None, delivered: bool, quiet: bool
) -> None:
    """Write a link's rate as a Mahimahi trace: the ms at which 1500 bytes can leave, one a line.

    \b
    Examples:
      ackclock link-trace scenarios/rate-steps.toml --out steps.trace
      ackclock link-trace 12Mbit/s --duration 1s --out constant.trace
      mm-link steps.trace constant.trace
    """  # noqa: D301
    from ackclock.cli.console import Console
    from ackclock.scenario import mahimahi
    from ackclock.tools.link_trace import write_mahimahi

    target = _target(out)
    write_mahimahi(source, target, link=link, duration=duration, delivered=delivered)
    if not quiet:
        opportunities = mahimahi.read(target)
        lines, length = sum(count for _, count in opportunities), opportunities[-1][0]
        mean = mahimahi.mean_rate_bps(opportunities)
        Console().print(
            f"{target}: {lines} opportunities in {length / 1000:g} s, {mean / 1e6:.4g} Mbit/s",
            soft_wrap=True,
        )
