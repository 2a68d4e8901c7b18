"""docs/metrics.md: its table is what the code defines, and its walk works as it stands there."""

import re
import textwrap
from pathlib import Path

import polars as pl

from ackclock.metrics import METRICS
from scripts import DOCS, ackclock_command, docs_script

PAGE = (DOCS / "metrics.md").read_text(encoding="utf-8")


def test_the_table_is_what_the_code_defines() -> None:
    make = docs_script()
    _, _, rest = PAGE.partition(make.BEGIN)
    table, _, _ = rest.partition(make.END)
    assert table == make.metrics_table(), "make docs"
    assert set(re.findall(r"^\| `([\w.]+)", table, re.MULTILINE)) == set(METRICS)


def test_the_walk(tmp_path: Path) -> None:
    files = re.findall(
        r"^\d+\. Write `([^`]+)`.*?```(?:python|toml)\n(.*?)^ *```$", PAGE, re.DOTALL | re.MULTILINE
    )
    assert [name for name, _ in files] == ["mine.py", "mine.toml"]
    for name, text in files:
        (tmp_path / name).write_text(textwrap.dedent(text), encoding="utf-8")
    [block] = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    commands = [line.split() for line in block.splitlines() if line.strip()]
    values = []
    for program, *arguments in commands:
        assert program == "ackclock"
        ackclock_command(*arguments, cwd=tmp_path, check=True)
        if arguments[0] == "trust":
            continue
        table = pl.read_parquet(tmp_path / "runs/mine-comparison/responses.parquet")
        means = dict(table.select("variant", "mean").iter_rows())
        values.append((table["response"][0], means))
    assert [name for name, _ in values] == ["long_queue(above=40)", "queueing", "queueing@b"]
    shares, largest, of_b = (value for _, value in values)
    assert shares["vegas"] < 0.1 < shares["reno"] < 1.0, (
        "Vegas keeps a few packets in the queue, Reno fills it"
    )
    assert all(0.0 < of_b[variant] <= largest[variant] < 0.1 for variant in ("reno", "vegas"))
