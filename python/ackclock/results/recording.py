"""Sources of a result's columns: the core just after a run, or a folder written before."""

import math
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from ackclock.atomic_io import is_file, open_file, read_table
from ackclock.results import calculated
from ackclock.results.schema import TABLES, columns_of, conform, conform_rows, empty

if TYPE_CHECKING:
    import polars as pl

    from ackclock.core_types.plan import Plan

NO_FRAME = 2**32 - 1
"""The core's code for a datagram of no frame."""
NO_NAME = 2**16 - 1
"""The core's index for none of the names that come with a table."""
POINT_LINK = 2
"""The core's code for a link among the points where packets are seen."""

Arrays = Mapping[str, Any]
"""Columns by name, each a NumPy array."""


class CoreRun(Protocol):
    """The part of the result of `ackclock._core.run` that results need."""

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

    def digest(self) -> str:
        """Digest of all counters and tables."""
        ...

    def recorded_until(self) -> Mapping[str, float]:
        """Tables of the record that were full, and since when rows are missing, s."""
        ...

    def sessions(self) -> Sequence[Mapping[str, Any]]:
        """Counters of sessions besides their transfers."""
        ...

    def transfers(self) -> Arrays:
        """Transfers of sessions."""
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

    def decisions(self) -> Arrays:
        """Decisions of senders."""
        ...

    def write_pcapng(self, path: str, point: str) -> int:
        """Write the packets of one point and return their number."""
        ...


class Recording(Protocol):
    """Tables of a run, each read or made at its first use."""

    def table(self, name: str) -> "pl.DataFrame":
        """Return the table of that name in `schema.TABLES`."""
        ...

    def rows(self, name: Literal["flows", "links"]) -> list[dict[str, Any]]:
        """Return the rows of a table that every run has; do not change them."""
        ...

    def write_pcap(self, folder: Path, points: Sequence[str]) -> None:
        """Write `folder`/POINT.pcapng for every point."""
        ...

    def digest(self) -> str:
        """Return the digest of all counters and tables; ValueError if it is not known."""
        ...


class Ended(NamedTuple):
    """Numbers of the transfers of one flow and kind."""

    flow: str
    kind: str
    all: int
    cut_off: int
    """Transfers that had not finished when the run ended."""


_RECORDED: Mapping[str, Callable[[CoreRun], Arrays]] = {
    "transfers": lambda core: core.transfers(),
    "frames": lambda core: core.frames(),
    "samples/datagrams": lambda core: core.datagrams(),
    "samples/flows": lambda core: core.flow_samples(),
    "samples/links": lambda core: core.link_samples(),
    "samples/internals": lambda core: core.internals(),
    "packets": lambda core: core.packets(),
    "decisions": lambda core: core.decisions(),
}
"""Method for each table that the core records column by column."""


