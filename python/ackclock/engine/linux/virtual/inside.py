"""The first process of a kernel in virtual time: ``python -P -m ... FOLDER KIND``.

It mounts the file systems that a run needs, works, and switches the machine off. KIND is "run" or
"random", the work of `ackclock.engine.linux.worker` in FOLDER, or "facts", of the kernel. Messages
go to FOLDER/said. The machine's files are the host's.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from pathlib import Path

__all__ = ["main"]

_SAID = "said"
"""File of a run's folder with the messages, a JSON object per line; `booting` reads it."""

# reboot(2): LINUX_REBOOT_CMD_POWER_OFF.
_POWER_OFF = 0x4321FEDC
_SCRATCH = "/run"
"""Where a file system of the kernel's memory is mounted, for temporary files."""
_MOUNTS = (("proc", "/proc"), ("sysfs", "/sys"), ("tmpfs", _SCRATCH))
_LIBC = ctypes.CDLL(None, use_errno=True)


def _mount(kind: str, place: str) -> None:
    if _LIBC.mount(kind.encode(), place.encode(), kind.encode(), 0, None) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"cannot mount {kind} on {place}: {os.strerror(number)}")


def _work(folder: Path, kind: str) -> None:
    if kind == "facts":
        from ackclock import _core

        facts = {
            **_core.kernel(),
            "sysctls": sorted(path.name for path in Path("/proc/sys/net/ipv4").glob("tcp_*")),
        }
        sys.stdout.write(json.dumps({"answer": facts}) + "\n")
        return
    from ackclock.engine.linux import worker

    worker.main(["--random", str(folder / "plan.json")] if kind == "random" else [str(folder)])


def main(arguments: list[str]) -> None:
    """Do the work in a folder of the host, and switch off."""
    folder = Path(arguments[0])
    with (folder / _SAID).open("a", encoding="utf-8") as said:
        sys.stdout = said
        try:
            for kind, place in _MOUNTS:
                _mount(kind, place)
            os.environ |= {
                "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                "TMPDIR": _SCRATCH,
            }
            _work(folder, arguments[1])
        except BaseException as error:
            line = {"error": f"{type(error).__name__}: {error}", "kind": "machine"}
            said.write(json.dumps(line) + "\n")
        said.flush()
    _LIBC.reboot(_POWER_OFF)


if __name__ == "__main__":
    main(sys.argv[1:])
