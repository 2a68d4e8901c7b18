"""Runs P4's experiments in ns-2: `python tests/theory/ns2/criteria/record.py [EXPERIMENT ...]`.

Each experiment's own TOML says what is run, so that rates, delays, queues, losses and starts are
ackclock's. One file is written for each, `ns2-EXPERIMENT.json` in the folder of the study, which
judges the rows beside its own runs. It needs Debian's ns2 (2.35+dfsg-5) and ackclock itself. All
together take about half an hour.
"""

import argparse
import itertools
import json
import math
import random
import re
import subprocess
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ackclock.formulas.convergence import convergence_time, recovery_times
from ackclock.formulas.response import mean_window
from ackclock.formulas.variation import rates_of, variation
from ackclock_papers.tcp_criteria import recovery, signals, throughput

HERE = Path(__file__).parent
STUDY = HERE.parents[3] / "papers/src/ackclock_papers/tcp_criteria"
SIMULATOR = "ns-2 2.35, Debian 2.35+dfsg-5"
PACKET_BITS, PAYLOAD_BITS = 8 * 1500, 8 * 1448

Scenario = dict[str, Any]
Row = dict[str, Any]
Places = dict[str, list[list[int]]]
"""For each name its flows, each a list of places among the TCP agents."""

_UNITS = {"bit/s": 1.0, "Mbit/s": 1e6, "Gbit/s": 1e9, "ms": 1e-3, "s": 1.0}


def number(text: str) -> float:
    """`300Mbit/s` or `50ms` in base units."""
    value, unit = re.fullmatch(r"([\d.e-]+) ?(\S+)", text).groups()  # type: ignore[union-attr]
    return float(value) * _UNITS[unit]


def packets(text: str, bdp: float) -> int:
    """`0.5bdp`, `40 packets` or `unlimited`."""
    if text == "unlimited":
        return 10_000_000
    if text.endswith("bdp"):
        return round(float(text.removesuffix("bdp")) * bdp)
    return int(text.removesuffix(" packets"))


def kind_of(cc: str) -> str:
    """A control as dumbbell.tcl has it. Scalable TCP's region of Reno's rules is not there."""
    name, _, given = cc.partition("(")
    parameters = dict(
        pair.split("=") for pair in given.rstrip(")").replace(" ", "").split(",") if pair
    )
    if name == "scalable":
        return f"scalable:{parameters.get('a', '0.01')}:{parameters.get('b', '0.125')}"
    if name == "multcp":
        return f"multcp:{parameters['n']}"
    if name in {"reno", "vegas", "highspeed", "cubic"}:
        return name
    raise ValueError(f"ns-2 has no {cc}")


def replaced(scenario: Scenario, changes: Mapping[str, Any]) -> Scenario:
    """A scenario with keys changed.

    `flows.cc` is of all flows, `flows.NAME.cc` of one, `flows.NAME` one flow as a whole.
    """
    changed = deepcopy(scenario)
    flows = changed["flows"]
    for key, value in changes.items():
        first, *rest = key.split(".")
        if first != "flows":
            at = changed
            for name in (first, *rest[:-1]) if rest else ():
                at = at[name]
            at[(first, *rest)[-1]] = deepcopy(value)
            continue
        named = [flow for flow in flows if flow.get("name") == rest[0]]
        if named and len(rest) == 1:
            flows[flows.index(named[0])] = dict(value)
        elif named:
            named[0][rest[1]] = value
        else:
            for flow in flows:
                flow[rest[0]] = value
    return changed


def _start(text: str, chance: random.Random) -> float:
    match = re.fullmatch(r"uniform\((\S+), (\S+)\)", text)
    return chance.uniform(number(match[1]), number(match[2])) if match else number(text)


