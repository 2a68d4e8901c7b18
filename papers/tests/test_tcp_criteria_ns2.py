"""P4's experiments in ns-2: are they the study's, and is all of them there?"""

import itertools
import tomllib
from types import SimpleNamespace
from typing import Any

import pytest

import ackclock as ac
from ackclock.studies import running
from ackclock.studies.outside import read_outside
from ackclock.studies.results import Results
from ackclock_papers.tcp_criteria import STUDY, recovery, signals, throughput
from scripts import script

RECORD = script("tests/theory/ns2/criteria/record.py")
EXPERIMENTS = [
    outside.experiment for outside in STUDY.outside if outside.experiment in RECORD.SWEEPS
]
RECORDINGS = [
    outside.experiment for outside in STUDY.outside if outside.experiment in RECORD.RECORDINGS
]


def rows_of(experiment: str) -> tuple[dict[str, Any], ...]:
    (other,) = (outside for outside in STUDY.outside if outside.experiment == experiment)
    return read_outside(STUDY.folder / other.file).rows


def elsewhere(recording: str) -> Any:
    return Results({}, elsewhere={recording: rows_of(recording)})


def test_each_is_judged_by_what_the_script_makes() -> None:
    assert {*EXPERIMENTS, *RECORDINGS} == {outside.experiment for outside in STUDY.outside}
    assert {*RECORD.SWEEPS, *RECORD.RECORDINGS} == {*EXPERIMENTS, *RECORDINGS}


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_ns2_has_run_every_setting_with_every_seed(experiment: str) -> None:
    sweep = RECORD.SWEEPS[experiment]
    rows = rows_of(experiment)
    settings = [labels for labels, _ in RECORD.settings(sweep)]
    seeds = range(1, sweep.seeds + 1)
    wanted = [{**labels, "seed": seed} for labels, seed in itertools.product(settings, seeds)]
    told_of = [{key: row[key] for key in row if key not in sweep.responses} for row in rows]
    assert told_of == wanted
    assert all(sweep.responses.keys() <= row.keys() for row in rows)


@pytest.mark.parametrize("recording", RECORDINGS)
def test_ns2_has_made_every_recording(recording: str) -> None:
    _, variants, _ = RECORD.RECORDINGS[recording]
    assert [row["run"] for row in rows_of(recording)] == list(variants)


def test_ns2_is_told_the_experiment() -> None:
    settings = RECORD.settings(RECORD.SWEEPS["response"])
    scenarios = {tuple(labels.values()): scenario for labels, scenario in settings}
    command, places = RECORD.command_of(scenarios[3e-4, "8 x reno"], 2)
    options = dict(zip(command[2::2], command[3::2], strict=True))
    # 300 Mbit/s x 100 ms are 2,500 packets; ns-2's limit is one more than may wait.
    assert (options["-rate"], options["-delay"], options["-limit"]) == ("300000000", "0.05", "2501")
    assert (options["-loss"], options["-duration"], options["-warmup"], options["-minrto"]) == (
        "0.0003",
        "400",
        "20",
        "1.0",
    )
    assert options["-agents"] == " ".join(["{reno 0.000000000 200}"] * 8)
    assert places == {"flow": [list(range(8))]}


def test_ns2_is_told_red() -> None:
    _, scenario = next(iter(RECORD.settings(RECORD.SWEEPS["stability"])))
    command, places = RECORD.command_of(scenario, 1)
    assert command[command.index("-red") + 1] == "100 500 0.1 0.002"
    assert len(places["flow"]) == 20


@pytest.mark.parametrize(
    ("cc", "kind"),
    [
        ("multcp(n=8)", "multcp:8"),
        ("scalable", "scalable:0.01:0.125"),
        ("scalable(a=0.04, b=0.5,legacy_window=0)", "scalable:0.04:0.5"),
    ],
)
def test_controls_are_as_ns2_has_them(cc: str, kind: str) -> None:
    assert RECORD.kind_of(cc) == kind


def test_what_ns2_lacks_is_refused() -> None:
    with pytest.raises(ValueError, match="bbr"):
        RECORD.kind_of("bbr")
    scenario = tomllib.loads((STUDY.folder / "small-buffers-lot.toml").read_text(encoding="utf-8"))
    with pytest.raises((ValueError, KeyError)):
        RECORD.command_of(scenario, 1)


def test_its_recordings_are_judged_in_the_place_of_ours() -> None:
    assert len(recovery.classic.pairs(elsewhere("one-loss"))) == 3
    assert len(recovery.SCALABLE.pairs(elsewhere("one-loss"))) == 3
    assert len(signals.halving.pairs(elsewhere("signals"))) == 4
    assert throughput.in_flight.judge(elsewhere("receive-window")).kind == "holds"


@pytest.mark.long
def test_a_slope_is_of_all_its_settings_beside_quick_runs_too() -> None:
    """Quick runs have two round-trip times of the five, whose numbers are seconds of one way."""
    designs = running.designs(STUDY, quick=True)
    sweeps: Any = {"by-rtt": SimpleNamespace(design=designs["by-rtt"])}
    results = Results(sweeps, elsewhere={"by-rtt": rows_of("by-rtt")})
    (evidence,) = throughput.inverse_rtt("reno").judge(results).evidence
    assert evidence.value == pytest.approx(-1.0, abs=0.05)


@pytest.mark.parametrize("name", ["reno, 10 Mbit/s, 50 ms", "scalable, 100 Mbit/s, 100 ms"])
def test_one_recovery_takes_as_long_there(name: str) -> None:
    """ackclock's windows are whole packets, and Reno takes one RTT per packet: two at both ends."""
    variant = recovery.VARIANTS[name]
    rtt = 2 * RECORD.number(variant["network.bottleneck.delay"])
    ours = ac.run(ac.load(STUDY.folder / "recovery.toml").replace(variant)).metric("recovery_time")
    (theirs,) = elsewhere("one-loss").recorded(
        "one-loss", "recovery_time", lambda _run, _name: None
    )[name]
    assert ours == pytest.approx(theirs, abs=2 * rtt)
