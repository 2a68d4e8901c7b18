"""Where a result's columns come from: the core just after a run, or a folder written before."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from ackclock.metrics import goodput, loss_rate, retransmit_rate, throughput, utilisation
from ackclock.metrics.voice import voice_figures
from ackclock.results.schema import (
    DATAGRAMS,
    EVENTS,
    FLOW_SAMPLES,
    FRAME_KINDS,
    FRAME_STATES,
    FRAMES,
    LINK_SAMPLES,
    PACKETS,
    POINTS,
    STATES,
    TRANSFER_KINDS,
    TRANSFERS,
    conform,
    conform_row,
    empty,
)

if TYPE_CHECKING:
    import polars as pl

NO_FRAME = 2**32 - 1
"""The core's code for a datagram of no frame."""

Arrays = Mapping[str, Any]
"""Columns by name, each a NumPy array."""


class CoreRun(Protocol):
    """What `ackclock._core.run` returns, as far as results are concerned."""

    @property
    def end_time(self) -> float:
        """When the run ended, s."""
        ...

    @property
    def events(self) -> int:
        """Events that the engine handled."""
        ...

    def flows(self) -> Sequence[Mapping[str, Any]]:
        """Counters of every flow."""
        ...

    def links(self) -> Sequence[Mapping[str, Any]]:
        """Counters of every link."""
        ...

    def streams(self) -> Sequence[Mapping[str, Any]]:
        """Figures of every UDP stream."""
        ...

    def recorded_until(self) -> Mapping[str, float]:
        """Tables of the record that were full, and since when rows are missing, s."""
        ...

    def sessions(self) -> Sequence[Mapping[str, Any]]:
        """What sessions did besides their transfers."""
        ...

    def transfers(self) -> Arrays:
        """What sessions moved."""
        ...

    def datagrams(self) -> Arrays:
        """Datagrams of streams."""
        ...

    def frames(self) -> Arrays:
        """Frames of streams."""
        ...

    def flow_samples(self) -> Arrays:
        """Time series of flows."""
        ...

    def link_samples(self) -> Arrays:
        """Time series of links."""
        ...

    def internals(self) -> Arrays:
        """Time series of algorithms' variables."""
        ...

    def packets(self) -> Arrays:
        """Packet events."""
        ...

    def write_pcapng(self, path: str, point: str) -> int:
        """Write what one point saw; the number of packets."""
        ...


class Recording(Protocol):
    """The tables of a run, each read or made when first asked for."""

    def table(self, name: str) -> "pl.DataFrame":
        """The table of that name in `schema.TABLES`."""
        ...

    def rows(self, name: Literal["flows", "links"]) -> list[dict[str, Any]]:
        """The rows of a table that every run has; they are not to be changed."""
        ...

    def write_pcap(self, folder: Path, points: Sequence[str]) -> None:
        """Write `folder`/POINT.pcapng for every point."""
        ...


class CoreRecording:
    """Columns from the core's memory."""

    def __init__(self, core: CoreRun, plan: Mapping[str, Any]) -> None:
        self._core = core
        self._rows: dict[str, list[dict[str, Any]]] = {}
        self._streams = list(plan["streams"])
        self._stream_names = [str(stream["name"]) for stream in self._streams]
        self._flow_names = [*(str(flow["name"]) for flow in plan["flows"]), *self._stream_names]
        self._session_names = [str(session["name"]) for session in plan["sessions"]]
        self._link_names = [str(link["name"]) for link in plan["links"]]

    def table(self, name: str) -> "pl.DataFrame":
        """See `Recording.table`."""
        make = {
            "flows": lambda: _rows(self.rows("flows"), "flows"),
            "links": lambda: _rows(self.rows("links"), "links"),
            "transfers": self._transfers,
            "streams": lambda: stream_table(self._core.streams(), self._streams),
            "frames": self._frames,
            "samples/datagrams": self._datagrams,
            "samples/flows": self._flow_samples,
            "samples/links": self._link_samples,
            "samples/internals": self._internals,
            "packets": self._packets,
        }
        return conform(make[name](), name)

    def rows(self, name: Literal["flows", "links"]) -> list[dict[str, Any]]:
        """See `Recording.rows`."""
        if name not in self._rows:
            made = map(_flow_row, self._core.flows()) if name == "flows" else map(_link_row, self._core.links())
            self._rows[name] = [conform_row(row, name) for row in made]
        return self._rows[name]

    def write_pcap(self, folder: Path, points: Sequence[str]) -> None:
        """See `Recording.write_pcap`."""
        folder.mkdir()
        for point in points:
            self._core.write_pcapng(str(folder / f"{point}.pcapng"), point)

    def _flow_samples(self) -> "pl.DataFrame":
        arrays = self._core.flow_samples()
        frame = _frame(arrays, [c.name for c in FLOW_SAMPLES if c.kind != "name"])
        return frame.with_columns(_named("flow", arrays["flow"], self._flow_names), _named("state", arrays["state"], STATES))

    def _link_samples(self) -> "pl.DataFrame":
        arrays = self._core.link_samples()
        frame = _frame(arrays, [c.name for c in LINK_SAMPLES if c.kind != "name"])
        return frame.with_columns(_named("link", arrays["link"], self._link_names))

    def _internals(self) -> "pl.DataFrame":
        arrays = self._core.internals()
        return _frame(arrays, ["time", "value"]).with_columns(
            _named("flow", arrays["flow"], self._flow_names), _named("name", arrays["name"], arrays["names"])
        )

    def _transfers(self) -> "pl.DataFrame":
        arrays = self._core.transfers()
        frame = _frame(arrays, [c.name for c in TRANSFERS if c.kind not in {"name", "text"}])
        return frame.with_columns(
            _named("flow", arrays["session"], self._session_names, distinct=False), _named("kind", arrays["kind"], TRANSFER_KINDS)
        )

    def _datagrams(self) -> "pl.DataFrame":
        import polars as pl

        arrays = self._core.datagrams()
        frame = _frame(arrays, [c.name for c in DATAGRAMS if c.kind != "name"])
        frame = frame.with_columns(pl.when(pl.col("frame") < NO_FRAME).then(pl.col("frame")))
        return frame.with_columns(_named("flow", arrays["stream"], self._stream_names))

    def _frames(self) -> "pl.DataFrame":
        arrays = self._core.frames()
        kinds = {ord(kind): place for place, kind in enumerate(FRAME_KINDS)}
        return _frame(arrays, [c.name for c in FRAMES if c.kind != "name"]).with_columns(
            _named("flow", arrays["stream"], self._stream_names),
            _named("kind", np.array([kinds[code] for code in arrays["kind"]], dtype=np.int64), FRAME_KINDS),
            _named("state", arrays["state"], FRAME_STATES),
        )

    def _packets(self) -> "pl.DataFrame":
        arrays = self._core.packets()
        points = np.asarray(arrays["point"])
        where = np.asarray(arrays["where"], dtype=np.int64)
        both = [*self._flow_names, *self._link_names]
        frame = _frame(arrays, [c.name for c in PACKETS if c.kind not in {"name", "text"}])
        return frame.with_columns(
            _named("point", points, POINTS),
            _named("where", where + len(self._flow_names) * (points == POINTS.index("link")), both, distinct=False),
            _named("event", arrays["event"], EVENTS),
            _named("flow", arrays["flow"], self._flow_names),
        )


