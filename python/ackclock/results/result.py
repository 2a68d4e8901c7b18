"""One run's result."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, Unpack

from ackclock.atomic_io import (
    files_of,
    is_file,
    read_json,
    read_text,
    recover,
    whole_folder,
    write_text,
)
from ackclock.atomic_io.reading import PLAN, DamagedError
from ackclock.core_types.names import damaged_name
from ackclock.core_types.sharing import plan_file
from ackclock.errors import FileMissingError, FormatError
from ackclock.results import caveats, files
from ackclock.results.diagnosis import MOST_FLOWS, Diagnosis, diagnose
from ackclock.results.diagnosis.screening import may_warn
from ackclock.results.diagnosis.sentences import cautions
from ackclock.results.logged import logged_flows
from ackclock.results.provenance import Provenance, check_provenance, disturbances, engine_of
from ackclock.results.queue_limits import shortest_drain
from ackclock.results.recording import CoreRecording, CoreRun, FolderRecording, Recording
from ackclock.results.schema import empty
from ackclock.results.summary import (
    Summary,
    check,
    short,
    summarise,
    whole,
    with_diagnosis,
    without_diagnosis,
)
from ackclock.views import view
from ackclock.views.figure_options import Options

if TYPE_CHECKING:
    import polars as pl
    from rich.console import RenderableType

    from ackclock.core_types.plan import Plan
    from ackclock.results.series import FlowSeries
    from ackclock.tables.frame import Frame
    from ackclock.tables.table import Table
    from ackclock.views.figure import PaperFigure


# Largest resolved scenario of a result, bytes: 20,000 flows of their own have 20 MB.
_MOST_SCENARIO = 40_000_000


def _stems(folder: Path, name: str, suffix: str) -> list[str]:
    return [file.removesuffix(suffix) for file in files_of(folder, name, suffix)]


class RecordText(Protocol):
    """The part of a scenario's record that its result needs."""

    @property
    def pcap(self) -> Sequence[str]:
        """Points whose packets are written as capture files."""
        ...

    @property
    def qlog(self) -> Sequence[str] | None:
        """Flows, or entries of flows, whose senders are logged as qlog."""
        ...


class ScenarioText(Protocol):
    """The part of a scenario that its result needs."""

    @property
    def record(self) -> RecordText:
        """Return what the scenario records."""
        ...

    def to_toml(self) -> str:
        """Return the resolved scenario as TOML: every key, defaults included."""
        ...


def _network_kind(scenario: ScenarioText) -> str:
    """Return the kind of a scenario's network, by which the diagnosis names keys."""
    kind = getattr(getattr(scenario, "network", None), "kind", None)
    if kind is None:
        from ackclock.atomic_io.reading import parse_toml

        try:
            kind = parse_toml(scenario.to_toml()).get("network", {}).get("kind", "")
        except ValueError:
            # A run of a sweep has only its plan.
            kind = ""
    return str(kind)


def _names_in(document: Mapping[str, Any]) -> Iterator[object]:
    """Names of the flows, streams, sessions and links of a plan or summary."""
    for part in ("flows", "streams", "sessions", "links"):
        for entry in document.get(part, ()):
            if isinstance(entry, Mapping) and "name" in entry:
                yield entry["name"]


def _framed(recording: Recording, table: str, *, is_there: bool = True) -> "Frame":
    """Return a table as a frame with units; without rows if the run has no such table."""
    made: Frame = view("run.frame")(recording.table(table) if is_there else empty(table), table)
    return made


def _check_names(result: "Result", where: Path) -> None:
    """Raise a DamagedError if the tables have other flows or links than the plan."""
    plan = result.plan
    flows = {entry["name"] for key in ("flows", "streams", "sessions") for entry in plan[key]}
    flows |= {part["name"] for flow in plan["flows"] if (part := flow["part_of"])}
    for name, table, known in (
        ("flows", result.flows, flows),
        ("links", result.links, {link["name"] for link in plan["links"]}),
    ):
        if "name" not in table.columns or not known.issuperset(table["name"]):
            raise DamagedError(f"{where}: {name}.parquet has other {name} than plan.json")


