"""The scenario: the one definition of what can be run, from which the schema and the messages come."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PrivateAttr, ValidationError

from ackclock.scenario.compare import Compare
from ackclock.scenario.errors import ScenarioError, check_plain, did_you_mean, problem, shown, translate
from ackclock.scenario.flows import Flow
from ackclock.scenario.network import GRAPH_TABLES, Graph, Network, ParkingLot, gather_graph
from ackclock.scenario.overrides import copied, override
from ackclock.scenario.own import Finder
from ackclock.scenario.plan import Plan, bottlenecks, make_plan
from ackclock.scenario.quantities import PositiveTime, Time, time_ps
from ackclock.scenario.record import Record
from ackclock.scenario.resolve import resolve
from ackclock.scenario.sweep import Sweep
from ackclock.scenario.table import Table
from ackclock.scenario.transport import Transport

__all__ = ["Scenario"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_MOST_CONNECTIONS = 1_000_000
_MOVED = {"flow": "flows", "bottleneck": "network.bottleneck", "cc": "flows.cc"}


def _check_name(value: Any) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise problem(f"{shown(value)} is not a name for a scenario: it names a folder, and has only letters, digits, '.', '-' and '_'")
    return value


class Scenario(Table):
    """A network, the flows on it, and what to record.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(rate="10Mbit/s", rtt="60ms", buffer="1bdp", flows=[ac.flow("reno")], duration="10s")
    >>> scenario.duration
    '10s'
    """

    name: Annotated[str, BeforeValidator(_check_name), Field(pattern=_NAME.pattern)] = "scenario"
    """Name of the scenario and of its folder of results (default: the name of the file)."""
    description: str | None = None
    """What it is for, in a sentence."""
    duration: PositiveTime
    """The run ends here, or when every flow has finished, such as "60s"."""
    warmup: Time = "0s"
    """Every metric counts from here."""
    seed: int = Field(default=1, ge=0, le=2**63 - 1)
    """Seed of every random stream."""
    profile: Literal["linux", "rfc", "classic"] = "linux"
    """Setting of everything in the transport: a Linux host of today, the RFCs without what a host adds, or the papers' ns-2."""
    transport: Transport | None = None
    """What differs from the profile, for all flows."""
    network: Network
    """The network: kind = "dumbbell", "parking-lot" or "graph"."""
    flows: list[Flow] = Field(min_length=1)
    """The flows, [[flows]]."""
    record: Record = Record()
    """What is written down while running."""
    compare: Compare | None = None
    """What `ackclock compare` varies."""
    sweep: Sweep | None = None
    """What `ackclock sweep` varies."""

    _file: str | None = PrivateAttr(default=None)
    _folder: Path | None = PrivateAttr(default=None)

    @property
    def file(self) -> str | None:
        """The file it was read from, if any."""
        return self._file

    @property
    def folder(self) -> Path | None:
        """The folder of its file, which the paths in it are relative to."""
        return self._folder

    @property
    def finder(self) -> Finder:
        """What finds the classes that it names."""
        return Finder(self._folder)

    @classmethod
    def parse(cls, data: Mapping[str, Any], file: str | None = None, folder: Path | None = None) -> Scenario:
        """Read a scenario from plain data, as TOML gives it.

        Parameters
        ----------
        data
            The tables and values.
        file
            Name of the file they come from, for messages.
        folder
            Folder that the paths in it are relative to; by default the file's.

        Raises
        ------
        ScenarioError
            If anything in it is wrong.
        """
        if folder is None and file is not None:
            folder = Path(file).absolute().parent
        return cls._parse(data, file, folder)

    @classmethod
    def _parse(cls, data: Mapping[str, Any], file: str | None, folder: Path | None) -> Scenario:
        if not isinstance(data, Mapping):
            raise ScenarioError(f"{shown(data)} is not a table of a scenario: give a dict, as TOML gives it", file=file)
        try:
            check_plain(data)
        except ScenarioError as error:
            raise error.located(file) from None
        data = {key: copied(value) for key, value in data.items()}
        for key, place in _MOVED.items():
            if key in data:
                raise ScenarioError(f"unknown key; it belongs into {place}", key=key, value=data[key], file=file)
        try:
            data = gather_graph(data)
        except ScenarioError as error:
            raise error.located(file) from None
        try:
            scenario = cls.model_validate(data, context={"folder": folder})
        except ValidationError as errors:
            raise translate(errors, data, file) from None
        scenario._file, scenario._folder = file, folder
        try:
            scenario._check()
        except ScenarioError as error:
            raise error.located(file) from None
        return scenario

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """JSON Schema of a scenario file."""
        schema = cls.model_json_schema(by_alias=True)
        graph = schema["$defs"]["Graph"]
        for table in GRAPH_TABLES:
            schema["properties"][table] = graph["properties"][table]
        # With these tables at the top, [network] may say no more than its kind, or nothing.
        schema["required"].remove("network")
        # A sweep may take its scenario from another file, and then holds nothing of one.
        needed = schema.pop("required")
        elsewhere = {"required": ["sweep"], "properties": {"sweep": {"type": "object", "required": ["scenario"]}}}
        schema["anyOf"] = [{"required": needed}, elsewhere]
        graph["required"] = [key for key in graph["required"] if key not in GRAPH_TABLES]
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}

    def data(self) -> dict[str, Any]:
        """The scenario as plain data, only what was given."""
        return self.model_dump(by_alias=True, exclude_unset=True)

    def replace(self, changes: Mapping[str, Any]) -> Scenario:
        """The scenario with other values.

        Parameters
        ----------
        changes
            Values by dotted key, as ``--set`` takes them: ``flows.count`` means every entry of flows, ``flows.0.count``
            and ``flows.NAME.count`` one of them.

        Examples
        --------
        >>> import ackclock as ac
        >>> scenario = ac.dumbbell(rate="10Mbit/s", rtt="60ms", buffer="1bdp", flows=[ac.flow("reno")], duration="10s")
        >>> scenario.replace({"flows.cc": "cubic"}).flows[0].cc
        'cubic'
        """
        data = self.data()
        if not isinstance(changes, Mapping) or not all(isinstance(key, str) for key in changes):
            raise ScenarioError(
                f"{shown(changes)} is no mapping of dotted keys to values, such as {{'flows.cc': 'cubic'}}", file=self._file
            )
        for key, value in changes.items():
            try:
                override(data, key, value)
            except ScenarioError as error:
                raise error.located(self._file) from None
        return Scenario._parse(data, self._file, self._folder)

    def without(self, *tables: str) -> Scenario:
        """The scenario without some of its optional tables."""
        return Scenario._parse({key: value for key, value in self.data().items() if key not in tables}, self._file, self._folder)

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

    def plan(self) -> Plan:
        """Everything resolved, as the engine takes it."""
        try:
            return make_plan(self)
        except ScenarioError as error:
            raise error.located(self._file) from None

    def bottlenecks(self) -> list[str]:
        """Names of the links that are meant to limit the flows, first in the plan."""
        return bottlenecks(self)

    def resolved(self) -> Scenario:
        """The same scenario with every default written out."""
        return resolve(self)

    def to_toml(self) -> str:
        """The scenario as resolved, every default shown; it loads back to the same plan."""
        import tomli_w

        return tomli_w.dumps(self.resolved().model_dump(by_alias=True, exclude_none=True))

    def _check(self) -> None:
        if time_ps(self.warmup) >= time_ps(self.duration):
            raise ScenarioError(
                f"'{self.warmup}' is not before the end of the run, duration = '{self.duration}'", key="warmup", value=self.warmup
            )
        names = self.entry_names()
        for index, name in enumerate(names):
            if name in names[:index]:
                raise ScenarioError(
                    f"'{name}' also names flows.{names.index(name)}: each entry needs its own name", key=f"flows.{index}.name", value=name
                )
        routers = self.routers()
        for index, flow in enumerate(self.flows):
            self._check_flow(flow, f"flows.{index}", routers)
        if self.compare is not None:
            for index, name in enumerate(self.compare.flows or []):
                if name not in names:
                    raise ScenarioError(
                        f"there is no entry '{name}' in flows, only {', '.join(names)}{did_you_mean(name, names)}",
                        key=f"compare.flows.{index}",
                        value=name,
                    )

    @staticmethod
    def _check_flow(flow: Flow, key: str, routers: list[str]) -> None:
        for end, name in (("from", flow.source), ("to", flow.destination)):
            if name is not None and name not in routers:
                raise ScenarioError(
                    f"there is no node '{name}', only {', '.join(routers)}{did_you_mean(name, routers)}", key=f"{key}.{end}", value=name
                )
        if (flow.source or routers[0]) == (flow.destination or routers[-1]):
            end = "to" if flow.destination else "from"
            name = flow.source or routers[0]
            raise ScenarioError(f"'{name}' is both ends of the flow: a flow crosses the network", key=f"{key}.{end}", value=name)
        if flow.count * flow.connections > _MOST_CONNECTIONS:
            raise ScenarioError(
                f"{flow.count} flows of {flow.connections} connections each are more than {_MOST_CONNECTIONS} connections",
                key=f"{key}.parallel",
                value=flow.parallel,
            )
        if flow.transport is not None:
            for option in ("ssthresh", "initial_window"):
                if getattr(flow, option) is not None and getattr(flow.transport, option) is not None:
                    value = getattr(flow, option)
                    raise ScenarioError(
                        f"{shown(value)} is given here and in {key}.transport: give one", key=f"{key}.{option}", value=value
                    )
