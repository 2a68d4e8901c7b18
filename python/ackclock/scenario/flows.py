"""Flows and the links that attach them to the network."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationInfo, model_validator

from ackclock import _core
from ackclock.cc import spec_of
from ackclock.messages import nearest, shown
from ackclock.scenario.app import App, Bulk, Session, Stream
from ackclock.scenario.distributions import RateOrDistribution, TimeOrDistribution
from ackclock.scenario.errors import problem
from ackclock.scenario.names import Name
from ackclock.scenario.own import Finder, OwnClassError
from ackclock.scenario.quantities import InitialWindow, Limit, PositiveTime, Size, Window
from ackclock.scenario.table import Table
from ackclock.scenario.transport import Transport

__all__ = ["Access", "CongestionControl", "Flow"]


def _sentence(spec: str, message: str) -> str:
    message = message.replace('"', "'").rstrip(".")
    message = message[0].lower() + message[1:]
    unknown = re.search(
        r"no congestion control '(.*?)'; |no congestion control '(.*?)'", message, re.DOTALL
    )
    if unknown:
        # The core's message lists all names, too many for one line.
        name = unknown[1] if unknown[1] is not None else unknown[2]
        entries = _core.list_cc()
        whole = [entry["name"] for entry in entries if entry["role"] != "slow start"]
        names = [*whole, *(entry["name"] for entry in entries if entry["name"] not in whole)]
        few = nearest(name, names)
        message = (
            f"there is no congestion control {shown(name)}{few or ';'} ackclock list cc lists all "
            f"{len(names)}{'' if few else ', such as reno, cubic and bbr'}"
        )
    return message if shown(spec) in message else f"{shown(spec)}: {message}"


def _name_of(algorithm: type[Any], find: Finder) -> str:
    try:
        spec = spec_of(algorithm)
    except ValueError as error:
        raise OwnClassError(str(error)) from None
    control = find(spec, {})
    if control is None or control.algorithm is not algorithm:
        raise OwnClassError(
            f"{algorithm.__qualname__} is not what {spec} names: it was defined again since; use "
            "the class of now"
        )
    return spec


def _check_cc(value: Any, info: ValidationInfo) -> str:
    if not isinstance(value, (str, type)):
        raise problem(
            f"{shown(value)} is not a congestion control: write its name, such as 'reno' "
            "(ackclock list cc)"
        )
    find = Finder((info.context or {}).get("folder"), rereads=True)
    try:
        spec = value if isinstance(value, str) else _name_of(value, find)
    except OwnClassError as error:
        raise problem(str(error)) from None
    try:
        _core.check_cc(spec, find.of(spec))
    except OwnClassError as error:
        raise problem(str(error)) from None
    except ValueError as error:
        raise problem(_sentence(spec, str(error))) from None
    return spec.strip()


CongestionControl = Annotated[str, BeforeValidator(_check_cc)]


class Access(Table):
    """A flow's own links, one at the sender and one alike at the receiver.

    They exist only if a rate, a delay or a jitter is given.
    """

    rate: RateOrDistribution | None = None
    """Line rate in both directions, or a distribution to draw it per flow (default unlimited)."""
    delay: TimeOrDistribution | None = None
    """One-way delay of each link, or a distribution to draw it per flow (default 0s)."""
    jitter: TimeOrDistribution | None = None
    """Random time that hosts add to each packet sent, in order, such as "uniform(0ms, 1ms)"."""
    limit: Limit | None = None
    """Queue limit of each direction; a run warns of drops here (default unlimited)."""


class Flow(Table):
    """One flow, or `count` alike."""

    name: Name | None = None
    """Name of the entry; several flows are NAME.1, NAME.2, ... (default: flow1, flow2, ...)."""
    count: int = Field(default=1, ge=1, le=1_000_000)
    """Number of flows."""
    parallel: int = Field(default=1, ge=1, le=1000)
    """Parallel connections of each flow, started together over the same path.

    The flow is reported as one, and its connections as NAME[1], NAME[2], ... Data goes in chunks to
    the connection that has nothing left to send.
    """
    chunk: Size = "64KiB"
    """Bytes that a parallel connection takes at a time."""
    cc: CongestionControl | None = None
    """Congestion control of TCP: reno, cos+reno, ... (ackclock list cc), or python:MODULE:CLASS."""
    app: App = Bulk.model_construct(kind="bulk")
    """Application: "bulk", { kind = "file", size = "1MB" }, ... (ackclock list app)."""
    start: TimeOrDistribution = "0s"
    """Time of the SYN, or a distribution to draw it per flow."""
    stop: PositiveTime | None = None
    """Time when the application stops writing (default: never)."""
    source: Name | None = Field(default=None, alias="from")
    """Router that the sender is attached to (default: the first)."""
    destination: Name | None = Field(default=None, alias="to")
    """Router that the receiver is attached to (default: the last)."""
    access: Access | None = None
    """Access links of the flow; options not given are those of network.access."""
    priority: int = Field(default=0, ge=0, le=15)
    """Class of the flow's packets, both ways, for the discipline prio (Linux's SO_PRIORITY)."""
    ssthresh: Window | None = None
    """Short for transport.ssthresh."""
    initial_window: InitialWindow | None = None
    """Short for transport.initial_window."""
    transport: Transport | None = None
    """Options of the transport for this flow alone."""

    @model_validator(mode="after")
    def _cc_fits(self) -> Flow:
        if isinstance(self.app, Stream):
            for option in ("cc", "transport", "ssthresh", "initial_window"):
                if getattr(self, option) is not None:
                    raise problem(
                        f"{self.app.name} is sent over UDP, which has no {option}: leave it out",
                        key=option,
                    )
            if self.parallel > 1:
                raise problem(
                    f"{self.app.name} is sent over UDP, which has no connections: leave it out",
                    key="parallel",
                )
        elif self.cc is None:
            raise problem(
                "missing; it is needed: Congestion control, such as 'reno' (ackclock list cc)",
                key="cc",
                kind="missing",
            )
        if isinstance(self.app, Session) and self.parallel > 1:
            raise problem(
                f"{self.app.name} opens its own connections: leave it out", key="parallel"
            )
        return self

    @property
    def is_stream(self) -> bool:
        """Whether the flow is a UDP stream."""
        return isinstance(self.app, Stream)

    @property
    def connections(self) -> int:
        """Number of connections of each flow."""
        if isinstance(self.app, Session):
            return self.app.connections() + self.app.request_connections()
        return 0 if self.is_stream else self.parallel
