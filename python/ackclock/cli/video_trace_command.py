"""``ackclock video-trace``."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ackclock.cli.errors import InputError
from ackclock.cli.options import Real, Whole, json_option, quiet_option

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ackclock.scenario.video.summary import Summary

__all__ = ["command"]

_SUFFIXES = {"trace": ".trace", "ns2": ".ns2"}


def _target(out: str | None, film: str, form: str) -> Path:
    """The file to write, which must be new or an earlier trace."""
    from ackclock.cli.target import check_target_file, chosen_file
    from ackclock.scenario.video.ns2 import looks_like_ns2
    from ackclock.scenario.video.text import MAGIC

    path = chosen_file(out, Path(film).stem + _SUFFIXES[form])
    if path.exists():
        if path.is_dir():
            raise InputError(f"--out: '{path}' is a folder; name a file")
        if Path(film).exists() and path.samefile(film):
            raise InputError(f"--out: '{path}' is the file that is read; name another")
        head = b""
        if path.is_file():
            with path.open("rb") as stream:
                head = stream.read(4096)
        if head and not (
            head.startswith(MAGIC.encode()) if form == "trace" else looks_like_ns2(head)
        ):
            raise InputError(
                f"--out: '{path}' is there and is no such trace; name another file, or move it away"
            )
    return check_target_file(path)


def _duration(text: str | None, option: str) -> int | None:
    from ackclock.scenario.quantities import time_ps

    if text is None:
        return None
    try:
        return time_ps(text) // 1_000_000
    except (ValueError, OverflowError) as error:
        raise InputError(f"{option}: {str(error).rstrip('.')}") from None


def _shown(result: Summary) -> RenderableType:
    from rich.console import Group

    from ackclock.tables.table import Table, styled
    from ackclock.tables.terminal import FACTS, WIDE, drawn

    size = sum(kind.bytes for kind in result.kinds)
    rows = [
        (
            "not known" if kind.kind == "-" else kind.kind,
            str(kind.frames),
            f"{kind.mean:.0f} B",
            f"{kind.largest} B",
            f"{100 * kind.bytes / size:.1f} %",
        )
        for kind in result.kinds
    ]
    kinds = Table(("kind", "frames", "mean", "largest", "share of bytes"), rows)
    facts = [
        (
            "duration",
            f"{result.duration:.2f} s, {result.frames} frames, {result.frame_rate:.4g} frames/s",
        ),
        (
            "rate",
            (
                f"{result.rate / 1e6:.3g} Mbit/s mean, {result.peak_rate / 1e6:.3g} Mbit/s in the "
                "busiest second"
            ),
        ),
    ]
    if result.gop is not None:
        least, mean, most = result.gop
        span = "" if least == most else f" ({least} to {most})"
        facts.append(("GOP", f"{mean:.3g} frames from I to I{span}"))
    if result.reorder:
        later = f"shown up to {1000 * result.reorder:.4g} ms after it is sent"
        facts.append(("reordering", later))
    table = Table(("", ""), [(styled((name, "dim")), fact) for name, fact in facts], 2)
    return Group(drawn(kinds, WIDE), "", drawn(table, FACTS._replace(padding=(0, 3))))


def _told(
    film: str,
    out: str | None,
    form: str,
    source: str | None,
    rate: float | None,
    part: dict[str, Any],
) -> str:
    """The command line that makes this trace."""
    words = ["ackclock", "video-trace", film]
    options = {
        "out": out,
        "format": None if form == "trace" else form,
        "from": source,
        "rate": None if rate is None else f"{rate:g}",
        **part,
    }
    for name, value in options.items():
        if value is not None:
            words += [f"--{name}", str(value)]
    return shlex.join(words)


@click.command("video-trace")
@click.argument("film", metavar="FILM", type=click.Path())
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(),
    help="File to write [default: FILM's name with .trace or .ns2, in this folder].",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(_SUFFIXES)),
    default="trace",
    show_default=True,
    help="Text of ackclock, or ns-2's binary.",
)
@click.option(
    "--from",
    "source",
    type=click.Choice(["film", "text", "ns2"]),
    help="Kind of FILM [default: detected from its first bytes].",
)
@click.option(
    "--rate",
    metavar="N",
    type=Real(0.001, 100_000),
    help="Frames per second, where FILM has no times.",
)
@click.option(
    "--start", metavar="TIME", help="Begin with the first I frame from here on, such as 90s."
)
@click.option("--duration", metavar="TIME", help="Stop after this time, such as 60s.")
@click.option("--frames", metavar="N", type=Whole(2), help="Stop after N frames.")
@json_option
@quiet_option
def command(
    film: str,
    out: str | None,
    form: str,
    source: str | None,
    rate: float | None,
    start: str | None,
    duration: str | None,
    frames: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write size, time and kind of every frame of FILM as a trace, for a flow with app = "video".

    FILM is a film (needs PyAV: pip install 'ackclock[video]'), a list of frames in text, or a trace
    of ns-2.

    \b
    Examples:
      ackclock video-trace film.mp4 --start 60s --duration 2min
      ackclock video-trace sizes.txt --rate 25 --out list.trace
      ackclock video-trace film.trace --format ns2
    """  # noqa: D301
    from ackclock.atomic_io import write_bytes
    from ackclock.cli.console import Console
    from ackclock.cli.progress import Meter, messages
    from ackclock.scenario.video import TraceError, read
    from ackclock.scenario.video.ns2 import packed
    from ackclock.scenario.video.summary import summary
    from ackclock.scenario.video.text import written
    from ackclock.scenario.video.trace import Part

    part = Part(_duration(start, "--start") or 0, _duration(duration, "--duration"), frames)
    target = _target(out, film, form)
    console = messages(quiet=quiet)
    try:
        with Meter(console, Path(film).name) as meter:
            trace = read(
                film,
                source=source,
                rate=rate,
                part=part,
                progress=lambda share: meter.update(share, f"{share:.0%}"),
            )
        if form == "ns2":
            data = packed(film, trace)
        else:
            made = _told(
                film,
                out,
                form,
                source,
                rate,
                {"start": start, "duration": duration, "frames": frames},
            )
            data = written(
                trace, {"source": Path(film).name, **trace.about, "command": made}
            ).encode()
    except TraceError as error:
        raise InputError(str(error)) from None
    write_bytes(target, data)
    result = summary(trace)
    if as_json:
        click.echo(json.dumps(asdict(result), indent=2))
    elif not quiet:
        Console().print(_shown(result))
    console.print(f"Trace: {target} ({len(data)} bytes)", soft_wrap=True)