def _agents(flows: Sequence[Scenario], bdp: float, seed: int) -> tuple[list[str], Places]:
    """Agents for dumbbell.tcl, and whose they are."""
    chance = random.Random(seed)
    agents: list[str] = []
    places: Places = {}
    last = 0
    for flow in flows:
        name = flow.get("name", "flow")
        for _ in range(flow.get("count", 1)):
            start = _start(flow.get("start", "0s"), chance)
            if flow.get("app", {}).get("kind") == "cbr":
                rate = number(flow["app"]["rate"])
                agents.append(f"{{udp:{rate:.0f} {start:.9f} 0}}")
                continue
            ssthresh = packets(flow["ssthresh"], bdp) if "ssthresh" in flow else 0
            parts = flow.get("parallel", 1)
            agents += [f"{{{kind_of(flow['cc'])} {start:.9f} {ssthresh}}}"] * parts
            places.setdefault(name, []).append(list(range(last, last + parts)))
            last += parts
    return agents, places


@dataclass(frozen=True)
class Run:
    """The figures of one run of ns-2."""

    scenario: Scenario
    places: Mapping[str, Sequence[Sequence[int]]]
    link: Sequence[float]
    """From the end of the warm-up on.

    Packets and bytes that left, dropped packets, those that came, packets x s that waited.
    """
    sent: Sequence[int]
    acked: Sequence[int]
    """Packets, of each agent from the end of the warm-up on."""
    time: "np.ndarray[Any, Any]" = field(repr=False)
    cwnd: "np.ndarray[Any, Any]" = field(repr=False)
    delivered: "np.ndarray[Any, Any]" = field(repr=False)
    """Packets, of each agent; a row for each sample."""
    queue: "np.ndarray[Any, Any]" = field(repr=False)

    @property
    def warmup(self) -> float:
        return number(self.scenario.get("warmup", "0s"))

    @property
    def end(self) -> float:
        return number(self.scenario["duration"])

    @property
    def seconds(self) -> float:
        return self.end - self.warmup

    @cached_property
    def path(self) -> tuple[float, float]:
        """Rate, bit/s, and round-trip time with the transmission of a packet, s."""
        bottleneck = self.scenario["network"]["bottleneck"]
        rate = number(bottleneck["rate"])
        return rate, 2 * number(bottleneck["delay"]) + PACKET_BITS / rate

    @property
    def rtt(self) -> float:
        """Mean, s: a packet waits for the mean time that packets waited."""
        return self.path[1] + self.link[4] / self.link[0]

    def flows(self, name: str | None = None) -> list[Sequence[int]]:
        named = [flows for owner, flows in self.places.items() if name in (None, owner)]
        return [flow for flows in named for flow in flows]

    def goodputs(self, name: str | None = None) -> list[float]:
        acked = [sum(self.acked[at] for at in flow) for flow in self.flows(name)]
        return [PAYLOAD_BITS * count / self.seconds for count in acked]

    def goodput(self, name: str | None = None) -> float:
        return math.fsum(self.goodputs(name))

    def window(self) -> float:
        """Packets sent per round-trip time, mean over the flows."""
        sent = [sum(self.sent[at] for at in flow) for flow in self.flows()]
        windows = [mean_window(count, self.seconds, self.rtt) for count in sent]
        return float(np.mean([window for window in windows if window is not None]))

    def jain(self) -> float:
        rates = np.array(self.goodputs())
        return float(rates.sum() ** 2 / (len(rates) * (rates**2).sum()))

    def min_max(self) -> float:
        return min(self.goodputs()) / max(self.goodputs())

    def bytes_of(self, flow: Sequence[int]) -> "np.ndarray[Any, Any]":
        return np.asarray(1448.0 * self.delivered[:, list(flow)].sum(axis=1))

    def rate_variation(self, timescale: float) -> float:
        every = [self.bytes_of(flow) for flow in self.flows()]
        rates = [
            rates_of(self.time, delivered, self.warmup, self.end, timescale) for delivered in every
        ]
        variations = [variation(series) for series in rates]
        return float(np.mean([number for number in variations if number is not None]))

    def in_step(self) -> float:
        """As `window.in_step` of the study; all flows have one base RTT here."""
        late = self.cwnd[self.time >= self.warmup]
        return float(late.sum(axis=1).std() / np.sqrt(late.var(axis=0).sum()))

    def convergence(self) -> float | None:
        series = [(self.time, self.bytes_of(flow)) for flow in self.flows()]
        start = max(float(self.time[np.flatnonzero(delivered)[0] - 1]) for _, delivered in series)
        return convergence_time(series, start, self.end, timescale=5.0, delta=0.2, hold=0.0)


