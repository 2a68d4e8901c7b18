"""Record the experiments of the study sizing-buffers in ns-2.

`python tests/theory/ns2/buffers/record.py [EXPERIMENT ...]`

It needs Debian's ns2 (2.35+dfsg-5) and takes about 15 minutes on one core. Settings are read from
the study's own TOML files. Written are `ns2-EXPERIMENT.json` beside the study, and `curves.json`
beside this file, which has the figures of the study's two recordings. A run whose row is in `--kept
FOLDER` is not made again.
"""

import argparse
import itertools
import json
import re
import subprocess
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ackclock.metrics import loss_synchronisation
from ackclock_papers.sizing_buffers import laws, rules

HERE = Path(__file__).parent
STUDY = HERE.parents[3] / "papers/src/ackclock_papers/sizing_buffers"
SIMULATOR = "ns-2 2.35, Debian 2.35+dfsg-5"
EXPERIMENTS = {"one": 5, "router": 4, "minimum": 3, "in-step": 4, "short": 4}
"""Seeds of each experiment."""
AT_ONCE = {"short": 4}
"""Seeds of the experiments that are repeated with connections that send data without a handshake.
"""
ONLY: dict[str, list[dict[str, list[Any]]]] = {
    "minimum": [{"connections": [25, 100, 250]}, {"connections": [500], "buffer": [46, 92]}],
    "in-step": [{"long_flows": [50, 500]}],
    "short": [{"rate": ["40 Mbit/s", "80 Mbit/s"]}],
    "short-at-once": [{"rate": ["40 Mbit/s"]}],
}
"""Labels at which a file's experiment is run, where not at all: those that a claim looks at.

At 200 Mbit/s ns-2 needs minutes for a run.
"""
GAP = 0.04
"""Drops of `in-step.toml` that are less than this apart are one episode, s."""

Row = dict[str, Any]


def number(text: str) -> float:
    """`2.5ms` in s, `155Mbit/s` in bit/s, `64 packets` in packets, `20440 bytes` in bytes."""
    value, unit = re.fullmatch(r"([\d.]+) ?([A-Za-z/]+)", text).groups()  # type: ignore[union-attr]
    scale = {"ms": 1e-3, "s": 1.0, "Mbit/s": 1e6, "packets": 1.0, "bytes": 1.0}[unit]
    return float(value) * scale


def settings(experiment: str, name: str = "") -> Iterator[tuple[Row, dict[str, Any]]]:
    """The labels of each setting of an experiment, and the scenario that belongs to them."""
    text = (STUDY / f"{experiment}.toml").read_text(encoding="utf-8")
    axes = []
    for axis in tomllib.loads(text)["sweep"]["axes"]:
        changes = {key: values for key, values in axis.items() if key not in ("name", "labels")}
        axes.append((axis["name"], axis.get("labels") or next(iter(changes.values())), changes))
    for chosen in itertools.product(*(range(len(labels)) for _, labels, _ in axes)):
        scenario = tomllib.loads(text)
        for (_, _, changes), at in zip(axes, chosen, strict=True):
            for key, values in changes.items():
                put(scenario, key, values[at])
        setting = {name: labels[at] for (name, labels, _), at in zip(axes, chosen, strict=True)}
        if any(
            all(setting[name] in labels for name, labels in part.items())
            for part in ONLY.get(name or experiment, [{}])
        ):
            yield setting, scenario


def put(scenario: dict[str, Any], key: str, value: Any) -> None:
    """Change a dotted key's value; `flows.` may name a flow, or else means the only one."""
    *most, last = key.split(".")
    place: Any = scenario
    for step in most:
        if isinstance(place, list):
            named = [flow for flow in place if flow["name"] == step]
            place = named[0] if named else place[0][step]
        else:
            place = place[step]
    (place[0] if isinstance(place, list) else place)[last] = value


