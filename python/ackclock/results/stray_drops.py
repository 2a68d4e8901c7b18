"""Drops at queues other than the bottleneck's: access links, and the ACKs' path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.formulas.parts import whole
from ackclock.messages import names
from ackclock.tables.quantities import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Row = Mapping[str, Any]
    Found = list[tuple[str, Row]]

__all__ = ["stray_drops"]


def stray_drops(
    flows: Sequence[Row], links: Sequence[Row], plan: Mapping[str, Any]
) -> Iterator[str]:
    """Return sentences on packets and ACKs that queues dropped elsewhere than at a bottleneck.

    Losses on the wire are left out: the scenario asks for them.

    Parameters
    ----------
    flows, links
        Rows as in flows.parquet and links.parquet.
    plan
        As in plan.json.
    """
    planned = {(flow["part_of"] or flow)["name"]: flow for flow in reversed(plan["flows"])}
    intended = _intended(plan)
    packets: Found = []
    acks: Found = []
    for name in [row["name"] for row in whole(flows) if row["name"] in planned]:
        for path, drops in (
            (planned[name]["path"], packets),
            (planned[name]["reverse_path"], acks),
        ):
            drops += [
                (name, links[index])
                for index in path
                if index not in intended and _queue_drops(links[index])
            ]
    for drops, what in (
        (packets, "packets before or after the bottleneck"),
        (acks, "acknowledgments on the way back"),
    ):
        if drops:
            yield _sentence(drops, what)


def _intended(plan: Mapping[str, Any]) -> set[int]:
    """Return the links named bottleneck, or else the slowest of each flow's path."""
    paths = [sender["path"] for sender in (*plan["flows"], *plan.get("streams", ()))]
    forward = {link for path in paths for link in path}
    called = {
        index for index in forward if str(plan["links"][index]["name"]).startswith("bottleneck")
    }
    if called:
        return called
    slowest: set[int] = set()
    for path in paths:
        rates = {index: plan["links"][index]["rate_bps"] for index in path}
        known = [rate for rate in rates.values() if rate is not None]
        slowest.update(index for index, rate in rates.items() if known and rate == min(known))
    return slowest


def _queue_drops(link: Row) -> int:
    return int(link["dropped_forced"]) + int(link["dropped_early"])


def _sentence(drops: Found, what: str) -> str:
    worst = max((link for _, link in drops), key=_queue_drops)
    who = list(dict.fromkeys(name for name, _ in drops))
    subject = f"{'Flow' if len(who) == 1 else f'{len(who)} flows:'} {names(who)}"
    count = _queue_drops(worst)
    dropped = f"{count} packet{' was' if count == 1 else 's were'} dropped on {worst['name']}"
    others = len({link["name"] for _, link in drops}) - 1
    more = (
        "" if others == 0 else f", and it was so on {others} more link{'s' if others > 1 else ''}"
    )
    # Packets of the warm-up may be dropped after it.
    arrived = worst["arrived_packets"]
    share = f", {quantity(count / arrived, '%')} of the arrivals there" if count <= arrived else ""
    return f"{subject} lost {what}: {dropped}{share}{more}; raise that link's rate or limit."
