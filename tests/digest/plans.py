"""The plans whose results are held to the byte, and how a result becomes a digest.

A digest does not depend on the version of a library that writes files: tables are read back and
hashed column by column, with the column's name and type.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

import ackclock as ac
from ackclock import _core
from ackclock.core_types.sharing import expanded

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
RECORD = Path(__file__).parent / "record.json"
RECORDED_VERSION = 6
"""Version of the results when they were recorded. It is raised for changes in other scenarios."""
LATER_COLUMNS = frozenset({"sent"})
"""Columns that tables have got since they were recorded."""
# Seconds of the machine's time, which no two runs share.
NOT_A_RESULT = ("timing.json", "contents.json")


def algorithm_scenario(cc: str) -> str:
    """A flow under test that starts with losses, then shares its bottleneck with CUBIC."""
    return f"""
name = "digest"
duration = "8s"
[network]
kind = "dumbbell"
bottleneck.rate = "12Mbit/s"
bottleneck.delay = "15ms"
bottleneck.limit = "60kB"
bottleneck.loss = {{ kind = "bernoulli", p = 0.0005 }}
[[flows]]
name = "subject"
cc = "{cc}"
[[flows]]
name = "cubic"
cc = "cubic"
start = "3s"
app = {{ kind = "file", size = "3MB" }}
[record]
samples = "50ms"
"""


def scenarios() -> Iterator[tuple[str, ac.Scenario]]:
    """Name and scenario of every plan: examples, scenarios that once failed, and each algorithm."""
    folders = [("scenarios", ROOT / "scenarios"), ("found", ROOT / "tests" / "fuzz" / "found")]
    for name, folder in folders:
        for file in sorted(folder.rglob("*.toml")):
            # Another test loads a copy of this module, and a process has one of each name.
            if "python:fuzz_own" in file.read_text(encoding="utf-8"):
                continue
            yield f"{name}/{file.relative_to(folder).as_posix()}", ac.load(file)
    for algorithm in _core.list_cc():
        slow_start = algorithm["role"] == "slow start"
        cc = f"{algorithm['name']}+reno" if slow_start else algorithm["name"]
        yield f"cc/{cc}", ac.Scenario.parse(tomllib.loads(algorithm_scenario(cc)))


def digest(scenario: ac.Scenario) -> dict[str, str]:
    """SHA-256, cut to 16 digits, of everything that a run of the scenario writes."""
    with tempfile.TemporaryDirectory() as folder:
        ac.run(scenario).write(Path(folder) / "run", plots=False, report=False)
        return dict(_files(Path(folder) / "run"))


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = file.relative_to(folder).as_posix()
        if name in NOT_A_RESULT:
            continue
        content = READERS.get(file.suffix, Path.read_bytes)(file)
        yield name, hashlib.sha256(content).hexdigest()[:16]


def _table(file: Path) -> bytes:
    frame = pl.read_parquet(file)
    columns = [column for column in frame.get_columns() if column.name not in LATER_COLUMNS]
    return b"".join(map(_column, columns))


def _column(column: pl.Series) -> bytes:
    head = f"{column.name} {column.dtype}".encode()
    if column.dtype.is_numeric():
        known = column.is_not_null().to_numpy().tobytes()
        return head + known + column.fill_null(0).to_numpy().tobytes()
    return head + json.dumps(column.to_list(), default=str).encode()


def _toml(file: Path) -> bytes:
    """The text below the first line, a comment that names the schema of this version."""
    first, rest = file.read_bytes().split(b"\n", maxsplit=1)
    assert first.startswith(b"#:schema ")
    return rest


def _json(file: Path) -> bytes:
    """Text of a JSON file without its sentences, which may be reworded, and the version.

    A plan counts in its long form, in which it was recorded.
    """
    content = json.loads(file.read_text(encoding="utf-8"))
    if file.name == "plan.json":
        content = expanded(content)
    if isinstance(content, dict) and "results_version" in content:
        content["results_version"] = RECORDED_VERSION
    return json.dumps(_without_sentences(content)).encode()


def _without_sentences(value: object) -> object:
    match value:
        case dict():
            return {key: _without_sentences(item) for key, item in value.items()}
        case list():
            return [_without_sentences(item) for item in value]
        case str() if value.count(" ") > 2:
            return "a sentence"
        case _:
            return value


READERS = {".parquet": _table, ".json": _json, ".toml": _toml}
