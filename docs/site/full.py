"""Stages the pages in full of docs/full.md beside the short ones that git has."""

import re
import sys
from collections.abc import Mapping
from pathlib import Path

from copying import Stage

DOCS = Path(__file__).resolve().parents[1]
if str(DOCS) not in sys.path:
    sys.path.append(str(DOCS))

import dossiers  # noqa: E402

import papers  # noqa: E402

_LINK = re.compile(r"\]\((?:\.\./)*full\.md\)")
"""On a code host a short page leads to docs/full.md, on the site to its page in full."""


def write(staged: Stage) -> None:
    """Stage each page in full with its pictures, and lead to it from its short page."""
    of_papers = _of_papers(staged.root)
    pages = {f"dossiers/{name}": text for name, text in dossiers.full().items()}
    pages |= {f"studies/{name}": text for name, text in papers.full(of_papers).items()}
    pictures = {f"docs/studies/pictures/{name}.svg": file for name, file in of_papers.items()}
    # `make site` makes it first; it takes minutes.
    made = staged.root / "out/full"
    if (made / "validation.md").is_file():
        pages["validation"] = (made / "validation.md").read_text(encoding="utf-8")
        pictures |= {f"docs/validation/{file.name}": file for file in made.glob("validation/*.svg")}
    for target, file in pictures.items():
        staged.write(target, file.read_bytes())
    for name, text in pages.items():
        short, full = f"docs/{name}.md", f"docs/{name}-full.md"
        staged.write(short, _LINK.sub(f"]({Path(full).name})", staged.text(short)))
        staged.page(staged.root / full, is_aside=True, text=text)


def _of_papers(root: Path) -> Mapping[str, Path]:
    """The papers' figures by id: those of git, and all of a full run if there is one."""
    kept = (DOCS / "studies/pictures").glob("*.svg")
    run = (root / "runs/studies").glob("*/figures/*.svg")
    return {file.stem: file for file in (*kept, *run)}


__all__ = ["write"]
