"""Print with how many of our transcripts this machine's kernel agrees (``make validate``).

Where it was not asked, the output says so plainly.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

EXPECTATIONS = Path(__file__).with_suffix(".toml")
_CANNOT = 2


def main(program: str) -> int:
    """Ask the kernel with this packetdrill program."""
    if shutil.which(program) is None:
        sys.stdout.write(
            f"Transcripts: not checked against a kernel, as there is no program '{program}' here: "
            "make validate PACKETDRILL=PATH\n"
        )
        return 0
    command = [
        str(Path(sys.executable).with_name("ackclock")),
        "packetdrill",
        "--kernel",
        program,
        "--expect",
        str(EXPECTATIONS),
    ]
    status = subprocess.run(command, check=False).returncode
    if status == _CANNOT:
        sys.stdout.write("Transcripts: not checked against a kernel, for the reason above.\n")
        return 0
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
