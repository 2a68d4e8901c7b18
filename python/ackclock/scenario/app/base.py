"""Base tables of applications: a transfer over TCP, a session over connections, or a UDP stream."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Self

from ackclock.scenario.table import Table

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.core_types.plan import AppPlan, SessionAppPlan, StreamAppPlan
    from ackclock.scenario.app.place import Place

__all__ = ["Application", "Session", "Stream", "Transfer"]


class Application(Table):
    """The application of a flow: the source of the data that the flow sends."""

    @property
    def name(self) -> str:
        """Name of the application: its `kind`."""
        return str(self.model_dump(include={"kind"})["kind"])

    def resolved(self, folder: Path | None) -> Self:  # noqa: ARG002
        """The application with every path relative to the current folder and not to `folder`.

        Results lie in another folder than the scenario.
        """
        return self


class Transfer(Application):
    """Data that one connection carries from its opening to its end."""

    @abstractmethod
    def plan(self, place: Place) -> AppPlan:
        """The application in the engine's form."""


class Session(Application):
    """An application that opens connections and writes to them.

    The engine's sessions are in ``crates/sim/src/app/session``.
    """

    def connections(self) -> int:
        """Number of simultaneous connections from the sender to the receiver."""
        return 1

    def request_connections(self) -> int:
        """Number of connections from the receiver to the sender, for requests."""
        return 0

    @abstractmethod
    def plan(self, place: Place) -> SessionAppPlan:
        """The session in the engine's form."""


class Stream(Application):
    """An application that sends UDP datagrams, without a congestion control.

    The engine's streams are in ``crates/sim/src/udp``.
    """

    def header_bytes(self) -> int:
        """Headers of each datagram: 20 bytes of IPv4, 8 of UDP, and the application's own."""
        return 28

    def playout_ps(self) -> int | None:
        """Playout buffer in ps: a datagram that takes this much longer than the first is late.

        `None`: no datagram is late.
        """
        return None

    @abstractmethod
    def largest_payload_bytes(self) -> int:
        """Payload of the largest datagram."""

    @abstractmethod
    def plan(self, place: Place) -> StreamAppPlan:
        """The stream in the engine's form."""
