"""Installs ackclock's wheel into new environments and tries what the documentation shows.

python tools/wheel WHEEL [PYTHON ...]      PYTHON: python3 by default, or several

The environments lie in a temporary folder outside of the clone. Neither cargo nor make is on PATH.
The papers' wheel lies beside ackclock's; other packages come from where pip finds them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from steps import BARE, FULL, Step

_EXTRAS = "plots,science"


class Environment:
    """A virtual environment and an empty working folder."""

    def __init__(self, python: str, place: Path) -> None:
        self._home = place
        self.folder = place / "work"
        self.folder.mkdir()
        # The head of a film, which a reader of text refuses.
        (self.folder / "film.mp4").write_bytes(b"\x00\x00\x00\x20ftypisom" + bytes(1000))
        subprocess.run([python, "-m", "venv", place / "venv"], check=True)
        self._programs = next(
            folder for name in ("bin", "Scripts") if (folder := place / "venv" / name).is_dir()
        )
        named = self.run("python", "-c", "import platform; print(platform.python_version())")
        self.version = named.stdout.strip()

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment in the working folder; nothing else is on PATH."""
        environment = {
            name: text
            for name, text in os.environ.items()
            if name in {"SYSTEMROOT", "TEMP", "TMP", "SSL_CERT_FILE"}
            or name.startswith("PIP_")
            or name.lower().endswith("_proxy")
        }
        environment |= {"PATH": str(self._programs), "HOME": str(self._home), "COLUMNS": "100"}
        return subprocess.run(
            [self._programs / program, *arguments],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    def install(self, wheel: Path, extras: str = "") -> None:
        """Install with pip, and say how large the packages are then."""
        what = f"{wheel}{extras}"
        done = self.run(
            *("python", "-m", "pip", "install", "--quiet", "--find-links", str(wheel.parent), what)
        )
        if done.returncode:
            sys.exit(f"pip install {what} failed:\n{done.stdout}{done.stderr}")
        sizes = self._sizes()
        largest = ", ".join(
            f"{name} {size / 1e6:.0f}"
            for name, size in sorted(sizes.items(), key=lambda entry: -entry[1])[:6]
        )
        print(f"  installed: {sum(sizes.values()) / 1e6:.0f} MB ({largest})", flush=True)

    def _sizes(self) -> dict[str, int]:
        """Bytes of each folder of packages, without those that a new environment has."""
        where = self.run("python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
        sizes: dict[str, int] = {}
        for path in Path(where.stdout.strip()).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                top = path.relative_to(where.stdout.strip()).parts[0]
                name = top.partition(".")[0].partition("-")[0].lower()
                sizes[name] = sizes.get(name, 0) + path.stat().st_size
        return {name: size for name, size in sizes.items() if name not in {"pip", "setuptools"}}


def _try(environment: Environment, step: Step) -> None:
    began = time.monotonic()
    done = environment.run("ackclock", *step.arguments)
    said = done.stdout + done.stderr
    faults = []
    if done.returncode != step.status:
        faults.append(f"exit status {done.returncode}, not {step.status}")
    faults += [f"not said: {text!r}" for text in step.says if text not in said]
    faults += [
        f"not written: {name}" for name in step.writes if not (environment.folder / name).exists()
    ]
    print(
        f"  {time.monotonic() - began:5.1f} s  ackclock {' '.join(step.arguments)}"
        + (f"  -> {done.stderr.strip()}" if step.status else ""),
        flush=True,
    )
    if faults:
        sys.exit(f"FAILED: {'; '.join(faults)}\n{said}")


def main(wheel: str, pythons: list[str]) -> None:
    """Try the wheel with each Python."""
    path = Path(wheel).resolve()
    print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")
    for python in pythons:
        with tempfile.TemporaryDirectory(prefix="ackclock-wheel-") as place:
            environment = Environment(python, Path(place))
            print(f"Python {environment.version}, default packages", flush=True)
            environment.install(path)
            for step in BARE:
                _try(environment, step)
            print(f"Python {environment.version}, with [{_EXTRAS}]", flush=True)
            environment.install(path, f"[{_EXTRAS}]")
            for step in FULL:
                _try(environment, step)
    print("the wheel does what the documentation shows")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:] or ["python3"])
