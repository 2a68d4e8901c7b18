"""Run a command again and again, each time with another call to the system that fails or kills.

    LD_PRELOAD=shim.so python runner.py CASE FOLDER [--every N] [--seed N] [--random KILLS]

One process imports everything once; each attempt is a fork of it. Prints one JSON document: how
many faults, and what was wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import errno
import hashlib
import importlib
import json
import os
import random
import shutil
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

COUNT, ONCE, FULL, DEAD, KILL = range(5)
# Every way to fail, by name: how the shim fails, and with which error.
FAULTS = {
    "killed": (KILL, 0),
    "full disk": (FULL, errno.ENOSPC),
    "dead disk": (DEAD, errno.EIO),
    "one error": (ONCE, errno.EIO),
    "one ENOSPC": (ONCE, errno.ENOSPC),
}
_SECONDS = 60
_LONGEST_LINE = 400
TEMPORARY = ".ackclock-"

SCENARIO = """
name = "short"
duration = "1s"
seed = 1
[network]
kind = "dumbbell"
bottleneck = { rate = "2Mbit/s", delay = "10ms", limit = "20 packets" }
[[flows]]
name = "f"
cc = "reno"
start = "uniform(0s, 100ms)"
[record]
samples = "20ms"
packets = ["bottleneck"]
pcap = ["bottleneck"]
"""
SWEEP = (
    SCENARIO.replace("[record]", "[unused]").partition("[unused]")[0]
    + """
[sweep]
replications = 2
responses = ["utilisation"]
axes = [{ "flows.cc" = ["reno", "cubic"] }]
"""
)


@dataclass(frozen=True)
class Case:
    """A command whose result is looked at."""

    now: Sequence[str]
    """The command that is disturbed."""
    before: Sequence[Sequence[str]] = ()
    """Commands that made what is there already."""
    target: str = "out"
    """The file or folder that it writes."""
    here: str = ""
    """The current folder."""
    can_exchange: bool = True
    in_steps: bool = False
    """Whether files take their places one after another, so that a killed command has to be
    finished by the next.
    """
    rescues: bool = True
    """Whether results that cannot be written go to the folder for temporary files."""
    beside: Sequence[str] = ()
    """Files of the user's that are put into what is there, and have to stay."""
    exact: bool = True
    """Whether the calls are in the same order every time."""


RUN = ("run", "short.toml", "-q", "--no-plots", "--out", "out")
COMPARE = (
    "compare",
    "short.toml",
    "-q",
    "--cc",
    "reno,cubic",
    "--metric",
    "goodput",
    "--workers",
    "1",
    "--out",
    "out",
)
SWEEPING = ("sweep", "sweep.toml", "-q", "--workers", "1", "--out", "out")
STUDY = ("study", "tiny.py", "-q", "--workers", "1", "--seeds", "2", "--out", "out")
SEED = ("--seed", "2")
CASES = {
    "run": Case((*RUN, *SEED), [RUN]),
    "run anew": Case(RUN),
    "run without exchange": Case((*RUN, *SEED), [RUN], can_exchange=False),
    "run in the current folder": Case((*RUN[:-1], ".", *SEED), [RUN], here="out", in_steps=True),
    "run with report": Case(tuple(word for word in (*RUN, *SEED) if word != "--no-plots"), [RUN]),
    "compare": Case((*COMPARE, *SEED), [COMPARE], in_steps=True, rescues=False, exact=False),
    "report": Case(
        ("report", "out", "-q", "--out", "page.html"),
        [RUN, ("report", "out", "-q", "--out", "page.html"), (*RUN, *SEED)],
        "page.html",
    ),
    "link-trace": Case(
        ("link-trace", "12Mbit/s", "--duration", "2s", "-q", "--out", "a.trace"),
        [("link-trace", "12Mbit/s", "--duration", "1s", "-q", "--out", "a.trace")],
        "a.trace",
        rescues=False,
    ),
    "sweep": Case(
        (*SWEEPING, "--replications", "3"),
        [SWEEPING],
        in_steps=True,
        rescues=False,
        beside=("plots/mine.svg", "notes.txt"),
        exact=False,
    ),
    "sweep anew": Case(SWEEPING, in_steps=True, rescues=False, exact=False),
    "study": Case(
        (*STUDY, "--seeds", "3"),
        [("study", "new", "tiny", "--dir", "."), STUDY],
        "out/tiny",
        rescues=False,
        exact=False,
    ),
}


