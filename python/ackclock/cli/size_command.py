"""``ackclock size``."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click

from ackclock.cli.errors import InputError, failed_sweep
from ackclock.cli.options import (
    Whole,
    json_option,
    quiet_option,
    split_list,
    store_option,
    workers_option,
)
from ackclock.cli.permitting import runs_code
from ackclock.cli.target import chosen_folder

__all__ = ["command"]

_STORE = Path("runs") / "size"


@click.command("size")
@click.option("--rate", required=True, metavar="RATE", help="Line rate: 20Mbit/s.")
@click.option(
    "--rtt",
    required=True,
    metavar="TIME",
    help="Base RTT: 40ms; several, over which the flows are spread: 20ms,80ms; or a range: "
    "20ms..200ms.",
)
@click.option(
    "--flows",
    metavar="N",
    type=Whole(1, 10_000),
    default=1,
    show_default=True,
    help="Number of long flows.",
)
@click.option(
    "--cc",
    metavar="A,B",
    default="cubic",
    show_default=True,
    help="Congestion control; of several the flows take one in turn.",
)
@click.option(
    "--qdisc",
    metavar="NAME",
    default="fifo",
    show_default=True,
    help="Discipline whose limit is sought (ackclock list qdisc).",
)
@click.option(
    "--keep",
    metavar="SHARE",
    default="98%",
    show_default=True,
    help="Share of the time that the link is to be busy.",
)
@click.option(
    "--quick/--full",
    default=True,
    help="Quick: runs of 10 to 60 s, 5 seeds, sizes within 15 % [default]. Full: up to 600 s, "
    "10 seeds, within 3 %.",
)
@click.option(
    "--seeds",
    metavar="N",
    type=Whole(2, 1000),
    help="Seeds per size [default: quick 5, full 10]; open sizes get three times as many.",
)
@click.option("--seed", metavar="N", type=Whole(0), default=1, help="First seed [default: 1].")
@store_option(f"Folder of the runs, which are never made twice [default: {_STORE.as_posix()}].")
@workers_option
@json_option
@quiet_option
@runs_code()
def command(
    rate: str,
    rtt: str,
    flows: int,
    cc: str,
    qdisc: str,
    keep: str,
    *,
    quick: bool,
    seeds: int | None,
    seed: int,
    store: str | None,
    workers: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Find the smallest buffer that keeps a link busy, by runs, beside what rules say.

    The table has every size that was tried, with its price in delay and loss. Stopped at any
    moment, the same command goes on where it was. docs/size.md says more.

    \b
    Examples:
      ackclock size --rate 20Mbit/s --rtt 40ms
      ackclock size --rate 100Mbit/s --rtt 20ms..200ms --flows 50 --cc cubic,bbr
    """  # noqa: D301
    from ackclock.cli.console import Console
    from ackclock.cli.progress import Meter, messages
    from ackclock.sweeps import StoreError, SweepError
    from ackclock.sweeps.errors import SweepStoppedError
    from ackclock.tools.sizing import size_buffer

    console = messages(quiet=quiet)
    began = time.perf_counter()
    try:
        with Meter(console, "sizing") as meter:
            sizing = size_buffer(
                rate=rate,
                rtt=rtt,
                flows=flows,
                cc=split_list(cc),
                qdisc=qdisc,
                keep=keep,
                quick=quick,
                seeds=seeds,
                first_seed=seed,
                store=chosen_folder(store, _STORE, "--store"),
                workers=workers,
                progress=meter.show,
            )
    except StoreError as error:
        raise InputError(f"--store: {error}") from None
    except (SweepStoppedError, SweepError) as error:
        raise failed_sweep(error) from None
    if as_json:
        click.echo(json.dumps(sizing.to_dict(), indent=2, allow_nan=False))
    elif not quiet:
        Console().print(sizing)
        if sizing.tc:
            click.echo("For a device of Linux (docs/tc.md):")
            click.echo("\n".join(f"  {line}" for line in sizing.tc))
    console.print(
        f"{sizing.made:,} runs made, {sizing.reused:,} found, {time.perf_counter() - began:.0f} s",
        soft_wrap=True,
    )
