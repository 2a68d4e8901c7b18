"""Writes a part of the scenarios in short forms, which leave the plan as it is.

The choices have their own stream: a scenario in full stays the one of its seed and number.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ackclock import _core

if TYPE_CHECKING:
    from fuzz.generate.draw import Draw

__all__ = ["shorten"]

Table = dict[str, Any]

_SHORT = {"rate": "rate", "delay": "rtt", "limit": "buffer", "qdisc": "qdisc", "loss": "loss"}


def _short_loss(loss: Any, draw: Draw) -> Any:
    """Return a loss at random as a number, a percentage, or a table without its kind."""
    if not isinstance(loss, dict) or loss.get("kind") != "bernoulli":
        return loss
    percent = f"{(Decimal(repr(float(loss['p']))) * 100).normalize():f}%"
    rest = {key: value for key, value in loss.items() if key not in ("kind", "p")}
    if rest or draw.chance(0.3):
        return {draw.one(["rate", "p"]): percent, **rest}
    return loss["p"] if loss["p"] < 1 and draw.chance(0.5) else percent


def _links(network: Table) -> list[Table]:
    """Return the tables of all directions."""
    one = network.get("bottleneck")
    links = [*([] if one is None else [one]), *network.get("bottlenecks", [])]
    links += network.get("links", [])
    return links + [link["reverse"] for link in links if isinstance(link.get("reverse"), dict)]


def shorten(data: Table, draw: Draw) -> None:
    """Write some losses short, and keys of a dumbbell's bottleneck in `network` itself."""
    network = data["network"]
    for link in _links({**network, "links": data.get("links", network.get("links", []))}):
        if "loss" in link and draw.chance(0.5):
            link["loss"] = _short_loss(link["loss"], draw)
    bottleneck = network.get("bottleneck")
    if bottleneck is None or not draw.chance(0.3):
        return
    for key, short in _SHORT.items():
        if key not in bottleneck or draw.chance(0.3):
            continue
        value = bottleneck.pop(key)
        if key == "delay":
            value = _core.format_time(2 * _core.parse_time(value))
        network[short] = value
    if not bottleneck:
        del network["bottleneck"]