@dataclass
class Found:
    """The outcome of a case."""

    calls: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


class Shim:
    """The counter in this process; it is there if it was preloaded."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)
        self._library.faults_count.restype = ctypes.c_long
        self._library.faults_arm.argtypes = [
            ctypes.c_long,
            ctypes.c_int,
            ctypes.c_int,
            ctypes.c_char_p,
        ]

    def arm(self, at: int, how: int, number: int, folder: Path) -> None:
        self._library.faults_arm(at, how, number, os.fsencode(folder))

    @property
    def count(self) -> int:
        return int(self._library.faults_count())


class Laboratory:
    """A disk that fails, and what was on it before."""

    def __init__(self, case: Case, base: Path) -> None:
        self.case = case
        self.base = base.resolve()
        self.disk, self.start, self.spare = (
            self.base / "disk",
            self.base / "start",
            self.base / "spare",
        )
        self.shim = Shim()
        self.found = Found()
        self._lay_out()

    def _lay_out(self) -> None:
        for folder in (self.start, self.spare):
            folder.mkdir(parents=True)
        (self.start / "short.toml").write_text(SCENARIO, encoding="utf-8")
        (self.start / "sweep.toml").write_text(SWEEP, encoding="utf-8")
        (self.start / "mine.txt").write_text("mine", encoding="utf-8")
        self.fresh()
        for command in self.case.before:
            assert self.run(command, here="") == 0, self.said
        for name in self.case.beside:
            (self.disk / self.case.target / name).write_text("mine", encoding="utf-8")
        shutil.rmtree(self.start)
        shutil.copytree(self.disk, self.start, symlinks=True)
        self.old = self.state()
        self.fresh()
        # Once to see what is imported on the way, which every fork would do again.
        assert self.run(self.command) == 0, self.said
        for name in (self.base / "modules").read_text(encoding="utf-8").split("\n"):
            if name.startswith(
                (
                    "ackclock",
                    "polars.",
                    "matplotlib.",
                    "scipy.",
                    "numpy.",
                    "rich.",
                    "jinja2.",
                    "networkx",
                )
            ):
                with contextlib.suppress(ImportError):
                    importlib.import_module(name)
        self.fresh()
        assert self.run(self.command, how=COUNT) == 0, self.said
        self.new = self.state()
        assert self.new != self.old
        self.found.calls = int((self.base / "count").read_text(encoding="utf-8"))

    @property
    def command(self) -> Sequence[str]:
        up = "../" if self.case.here else ""
        return [f"{up}{word}" if up and word.endswith(".toml") else word for word in self.case.now]

    def fresh(self) -> None:
        """Put everything back as it was before."""
        for folder in (self.disk, self.spare):
            shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.start, self.disk, symlinks=True)
        self.spare.mkdir()

    def run(
        self,
        command: Sequence[str],
        *,
        at: int = 0,
        how: int | None = None,
        number: int = 0,
        after: float | None = None,
        here: str | None = None,
    ) -> int:
        """Run a command in a fork; its exit status, or minus the signal that killed it."""
        child = os.fork()
        if child == 0:
            self._be_the_child(command, at, how, number, here)
        if after is not None:
            time.sleep(after)
            os.kill(child, signal.SIGKILL)
        ends = time.monotonic() + _SECONDS
        while True:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            if time.monotonic() > ends:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return -999
            time.sleep(0.001)

    def _be_the_child(
        self, command: Sequence[str], at: int, how: int | None, number: int, here: str | None
    ) -> None:
        status = 99
        try:
            import tempfile

            from ackclock import cli
            from ackclock.atomic_io.beneath import Folder

            tempfile.tempdir = str(self.spare)
            os.chdir(self.disk / (self.case.here if here is None else here))
            for stream, name in ((1, "out"), (2, "err")):
                file = os.open(self.base / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
                os.dup2(file, stream)
            if not self.case.can_exchange:
                Folder.exchange = lambda *_: False
            if how is not None:
                self.shim.arm(at, how, number, self.disk)
            try:
                cli.main(list(command))
            except SystemExit as end:
                status = int(end.code or 0)
            (self.base / "count").write_text(str(self.shim.count), encoding="utf-8")
            (self.base / "modules").write_text("\n".join(sys.modules), encoding="utf-8")
        finally:
            sys.stderr.flush()
            os._exit(status)

    @property
    def said(self) -> str:
        return (self.base / "err").read_text(encoding="utf-8", errors="replace")

    def state(self, path: Path | None = None) -> dict[str, str] | None:
        """Hashes by name of a path's files (by default the target's) but the user's."""
        path = path or self.disk / self.case.target
        if not path.exists():
            return None
        files = (
            sorted(entry for entry in path.rglob("*") if entry.is_file())
            if path.is_dir()
            else [path]
        )
        kept = {}
        for file in files:
            name = file.relative_to(path).as_posix()
            parts = name.split("/")
            # The store of a sweep has checks of its own, below.
            if (
                any(part.startswith(TEMPORARY) for part in parts)
                or parts[0] == "runs"
                or name in self.case.beside
            ):
                continue
            kept[name] = (
                "timing"
                if parts[-1] == "timing.json"
                else hashlib.sha256(file.read_bytes()).hexdigest()
            )
        kept.pop("sweep.next.toml", None)
        # Said at the start: what will be there.
        return None if set(kept) <= {"sweep.toml"} else kept

    def finished_runs(self) -> int:
        return len(list((self.disk / self.case.target / "runs").glob("??/*.json")))

    def leftovers(self) -> list[str]:
        return [path.name for path in self.disk.rglob(f"{TEMPORARY}*")]

    def disturb(self, name: str, at: int, *, again: bool) -> None:
        """One attempt with one fault."""
        how, number = FAULTS[name]
        self.fresh()
        status = self.run(self.command, at=at, how=how, number=number)
        self.found.faults[name] += 1
        self._look(f"{name} at call {at}", status, is_killed=how == KILL)
        if again:
            self._go_on(f"{name} at call {at}")

    def kill_after(self, seconds: float) -> None:
        """One attempt that is killed at some moment."""
        self.fresh()
        status = self.run(self.command, after=seconds)
        self.found.faults["killed at a moment"] += 1
        what = f"killed after {1000 * seconds:.1f} ms"
        self._look(what, status, is_killed=status == -signal.SIGKILL)
        self._go_on(what)

    def _look(self, what: str, status: int, *, is_killed: bool) -> None:
        from ackclock.atomic_io import recover

        wrong = self.found.wrong
        said = self.said
        at_once = self.state()
        if is_killed and status not in (-signal.SIGKILL, 0):
            wrong.append(f"{what}: ended with {status}: {said}")
        if not is_killed and status not in (0, 1, 2):
            wrong.append(f"{what}: ended with {status}: {said}")
        if not is_killed and status:
            self._look_at_message(what, status, said)
        whole = (self.old, self.new)
        is_excused = is_killed and (self.case.in_steps or not self.case.can_exchange)
        # Said so, and put into place below.
        is_excused = is_excused or (
            self.case.in_steps and status == 1 and "not all of it is in its place" in said
        )
        if at_once not in whole and not is_excused:
            wrong.append(
                f"{what}: what is there is neither the earlier result nor the new one: "
                f"{self._differences(at_once)}"
            )
        recover(self.disk / self.case.target)
        state = self.state()
        if state not in whole:
            wrong.append(
                f"{what}: what is there after recovery is neither: {self._differences(state)}"
            )
        if status == 0 and state != self.new and not is_killed:
            wrong.append(f"{what}: said that all is well, and the new result is not there")
        if left := self.leftovers():
            wrong.append(f"{what}: left {left}")
        for path in (
            self.disk / "mine.txt",
            *(self.disk / self.case.target / name for name in self.case.beside),
        ):
            if not path.is_file() or path.read_text(encoding="utf-8") != "mine":
                wrong.append(f"{what}: {path.name} of the user's is gone")
        kind = "new" if state == self.new else "earlier"
        self.found.outcomes[
            f"{'killed' if is_killed and status < 0 else f'status {status}'}: {kind} result there"
        ] += 1

    def _look_at_message(self, what: str, status: int, said: str) -> None:
        wrong = self.found.wrong
        lines = said.splitlines()
        if (
            len(lines) != 1
            or len(said) > _LONGEST_LINE
            or "Traceback" in said
            or "a defect of ackclock" in said
        ):
            wrong.append(f"{what}: not told in one line: {said}")
        if ("'.'" if self.case.here else self.case.target.partition("/")[0]) not in said:
            wrong.append(f"{what}: no path in: {said}")
        if (
            status == 1
            and self.case.rescues
            and "is written, but" not in said
            and self.case.target == "out"
        ):
            place = Path(said.strip().rpartition("its results are in '")[2].rstrip("'"))
            if self.state(place) != self.new:
                wrong.append(f"{what}: the results are lost: {said}")

    def _go_on(self, what: str) -> None:
        """Run the command once more, undisturbed."""
        before = self.finished_runs()
        status = self.run(self.command)
        if status != 0 or self.state() != self.new or self.leftovers():
            differences = self._differences(self.state())
            self.found.wrong.append(
                f"{what}, then undisturbed: {status} {self.said} {self.leftovers()} {differences}"
            )
        if self.finished_runs() < before:
            self.found.wrong.append(f"{what}: finished runs are lost")

    def _differences(self, state: dict[str, str] | None) -> str:
        def against(other: dict[str, str] | None) -> list[str]:
            a, b = state or {}, other or {}
            return sorted(name for name in {*a, *b} if a.get(name) != b.get(name))

        return f"not as before: {against(self.old)}; not as wanted: {against(self.new)}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("case", choices=CASES)
    parser.add_argument("base", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--kill-every", type=int)
    parser.add_argument("--again", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--faults", default=",".join(FAULTS))
    given = parser.parse_args()
    warm_up()
    laboratory = Laboratory(CASES[given.case], given.base)
    draw = random.Random(given.seed)
    if given.random:
        began = time.monotonic()
        laboratory.fresh()
        laboratory.run(laboratory.command)
        takes = time.monotonic() - began
        for _ in range(given.random):
            laboratory.kill_after(draw.uniform(0.0, 1.2 * takes))
    else:
        # A few more than were counted, where their number differs from time to time.
        last = laboratory.found.calls + (
            0 if CASES[given.case].exact else laboratory.found.calls // 10
        )
        for name in given.faults.split(","):
            every = min(given.kill_every or given.every if name == "killed" else given.every, last)
            for at in range(draw.randint(1, every), last + 1, every):
                laboratory.disturb(name, at, again=draw.randrange(given.again) == 0)
    tally = laboratory.found
    counts = {"calls": tally.calls, "faults": tally.faults}
    print(json.dumps(counts | {"outcomes": tally.outcomes, "wrong": tally.wrong}))  # noqa: T201


def warm_up() -> None:
    """Import everything that the commands need, so that each fork begins at once.

    Nothing may start a thread here.
    """
    import matplotlib.font_manager
    import polars  # noqa: F401

    for name in (
        "cli.run_command",
        "cli.compare_command",
        "cli.sweep_command",
        "cli.report_command",
        "cli.link_trace_command",
        "cli.study_command",
    ):
        importlib.import_module(f"ackclock.{name}")
    for name in (
        "plot",
        "plot.sweep",
        "pages.run.run",
        "pages.run.sweep.page",
        "sweeps.sweeping",
        "sweeps.result",
    ):
        importlib.import_module(f"ackclock.{name}")
    matplotlib.font_manager.findfont("DejaVu Sans")


if __name__ == "__main__":
    main()
