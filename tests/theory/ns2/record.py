"""Records P1's network in ns-2: `python tests/theory/ns2/record.py --cos libcos.so`.

Three files are written:

- `papers/src/ackclock_papers/cos_slow_start/ns2.json` and `ns2-headers.json`: the experiments
  lost-packets and headers, which the study judges beside our runs.
- `staggers.json` beside this file: other spreads of the starts, for `tests/theory/test_ns2.py`
  alone.

It needs Debian's ns2 (2.35+dfsg-5). The plug-in is built from the sources that Debian's package is
made of (its orig tarball, with an autoconf.h that defines HAVE_INT64, HAVE_STL and the usual
headers) and the packages tcl-dev, libotcl1-dev, libtclcl1-dev:

    g++ -O2 -shared -fPIC -fpermissive -w -DUSE_INTERP_RESULT -DNO_TK -DSTL_NAMESPACE=std
    -I/usr/include/tclcl \\
        -I/usr/include/tcl -Ins-2.35 $(find ns-2.35 -maxdepth 1 -type d | sed 's/^/-I/') cos.cc -o
        libcos.so
"""

import argparse
import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
STUDY = HERE.parents[2] / "papers/src/ackclock_papers/cos_slow_start"
SIMULATOR = "ns-2 2.35, Debian 2.35+dfsg-5"
CCS = ("reno", "cos+reno")
CONNECTIONS = (1, 5, 10, 20, 40, 60, 80, 100)
# Payload and file in bytes, ssthresh in packets: the labels and values of the study's axis `units`.
UNITS = {"bits": (125, 125_000, 162), "bytes": (1000, 1_000_000, 20)}
HEADERS = (125, 125_000, 123)
"""As `UNITS`, of the experiment headers."""
# How many seeds, limit of ns-2's queue and initial window, by the labels of the study's axis
# `setup`. ns-2's DropTail counts the packet that is being sent: a limit of 21 lets 20 wait.
SETUPS = {"as ns-2 has it": (20, 20, 1), "window of 4": (10, 20, 4), "20 wait": (10, 21, 1)}
STAGGERS = (0.1, 10.0)
STAGGERED = (1, 5, 10, 20, 40, 80, 100)
COUNTED = {
    "drops": "lost_packets",
    "timeouts": "timeouts",
    "again": "retransmitted_packets",
    "time": "transfer_time",
    "busy": "utilisation",
}

Run = dict[str, Any]


def lost_packets() -> Iterator[Run]:
    """Settings of the study's experiment lost-packets; all start within a second."""
    for units in UNITS:
        for setup, (seeds, _, _) in SETUPS.items():
            for connections in CONNECTIONS:
                for cc in CCS:
                    for seed in range(1, seeds + 1):
                        yield {
                            "units": units,
                            "setup": setup,
                            "connections": connections,
                            "cc": cc,
                            "seed": seed,
                        }


def headers() -> Iterator[Run]:
    """Settings of the study's experiment headers."""
    for connections in CONNECTIONS:
        for cc in CCS:
            for seed in range(1, 11):
                yield {"connections": connections, "cc": cc, "seed": seed}


def staggered() -> Iterator[Run]:
    """Bytes and an initial window of one packet, with starts closer together and further apart."""
    for stagger in STAGGERS:
        for connections in STAGGERED:
            for cc in CCS:
                for seed in range(1, 11):
                    yield {"stagger": stagger, "connections": connections, "cc": cc, "seed": seed}


def measure(cos: str, sizes: tuple[int, int, int] | None, run: Run) -> Run:
    """The setting with one run's counts; `sizes`, in its units, stand in where None is given."""
    packet, file, ssthresh = sizes or UNITS[run["units"]]
    _, limit, window = SETUPS[run.get("setup", "as ns-2 has it")]
    options = {
        "n": run["connections"],
        "seed": run["seed"],
        "stagger": run.get("stagger", 1.0),
        "packet": packet,
        "file": file,
        "ssthresh": ssthresh,
        "window": window,
        "limit": limit,
        "cos": cos if run["cc"] == "cos+reno" else "",
    }
    command = [
        "ns",
        str(HERE / "p1.tcl"),
        *(word for key, value in options.items() for word in (f"-{key}", str(value))),
    ]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    figures = {name: json.loads(value) for name, value in re.findall(r"(\w+) ([\d.]+)", printed)}
    if figures.pop("done") != run["connections"]:
        raise RuntimeError(f"{' '.join(command)}: not all files arrived within 5000 s")
    return {**run, **{COUNTED[name]: value for name, value in figures.items()}}


def write(path: Path, runs: Sequence[Run]) -> None:
    """One line per run, so that a change shows as a change of lines."""
    lines = ",\n".join(json.dumps(run) for run in runs)
    head = f'"simulator": {json.dumps(SIMULATOR)},\n"made_by": "tests/theory/ns2/record.py",\n'
    path.write_text(f'{{\n{head}"runs": [\n{lines}\n]\n}}\n', encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cos", required=True, help="the plug-in, libcos.so")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    cos = str(Path(given.cos).resolve())
    with ThreadPoolExecutor(given.jobs) as pool:
        for path, sizes, runs in (
            (STUDY / "ns2.json", None, lost_packets()),
            (STUDY / "ns2-headers.json", HEADERS, headers()),
            (HERE / "staggers.json", UNITS["bytes"], staggered()),
        ):
            write(path, list(pool.map(partial(measure, cos, sizes), runs)))


if __name__ == "__main__":
    main()