class FolderRecording:
    """Columns from Parquet files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def table(self, name: str) -> "pl.DataFrame":
        """See `Recording.table`."""
        import polars as pl

        path = self._folder / f"{name}.parquet"
        if not path.exists():
            raise FileNotFoundError(f"{path}: no such table; was the run recorded with it?")
        try:
            return pl.read_parquet(path)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise OSError(f"{path}: this table is damaged, and cannot be read: {str(error).partition(chr(10))[0]}") from error

    def rows(self, name: Literal["flows", "links"]) -> list[dict[str, Any]]:
        """See `Recording.rows`."""
        return self.table(name).to_dicts()

    def write_pcap(self, folder: Path, points: Sequence[str]) -> None:
        """See `Recording.write_pcap`; the files are copied."""
        folder.mkdir()
        for point in points:
            (folder / f"{point}.pcapng").write_bytes((self._folder / "pcap" / f"{point}.pcapng").read_bytes())


def stream_table(figures: Sequence[Mapping[str, Any]], plans: Sequence[Mapping[str, Any]]) -> "pl.DataFrame":
    """streams.parquet from the core's figures and the streams' plans."""
    return _rows([_stream_row(_flat(stream), plan["app"]) for stream, plan in zip(figures, plans, strict=True)], "streams")


def _stream_row(row: dict[str, Any], app: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, **(voice_figures(row, app) if app["kind"] == "voice" else {"r_factor": None, "mos": None})}


def _rows(rows: list[dict[str, Any]], table: str) -> "pl.DataFrame":
    import polars as pl

    if not rows:
        return empty(table)
    return conform(pl.DataFrame(rows, infer_schema_length=None), table)


def _flow_row(counter: Mapping[str, Any]) -> dict[str, Any]:
    flat = _flat(counter)
    active = flat["active_time"]
    return {
        **flat,
        "goodput": goodput(flat["goodput_bytes"], active),
        "throughput": throughput(flat["received_bytes"], active),
        "loss_rate": loss_rate(flat["lost_packets"], flat["sent_packets"]),
        "retransmit_rate": retransmit_rate(flat["retransmitted_packets"], flat["sent_packets"]),
    }


def _link_row(counter: Mapping[str, Any]) -> dict[str, Any]:
    flat = _flat(counter)
    used = utilisation(flat["busy_time"], flat["measured_time"]) if flat["rate"] is not None else None
    return {**flat, "utilisation": used}


def _flat(counter: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in counter.items():
        if isinstance(value, dict):
            flat.update({f"{key}_{part}": number for part, number in value.items()})
        else:
            flat[key] = value
    return flat


def _frame(arrays: Arrays, columns: Sequence[str]) -> "pl.DataFrame":
    import polars as pl

    return pl.DataFrame({column: np.asarray(arrays[column]) for column in columns}, nan_to_null=True)


def _named(column: str, codes: Any, labels: Sequence[str], *, distinct: bool = True) -> "pl.Series":
    """A column of names from one of codes; an enumeration if the labels are distinct, else text."""
    import polars as pl

    kind = pl.Enum(labels) if distinct else pl.String()
    return pl.Series(labels, dtype=kind).gather(pl.Series(np.asarray(codes), dtype=pl.UInt32)).alias(column)
