"""Writes what the documentation takes from the code: results.md, and the table of algorithms/table.md. `make docs` calls it."""

import sys
from collections.abc import Sequence
from pathlib import Path

import ackclock as ac
from ackclock import _core
from ackclock.results.docs import write as write_results

HERE = Path(__file__).parent
TABLE = HERE / "algorithms/table.md"
PATHS = [HERE.parent / "scenarios/three-paths" / f"{name}.toml" for name in ("10mbit-60ms", "1gbit-100ms", "50mbit-lossy")]
# Metric, factor to the unit shown.
METRICS = {"goodput": 1e-6, "queue_delay.mean": 1e3, "loss_rate": 1e2}
BEGIN, END = "<!-- made by `make docs`: begin -->\n", "<!-- made by `make docs`: end -->\n"


def controllers() -> list[str]:
    """Every algorithm that stands alone, and every slow start before Reno."""
    entries = _core.list_cc()
    starts = [f"{entry['name']}+reno" for entry in entries if entry["role"] == "slow start" and entry["name"] != "classic"]
    return [entry["name"] for entry in entries if entry["role"] != "slow start"] + starts


def figures(path: Path, specs: Sequence[str]) -> dict[str, list[str]]:
    """Mean over the scenario's seeds of each metric, by algorithm, as the table shows it."""
    comparison = ac.compare(path, cc=specs)
    shown: dict[str, list[str]] = {spec: [] for spec in specs}
    for metric, factor in METRICS.items():
        for (_, spec), by_seed in comparison.values(metric).items():
            value = factor * sum(by_seed.values()) / len(by_seed)
            shown[spec].append(f"{value:.3g}" if value < 100 else f"{value:.0f}")
    return shown


def rows(specs: Sequence[str], paths: Sequence[Path] = PATHS) -> list[str]:
    """The lines of the table."""
    columns = [figures(path, specs) for path in paths]
    return [f"| `{spec}` | {' | '.join(cell for column in columns for cell in column[spec])} |\n" for spec in specs]


def head() -> str:
    """The table's two first lines."""
    names = [ac.load(path).name for path in PATHS]
    titles = [f"{name}: Mbit/s | queue ms | loss %" for name in names]
    return f"| algorithm | {' | '.join(titles)} |\n|---|{'--:|' * (len(METRICS) * len(PATHS))}\n"


def main() -> None:
    """Rewrites the generated parts in place."""
    write_results(HERE / "results.md")
    text = TABLE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    TABLE.write_text(before + BEGIN + head() + "".join(rows(controllers())) + END + after, encoding="utf-8")
    sys.stdout.write(f"written: {TABLE.relative_to(HERE.parent)}, docs/results.md\n")


if __name__ == "__main__":
    main()
