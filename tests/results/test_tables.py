"""Tables as CSV, Markdown, LaTeX, JSON and pandas' frames."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import polars as pl
import pytest

import ackclock as ac
from ackclock.tables.frame import About, Frame
from ackclock.tables.table import Column, Table

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.results import Result


@pytest.fixture(scope="module")
def result() -> Result:
    return ac.run(
        ac.dumbbell(
            rate="10Mbit/s",
            rtt="60ms",
            buffer="1bdp",
            flows=[ac.flow("cubic"), ac.flow("reno", start="1s")],
            duration="10s",
        )
    )


def table() -> Table:
    return Table.of(
        "t",
        "A table",
        [
            Column("name", ["a_1", "50 % & more"]),
            Column("delay mean", [0.0123456789, None], "s"),
            Column("delay p95", [0.5, float("nan")], "s"),
            Column("lost packets", [7, 0], "packets"),
            Column("used", [0.98765, 1.0], "%"),
            Column("done", [True, False]),
        ],
        note="a note",
    )


def test_csv_has_exact_figures_in_base_units_and_empty_cells() -> None:
    rows = list(csv.reader(io.StringIO(table().to_csv())))
    assert rows[0] == ["name", "delay mean (s)", "delay p95 (s)", "lost packets", "used", "done"]
    assert rows[1] == ["a_1", "0.0123456789", "0.5", "7", "0.98765", "true"]
    assert rows[2] == ["50 % & more", "", "", "0", "1.0", "false"]


def test_text_is_rounded_and_columns_of_one_quantity_share_a_unit() -> None:
    shown = table()
    assert shown.header == (
        "name",
        "delay mean (ms)",
        "delay p95 (ms)",
        "lost packets",
        "used (%)",
        "done",
    )
    assert shown.rows == (
        ("a_1", "12.3", "500", "7", "98.8", "yes"),
        ("50 % & more", "–", "–", "0", "100", "no"),
    )


def test_markdown_is_a_table_with_escaped_letters() -> None:
    lines = table().to_markdown().splitlines()
    assert lines[2].startswith("| a\\_1 ")
    assert set(lines[1]) == set("|-:")
    assert len({len(line) for line in lines}) == 1


def test_latex_has_booktabs_rules_and_escapes() -> None:
    text = table().to_latex(caption="50 % of it", label="tab:it")
    for part in (r"\toprule", r"\midrule", r"\bottomrule", r"a\_1", r"50~\% \& more", "% a note"):
        assert part in text
    assert r"\caption{50~\% of it}" in text
    assert r"\label{tab:it}" in text
    assert r"\begin{table}" not in table().to_latex()


@pytest.mark.long
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX here")
def test_latex_takes_short_and_long_tables(tmp_path: Path, result: Result) -> None:
    long = Table.of("long", "Long", [Column("i_i", list(range(90))), Column("µ", [0.5] * 90, "s")])
    (tmp_path / "a.tex").write_text(table().to_latex(caption="One"), encoding="utf-8")
    (tmp_path / "b.tex").write_text(long.to_latex(caption="Two", label="b"), encoding="utf-8")
    (tmp_path / "c.tex").write_text(
        "\n".join(frame.to_latex() for frame in result.tables.values()), encoding="utf-8"
    )
    packages = "\\usepackage[T1]{fontenc}\\usepackage{booktabs,longtable}"
    inputs = "".join(rf"\input{{{name}}}" for name in "abc")
    (tmp_path / "all.tex").write_text(
        f"\\documentclass{{article}}{packages}\\begin{{document}}{inputs}\\end{{document}}",
        encoding="utf-8",
    )
    subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )


def test_json_names_units_and_has_no_nan() -> None:
    content = json.loads(table().to_json())
    assert content["units"]["delay mean"] == "s"
    assert content["rows"][1]["delay p95"] is None


@pytest.mark.parametrize(
    ("suffix", "start"), [(".csv", "name,"), (".md", "| name"), (".tex", "% "), (".json", "{")]
)
def test_a_file_gets_the_format_of_its_suffix(tmp_path: Path, suffix: str, start: str) -> None:
    path = table().write(tmp_path / f"t{suffix}")
    assert path.read_text(encoding="utf-8").startswith(start)


def test_another_suffix_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ac.Error, match=r"a table is written as \.csv, \.md, \.tex, \.json"):
        table().write(tmp_path / "t.xlsx")


def test_a_run_has_the_tables_of_the_terminal(result: Result) -> None:
    assert list(result.tables) == ["flows", "links", "diagnosis"]
    flows = result.tables["flows"]
    assert flows.header[:3] == ("flow", "cc", "goodput (Mbit/s)")
    assert [column.name for column in flows.columns][:3] == ["flow", "cc", "goodput"]
    assert flows.columns[2].values == result.flows["goodput"].to_list()


def test_a_runs_frames_write_themselves(result: Result) -> None:
    header = result.flows.to_csv().splitlines()[0].split(",")
    assert len(header) == result.flows.width
    assert "goodput (bit/s)" in header
    assert "sent_packets" in header
    brief = result.flows.to_markdown().splitlines()[0]
    assert "RTT p95 (ms)" in brief
    assert "window after nothing" not in brief
    chosen = result.flows.select("name", "window_after_nothing").to_markdown().splitlines()[0]
    assert "window after nothing (ms)" in chosen or "window after nothing (s)" in chosen
    assert result.flows.to_markdown(["name", "goodput"]).count("|") == 3 * 4


def test_chosen_rows_keep_units_and_other_operations_give_plain_frames(result: Result) -> None:
    some = result.flows.filter(pl.col("goodput") > 0).sort("name").head(1)
    assert isinstance(some, Frame)
    assert some.about.units["goodput"] == "bit/s"
    assert type(result.flows.group_by("cc").len()) is pl.DataFrame
    assert some.equals(result.flows.sort("name").head(1))


def test_pandas_needs_nothing_but_pandas(result: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    pd = pytest.importorskip("pandas")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    frame = result.flows.to_pandas()
    assert frame["goodput"].dtype == "float64"
    assert frame["sent_packets"].tolist() == result.flows["sent_packets"].to_list()
    assert frame["fct"].isna().all()
    assert frame.attrs["units"]["goodput"] == "bit/s"
    samples = result.samples.flows.to_pandas()
    assert isinstance(samples["state"].dtype, pd.CategoricalDtype)
    assert samples["state"].astype(str).tolist() == result.samples.flows["state"].to_list()
    assert len(samples) == result.samples.flows.height


def test_pandas_of_missing_integers_texts_and_truths() -> None:
    pd = pytest.importorskip("pandas")
    frame = Frame.of(
        pl.DataFrame({"i": [1, None], "t": ["a", None], "b": [True, False], "n": [None, None]}),
        About(),
    ).to_pandas()
    assert frame["i"].isna().tolist() == [False, True]
    assert pd.isna(frame["t"][1])
    assert frame["b"].dtype == bool
    assert frame["n"].isna().all()
    assert len(Frame.of(pl.DataFrame({"i": []}), About()).to_pandas()) == 0


def test_without_pandas_one_line_says_what_to_install(
    result: Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ac.Error, match="needs pandas, which is not installed here: pip install"):
        result.flows.to_pandas()


def test_importing_results_imports_neither_pandas_nor_matplotlib() -> None:
    code = (
        "import sys, ackclock.tables.frame; "
        "print(sorted({'pandas', 'matplotlib'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
