"""docs/algorithms/table.md is what `make docs` writes."""

from types import ModuleType

import pytest

from scripts import DOCS, docs_script


@pytest.fixture(scope="module")
def make() -> ModuleType:
    return docs_script()


@pytest.fixture(scope="module")
def table() -> dict[str, list[str]]:
    lines = (DOCS / "algorithms/table.md").read_text(encoding="utf-8").splitlines()
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines
        if line.startswith("| `")
    ]
    return {row[0].strip("`"): row[1:] for row in cells}


def test_every_algorithm_has_its_row(make: ModuleType, table: dict[str, list[str]]) -> None:
    assert list(table) == make.controllers(), "make docs"


@pytest.mark.long
def test_the_first_path_gives_the_figures_of_the_table(
    make: ModuleType, table: dict[str, list[str]]
) -> None:
    figures = make.figures(make.PATHS[0], make.controllers())
    assert {spec: row[:3] for spec, row in table.items()} == figures, "make docs"


@pytest.mark.long
@pytest.mark.parametrize("path", [1, 2])
def test_reno_and_cubic_give_the_figures_of_the_other_paths(
    make: ModuleType, table: dict[str, list[str]], path: int
) -> None:
    specs = ["reno", "cubic"]
    figures = make.figures(make.PATHS[path], specs)
    assert {spec: table[spec][3 * path : 3 * path + 3] for spec in specs} == figures, "make docs"