def options(scenario: dict[str, Any]) -> dict[str, Any]:
    """The options of `buffers.tcl` for a scenario."""
    network, flows = scenario["network"], scenario["flows"]
    bottleneck = network["bottleneck"]
    rate = number(bottleneck["rate"])
    long = [flow for flow in flows if "app" not in flow]
    short = [flow for flow in flows if "app" in flow]
    linux = scenario["profile"] == "linux"
    payload = int(number(flows[0]["transport"]["mss"]))
    limit = bottleneck["limit"]
    arguments: dict[str, Any] = {
        "n": sum(flow.get("count", 1) for flow in long),
        "rate": rate,
        "delay": number(bottleneck["delay"]),
        # ns-2's DropTail counts the packet that is being sent.
        "limit": 10_000_000 if limit == "unlimited" else int(number(limit)) + 1,
        "packet": payload,
        "tcp": "Sack1" if linux else "Reno",
        "window": 10 if linux else 1,
        "from": number(scenario["warmup"]),
        "until": number(scenario["duration"]),
    }
    if "access" in network:
        near, far = (
            network["access"]["delay"].removeprefix("uniform(").removesuffix(")").split(", ")
        )
        arguments |= {"near": number(near), "far": number(far)}
    for flow in short:
        arguments |= {
            "load": flow["app"]["load"],
            "length": int(number(flow["app"]["size"])) // payload,
        }
        # More than are busy at once, so that each rests for a while; `lacking` tells if they do not
        # suffice.
        arguments["agents"] = 800
    return arguments


def ns(given: dict[str, Any]) -> dict[str, float]:
    """One run's figures."""
    command = [
        "ns",
        str(HERE / "buffers.tcl"),
        *(word for key, value in given.items() for word in (f"-{key}", str(value))),
    ]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # ns-2's senders with timestamps print lines of their own, before and after.
    (line,) = (text for text in printed.splitlines() if text.startswith("arrived "))
    figures = {name: float(value) for name, value in re.findall(r"(\w+) (-?[\d.e+-]+)", line)}
    if figures["lacking"]:
        raise RuntimeError(f"{' '.join(command)}: {figures['lacking']:g} flows found no idle agent")
    return figures


def responses(figures: dict[str, float], wanted: list[str]) -> Row:
    """The figures under the names that the study has for them."""
    known = {
        "utilisation": round(min(figures["busy"], 1.0), 6),
        "loss_rate": round(1 - figures["departed"] / figures["arrived"], 6)
        if figures["arrived"] > figures["departed"]
        else 0.0,
        "queue_delay.mean": round(figures["wait"], 9),
        "mean wait": round(figures["wait"], 9),
        "timeouts": int(figures["timeouts"]),
        "completion time": round(figures["taken"], 6),
        "queue p5": figures.get("p5"),
        "queue_empty_share": None if "empty" not in figures else round(figures["empty"], 6),
    }
    return {name: known[name] for name in wanted if known.get(name) is not None}


def at_once(path: Path, flows: int, since: float) -> float:
    """Mean share of the flows that lose a packet in one episode, from a list of drops."""
    drops: dict[int, list[float]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if float(words[1]) >= since:
            drops[int(words[7])].append(float(words[1]))
    share = loss_synchronisation([np.array(drops[flow]) for flow in range(flows)], GAP)
    assert share is not None
    return round(share, 6)


def measure(
    experiment: str, labels: Row, scenario: dict[str, Any], seed: int, *, handshake: bool
) -> Row:
    """A row of the file: labels, seed and responses."""
    given = {**options(scenario), "seed": seed, "handshake": int(handshake)}
    names = [
        response if isinstance(response, str) else response["name"]
        for response in scenario["sweep"]["responses"]
    ]
    row = {**labels, "seed": seed}
    if experiment == "in-step":
        with tempfile.TemporaryDirectory() as folder:
            drops = Path(folder) / "drops"
            ns({**given, "drops": drops})
            return {**row, names[0]: at_once(drops, given["n"], given["from"])}
    return {**row, **responses(ns(given), names)}


def write(path: Path, rows: list[Row]) -> None:
    """One line per run, so that a change shows as a change of lines."""
    lines = ",\n".join(json.dumps(row) for row in rows)
    head = (
        f'"simulator": {json.dumps(SIMULATOR)},\n"made_by": "tests/theory/ns2/buffers/record.py",\n'
    )
    path.write_text(f'{{\n{head}"runs": [\n{lines}\n]\n}}\n', encoding="utf-8")


def record(name: str, experiment: str, seeds: int, kept: Path | None, *, handshake: bool) -> None:
    """Make the rows of a file that are missing, and write all of it."""
    path = None if kept is None else kept / f"{name}.jsonl"
    old = (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if path and path.exists()
        else []
    )
    rows = []
    for labels, scenario in settings(experiment, name):
        for seed in range(1, seeds + 1):
            setting = {**labels, "seed": seed}
            row = next((earlier for earlier in old if setting.items() <= earlier.items()), None)
            if row is None:
                row = measure(experiment, labels, scenario, seed, handshake=handshake)
                if path:
                    with path.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(row) + "\n")
            rows.append(row)
    write(STUDY / f"ns2-{name}.json", rows)


