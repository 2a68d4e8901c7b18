"""Commands of several links as a shell script."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from ackclock.scenario.quantities import PS_PER_S
from ackclock.scenario.tc.link import DEVICE, WIRE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ackclock.scenario.tc.link import LinkCommands, Timed

__all__ = ["command_text", "script_of", "variable_of"]

_WIDTH = 78


def variable_of(link: str, device: str = DEVICE) -> str:
    """Name of the shell variable that holds a link's device.

    Examples
    --------
    >>> variable_of("bottleneck.reverse"), variable_of("bottleneck", "WIRE")
    ('BOTTLENECK_REVERSE', 'BOTTLENECK_WIRE')
    """
    name = re.sub(r"\W+", "_", link, flags=re.ASCII).strip("_").upper()
    name = f"LINK_{name}" if not name or name[0].isdigit() else name
    return f"{name}_WIRE" if device == WIRE else name


def command_text(link: str, words: Sequence[str]) -> str:
    """A command as a line of a shell script."""
    shown = [f'"${variable_of(link, word)}"' if word in (DEVICE, WIRE) else word for word in words]
    return " ".join(["tc", *shown])


def script_of(
    links: Sequence[LinkCommands], *, name: str, devices: Mapping[str, str] | None = None
) -> str:
    """A script that sets all links up, waits for the steps of their schedules, and ends.

    Parameters
    ----------
    links
        The links.
    name
        Name of the scenario, for the first comment.
    devices
        Device of each link by the variable's name; the script asks for the others.
    """
    lines = ["#!/bin/sh", *_comment(f"Queues of the scenario {name}, for Linux's tc. Run as root.")]
    lines += _comment(
        "Run it on a router and not on the sending host, whose TCP sees full queues of its own "
        "device. Turn segmentation offload off on every device, or one packet is up to 64 kB: "
        "ethtool -K DEVICE tso off gso off gro off."
    )
    lines += ["set -e", ""]
    for link in links:
        for device in link.devices:
            lines.append(_assignment(link, device, devices or {}))
    for link in links:
        lines += ["", f"# {link.link}"]
        for warning in link.warnings:
            lines += _comment(warning, "  warning: ")
        for note in link.notes:
            lines += _comment(note, "  note: ")
        lines += [command_text(link.link, words) for words in link.setup]
    lines += list(_schedules(links))
    return "\n".join(lines) + "\n"


def _assignment(link: LinkCommands, device: str, devices: Mapping[str, str]) -> str:
    variable = variable_of(link.link, device)
    given = devices.get(variable)
    if given is not None:
        return f"{variable}=${{{variable}:-{given}}}"
    role = "behind the queue, for the wire" if device == WIRE else "with the queue"
    return f': "${{{variable}:?set it to the device {role} of {link.link}}}"'


def _comment(text: str, first: str = "") -> list[str]:
    later = "#   " if first else "# "
    begin = f"# {first}".rstrip() + " "
    return textwrap.wrap(text, _WIDTH, initial_indent=begin, subsequent_indent=later)


def _schedules(links: Sequence[LinkCommands]) -> Iterator[str]:
    timed = [(link, schedule) for link in links for schedule in link.later if schedule.steps]
    if not timed:
        return
    yield ""
    yield from _comment(
        "Changes over time, from now on. Each block runs in the background; Ctrl-C ends all."
    )
    yield "trap 'kill 0' INT TERM"
    for link, schedule in timed:
        yield f"# {link.link}: {schedule.meaning}"
        yield from _block(link.link, schedule)
    yield "wait"


def _block(link: str, timed: Timed) -> Iterator[str]:
    yield "(" if timed.period_ps is None else "( while :; do"
    before = 0
    for at, words in timed.steps:
        if at > before:
            yield f"  sleep {(at - before) / PS_PER_S:g}"
        yield f"  {command_text(link, words)}"
        before = at
    if timed.period_ps is not None:
        yield f"  sleep {(timed.period_ps - before) / PS_PER_S:g}"
        yield "done ) &"
    else:
        yield ") &"
