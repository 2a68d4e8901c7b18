"""The commands of each tutorial print what the tutorial shows, and make its pictures."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TUTORIALS = ROOT / "docs/tutorials"
PAGES = sorted(path for path in TUTORIALS.glob("*.md") if path.name != "README.md")

sys.path.insert(0, str(ROOT / "tools/tutorials"))
from walk import follow  # type: ignore[import-not-found]  # noqa: E402


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial_shows_what_its_commands_print(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    walk = follow(text, tmp_path)
    assert walk.commands >= 3
    assert walk.text.splitlines() == text.splitlines(), "python tools/tutorials --record"
    for name, content in walk.pictures.items():
        assert content.startswith(b"<?xml")
        assert (TUTORIALS / name).is_file(), name


def test_the_first_page_leads_to_every_tutorial() -> None:
    first = (TUTORIALS / "README.md").read_text(encoding="utf-8")
    for page in PAGES:
        assert f"]({page.name})" in first


def test_a_walk_takes_files_outputs_and_pictures_from_the_page(tmp_path: Path) -> None:
    page = (
        "Save this as `a.txt`:\n\n```toml\nx = 1\n```\n\n```sh\ncat a.txt\ncp a.txt b.txt\n```\n\n"
        "```text\nold\n```\n\n```text\nnot an output\n```\n\n"
        "<!-- picture: b.txt -->\n![b](pictures/b.svg)\n"
    )
    walk = follow(page, tmp_path)
    assert walk.text == page.replace("old", "x = 1")
    assert walk.pictures == {"pictures/b.svg": b"x = 1\n"}


def test_a_command_that_fails_ends_the_walk(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="no-such-command"):
        follow("```sh\nno-such-command\n```\n", tmp_path)
