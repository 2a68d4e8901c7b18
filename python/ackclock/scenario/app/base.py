"""What every application's table is: something that TCP carries, a session over connections, or a UDP stream."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, Self

from ackclock.scenario.table import Table

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.scenario.app.place import Place

__all__ = ["Application", "Session", "Stream", "Transfer"]


class Application(Table):
    """What a flow has to send."""

    @property
    def name(self) -> str:
        """Its kind."""
        return str(self.model_dump(include={"kind"})["kind"])

    def resolved(self, folder: Path | None) -> Self:  # noqa: ARG002
        """The same with every path as the current folder sees it: results are elsewhere than the scenario (`folder`)."""
        return self


class Transfer(Application):
    """What one connection carries from its opening to its end."""

    @abstractmethod
    def plan(self, place: Place) -> dict[str, Any]:
        """The application of a connection, as the engine takes it (`AppPlan`)."""


class Session(Application):
    """What opens connections and writes to them; the engine's sessions are in ``crates/sim/src/app/session``."""

    def connections(self) -> int:
        """How many connections it needs from the sender to the receiver at the same time."""
        return 1

    def request_connections(self) -> int:
        """How many it needs the other way, for requests; they come after the others."""
        return 0

    @abstractmethod
    def plan(self, place: Place) -> dict[str, Any]:
        """The session's application, as the engine takes it (`SessionAppPlan`)."""


class Stream(Application):
    """What is sent as datagrams, without a congestion control; the engine's streams are in ``crates/sim/src/udp``."""

    def header_bytes(self) -> int:
        """Headers of each datagram: 20 bytes of IPv4, 8 of UDP, and the application's own."""
        return 28

    def playout_ps(self) -> int | None:
        """How much longer than the first a datagram may take to be played, ps; `None`: nothing is played."""
        return None

    @abstractmethod
    def largest_payload_bytes(self) -> int:
        """Payload of the largest datagram."""

    @abstractmethod
    def plan(self, place: Place) -> dict[str, Any]:
        """The stream's application, as the engine takes it (`StreamAppPlan`)."""
