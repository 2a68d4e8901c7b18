"""Runs of the lessons in ns-3.37: its TCP, its queues, its link."""

import subprocess
import tempfile
from pathlib import Path
from typing import Any

import polars as pl
from seen import Seen
from settings import setting

HERE = Path(__file__).parent
NAME = "ns-3.37"
LIBRARIES = ("applications", "core", "internet", "network", "point-to-point", "traffic-control")
# On an empty path of 10 Mbit/s its BBR takes an eighth of the rate and its Vegas half: neither can
# judge. Its CUBIC does not leave slow start by HyStart there, so only what comes after a full
# queue is alike; it has no BBRv3, AIMD or COS-Slow-Start.
CASES = {
    "slow-start": ["base", "try 1", "try 2"],
    "cubic": ["try 3"],
    "bufferbloat-codel": ["base", "try 1", "try 2", "try 3"],
    "bbr-probes": ["try 2 with Reno"],
}


def build(folder: Path) -> Path:
    """Compile the program; it needs g++ and Debian's libns3-dev."""
    program = folder / "lessons"
    command = ["g++", "-std=c++17", "-O1", str(HERE / "lessons.cc"), "-o", str(program)]
    libraries = [f"-lns3-{name}" for name in LIBRARIES]
    # ns3-core names libraries that are not needed here.
    subprocess.run([*command, *libraries, "-Wl,--allow-shlib-undefined"], check=True)
    return program


def run(program: Path, scenario: Any, call: pl.DataFrame | None) -> Seen:
    """One run; `call` has the times at which the simulator's call sends."""
    given = setting(scenario)
    names = {"classic+cubic": "cubic-classic"}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        options: dict[str, Any] = {
            "rate": f"{given.rate:.0f}bps",
            "delay": given.delay,
            "qdisc": given.qdisc,
            "limit": f"{min(given.limit, 10240)}p",
            "loss": given.loss,
            "later": f"{given.later[0]}={given.later[1]:.0f}bps" if given.later else "",
            "flows": ",".join(
                f"{flow.name}:{names.get(flow.cc, flow.cc)}"
                f":{flow.start}:{flow.extra}:{flow.ssthresh}"
                for flow in given.flows
            ),
            "window": given.flows[0].window,
            "end": given.end,
            "period": given.period,
            "out": out,
        }
        if call is not None:
            options["call"] = Path(folder) / "times"
            options["call"].write_text("\n".join(map(str, call["sent_time"])))
        subprocess.run(
            [str(program), *(f"--{key}={value}" for key, value in options.items() if value != "")],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        flows = pl.read_csv(f"{out}.flows.csv", infer_schema_length=None).with_columns(
            pl.col("ssthresh").replace(0, None),
            # Until the handshake is done ns-3 shows no window.
            pl.col("cwnd").replace(0, given.flows[0].window * 1448),
        )
        links = pl.read_csv(f"{out}.links.csv")
        heard = pl.read_csv(f"{out}.call.csv") if call is not None else None
    return Seen(given, flows, links, heard, 0 if call is None else call.height)
