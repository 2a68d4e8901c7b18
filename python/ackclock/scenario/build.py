"""Scenarios in Python, in the words of the files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from ackclock import _core
from ackclock.scenario.errors import ScenarioError, shown, translate
from ackclock.scenario.flows import Flow
from ackclock.scenario.quantities import time_ps
from ackclock.scenario.scenario import Scenario

__all__ = ["dumbbell", "flow", "parking_lot"]


def flow(
    cc: str | type[Any] | None = None,
    *,
    name: str | None = None,
    count: int = 1,
    parallel: int = 1,
    chunk: str | None = None,
    app: str | Mapping[str, Any] = "bulk",
    start: str = "0s",
    stop: str | None = None,
    source: str | None = None,
    destination: str | None = None,
    access: Mapping[str, str] | None = None,
    priority: int = 0,
    ssthresh: str | None = None,
    initial_window: str | None = None,
    transport: Mapping[str, Any] | None = None,
) -> Flow:
    """One flow, or `count` alike.

    Parameters
    ----------
    cc
        Congestion control: ``"reno"``, ``"cos+reno"``, ``"cubic"``, ..., or a class of your own (`ackclock.cc`); none for a UDP stream.
    name
        Its name; several are NAME.1, NAME.2, ...
    count
        How many.
    parallel, chunk
        Connections that carry each of them as one transfer, and what each takes at a time of what is sent.
    app
        ``"bulk"``, ``{"kind": "file", "size": "1MB"}``, ... (``ackclock list app``).
    start, stop
        When it begins and when the application stops writing; `start` may be a distribution, ``"uniform(0s, 1s)"``.
    source, destination
        Routers that it is attached to, ``from`` and ``to`` in a file.
    access
        Its own access links: ``{"rate": "10Mbit/s", "delay": "uniform(1ms, 50ms)"}``.
    priority
        Class of its packets for the discipline prio, 0 to 15.
    ssthresh, initial_window
        Initial slow-start threshold and window: ``"1bdp"``, ``"10 packets"``.
    transport
        Other options of the transport.

    Raises
    ------
    ScenarioError
        If anything in it is wrong.

    Examples
    --------
    >>> import ackclock as ac
    >>> ac.flow("cubic", start="10s").start
    '10s'
    """
    given = {
        "name": name,
        "count": count,
        "parallel": parallel,
        "chunk": chunk,
        "cc": cc,
        "app": _table(app),
        "start": start,
        "stop": stop,
        "from": source,
        "to": destination,
        "access": _table(access),
        "priority": priority,
        "ssthresh": ssthresh,
        "initial_window": initial_window,
        "transport": _table(transport),
    }
    data = {key: value for key, value in given.items() if value is not None}
    try:
        return Flow.model_validate(data)
    except ValidationError as errors:
        raise translate(errors, data) from None


def _table(value: Any) -> Any:
    """A mapping as a dict. What is none stays as it is: the scenario says so, with the key."""
    return dict(value) if isinstance(value, Mapping) else value


def _list(values: Any) -> Any:
    is_list = isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping | Flow)
    return [_table(one) for one in values] if is_list else values


def _plain(flows: Any) -> Any:
    found = _list(flows)
    if not isinstance(found, list):
        return found
    return [one.model_dump(by_alias=True, exclude_unset=True) if isinstance(one, Flow) else one for one in found]


def _scenario(network: Mapping[str, Any], flows: Sequence[Flow | Mapping[str, Any]], options: Mapping[str, Any]) -> Scenario:
    given = {key: value for key, value in options.items() if value is not None}
    return Scenario.parse({**given, "network": network, "flows": _plain(flows)})


def _one_way(rtt: str) -> str:
    try:
        return _core.format_time(time_ps(rtt) // 2)
    except (ValueError, TypeError) as error:
        raise ScenarioError(str(error), key="rtt", value=rtt) from None


def dumbbell(
    *,
    rate: str | Mapping[str, Any],
    rtt: str,
    buffer: str | None = None,
    flows: Sequence[Flow | Mapping[str, Any]],
    duration: str,
    qdisc: str | Mapping[str, Any] = "fifo",
    policer: Mapping[str, str] | None = None,
    loss: Mapping[str, Any] | None = None,
    wire: Mapping[str, Any] | None = None,
    outages: Sequence[Sequence[str]] | Mapping[str, Any] | None = None,
    slot: str | Mapping[str, Any] | None = None,
    reverse: Mapping[str, Any] | None = None,
    access: Mapping[str, str] | None = None,
    name: str | None = None,
    warmup: str | None = None,
    seed: int | None = None,
    profile: str | None = None,
    transport: Mapping[str, Any] | None = None,
    record: Mapping[str, Any] | None = None,
) -> Scenario:
    """Two routers with one bottleneck between them.

    Parameters
    ----------
    rate
        Line rate of the bottleneck, ``"10Mbit/s"``; ``{"schedule": [["0s", "10Mbit/s"], ["10s", "2Mbit/s"]]}`` or
        ``{"trace": "FILE"}`` where it varies.
    rtt
        Base RTT of the bottleneck link, both directions; access links add theirs.
    buffer
        Queue limit: ``"1bdp"``, ``"20 packets"``, ``"30kB"``, ``"50ms"``; by default 1bdp, and tc's own where the discipline has one.
    flows
        The flows, made by `flow`, from left to right unless they say otherwise.
    duration
        When the run ends, unless all flows finish before.
    qdisc
        ``"fifo"``, ``"red"`` or ``{"kind": "red", "ecn": True}``.
    policer
        What stands before the queue: ``{"rate": "5Mbit/s", "burst": "50kB"}``.
    loss
        Loss on the wire: ``{"kind": "bernoulli", "p": 0.01}``.
    wire
        What else the wire does to packets, by the keys of a file: ``{"jitter": "normal(5ms, 2ms)", "duplicate": 0.01}``.
    outages
        When the link is down: ``[["5s", "7s"]]``, or ``{"windows": [["5s", "7s"]], "lossy": True}``.
    slot
        Packets leave in batches: ``"10ms"``.
    reverse
        What differs in the other direction: ``{"rate": "250kbit/s", "slot": "10ms"}``.
    access
        Access links of all flows that give none.
    name, warmup, seed, profile, transport, record
        As in a file.

    Raises
    ------
    ScenarioError
        If anything in it is wrong.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(rate="10Mbit/s", rtt="60ms", buffer="1bdp", flows=[ac.flow("cubic")], duration="30s")
    >>> scenario.plan()["links"][0]["qdisc"]
    {'kind': 'fifo', 'limit_bytes': 75000}
    """
    bottleneck: dict[str, Any] = {
        "rate": _table(rate),
        "delay": _one_way(rtt),
        "qdisc": _table(qdisc),
    }
    given = {"limit": buffer, "policer": policer, "loss": loss, "outages": outages, "slot": slot, "reverse": reverse}
    if wire is not None and not isinstance(wire, Mapping):
        raise ScenarioError(f"{shown(wire)} is not a table: write {{'jitter': '5ms'}}", key="wire", value=wire)
    bottleneck |= {key: value for key, value in given.items() if value is not None} | dict(wire or {})
    network: dict[str, Any] = {"kind": "dumbbell", "bottleneck": bottleneck}
    if access is not None:
        network["access"] = _table(access)
    options = {
        "name": name,
        "duration": duration,
        "warmup": warmup,
        "seed": seed,
        "profile": profile,
        "transport": transport,
        "record": record,
    }
    return _scenario(network, flows, options)


def parking_lot(
    *,
    bottlenecks: Sequence[Mapping[str, Any]],
    flows: Sequence[Flow | Mapping[str, Any]],
    duration: str,
    access: Mapping[str, str] | None = None,
    name: str | None = None,
    warmup: str | None = None,
    seed: int | None = None,
    profile: str | None = None,
    transport: Mapping[str, Any] | None = None,
    record: Mapping[str, Any] | None = None,
) -> Scenario:
    """Routers r1, r2, ... in a row with a bottleneck from each to the next.

    Parameters
    ----------
    bottlenecks
        The links in order: ``[{"rate": "10Mbit/s", "delay": "10ms", "limit": "1bdp"}, ...]``.
    flows
        The flows, from the first to the last router unless they say otherwise (``flow("reno", source="r1",
        destination="r2")``).
    duration
        When the run ends, unless all flows finish before.
    access
        Access links of all flows that give none.
    name, warmup, seed, profile, transport, record
        As in a file.

    Raises
    ------
    ScenarioError
        If anything in it is wrong.

    Examples
    --------
    >>> import ackclock as ac
    >>> hop = {"rate": "10Mbit/s", "delay": "10ms"}
    >>> scenario = ac.parking_lot(bottlenecks=[hop, hop], flows=[ac.flow("reno")], duration="30s")
    >>> [link["name"] for link in scenario.plan()["links"]][:2]
    ['bottleneck1', 'bottleneck2']
    """
    network: dict[str, Any] = {"kind": "parking-lot", "bottlenecks": _list(bottlenecks)}
    if access is not None:
        network["access"] = _table(access)
    options = {
        "name": name,
        "duration": duration,
        "warmup": warmup,
        "seed": seed,
        "profile": profile,
        "transport": transport,
        "record": record,
    }
    return _scenario(network, flows, options)
