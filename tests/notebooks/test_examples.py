"""The notebooks of examples/ are small and clean, and give the outputs that are committed."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
REASON = "nbclient, nbformat and ipykernel are not installed here: `make notebooks` has them"


def test_there_are_eight_and_the_first_page_leads_to_each() -> None:
    first = (ROOT / "examples/README.md").read_text(encoding="utf-8")
    assert len(NOTEBOOKS) == 8
    for path in NOTEBOOKS:
        assert f"]({path.name})" in first


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_small_and_clean(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.encode()) < 200_000
    assert not re.search(r"(?<![\w.])/(?:home|root|tmp|work|Users|private|var)/", text)
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "code":
            assert cell["execution_count"] is None
            assert all(output["output_type"] != "error" for output in cell["outputs"])
            assert all(output.get("name") != "stderr" for output in cell["outputs"])


def test_a_notebook_begins_with_a_title_and_its_purpose() -> None:
    for path in NOTEBOOKS:
        first = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])
        assert re.match(r"# .+\n\nThis notebook ", first), path.name


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_execution_gives_the_committed_outputs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for needed in ("nbclient", "nbformat", "ipykernel"):
        pytest.importorskip(needed, reason=REASON)
    monkeypatch.syspath_prepend(str(ROOT / "tools/notebooks"))
    executing: Any = __import__("executing")
    assert "executing" in sys.modules
    committed = executing.read(path)
    assert executing.differences(committed, executing.execute(committed)) == []
