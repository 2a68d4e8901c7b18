"""Pages as a code host shows them: links lead to what git has, and pictures stay small."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from scripts import ROOT

FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1\s*$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s#:]+)(?:#[^)\s]*)?\)")
MOST_BYTES_OF_PICTURES = 1_500_000


@pytest.fixture(scope="module")
def files() -> set[str]:
    """Files that git has or will have, and their folders, as paths from the root."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("no clone: nobody says which files git has")
    names = {name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()}
    return names | {parent.as_posix() for name in names for parent in Path(name).parents}


def test_links_of_pages_lead_to_files_that_git_has(files: set[str]) -> None:
    pages = [
        name
        for name in files
        # These are read in other places: the site's own pages, a part of docs/validation.md.
        if name.endswith(".md") and not name.startswith(("docs/site/", "validation/about"))
    ]
    missing = []
    for page in sorted(pages):
        text = FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))
        for link in LINK.findall(text):
            target = (ROOT / page).parent.joinpath(link).resolve()
            if not target.is_relative_to(ROOT) or target.relative_to(ROOT).as_posix() not in files:
                missing.append(f"{page}: {link}")
    assert not missing


def test_pictures_of_the_pages_stay_small(files: set[str]) -> None:
    """Large pictures belong on pages in full, which git has not (docs/full.md)."""
    sizes = {
        name: (ROOT / name).stat().st_size
        for name in files
        if name.startswith("docs/") and name.endswith(".svg")
    }
    assert sum(sizes.values()) < MOST_BYTES_OF_PICTURES
