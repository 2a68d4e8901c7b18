"""The commands of one link: shaper, queue and wire, with their handles."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

from ackclock.scenario.qdisc import QDISCS
from ackclock.scenario.qdisc.tc_words import Packet, TcQdisc, TcQueue
from ackclock.scenario.qdisc.tc_words.bucket import (
    bucket,
    burst_for,
    shaper,
    transmitter,
    transmitter_class,
)
from ackclock.scenario.qdisc.tc_words.units import rate
from ackclock.scenario.tc.later import Later, limit_steps, rate_steps, wire_steps
from ackclock.scenario.tc.wire import netem, packets_in_flight, wire_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ackclock.core_types.plan import LinkPlan, QdiscPlan

__all__ = [
    "DEVICE",
    "ETHERNET_HEADER",
    "WIRE",
    "LinkCommands",
    "Timed",
    "commands_of",
    "discipline_of",
]

ETHERNET_HEADER = 14
"""Bytes by which the kernel's length of a packet exceeds the scenario's on Ethernet and veth."""
DEVICE, WIRE = "DEVICE", "WIRE"
"""Placeholders of devices in commands: that of the queue, and that of a wire apart from it."""

_MOST_QUEUED = 10_240
_WIRE_FIRST = (
    "netem delays and loses packets before the queue here, and the scenario after it; a lost "
    "packet then takes no room in the queue. With a second device for the wire the order is the "
    "scenario's."
)


@dataclass(frozen=True)
class Timed:
    """A schedule of commands."""

    meaning: str
    """Setting that changes, in words."""
    steps: tuple[tuple[int, tuple[str, ...]], ...]
    """Times after the start, ps, ascending, each with a command of tc."""
    period_ps: int | None
    """Period after which the steps start again; None: the last one stays."""


@dataclass
class LinkCommands:
    """The commands that make a device behave as one direction of a link."""

    link: str
    """Name of the link in the scenario."""
    setup: list[tuple[str, ...]] = field(default_factory=list)
    """Commands in order, each as the words after ``tc``, with `DEVICE` or `WIRE` as its device."""
    later: list[Timed] = field(default_factory=list)
    """Schedules, which run beside each other."""
    notes: list[str] = field(default_factory=list)
    """Sentences on settings that tc expresses otherwise, or not at all."""
    obstacles: list[tuple[str, str]] = field(default_factory=list)
    """Why the kernel's disciplines cannot stand in for the scenario's, each with a remedy."""
    drops_at_departure: bool = False
    """Whether the queue drops packets when they would leave, and not when they come."""
    warnings: list[str] = field(default_factory=list)
    """Sentences on settings for which tc's words make another queue, with the remedy."""

    @property
    def devices(self) -> tuple[str, ...]:
        """Placeholders that the commands use."""
        used = {word for command in self.setup for word in command}
        return tuple(device for device in (DEVICE, WIRE) if device in used)

    def note(self, *sentences: str) -> None:
        """Add sentences, each once."""
        self.notes += [
            sentence for sentence in dict.fromkeys(sentences) if sentence not in self.notes
        ]


