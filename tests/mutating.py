"""Mutations of examples, keys and types: each must be planned, or refused in one clear line.

``python tests/mutating.py --count 35000`` (``make mutations N=35000``) tries more than the tests
do; its seed decides all.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import datetime
import io
import math
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import tomllib
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w

import ackclock as ac
from ackclock.cli import main
from ackclock.messages import LONGEST_MESSAGE
from ackclock.scenario.cdf import CdfError, read_cdf
from ackclock.scenario.table import Table
from ackclock.sweeps.making import make_design

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]
# What no input may take: planning one takes milliseconds, and designing a sweep of some hundred
# settings a second.
_PATIENCE_S = 60
# A run that takes longer is stopped, which is no failure.
_RUN_S = 2.0
_MOST_BYTES = 3 << 30
# A sweep of more settings is read, but its settings are not made.
_MOST_SETTINGS = 60

Path_ = tuple[str | int, ...]

_CONTROL = "\x00\x07\x1b[31m\x7f\u202e\u2028"
_UNITS = [
    "",
    "ms",
    "s",
    "h",
    "Mbit/s",
    "kB",
    "packets",
    "bdp",
    "%",
    "Mbps",
    "sek",
    "MiB",
    "Hz",
    " ",
    "us",
    "ps",
    "bit/s",
]
_NUMBERS = [
    "0",
    "-1",
    "1e-30",
    "1e30",
    "1e400",
    "nan",
    "inf",
    "-inf",
    "0.1",
    "9" * 30,
    "9" * 400,
    "1_000",
    "1,5",
    "٣",
    "0x10",
    "1/3",
]
_CCS = [
    "reno",
    "cos+reno",
    "cubic",
    "bbr",
    "cos",
    "python:my_reno:MyReno",
    "cubic(beta=0.8)",
    "rneo",
    "hystart+cubic(c=0.4)",
]
_PIECES = [
    "(",
    ")",
    "+",
    "=",
    ",",
    ":",
    "python:",
    "cos",
    "reno",
    "beta",
    "0.7",
    "nan",
    "1e999",
    " ",
    "\x1b",
    "'",
    '"',
    "é",
    "((",
    "true",
    "..",
    "/",
]


def values(rng: random.Random) -> Any:
    """A value of any type, most of them wrong wherever they stand."""
    kind = rng.randrange(17)
    if kind == 0:
        return rng.choice([0, -1, 1, 2, 3, 1000, 2**31, 2**63 - 1, -(2**63)])
    if kind == 1:
        return rng.choice(
            [0.0, -0.5, 0.5, 1.5, 1e-300, 1e300, math.nan, math.inf, -math.inf, 5e-324]
        )
    if kind == 2:
        return rng.choice([True, False])
    if kind in (3, 4, 5):
        return rng.choice(_NUMBERS) + rng.choice(_UNITS)
    if kind == 6:
        return rng.choice(
            [
                "",
                " ",
                _CONTROL,
                "x" * 5000,
                "\n",
                "'",
                '"',
                "a/b",
                "..",
                "unlimited",
                "auto",
                "{",
                "ß",
                "\ud7ff",
                "null",
            ]
        )
    if kind == 7:
        return rng.choice(
            [
                [],
                [[]],
                [1],
                ["a"],
                [{}],
                [["0s", "1Mbit/s"]],
                [["0s", "0bit/s"]],
                ["1s", "2s"],
                [0] * 100,
            ]
        )
    if kind == 8:
        return rng.choice(
            [
                {},
                {"kind": "red"},
                {"kind": ""},
                {"kind": 1},
                {"a": {"b": {"c": 1}}},
                {"p": "5%"},
                {"rate": "5Mbit/s"},
            ]
        )
    if kind == 9:
        return rng.choice(
            [datetime.date(2026, 11, 23), datetime.time(12), datetime.datetime(2026, 11, 23, 12)]
        )
    if kind == 10:
        return "".join(rng.choice(_PIECES) for _ in range(rng.randint(1, 12)))
    if kind == 11:
        return mutated_text(rng.choice(_CCS), rng)
    if kind == 12:
        names = [
            "uniform",
            "exponential",
            "pareto",
            "cdf",
            "normal",
            "lognormal",
            "constant",
            "weibull",
        ]
        given = ", ".join(
            rng.choice(_NUMBERS) + rng.choice(_UNITS) for _ in range(rng.randint(0, 4))
        )
        return f"{rng.choice(names)}({given})"
    if kind == 13:
        return rng.choice(
            [
                "/dev/zero",
                "/",
                ".",
                "no-such-file",
                "/proc/self/mem",
                "my_reno.py",
                "x" * 300,
                "links",
                "\x00",
            ]
        )
    if kind == 14:
        return {
            "kind": rng.choice(["red", "codel", "file", "bulk", "bernoulli", "web", "graph"]),
            "x": rng.choice(_NUMBERS),
        }
    if kind == 15:
        return [rng.choice(_NUMBERS) + rng.choice(_UNITS) for _ in range(rng.randint(1, 5))]
    return rng.choice(
        [
            ["0s", "1s"],
            [["1s", "0s"]],
            [["0s", "1Mbit/s", "x"]],
            [1, "a", {}],
            ["unlimited"],
            [math.nan],
        ]
    )


def mutated_text(text: str, rng: random.Random) -> str:
    """The text with one thing wrong."""
    if not text:
        return rng.choice(_PIECES)
    place = rng.randrange(len(text) + 1)
    kind = rng.randrange(9)
    if kind == 0:
        return text[:place] + text[place + 1 :]
    if kind == 1:
        return text[:place] + rng.choice(_PIECES) + text[place:]
    if kind == 2:
        return text[:place]
    if kind == 3:
        return text[:place] + rng.choice(_CONTROL) + text[place:]
    if kind == 4:
        return text.upper() if text.islower() else text.lower()
    if kind == 5:
        return text * 2
    if kind == 6:
        return re.sub(r"[0-9.]+", lambda _: rng.choice(_NUMBERS), text)
    if kind == 7:
        return re.sub(r"(?<=[0-9])\s*[A-Za-z/%]+", lambda _: rng.choice(_UNITS), text)
    return text[::-1]


def paths(data: Any, here: Path_ = ()) -> Iterator[Path_]:
    """Every key and every element, from the outside in."""
    items = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    for key, value in items:
        yield (*here, key)
        yield from paths(value, (*here, key))


def _get(data: Any, path: Path_) -> Any:
    for part in path:
        data = data[part]
    return data


def mutate(data: dict[str, Any], rng: random.Random) -> tuple[dict[str, Any], str]:
    """A copy of a file's data with one key changed, and what was done to it."""
    data = copy.deepcopy(data)
    every = list(paths(data))
    path = rng.choice(every)
    parent, key = _get(data, path[:-1]), path[-1]
    old = parent[key]
    kind = rng.choice(
        [
            "remove",
            "misspell",
            "move",
            "value",
            "value",
            "value",
            "value",
            "number",
            "text",
            "text",
            "list",
            "table",
            "copy",
            "add",
            "add",
        ]
    )
    if kind == "remove":
        del parent[key]
    elif kind == "misspell" and isinstance(parent, dict):
        parent[mutated_text(str(key), rng) or "x"] = parent.pop(key)
    elif kind == "move":
        tables = [
            table
            for table in [data, *(_get(data, place) for place in every)]
            if isinstance(table, dict)
        ]
        rng.choice(tables)[str(key)] = copy.deepcopy(old)
    elif kind == "number" and isinstance(old, int | float) and not isinstance(old, bool):
        parent[key] = rng.choice(
            [-old, old * 10**6, old / 10**6, old + 0.5, str(old), old * 10**18, 0]
        )
    elif kind == "text" and isinstance(old, str):
        parent[key] = mutated_text(old, rng)
    elif kind == "list":
        parent[key] = [copy.deepcopy(old)]
    elif kind == "table":
        parent[key] = {rng.choice(["kind", "value", str(key)]): copy.deepcopy(old)}
    elif kind == "copy":
        parent[key] = copy.deepcopy(_get(data, rng.choice(every)))
    elif kind == "add" and isinstance(old, dict):
        words = rng.choice([_WORDS, *fields_of(old)])
        old[rng.choice(words)] = rng.choice([values, extreme])(rng)
    else:
        kind = "value"
        parent[key] = values(rng)
    return data, f"{kind} at {'.'.join(map(str, path))}"


