"""Scenarios made in Python, with the keys of scenario files as parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from ackclock.messages import shown
from ackclock.scenario.errors import ScenarioError, translate
from ackclock.scenario.flows import Flow
from ackclock.scenario.scenario import Scenario
from ackclock.scenario.spelling import one_way

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
        Congestion control: ``"reno"``, ``"cos+reno"``, ``"cubic"``, ..., or a class of your own
        (`ackclock.cc`); none for a UDP stream.
    name
        Name of the flow; several flows are NAME.1, NAME.2, ...
    count
        Number of flows.
    parallel, chunk
        Number of connections that carry each flow as one transfer, and the bytes that a connection
        takes at a time.
    app
        ``"bulk"``, ``{"kind": "file", "size": "1MB"}``, ... (``ackclock list app``).
    start, stop
        Start of the flow, perhaps a distribution, ``"uniform(0s, 1s)"``, and the time when the
        application stops writing.
    source, destination
        Routers that the flow is attached to, ``from`` and ``to`` in a file.
    access
        Access links of the flow: ``{"rate": "10Mbit/s", "delay": "uniform(1ms, 50ms)"}``.
    priority
        Class of the flow's packets for the discipline prio, 0 to 15.
    ssthresh, initial_window
        Initial slow-start threshold and window: ``"1bdp"``, ``"10 packets"``.
    transport
        Other options of the transport.

    Raises
    ------
    ScenarioError
        If an argument is wrong.

    Examples
    --------
    >>> import ackclock as ac
    >>> ac.flow("cubic", start="10s").start
    '10s'
    """
    data = _given(
        name=name,
        count=count,
        parallel=parallel,
        chunk=chunk,
        cc=cc,
        app=_table(app),
        start=start,
        stop=stop,
        **{"from": source, "to": destination},
        access=_table(access),
        priority=priority,
        ssthresh=ssthresh,
        initial_window=initial_window,
        transport=_table(transport),
    )
    try:
        return Flow.model_validate(data)
    except ValidationError as errors:
        raise translate(errors, data) from None


def _table(value: Any) -> Any:
    """A mapping as a dict; any other value stays, for the scenario to refuse with its key."""
    return dict(value) if isinstance(value, Mapping) else value


def _list(values: Any) -> Any:
    is_list = isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping | Flow)
    return [_table(entry) for entry in values] if is_list else values


def _plain(flows: Any) -> Any:
    entries = _list(flows)
    if not isinstance(entries, list):
        return entries
    return [
        entry.model_dump(by_alias=True, exclude_unset=True) if isinstance(entry, Flow) else entry
        for entry in entries
    ]


def _given(**options: Any) -> dict[str, Any]:
    return {key: value for key, value in options.items() if value is not None}


def dumbbell(
    *,
    rate: str | Mapping[str, Any],
    rtt: str,
    buffer: str | None = None,
    flows: Sequence[Flow | Mapping[str, Any]],
    duration: str,
    qdisc: str | Mapping[str, Any] = "fifo",
    policer: Mapping[str, str] | None = None,
    loss: float | str | Mapping[str, Any] | None = None,
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
        Line rate of the bottleneck, ``"10Mbit/s"``; ``{"schedule": [["0s", "10Mbit/s"], ["10s",
        "2Mbit/s"]]}`` or ``{"trace": "FILE"}`` where it varies.
    rtt
        Base RTT of the bottleneck link, both directions, without access links.
    buffer
        Queue limit: ``"1bdp"``, ``"20 packets"``, ``"30kB"``, ``"50ms"``; by default tc's where the
        discipline has one, else 1bdp.
    flows
        The flows, made by `flow`, from left to right unless they say otherwise.
    duration
        End of the run, unless all flows finish before.
    qdisc
        Queue discipline: ``"fifo"``, ``"red"`` or ``{"kind": "red", "ecn": True}``.
    policer
        Policer before the queue: ``{"rate": "5Mbit/s", "burst": "50kB"}``.
    loss
        Loss on the wire: ``"1%"`` or ``0.01`` of the packets at random, or a table such as
        ``{"kind": "gilbert-elliott", "p": 0.001, "r": 0.3}``.
    wire
        Other impairments, by their keys: ``{"jitter": "normal(5ms, 2ms)", "duplicate": 0.01}``.
    outages
        Outages of the link: ``[["5s", "7s"]]``, or ``{"windows": [["5s", "7s"]], "lossy": True}``.
    slot
        Time between batches in which packets leave: ``"10ms"``.
    reverse
        Options that differ in the other direction: ``{"rate": "250kbit/s", "slot": "10ms"}``.
    access
        Access links of all flows that give none.
    name, warmup, seed, profile, transport, record
        As in a file.

    Raises
    ------
    ScenarioError
        If an argument is wrong.

    Examples
    --------
    >>> import ackclock as ac
    >>> cubic = ac.flow("cubic")
    >>> scenario = ac.dumbbell(rate="10Mbit/s", rtt="60ms", flows=[cubic], duration="30s")
    >>> scenario.plan()["links"][0]["qdisc"]
    {'kind': 'fifo', 'limit_bytes': 75000}
    """
    if wire is not None and not isinstance(wire, Mapping):
        raise ScenarioError(
            f"{shown(wire)} is not a table: write {{'jitter': '5ms'}}", key="wire", value=wire
        )
    bottleneck = {"rate": _table(rate), "delay": one_way(rtt, "rtt"), "qdisc": _table(qdisc)}
    bottleneck |= _given(
        limit=buffer, policer=policer, loss=loss, outages=outages, slot=slot, reverse=reverse
    )
    bottleneck |= wire or {}
    data = _given(
        name=name,
        duration=duration,
        warmup=warmup,
        seed=seed,
        profile=profile,
        transport=transport,
        record=record,
        network=_given(kind="dumbbell", bottleneck=bottleneck, access=_table(access)),
    )
    return Scenario.parse({**data, "flows": _plain(flows)})


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
        The flows, from the first to the last router unless they say otherwise (``flow("reno",
        source="r1", destination="r2")``).
    duration
        End of the run, unless all flows finish before.
    access
        Access links of all flows that give none.
    name, warmup, seed, profile, transport, record
        As in a file.

    Raises
    ------
    ScenarioError
        If an argument is wrong.

    Examples
    --------
    >>> import ackclock as ac
    >>> hop = {"rate": "10Mbit/s", "delay": "10ms"}
    >>> scenario = ac.parking_lot(bottlenecks=[hop, hop], flows=[ac.flow("reno")], duration="30s")
    >>> [link["name"] for link in scenario.plan()["links"]][:2]
    ['bottleneck1', 'bottleneck2']
    """
    links = _list(bottlenecks)
    data = _given(
        name=name,
        duration=duration,
        warmup=warmup,
        seed=seed,
        profile=profile,
        transport=transport,
        record=record,
        network=_given(kind="parking-lot", access=_table(access)) | {"bottlenecks": links},
    )
    return Scenario.parse({**data, "flows": _plain(flows)})