def commands_of(
    link: LinkPlan,
    mtu: int,
    *,
    header: int = ETHERNET_HEADER,
    apart: bool = False,
    exact: bool = False,
    words: tuple[str, ...] = (),
) -> LinkCommands:
    """The commands of a link.

    Parameters
    ----------
    link
        The link of a plan.
    mtu
        Full packet of the flows that cross, bytes.
    header
        Link-layer header that the device's lengths include, bytes: 14 on Ethernet, 0 on a tunnel.
    apart
        Whether the wire is netem on a second device, behind the queue, as in the scenario.
    exact
        Whether timers are exact, as in virtual time. Then a packet leaves its queue when its
        transmission begins, and netem adds the transmission's time; elsewhere a token bucket makes
        up for late timers. The wire is apart.
    words
        A discipline in tc's words that stands in for the scenario's.

    Notes
    -----
    On one device netem is the root and the shaper stands inside it: packets leave netem's delay
    into the discipline inside (``netem_dequeue`` of ``sch_netem.c``). netem inside a shaper would
    be a queue of its own, which hides the delay's packets from the discipline.
    """
    commands = LinkCommands(link["name"])
    wire = wire_of(link)
    commands.note(*wire.notes)
    rate_bps = link.get("rate_bps")
    packet = Packet(mtu, held=0 if rate_bps is None or exact else 1)
    queue = TcQdisc(words) if words else discipline_of(link["qdisc"], packet, rate_bps)
    commands.note(*(note for qdisc in _tree(queue) for note in qdisc.notes))
    commands.obstacles += dict.fromkeys(why for qdisc in _tree(queue) for why in qdisc.obstacles)
    commands.drops_at_departure = any(qdisc.drops_at_departure for qdisc in _tree(queue))
    commands.warnings += dict.fromkeys(text for qdisc in _tree(queue) for text in qdisc.warnings)
    shaped = None
    if rate_bps is not None and exact:
        shaped, apart = transmitter(rate_bps, queue), True
        wire = replace(wire, rate=(rate(rate_bps),))
    elif rate_bps is not None:
        shaped = shaper(rate_bps, burst_for(rate_bps, mtu), queue)
    limit = packets_in_flight(link, _MOST_QUEUED)
    later = wire_steps(link, wire, limit)
    place = _Places(commands, header)
    if not wire.is_empty or later:
        words = netem(wire, limit)
        where = place.root(WIRE if apart else DEVICE, words, sized=exact or not apart)
        commands.later += [_timed(schedule, where) for schedule in later]
        if exact:
            rates, _ = rate_steps(link, lambda bps: netem(replace(wire, rate=(rate(bps),)), limit))
            commands.later += [_timed(schedule, where) for schedule in rates]
        if not apart:
            place.inside(where)
            if rate_bps is not None:
                commands.note(_WIRE_FIRST)
    if shaped is not None:
        _place_queue(commands, place, link, packet, shaped)
    elif queue.kind not in ("pfifo", "bfifo"):
        place.put(queue)
    _police(commands, link, header)
    return commands


def _place_queue(
    commands: LinkCommands, place: _Places, link: LinkPlan, packet: Packet, shaped: TcQdisc
) -> None:
    where = place.put(shaped)
    if shaped.classes:
        rates, notes = rate_steps(link, transmitter_class)
        handle = where[-1]
        the_class = (DEVICE, "parent", handle, "classid", f"{handle}1")
        commands.later += [_timed(schedule, the_class, "class") for schedule in rates]
    else:
        most = int(shaped.words[shaped.words.index("limit") + 1])
        rates, notes = rate_steps(link, lambda bps: bucket(bps, burst_for(bps, packet.mtu), most))
        commands.later += [_timed(schedule, where) for schedule in rates]
    commands.note(*notes)
    limits, own = limit_steps(link["qdisc"], packet, shaped)
    if limits and own:
        # The bucket's own queue: every step repeats the bucket.
        words = shaped.words
        at = words.index("limit") + 1
        limits = [
            Later(
                schedule.meaning,
                tuple(
                    (when, (*words[:at], step[2], *words[at + 1 :]))
                    for when, step in schedule.steps
                ),
            )
            for schedule in limits
        ]
        commands.later += [_timed(schedule, where) for schedule in limits]
    elif limits:
        commands.later += [_timed(schedule, place.child_of(where)) for schedule in limits]
    if limits and rates and not shaped.classes:
        commands.note("A step of the rate sets the queue's first limit again.")


def _tree(qdisc: TcQdisc) -> Iterator[TcQdisc]:
    yield qdisc
    for _, child in qdisc.children:
        yield from _tree(child)


