"""docs/results.md, made from the definitions themselves so that it cannot differ from them."""

from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from ackclock.results.conduct import Conduct
from ackclock.results.schema import TABLES
from ackclock.results.summary import json_schema

_HEAD = """# What a run leaves behind

Made from the code's own definitions: `python -c "from ackclock.results.docs import write; write('docs/results.md')"`.

A run's folder holds:

| file | content |
|---|---|
| `scenario.toml` | the scenario as resolved, every default filled in; it runs again as it is |
| `plan.json` | every value that the engine was given: quantities in base units, routes, what was drawn |
| `summary.json` | the figures of the run (below) |
| `timing.json` | `setup_seconds`, `run_seconds` (wall clock) and `events`; the only file that differs between two simulated runs |
| `linux.json` | of a run on a real kernel ([linux.md](linux.md)): how exact its timing was (below) |
| `flows.parquet`, `links.parquet` | counters and metrics, a row per flow and per link |
| `transfers.parquet` | what applications moved that open connections by themselves, if there are such |
| `streams.parquet`, `samples/datagrams.parquet` | UDP streams, if there are any |
| `frames.parquet` | frames of the films that UDP streams sent, if there are any |
| `samples/flows.parquet`, `samples/links.parquet`, `samples/internals.parquet` | time series, if `record.samples` is not "off" |
| `packets.parquet` | packet events, if `record.packets` or `record.pcap` asks for them |
| `pcap/*.pcapng` | captures with nanosecond times, if `record.pcap` asks for them |
| `plots/*.svg` | figures, if there are time series; `delay.svg` is of UDP streams |
| `report.html` | all of it on one page that needs no network |
| `contents.json` | the list of these files |

Everything but `timing.json` is the same bytes every time the same scenario is simulated. Units are SI base units: s, bit/s, bytes;
shares run from 0 to 1 and have the unit 1. Counters count from the end of the warm-up. Each Parquet file repeats its columns'
units and meanings in its metadata under `ackclock.units` and `ackclock.columns`, as JSON.

The folder of a comparison holds `scenario.toml`, `comparison.json` (the table with its intervals, the differences, and every
run's summary), `comparison.parquet` (of every run the comparison's metric and those made from summaries), `plots/` and `report.html`.
Where several runs gave one value, its `low` and `high` are null and `identical` is true; `notes` says how starts were drawn.
What can be asked of a run or a comparison is in [metrics.md](metrics.md). The folder of a sweep is described in [sweeps.md](sweeps.md).

## Replacing earlier results

Results are written into a temporary folder beside their place (`.ackclock-` and twelve digits), flushed to the disk, and
change places with the earlier results in one step. Whenever a process is killed or the power fails, the earlier results or the
new ones are there, whole. The next run that writes to the same place removes what a killed one left.

- What `contents.json` does not list is yours and is never deleted: with such a file at any depth (`plots/mine.svg`) the
  command refuses before it runs. A file of yours that appears while it runs is kept in `NAME.earlier`.
- `--out` is tried before the run: a full disk, a folder without permission, a name that is too long and a symbolic link to
  nothing are told then, with exit status 2. A symbolic link to a folder is followed.
- If the disk fills up during the run, earlier results stay, the new ones go to the folder for temporary files (`TMPDIR`), the
  message says where, and the exit status is 1.
- A folder that cannot be moved (a mount point, the current folder) gets the new files one after another; after a kill in
  between, the next command that reads or writes it finishes that.
- Files and folders get the permissions of your umask.
"""


def markdown() -> str:
    """The text of docs/results.md."""
    parts = [_HEAD, "\n## summary.json\n\n"]
    parts.append("`null` stands for what could not be measured. JSON Schema: `ackclock.results.json_schema()`.\n")
    schema = json_schema()
    for title, definition in [("The file", schema), *((name, schema["$defs"][name]) for name in schema["$defs"])]:
        parts.append(f"\n### {title}\n\n{definition['description']}\n\n| key | type | meaning |\n|---|---|---|\n")
        parts.extend(f"| `{key}` | {_kind(value)} | {value.get('description', '')} |\n" for key, value in definition["properties"].items())
    parts.append("\n## linux.json\n")
    conduct = TypeAdapter(Conduct).json_schema()
    for title, definition in [("The file", conduct), *((name, conduct["$defs"][name]) for name in conduct["$defs"])]:
        parts.append(f"\n### {title}\n\n{definition['description']}\n\n| key | type | meaning |\n|---|---|---|\n")
        parts.extend(f"| `{key}` | {_kind(value)} | {value.get('description', '')} |\n" for key, value in definition["properties"].items())
    parts.append("\n## Tables\n")
    for table, (columns, meaning) in TABLES.items():
        parts.append(f"\n### {table}.parquet\n\n{meaning}\n\n| column | unit | meaning |\n|---|---|---|\n")
        parts.extend(f"| `{column.name}` | {column.unit or '–'} | {column.meaning} |\n" for column in columns)
    return "".join(parts)


def write(path: str | Path) -> None:
    """Write docs/results.md."""
    Path(path).write_text(markdown(), encoding="utf-8")


def _kind(value: dict[str, Any]) -> str:
    if "$ref" in value:
        return str(value["$ref"]).rsplit("/", 1)[-1]
    if "anyOf" in value:
        return " or ".join(_kind(each) for each in value["anyOf"])
    if value.get("type") == "array":
        return f"list of {_kind(value['items'])}"
    return str(value["type"])
