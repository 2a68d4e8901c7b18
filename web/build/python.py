"""Make web/public/python: Pyodide, and one archive with all modules of the resolver.

The archive has the standard library, the packages of requirements.lock that the resolver needs,
one of them compiled for Pyodide, and the resolver itself: the package ackclock without the modules
that the page does not call. All is compiled to byte code, and packed with gzip because few servers
would do so. The page unpacks it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock import _core

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

WEB = Path(__file__).parent.parent
ROOT = WEB.parent
RUNTIME = WEB / "node_modules" / "pyodide"
TARGET = WEB / "public" / "python"
STAMP = "inputs.txt"

# Below python/ in the archive: imported from there.
PACKAGES = (
    "annotated-types", "pydantic", "tomli-w", "typing-extensions", "typing-inspection",
)  # fmt: skip
# Below files/ in the archive: its machine code has to be a file.
COMPILED = ("pydantic-core",)
# The package's own face is left out: it reads a stub as a file, and names what is not packed.
MODULES = (
    "atomic_io", "catalogue", "cc.py", "core_types/__init__.py", "core_types/names.py",
    "core_types/sharing.py", "engine/__init__.py", "engine/run.py", "errors.py", "formulas",
    "messages.py", "pages/__init__.py", "pages/rpc", "results", "runtime", "scenario", "tables",
    "views/__init__.py", "views/figure_options.py",
)  # fmt: skip
_UNUSED_OF_ACKCLOCK = (
    "results/diagnosis/response.py", "results/docs.py", "results/groups.py",
    "results/run_tables.py", "results/terminal.py", "results/transfers.py",
    "scenario/randomness.py", "tables/frame.py", "tables/html.py", "tables/latex.py",
    "tables/markdown.py", "tables/pandas.py", "tables/table.py", "tables/terminal.py",
)  # fmt: skip

# Modules of the standard library that nothing in the page imports.
_UNUSED = (
    "_pydatetime", "_pydecimal", "_pyio", "_pyrepl", "_strptime", "bdb", "cProfile", "code",
    "compression/zstd", "configparser", "csv", "ctypes", "curses", "dbm", "doctest",
    "email/_header_value_parser", "email/contentmanager", "email/headerregistry", "email/mime",
    "ensurepip", "filecmp", "fileinput", "ftplib", "getpass", "graphlib", "html/entities",
    "html/parser", "http", "idlelib", "imaplib", "mailbox", "mimetypes", "modulefinder",
    "multiprocessing", "netrc", "nturl2path", "optparse", "pdb", "pickletools", "plistlib",
    "poplib", "profile", "pstats", "pty", "pyclbr", "pydoc", "pydoc_data", "sched",
    "shelve", "smtplib", "socketserver", "sqlite3", "statistics", "stringprep", "tabnanny",
    "tarfile", "test", "timeit", "tkinter", "trace", "tracemalloc", "turtle", "unittest",
    "urllib/request", "venv", "wave", "webbrowser", "wsgiref", "xml", "xmlrpc", "zipapp",
)  # fmt: skip
_ENCODINGS = (
    "__init__", "aliases", "ascii", "cp437", "latin_1", "unicode_escape", "utf_16", "utf_32",
    "utf_8", "utf_8_sig",
)  # fmt: skip
# pydantic's own version 1, and its plug-ins of type checkers.
_UNUSED_OF_PACKAGES = ("pydantic/v1/", "pydantic/mypy.py", "pydantic/_internal/_mypy")

# Zip's own beginning of time: equal contents give equal bytes.
_EPOCH = (1980, 1, 1, 0, 0, 0)


def _locked() -> str:
    """Return the lines of requirements.lock that pin the packages, hashes included."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    found = []
    for package in (*PACKAGES, *COMPILED):
        pinned = re.search(rf"^{package}==.*?(?=^\S|\Z)", lock, re.MULTILINE | re.DOTALL)
        if pinned is None:
            raise SystemExit(f"requirements.lock: {package} is missing")
        found.append(pinned[0])
    return "".join(found)


def _info() -> dict[str, str]:
    """Return the versions that Pyodide asks for when it starts."""
    lock: dict[str, dict[str, str]] = json.loads(
        (RUNTIME / "pyodide-lock.json").read_text(encoding="utf-8")
    )
    return lock["info"]


def _wheels(folder: Path) -> list[Path]:
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


def _of_wheels(wheels: list[Path]) -> Iterator[tuple[str, bytes]]:
    for wheel in wheels:
        is_compiled = wheel.name.replace("_", "-").startswith(COMPILED)
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if name.endswith((".py", ".so")) and not name.startswith(_UNUSED_OF_PACKAGES):
                    yield f"{'files' if is_compiled else 'python'}/{name}", archive.read(name)