class Samples:
    """Time series of a run, as polars frames; null where a quantity did not exist yet.

    Attributes
    ----------
    flows, links, internals, datagrams : polars.DataFrame
        Columns and units: docs/results.md.
    """

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    @cached_property
    def flows(self) -> "pl.DataFrame":
        """Return the time series of flows: cwnd, ssthresh, RTT, delivered data."""
        return _framed(self._recording, "samples/flows")

    @cached_property
    def links(self) -> "pl.DataFrame":
        """Return the time series of links: queue, drops, marks."""
        return _framed(self._recording, "samples/links")

    @cached_property
    def internals(self) -> "pl.DataFrame":
        """Return the time series of the algorithms' own variables."""
        return _framed(self._recording, "samples/internals")

    @cached_property
    def datagrams(self) -> "pl.DataFrame":
        """Return every datagram of every UDP stream."""
        return _framed(self._recording, "samples/datagrams")


class Result:
    """The result of one run.

    Attributes
    ----------
    flows, links : polars.DataFrame
        One row per flow and per link; columns and units: docs/results.md. They and the next tables
        also have `to_pandas()`, `to_csv()`, `to_markdown()` and `to_latex()` (docs/export.md).
    transfers : polars.DataFrame
        Transfers of sessions: files, pages, objects, ...
    streams : polars.DataFrame
        One row per UDP stream: delays, jitter, losses.
    samples : Samples
        Time series.
    packets : polars.DataFrame
        Packet events, if the scenario records them.
    decisions : polars.DataFrame
        Decisions of senders, if the scenario records them (docs/explain.md).
    warnings : list of str
        Faults of the run as an experiment: too short, flows that never started, ...
    diagnosis : Diagnosis
        Limits of each flow.
    plan : dict
        The run's effective configuration: every value that the engine was given.
    scenario_toml : str
        The scenario as resolved.
    timing : dict
        Wall-clock figures: `setup_seconds`, `run_seconds`, `events`.
    `provenance` : dict or None
        Provenance of a run on a real kernel, as in linux.json; None: the run was simulated.
    end_time : float
        When the run ended, s of simulated time.
    pcap : list of str
        Points whose packets are written as capture files.
    qlog : list of str
        Flows whose senders are logged as qlog.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> result = ac.run(scenario)
    >>> result
    Result(1 flows, 2 links, 5 s, 0 warnings)
    >>> result.flows.columns[:3]
    ['name', 'part_of', 'cc']
    >>> round(result.value("utilisation"), 2)
    0.98
    """

    def __init__(
        self,
        scenario: ScenarioText,
        plan: "Plan",
        core: CoreRun,
        timing: Mapping[str, Any],
        *,
        provenance: Provenance | None = None,
    ) -> None:
        """Make the result of a run, as `ackclock.run` and `run_on_linux` do."""
        from ackclock import _core

        self._scenario = scenario
        recording = CoreRecording(core, plan)
        self._fill(plan, recording, timing)
        self.pcap = list(scenario.record.pcap)
        self.qlog = logged_flows(scenario.record.qlog or (), plan)
        self.end_time = core.end_time
        self.provenance = None if provenance is None else check_provenance(provenance)
        # Rows, not frames: a frame takes a millisecond, and a short run takes little longer.
        flows, links = self._recording.rows("flows"), self._recording.rows("links")
        self.warnings = caveats.warnings(
            flows,
            links,
            plan,
            self.end_time,
            recording.transfers() if self.plan["sessions"] else (),
            core.sessions(),
            core.recorded_until(),
        )
        if self.provenance is not None:
            self.warnings = [
                *disturbances(
                    self.provenance, [row["base_rtt"] for row in flows], shortest_drain(plan)
                ),
                *self.warnings,
            ]
        self._brief = summarise(
            flows, links, self.warnings, self.end_time, self.warmup, _core.RESULTS_VERSION,
            engine_of(self.provenance), None, core.recorded_until(),
        )  # fmt: skip

    @cached_property
    def _summary(self) -> Summary:
        """Make the summary at its first use: the diagnosis takes longer than all the rest."""
        diagnosis = diagnose(
            self._recording.rows("flows"), self._recording.rows("links"), self.plan, self.end_time,
            is_simulated=self.provenance is None, network=_network_kind(self._scenario),
        )  # fmt: skip
        return with_diagnosis(self._brief, diagnosis)

    def _fill(self, plan: "Plan", recording: Recording, timing: Mapping[str, Any]) -> None:
        self.plan = plan
        self.timing = dict(timing)
        self._recording = recording
        self.samples = Samples(recording)

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read a folder that `write` wrote.

        Parameters
        ----------
        folder : str or Path
            A run's folder.

        Raises
        ------
        FileMissingError
            If it is not one.
        FormatError
            If another version of ackclock wrote it, or its JSON is none of a run.
        DamagedError
            If one of its files is damaged, or its tables take too much memory.
        """
        from ackclock import _core
        from ackclock.results.stored_plan import read_plan

        where = Path(folder)
        recover(where)
        missing = [
            name
            for name in ("summary.json", "plan.json", "scenario.toml", "flows.parquet")
            if not is_file(where, name)
        ]
        if missing:
            raise FileMissingError(f"{where}: not the folder of a run: {missing[0]} is missing")
        stored, plan = read_json(where, "summary.json"), read_json(where, "plan.json", PLAN)
        for name, document, key in (
            ("summary.json", stored, "results_version"),
            ("plan.json", plan, "links"),
        ):
            if not isinstance(document, dict) or key not in document:
                raise FormatError(f"{where}: {name} is none of a run: it has no '{key}'")
        if stored.get("results_version") != _core.RESULTS_VERSION:
            raise FormatError(
                f"{where}: written in version {stored.get('results_version')} of the results' "
                f"layout, and this ackclock reads version {_core.RESULTS_VERSION}: run the "
                "scenario again, or read the folder with the ackclock that wrote it"
            )
        plan = read_plan(plan, where / "plan.json")
        for name, document in (("plan.json", plan), ("summary.json", stored)):
            wrong = damaged_name(_names_in(document))
            if wrong:
                raise DamagedError(f"{where / name}: damaged: {wrong}")
        result = cls.__new__(cls)
        result.scenario_toml = read_text(where, "scenario.toml", _MOST_SCENARIO)
        timing = read_json(where, "timing.json") if is_file(where, "timing.json") else {}
        if not isinstance(timing, dict):
            raise DamagedError(f"{where / 'timing.json'}: damaged: it has no times")
        result._fill(plan, FolderRecording(where), timing)
        # Read the required tables at once, so that a folder without them fails here.
        result.flows, result.links = (
            _framed(result._recording, "flows"),
            _framed(result._recording, "links"),
        )
        _check_names(result, where)
        result.provenance = (
            check_provenance(read_json(where, "linux.json"), where / "linux.json")
            if is_file(where, "linux.json")
            else None
        )
        result.pcap = _stems(where, "pcap", ".pcapng")
        result.qlog = _stems(where, "qlog", ".sqlog")
        result._summary = whole(check(stored, where / "summary.json"), result._recording.rows)
        result._brief = without_diagnosis(result._summary)
        result.end_time = result._summary["end_time"]
        result.warnings = result._summary["warnings"]
        return result

    @property
    def tables(self) -> "dict[str, Table]":
        """Return the tables that the terminal shows, by name, to be written in other formats.

        Returns
        -------
        dict
            A `Table` each for flows, streams, transfers, links and diagnosis, if the run has such;
            `result.tables["flows"].to_latex()`.
        """
        made: dict[str, Table] = view("run.tables")(self)
        return made

    @cached_property
    def diagnosis(self) -> Diagnosis:
        """Return the limits of each flow: the share of its time, and the key to change.

        Returns
        -------
        Diagnosis
            A sequence with a dict per TCP flow; its ``frame()`` is a polars frame, its ``lines``
            are what the terminal shows first. Empty for results of an earlier version.
        """
        diagnoses = self._summary.get("diagnosis", [])
        if len(self.plan["flows"]) <= MOST_FLOWS:
            return Diagnosis(diagnoses)
        planned = {(flow["part_of"] or flow)["name"] for flow in self.plan["flows"]}
        return Diagnosis(diagnoses, measured=len(planned))

    def summary(self) -> Summary:
        """Return the run's figures as in summary.json, in SI base units."""
        return self._summary

    def brief(self) -> Summary:
        """Return the summary without the diagnosis, as a sweep keeps it."""
        return self._brief

    def cautions(self) -> list[str]:
        """Return the warnings of a sweep's run, and the limits that a reader would not suspect."""
        is_plain = self.provenance is None and not may_warn(
            self._recording.rows("flows"), self._recording.rows("links"), self.plan
        )
        return cautions(self._brief if is_plain else self._summary)

    def digest(self) -> str:
        """Return 16 hexadecimal digits that are equal for equal results, on every machine.

        They cover every counter of flows, streams, links and sessions and every value of every
        recorded table, to the last bit; the end of the run, its number of events, and the version
        of the results' layout. ``ackclock run FILE --digest`` prints them.

        Returns
        -------
        str
            Such as ``"0f3a54c1d2b8e697"``.

        Raises
        ------
        ValueError
            If the result was read from a folder, which keeps less than a run has.

        Examples
        --------
        >>> import ackclock as ac
        >>> scenario = ac.dumbbell(
        ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
        ... )
        >>> ac.run(scenario).digest() == ac.run(scenario).digest()
        True
        """
        return self._recording.digest()

    @property
    def engine(self) -> str:
        """Return the engine: "simulator", or "linux" and the kernel's release."""
        return self._summary["engine"]

    def value(self, metric: str) -> float | None:
        """Return one figure of the run by its metric's name.

        Parameters
        ----------
        metric : str
            Such as `"queue_delay.p95"`, `"goodput@f.1"`, `"rate_variation(timescale=100ms)"`;
            docs/metrics.md has all of them.

        Returns
        -------
        float or None
            In the metric's unit; None if the run has nothing to measure it from.

        Raises
        ------
        ackclock.metrics.UnknownMetricError
            With the nearest name that exists.
        ackclock.metrics.MetricError
            If the run was not recorded with what the metric needs, or a user's metric fails.
        """
        number: float | None = view("run.metric")(metric).value(self)
        return number

    metric = value

    @cached_property
    def scenario_toml(self) -> str:
        """Return the resolved scenario."""
        return self._scenario.to_toml()

    @cached_property
    def flows(self) -> "Frame":
        """Return the counters of flows, a row each."""
        return _framed(self._recording, "flows")

    @cached_property
    def links(self) -> "Frame":
        """Return the counters of links, a row each."""
        return _framed(self._recording, "links")

    @cached_property
    def series(self) -> "list[FlowSeries]":
        """Return the time series flow by flow; subflows of a parallel transfer are added up.

        Raises
        ------
        ValueError
            If the run recorded no time series.
        """
        from ackclock.results.series import flow_series

        return flow_series(self)

    @cached_property
    def transfers(self) -> "Frame":
        """Return the transfers of sessions, a row each."""
        return _framed(self._recording, "transfers", is_there=bool(self.plan["sessions"]))

    @cached_property
    def streams(self) -> "Frame":
        """Return delays, jitter and losses of UDP streams, a row each."""
        return _framed(self._recording, "streams", is_there=bool(self.plan["streams"]))

    @cached_property
    def frames(self) -> "Frame":
        """Return the fate of each frame of the films that UDP streams sent."""
        return _framed(self._recording, "frames", is_there=bool(self._has_frames))

    @property
    def _has_frames(self) -> bool:
        return any(stream["app"]["kind"] == "video" for stream in self.plan["streams"])

    @cached_property
    def packets(self) -> "Frame":
        """Return packet events: every packet at every point that the scenario records."""
        return _framed(self._recording, "packets")

    @cached_property
    def decisions(self) -> "Frame":
        """Return what senders made of each event, if the scenario records decisions.

        Raises
        ------
        FileNotFoundError
            If the run was read from a folder, and recorded no decisions.
        """
        return _framed(self._recording, "decisions")

    @property
    def warmup(self) -> float:
        """Return the end of the warm-up, s."""
        return float(self.plan.get("warmup_ps", 0) / 1e12)

    @property
    def has_samples(self) -> bool:
        """Return whether time series were recorded."""
        record: Mapping[str, Any] = self.plan.get("record", {})
        return bool(record.get("samples", {}).get("kind", "off") != "off")

    @property
    def has_packets(self) -> bool:
        """Return whether packet events were recorded."""
        record: Mapping[str, Any] = self.plan.get("record", {})
        return any(record.get(f"packet_{point}") for point in ("senders", "receivers", "links"))

    @property
    def has_decisions(self) -> bool:
        """Return whether decisions of senders were recorded."""
        record: Mapping[str, Any] = self.plan.get("record", {})
        return bool(record.get("decision_flows"))

    def qlogs(self) -> "Iterator[tuple[str, str]]":
        """Yield name and log of each flow that `record.qlog` names, as JSON text sequences.

        Yields
        ------
        tuple of str
            Name of the flow, and the text of its qlog (docs/explain.md).
        """
        import polars as pl

        from ackclock import _core
        from ackclock.results.qlog import qlog_text

        for flow in self.plan["flows"]:
            if flow["name"] not in self.qlog:
                continue
            name = pl.col("flow") == flow["name"]
            at_sender = name & (pl.col("point") == "sender")
            yield (
                flow["name"],
                qlog_text(
                    flow,
                    self.decisions.filter(name),
                    self.packets.filter(at_sender),
                    version=_core.__version__,
                ),
            )

    def phases(self, *, detail: bool = False) -> "pl.DataFrame":
        """Return slow start, recovery, timeouts and BBR's modes of each flow, as exact as a sample.

        Parameters
        ----------
        detail : bool
            Whether PROBE_BW is split into its parts: up, down, cruise, refill.

        Returns
        -------
        polars.DataFrame
            A row per phase: flow, start (s), end (s), phase. `ackclock.plot_data.phases.PHASES` has
            the meaning of each name.

        Raises
        ------
        ValueError
            If the run recorded no time series.
        """
        phases: pl.DataFrame = view("run.phases")(self, detail=detail)
        return phases

    def plot(
        self,
        *,
        only: Sequence[str] | None = None,
        phases: bool | None = None,
        **options: Unpack[Options],
    ) -> "PaperFigure":
        """Plot window, rate, round-trip time and queue over time, one above the other.

        Parameters
        ----------
        only : sequence of str, optional
            Panels to draw: "cwnd", "rate", "rtt", "queue"; by default all.
        phases : bool, optional
            Whether slow start, recovery and BBR's modes are shaded; by default for at most three
            flows.
        options
            Size, font, names, legend and so on, as in `ackclock.plot.Look`: `width="9cm"`,
            `font="serif"`, `labels={"flow1": "CUBIC"}`. The width is two columns of a paper by
            default. `ackclock.plot` has each panel as a figure of its own.

        Raises
        ------
        ValueError
            If the run recorded no time series, or an option makes no sense.
        """
        figure: PaperFigure = view("run.figure")(self, only=only, phases=phases, **options)
        return figure

    def write(self, folder: str | Path, *, plots: bool = False, report: bool = True) -> Path:
        """Write the run's folder, whole or not at all.

        Parameters
        ----------
        folder : str or Path
            Folder to write; an earlier result there is replaced in one step, anything else is left
            alone. A symbolic link to a folder is followed.
        plots : bool
            Whether to draw plots/, as ``ackclock plot`` does; loading matplotlib takes as long as a
            short run.
        report : bool
            Whether to write report.html.

        Returns
        -------
        Path
            The folder.

        Raises
        ------
        FileExistsError
            If something is there that no run wrote.
        ackclock.WriteError
            If it cannot be written: which folder, and why. An earlier result there is untouched.
        """
        target = Path(folder)
        with whole_folder(target, files.RUN) as temporary:
            write_text(temporary / "scenario.toml", self.scenario_toml)
            write_text(temporary / "plan.json", plan_file(self.plan))
            files.write_json(temporary / "summary.json", short(self._summary))
            files.write_json(temporary / "timing.json", self.timing)
            if self.provenance is not None:
                files.write_json(temporary / "linux.json", self.provenance)
            files.write_table(temporary, "flows", self.flows)
            files.write_table(temporary, "links", self.links)
            if self.has_samples:
                files.write_table(temporary, "samples/flows", self.samples.flows)
                files.write_table(temporary, "samples/links", self.samples.links)
                files.write_table(temporary, "samples/internals", self.samples.internals)
                if self.plan["streams"]:
                    files.write_table(temporary, "samples/datagrams", self.samples.datagrams)
            if self.plan["sessions"]:
                files.write_table(temporary, "transfers", self.transfers)
            if self.plan["streams"]:
                files.write_table(temporary, "streams", self.streams)
            if self._has_frames:
                files.write_table(temporary, "frames", self.frames)
            if self.has_packets:
                files.write_table(temporary, "packets", self.packets)
            if self.has_decisions:
                files.write_table(temporary, "decisions", self.decisions)
            if self.qlog:
                (temporary / "qlog").mkdir()
            for name, text in self.qlogs():
                write_text(temporary / "qlog" / f"{name}.sqlog", text)
            if self.pcap:
                self._recording.write_pcap(temporary / "pcap", self.pcap)
            if plots and self.has_samples:
                view("run.figures")(self, temporary / "plots")
            if report:
                view("run.page")(self, temporary / "report.html")
        return target

    to_parquet = write

    def __rich__(self) -> "RenderableType":
        """Yield tables of flows and links, and the warnings, for a terminal."""
        made: RenderableType = view("run.terminal")(self)
        return made

    def __repr__(self) -> str:
        """Return a line on the size of the run."""
        flows, links = len(self._summary["flows"]), len(self._summary["links"])
        return (
            f"Result({flows} flows, {links} links, {self.end_time:g} s, {len(self.warnings)} "
            "warnings)"
        )

    def _repr_html_(self) -> str:
        html: str = view("run.notebook")(self)
        return html
