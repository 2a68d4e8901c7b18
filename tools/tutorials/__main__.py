"""Follows the tutorials of docs/tutorials/ as a reader does, and compares what comes out.

python tools/tutorials [PAGE ...]             differences between outputs and pages
python tools/tutorials --record [PAGE ...]    writes outputs and pictures into the pages
"""

import difflib
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from walk import follow

PAGES = Path(__file__).parents[2] / "docs/tutorials"


def main(words: list[str]) -> int:
    """Follow the pages and return the exit status."""
    is_recording = "--record" in words
    names = [Path(word) for word in words if word != "--record"]
    differing = 0
    for page in names or sorted(PAGES.glob("[!R]*.md")):
        with TemporaryDirectory() as folder:
            text = page.read_text(encoding="utf-8")
            walk = follow(text, Path(folder))
            if is_recording:
                page.write_text(walk.text, encoding="utf-8")
                for name, content in walk.pictures.items():
                    (page.parent / name).parent.mkdir(exist_ok=True)
                    (page.parent / name).write_bytes(content)
            elif walk.text != text:
                differing += 1
                old, new = text.splitlines(), walk.text.splitlines()
                lines = difflib.unified_diff(old, new, str(page), "now", lineterm="", n=1)
                sys.stdout.write("\n".join(lines) + "\n")
            sys.stdout.write(f"{page.name}: {walk.commands} commands\n")
    return min(differing, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
