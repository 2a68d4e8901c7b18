"""Builds the site from docs/: `make site` calls it.

Pages stay as they are for a code host. A copy of them is staged in out/site-pages, with the pages
that follow from the code (commands, API, gallery), and Sphinx makes the site from it. Any warning
is an error.
"""

import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import main as sphinx
from staging import built_page, stage

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def main() -> int:
    """Stage the pages, build the site in site/ and return the exit status."""
    out = ROOT / "site"
    pages = ROOT / "out/site-pages"
    stage(ROOT, pages)
    # Sphinx and its reader of notebooks keep their own files beside these.
    made = ROOT / "out/site/html"
    status = sphinx([
        "-b", "html", "-c", str(HERE), "-d", str(ROOT / "out/site/doctrees"),
        "--fail-on-warning", "--keep-going", "-q", "-j", "auto", str(pages), str(made),
    ])  # fmt: skip
    if status == 0:
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(made, out, ignore=shutil.ignore_patterns(".*", "_sources"))
        if built_page(ROOT).is_dir():
            shutil.copytree(built_page(ROOT), out / "playground")
        sys.stdout.write(
            f"site: open {out / 'index.html'} (links to other sites: out/site-links.txt)\n"
        )
    return status


if __name__ == "__main__":
    sys.exit(main())
