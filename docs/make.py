"""Writes what the documentation takes from the code.

That is results.md, the tables in metrics.md and algorithms/, the README's first picture and the
schema of scenarios. `make docs` calls it.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import ackclock as ac
from ackclock import _core
from ackclock.evaluation.rows import ROWS
from ackclock.metrics import METRICS, Metric
from ackclock.results.docs import write as write_results
from ackclock.scenario.directive import SCHEMA_FILE
from ackclock.scenario.schema import schema_text
from ackclock.tables.markdown import page_table
from ackclock.validation.pictures import write_svg

HERE = Path(__file__).parent
TABLE = HERE / "algorithms/table.md"
PATHS = [
    HERE.parent / "scenarios/three-paths" / f"{name}.toml"
    for name in ("10mbit-60ms", "1gbit-100ms", "50mbit-lossy")
]
# Metric, factor to the unit shown.
SHOWN = {"goodput": 1e-6, "queue_delay.mean": 1e3, "loss_rate": 1e2}
METRICS_PAGE = HERE / "metrics.md"
STARTS = HERE / "algorithms/slow-starts.md"
FRONT = HERE / "pictures/front.svg"
SCHEMA = HERE.parent / "scenarios" / SCHEMA_FILE
# Title, rate, RTT, buffer.
START_PATHS = [
    ("10 Mbit/s, 60 ms, 1 BDP", "10Mbit/s", "60ms", "1bdp"),
    ("100 Mbit/s, 40 ms, 1 BDP", "100Mbit/s", "40ms", "1bdp"),
    ("100 Mbit/s, 40 ms, 8 BDP", "100Mbit/s", "40ms", "8bdp"),
]
BEGIN, END = "<!-- made by `make docs`: begin -->\n", "<!-- made by `make docs`: end -->\n"


def controllers() -> list[str]:
    """Every algorithm that stands alone, and every slow start before Reno."""
    entries = _core.list_cc()
    starts = [
        f"{entry['name']}+reno"
        for entry in entries
        if entry["role"] == "slow start" and entry["name"] != "classic"
    ]
    return [entry["name"] for entry in entries if entry["role"] != "slow start"] + starts


def figures(path: Path, specs: Sequence[str]) -> dict[str, list[str]]:
    """Mean over the scenario's seeds of each metric, by algorithm, as the table shows it."""
    comparison = ac.compare(path, cc=specs)
    shown: dict[str, list[str]] = {spec: [] for spec in specs}
    for metric, factor in SHOWN.items():
        values: dict[str, list[float]] = {}
        for spec, value in comparison.runs.select("variant", metric).iter_rows():
            values.setdefault(spec, []).append(value)
        for spec, by_seed in values.items():
            value = factor * sum(by_seed) / len(by_seed)
            shown[spec].append(f"{value:.3g}" if value < 100 else f"{value:.0f}")
    return shown


def rows(specs: Sequence[str], paths: Sequence[Path] = PATHS) -> list[str]:
    """The lines of the table."""
    columns = [figures(path, specs) for path in paths]
    return [
        f"| `{spec}` | {' | '.join(cell for column in columns for cell in column[spec])} |\n"
        for spec in specs
    ]


def head() -> str:
    """The table's two first lines."""
    names = [ac.load(path).name for path in PATHS]
    titles = [f"{name}: Mbit/s | queue ms | loss %" for name in names]
    return f"| algorithm | {' | '.join(titles)} |\n|---|{'--:|' * (len(SHOWN) * len(PATHS))}\n"


def slow_starts() -> list[tuple[str, str | None]]:
    """Every slow start with the ssthresh that it begins with."""
    starts = [entry for entry in _core.list_cc() if entry["role"] == "slow start"]
    wanting = [entry["name"] for entry in starts if entry["traits"]["needs_ssthresh"]]
    return [
        *((entry["name"], None) for entry in starts if entry["name"] not in wanting),
        *((name, "1bdp") for name in ("classic", *wanting)),
    ]


