"""A wrong scenario gets one line with file, key, value and choices; status 2; nothing written."""

from pathlib import Path

import pytest

import ackclock as ac
from ackclock.cli import main

Capture = pytest.CaptureFixture[str]

GOOD = """\
duration = "60s"
warmup = "10s"
profile = "linux"

[network]
kind = "dumbbell"
bottleneck = { rate = "10Mbit/s", delay = "30ms", limit = "1bdp" }

[[flows]]
name = "f"
cc = "reno"
"""

GRAPH = """\
duration = "60s"

[network]
kind = "graph"
nodes = ["a", "b", "c"]

[[network.links]]
from = "a"
to = "b"
rate = "10Mbit/s"
delay = "10ms"

[[network.links]]
from = "b"
to = "c"
rate = "10Mbit/s"
delay = "10ms"

[[flows]]
cc = "reno"
from = "a"
to = "c"
"""

# By the replaced text: the text in its place, the key named, and what else the line must say (the
# value, the choices, the nearest name).
CHANGED = {
    'duration = "60s"': [
        ('durration = "60s"', "durration", "unknown key", "did you mean 'duration'"),
        ("", "duration", "missing"),
    ],
    'kind = "dumbbell"': [("", "network", "kind")],
    'delay = "30ms"': [
        ('dellay = "30ms"', "network.bottleneck.dellay", "did you mean 'delay'", "rate")
    ],
    'rate = "10Mbit/s", ': [("", "network.bottleneck.rate", "missing", "Line rate")],
    'cc = "reno"': [
        ("", "flows.0.cc", "missing", "Congestion control"),
        (
            'transport = { loss_detection = "rack" }\ncc = "tahoe"',
            "flows.0.cc",
            "'tahoe'",
            "loss_detection",
            "'rack'",
        ),
        ('cc = "reno', "line 11, column 11", "TOML", "reno"),
    ],
    'name = "f"': [
        ("parallel = 0", "flows.0.parallel", "0 is too small", "at least 1"),
        ("parallel = 1001", "flows.0.parallel", "1001 is too large", "at most 1000"),
        ("parallel = 2.5", "flows.0.parallel", "2.5 is not a whole number"),
        ("count = 100_000\nparallel = 100", "flows.0.parallel", "more than 1000000 connections"),
        ('parallel = 4\nchunk = "0B"', "flows.0.chunk", "zero", "such as"),
        ("parallel = 4\nchunk = 1000", "flows.0.chunk", "has no unit"),
        ('sstresh = "1bdp"', "flows.0.sstresh", "did you mean 'ssthresh'"),
        ("count = 0", "flows.0.count", "0", "at least 1"),
        ("count = 2.5", "flows.0.count", "2.5", "whole number"),
        ('count = "5"', "flows.0.count", "'5'", "whole number"),
        ('name = "f.1"', "flows.0.name", "'f.1'", "letters"),
        ('app = "bluk"', "flows.0.app", "'bluk'", "did you mean 'bulk'"),
        ('app = "file"', "flows.0.app.size", "missing"),
        (
            'app = { kind = "file", size = "1 mb" }',
            "flows.0.app.size",
            "'1 mb'",
            "did you mean '1MB'",
        ),
        (
            'app = { kind = "writes", writes = [["1s", "1kB"], ["0s", "1kB"]] }',
            "flows.0.app.writes.1",
            "'0s'",
            "order",
        ),
        (
            'app = { kind = "writes", writes = ["1s"] }',
            "flows.0.app.writes.0",
            "'1s'",
            "['1s', '10kB']",
        ),
        ('start = "unifrom(0s, 1s)"', "flows.0.start", "'unifrom'", "did you mean 'uniform'"),
        ('start = "uniform(0s)"', "flows.0.start", "'uniform(0s)'", "(low, high)"),
        ('start = "uniform(1s, 0s)"', "flows.0.start", "'uniform(1s, 0s)'", "low"),
        ('start = "exponential(1)"', "flows.0.start", "'1'", "no unit"),
        (
            'access = { delay = "pareto(1h, 0.001)" }',
            "flows.0.access.delay",
            "'pareto(1h, 0.001)'",
            "above 1",
        ),
        ('start = "pareto(1s, nan)"', "flows.0.start", "shape", "'nan'"),
        ('start = "5s"\nstop = "5s"', "flows.0.stop", "'5s'", "not after the start of flow1"),
        ('from = "lefft"', "flows.0.from", "'lefft'", "did you mean 'left'"),
        ('to = "left"', "flows.0.to", "'left'", "both ends"),
        ('start = "60s"', "duration", "'60s'", "impossible run", "no flow starts"),
        ('name = "f"\ncc = "cubic"\n[[flows]]\nname = "f"', "flows.1.name", "'f'", "own name"),
        (
            'access = { limit = "10 bytes", rate = "1Mbit/s" }',
            "flows.0.access.limit",
            "'10 bytes'",
            "less than one packet",
        ),
        (
            'transport = { receive_buffer = "100 bytes" }',
            "flows.0.transport.receive_buffer",
            "'100 bytes'",
            "1448 bytes",
        ),
        (
            'transport = { receive_buffer = "2GB" }',
            "flows.0.transport.receive_buffer",
            "'2GB'",
            "at most 1GiB",
        ),
        ('transport = { mss = "70kB" }', "flows.0.transport.mss", "'70kB'", "at most 65535 bytes"),
        (
            'ssthresh = "1bdp"\ntransport = { ssthresh = "2bdp" }',
            "flows.0.ssthresh",
            "'1bdp'",
            "give one",
        ),
    ],
    "[[flows]]": [("[flows]", "flows", "not a list")],
    "[network]": [
        ("[[nodes]]\nname = 'a'\n[network]", "nodes", "network.kind is 'dumbbell'"),
        (
            '[transport]\ninitial_window = "rfc3309"\n[network]',
            "transport.initial_window",
            "did you mean 'rfc3390'",
        ),
        (
            '[record]\nsamples = "1ps"\n[network]',
            "record.samples",
            "'1ps'",
            "60000000000000 rows",
            "record.max_size",
        ),
        (
            '[transport]\nloss_detection = "sack"\ntail_loss_probe = true\n[network]',
            "transport.tail_loss_probe",
            "true",
            "'rack'",
        ),
        (
            '[transport]\nloss_detection = "dupack"\ndsack = true\n[network]',
            "transport.dsack",
            "true",
            "'sack'",
        ),
        (
            '[transport]\ndupack_recovery = "tahoe"\n[network]',
            "transport.dupack_recovery",
            "'tahoe'",
            "'dupack'",
        ),
        ('[transport]\nmin_rto = "200s"\n[network]', "transport.min_rto", "'200s'", "max_rto"),
        ('[transport]\necn = "on"\n[network]', "transport.ecn", "'on'", "off, classic, accurate"),
        (
            '[transport]\ntimestamps = "yes"\n[network]',
            "transport.timestamps",
            "'yes'",
            "true or false",
        ),
        ("[transport]\ndelayed_ack = 0\n[network]", "transport.delayed_ack", "0", "at least 1"),
        (
            '[transport]\ninitial_window = "10"\n[network]',
            "transport.initial_window",
            "'10'",
            "'20 packets'",
        ),
        ('[record]\nsamples = "allways"\n[network]', "record.samples", "'allways'", "changes"),
        (
            '[record]\nlinks = ["botleneck"]\n[network]',
            "record.links.0",
            "'botleneck'",
            "did you mean 'bottleneck'",
        ),
        ('[record]\nflows = ["g"]\n[network]', "record.flows.0", "'g'", "only f"),
        (
            '[record]\npcap = ["sendr"]\n[network]',
            "record.pcap.0",
            "'sendr'",
            "did you mean 'sender'",
        ),
        ('[compare]\ncc = ["reno", "cubik"]\n[network]', "compare.cc.1", "'cubik'", "'cubic'"),
        ('[compare]\nflows = ["g"]\n[network]', "compare.flows.0", "'g'", "only f"),
        ("[compare]\nseeds = 0\n[network]", "compare.seeds", "0", "at least 1"),
    ],
    "10Mbit/s": [
        ("10Mbps/s", "network.bottleneck.rate", "'10Mbps/s'", "did you mean '10Mbps'"),
        ("10M", "network.bottleneck.rate", "'10M'", "no unit", "'10Mbit/s'"),
        ("0Mbit/s", "network.bottleneck.rate", "'0Mbit/s'", "more than zero"),
        ("-1Mbit/s", "network.bottleneck.rate", "'-1Mbit/s'", "negative"),
        ("nan Mbit/s", "network.bottleneck.rate", "'nan Mbit/s'", "finite"),
    ],
    '"10Mbit/s"': [("10", "network.bottleneck.rate", "10 has no unit", '"10 Mbit/s"')],
    '"60s"': [
        ("60", "duration", "60 has no unit", '"60 s"'),
        ("60s", "line 1, column", "TOML", '"60s"'),
    ],
    "60s": [
        ("60 sek", "duration", "'60 sek'", "unknown unit", "'60ms'"),
        ("1e30s", "duration", "'1e30s'", "too large"),
        ("0s", "duration", "'0s'", "more than zero"),
        ("5000h", "duration", "'5000h'", "at most 480h"),
        ("9000h", "duration", "'9000h' is too large", "5124h (213 days)"),
    ],
    "30ms": [("-30ms", "network.bottleneck.delay", "'-30ms'", "negative")],
    '"30ms"': [('["30ms"]', "network.bottleneck.delay", "['30ms']", "not a time")],
    "1bdp": [
        ("0 packets", "network.bottleneck.limit", "'0 packets'", "zero", "at least one packet"),
        ("0bdp", "network.bottleneck.limit", "'0bdp'", "zero"),
        ("0.5 packets", "network.bottleneck.limit", "'0.5 packets'", "less than one packet"),
        ("2.5 packets", "network.bottleneck.limit", "'2.5 packets'", "whole number"),
        (
            "100 bytes",
            "network.bottleneck.limit",
            "'100 bytes'",
            "less than one packet of 1500 bytes",
        ),
        (
            "0.001bdp",
            "network.bottleneck.limit",
            "'0.001bdp'",
            "is 75 bytes here",
            "less than one packet",
        ),
        ("20 pakets", "network.bottleneck.limit", "'20 pakets'", "did you mean '20 packets'"),
        ("20", "network.bottleneck.limit", "'20'", "'20 packets'", "'1bdp'"),
        ("-5 packets", "network.bottleneck.limit", "'-5 packets'", "'20 packets'"),
        ("unlimitd", "network.bottleneck.limit", "'unlimitd'", "did you mean 'unlimited'"),
    ],
    '"reno"': [
        ('"rneo"', "flows.0.cc", "'rneo'", "'reno'"),
        ('"cso+reno"', "flows.0.cc", "'cso'", "'cos'"),
        ('"cubic(betta=0.8)"', "flows.0.cc", "'betta'", "'beta'"),
        ("7", "flows.0.cc", "7", "name"),
    ],
    '"linux"': [('"linus"', "profile", "'linus'", "linux, rfc, classic", "did you mean 'linux'")],
    '"dumbbell"': [
        ('"dumbell"', "network.kind", "'dumbell'", "parking-lot", "did you mean 'dumbbell'")
    ],
    'limit = "1bdp"': [
        ('qdisc = "rde"', "network.bottleneck.qdisc", "'rde'", "fifo, red", "did you mean 'red'"),
        (
            'qdisc = { kind = "cdoel" }',
            "network.bottleneck.qdisc.kind",
            "'cdoel'",
            "fifo, red",
            "did you mean 'codel'",
        ),
        (
            'qdisc = { kind = "codel", target = 5 }',
            "network.bottleneck.qdisc.target",
            "5 has no unit",
            '"5 ms"',
        ),
        (
            'qdisc = { kind = "codel", interval = "0ms" }',
            "network.bottleneck.qdisc.interval",
            "'0ms' is zero",
        ),
        ('qdisc = "fqcodel"', "network.bottleneck.qdisc", "'fqcodel'", "did you mean 'fq_codel'"),
        (
            'qdisc = { kind = "fq_codel", quantum = "100 bytes" }',
            "network.bottleneck.qdisc.quantum",
            "'100 bytes'",
            "256 to 1048576 bytes",
        ),
        (
            'qdisc = { kind = "fq_codel", quantum = 300 }',
            "network.bottleneck.qdisc.quantum",
            "300 has no unit",
            '"300 bytes" or "300 kB"',
        ),
        (
            'qdisc = { kind = "fq_codel", flows = 0 }',
            "network.bottleneck.qdisc.flows",
            "0 is too small",
            "at least 1",
        ),
        (
            'qdisc = { kind = "fq_pie", flows = 65537 }',
            "network.bottleneck.qdisc.flows",
            "65537",
            "at most 65536",
        ),
        (
            'qdisc = { kind = "fq_pie", drop_batch = 1 }',
            "network.bottleneck.qdisc.drop_batch",
            "unknown key",
        ),
        (
            'qdisc = { kind = "cobalt", p_inc = 2 }',
            "network.bottleneck.qdisc.p_inc",
            "2 is too large",
            "at most 1",
        ),
        (
            'qdisc = { kind = "codel", noecn = true }',
            "network.bottleneck.qdisc.noecn",
            "did you mean 'ecn'",
        ),
        (
            'qdisc = { kind = "red", max_P = 0.1 }',
            "network.bottleneck.qdisc.max_P",
            "did you mean 'max_p'",
        ),
        (
            'qdisc = { kind = "red", max_p = 1.5 }',
            "network.bottleneck.qdisc.max_p",
            "1.5",
            "at most 1",
        ),
        (
            'qdisc = { kind = "red", max_p = nan }',
            "network.bottleneck.qdisc.max_p",
            "nan",
            "finite",
        ),
        (
            'qdisc = { kind = "red", weight = 2 }',
            "network.bottleneck.qdisc.weight",
            "2",
            "at most 1",
        ),
        (
            'qdisc = { kind = "red", min_threshold = "9 packets", max_threshold = "3 packets" }',
            "network.bottleneck.qdisc.max_threshold",
            "'3 packets'",
            "9",
            "above the lower",
        ),
        (
            'qdisc = "step"',
            "network.bottleneck.qdisc.threshold",
            "missing",
            "The most that may wait unmarked",
        ),
        (
            'qdisc = { kind = "step", threshold = 5 }',
            "network.bottleneck.qdisc.threshold",
            "5",
            "no unit",
        ),
        (
            'qdisc = { kind = "step", threshold = "2.5 packets" }',
            "network.bottleneck.qdisc.threshold",
            "'2.5 packets'",
            "whole number of packets",
        ),
        (
            'loss = { kind = "bernouli", p = 0.1 }',
            "network.bottleneck.loss.kind",
            "'bernouli'",
            "did you mean 'bernoulli'",
        ),
        (
            'loss = { kind = "bernoulli", p = -0.1 }',
            "network.bottleneck.loss.p",
            "-0.1",
            "at least 0",
        ),
        (
            'loss = { kind = "bernoulli", p = "1 percent" }',
            "network.bottleneck.loss.p",
            "'1 percent'",
            "a number from 0 to 1, such as 0.01, or '1%'",
        ),
        ('loss = { kind = "bernoulli" }', "network.bottleneck.loss.p", "missing", "Probability"),
        (
            'loss = { kind = "periodic", every = 0 }',
            "network.bottleneck.loss.every",
            "0",
            "at least 1",
        ),
        (
            'loss = { kind = "list", packets = [3, 2] }',
            "network.bottleneck.loss.packets",
            "2 after 3",
            "ascending",
        ),
        ("loss = 1", "network.bottleneck.loss", "1", "did you mean '1%'"),
        ('loss = "5"', "network.bottleneck.loss", "'5'", "write '1%'"),
        ('loss = { rate = "x" }', "network.bottleneck.loss.rate", "'x'", "write '1%'"),
        ("loss = true", "network.bottleneck.loss", "true", 'loss = "1%"'),
    ],
    'warmup = "10s"': [
        ('warmup = "60s"', "warmup", "'60s'", "not before the end"),
        ("seed = -1", "seed", "-1", "at least 0"),
        ("seed = 1.5", "seed", "1.5", "whole number"),
        ('name = "../up"', "name", "'../up'", "letters"),
        ('duration = "10s"', "line 2, column", "TOML", "duration"),
    ],
}
CHANGED_GRAPH = {
    'to = "b"': [('to = "d"', "network.links.0.to", "'d'", "a, b, c")],
    'nodes = ["a", "b", "c"]': [
        ('nodes = ["a", "b", "c", "c"]', "network.nodes.3.name", "'c'", "own name")
    ],
    'from = "b"\nto = "c"': [
        ('from = "a"\nto = "b"', "network.links.1.name", "'a-b'", "own name"),
        ('from = "b"\nto = "b"', "network.links.1.to", "'b'", "begins"),
        (
            'from = "b"\nto = "c"\nreverse = false',
            "flows.0.to",
            "'c'",
            "no links lead back from 'c' to 'a'",
        ),
        (
            'from = "c"\nto = "b"\nreverse = false',
            "flows.0.to",
            "'c'",
            "no links lead from 'a' to 'c'",
        ),
    ],
    'from = "a"\nto = "c"': [('from = "a"\nto = "x"', "flows.0.to", "'x'", "a, b, c")],
    'rate = "10Mbit/s"\ndelay': [
        ('limit = "5 packets"\ndelay', "network.links.0.limit", "'5 packets'", "unlimited rate"),
        (
            'reverse = { ratte = "1Mbit/s" }\ndelay',
            "network.links.0.reverse.ratte",
            "did you mean 'rate'",
        ),
    ],
}
SPOILT = [
    (text.replace(old, new, 1), key, parts)
    for text, changes in ((GOOD, CHANGED), (GRAPH, CHANGED_GRAPH))
    for old, cases in changes.items()
    for new, key, *parts in cases
]
# Overrides on the command line: arguments, the key named, what else the line must say.
ARGUMENTS = [
    (["--set", "flows.cout=5"], "flows.0.cout", ["did you mean 'count'"]),
    (["--set", "flows.3.count=5"], "flows.3.count", ["no element 3", "the list has 1"]),
    (["--set", "network.bottleneck.rate=5"], "network.bottleneck.rate", ["5 has no unit"]),
    (
        ["--set", "network.bottleneck.rate.x=5"],
        "network.bottleneck.rate.x",
        ["'10Mbit/s'", "no keys"],
    ),
    (["--set", "duration"], "--set", ["'duration'", "key=value"]),
    (["--set", "=5"], "--set", ["'=5'", "key=value"]),
    (["--set", "..=5"], "..", ["not a key"]),
    (["--seed", "-3"], "seed", ["-3", "at least 0"]),
    (["--seed", "x"], "--seed", ["'x'"]),
    (["--sed", "1"], "--sed", ["--seed"]),
]


