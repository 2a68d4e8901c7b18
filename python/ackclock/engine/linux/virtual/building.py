"""Build a kernel for virtual time: a distribution's package or a developer's own tree, ARCH=um."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.atomic_io import system
from ackclock.engine.linux.machine import LinuxError
from ackclock.engine.linux.virtual.booting import work_in_virtual_time
from ackclock.engine.linux.virtual.kernels import (
    FACTS,
    PROGRAM,
    SEEDED,
    VirtualKernel,
    folder_of_kernels,
    virtual,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["build", "newest_package"]

_HERE = Path(__file__).parent
_CONFIG = _HERE / "kernel.config"
_RANDOM = _HERE / "random.c"
_TOOLS = ("make", "gcc", "flex", "bison", "bc", "perl", "tar", "xz")
# A symbol's first default counts, and ARCH=um asks nobody for HZ.
_TICKS = "\nconfig HZ\n\tint\n\tdefault {hz}\n"
_SOURCES = Path("/usr/src")
_ARCHIVE = ".tar.xz"


def build(
    name: str,
    *,
    source: Path | None = None,
    package: str = "",
    hz: int = 250,
    changes: Mapping[str, str] | None = None,
    progress: Callable[[str, int], None] | None = None,
) -> VirtualKernel:
    """Build a kernel and keep it as `name` in the user's cache.

    Parameters
    ----------
    name
        Name for ``--virtual=NAME``.
    source
        Folder of a kernel's source. It must be clean of builds (``make mrproper``), and stays so.
        Its objects stay in the cache.
    package
        Debian's package of a source that is installed, such as ``"linux-source-6.12"``, where
        there is no `source`; by default the newest.
    hz
        Ticks per second, 24 to 1000: timers of delayed ACKs and retransmissions count them.
    changes
        Values by symbol of the configuration, without ``CONFIG_``: ``{"NET_SCH_CAKE": "n"}``.
    progress
        Function that gets a step's name and the number of objects compiled so far.

    Raises
    ------
    LinuxError
        If a tool is missing, or the build fails; the text has the compiler's first error.
    """
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise LinuxError(f"'{name}' is no name of a kernel: letters, digits, dots, - and _")
    missing = [tool for tool in _TOOLS if shutil.which(tool) is None]
    if missing:
        raise LinuxError(
            f"building a kernel needs {', '.join(missing)} (Debian, Ubuntu: apt-get install "
            "build-essential flex bison bc xz-utils)"
        )
    tell = progress or (lambda _step, _count: None)
    place = folder_of_kernels() / name
    if source is not None:
        tree = source.resolve()
        _check_tree(tree)
        with _objects_of(tree) as work:
            return _built(name, tree, work, hz, changes or {}, tell)
    tree = _unpacked(package or newest_package(), place / "source", tell)
    _check_tree(tree)
    work = place / "build"
    shutil.rmtree(work, ignore_errors=True)
    kernel = _built(name, tree, work, hz, changes or {}, tell)
    shutil.rmtree(work)
    shutil.rmtree(tree.parent)
    return kernel


@contextmanager
def _objects_of(tree: Path) -> Iterator[Path]:
    """The folder of a tree's objects, so that the next build compiles what has changed since."""
    folder = folder_of_kernels().parent / "objects" / hashlib.sha256(bytes(tree)).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        if not system.lock(lock.fileno()):
            raise LinuxError(f"another command builds {tree}: wait for its end")
        yield folder