def beginning(slow_start: str, ssthresh: str | None, rate: str, rtt: str, buffer: str) -> list[str]:
    """How a connection begins, as the table shows it.

    The end of slow start (s), by what, the window then (packets), packets lost in 5 s, when four
    RTTs first brought 90 % of the rate (s), mean queueing delay (ms).
    """
    flow = ac.flow(f"{slow_start}+reno", ssthresh=ssthresh)
    result = ac.run(
        ac.dumbbell(
            rate=rate,
            rtt=rtt,
            buffer=buffer,
            duration="5s",
            flows=[flow],
            record={"samples": "changes"},
        )
    )
    internals = result.samples.internals
    ended = internals.filter((internals["name"] == "slow_start") & (internals["value"] == 0.0))[
        "time"
    ].min()
    samples = result.samples.flows
    time, acked = samples["time"].to_numpy(), samples["acked"].to_numpy()
    # Payload of 1448 bytes in packets of 1500.
    full = _core.parse_rate(rate) / 8 * 1448 / 1500
    span = 4 * _core.parse_time(rtt) * 1e-12
    speed = (acked - np.interp(time - span, time, acked)) / span
    fast = time[(speed >= 0.9 * full) & (time >= span)]
    end = int(np.searchsorted(time, 5.0 if ended is None else ended))
    lost = int(samples["lost"][-1])
    by = (
        "-"
        if ended is None
        else "loss"
        if samples["state"][min(end, len(time) - 1)] in {"recovery", "loss"}
        else "itself"
    )
    return [
        "later" if ended is None else f"{ended:.2f}",
        by,
        f"{samples['cwnd'][max(end - 1, 0)] / 1448:.0f}",
        str(lost),
        f"{fast[0]:.2f}" if len(fast) else "later",
        f"{1e3 * result.links['queue_delay_mean'][0]:.1f}",
    ]


def start_tables() -> str:
    """One table per path."""
    head = (
        *("", "ends after s", "by", "at packets", "lost", "90 % of the rate after s"),
        "mean queue ms",
    )
    tables = []
    for title, *path in START_PATHS:
        rows = []
        for name, ssthresh in slow_starts():
            label = f"`{name}`" + (f", ssthresh {ssthresh}" if ssthresh else "")
            rows.append((label, *beginning(name, ssthresh, *path)))
        tables.append(f"**{title}**\n\n{page_table(head, rows, 'lrlrrrr')}")
    return "\n".join(tables)


def metrics_table() -> str:
    """Every metric, in the order in which help shows them, under what it is made from."""
    titles = [
        ("The summary", lambda figure: figure.from_summary),
        (
            "Counters of flows and links",
            lambda figure: not figure.from_summary and not figure.needs,
        ),
        *(
            (f"`{need}`", lambda figure, need=need: need in figure.needs and not figure.of_recorded)
            for need in ("samples", "streams", "transfers")
        ),
        ("A recorded run", lambda figure: figure.of_recorded),
    ]
    tables = []
    for title, belongs in titles:
        rows = [_metric_row(figure) for figure in METRICS.values() if belongs(figure)]
        table = page_table(("metric", "unit", "definition", "source"), rows)
        tables.append(f"**{title}**\n\n{table}")
    return "\n".join(tables)


def _metric_row(figure: Metric) -> tuple[str, ...]:
    call = f"({', '.join(f'{name}=' for name in figure.parameters)})" if figure.parameters else ""
    return f"`{figure.name}{call}`", figure.unit, figure.definition, figure.source


def evaluation_rows() -> str:
    """The rows of RFC 9743's dossier."""
    rows = []
    for row in ROWS:
        sections = ", ".join([row.section, *row.sections])
        about = f"{row.choice} Informative." if row.informative else row.choice
        rows.append((row.id, sections, row.strength, row.title, about))
    return page_table(("row", "§", "strength", "title", "what we chose"), rows)


def fill(document: Path, generated: str) -> None:
    """Puts `generated` between the document's marks."""
    before, rest = document.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    document.write_text(before + BEGIN + generated + END + after, encoding="utf-8")


def main() -> None:
    """Rewrites the generated parts in place."""
    # It stands beside this file, where only a script finds it.
    import front

    write_results(HERE / "results.md")
    fill(METRICS_PAGE, metrics_table())
    fill(HERE / "evaluate.md", evaluation_rows())
    fill(STARTS, start_tables())
    fill(TABLE, head() + "".join(rows(controllers())))
    write_svg(front.draw(front.runs()), FRONT)
    SCHEMA.write_text(schema_text(), encoding="utf-8")
    written = (
        "results.md",
        "metrics.md",
        "evaluate.md",
        "algorithms/slow-starts.md",
        "algorithms/table.md",
        "pictures/front.svg",
    )
    pages = ", ".join(f"docs/{name}" for name in written)
    sys.stdout.write(f"written: {pages}, scenarios/{SCHEMA.name}\n")


if __name__ == "__main__":
    main()