def table(given: dict[str, Any], kind: str) -> np.ndarray[Any, Any]:
    """Read a run's `-trace` or `-windows`: time, windows in packets, packets in the queue."""
    with tempfile.TemporaryDirectory() as folder:
        ns({**given, kind: Path(folder) / "lines"})
        return np.loadtxt(Path(folder) / "lines").T


def one_curve() -> Row:
    """One connection with a buffer of RTT C: times between cuts, s, and the windows after them."""
    scenario = tomllib.loads((STUDY / "one-curve.toml").read_text(encoding="utf-8"))
    given = {**options({**scenario, "warmup": "10s"}), "seed": 1, "starts": 0}
    time, window, _ = table(given, "trace")
    cuts = time[1:][window[1:] < 0.7 * window[:-1]]
    cuts = cuts[np.r_[True, np.diff(cuts) > 1.0]]
    after = {
        str(wait): round(float(np.interp(cuts[1] + wait, time, window)), 1)
        for wait in (5, 10, 15, 20, 25)
    }
    # The first cut is slow start's.
    return {
        "time between cuts": [round(float(gap), 2) for gap in np.diff(cuts[1:])],
        "window after a cut": after,
    }


def windows(name: str, seed: int) -> Row:
    """Many connections: the sum of windows against the paper's bound and a normal distribution."""
    scenario = tomllib.loads((STUDY / "windows.toml").read_text(encoding="utf-8"))
    flows, buffer = rules.WINDOWS[name]
    scenario["flows"][0]["count"] = flows
    scenario["network"]["bottleneck"]["limit"] = f"{buffer:g} packets"
    time, total, _ = table({**options({**scenario, "warmup": "15s"}), "seed": seed}, "windows")
    total = total[time >= rules.SETTLED]
    return {
        "of": name,
        "seed": seed,
        "deviation over the bound": round(
            float(total.std(ddof=1)) / laws.window_deviation(buffer, laws.OC3_PACKETS, flows), 3
        ),
        "distance from normal": round(rules.distance_from_normal(total), 4),
    }


def curves() -> None:
    """Write `curves.json`."""
    content = {
        "simulator": SIMULATOR,
        "made_by": "tests/theory/ns2/buffers/record.py",
        "one-curve": one_curve(),
        "windows": [windows(name, seed) for name in rules.WINDOWS for seed in (1, 2, 3)],
    }
    (HERE / "curves.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    files = {name: (name, seeds, True) for name, seeds in EXPERIMENTS.items()}
    files |= {f"{name}-at-once": (name, seeds, False) for name, seeds in AT_ONCE.items()}
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "which",
        nargs="*",
        metavar="EXPERIMENT",
        help=f"of {', '.join(files)}, curves (default: all)",
    )
    parser.add_argument(
        "--kept", type=Path, help="folder of rows that are there already; new ones are added"
    )
    given = parser.parse_args()
    for name in given.which or [*files, "curves"]:
        if name == "curves":
            curves()
            continue
        experiment, seeds, handshake = files[name]
        record(name, experiment, seeds, given.kept, handshake=handshake)


if __name__ == "__main__":
    main()
