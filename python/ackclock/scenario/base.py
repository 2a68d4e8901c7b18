"""The tables and values of a scenario, with the checks across tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, PrivateAttr

from ackclock.messages import did_you_mean, shown
from ackclock.runtime.permission import current
from ackclock.scenario.compare import Compare
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.flows import Flow
from ackclock.scenario.names import ScenarioName
from ackclock.scenario.network import Graph, Network, ParkingLot
from ackclock.scenario.own import Finder
from ackclock.scenario.quantities import PositiveTime, Time, time_ps
from ackclock.scenario.record import Record
from ackclock.scenario.sweep import Sweep
from ackclock.scenario.table import Table
from ackclock.scenario.transport import Transport

__all__ = ["ScenarioTables"]

_MOST_CONNECTIONS = 1_000_000


class ScenarioTables(Table):
    """A network, the flows on it, and what to record; `Scenario` reads and plans them."""

    name: ScenarioName = "scenario"
    """Name of the scenario and of its folder of results (default: the name of the file)."""
    description: str | None = None
    """Purpose of the scenario, in a sentence."""
    duration: PositiveTime
    """End of the run, such as "60s"; it ends earlier when every flow has finished."""
    warmup: Time = "0s"
    """Time from which every metric counts."""
    seed: int = Field(default=1, ge=0, le=2**63 - 1)
    """Seed of every random stream."""
    profile: Literal["linux", "rfc", "classic"] = "linux"
    """Defaults of the transport: a Linux host of today, the RFCs, or the papers' ns-2."""
    transport: Transport | None = None
    """Transport options of all flows that differ from the profile."""
    network: Network
    """The network: kind = "dumbbell", "parking-lot" or "graph"."""
    flows: list[Flow] = Field(min_length=1)
    """The flows, [[flows]]."""
    record: Record = Record.model_construct()
    """Time series and packets that a run keeps."""
    compare: Compare | None = None
    """Comparison that `ackclock compare` runs."""
    sweep: Sweep | None = None
    """Sweep that `ackclock sweep` runs."""

    _file: str | None = PrivateAttr(default=None)
    _folder: Path | None = PrivateAttr(default=None)
    # Whether it was read only to look: the classes that it names are not imported then.
    _looked: bool = PrivateAttr(default_factory=lambda: current().looks)
    # The user's keys, by the full keys that they are short for.
    _written: dict[str, str] = PrivateAttr(default_factory=dict)

    @property
    def file(self) -> str | None:
        """The file that the scenario was read from, if any."""
        return self._file

    @property
    def folder(self) -> Path | None:
        """The folder that paths in the scenario are relative to; None: the current folder."""
        return self._folder

    @property
    def finder(self) -> Finder:
        """Finder of the user's classes that the scenario names."""
        return Finder(self._folder, looks=self._looked or current().looks)

    def data(self) -> dict[str, Any]:
        """The scenario as plain data, without defaults."""
        return self.model_dump(by_alias=True, exclude_unset=True)

    def entry_names(self) -> list[str]:
        """The name of each entry of flows, given or made."""
        return [flow.name or f"flow{index}" for index, flow in enumerate(self.flows, start=1)]

    def routers(self) -> list[str]:
        """The nodes that a flow can be attached to, in order."""
        network = self.network
        if isinstance(network, Graph):
            return [node.name for node in network.nodes]
        if isinstance(network, ParkingLot):
            return [f"r{index}" for index in range(1, len(network.bottlenecks) + 2)]
        return ["left", "right"]

    def check(self) -> None:
        """Check names and ends of flows across the tables.

        Raises
        ------
        ScenarioError
            With the key at fault.
        """
        if time_ps(self.warmup) >= time_ps(self.duration):
            raise ScenarioError(
                f"'{self.warmup}' is not before the end of the run, duration = '{self.duration}'",
                key="warmup",
                value=self.warmup,
            )
        names = self.entry_names()
        for index, name in enumerate(names):
            if name in names[:index]:
                raise ScenarioError(
                    f"'{name}' also names flows.{names.index(name)}: each entry needs its own name",
                    key=f"flows.{index}.name",
                    value=name,
                )
        routers = self.routers()
        for index, flow in enumerate(self.flows):
            self._check_flow(flow, f"flows.{index}", routers)
        if self.compare is not None:
            for index, name in enumerate(self.compare.flows or []):
                if name not in names:
                    raise ScenarioError(
                        f"there is no entry '{name}' in flows, only "
                        f"{', '.join(names)}{did_you_mean(name, names)}",
                        key=f"compare.flows.{index}",
                        value=name,
                        kind="unknown-name",
                    )

    @staticmethod
    def _check_flow(flow: Flow, key: str, routers: list[str]) -> None:
        for end, name in (("from", flow.source), ("to", flow.destination)):
            if name is not None and name not in routers:
                raise ScenarioError(
                    f"there is no node '{name}', only "
                    f"{', '.join(routers)}{did_you_mean(name, routers)}",
                    key=f"{key}.{end}",
                    value=name,
                    kind="unknown-name",
                )
        if (flow.source or routers[0]) == (flow.destination or routers[-1]):
            name = flow.source or routers[0]
            raise ScenarioError(
                f"'{name}' is both ends of the flow: a flow crosses the network",
                key=f"{key}.{'to' if flow.destination else 'from'}",
                value=name,
            )
        if flow.count * flow.connections > _MOST_CONNECTIONS:
            raise ScenarioError(
                f"{flow.count} flows of {flow.connections} connections each are more than "
                f"{_MOST_CONNECTIONS} connections",
                key=f"{key}.parallel",
                value=flow.parallel,
            )
        if flow.transport is not None:
            for option in ("ssthresh", "initial_window"):
                value = getattr(flow, option)
                if value is not None and getattr(flow.transport, option) is not None:
                    raise ScenarioError(
                        f"{shown(value)} is given here and in {key}.transport: give one",
                        key=f"{key}.{option}",
                        value=value,
                    )