def extreme(rng: random.Random) -> Any:
    """A value of the right kind for some key, at the ends of what can be."""
    return rng.choice(
        [
            *(
                "1ps",
                "480h",
                "1ms",
                "1bit/s",
                "1Tbit/s",
                "1B",
                "1EB",
                "1 packet",
                "1000000 packets",
                "0.001bdp",
                "1000bdp",
                "unlimited",
                "auto",
            ),
            *(
                0,
                1,
                2**31,
                2**63 - 1,
                0.0,
                1e-12,
                1.0,
                0.5,
                True,
                False,
                [],
                ["a", "b"],
                "uniform(0s, 1ps)",
                "exponential(480h)",
            ),
            *(
                [["0s", "1s"]],
                [["0s", "1Mbit/s"], ["1ps", "0bit/s"]],
                "red",
                "dualpi2",
                {"kind": "red"},
                {"rate": "unlimited", "qdisc": "red"},
            ),
        ]
    )


def _tables(base: type[Table] = Table) -> Iterator[type[Table]]:
    for table in base.__subclasses__():
        yield table
        yield from _tables(table)


def fields_of(data: dict[str, Any]) -> list[list[str]]:
    """The keys of each table of a scenario that this one may be."""
    known = [
        [field.alias or name for name, field in table.model_fields.items()] for table in _tables()
    ]
    return [sorted(keys) for keys in known if data and data.keys() <= {*keys}]


