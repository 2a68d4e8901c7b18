"""Compares a sweep that was killed five times with an undisturbed one.

    python bench/sweep_killed.py [SEED]

The sweep of 2,000 runs is killed at random moments and then finished, by the command line. Every
file but timing.json must have equal bytes, and reused and new runs must add up.
"""

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 2000
KILLS = 5
SWEEP = """
name = "killed"
duration = "1s"
network.kind = "dumbbell"
network.bottleneck = { rate = "10Mbit/s", delay = "5ms", limit = "20 packets" }
flows = [{ cc = "reno", start = "uniform(0s, 100ms)" }]

[sweep]
replications = 200
responses = ["utilisation", "queue_delay.p95"]

[[sweep.axes]]
"network.bottleneck.limit" = ["3 packets", "5 packets", "10 packets", "20 packets", "40 packets"]

[[sweep.axes]]
"flows.cc" = ["reno", "cubic"]

[[sweep.comparisons]]
axis = "cc"
"""


def start(file: Path, out: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "ackclock", "sweep", str(file), "--out", str(out)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )


def finished(process: "subprocess.Popen[str]") -> str:
    output, _ = process.communicate()
    if process.returncode != 0:
        sys.exit(f"it ended with {process.returncode}:\n{output}")
    return next(line for line in output.splitlines() if " made" in line)


def counted(line: str, what: str) -> int:
    match = re.search(rf"([\d,]+) {what}", line)
    return int(match[1].replace(",", "")) if match else 0


def kept(out: Path) -> int:
    return sum(1 for _ in (out / "runs").glob("??/*.json"))


def files(out: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in out.rglob("*")
        if path.is_file() and path.name != "timing.json"
    }


def main(seed: int) -> None:
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "killed.toml"
        file.write_text(SWEEP)
        whole, torn = Path(folder) / "undisturbed" / "out", Path(folder) / "disturbed" / "out"
        began = time.perf_counter()
        print("undisturbed:", finished(start(file, whole)))
        moments = sorted(draw.randrange(20, RUNS) for _ in range(KILLS))
        print(
            "killed when so many runs are there, and up to 50 ms later: "
            f"{', '.join(map(str, moments))}"
        )
        for moment in moments:
            process = start(file, torn)
            while kept(torn) < moment and process.poll() is None:
                time.sleep(0.02)
            time.sleep(draw.uniform(0.0, 0.05))
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
        left = kept(torn)
        last = finished(start(file, torn))
        print("finished:", last)
        made, reused = (counted(last, what) for what in ("made", "reused"))
        if (made, reused) != (RUNS - left, left):
            sys.exit(f"{left} runs were kept, {reused} reused and {made} made")
        expected, other = files(whole), files(torn)
        different = sorted(
            name for name in {*expected, *other} if expected.get(name) != other.get(name)
        )
        if different:
            sys.exit(f"{len(different)} files differ: {', '.join(different[:10])}")
        print(
            f"{len(expected)} files with the same bytes; {time.perf_counter() - began:.0f} s in all"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else random.SystemRandom().randrange(10**6))