def _sampled(printed: str, what: str) -> "np.ndarray[Any, Any]":
    rows = [line.split()[1:] for line in printed.splitlines() if line.startswith(f"{what} ")]
    return np.array(rows, float) if rows else np.zeros((0, 2))


def command_of(scenario: Scenario, seed: int) -> tuple[list[str], Places]:
    """The command that runs a scenario in ns-2, and the agents of each flow."""
    bottleneck = scenario["network"]["bottleneck"]
    if scenario["network"]["kind"] != "dumbbell" or {*bottleneck} - {
        "rate",
        "delay",
        "limit",
        "loss",
        "qdisc",
    }:
        raise ValueError(f"dumbbell.tcl has no network like {scenario['network']}")
    rate, delay = number(bottleneck["rate"]), number(bottleneck["delay"])
    bdp = 2 * delay * rate / PACKET_BITS
    agents, places = _agents(scenario["flows"], bdp, seed)
    loss = bottleneck.get("loss", {})
    options: dict[str, Any] = {
        "rate": f"{rate:.17g}",
        "delay": f"{delay:g}",
        # ns-2's DropTail drops what would make the queue as long as its limit: one less may wait.
        "limit": packets(bottleneck["limit"], bdp) + 1,
        "loss": loss.get("p", 0),
        "drops": " ".join(map(str, loss.get("packets", ()))),
        "duration": f"{number(scenario['duration']):g}",
        "warmup": f"{number(scenario.get('warmup', '0s')):g}",
        "seed": seed,
        "minrto": {"rfc": 1.0, "linux": 0.2}[scenario["profile"]],
        "agents": " ".join(agents),
    }
    if "qdisc" in bottleneck:
        red = bottleneck["qdisc"]
        if red["kind"] != "red":
            raise ValueError(f"dumbbell.tcl has no {red['kind']}")
        thresholds = (packets(red[f"{which}_threshold"], bdp) for which in ("min", "max"))
        options["red"] = " ".join(map(str, (*thresholds, red["max_p"], red["weight"])))
        options["queue"] = f"{number(scenario['record']['samples']):g}"
    elif "record" in scenario:
        options["sample"] = f"{number(scenario['record']['samples']):g}"
    if "late" in scenario:
        options["late"] = f"{scenario['late']:g}"
    receive = scenario.get("transport", {}).get("receive_buffer", "")
    if receive.endswith(" bytes"):
        options["receive"] = int(receive.removesuffix(" bytes")) // 1448
    return [
        "ns",
        str(HERE / "dumbbell.tcl"),
        *(word for key, value in options.items() for word in (f"-{key}", str(value))),
    ], places


def run(scenario: Scenario, seed: int) -> Run:
    """Run it in ns-2."""
    command, places = command_of(scenario, seed)
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    link = re.findall(r"^link (.*)$", printed, re.MULTILINE)[0].split()
    agents = re.findall(r"^agent \d+ (\S+) (\S+)$", printed, re.MULTILINE)
    cwnd, acked = _sampled(printed, "cwnd"), _sampled(printed, "ack")
    # Before its first ACK an agent has acknowledged packet -1.
    delivered = np.maximum(acked[:, 1:], 0.0)
    return Run(
        scenario,
        places,
        link=[float(word) for word in link],
        sent=[int(sent) for sent, _ in agents],
        acked=[int(more) for _, more in agents],
        time=cwnd[:, 0],
        cwnd=cwnd[:, 1:],
        delivered=delivered,
        queue=_sampled(printed, "queue")[:, 1],
    )


Response = Callable[[Run], float | None]


