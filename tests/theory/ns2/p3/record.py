"""Records P3's network in ns-2: `python tests/theory/ns2/p3/record.py`.

Two files are written beside P3's study, `ns2-buffers.json` and `ns2-red.json`: the experiments
buffers and red, which the study judges beside our runs. Every run has the delays, starts and frames
that our run of this setting and seed has: they are read from its plan. It needs Debian's ns2
(2.35+dfsg-5) and nothing else.
"""

import argparse
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import polars as pl

from ackclock.results import Result
from ackclock.studies.running import designs
from ackclock.sweeps.design import Design
from ackclock_papers.small_buffers import STUDY, measures
from ackclock_papers.small_buffers.readings import AXIS, LITERAL, STATED

HERE = Path(__file__).parent
SIMULATOR = "ns-2 2.35, Debian 2.35+dfsg-5"
SEEDS = {"buffers": 4, "red": 5}
BEGIN = 1.0
"""When our time begins in ns-2's, s."""
HUGE = 1_000_000
"""Packets: no limit."""
DIGITS = 5

Plan = dict[str, Any]
Run = dict[str, Any]


# From a plan to ns-2.


EARLY = 40_000
"""A record's interval passes before its frame: the film begins an interval early, us."""


def network(plan: Plan, frames: Sequence[tuple[int, int]], *, size: int, seconds: str) -> str:
    """The network of a run as p3.tcl reads it.

    Parameters
    ----------
    plan
        Of our own run.
    frames
        The records of Traffic/Trace's file: intervals in us, sizes in bytes.
    size
        Of a full packet of the film, bytes.
    seconds
        How long the run lasts.
    """
    links = plan["links"]
    forth, back = links[:2]
    assert [forth["name"], back["name"]] == ["bottleneck", "bottleneck.reverse"]
    (stream,) = plan["streams"]
    lines = [f"set seed {plan['seed']}", _target(forth, back)]
    for flow in plan["flows"]:
        transport = flow["transport"]
        given = (
            transport["mss"],
            transport["max_cwnd_bytes"] // transport["mss"],
            transport["delayed_ack_count"],
        )
        assert (transport["header_bytes"], transport["initial_window_bytes"]) == (
            40,
            transport["mss"],
        )
        ends = _ends(links, flow["path"], flow["reverse_path"])
        lines.append(" ".join(["tcp", _seconds(flow["start_ps"]), *ends, *map(str, given)]))
    records = " ".join(f"{interval} {length}" for interval, length in frames)
    start = repr(1e-12 * stream["start_ps"] - 1e-6 * EARLY)
    lines.append(
        " ".join(["film", start, *_ends(links, stream["path"]), str(size), f"{{{records}}}"])
    )
    lines.append(f"go {seconds}")
    return "\n".join(lines) + "\n"


