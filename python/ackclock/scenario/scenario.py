"""The scenario: read from plain data, changed, planned, and written as TOML or JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ackclock.messages import shown
from ackclock.runtime.permission import looking, require_in
from ackclock.scenario.base import ScenarioTables
from ackclock.scenario.directive import directive
from ackclock.scenario.errors import ScenarioError, check_plain, translate
from ackclock.scenario.overrides import copied
from ackclock.scenario.plan import bottlenecks, make_plan
from ackclock.scenario.python_text import python_text
from ackclock.scenario.resolve import resolve
from ackclock.scenario.spelling import add_spellings, kinds_alone, renamed, spelled
from ackclock.scenario.toml_text import toml_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from ackclock.core_types.plan import Plan

__all__ = ["Scenario"]

_MOVED = {"flow": "flows", "bottleneck": "network.bottleneck", "cc": "flows.cc"}


class Scenario(ScenarioTables):
    """A network, the flows on it, and what to record.

    Examples
    --------
    >>> import ackclock as ac
    >>> reno = ac.flow("reno")
    >>> scenario = ac.dumbbell(rate="10Mbit/s", rtt="60ms", flows=[reno], duration="10s")
    >>> scenario.duration
    '10s'
    """

    @classmethod
    def parse(
        cls, data: Mapping[str, Any], file: str | None = None, folder: Path | None = None
    ) -> Scenario:
        """Read a scenario from plain data, as TOML gives it.

        Parameters
        ----------
        data
            The tables and values.
        file
            Name of the file that holds them, for messages.
        folder
            Folder that paths in the scenario are relative to; by default the file's.

        Raises
        ------
        ScenarioError
            If anything in it is wrong.
        """
        if folder is None and file is not None:
            folder = Path(file).absolute().parent
        if not isinstance(data, Mapping):
            raise ScenarioError(
                f"{shown(data)} is not a table of a scenario: give a dict, as TOML gives it",
                file=file,
            )
        _check_data(data, file)
        return cls.read(data, file=file, folder=folder)

    @classmethod
    def read(
        cls,
        data: Mapping[str, Any],
        changes: Iterable[tuple[str, Any]] = (),
        *,
        file: str | None,
        folder: Path | None,
        written: Mapping[str, str] = MappingProxyType({}),
    ) -> Scenario:
        """As `parse`, with dotted keys laid over the data, which change it.

        `written` has the keys as the user wrote them, of data that are canonical already.

        Raises
        ------
        ScenarioError
            If anything in it is wrong.
        """
        names = dict(written)
        try:
            data = spelled(data, changes, names)
        except ScenarioError as error:
            raise error.located(file) from None
        _check_data(data, file)
        data = copied(data)
        try:
            scenario = cls.model_validate(data, context={"folder": folder})
            scenario._file, scenario._folder, scenario._written = file, folder, names
            scenario.check()
        except ValidationError as errors:
            raise renamed(translate(errors, data, file), names) from None
        except ScenarioError as error:
            raise renamed(error, names).located(file) from None
        return scenario

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """JSON Schema of a scenario file."""
        schema = cls.described_schema()
        add_spellings(schema)
        # A sweep may take its scenario from another file, and then holds nothing of one.
        needed = schema.pop("required")
        elsewhere = {
            "required": ["sweep"],
            "properties": {"sweep": {"type": "object", "required": ["scenario"]}},
        }
        schema["anyOf"] = [{"required": needed}, elsewhere]
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}

    def replace(self, changes: Mapping[str, Any]) -> Scenario:
        """A copy of the scenario with some values changed.

        Parameters
        ----------
        changes
            Values by dotted key, as ``--set`` takes them: ``flows.count`` means every entry of
            flows, ``flows.0.count`` and ``flows.NAME.count`` one of them.

        Examples
        --------
        >>> import ackclock as ac
        >>> reno = ac.flow("reno")
        >>> scenario = ac.dumbbell(rate="10Mbit/s", rtt="60ms", flows=[reno], duration="10s")
        >>> scenario.replace({"flows.cc": "cubic"}).flows[0].cc
        'cubic'
        """
        if not isinstance(changes, Mapping) or not all(isinstance(key, str) for key in changes):
            raise ScenarioError(
                f"{shown(changes)} is no mapping of dotted keys to values, such as "
                "{'flows.cc': 'cubic'}",
                file=self._file,
            )
        return self._again(self.data(), changes.items())

    def _again(self, data: Mapping[str, Any], changes: Iterable[tuple[str, Any]] = ()) -> Scenario:
        """Read the scenario's data, canonical already, with the file and keys that it came from."""
        # A copy of a scenario that was only looked at imports nothing.
        with looking() if self._looked else nullcontext():
            return Scenario.read(
                data, changes, file=self._file, folder=self._folder, written=self._written
            )

    def without(self, *tables: str) -> Scenario:
        """The scenario without some of its optional tables."""
        return self._again({k: value for k, value in self.data().items() if k not in tables})

    def to_run(self) -> Scenario:
        """The scenario with the classes that it names, if it was read only to look.

        Raises
        ------
        NotTrustedError
            If it is of a file that names Python code, and the file's folder is not trusted.
        """
        if not self._looked:
            return self
        require_in(self.data(), [self._folder], self._file or "")
        return Scenario.read(
            self.data(), file=self._file, folder=self._folder, written=self._written
        )

    def record_for(self, needs: Collection[str]) -> dict[str, Any]:
        """The table `record` of runs that are only measured, without anything the metrics ignore.

        Parameters
        ----------
        needs
            The metrics' needs: "samples", "packets".
        """
        record: dict[str, Any] = {"samples": "off", "max_size": self.record.max_size}
        if "samples" in needs:
            record["samples"] = "auto" if self.record.samples == "off" else self.record.samples
        if "packets" in needs:
            record["packets"] = self.record.packets or [self.plan()["links"][0]["name"]]
        return record

    def plan(self) -> Plan:
        """The scenario in the engine's form, with every default and every draw resolved."""
        try:
            return make_plan(self)
        except ScenarioError as error:
            raise renamed(error, self._written).located(self._file) from None

    def bottlenecks(self) -> list[str]:
        """Names of the links that are meant to limit the flows, first in the plan."""
        return bottlenecks(self)

    def resolved(self) -> Scenario:
        """The scenario with every default written out; the plan stays equal."""
        return resolve(self)

    def to_toml(self, *, defaults: bool = True) -> str:
        r"""The scenario as TOML, which loads back to an equal plan.

        The first line names the JSON Schema, for editors.

        Parameters
        ----------
        defaults
            Whether every default is written out. Without them the text is as short as a person
            would write it, and later versions of ackclock may read other defaults into it.

        Examples
        --------
        >>> import ackclock as ac
        >>> reno = ac.flow("reno")
        >>> scenario = ac.dumbbell(rate="10Mbit/s", rtt="60ms", flows=[reno], duration="10s")
        >>> print(*scenario.to_toml(defaults=False).splitlines()[1:], sep="\n")
        duration = "10s"
        <BLANKLINE>
        [network]
        kind = "dumbbell"
        bottleneck = { rate = "10Mbit/s", delay = "30ms" }
        <BLANKLINE>
        [[flows]]
        cc = "reno"
        """
        if not defaults:
            return directive() + toml_text(self._without_defaults())

        import tomli_w

        return directive() + tomli_w.dumps(
            self.resolved().model_dump(by_alias=True, exclude_none=True)
        )

    def to_python(self) -> str:
        """The scenario as Python code that runs it.

        The code calls `dumbbell` or `parking_lot` and `flow` where they can say all of it, else
        `Scenario.parse`. The tables ``compare`` and ``sweep``, which a run leaves aside, are left
        out.

        Examples
        --------
        >>> import ackclock as ac
        >>> reno = ac.flow("reno")
        >>> scenario = ac.dumbbell(rate="10Mbit/s", rtt="60ms", flows=[reno], duration="10s")
        >>> print(scenario.to_python())
        import ackclock as ac
        <BLANKLINE>
        scenario = ac.dumbbell(rate="10Mbit/s", rtt="60ms", flows=[ac.flow("reno")], duration="10s")
        print(ac.run(scenario))
        <BLANKLINE>
        """
        return python_text(self._without_defaults(), self.description)

    def _without_defaults(self) -> dict[str, Any]:
        """The data, as short as a person would write it."""
        data = self.model_dump(by_alias=True, exclude_unset=True, exclude_defaults=True)
        short: dict[str, Any] = kinds_alone(data)
        return short


def _check_data(data: Mapping[str, Any], file: str | None) -> None:
    """Refuse data that cannot be walked through, and tables by the wrong name."""
    try:
        check_plain(data)
    except ScenarioError as error:
        raise error.located(file) from None
    for key, place in _MOVED.items():
        if key in data:
            raise ScenarioError(
                f"unknown key; it belongs into {place}",
                key=key,
                value=data[key],
                file=file,
                kind="unknown-key",
            )