@dataclass(frozen=True)
class Sweep:
    """The settings of an experiment that ns-2 runs, and the figures told of them."""

    file: str
    seeds: int
    responses: Mapping[str, Response]
    only: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Labels by axis; an axis that is not named has all of its labels."""


def _changed_by(axis: Mapping[str, Any]) -> dict[str, Any]:
    """Keys that an axis of a TOML changes, with their values."""
    return {key: values for key, values in axis.items() if key not in {"name", "labels"}}


def labels_of(axis: Mapping[str, Any]) -> list[Any]:
    """Labels of an axis of a TOML, or its values."""
    labels: list[Any] = axis.get("labels") or next(iter(_changed_by(axis).values()))
    return labels


def name_of(axis: Mapping[str, Any]) -> str:
    """Name of an axis of a TOML."""
    return str(axis.get("name") or next(iter(_changed_by(axis))).rpartition(".")[2])


def settings(sweep: Sweep) -> Iterator[tuple[Row, Scenario]]:
    """Labels and scenario of each setting that ns-2 runs."""
    scenario = tomllib.loads((STUDY / sweep.file).read_text(encoding="utf-8"))
    axes = scenario.pop("sweep")["axes"]
    choices = []
    for axis in axes:
        name, labels = name_of(axis), labels_of(axis)
        wanted = sweep.only.get(name, labels)
        if missing := [label for label in wanted if label not in labels]:
            raise ValueError(f"{sweep.file}: axis {name} has no {missing}")
        every = _changed_by(axis)
        changes = [{key: values[at] for key, values in every.items()} for at in range(len(labels))]
        chosen = [at for at, label in enumerate(labels) if label in wanted]
        choices.append([(name, labels[at], changes[at]) for at in chosen])
    for combination in itertools.product(*choices):
        changed = {key: value for *_, change in combination for key, value in change.items()}
        yield {name: label for name, label, _ in combination}, replaced(scenario, changed)


_CONTROLS = ["reno", "8 x reno", "multcp(n=8)", "vegas", "scalable", "highspeed", "cubic"]
_GOODPUT: dict[str, Response] = {"goodput": Run.goodput}


SWEEPS = {
    "response": Sweep(
        "response.toml",
        6,
        {
            "window.mean": Run.window,
            "goodput": Run.goodput,
            "rate_variation": lambda run: run.rate_variation(1.0),
        },
        {"cc": _CONTROLS},
    ),
    "by-rtt": Sweep("by-rtt.toml", 12, _GOODPUT, {"cc": ["reno", "scalable", "highspeed"]}),
    "by-rate": Sweep("by-rate.toml", 12, _GOODPUT),
    "equal": Sweep(
        "equal.toml", 6, {"jain_index": Run.jain, "min_max_ratio": Run.min_max}, {"cc": _CONTROLS}
    ),
    "beside": Sweep(
        "beside.toml",
        8,
        {
            "reno_goodput": lambda run: run.goodput("classic"),
            "other_goodput": lambda run: run.goodput("other"),
        },
        {"beside": _CONTROLS},
    ),
    "convergence": Sweep(
        "convergence.toml",
        6,
        {
            "convergence_time": Run.convergence,
            "equality": Run.min_max,
            "rate_variation": lambda run: run.rate_variation(1.0),
        },
        {"cc": _CONTROLS},
    ),
    "number": Sweep(
        "number.toml",
        6,
        {
            "transfer_goodput": lambda run: run.goodput("transfer"),
            "others_goodput": lambda run: run.goodput("there"),
        },
    ),
    "vegas-beside": Sweep(
        "vegas-beside.toml",
        5,
        {"goodput": lambda run: run.goodput("flow")},
        {"cc": ["vegas", "reno"]},
    ),
    "stability": Sweep(
        "stability.toml",
        3,
        {
            "queue_packets.mean": lambda run: run.link[4] / run.seconds,
            "queue_packets.p5": lambda run: float(np.percentile(run.queue, 5)),
            "queue_packets.p95": lambda run: float(np.percentile(run.queue, 95)),
            "utilisation": lambda run: PACKET_BITS * run.link[0] / run.seconds / run.path[0],
        },
        {"cc": [cc for cc in _CONTROLS if cc not in {"vegas", "cubic"}]},
    ),
    "small-buffers": Sweep(
        "small-buffers.toml",
        3,
        {
            "in_step": Run.in_step,
            "drop_rate": lambda run: run.link[2] / run.link[3],
            "utilisation": lambda run: PACKET_BITS * run.link[0] / run.seconds / run.path[0],
            "window.mean": Run.window,
        },
    ),
}


EARLY = 6
"""Packet of the first window that is lost before Scalable TCP's recordings begin.

