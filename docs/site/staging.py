"""Stages the pages: those of docs/ as they are, and those that follow from the code."""

import re
import tomllib
from pathlib import Path

import api
import commands
import full
import gallery
import keys
from copying import Stage

HERE = Path(__file__).parent
_PLACE = "<!-- playground -->\n\n"
PAGES = ["README.md", "DESIGN.md", "CONTRIBUTING.md", "CHANGELOG.md"]


def stage(root: Path, to: Path) -> None:
    """Fill the folder `to` with everything that Sphinx reads.

    Files whose content has not changed keep their time, so that Sphinx reads only changed pages.
    """
    staged = Stage(root, to)
    for name in PAGES:
        staged.page(root / name)
    for path in sorted((root / "docs").rglob("*.md")):
        if HERE not in path.parents:
            staged.page(path)
    for path in sorted((root / "docs").rglob("*.svg")):
        staged.copy(path)
    for path in sorted((root / "examples").glob("*")):
        if path.suffix == ".ipynb":
            staged.copy(path)
        elif path.suffix == ".md":
            staged.page(path)
    commands.write(staged)
    api.write(staged)
    keys.write(staged)
    gallery.write(staged, HERE / "gallery.toml")
    _add_children(staged)
    _write_home(staged)
    full.write(staged)
    staged.finish()
    _list_links_elsewhere(staged, root / "out/site-links.txt")


def _list_links_elsewhere(staged: Stage, to: Path) -> None:
    """List the links to other sites, each with a page that has it; nothing is fetched."""
    links: dict[str, str] = {}
    for page in sorted(staged.pages):
        if not page.endswith(".ipynb"):
            for link in re.findall(r"\]\((https?://[^)\s]+)\)", staged.text(page)):
                links.setdefault(link, page)
    to.write_text("".join(f"{link}  {page}\n" for link, page in sorted(links.items())))


def _add_children(staged: Stage) -> None:
    """Give each folder's first page a hidden table of contents, in the order of its links."""
    for page in sorted(staged.pages):
        if page.endswith("/README.md"):
            folder = page.removesuffix("README.md")
        elif any(other.startswith(page.removesuffix(".md") + "/") for other in staged.pages):
            folder = page.removesuffix(".md") + "/"
        else:
            continue
        text = staged.text(page)
        below = {
            other
            for other in staged.pages
            if other.startswith(folder) and "/" not in other[len(folder) :] and other != page
        }
        linked = [
            str((Path(page).parent / link).as_posix())
            for link in re.findall(r"\]\(([^)#\s]+\.(?:md|rst|ipynb))", text)
        ]
        ordered = [*dict.fromkeys(child for child in linked if child in below)]
        ordered += sorted(below - set(ordered))
        if ordered:
            names = "\n".join(f"/{child.rsplit('.', 1)[0]}" for child in ordered)
            staged.write(page, f"{text}\n```{{toctree}}\n:hidden:\n\n{names}\n```\n")


def _write_home(staged: Stage) -> None:
    """Write index.md: the home page, and the navigation by need."""
    with (HERE / "navigation.toml").open("rb") as file:
        navigation = tomllib.load(file)
    sections = navigation["section"]
    listed = {page for section in sections for page in section["pages"]}
    top = [
        page.removesuffix(".md")
        for page in sorted(staged.pages)
        if page.startswith("docs/") and page.count("/") == 1
    ]
    for section in sections:
        if section["title"] == navigation["rest"]:
            section["pages"] += [page for page in top if page not in listed]
    tables = "".join(
        f"```{{toctree}}\n:hidden:\n:caption: {section['title']}\n\n"
        + "\n".join(section["pages"])
        + "\n```\n"
        for section in sections
    )
    home = (HERE / "home.md").read_text(encoding="utf-8")
    staged.write("index.md", f"{home.replace(_PLACE, _playground(staged.root))}\n{tables}")


def _playground(root: Path) -> str:
    """The link to the page in the browser, if `make web` has built it."""
    if not built_page(root).is_dir():
        return ""
    return (
        '<p><a href="playground/index.html"><b>Open the playground</b></a>: turn a knob, see the '
        "queue, know why. Nothing is installed.</p>\n\n"
    )


def built_page(root: Path) -> Path:
    """The folder of the page in the browser; the site has a copy of it at playground/."""
    return root / "web/dist"


__all__ = ["built_page", "stage"]
