"""Writes the folder of a run; equal results give equal bytes."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io import Kind, read_json, write_parquet, write_text
from ackclock.atomic_io.reading import PLAN
from ackclock.results.schema import TABLES, units

if TYPE_CHECKING:
    import polars as pl

__all__ = ["MARK", "RUN", "json_text", "write_json", "write_table"]

MARK = "summary.json"

_OF_A_RUN = {
    "scenario.toml",
    "plan.json",
    "summary.json",
    "timing.json",
    "linux.json",
    "report.html",
    *(f"{name}.parquet" for name in TABLES),
    *(f"plots/{name}.svg" for name in ("overview", "cwnd", "rate", "rtt", "queue", "delay")),
}


def _run_before_contents(folder: Path) -> set[str]:
    """Return a run's files if an earlier ackclock wrote no contents.json."""
    try:
        plan = read_json(folder, "plan.json", PLAN)
        names = [
            str(entry["name"])
            for part in ("flows", "streams", "links")
            for entry in plan.get(part, ())
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        names = []
    return _OF_A_RUN | {f"pcap/{name}.pcapng" for name in names}


_PLOTS = {
    f"plots/{name}.{suffix}"
    for name in ("overview", "cwnd", "rate", "rtt", "queue", "delay")
    for suffix in ("svg", "pdf", "png")
}

_POSSIBLE = "|".join(
    [*map(re.escape, {*_OF_A_RUN, *_PLOTS}), r"pcap/[^/]+\.pcapng", r"qlog/[^/]+\.sqlog"]
)

RUN = Kind(
    "run",
    "summary.json",
    _run_before_contents,
    possible=_POSSIBLE,
    later=frozenset({"report.html", *_PLOTS}),
)


def write_json(path: Path, value: Any) -> None:
    """Write JSON: numbers as the shortest exact text, keys in the given order, no NaN."""
    write_text(path, json_text(value))


def json_text(value: Any) -> str:
    """Return the content of a file of `write_json`."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write_table(folder: Path, name: str, frame: "pl.DataFrame") -> None:
    """Write `folder`/`name`.parquet with units and meanings in the file's metadata."""
    path = folder / f"{name}.parquet"
    path.parent.mkdir(exist_ok=True)
    meanings = {column.name: column.meaning for column in TABLES[name][0]}
    write_parquet(
        path,
        frame,
        {"ackclock.units": json.dumps(units(name)), "ackclock.columns": json.dumps(meanings)},
    )