def _licences(wheels: list[Path]) -> str:
    """Return the names, licences and homes of all parts, and the packages' texts."""
    runtime = json.loads((RUNTIME / "package.json").read_text(encoding="utf-8"))
    texts = [
        f"Pyodide {runtime['version']}: {runtime['license']}, {runtime['homepage']}",
        f"CPython {_info()['python']}: PSF-2.0, whose text is below typing_extensions",
    ]
    for wheel in wheels:
        name, version, *_ = wheel.name.split("-")
        with zipfile.ZipFile(wheel) as archive:
            texts += [
                f"{name} {version}:\n\n{archive.read(each).decode('utf-8').strip()}"
                for each in archive.namelist()
                if ".dist-info/" in each and Path(each).name.startswith("LICENSE")
            ]
    return f"\n\n{'-' * 80}\n\n".join(texts) + "\n"


def _is_used(name: str) -> bool:
    """Return whether the page may need a file of the standard library."""
    module = name.removesuffix(".py")
    if module.startswith("encodings/"):
        return module.removeprefix("encodings/") in _ENCODINGS
    return name.endswith(".py") and not any(
        module == each or module.startswith(f"{each}/") for each in _UNUSED
    )


def _of_the_library() -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(RUNTIME / "python_stdlib.zip") as archive:
        for name in archive.namelist():
            if _is_used(name):
                yield f"python/{name}", archive.read(name)


def _of_ackclock() -> Iterator[tuple[str, bytes]]:
    package = ROOT / "python" / "ackclock"
    yield "python/ackclock/__init__.py", b""
    for module in MODULES:
        path = package / module
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            name = file.relative_to(package).as_posix()
            if file.suffix in (".py", ".cdf") and not name.startswith(_UNUSED_OF_ACKCLOCK):
                yield f"python/ackclock/{name}", file.read_bytes()
    for file in sorted((WEB / "python").rglob("*.py")):
        name = file.relative_to(WEB / "python").as_posix()
        yield f"python/{'ackclock/' if name == '_core.py' else ''}{name}", file.read_bytes()
    yield "python/ackclock/_constants.py", _constants().encode()


def _constants() -> str:
    """Return a module with the results of the core's functions without arguments."""
    constants = {
        "VERSION": _core.__version__,
        "RESULTS_VERSION": _core.RESULTS_VERSION,
        "LIST_CC": _core.list_cc(),
        "LIST_QDISC": _core.list_qdisc(),
        "COLUMNS": _core.columns(),
        "ROW_BYTES": _core.row_bytes(),
    }
    return "".join(f"{name} = {value!r}\n" for name, value in constants.items())


def _compiled(contents: Mapping[str, bytes], folder: Path) -> bytes:
    """Return the archive of the compiled modules."""
    sources, result = folder / "sources.zip", folder / "result.zip"
    with zipfile.ZipFile(sources, "w") as archive:
        for name in sorted(contents):
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), contents[name])
    script = Path(__file__).with_name("compile.mjs")
    subprocess.run(["node", str(script), str(sources), str(result)], check=True)
    return result.read_bytes()


def _stamp(own: Mapping[str, bytes]) -> str:
    """Return a text that differs whenever the result would."""
    digest = hashlib.sha256()
    builders = [
        Path(__file__).with_name(name) for name in ("python.py", "compile.py", "compile.mjs")
    ]
    for part in (
        *(file.read_bytes() for file in builders),
        (RUNTIME / "package.json").read_bytes(),
        _locked().encode(),
        *(name.encode() + b"\0" + content for name, content in own.items()),
    ):
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def _pack(name: str, content: bytes) -> int:
    """Write a file packed, and return its packed size."""
    packed = gzip.compress(content, 9, mtime=0)
    (TARGET / f"{name}.packed").write_bytes(packed)
    return len(packed)


def main() -> None:
    """Write the folder, unless it is there and nothing has changed."""
    own = dict(_of_ackclock())
    stamp = TARGET / STAMP
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == _stamp(own):
        return
    shutil.rmtree(TARGET, ignore_errors=True)
    TARGET.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        wheels = _wheels(Path(folder))
        contents = {**dict(_of_the_library()), **dict(_of_wheels(wheels)), **own}
        archive = _compiled(contents, Path(folder))
        licences = _licences(wheels)
    (TARGET / "licences.txt").write_text(licences, encoding="utf-8")
    for name in ("pyodide.mjs", "pyodide.asm.mjs"):
        # Source maps are left out, and the lines that name them.
        text = (RUNTIME / name).read_text(encoding="utf-8")
        (TARGET / name).write_text(re.sub(r"\n//# source\S*", "", text), encoding="utf-8")
    # Pyodide's own list of packages has 357; the page loads none of them.
    lock = {"info": _info(), "packages": {}}
    (TARGET / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    sizes = {
        "pyodide.asm.wasm": _pack("pyodide.asm.wasm", (RUNTIME / "pyodide.asm.wasm").read_bytes()),
        "python_stdlib.zip": _pack("python_stdlib.zip", archive),
    }
    (TARGET / "sizes.json").write_text(json.dumps(sizes), encoding="utf-8")
    stamp.write_text(_stamp(own), encoding="utf-8")


if __name__ == "__main__":
    main()