def frames_of(stream: Plan) -> list[tuple[int, int]]:
    """A film's frames: microseconds since the one before, and bytes with all headers.

    They are those of the whole run; only what of the film lies in it is in the plan, and may have
    to be played again.
    """
    app = stream["app"]
    times, sizes, time = [], [], 0
    for word in app["frames"].split():
        interval, rest = word.replace("I", " ").replace("P", " ").replace("B", " ").split()
        time += int(interval)
        times.append(time)
        payload = int(rest.split("-")[0])
        sizes.append(payload + stream["header_bytes"] * -(-payload // app["packet_bytes"]))
    # A repetition begins with the first frame; ns-2's file is long enough for a run.
    rounds = range(3) if app["loop_ps"] else range(1)
    every = [
        (time + repetition * (app["loop_ps"] or 0) // 1_000_000, size)
        for repetition in rounds
        for time, size in zip(times, sizes, strict=True)
    ]
    starts = [time for time, _ in every]
    return [
        (after - before, size)
        for before, after, (_, size) in zip([0, *starts[:-1]], starts, every, strict=True)
    ]


def _target(forth: Plan, back: Plan) -> str:
    kind = {"red": "RED", "fifo": "DropTail"}[forth["qdisc"]["kind"]]
    limits = [
        link["qdisc"].get("limit_packets") or link["qdisc"]["limit"]["limit_packets"]
        for link in (forth, back)
    ]
    assert limits[0] == limits[1]
    words = ["target", str(forth["rate_bps"]), _seconds(forth["delay_ps"]), kind, str(limits[0])]
    if kind == "RED":
        words += [_red(link["qdisc"]) for link in (forth, back)]
    return " ".join(words)


def _red(qdisc: Plan) -> str:
    assert (
        qdisc["gentle"],
        qdisc["wait"],
        qdisc["adaptive"],
        qdisc["byte_mode"],
        qdisc["ecn"],
    ) == (True, True, False, False, False)
    return (
        "{"
        + " ".join(
            str(qdisc[name])
            for name in ("min_threshold", "max_threshold", "max_p", "weight", "mean_packet_bytes")
        )
        + "}"
    )


def _ends(links: Sequence[Plan], *paths: Sequence[int]) -> list[str]:
    """Rate, delay and limit of the access links of a flow, which are alike."""
    access = [links[at] for path in paths for at in path if at > 1]
    triples = {
        (link["rate_bps"], link["delay_ps"], link["qdisc"].get("limit_packets")) for link in access
    }
    ((rate, delay, limit),) = triples
    return [str(rate), _seconds(delay), str(limit or HUGE)]


def _seconds(ps: int) -> str:
    return repr(1e-12 * ps)


# From ns-2 to our responses.


def read(plan: Plan, out: Path) -> Result:
    """Read ns-2's files as a result, with the names and times of the study's measures."""
    names = [flow["name"] for flow in (*plan["flows"], *plan["streams"])]
    links = ["bottleneck", *(f"{name}.access-{way}" for name in names for way in ("up", "down"))]
    packets = _packets(out).filter(pl.col("type") != "ack").with_columns(pl.col("time") - BEGIN)
    table = np.loadtxt(out.with_suffix(".samples"))
    # The first of them at the run's beginning.
    times = np.round(table[:, 0] - BEGIN, 6)
    waiting, sent = table[:, 1 : 2 * len(links) : 2], table[:, 2 : 2 * len(links) + 1 : 2]
    # ns-2 lets cwnd_ grow beyond window_, which bounds what is sent.
    most = [
        flow["transport"]["max_cwnd_bytes"] // flow["transport"]["mss"] for flow in plan["flows"]
    ]
    windows = np.minimum(table[:, 2 * len(links) + 1 :], most)
    of_links = pl.DataFrame(
        {
            "time": np.repeat(times, len(links)),
            "link": np.tile(links, len(times)),
            "queue_packets": waiting.ravel(),
            "delivered_bytes": sent.ravel(),
        }
    )
    lost = np.array(
        [
            np.searchsorted(
                packets.filter((pl.col("event") == "d") & (pl.col("fid") == at + 1))[
                    "time"
                ].to_numpy(),
                times,
            )
            for at in range(windows.shape[1])
        ]
    ).T
    of_flows = pl.DataFrame(
        {
            "time": np.repeat(times, windows.shape[1]),
            "flow": np.tile(names[: windows.shape[1]], len(times)),
            "cwnd": windows.ravel(),
            "lost": lost.ravel(),
        }
    )
    sent_at = packets.filter(pl.col("event") == "+").select("id", "fid", "size", sent_time="time")
    came = packets.filter(pl.col("event") == "r").select("id", came="time")
    gone = packets.filter(pl.col("event") == "d").select("id", dropped="time", dropped_at="from")
    every = sent_at.join(came, on="id", how="left").join(gone, on="id", how="left").sort("id")
    every = every.with_columns(delay=pl.col("came") - pl.col("sent_time"))
    film = every.filter(pl.col("fid") == len(names)).select(
        "sent_time", "size", "delay", flow=pl.lit(names[-1]), number=pl.int_range(pl.len())
    )
    samples = SimpleNamespace(links=of_links, flows=of_flows, datagrams=film)
    return cast("Result", SimpleNamespace(plan=plan, samples=samples, every=every))


OTHERS = (LITERAL, "full film", "80 % load", STATED)
"""Where readings and questions look at other delays, jitters and losses."""
ROUTER = 0
"""The node before the target link."""


def responses(experiment: str, result: Any, reading: str = LITERAL) -> Run:
    """The experiment's responses, as its file declares them, but for those that no claim looks at.

    Parameters
    ----------
    experiment
        Its name.
    result
        As `read` gives it.
    reading
        Label of the axis "as read", which decides what is looked at.
    """
    plan, every = result.plan, result.every
    warmup, end = 1e-12 * float(plan["warmup_ps"]), 1e-12 * float(plan["duration_ps"])
    film = len(plan["flows"]) + 1
    of_tcp = every.filter(pl.col("fid") < film)
    sent = of_tcp.filter(pl.col("sent_time") >= warmup)
    lost = of_tcp.filter(pl.col("dropped") >= warmup)
    of_film = every.filter((pl.col("fid") == film) & (pl.col("sent_time") >= warmup))
    # What is still on its way at the end is not lost.
    lost_of_film = of_film["dropped"].is_not_null().sum() / len(of_film)
    received = every.filter(pl.col("came").is_between(warmup, end))

    def rate(of: int) -> float:
        """A flow's throughput since it began."""
        (flow,) = plan["flows"][of - 1 : of] or plan["streams"]
        bits = 8.0 * float(received.filter(pl.col("fid") == of)["size"].sum())
        return bits / (end - max(warmup, 1e-12 * float(flow["start_ps"])))

    figures: dict[str, float | None] = {
        "throughput of TCP": sum(rate(of) for of in range(1, film)),
        "loss of TCP": len(lost) / len(sent),
        "loss of the film": lost_of_film,
        "jitter": measures.delay_variation(result, "film"),
    }
    if experiment == "red":
        figures |= {
            "connections that lose within 200 ms": measures.share_losing(result),
            "correlation of the windows": measures.window_correlation(result),
        }
    else:
        link = result.samples.links.filter(pl.col("link") == "bottleneck")
        carried = np.interp(
            [warmup, end], link["time"].to_numpy(), link["delivered_bytes"].to_numpy()
        )
        of_link = 8.0 * (carried[1] - carried[0]) / (end - warmup)
        figures |= {
            "network delay": received["delay"].mean(),
            "lowest throughput of TCP in the first 50 s": measures.lowest_throughput(result),
            "lowest throughput of TCP after 50 s": measures.lowest_throughput(
                result, since=50, until=100
            ),
            "throughput of the film": rate(film),
            "throughput of the link": of_link,
            "utilisation of the link": of_link / plan["links"][0]["rate_bps"],
        }
        if reading in OTHERS:
            came = sent.filter(pl.col("dropped_at").is_null() | (pl.col("dropped_at") == ROUTER))
            figures |= {
                "delay of the film": of_film["delay"].mean(),
                "jitter by RFC 3550": largest_jitter(of_film["delay"].drop_nulls().to_numpy()),
                "jitter of the network": measures.network_jitter(result),
                "loss of TCP at the target link": len(lost.filter(pl.col("dropped_at") == ROUTER))
                / len(came),
            }
    return {
        name: None if value is None else float(f"{value:.{DIGITS}g}")
        for name, value in figures.items()
    }


def largest_jitter(delays: np.ndarray[Any, Any]) -> float:
    """Largest estimate of RFC 3550 section 6.4.1 over packets in the order of arrival."""
    estimate, largest = 0.0, 0.0
    for change in np.abs(np.diff(delays)).tolist():
        estimate += (change - estimate) / 16
        largest = max(largest, estimate)
    return largest


# All of it.


@cache
def design(experiment: str) -> Design:
    return designs(STUDY, quick=False)[experiment]


def plan_of(experiment: str, setting: int, seed: int) -> Plan:
    """The plan of our own run."""
    return design(experiment).scenario_at(setting).replace({"seed": seed}).plan()


def simulate(plan: Plan) -> Result:
    """One run of ns-2."""
    (stream,) = plan["streams"]
    (_, first), *others = frames_of(stream)
    frames = [(EARLY, first), *others]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        # Traffic/Trace begins anywhere in its file. Sizes that are places tell where, and the file
        # is turned by so much.
        _run(
            network(plan, [(EARLY, 1 + at) for at in range(len(frames))], size=HUGE, seconds="0.0"),
            out,
        )
        begin = _packets(out).filter(pl.col("type") == "udp")["size"][0] - 1
        turned = [*frames[len(frames) - begin :], *frames[: len(frames) - begin]]
        full = stream["app"]["packet_bytes"] + stream["header_bytes"]
        _run(network(plan, turned, size=full, seconds=_seconds(plan["duration_ps"])), out)
        return read(plan, out)


def _run(text: str, out: Path) -> None:
    given = out.with_suffix(".tcl")
    given.write_text(text, encoding="utf-8")
    subprocess.run(
        ["ns", str(HERE / "p3.tcl"), str(given), str(out)], check=True, capture_output=True
    )


def _packets(out: Path) -> pl.DataFrame:
    columns = [
        "event",
        "time",
        "from",
        "to",
        "type",
        "size",
        "flags",
        "fid",
        "source",
        "sink",
        "seq",
        "id",
    ]
    return pl.read_csv(
        out.with_suffix(".packets"), separator=" ", has_header=False, new_columns=columns
    )


def record(experiment: str, place: tuple[int, int]) -> Run:
    """A row: the setting's labels, the seed and the responses."""
    setting, seed = place
    of = design(experiment)
    labels = {
        axis.name: label for axis, label in zip(of.axes, of.settings[setting].labels, strict=True)
    }
    plan = plan_of(experiment, setting, seed)
    return {
        **labels,
        "seed": seed,
        **responses(experiment, simulate(plan), str(labels.get(AXIS, LITERAL))),
    }


def places(experiment: str, seeds: int) -> Iterator[tuple[int, int]]:
    """Settings and seeds."""
    for setting in design(experiment).settings:
        for replication in range(seeds):
            yield setting.index, design(experiment).seed(replication)


def write(path: Path, runs: Sequence[Run]) -> None:
    """One line per run, so that a change shows as a change of lines."""
    lines = ",\n".join(json.dumps(run, separators=(",", ":")) for run in runs)
    head = f'"simulator": {json.dumps(SIMULATOR)},\n"made_by": "tests/theory/ns2/p3/record.py",\n'
    path.write_text(f'{{\n{head}"runs": [\n{lines}\n]\n}}\n', encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=SEEDS, action="append", help="this experiment alone")
    parser.add_argument("--seeds", type=int, help="fewer, for a trial")
    parser.add_argument("--out", type=Path, default=STUDY.folder)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    with ProcessPoolExecutor(given.jobs) as pool:
        for experiment in given.only or SEEDS:
            every = list(places(experiment, given.seeds or SEEDS[experiment]))
            write(
                given.out / f"ns2-{experiment}.json",
                list(pool.map(partial(record, experiment), every)),
            )


if __name__ == "__main__":
    main()
