"""Each catalogue name has a page with the three headings, whose named tests are all run."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs/algorithms"
RUST_TESTS = ROOT / "crates/cc/tests/algorithms"
# No algorithm's page.
OTHERS = {"README.md", "table.md", "slow-starts.md", "your-own.md"}
HEADINGS = ("**Specification", "**Deviations", "**Validation")

LINKS = dict(
    re.findall(r"\[([a-z0-9-]+)\]\(([^)]+)\)", (PAGES / "README.md").read_text(encoding="utf-8"))
)
ALGORITHM_PAGES = sorted(page.name for page in PAGES.glob("*.md") if page.name not in OTHERS)


def catalogue() -> list[str]:
    command = [sys.executable, "-m", "ackclock", "list", "cc", "--json"]
    entries = json.loads(
        subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    )
    return [entry["name"] for entry in entries]


@pytest.mark.parametrize("name", catalogue())
def test_each_name_has_a_page(name: str) -> None:
    assert name in LINKS, f"docs/algorithms/README.md does not link {name}"
    file, _, section = LINKS[name].partition("#")
    text = (PAGES / file).read_text(encoding="utf-8")
    assert re.search(
        rf"^# {re.escape(name)}\b|`{re.escape(name)}[`(]|^## {re.escape(name)}$", text, re.MULTILINE
    )
    assert not section or f"\n## {section}\n" in text


@pytest.mark.parametrize("file", ALGORITHM_PAGES)
def test_each_page_is_linked_and_has_the_three_headings(file: str) -> None:
    assert file in {link.partition("#")[0] for link in LINKS.values()}
    text = (PAGES / file).read_text(encoding="utf-8")
    for heading in HEADINGS:
        assert any(line.startswith(heading) for line in text.splitlines()), heading


@pytest.mark.parametrize("file", [*ALGORITHM_PAGES, *sorted(OTHERS)])
def test_tests_that_a_page_names_exist(file: str) -> None:
    text = (PAGES / file).read_text(encoding="utf-8")
    modules = (RUST_TESTS / "main.rs").read_text(encoding="utf-8")
    for test in re.findall(r"`([a-z0-9_]+)\.rs`", text):
        assert (RUST_TESTS / f"{test}.rs").is_file(), test
        assert f"mod {test};" in modules, f"{test} is not run"
    for path in re.findall(r"`((?:tests|scenarios)/[\w./-]+)`", text):
        assert (ROOT / path).exists(), path
