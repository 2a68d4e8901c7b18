"""Claims for other programs: does each format read back, and is nothing in it taken for mark-up?"""

import csv
import io
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ackclock.studies import find_study, run_study, studies
from ackclock.studies.tools.exporting import bibtex_of, claims_text
from ackclock.studies.tools.finding import find
from ackclock.tables.latex import latex
from small_study import write_study

HARD = 'a_b & 5 % of $x$ | {y} #1 ~ ^ \\ <z> "q"'


def claim(**given: Any) -> dict[str, Any]:
    return {
        "id": "S-1",
        "study": "small",
        "kind": "claim",
        "text": HARD,
        "paper": "Figure 1, “1, 2”.",
        "criterion": "less",
        "verdict": "holds",
        "headline": "holds under bits, does not hold under bytes",
        "sentence": "−5 % [−6 %, −4 %].",
        "cases": [
            {
                "reading": "bits",
                "simulator": None,
                "verdict": "holds",
                "sentence": "−5 % [−6 %, −4 %].",
                "figures": {},
            },
            {
                "reading": "bytes",
                "simulator": None,
                "verdict": "does not hold",
                "sentence": "+1 %.",
                "figures": {},
            },
            {
                "reading": "bits",
                "simulator": "ns-2.35",
                "verdict": "in part",
                "sentence": "0 %.",
                "figures": {},
            },
        ],
        "figures": {},
        "quick": False,
        "results_version": 5,
        **given,
    }


def test_csv_has_a_row_for_each_reading_and_simulator() -> None:
    rows = list(csv.DictReader(io.StringIO(claims_text([claim()], "csv"))))
    assert [(row["reading"], row["simulator"], row["verdict"]) for row in rows] == [
        ("bits", "", "holds"),
        ("bytes", "", "does not hold"),
        ("bits", "ns-2.35", "in part"),
    ]
    assert rows[0]["claim"] == HARD
    assert rows[0]["paper"] == "Figure 1, “1, 2”."


def test_a_claim_without_readings_is_one_row() -> None:
    alone = claim(
        cases=[
            {
                "reading": None,
                "simulator": None,
                "verdict": "holds",
                "sentence": "It is.",
                "figures": {},
            }
        ]
    )
    (row,) = csv.DictReader(io.StringIO(claims_text([alone], "csv")))
    assert (row["reading"], row["result"]) == ("", "It is.")


def test_markdown_has_four_cells_a_row_whatever_the_text() -> None:
    lines = [
        line for line in claims_text([claim(), claim()], "md").splitlines() if line.startswith("|")
    ]
    assert [len(re.findall(r"(?<!\\)\|", line)) for line in lines] == [5, 5, 5, 5]
    assert "holds under bits, does not hold under bytes" in lines[2]
    assert "\\<z> " in lines[2]
    assert "a\\_b & 5 % of \\$x\\$ \\| {y}" in lines[2]


def test_latex_has_four_cells_a_row_whatever_the_text() -> None:
    text = claims_text([claim()], "tex")
    (row,) = [line for line in text.splitlines() if line.startswith("S-1")]
    assert len(re.findall(r"(?<!\\)&", row)) == 3
    assert not re.search(r"(?<!\\)%", row)
    assert (
        r"a\_b \& 5~\% of \$x\$ \textbar{} \{y\} \#1 \textasciitilde{} \textasciicircum{} "
        r"\textbackslash{}" in row
    )
    assert "$-$5" in row
    for rule in ("toprule", "midrule", "bottomrule"):
        assert text.count(f"\\{rule}") == 1


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("η_c ≤ Λ", r"$\eta$\_c $\leq$ $\Lambda$"),
        ("RTT² and x₀", "RTT$^{2}$ and x$_{0}$"),
        ("T½", "T$1/2$"),
        ("Phạm “q” … 5 % – x", "Phạm ``q'' \\dots{} 5~\\% -- x"),
    ],
)
def test_letters_are_what_latex_calls_them(text: str, written: str) -> None:
    assert latex(text) == written


@pytest.mark.parametrize("name", studies())
def test_every_letter_of_our_studies_is_known_to_latex(name: str) -> None:
    study = find_study(name)
    texts = [
        text
        for statement in study.statements
        for text in (statement.text, statement.paper or "", statement.criterion.describe())
    ]
    written = latex(" ".join(texts))
    assert {letter for letter in written if ord(letter) > 127 and not letter.isalpha()} == set()


def test_the_table_breaks_between_rows_at_the_end_of_a_page() -> None:
    text = claims_text([claim()], "tex")
    assert r"\begin{longtable}" in text
    assert text.index(r"\midrule") < text.index(r"\endhead") < text.index("S-1 & ")


@pytest.mark.long
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX here")
def test_latex_takes_it_and_no_row_leaves_its_page(tmp_path: Path) -> None:
    (tmp_path / "claims.tex").write_text(claims_text([claim()] * 60, "tex"), encoding="utf-8")
    packages = "\\usepackage[T1]{fontenc}\\usepackage{array,booktabs,longtable}"
    document = (
        f"\\documentclass{{article}}{packages}\\begin{{document}}\\input{{claims}}\\end{{document}}"
    )
    (tmp_path / "a.tex").write_text(document, encoding="utf-8")
    ran = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert r"Overfull \vbox" not in ran.stdout


@pytest.mark.long
def test_a_study_leaves_all_of_them_beside_its_page(tmp_path: Path) -> None:
    study = find(str(write_study(tmp_path / "source")))
    run_study(study, quick=True, out=tmp_path / "out")
    folder = tmp_path / "out" / "small"
    for name in ("csv", "md", "tex"):
        assert "S-Q1" in (folder / f"claims.{name}").read_text(encoding="utf-8")
    assert bibtex_of(folder) == bibtex_of(tmp_path / "out") == f"{study.bibtex}\n"
    # A study that has lost its entry does not keep the file.
    from dataclasses import replace

    run_study(replace(study, bibtex=""), quick=True, out=tmp_path / "out")
    with pytest.raises(FileNotFoundError, match="has no BibTeX entry"):
        bibtex_of(folder)
