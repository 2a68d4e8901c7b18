"""Build what dumbbell.cc needs of a release of ns-3, and the program: build.py TREE OUT.

TREE is a checkout of a release (3.35 and 3.44 were built with it); OUT gets headers, objects and
`dumbbell`. The modules are compiled without ns-3's own build system, which also wants Python
bindings and everything else. One core, some minutes. With Debian's libns3-dev, which is 3.37, this
suffices:

    g++ -O1 -std=c++17 dumbbell.cc -o dumbbell -lns3-internet -lns3-point-to-point
    -lns3-applications \
        -lns3-traffic-control -lns3-network -lns3-core
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
MODULES = ("core", "network", "traffic-control", "bridge", "point-to-point", "internet", "stats")
APPLICATIONS = (
    "bulk-send-application",
    "packet-sink",
    "seq-ts-header",
    "seq-ts-size-header",
    "seq-ts-echo-header",
    "sink-application",
    "source-application",
)
"""Of the applications' module; the last two are there from 3.43 on."""
LEFT_OUT = (
    "win32-",
    "int64x64-cairo",
    "point-to-point-remote-channel",
    "sqlite",
    "realtime",
    "wall-clock-synchronizer",
)
"""Modules that need other libraries or another system."""
CONFIG = "\n".join(
    f"#define {name} 1"
    for name in (
        "HAVE___UINT128_T",
        "INT64X64_USE_128",
        "HAVE_STDINT_H",
        "HAVE_INTTYPES_H",
        "HAVE_SYS_TYPES_H",
        "HAVE_SYS_STAT_H",
        "HAVE_DIRENT_H",
        "HAVE_STDLIB_H",
        "HAVE_SIGNAL_H",
        "HAVE_NETINET_IN_H",
        "HAVE_GETENV",
        "HAVE_PTHREAD_H",
    )
)
DEFINED = (
    "-DNDEBUG",
    "-DNS3_BUILD_PROFILE_OPTIMIZED",
    '-DPROJECT_SOURCE_PATH=""',
    '-DNS_TEST_SOURCEDIR=""',
)


def parts(tree: Path, module: str, pattern: str) -> list[Path]:
    """Files of a module, its tests and examples apart."""
    return [
        file
        for part in ("model", "helper", "utils")
        for file in sorted((tree / "src" / module / part).glob(pattern))
    ]


def main(tree: Path, out: Path) -> int:
    """Compile what is not there yet, then link."""
    include = out / "include" / "ns3"
    include.mkdir(parents=True, exist_ok=True)
    (out / "objects").mkdir(exist_ok=True)
    (include / "core-config.h").write_text(f"{CONFIG}\n", encoding="utf-8")
    for module in (*MODULES, "applications"):
        # From 3.42 on classes say which library they are exported from.
        word = f"{module.upper().replace('-', '_')}_EXPORT"
        (include / f"{module}-export.h").write_text(f"#define {word}\n", encoding="utf-8")
    # Releases built with waf, up to 3.35, are C++17; later ones need C++20.
    standard = "-std=c++17" if (tree / "waf").exists() else "-std=c++20"
    compiler = [
        "g++",
        standard,
        "-O1",
        "-w",
        *DEFINED,
        "-include",
        "cstdint",
        "-include",
        "cstring",
        f"-I{out / 'include'}",
    ]
    objects, failed = [], []
    for module in (*MODULES, "applications"):
        for header in parts(tree, module, "*.h"):
            if not (include / header.name).exists():
                (include / header.name).symlink_to(header)
    for module in (*MODULES, "applications"):
        for source in parts(tree, module, "*.cc"):
            wanted = (
                source.stem in APPLICATIONS
                if module == "applications"
                else not source.name.startswith(LEFT_OUT)
            )
            target = out / "objects" / f"{module}-{source.stem}.o"
            if not wanted:
                continue
            objects.append(str(target))
            if (
                not target.exists()
                and subprocess.run(
                    [*compiler, "-c", "-o", str(target), str(source)], check=False
                ).returncode
            ):
                failed.append(source.name)
    if failed:
        sys.exit(f"not compiled: {', '.join(failed)}")
    # Every object, because a class that nothing names registers itself with the simulator.
    program = [
        *compiler,
        str(HERE / "dumbbell.cc"),
        *objects,
        "-o",
        str(out / "dumbbell"),
        "-lpthread",
        "-lrt",
    ]
    return subprocess.run(program, check=False).returncode


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()))