def _timed(later: Later, where: tuple[str, ...], kind: str = "qdisc") -> Timed:
    steps = tuple((at, (kind, "change", "dev", *where, *words)) for at, words in later.steps)
    first = steps[0][0] if steps else 0
    # A schedule that does not come back needs no step for what the setup has done.
    if first == 0 and later.period_ps is None:
        steps = steps[1:]
    return Timed(later.meaning, steps, later.period_ps)


class _Places:
    """Handles and parents of the disciplines of a link, in the order of the commands."""

    def __init__(self, commands: LinkCommands, header: int) -> None:
        self._commands = commands
        self._header = header
        self._handles = count(1)
        self._parent: tuple[str, ...] | None = None
        self._device = DEVICE
        self._sized = False
        self._children: dict[tuple[str, ...], tuple[str, ...]] = {}

    def root(self, device: str, words: tuple[str, ...], *, sized: bool) -> tuple[str, ...]:
        """Put a discipline at a device's root."""
        handle = f"{next(self._handles) if device == DEVICE else 1}:"
        where = (device, "root", "handle", handle)
        self._add(where, words, sized=sized)
        return where

    def inside(self, where: tuple[str, ...]) -> None:
        """Put the next discipline inside the one at `where`."""
        self._parent = (where[0], "parent", f"{where[-1]}1", "handle")

    def put(self, qdisc: TcQdisc) -> tuple[str, ...]:
        """Put a discipline with all inside it."""
        handle = f"{next(self._handles)}:"
        where: tuple[str, ...]
        if self._parent is None:
            where = (DEVICE, "root", "handle", handle)
            self._add(where, qdisc.words, sized=True)
        else:
            where = (*self._parent, handle)
            self._add(where, qdisc.words, sized=False)
        for number, words in qdisc.classes:
            place = ("parent", handle, "classid", f"{handle}{number:x}")
            self._commands.setup.append(("class", "add", "dev", DEVICE, *place, *words))
        for words in qdisc.filters:
            filled = tuple(word.replace("%", handle) for word in words)
            self._commands.setup.append(("filter", "add", "dev", DEVICE, "parent", handle, *filled))
        for number, child in qdisc.children:
            self._parent = (DEVICE, "parent", f"{handle}{number:x}", "handle")
            self._children.setdefault(where, self.put(child))
        return where

    def child_of(self, where: tuple[str, ...]) -> tuple[str, ...]:
        """Place of the first discipline inside."""
        return self._children[where]

    def _add(self, where: tuple[str, ...], words: tuple[str, ...], *, sized: bool) -> None:
        table: tuple[str, ...] = ()
        if sized and self._header:
            table = ("stab", "overhead", str(-self._header), "linklayer", "ethernet")
        verb = "replace" if where[1] == "root" else "add"
        self._commands.setup.append(("qdisc", verb, "dev", *where, *table, *words))


def _police(commands: LinkCommands, link: LinkPlan, header: int) -> None:
    """The policer, before the queue: a filter of the egress hook (tc-police(8))."""
    policer = link.get("policer")
    if policer is None:
        return
    commands.setup += [
        ("qdisc", "replace", "dev", DEVICE, "clsact"),
        (
            *("filter", "add", "dev", DEVICE, "egress", "protocol", "all", "matchall"),
            *("action", "police", "rate", rate(policer["rate_bps"])),
            *("burst", str(policer["burst_bytes"]), "conform-exceed", "drop"),
        ),
    ]
    if header:
        commands.note(
            f"The policer counts the {header} bytes of the link-layer header, and the scenario "
            "does not."
        )


def discipline_of(plan: QdiscPlan, packet: Packet, rate_bps: int | None) -> TcQdisc:
    """A discipline of a plan in tc's words.

    Parameters
    ----------
    plan
        The discipline, in the engine's form.
    packet
        Packets of the link.
    rate_bps
        Rate at which the queue drains, bit/s; None on an unlimited link.
    """
    return _words(plan, TcQueue(packet, rate_bps, _words))


def _words(plan: QdiscPlan, queue: TcQueue) -> TcQdisc:
    return QDISCS[plan["kind"]].tc(plan, queue)
