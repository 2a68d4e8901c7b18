"""A run without room is refused in a line that says what to change; one with room is not."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac
from ackclock.engine.cost_model import Estimate, check, checking, lasting, machine, size_of
from ackclock.engine.cost_model.cost import PROCESS

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "scenarios" / "reno-one-flow.toml"


def scenario(**options: Any) -> ac.Scenario:
    given: dict[str, Any] = {
        "rate": "100Mbit/s",
        "rtt": "40ms",
        "flows": [ac.flow("reno")],
        "duration": "100h",
    }
    return ac.dumbbell(**{**given, **options})


@pytest.fixture
def small_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """4 GB of memory and 10 GB of disk, wherever the tests run."""
    monkeypatch.setattr(checking, "free_memory", lambda: 4_000_000_000)
    monkeypatch.setattr(checking, "free_disk", lambda _folder: 10_000_000_000)


@pytest.mark.usefixtures("small_machine")
@pytest.mark.parametrize(
    ("options", "key", "says"),
    [
        ({"record": {"samples": "changes"}}, "record.samples", "'10ms' in place of 'changes'"),
        (
            {"record": {"samples": "off", "packets": ["bottleneck"]}},
            "record.packets",
            "fewer links",
        ),
        ({"record": {"samples": "off", "pcap": ["sender"]}}, "record.pcap", "fewer places"),
        (
            {"flows": [ac.flow(app={"kind": "cbr", "rate": "90Mbit/s"})]},
            "record.samples",
            "'off' leaves out the datagrams",
        ),
    ],
)
def test_what_does_not_fit_into_memory_is_refused_with_what_to_change(
    options: dict[str, Any], key: str, says: str
) -> None:
    with pytest.raises(ac.TooLargeError, match=r"GB of memory, and 3.6 GB are free") as caught:
        check(scenario(**options))
    assert caught.value.key == key
    assert says in str(caught.value)
    assert "--force" in str(caught.value)
    assert len(str(caught.value)) < 300
    check(scenario(**options), force=True)


def test_many_flows_are_what_to_change_where_they_take_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checking, "free_memory", lambda: 200_000_000)
    monkeypatch.setattr(checking, "_LARGE", 1e8)
    with pytest.raises(ac.TooLargeError, match="fewer flows") as caught:
        check(
            scenario(flows=[ac.flow("reno", count=5000)], duration="10s", record={"samples": "off"})
        )
    assert caught.value.key == "flows"


@pytest.mark.usefixtures("small_machine")
def test_the_duration_that_it_names_fits() -> None:
    long = scenario(record={"samples": "changes"})
    with pytest.raises(ac.TooLargeError) as caught:
        check(long)
    named = str(caught.value).split("duration = '")[1].split("'")[0]
    check(long.replace({"duration": named}))


@pytest.mark.usefixtures("small_machine")
def test_what_fits_is_not_refused() -> None:
    check(scenario())
    check(scenario(duration="30s", record={"samples": "changes"}))


def test_what_does_not_fit_onto_the_disk_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "free_memory", lambda: 10**15)
    monkeypatch.setattr(checking, "free_disk", lambda _folder: 100_000_000)
    large = scenario(record={"samples": "off", "pcap": ["sender"]}, duration="100s")
    with pytest.raises(
        ac.TooLargeError,
        match=r"would be written, and 90 MB are free at .*record fewer|capture at fewer",
    ) as caught:
        check(large, folder=tmp_path / "new")
    assert len(str(caught.value)) < 300 + len(str(tmp_path))
    # Without a folder nothing is written.
    check(large)


def test_from_python_a_run_without_room_is_refused_before_it_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checking, "free_memory", lambda: 4_000_000_000)
    large = scenario(record={"samples": "changes"})
    with pytest.raises(ac.TooLargeError):
        ac.run(large)
    with pytest.raises(ac.TooLargeError, match=r"for 2 runs at the same time.*fewer --workers"):
        ac.compare(large, cc=["reno", "cubic"], metric="smoothness", workers=2)


def test_force_runs_what_would_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # No memory is free at all, as far as is told; the run is small.
    monkeypatch.setattr(checking, "free_memory", lambda: 0)
    monkeypatch.setattr(checking, "_LARGE", 0.0)
    small = scenario(duration="1s")
    with pytest.raises(ac.TooLargeError):
        ac.run(small)
    assert ac.run(small, force=True).flows["sent_packets"].sum() > 0
    sweep = {
        "axes": [{"flows.cc": ["reno", "cubic"]}],
        "replications": 1,
        "responses": ["utilisation"],
    }
    with pytest.raises(ac.TooLargeError):
        ac.sweep(small, **sweep)
    assert ac.sweep(small, **sweep, force=True).runs.height == 2


def _ackclock(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ackclock", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


def test_the_command_refuses_before_anything_is_written(tmp_path: Path) -> None:
    settings = [
        "--set",
        "duration=400h",
        "--set",
        "record.samples=changes",
        "--set",
        "network.bottleneck.rate=100Gbit/s",
    ]
    done = _ackclock("run", str(EXAMPLE), *settings, cwd=tmp_path)
    assert done.returncode == 2
    # A busy machine says first that it works.
    assert "record.samples: takes about" in done.stderr.splitlines()[-1]
    assert not list(tmp_path.iterdir())


def test_a_dry_run_says_how_large_and_writes_nothing(tmp_path: Path) -> None:
    done = _ackclock("run", str(EXAMPLE), "--dry-run", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("reno-one-flow: about ")
    estimate = json.loads(
        _ackclock("run", str(EXAMPLE), "--dry-run", "--json", cwd=tmp_path).stdout
    )
    assert 50_000 < estimate["packets"] < 1e6
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_a_short_run_says_nothing_of_its_size(tmp_path: Path) -> None:
    done = _ackclock("run", str(EXAMPLE), "--set", "duration=11s", "--no-plots", "-q", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


_PEAK = """
import sys
from ackclock.cli import main
try:
    main(sys.argv[1:])
