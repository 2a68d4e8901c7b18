"""The diagnosis of a run for Python code and notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from ackclock.results.diagnosis.sentences import headline
from ackclock.results.diagnosis.types import FlowDiagnosis
from ackclock.tables.quantities import short_cc

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Diagnosis"]


class Diagnosis(Sequence[FlowDiagnosis]):
    """The limits of each flow of a run, in order of weight; an idle link comes last.

    A sequence with a dict per TCP flow: ``flow``, ``cc``, ``link`` (the busiest link of its path,
    or the slowest), ``busy`` (share of its time), ``is_clear`` (it had its share of a busy link),
    ``limits``, ``looked_at``, ``line``. Each limit has ``kind``, ``title``, ``share`` (0 to 1, of
    the flow's time), ``sentence``, ``key``, ``advice``, ``bound`` (bit/s of payload) and ``law``;
    docs/diagnosis.md has the kinds. ``print(result.diagnosis)`` shows it as the terminal does.

    Examples
    --------
    >>> diagnosis = Diagnosis([])
    >>> len(diagnosis), str(diagnosis)
    (0, 'no TCP flow was measured')
    """

    def __init__(self, flows: Sequence[FlowDiagnosis], *, measured: int | None = None) -> None:
        """Make a diagnosis; `measured` is the number of TCP flows, if more than were diagnosed."""
        self._flows = list(flows)
        self._measured = len(self._flows) if measured is None else measured

    def __len__(self) -> int:
        """Return the number of flows."""
        return len(self._flows)

    def __iter__(self) -> Iterator[FlowDiagnosis]:
        """Yield the flows, in the scenario's order."""
        return iter(self._flows)

    @overload
    def __getitem__(self, at: int | str) -> FlowDiagnosis: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[FlowDiagnosis]: ...

    def __getitem__(self, at: int | str | slice) -> FlowDiagnosis | Sequence[FlowDiagnosis]:
        """Return one flow's diagnosis, by its index or its name.

        Raises
        ------
        KeyError
            If no TCP flow has that name.
        """
        if isinstance(at, str):
            for diagnosis in self._flows:
                if diagnosis["flow"] == at:
                    return diagnosis
            raise KeyError(
                f"no TCP flow is called {at!r}: "
                f"{', '.join(diagnosis['flow'] for diagnosis in self._flows[:5])}"
            )
        return self._flows[at]

    @property
    def lines(self) -> list[str]:
        """Return a paragraph per flow or group of like flows, and one on what was looked at."""
        return headline(self._flows, measured=self._measured)

    def frame(self) -> pl.DataFrame:
        """Return the limits as a polars frame: a row per flow and limit, in order.

        Returns
        -------
        polars.DataFrame
            Columns flow, cc, link, busy, rank (from 1), kind, title, share (0 to 1), sentence, key,
            advice, bound (bit/s of payload), law.
        """
        import polars as pl

        rows = [
            {
                "flow": diagnosis["flow"], "cc": diagnosis["cc"], "link": diagnosis["link"],
                "busy": diagnosis["busy"], "rank": rank, **limit,
            }
            for diagnosis in self._flows
            for rank, limit in enumerate(diagnosis["limits"], start=1)
        ]  # fmt: skip
        types = {
            "flow": pl.String, "cc": pl.String, "link": pl.String, "busy": pl.Float64,
            "rank": pl.Int64, "kind": pl.String, "title": pl.String, "share": pl.Float64,
            "sentence": pl.String, "key": pl.String, "advice": pl.String, "bound": pl.Float64,
            "law": pl.String,
        }  # fmt: skip
        return pl.DataFrame(rows, schema=types)

    def __str__(self) -> str:
        """Return the lines that the terminal shows."""
        return "\n".join(self.lines) or "no TCP flow was measured"

    def __repr__(self) -> str:
        """Return the first limit of each of the first flows."""
        firsts = (
            f"{diagnosis['flow']} ({short_cc(diagnosis['cc'])}): "
            f"{diagnosis['limits'][0]['kind'] if diagnosis['limits'] else '-'}"
            for diagnosis in self._flows[:4]
        )
        more = ", ..." if len(self._flows) > 4 else ""
        return f"Diagnosis({', '.join(firsts)}{more})"

    def _repr_html_(self) -> str:
        from html import escape

        return "".join(f"<p>{escape(line)}</p>" for line in self.lines)
