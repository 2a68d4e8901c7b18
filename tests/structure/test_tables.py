"""One `Table` is drawn and written by `ackclock.tables` alone."""

import re
from pathlib import Path

import pytest

import ackclock

ROOT = Path(ackclock.__file__).parents[1]
HOME = ROOT / "ackclock" / "tables"

ALONE = {
    "terminal.py": r"rich\.table|rich import .*\btable\b",
    "html.py": r"<table\b",
    "latex.py": r"\\begin\{+(?:tabular|longtable)",
    "markdown.py": r"\|\s*:?-{3}|--:\"",
}
"""Modules of `ackclock.tables`, and the mark of a table that each of them alone leaves."""


def marked(pattern: str) -> set[str]:
    """Files of the package, templates included, with this mark."""
    files = (path for kind in ("*.py", "*.html") for path in ROOT.rglob(kind))
    return {
        path.relative_to(ROOT).as_posix()
        for path in files
        if "vendor" not in path.parts and re.search(pattern, path.read_text(encoding="utf-8"))
    }


@pytest.mark.parametrize("module", ALONE)
def test_one_module_makes_tables_of_a_kind(module: str) -> None:
    assert marked(ALONE[module]) == {(HOME / module).relative_to(ROOT).as_posix()}


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("terminal.py", "from rich.table import Table"),
        ("html.py", '<table class="a">'),
        ("latex.py", r"\begin{tabular}{lr}"),
        ("latex.py", r"\begin{{longtable}}"),
        ("markdown.py", "|---|--:|"),
        ("markdown.py", "| --- | --- |"),
    ],
)
def test_a_table_by_hand_is_seen(module: str, line: str) -> None:
    assert re.search(ALONE[module], line)