finally:
    # Not ru_maxrss: that of the process which started this one counts there, too.
    with open("/proc/self/status") as lines:
        print(next(line.split()[1] for line in lines if line.startswith("VmHWM")), file=sys.stderr)
"""


@pytest.mark.skipif(
    not Path("/proc/self/status").exists(),
    reason="only Linux tells the peak of a process by itself",
)
# Settings that the figures were not fitted to; docs/estimates.md has more of them.
@pytest.mark.long
@pytest.mark.parametrize(
    "settings",
    [
        ["record.samples=off"],
        ["record.samples=2ms", "flows.count=30", "flows.cc=bbr"],
        ["record.samples=changes", "network.bottleneck.rate=40Mbit/s", "flows.cc=cubic"],
        ['record.packets=["bottleneck"]', "record.samples=off", "network.bottleneck.rate=40Mbit/s"],
        [
            'record.pcap=["receiver"]',
            "record.samples=off",
            "network.bottleneck.rate=40Mbit/s",
            "duration=30s",
        ],
        ["flows.count=8000", "record.samples=off", "duration=12s"],
    ],
)
def test_memory_and_disk_are_known_before(settings: list[str], tmp_path: Path) -> None:
    changed = ac.load(EXAMPLE, settings=settings)
    size = size_of(changed.plan(), pcap=changed.record.pcap, plots=False)
    words = [word for setting in settings for word in ("--set", setting)]
    command = [
        sys.executable,
        "-c",
        _PEAK,
        "run",
        str(EXAMPLE),
        *words,
        "--no-plots",
        "-q",
        "--out",
        str(tmp_path / "out"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    peak = int(done.stderr.split()[-1]) * 1024
    assert 0.8 * peak <= PROCESS + size.own_memory <= 3.0 * peak
    written = sum(file.stat().st_size for file in (tmp_path / "out").rglob("*") if file.is_file())
    # Compression depends on what the columns hold.
    assert 0.4 * written <= size.disk <= 4.0 * written


def test_the_line_reads_well() -> None:
    estimate = Estimate(packets=2.1e9, seconds=240.0, memory=1.2e9, disk=3e8)
    assert str(estimate) == "about 4 min, 1.2 GB of memory, 300 MB on disk: at most 2.1e9 packets"
    assert estimate.is_long
    assert [lasting(seconds) for seconds in (0.2, 30, 240, 7600, 9e5)] == [
        "a second",
        "30 s",
        "4 min",
        "2.1 h",
        "10 days",
    ]


def _group(root: Path, version: int, limit: str, used: int, cache: int) -> None:
    (root / "proc/self").mkdir(parents=True)
    if version == 2:
        (root / "proc/self/cgroup").write_text("0::/a/b\n")
        where, names, line = (
            root / "sys/fs/cgroup/a",
            ("memory.max", "memory.current"),
            "inactive_file",
        )
    else:
        (root / "proc/self/cgroup").write_text("9:memory:/a/b\n8:pids:/\n")
        where = root / "sys/fs/cgroup/memory/a"
        names, line = ("memory.limit_in_bytes", "memory.usage_in_bytes"), "total_inactive_file"
    where.mkdir(parents=True)
    (where / names[0]).write_text(f"{limit}\n")
    (where / names[1]).write_text(f"{used}\n")
    (where / "memory.stat").write_text(f"anon 5\n{line} {cache}\n")


@pytest.mark.parametrize("version", [1, 2])
def test_the_limit_of_a_control_group_counts(version: int, tmp_path: Path) -> None:
    _group(tmp_path, version, "1000000", 400_000, 100_000)
    assert machine.free_memory(tmp_path) == 700_000


def test_a_control_group_without_a_limit_does_not(tmp_path: Path) -> None:
    _group(tmp_path, 2, "max", 400_000, 100_000)
    assert machine.free_memory(tmp_path) > 1_000_000


def test_free_disk_is_that_of_the_nearest_folder_that_exists(tmp_path: Path) -> None:
    assert machine.free_disk(tmp_path / "a" / "b") == pytest.approx(
        machine.free_disk(tmp_path), rel=0.2
    )


def test_a_study_says_how_long_it_will_take_before_it_begins(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from ackclock.studies.running import run_study
    from ackclock.studies.tools.finding import find
    from small_study import write_study

    file = write_study(tmp_path)
    study = find(str(file))
    monkeypatch.setattr(checking, "_LONG_S", 0.0)
    estimates: list[Estimate] = []
    run_study(study, tell=estimates.append)
    assert len(estimates) == 1
    assert estimates[0].packets > 1000
    # The command says so, too.
    from ackclock.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(checking, "_LARGE", 0.0)
    monkeypatch.setattr(checking, "free_memory", lambda: 0)
    with pytest.raises(ac.TooLargeError, match=r"GB|MB are free|0 B are free"):
        run_study(study)
    with pytest.raises(SystemExit) as stopped:
        main(["study", str(file)])
    assert stopped.value.code == 2
    assert "are free" in capsys.readouterr().err
