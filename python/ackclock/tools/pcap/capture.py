"""One connection of a capture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from ackclock.atomic_io.reading import parse_toml
from ackclock.errors import Error
from ackclock.scenario import Scenario
from ackclock.views import view

if TYPE_CHECKING:
    import polars as pl
    from rich.console import RenderableType

    from ackclock.views.figure import PaperFigure
    from ackclock.views.figure_options import Options

__all__ = ["Capture", "CaptureError"]


@dataclass(frozen=True, repr=False)
class Capture:
    """A TCP connection, laid out from a capture alone; `ackclock.read_pcap` makes it.

    Attributes
    ----------
    file : Path
        The capture.
    listing : dict
        Frames of the file, and how many were skipped and why.
    connections : polars.DataFrame
        All TCP connections of the file.
    connection : int
        Number of the connection that is laid out.
    figures : dict
        Figures of the connection in base units: duration, goodput, round-trip times,
        retransmissions by kind, MSS, options, the place of the capture.
    segments : polars.DataFrame
        A row per segment: its kind, numbers, inflight, estimated cwnd, round-trip times.
    sacks : polars.DataFrame
        A row per SACK block.
    rates : polars.DataFrame
        Goodput and throughput over time.
    estimated : dict or None
        The path as estimated; None if the capture does not show enough.
    scenario_text : str or None
        The path as a scenario, TOML with comments.
    why_no_path : str or None
        Why no path could be estimated.

    Examples
    --------
    >>> import ackclock as ac
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s",
    ...     rtt="40ms",
    ...     flows=[ac.flow("reno")],
    ...     duration="5s",
    ...     record={"pcap": ["sender"]},
    ... )
    >>> folder = ac.run(scenario).write(Path(mkdtemp()) / "run")
    >>> capture = ac.read_pcap(folder / "pcap" / "sender.pcapng")
    >>> capture.figures["vantage"]["place"], capture.figures["agreed"]["payload"]
    ('sender', 1448)
    >>> ac.run(capture.scenario().replace({"flows.cc": "bbr"})).flows["cc"].to_list()
    ['bbr']
    """

    file: Path
    listing: dict[str, Any]
    connections: pl.DataFrame
    connection: int
    figures: dict[str, Any]
    segments: pl.DataFrame
    sacks: pl.DataFrame
    rates: pl.DataFrame
    estimated: dict[str, Any] | None
    scenario_text: str | None
    why_no_path: str | None

    @property
    def path(self) -> dict[str, Any]:
        """The estimated path: rtt, rate, buffer and loss, each with its value and its ground.

        Raises
        ------
        CaptureError
            If the capture does not show enough.
        """
        if self.estimated is None:
            raise self._unknown()
        return self.estimated

    def toml(self) -> str:
        """The estimated path as a scenario file, whose comments say what each number rests on.

        Raises
        ------
        CaptureError
            If the capture does not show enough.
        """
        if self.scenario_text is None:
            raise self._unknown()
        return self.scenario_text

    def scenario(self) -> Scenario:
        """The estimated path as a scenario, to run any algorithm on.

        Raises
        ------
        CaptureError
            If the capture does not show enough.
        """
        return Scenario.parse(parse_toml(self.toml()), file=str(self.file))

    def plot(self, **options: Unpack[Options]) -> PaperFigure:
        """A figure of sequence numbers, inflight, round-trip time and goodput over time.

        Parameters
        ----------
        options
            See `ackclock.plot.Look`; the width is two columns of a paper by default.

        Raises
        ------
        FigureOptionError
            If an option does not exist.
        """
        figure: PaperFigure = view("capture.figure")(self, **options)
        return figure

    def write(self, folder: str | Path) -> Path:
        """Write figures, tables, picture and scenario into a folder, and return it.

        An earlier capture there is replaced.

        Raises
        ------
        FileExistsError
            If the folder holds something else.
        WriteError
            If the folder cannot be written.
        """
        target = Path(folder)
        view("capture.files")(self, target)
        return target

    def _unknown(self) -> CaptureError:
        return CaptureError(f"{self.file}: no path can be estimated: {self.why_no_path}")

    def __repr__(self) -> str:
        """Return the file and the connection."""
        return f"Capture({str(self.file)!r}, connection={self.connection})"

    def __rich__(self) -> RenderableType:
        """Show the connection in a terminal."""
        made: RenderableType = view("capture.terminal")(self)
        return made


class CaptureError(Error, ValueError):
    """A capture cannot be read, or does not show enough for an estimate.

    Examples
    --------
    >>> import ackclock as ac
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> file = Path(mkdtemp()) / "notes.pcap"
    >>> _ = file.write_text("no capture")
    >>> try:
    ...     ac.read_pcap(file)
    ... except ac.CaptureError as error:
    ...     print(str(error).partition("notes.pcap: ")[2])
    this is no pcap or pcapng capture: it begins with 6e 6f 20 63
    """

    kind = "unreadable"