_WORDS = [
    *(
        "rtt",
        "buffer",
        "latency",
        "bandwidth",
        "loss",
        "size",
        "reverse",
        "qdisc",
        "limit",
        "access",
        "jitter",
        "reorder",
        "outages",
        "slot",
    ),
    *(
        "policer",
        "duplicate",
        "corrupt",
        "delay_schedule",
        "transport",
        "app",
        "start",
        "stop",
        "count",
        "parallel",
        "priority",
        "x" * 5000,
    ),
    *(
        "\x1b[31m",
        "",
        " ",
        "kind",
        "name",
        "from",
        "to",
        "chunk",
        "ssthresh",
        "initial_window",
        "rate",
        "delay",
        "cc",
        "record",
        "compare",
    ),
]


def mutate_source(source: bytes, rng: random.Random) -> tuple[bytes, str]:
    """Change a file's bytes as no data can: a line doubled or cut, other encodings, noise."""
    lines = source.split(b"\n")
    place = rng.randrange(len(lines))
    kind = rng.choice(["double", "cut", "join", "noise", "encoding", "long", "swap", "quote"])
    if kind == "double":
        lines.insert(place, lines[place])
    elif kind == "cut":
        return source[: rng.randrange(max(len(source), 1))], kind
    elif kind == "join":
        lines[place : place + 2] = [b" ".join(lines[place : place + 2])]
    elif kind == "noise":
        at = rng.randrange(max(len(source), 1))
        return source[:at] + rng.randbytes(rng.randint(1, 3)) + source[at:], kind
    elif kind == "encoding":
        try:
            return source.decode().encode(
                rng.choice(["utf-16", "utf-16-be", "utf-32", "utf-8-sig", "latin-1", "cp037"])
            ), kind
        except UnicodeError:
            return b"\xff" + source, kind
    elif kind == "long":
        lines.insert(
            place,
            rng.choice(
                [
                    b"x = " + b"[" * 3000,
                    b"x = " + b"9" * 6000,
                    b"k" * 6000 + b" = 1",
                    b"a." * 3000 + b"a = 1",
                ]
            ),
        )
    elif kind == "swap":
        other = rng.randrange(len(lines))
        lines[place], lines[other] = lines[other], lines[place]
    else:
        lines[place] = lines[place].replace(b'"', b"", 1)
    return b"\n".join(lines), kind


