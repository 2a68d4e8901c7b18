"""Executes the notebooks of examples/ and compares their outputs with the committed ones.

python tools/notebooks [NOTEBOOK ...]             differences; `make notebooks`
python tools/notebooks --record [NOTEBOOK ...]    writes the outputs into the notebooks
"""

import sys
from pathlib import Path

from executing import differences, execute, read, write

EXAMPLES = Path(__file__).parents[2] / "examples"


def main(words: list[str]) -> int:
    """Execute the notebooks and return the exit status."""
    is_recording = "--record" in words
    names = [Path(word) for word in words if word != "--record"]
    differing = 0
    for path in names or sorted(EXAMPLES.glob("*.ipynb")):
        made = execute(read(path))
        if is_recording:
            write(made, path)
        changes = [] if is_recording else differences(read(path), made)
        differing += bool(changes)
        sys.stdout.write("\n".join([f"{path.name}: {'differs' if changes else 'equal'}", *changes]))
        sys.stdout.write("\n")
    return min(differing, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
