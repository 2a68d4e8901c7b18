"""Make web/public/python: Pyodide, the packages that the resolver needs, and the resolver itself.

The packages are those of requirements.lock, one of them compiled for Pyodide. The resolver is the
package ackclock without the modules that the page does not call.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from ackclock import _core

WEB = Path(__file__).parent.parent
ROOT = WEB.parent
RUNTIME = WEB / "node_modules" / "pyodide"
TARGET = WEB / "public" / "python"

FILES_OF_PYODIDE = (
    "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip",
)  # fmt: skip
PACKAGES = (
    "annotated-types", "pydantic", "pydantic-core", "tomli-w", "typing-extensions",
    "typing-inspection",
)  # fmt: skip
MODULES = (
    "__init__.py", "asking", "cc.py", "errors.py", "extras.py", "interruption.py", "look.py", "running.py",
    "views.py", "wording.py", "border", "formulas", "results", "scenario", "video", "writing",
)  # fmt: skip

# Zip's own beginning of time: equal contents give equal bytes.
_EPOCH = (1980, 1, 1, 0, 0, 0)


def _locked() -> str:
    """Return the lines of requirements.lock that pin the packages, hashes included."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    found = []
    for package in PACKAGES:
        pinned = re.search(rf"^{package}==.*?(?=^\S|\Z)", lock, re.MULTILINE | re.DOTALL)
        if pinned is None:
            raise SystemExit(f"requirements.lock: {package} is missing")
        found.append(pinned[0])
    return "".join(found)


def _download(folder: Path) -> list[Path]:
    """Download the wheels for Pyodide's Python."""
    info = _info()
    requirements = folder / "requirements.txt"
    requirements.write_text(_locked(), encoding="utf-8")
    subprocess.run(
        [
            sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
            "--no-deps", "--require-hashes", "--only-binary", ":all:", "--dest", str(folder),
            "--python-version", info["python"].rpartition(".")[0],
            "--platform", f"pyemscripten_{info['abi_version']}_wasm32",
            "--requirement", str(requirements),
        ],
        check=True,
    )  # fmt: skip
    return sorted(folder.glob("*.whl"))


def _info() -> dict[str, str]:
    """Return the versions that Pyodide asks for when it starts."""
    lock: dict[str, dict[str, str]] = json.loads(
        (RUNTIME / "pyodide-lock.json").read_text(encoding="utf-8")
    )
    return lock["info"]


def _constants() -> str:
    """Return what the core's functions without arguments give, as JSON."""
    return json.dumps(
        {
            "version": _core.__version__,
            "results_version": _core.RESULTS_VERSION,
            "list_cc": _core.list_cc(),
            "columns": _core.columns(),
            "row_bytes": _core.row_bytes(),
        }
    )


def _contents(wheels: list[Path]) -> dict[str, bytes]:
    """Return every file of the archive by its path."""
    found: dict[str, bytes] = {}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if name.endswith((".py", ".so")):
                    found[name] = archive.read(name)
    package = ROOT / "python" / "ackclock"
    for module in MODULES:
        path = package / module
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.suffix in (".py", ".cdf"):
                found[f"ackclock/{file.relative_to(package).as_posix()}"] = file.read_bytes()
    for file in sorted((WEB / "python").rglob("*.py")):
        name = file.relative_to(WEB / "python").as_posix()
        found[f"ackclock/{name}" if name == "_core.py" else name] = file.read_bytes()
    found["ackclock/core.json"] = _constants().encode()
    return found


def main() -> None:
    TARGET.mkdir(parents=True, exist_ok=True)
    for name in FILES_OF_PYODIDE:
        shutil.copyfile(RUNTIME / name, TARGET / name)
    # Pyodide's own lists 357 packages; the page has its packages in one archive.
    lock = {"info": _info(), "packages": {}}
    (TARGET / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        contents = _contents(_download(Path(folder)))
    with zipfile.ZipFile(
        TARGET / "packages.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9
    ) as archive:
        for name in sorted(contents):
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), contents[name], zipfile.ZIP_DEFLATED)
    sizes = {
        file.name: file.stat().st_size
        for file in sorted(TARGET.iterdir())
        if file.name != "files.json"
    }
    (TARGET / "files.json").write_text(json.dumps(sizes), encoding="utf-8")


if __name__ == "__main__":
    main()