@dataclass
class Tried:
    """Outcomes of the mutations."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def failed(self, what: str, error: BaseException | None = None) -> None:
        """Keep a failure with all that one needs to see it again."""
        self.counts["failed"] += 1
        trace = "" if error is None else "".join(traceback.format_exception(error)[-4:])
        if len(self.failures) < 200:
            self.failures.append(f"{what}\n{trace}")


class Hang(BaseException):
    """An input took longer than any may."""


@contextlib.contextmanager
def patience(seconds: float = _PATIENCE_S) -> Iterator[None]:
    """End what takes too long."""

    def ring(_number: int, _frame: object) -> None:
        raise Hang

    # Time of the processor, so that a busy machine is no hang, and ten times as much by the clock,
    # for what waits.
    timers = {
        signal.SIGPROF: (signal.ITIMER_PROF, seconds),
        signal.SIGALRM: (signal.ITIMER_REAL, 10 * seconds),
    }
    before = {number: signal.signal(number, ring) for number in timers}
    for timer, longest in timers.values():
        signal.setitimer(timer, longest)
    try:
        yield
    finally:
        for number, (timer, _) in timers.items():
            signal.setitimer(timer, 0)
            signal.signal(number, before[number])


def wrong_with(message: str, *names: str) -> str:
    """Say in words why a message is bad; "": it is good."""
    if len(message) > LONGEST_MESSAGE:
        return f"{len(message)} characters"
    if not message.isprintable():
        return "it does not print"
    if not message or "Traceback" in message or "defect of ackclock" in message:
        return "it says nothing"
    missing = [name for name in names if name and name not in message]
    return f"it does not name {missing[0]}" if missing else ""


def examples() -> list[tuple[Path, bytes]]:
    """Every scenario and sweep of the project by its path; those in Markdown as their own files."""
    sources = [*ROOT.glob("scenarios/**/*.toml"), *ROOT.glob("python/ackclock/**/*.toml")]
    files = [(path.relative_to(ROOT), path.read_bytes()) for path in sorted(sources)]
    for page in sorted(ROOT.glob("docs/**/*.md")):
        for number, block in enumerate(
            re.findall(r"```toml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        ):
            files.append((Path("scenarios") / f"{page.stem}-{number}.toml", block.encode()))
    return [
        (path, source) for path, source in files if b"duration" in source or b"[sweep]" in source
    ]


class Mutations:
    """A copy of the examples in a folder of its own, whose files are replaced one by one."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        self.tried = Tried()
        for part in ("scenarios", "papers/src/ackclock_papers"):
            shutil.copytree(
                ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__")
            )
        self.folder = folder
        self.examples = examples()
        self._out = folder / "out"

    def scenario(self, *, cli: bool) -> None:
        """Try one mutated file: planned, or refused as it should be; with `cli`, by command too."""
        rng = self.rng
        path, source = rng.choice(self.examples)
        if rng.random() < 0.12:
            source, what = mutate_source(source, rng)
        else:
            try:
                data, what = mutate(tomllib.loads(source.decode()), rng)
                if rng.random() < 0.25:
                    data, more = mutate(data, rng)
                    what += f" and {more}"
                source = tomli_w.dumps(data).encode("utf-8", "replace")
            except (TypeError, RecursionError, IndexError):
                # Nothing is left to change, or TOML cannot say it.
                self.tried.counts["not written"] += 1
                return
        file = self.folder / path.parent / f"m-{path.stem[:20]}.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(source)
        label = f"{path}: {what}"
        try:
            with patience():
                self._plan(file, label, cli=cli)
        except Hang as error:
            self.tried.failed(
                f"{label}: took more than {_PATIENCE_S} s\n"
                f"{source[:3000].decode(errors='replace')}",
                error,
            )
        except BaseException as error:
            self.tried.failed(
                f"{label}: {type(error).__name__}\n{source[:3000].decode(errors='replace')}", error
            )

    def _plan(self, file: Path, label: str, *, cli: bool) -> None:
        counts = self.tried.counts
        try:
            scenario = ac.load(file)
            if scenario.sweep is not None:
                if math.prod(_many(axis) for axis in scenario.sweep.axes) <= _MOST_SETTINGS:
                    make_design(scenario)
            else:
                scenario.plan()
            counts["planned"] += 1
            if scenario.sweep is None and self.rng.random() < 0.06:
                self._run(scenario, label)
        except ac.NotTrustedError as error:
            # The name of a folder here, as that of a module.
            counts["refused"] += 1
            if wrong := wrong_with(str(error), file.name[-40:]):
                self.tried.failed(f"{label}: {wrong}: {error!s}")
        except ac.ScenarioError as error:
            counts["refused"] += 1
            if wrong := wrong_with(str(error), file.name[-40:]) or wrong_with(
                str(error), error.key
            ):
                self.tried.failed(f"{label}: {wrong}: {error!s}")
            elif cli and error.file == str(file):
                self._ask(
                    [
                        ("run" if "sweep" not in str(error) else "sweep"),
                        str(file),
                        "--out",
                        str(self._out),
                    ],
                    label,
                    {2},
                    str(error),
                )
        if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 > _MOST_BYTES:
            raise MemoryError(label)

    def _run(self, scenario: ac.Scenario, label: str) -> None:
        began = time.monotonic()

        def progress(_share: float) -> None:
            if time.monotonic() - began > _RUN_S:
                raise TimeoutError

        try:
            short = scenario.replace({"duration": "300ms", "warmup": "0s"})
            flows = sum(flow.count * flow.connections for flow in short.flows)
            if flows > 2000 or any("python:" in (flow.cc or "") for flow in short.flows):
                return
            result = ac.run(short, progress=progress)
            result.summary()
            self.tried.counts["run"] += 1
        except TimeoutError:
            self.tried.counts["stopped"] += 1
        except ac.ScenarioError as error:
            if wrong := wrong_with(str(error)):
                self.tried.failed(f"{label}: {wrong}: {error!s}")

    def _ask(self, words: list[str], label: str, statuses: set[int], says: str = "") -> None:
        """Have the command line do something; what it says and its status are checked."""
        self.tried.counts["asked"] += 1
        out, err = io.StringIO(), io.StringIO()
        status: object = 0
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                main(words)
            except SystemExit as left:
                status = left.code
        lines = err.getvalue().strip("\n").split("\n")
        if status not in statuses:
            self.tried.failed(f"{label}: {words}: status {status}: {err.getvalue()[:500]}")
        elif (
            status in {1, 2}
            and words[0] != "packetdrill"
            and (
                wrong := wrong_with(lines[-1])
                or ("" if says in lines[-1] else f"not as in Python: {says}")
            )
        ):
            self.tried.failed(f"{label}: {words}: {wrong}: {err.getvalue()[:800]}")
        if status == 2 and self._out.exists():
            self.tried.failed(f"{label}: {words}: something was written")
            shutil.rmtree(self._out, ignore_errors=True)

    def command_line(self) -> None:
        """One command with a bad value for one of its options or arguments."""
        rng = self.rng
        words = rng.choice(command_lines(self.folder, rng))
        label = f"ackclock {' '.join(words)[:300]}"
        before = sorted(self.folder.iterdir())
        try:
            with patience():
                self._ask(words, label, {0, 1, 2})
        except BaseException as error:
            self.tried.failed(f"{label}: {type(error).__name__}", error)
        for new in set(self.folder.iterdir()) - set(before):
            shutil.rmtree(new, ignore_errors=True) if new.is_dir() else new.unlink(missing_ok=True)

    def spec(self) -> None:
        """One name of an algorithm of random text."""
        text = mutated_text(self.rng.choice(_CCS), self.rng)
        if self.rng.random() < 0.5:
            text = "".join(self.rng.choice(_PIECES) for _ in range(self.rng.randint(1, 30)))
        self._refused(lambda: ac.flow(text), f"cc {text!r}")

    def setting(self) -> None:
        """One text for --set."""
        rng = self.rng
        key = rng.choice(
            [
                "duration",
                "flows.cc",
                "flows.0.start",
                "network.bottleneck.rate",
                "flows.f.count",
                "a.b.c",
                "flows..x",
                "",
                "x" * 3000,
            ]
        )
        key = mutated_text(key, rng) if rng.random() < 0.5 else key
        equals = rng.choice(["=", "", " = ", "=="])
        value = rng.choice([str(values(rng)), mutated_text("[1, 2]", rng), "[" * 3000])
        setting = f"{key}{equals}{value}"
        self._refused(
            lambda: ac.load(
                self.folder / "scenarios/reno-one-flow.toml", settings=[setting]
            ).plan(),
            f"--set {setting[:200]!r}",
        )

    def referred_file(self) -> None:
        """One mutated file that a scenario names: a link trace, a video trace, a distribution."""
        rng = self.rng
        good = {
            "links": b"".join(b"%d\n" % ms for ms in range(1, 200, 3)),
            "cdf": b"1000 0.1\n2000 0.5\n5000 1\n",
            "video": (ROOT / "scenarios/video/clip.trace").read_bytes()[:20_000],
        }
        kind = rng.choice(list(good))
        source = good[kind]
        for _ in range(rng.randint(1, 3)):
            source = mutate_source(source or b" ", rng)[0]
        file = self.folder / "scenarios" / f"m-{kind}.txt"
        file.write_bytes(source)
        changes: dict[str, Any] = {
            "links": {"network.bottleneck.rate": {"trace": file.name}},
            "cdf": {},
            "video": {"flows": [{"app": {"kind": "video", "trace": file.name}}]},
        }[kind]

        def load() -> object:
            return ac.load(self.folder / "scenarios/reno-one-flow.toml", changes=changes).plan()

        if kind == "cdf":
            self._refused(lambda: read_cdf(file.name, file.parent), f"{kind} file {source[:500]!r}")
        else:
            self._refused(load, f"{kind} file {source[:500]!r}")

    def _refused(self, load: Callable[[], object], label: str) -> None:
        try:
            with patience():
                load()
            self.tried.counts["planned"] += 1
        except (ac.ScenarioError, CdfError) as error:
            self.tried.counts["refused"] += 1
            if wrong := wrong_with(str(error)):
                self.tried.failed(f"{label}: {wrong}: {error!s}")
        except BaseException as error:
            self.tried.failed(f"{label}: {type(error).__name__}", error)