def _complaint(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> str:
    """Run the command; the one line it says."""
    before = sorted(path.name for path in tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    said = capsys.readouterr()
    assert stopped.value.code == 2
    assert said.out == ""
    assert said.err.count("\n") == 1, said.err
    assert sorted(path.name for path in tmp_path.iterdir()) == before, "nothing may be written"
    return said.err.rstrip("\n")


@pytest.mark.parametrize(
    ("text", "key", "parts"),
    SPOILT,
    ids=[f"{key}-{index}" for index, (_, key, _) in enumerate(SPOILT)],
)
def test_a_wrong_scenario_gets_one_line(
    text: str,
    key: str,
    parts: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    assert text not in (GOOD, GRAPH)
    (tmp_path / "bad.toml").write_text(text, encoding="utf-8")
    line = _complaint(["run", "bad.toml"], tmp_path, monkeypatch, capsys)
    assert line.startswith(f"bad.toml: {key}"), line
    for part in parts:
        assert part in line, line
    with pytest.raises(ac.ScenarioError) as caught:
        ac.load("bad.toml").plan()
    assert str(caught.value) == line, "Python says the same as the command line"


@pytest.mark.parametrize(("arguments", "key", "parts"), ARGUMENTS)
def test_a_wrong_argument_gets_one_line(
    arguments: list[str],
    key: str,
    parts: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    (tmp_path / "good.toml").write_text(GOOD, encoding="utf-8")
    line = _complaint(["run", "good.toml", *arguments], tmp_path, monkeypatch, capsys)
    for part in [key, *parts]:
        assert part in line, line


def test_the_scenario_that_all_these_spoil_is_good() -> None:
    import tomllib

    from ackclock.scenario import Scenario

    for text in (GOOD, GRAPH):
        Scenario.parse(tomllib.loads(text)).plan()


def test_a_missing_file_names_its_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "good.toml").write_text(GOOD, encoding="utf-8")
    line = _complaint(["run", "god.toml"], tmp_path, monkeypatch, capsys)
    assert line == "god.toml: there is no such file; did you mean 'good.toml'?"


def test_a_folder_is_no_scenario(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "folder").mkdir()
    assert "folder: this is a folder" in _complaint(
        ["run", "folder"], tmp_path, monkeypatch, capsys
    )


def test_bytes_that_are_no_text_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "bad.toml").write_bytes(b'name = "\xff"\n')
    assert "bad.toml: not text in UTF-8: byte 8" in _complaint(
        ["run", "bad.toml"], tmp_path, monkeypatch, capsys
    )


def test_a_folder_that_is_not_ours_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "good.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter-1.tex").write_text("years of work", encoding="utf-8")
    line = _complaint(["run", "good.toml", "--out", "thesis"], tmp_path, monkeypatch, capsys)
    assert "'thesis'" in line
    assert "'chapter-1.tex'" in line
    assert (tmp_path / "thesis" / "chapter-1.tex").read_text(encoding="utf-8") == "years of work"


def test_results_with_notes_among_them_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "good.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "out").mkdir()
    for name in ("summary.json", "notes.txt"):
        (tmp_path / "out" / name).write_text("{}", encoding="utf-8")
    assert "'notes.txt'" in _complaint(
        ["run", "good.toml", "--out", "out"], tmp_path, monkeypatch, capsys
    )


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--metric", "lost_pakets"], ["lost_pakets", "lost_packets"]),
        (["--metric", "goodput@g"], ["'goodput@g'", "'g'"]),
        (["--cc", "reno,cubik"], ["'cubik'", "'cubic'"]),
        (["--cc", "reno,reno"], ["'reno'", "twice"]),
        (["--along", "flows.count"], ["'flows.count'", "flows.count=1,5,10"]),
        (["--along", "flows.count=1,1"], ["1", "twice"]),
        (["--along", "flows.count=1,0"], ["compare.along.flows.count", "0"]),
        (["--along", "flows.conut=1"], ["compare.along.flows.conut", "did you mean 'count'"]),
        (["--along", "seed=1,2"], ["'seed'", "compare.seeds"]),
        (["--flows", "g"], ["'g'", "only f"]),
        (["good.toml"], ["good", "two of the scenarios"]),
    ],
)
def test_a_wrong_comparison_gets_one_line_before_anything_runs(
    arguments: list[str],
    parts: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    (tmp_path / "good.toml").write_text(GOOD, encoding="utf-8")
    given = arguments if "--flows" not in arguments else [*arguments, "--cc", "cubic"]
    line = _complaint(["compare", "good.toml", *given], tmp_path, monkeypatch, capsys)
    for part in parts:
        assert part in line, line


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["rnu"], ["'rnu'", "did you mean 'run'"]),
        (["list", "ccs"], ["'ccs'", "did you mean 'cc'"]),
        (["report", "nowhere"], ["nowhere", "no such folder"]),
        (["run"], ["FILE"]),
    ],
)
def test_a_wrong_command_gets_one_line(
    arguments: list[str],
    parts: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    line = _complaint(arguments, tmp_path, monkeypatch, capsys)
    for part in parts:
        assert part in line, line


def test_no_unit_is_proposed_where_the_unit_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "bad.toml").write_text(GOOD, encoding="utf-8")
    for wrong in ("-1s", "9000h"):
        assert "did you mean" not in _complaint(
            ["run", "bad.toml", "--set", f"duration={wrong}"], tmp_path, monkeypatch, capsys
        )


def test_red_on_an_unlimited_link_is_said(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text(
        GOOD.replace('limit = "1bdp"', 'reverse = { rate = "unlimited", qdisc = "red" }'),
        encoding="utf-8",
    )
    with pytest.raises(
        ac.ScenarioError, match=r"network\.bottleneck\.reverse\.qdisc: RED .* unlimited link"
    ):
        ac.load(path).plan()
