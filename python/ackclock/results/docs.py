"""Makes docs/results.md from the definitions themselves, so that it cannot differ from them."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import fill
from typing import Any

from pydantic import TypeAdapter

from ackclock.results.provenance import Provenance
from ackclock.results.schema import TABLES
from ackclock.results.summary import json_schema
from ackclock.tables.markdown import page_table

_HEAD = """# What a run leaves behind

This page lists every file, column and unit of a run's results, for your own tools. It is made from
the code's own definitions, by
`python -c "from ackclock.results.docs import write; write('docs/results.md')"`.

A run's folder holds:

"""

_FILES = (
    (
        "`scenario.toml`",
        "the scenario as resolved, every default filled in; it runs again as it is",
    ),
    ("`plan.json`", "the engine's input: every value in base units, routes, random draws (below)"),
    ("`summary.json`", "the figures of the run (below)"),
    (
        "`timing.json`",
        "`setup_seconds`, `run_seconds` (wall clock) and `events`; differs between runs",
    ),
    ("`linux.json`", "how exact the timing of a kernel run was (below; [linux.md](linux.md))"),
    ("`flows.parquet`, `links.parquet`", "counters and metrics, a row per flow and per link"),
    ("`transfers.parquet`", "transfers of sessions, if there are any"),
    ("`streams.parquet`, `samples/datagrams.parquet`", "UDP streams, if there are any"),
    ("`frames.parquet`", "frames of the films that UDP streams sent, if there are any"),
    ("`samples/{flows,links,internals}.parquet`", 'time series, unless `record.samples` is "off"'),
    ("`packets.parquet`", "packet events, if `record.packets`, `.pcap` or `.qlog` asks"),
    (
        "`decisions.parquet`",
        "decisions of senders, by `record.decisions` ([explain.md](explain.md))",
    ),
    ("`qlog/*.sqlog`", "logs of senders for qvis, by `record.qlog` ([explain.md](explain.md))"),
    ("`pcap/*.pcapng`", "captures with nanosecond times, if `record.pcap` asks for them"),
    ("`plots/*.svg`", "figures for print, from `ackclock plot`; `delay.svg` is of UDP streams"),
    ("`report.html`", "all of it on one page that needs no network"),
    ("`contents.json`", "the list of these files"),
)

_RULES = """
Two simulations of one scenario give the same bytes in every file but `timing.json`. Units are SI
base units: s, bit/s, bytes; shares run from 0 to 1 and have the unit 1. Counters count from the end
of the warm-up. Each Parquet file repeats its columns' units and meanings in its metadata under
`ackclock.units` and `ackclock.columns`, as JSON.

A comparison is a sweep and has the folder of a sweep: [sweeps.md](sweeps.md#the-folder).
`runs.parquet` of a comparison has every metric that summaries hold, and `runs/` the summaries
themselves. `ackclock compare --json` prints `sweep.json` with the rows of `responses.parquet` as
`means` and those of `differences.parquet` as `differences`. Folders with a `comparison.json` were
written by an earlier ackclock and do not load. To make such a comparison again, with the same
figures: `ackclock compare FOLDER/scenario.toml --out ANOTHER`.

## Runs with many flows

A run of 20,000 flows takes a few megabytes, because nothing is written twice:

- In `plan.json`, flows (and links) that equal another one but for some keys stand in `alike_flows`
  (`alike_links`). `model` is the place of the other one in `flows`, as written; the alike flows
  follow it. Keys that differ are columns with a value for each flow, and `clock_phase_ps` is the
  one of `transport`. `Result.plan` has every flow in full, and the engine reads both forms.
- With more than 1000 flows, `summary.json` has no `flows`, and with more than 1000 links no
  `links`: `flows.parquet` and `links.parquet` have these figures. `Result.summary()` has them too.
- A table of `report.html` ends after 300 rows and names the file that has all.
- Of more than 500 flows, 200 are diagnosed, evenly chosen from each entry of flows.

[metrics.md](metrics.md) lists the metrics of runs, comparisons and sweeps.

## Replacing earlier results

Results are written into a temporary folder beside their place (`.ackclock-` and digits),
flushed to the disk, and change places with the earlier results in one step. If a process is killed
or the power fails, either the earlier results or the new ones are there, whole. The next run that
writes to that place removes the leftovers of a killed run.

Your ackclock knows its own leftovers by a secret in your folder of settings
(`~/.config/ackclock/secret`, which only you can read). It never touches leftovers of anybody else,
such as those in a folder that you unpacked or cloned. They stay, and so do yours if that file was
lost or cannot be made: remove them with `rm -r .ackclock-*` when no ackclock is running there.

- A file that `contents.json` does not list is yours and is never deleted: with such a file at any
  depth (`plots/mine.svg`) the command refuses before it runs. A file of yours that appears during
  the run is kept in `NAME.earlier`.
- `--out` is tried before the run: a full disk, a folder without permission, a name that is too long
  and a broken symbolic link are reported then, with exit status 2. A symbolic link that you
  name is followed.
- A link that you did not name is refused in one line: inside a folder of results, and on the way to
  a default folder such as `runs/NAME`. Name the place it leads to (`--out`), or remove the link.
- If the disk fills up during the run, earlier results stay, the new ones go to the folder for
  temporary files (`TMPDIR`), the message says where, and the exit status is 1.
- A folder that cannot be moved (a mount point, the current folder) gets the new files one after
  another; if a kill interrupts this, the next command that reads or writes the folder finishes it.
- Files and folders get the permissions of your umask.
"""


def markdown() -> str:
    """Return the text of docs/results.md."""
    parts = [
        _HEAD,
        page_table(("file", "content"), _FILES),
        _RULES,
        (
            "\n## summary.json\n\n`null` stands for an unmeasured value. JSON Schema: "
            "`ackclock.results.json_schema()`.\n"
        ),
        *_objects(json_schema()),
        "\n## linux.json\n",
        *_objects(TypeAdapter(Provenance).json_schema()),
        "\n## Tables\n",
    ]
    for table, (columns, meaning) in TABLES.items():
        rows = ((column.name, column.unit or "–", column.meaning) for column in columns)
        parts += _table(f"{table}.parquet", meaning, ("column", "unit"), rows)
    return "".join(parts)


def _objects(schema: dict[str, Any]) -> Iterator[str]:
    """Yield a section for each object of a JSON Schema."""
    for title, definition in (("The file", schema), *schema["$defs"].items()):
        properties = definition["properties"].items()
        rows = ((key, _kind(value), value.get("description", "")) for key, value in properties)
        yield from _table(title, definition["description"], ("key", "type"), rows)


def _table(
    title: str, meaning: str, columns: tuple[str, str], rows: Iterable[tuple[str, str, str]]
) -> Iterator[str]:
    yield f"\n### {title}\n\n{fill(meaning, 100)}\n\n"
    cells = ((f"`{name}`", kind, text) for name, kind, text in rows)
    yield page_table((*columns, "meaning"), cells)


def write(path: str | Path) -> None:
    """Write docs/results.md."""
    Path(path).write_text(markdown(), encoding="utf-8")


def _kind(value: dict[str, Any]) -> str:
    if "$ref" in value:
        return str(value["$ref"]).rsplit("/", 1)[-1]
    if "anyOf" in value:
        return " or ".join(_kind(alternative) for alternative in value["anyOf"])
    if value.get("type") == "array":
        return f"list of {_kind(value['items'])}"
    return str(value["type"])