def _many(axis: Any) -> int:
    given = (
        axis.values
        if isinstance(getattr(axis, "values", None), list)
        else getattr(axis, "settings", None)
    )
    return len(given) if isinstance(given, list) else 20


_BAD = [
    "",
    " ",
    "nan",
    "-1",
    "0",
    "1",
    "9" * 30,
    "1e400",
    "\x1b[31m",
    "x" * 5000,
    "[",
    "é",
    "/dev/null/x",
    "a=b",
    ",",
    "=",
    "1,2",
    "reno,",
    "%s",
    "-",
    "--",
    "{}",
]


def command_lines(folder: Path, rng: random.Random) -> list[list[str]]:
    """Make a wrong command of each kind; none runs for long or writes outside of `folder`."""
    import click

    from ackclock.cli import command as group

    scenario = folder / "scenarios" / "reno-one-flow.toml"
    sweep = folder / "scenarios" / "sweeps" / "buffer-size.toml"
    short = [
        "--set",
        "duration=100ms",
        "--set",
        "warmup=0s",
        "--out",
        str(folder / "out-cli"),
        "--quiet",
    ]
    begins: dict[str, list[str]] = {
        "run": ["run", str(scenario), *short, "--no-plots"],
        "compare": ["compare", str(scenario), *short],
        "sweep": ["sweep", str(sweep), "--out", str(folder / "out-cli"), "--dry-run"],
        "packetdrill": ["packetdrill", str(folder / "scenarios")],
        "report": ["report", str(folder)],
        "link-trace": ["link-trace", str(scenario), "--out", str(folder / "out-cli.txt")],
        "video-trace": ["video-trace", str(scenario), "--out", str(folder / "out-cli.txt")],
        "theory": ["theory"],
        "list": ["list"],
        "schema": ["schema"],
        "linux": ["linux", str(scenario), "--check", "--out", str(folder / "out-cli")],
    }
    context = click.Context(group)
    lines = []
    for name, begin in begins.items():
        command = group.get_command(context, name)
        assert command is not None
        # What asks the kernel or waits for a network is left alone.
        options = [
            option
            for option in command.params
            if isinstance(option, click.Option)
            and not {*option.opts} & {"--kernel", "--on", "--dask"}
        ]
        bad = (
            rng.choice(_BAD)
            if rng.random() < 0.6
            else mutated_text(rng.choice(["60ms", "cubic", "5", "goodput", "a=1", "1bdp"]), rng)
        )
        if options and rng.random() < 0.7:
            option = rng.choice(options)
            value = (
                []
                if option.is_flag
                else [
                    f"duration={bad}" if option.name == "settings" and rng.random() < 0.5 else bad
                ]
            )
            value = (
                [str(folder / "out-cli" / value[0][:300])]
                if option.name in {"out", "export", "store"}
                else value
            )
            lines.append([*begin, option.opts[0], *value])
        else:
            lines.append([*begin[:1], bad, *begin[2:]])
    lines += [
        ["study", "check", bad],
        ["study", bad],
        ["study", "export", bad],
        ["study", "diff", bad, bad],
        ["study", "verify", bad],
        [bad],
    ]
    lines += [
        ["theory", rng.choice(["reno", "cubic", "pftk", "mathis", bad]), f"{bad}={bad}", "p=x"],
        ["sweep", "show", bad],
        ["sweep", "status", bad],
    ]
    return lines


def run(
    count: int, seed: int, folder: Path, progress: Callable[[int], None] = lambda _: None
) -> Tried:
    """Try `count` mutated files, and of all else a share of that."""
    mutations = Mutations(folder, seed)
    for number in range(count):
        mutations.scenario(cli=number % 10 == 0)
        if number % 10 == 1:
            mutations.spec()
            mutations.setting()
            mutations.referred_file()
        if number % 40 == 2:
            mutations.command_line()
        progress(number + 1)
    return mutations.tried


def _main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=35_000, help="mutated files")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.monotonic()

    def progress(done: int) -> None:
        if done % 1000 == 0:
            sys.stderr.write(f"{done} of {given.count}, {time.monotonic() - began:.0f} s\n")

    with tempfile.TemporaryDirectory() as folder:
        tried = run(given.count, given.seed, Path(folder).resolve(), progress)
    for failure in tried.failures:
        sys.stdout.write(f"{failure}\n\n")
    sys.stdout.write(
        f"{', '.join(f'{count} {what}' for what, count in sorted(tried.counts.items()))}\n"
    )
    return 1 if tried.failures else 0


if __name__ == "__main__":
    sys.exit(_main())