ns-2 takes half the window at a first loss.
"""


def after_a_first_loss(scenario: Scenario) -> Scenario:
    """A recording without the first cut of ns-2 in it.

    A packet of the first window is lost, and slow start begins again.
    """
    late = 5 * 2 * number(scenario["network"]["bottleneck"]["delay"])
    changed = deepcopy(scenario)
    loss = changed["network"]["bottleneck"]["loss"]
    loss["packets"] = [EARLY, *loss["packets"]]
    changed["late"] = late
    changed["duration"] = f"{number(scenario['duration']) + late:g}s"
    return changed


def _cuts(run: Run) -> "np.ndarray[Any, Any]":
    """Samples at which the window has fallen, but for the early loss."""
    cuts = np.flatnonzero(np.diff(run.cwnd[:, 0]) < 0) + 1
    late: float = run.scenario.get("late", 0.0)
    return cuts[run.time[cuts] > late]


def _recovery(run: Run) -> Row:
    """From the sample at which the window has fallen until it is back."""
    window = run.cwnd[:, 0]
    *_, duration = recovery_times(run.time, window, _cuts(run).tolist())
    return {"recovery_time": duration}


def _in_flight(run: Run) -> Row:
    """Packets sent in a round trip, and packets allowed."""
    late = run.time >= run.warmup
    receive = int(run.scenario["transport"]["receive_buffer"].removesuffix(" bytes")) // 1448
    allowed = np.minimum(run.cwnd[late, 0], receive)
    return {"in_flight": run.window(), "allowed": float(allowed.mean())}


def _halving(run: Run) -> Row:
    """T1/2 from the first cut to the last, as the study has it."""
    window = run.cwnd[:, 0]
    at = _cuts(run)
    lasted = run.time[at[-1]] - run.time[at[0]]
    halvings = math.log2(window[at[0]] / window[at[-1]])
    return {"halving_time": float(lasted / halvings), "cuts": len(at)}


RECORDINGS: dict[str, tuple[str, Mapping[str, Mapping[str, Any]], Callable[[Run], Row]]] = {
    "one-loss": ("recovery.toml", recovery.VARIANTS, _recovery),
    "receive-window": ("receive-window.toml", throughput.VARIANTS, _in_flight),
    "signals": ("signals.toml", signals.VARIANTS, _halving),
}


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.6g}")


def rows_of(name: str) -> Iterator[Row]:
    """Every run of an experiment or a recording."""
    if name in RECORDINGS:
        file, variants, measured = RECORDINGS[name]
        scenario = tomllib.loads((STUDY / file).read_text(encoding="utf-8"))
        for variant, changes in variants.items():
            changed = replaced(scenario, changes)
            if changed["flows"][0]["cc"].startswith("scalable"):
                changed = after_a_first_loss(changed)
            figures = measured(run(changed, 1))
            yield {
                "run": variant,
                "seed": 1,
                **{key: _rounded(value) for key, value in figures.items()},
            }
        return
    sweep = SWEEPS[name]
    for labels, scenario in settings(sweep):
        for seed in range(1, sweep.seeds + 1):
            outcome = run(scenario, seed)
            yield {
                **labels,
                "seed": seed,
                **{key: _rounded(what(outcome)) for key, what in sweep.responses.items()},
            }


def write(path: Path, rows: Sequence[Row]) -> None:
    """One line per run, so that a change shows as a change of lines."""
    lines = ",\n".join(json.dumps(row) for row in rows)
    made_by = "tests/theory/ns2/criteria/record.py"
    head = f'"simulator": {json.dumps(SIMULATOR)},\n"made_by": {json.dumps(made_by)},\n'
    path.write_text(f'{{\n{head}"runs": [\n{lines}\n]\n}}\n', encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("experiments", nargs="*", help="all, if none is named")
    for name in parser.parse_args().experiments or (*SWEEPS, *RECORDINGS):
        write(STUDY / f"ns2-{name}.json", list(rows_of(name)))


if __name__ == "__main__":
    main()