def _built(
    name: str,
    tree: Path,
    work: Path,
    hz: int,
    changes: Mapping[str, str],
    tell: Callable[[str, int], None],
) -> VirtualKernel:
    """Build a tree with its objects in `work`, boot it once, and keep it."""
    place = folder_of_kernels() / name
    work.mkdir(parents=True, exist_ok=True)
    place.mkdir(parents=True, exist_ok=True)
    # An older kernel of this name is gone from here on.
    (place / FACTS).unlink(missing_ok=True)
    text = _CONFIG.read_text(encoding="ascii")
    text += "".join(f"CONFIG_{key}={value}\n" for key, value in sorted(changes.items()))
    (work / "lab.config").write_text(text, encoding="ascii")
    (work / "Kconfig.lab").write_text(_kconfig(tree, hz), encoding="utf-8")
    variables = {
        **os.environ,
        "KCONFIG_ALLCONFIG": str(work / "lab.config"),
        "KBUILD_KCONFIG": str(work / "Kconfig.lab"),
        # So that a program depends on its source alone.
        "KBUILD_BUILD_VERSION": "1",
        "KBUILD_BUILD_TIMESTAMP": "2000-01-01",
        "KBUILD_BUILD_USER": "ackclock",
        "KBUILD_BUILD_HOST": "ackclock",
    }
    make = ["make", "-C", str(tree), "ARCH=um", f"O={work}", f"-j{os.cpu_count() or 1}"]
    tell("configuring", 0)
    _call([*make, "allnoconfig"], variables, lambda _count: None)
    _check_config(work / ".config", hz)
    _call([*make, "linux"], variables, lambda count: tell("compiling", count))
    # A run of the older kernel may be under way, and its program is then busy.
    shutil.copy(work / "linux", place / "new")
    (place / "new").rename(place / PROGRAM)
    _call(
        ["gcc", "-O2", "-shared", "-fPIC", "-o", str(place / SEEDED), str(_RANDOM)],
        variables,
        lambda _count: None,
    )
    config = (work / ".config").read_bytes()
    digest = hashlib.sha256((place / PROGRAM).read_bytes() + config).hexdigest()
    shutil.copyfile(work / ".config", place / "config")
    tell("booting", 0)
    with tempfile.TemporaryDirectory(dir=place) as boot:
        facts = work_in_virtual_time(place, Path(boot), "facts")
    (place / FACTS).write_text(json.dumps({**facts, "hz": hz, "digest": digest}, indent=1) + "\n")
    return virtual(name)


def newest_package() -> str:
    """The package of the newest source that is installed.

    Raises
    ------
    LinuxError
        If there is none.
    """
    found = [
        path.name.removesuffix(_ARCHIVE) for path in _SOURCES.glob(f"linux-source-*{_ARCHIVE}")
    ]
    if not found:
        raise LinuxError(
            f"there is no linux-source-*{_ARCHIVE} in {_SOURCES}: apt-get install linux-source, or "
            "name a tree with --source"
        )
    return max(found, key=lambda name: [int(number) for number in re.findall(r"\d+", name)])


def _unpacked(package: str, into: Path, tell: Callable[[str, int], None]) -> Path:
    archive = _SOURCES / f"{Path(package).name}{_ARCHIVE}"
    if not archive.is_file():
        raise LinuxError(
            f"there is no {archive}: apt-get install {package}, or name a tree with --source"
        )
    tell(f"unpacking {archive.name}", 0)
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    _call(["tar", "-xf", str(archive), "-C", str(into)], os.environ, lambda _count: None)
    return next(into.iterdir())


def _kconfig(tree: Path, hz: int) -> str:
    """The root of the tree's configuration, with the ticks behind its title."""
    text = (tree / "Kconfig").read_text(encoding="utf-8")
    return re.sub(
        r"^mainmenu .*\n", lambda match: match[0] + _TICKS.format(hz=hz), text, flags=re.M
    )


def _check_tree(tree: Path) -> None:
    if not (tree / "arch" / "um" / "Kconfig").is_file():
        raise LinuxError(f"{tree} is no source of a kernel: it has no arch/um/Kconfig")
    if (tree / ".config").exists():
        raise LinuxError(f"{tree} has builds of its own inside: make -C {tree} mrproper")


def _check_config(config: Path, hz: int) -> None:
    lines = set(config.read_text(encoding="utf-8").splitlines())
    needed = ("CONFIG_UML_TIME_TRAVEL_SUPPORT=y", "CONFIG_HOSTFS=y", f"CONFIG_HZ={hz}")
    for line in needed:
        if line not in lines:
            raise LinuxError(f"this kernel cannot have {line}, which virtual time needs")


def _call(command: list[str], variables: Mapping[str, str], tell: Callable[[int], None]) -> None:
    """Run a command; its objects are counted, and its errors kept."""
    compiled = 0
    errors = []
    with subprocess.Popen(
        command,
        env=dict(variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as child:
        assert child.stdout is not None
        try:
            for line in child.stdout:
                if line.startswith("  CC "):
                    compiled += 1
                    tell(compiled)
                elif "rror" in line:
                    errors.append(line.strip())
        except BaseException:
            child.terminate()
            raise
    if child.returncode != 0:
        why = f": {errors[0]}" if errors else ""
        raise LinuxError(f"{command[0]} failed with status {child.returncode}{why}")
