"""Checks the words of every doc comment, docstring, comment and page that git knows.

python tools/words [PLACE ...]      faults in these folders and files, or in all
"""

import subprocess
import sys
from pathlib import Path

from check import Fault, faults


def _find(places: list[str]) -> list[Fault]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", *places],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")
    problems: list[Fault] = []
    for path in map(Path, sorted(filter(None, listed))):
        if path.suffix in {".rs", ".py", ".md"} and path.is_file():
            text = path.read_text(encoding="utf-8")
            # The words of a generated file are judged where they are written.
            if "Made by ``python tools/border``." not in text[:200]:
                problems += faults(path, text)
    return sorted(problems, key=lambda fault: (fault.path, fault.line))


def main(places: list[str]) -> int:
    """Print the faults and return the exit status."""
    problems = _find(places)
    print(*problems, f"{len(problems)} faults", sep="\n")
    return min(len(problems), 1)


sys.exit(main(sys.argv[1:]))