class CoreRecording:
    """Columns from the core's memory."""

    def __init__(self, core: CoreRun, plan: "Plan") -> None:
        self._core = core
        self._rows: dict[str, list[dict[str, Any]]] = {}
        self._streams = list(plan["streams"])
        self._stream_names = [str(stream["name"]) for stream in self._streams]
        self._flow_names = [*(str(flow["name"]) for flow in plan["flows"]), *self._stream_names]
        self._session_names = [str(session["name"]) for session in plan["sessions"]]
        self._link_names = [str(link["name"]) for link in plan["links"]]

    def table(self, name: str) -> "pl.DataFrame":
        """Return a table; see `Recording.table`."""
        if name in {"flows", "links"}:
            return _rows(self.rows("flows" if name == "flows" else "links"), name)
        if name == "streams":
            streams = zip(self._core.streams(), self._streams, strict=True)
            place = calculated.STREAMS
            return _rows([place.calculate(row, plan) for row, plan in streams], name)
        return self._named(_RECORDED[name](self._core), name)

    def rows(self, name: Literal["flows", "links"]) -> list[dict[str, Any]]:
        """Return rows; see `Recording.rows`."""
        if name not in self._rows:
            made, place = (
                (self._core.flows(), calculated.FLOWS)
                if name == "flows"
                else (self._core.links(), calculated.LINKS)
            )
            self._rows[name] = conform_rows([place.calculate(row, {}) for row in made], name)
        return self._rows[name]

    def transfers(self) -> list[Ended]:
        """Return the numbers of transfers, a row per flow and kind in the order of their start.

        Made from the core's columns without a frame: for most runs this is all that is asked of
        their transfers, and loading polars takes longer.
        """
        columns = self._core.transfers()
        kinds = next(column.names for column in TABLES["transfers"][0] if column.name == "kind")
        counts: dict[tuple[str, str], list[int]] = {}
        for flow, kind, finish in zip(
            *(columns[name].tolist() for name in ("flow", "kind", "finish_time")), strict=True
        ):
            both = counts.setdefault((self._session_names[flow], kinds[kind]), [0, 0])
            both[0] += 1
            both[1] += math.isnan(finish)
        return [Ended(flow, kind, *both) for (flow, kind), both in counts.items()]

    def write_pcap(self, folder: Path, points: Sequence[str]) -> None:
        """See `Recording.write_pcap`."""
        folder.mkdir()
        for point in points:
            self._core.write_pcapng(str(folder / f"{point}.pcapng"), point)

    def digest(self) -> str:
        """Return the digest; see `Recording.digest`."""
        return self._core.digest()

    def _named(self, arrays: Arrays, table: str) -> "pl.DataFrame":
        """Return the table, with names in place of the core's codes."""
        import numpy as np
        import polars as pl

        columns: list[pl.Series] = []
        for name, _, _, _, source, names in TABLES[table][0]:
            codes = np.asarray(arrays[name])
            match source:
                case "integer" | "real":
                    columns.append(pl.Series(name, codes, nan_to_null=True))
                case "frame":
                    known = pl.Series(name, codes)
                    columns.append(known.set(known == NO_FRAME, None))
                case "flow":
                    columns.append(_labelled(name, codes, self._flow_names))
                case "link":
                    columns.append(_labelled(name, codes, self._link_names))
                case "stream":
                    columns.append(_labelled(name, codes, self._stream_names))
                case "session":
                    columns.append(_labelled(name, codes, self._session_names, distinct=False))
                case "place":
                    both = [*self._flow_names, *self._link_names]
                    at_link = np.asarray(arrays["point"]) == POINT_LINK
                    places = codes.astype(np.int64) + len(self._flow_names) * at_link
                    columns.append(_labelled(name, places, both, distinct=False))
                case "letter":
                    order = {ord(letter): at for at, letter in enumerate(names)}
                    at = np.array([order[code] for code in codes], dtype=np.int64)
                    columns.append(_labelled(name, at, names))
                case "code":
                    columns.append(_labelled(name, codes, names))
                case "internal":
                    columns.append(_named_by(name, codes, arrays["names"]))
        return conform(pl.DataFrame(columns), table)


class FolderRecording:
    """Columns from Parquet files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def table(self, name: str) -> "pl.DataFrame":
        """Return a table; see `Recording.table`."""
        path = self._folder / f"{name}.parquet"
        if not is_file(self._folder, f"{name}.parquet"):
            raise FileNotFoundError(f"{path}: no such table; was the run recorded with it?")
        try:
            return read_table(self._folder, f"{name}.parquet")
        except OSError as error:
            raise OSError(
                f"{path}: this table cannot be read: {str(error).partition(chr(10))[0]}"
            ) from error

    def rows(self, name: Literal["flows", "links"]) -> list[dict[str, Any]]:
        """Return rows; see `Recording.rows`."""
        return self.table(name).to_dicts()

    def write_pcap(self, folder: Path, points: Sequence[str]) -> None:
        """Copy the capture files; see `Recording.write_pcap`."""
        folder.mkdir()
        for point in points:
            name = f"{point}.pcapng"
            with (
                open_file(self._folder, f"pcap/{name}") as source,
                (folder / name).open("xb") as sink,
            ):
                shutil.copyfileobj(source, sink)

    def digest(self) -> str:
        """See `Recording.digest`: a folder keeps less than a digest covers."""
        raise ValueError(
            f"{self._folder}: a folder has no digest, which covers more than is written: "
            "run the scenario again, as ackclock run FILE --digest does"
        )


def _rows(rows: list[dict[str, Any]], table: str) -> "pl.DataFrame":
    import polars as pl

    if not rows:
        return empty(table)
    return conform(pl.DataFrame(columns_of(rows, table)), table)


def _named_by(column: str, codes: Any, names: Sequence[str]) -> "pl.Series":
    """Turn a column of indices into `names` into names; null where there is none."""
    import numpy as np
    import polars as pl

    at = pl.Series(np.asarray(codes), dtype=pl.UInt32)
    return pl.Series(names, dtype=pl.Enum(names)).gather(at.set(at == NO_NAME, None)).alias(column)


def _labelled(
    column: str, codes: Any, labels: Sequence[str], *, distinct: bool = True
) -> "pl.Series":
    """Turn a column of codes into names: an enumeration if they are distinct, else text."""
    import numpy as np
    import polars as pl

    kind = pl.Enum(labels) if distinct else pl.String()
    return (
        pl.Series(labels, dtype=kind)
        .gather(pl.Series(np.asarray(codes), dtype=pl.UInt32))
        .alias(column)
    )
