"""The folders of runs and comparisons: what is in them, and writing it the same bytes every time."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.results.schema import TABLES, units
from ackclock.writing import Kind, write_parquet, write_text

if TYPE_CHECKING:
    import polars as pl

__all__ = ["COMPARISON", "MARK", "RUN", "picture_name", "read_json", "write_json", "write_table"]

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
_OF_A_COMPARISON = {"scenario.toml", "comparison.json", "comparison.parquet", "report.html"}


def _run_before_contents(folder: Path) -> set[str]:
    """Files of a run of an ackclock that wrote no contents.json; captures are named after what its plan has."""
    try:
        plan = read_json(folder / "plan.json")
        names = [str(one["name"]) for part in ("flows", "streams", "links") for one in plan.get(part, ())]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        names = []
    return _OF_A_RUN | {f"pcap/{name}.pcapng" for name in names}


def _comparison_before_contents(folder: Path) -> set[str]:
    """Files of a comparison of an ackclock that wrote no contents.json; its figure is named after the metric."""
    try:
        metric = str(read_json(folder / "comparison.json")["metric"]["name"])
    except (OSError, ValueError, KeyError, TypeError):
        return _OF_A_COMPARISON
    return _OF_A_COMPARISON | {f"plots/{picture_name(metric)}.{suffix}" for suffix in ("svg", "pdf")}


def picture_name(metric: str) -> str:
    """A metric's name as the name of a file."""
    return metric.replace("@", "-of-").replace("/", "-")


RUN = Kind("run", "summary.json", _run_before_contents)
COMPARISON = Kind("comparison", "comparison.json", _comparison_before_contents)


def write_json(path: Path, value: Any) -> None:
    """Numbers as the shortest text that reads back the same, keys in the order given, no NaN."""
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def read_json(path: Path) -> Any:
    """What `write_json` wrote."""
    return json.loads(path.read_text(encoding="utf-8"))


def write_table(folder: Path, name: str, frame: "pl.DataFrame") -> None:
    """`folder`/`name`.parquet, its units and meanings in the file's metadata."""
    path = folder / f"{name}.parquet"
    path.parent.mkdir(exist_ok=True)
    meanings = {column.name: column.meaning for column in TABLES[name][0]}
    write_parquet(path, frame, {"ackclock.units": json.dumps(units(name)), "ackclock.columns": json.dumps(meanings)})
