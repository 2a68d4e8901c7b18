"""Checks the words of every doc comment, docstring, comment and page that git knows.

python tools/words [PLACE ...]      faults in these folders and files
python tools/words --record         takes the present numbers as those allowed
"""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from check import Fault, faults

_ALLOWED = Path(__file__).parent / "allowed.json"


def _folder(path: Path) -> str:
    """Return the folder that a file's faults count for: at most four names deep."""
    return "/".join(path.parent.parts[:4]) or "."


def _find(places: list[str]) -> list[Fault]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", *places],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")
    found: list[Fault] = []
    for path in map(Path, sorted(filter(None, listed))):
        if path.suffix in {".rs", ".py", ".md"} and path.is_file():
            text = path.read_text(encoding="utf-8")
            # The words of a generated file are judged where they are written.
            if "Made by ``python tools/border``." not in text[:200]:
                found += faults(path, text)
    return sorted(found, key=lambda fault: (fault.path, fault.line))


def main(arguments: list[str]) -> int:
    """Print the faults beyond those allowed and return the exit status."""
    places = [each for each in arguments if not each.startswith("-")]
    found = _find(places)
    if places:
        print(*found, f"{len(found)} faults", sep="\n")
        return min(len(found), 1)
    counts = Counter(_folder(fault.path) for fault in found)
    allowed: dict[str, int] = json.loads(_ALLOWED.read_text()) if _ALLOWED.exists() else {}
    if "--record" in arguments:
        if allowed and counts.total() > sum(allowed.values()):
            print(f"words: {counts.total()} faults, {sum(allowed.values())} allowed: never more")
            return 1
        _ALLOWED.write_text(json.dumps(dict(sorted(counts.items())), indent=2) + "\n")
        return 0
    over = [folder for folder, count in sorted(counts.items()) if count > allowed.get(folder, 0)]
    for folder in over:
        print(*(fault for fault in found if _folder(fault.path) == folder), sep="\n")
        print(f"words: {folder}: {counts[folder]} faults, {allowed.get(folder, 0)} allowed")
    print(f"words: {counts.total()} faults, {sum(allowed.values())} allowed")
    return min(len(over), 1)


sys.exit(main(sys.argv[1:]))
