"""Every study: is it whole, does it run, can its numbers be traced?"""

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.atomic_io import recover
from ackclock.studies import find_study, run_study, studies
from ackclock.studies.claim import Claim
from ackclock.studies.criteria import less
from ackclock.studies.results import Results
from ackclock.studies.running import designs
from ackclock.studies.study import Experiment, Figure, Study
from ackclock.views.figure import PaperFigure
from killing import KilledError, kill_at_the_second_move


@pytest.mark.long
@pytest.mark.parametrize("name", studies())
def test_its_experiments_are_sound_in_full_and_quick(name: str) -> None:
    study = find_study(name)
    assert study.name == name
    full, quick = designs(study, quick=False), designs(study, quick=True)
    for experiment, design in quick.items():
        assert design.estimate().seconds_on(1) <= full[experiment].estimate().seconds_on(1)


@pytest.mark.parametrize("name", studies())
def test_its_claims_are_sentences_with_a_declared_criterion(name: str) -> None:
    for statement in find_study(name).statements:
        end = "." if isinstance(statement, Claim) else "?"
        assert statement.text.removesuffix(")").endswith(end), statement.id
        assert len(statement.criterion.describe()) > 20, statement.id
        assert not isinstance(statement, Claim) or statement.paper, statement.id


def test_an_unknown_study_names_the_nearest() -> None:
    with pytest.raises(ValueError, match="did you mean 'cos-slow-start'"):
        find_study("cos-slow-strat")


SCENARIO = """
name = "tiny"
duration = "2s"
network.kind = "dumbbell"
network.bottleneck = { rate = "2Mbit/s", delay = "10ms", limit = "20 packets" }
flows = [{ cc = "reno", start = "uniform(0s, 0.5s)" }]

[sweep]
replications = 3
responses = ["queue_delay.mean", "lost_packets"]

[[sweep.axes]]
name = "buffer"
"network.bottleneck.limit" = ["5 packets", "10 packets", "40 packets"]
labels = [5, 10, 40]

[[sweep.axes]]
"flows.cc" = ["reno", "vegas"]
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Study:
    (tmp_path / "tiny.toml").write_text(SCENARIO, encoding="utf-8")
    claim = Claim(
        "T-1",
        "Vegas has the shorter queue.",
        "Figure 1.",
        less("tiny", "queue_delay.mean", "cc", "vegas", "reno", at={"buffer": 40}),
        why="It aims at a <few> packets.",
    )
    return Study(
        name="tiny",
        title="Tiny",
        paper="Nobody, 2000.",
        summary="A study for tests.",
        folder=tmp_path,
        experiments=(
            Experiment("tiny", "tiny.toml", quick={"replications": 2, "axes": {"buffer": [5, 40]}}),
        ),
        claims=(claim,),
        known=("Nothing but that Vegas <usually> has.",),
    )


def test_quick_runs_are_found_again_by_the_full_study(tiny: Study, tmp_path: Path) -> None:
    quick = run_study(tiny, quick=True, store=tmp_path / "runs")
    assert (quick.made, quick.reused) == (2 * 2 * 2, 0)
    full = run_study(tiny, store=tmp_path / "runs")
    assert (full.made, full.reused) == (3 * 2 * 3 - 8, 8)
    again = run_study(tiny, store=tmp_path / "runs")
    assert (again.made, again.reused) == (0, 18)


def test_the_folder_tells_what_came_out_and_how_to_make_it_again(
    tiny: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    done = run_study(tiny, out=out)
    (claim,) = json.loads((out / "tiny" / "claims.json").read_text(encoding="utf-8"))
    assert claim["verdict"] == done.verdicts["T-1"].kind == "holds"
    assert claim["sentence"] == done.verdicts["T-1"].text
    assert json.loads((out / "claims.json").read_text(encoding="utf-8")) == [claim]
    index = (out / "index.html").read_text(encoding="utf-8")
    assert 'href="tiny/report.html#T-1"' in index
    assert claim["sentence"].replace(" %", "\u00a0%") in index
    page = (out / "tiny" / "report.html").read_text(encoding="utf-8")
    assert "a &lt;few&gt; packets" in page
    assert "Vegas &lt;usually&gt; has" in page
    (experiment,) = claim["experiments"]
    assert experiment["seeds"] == "1 to 3"
    # The command under the figure finds the study's own runs.
    words = shlex.split(experiment["command"])
    assert words[:3] == ["ackclock", "sweep", experiment["file"]]
    monkeypatch.chdir(out / "tiny")
    store = words[words.index("--store") + 1]
    kept = sorted(Path(store).rglob("*.json"))
    again = ac.sweep(experiment["file"], store=store)
    assert again.runs.equals(done.results.sweeps["tiny"].runs)
    assert sorted(Path(store).rglob("*.json")) == kept


def test_an_index_that_a_kill_left_behind_is_mended_by_the_next_study(
    tiny: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    run_study(tiny, out=out, store=tmp_path / "runs")
    with monkeypatch.context() as patch:
        kill_at_the_second_move(patch)
        with pytest.raises(KilledError):
            run_study(replace(tiny, name="second"), out=out, store=tmp_path / "runs")
    assert (out / "second" / "report.html").is_file()
    assert "second/report.html" not in (out / "index.html").read_text(encoding="utf-8")
    # The next process that writes there puts whole files into place.
    recover(out)
    assert "second/report.html" in (out / "index.html").read_text(encoding="utf-8")
    assert {
        entry["study"] for entry in json.loads((out / "claims.json").read_text(encoding="utf-8"))
    } == {"tiny", "second"}
    (out / "index.html").write_text("old", encoding="utf-8")
    run_study(replace(tiny, name="third"), out=out, store=tmp_path / "runs")
    index = (out / "index.html").read_text(encoding="utf-8")
    assert all(f"{name}/report.html" in index for name in ("tiny", "second", "third"))


def test_the_same_study_gives_the_same_bytes(tiny: Study, tmp_path: Path) -> None:
    for name in ("a", "b"):
        run_study(tiny, out=tmp_path / name, workers=1 if name == "a" else 2)
    for file in ("tiny/report.html", "tiny/claims.json", "index.html"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes(), file


def test_who_stops_the_drawing_keeps_the_earlier_pages(tiny: Study, tmp_path: Path) -> None:
    def stopped(_results: Results) -> PaperFigure:
        raise KeyboardInterrupt

    drawn = Figure(
        "T-F1", "A queue", "", lambda results: results.sweeps["tiny"].plot("lost_packets")
    )
    run_study(replace(tiny, figures=(drawn,)), out=tmp_path / "out")
    kept = {file: file.read_bytes() for file in (tmp_path / "out").rglob("*") if file.is_file()}
    with pytest.raises(KeyboardInterrupt):
        run_study(replace(tiny, figures=(replace(drawn, draw=stopped),)), out=tmp_path / "out")
    assert {
        file: file.read_bytes() for file in (tmp_path / "out").rglob("*") if file.is_file()
    } == kept


def test_a_name_that_nothing_has_is_found_before_anything_runs(tiny: Study) -> None:
    with pytest.raises(ValueError, match="names the experiment 'tiny', and there is only "):
        Study(tiny.name, tiny.title, tiny.paper, tiny.summary, tiny.folder, (), tiny.claims, ())


def test_a_quick_label_that_the_axis_has_not_is_found_before_anything_runs(tiny: Study) -> None:
    wrong = Experiment("tiny", "tiny.toml", quick={"axes": {"buffer": [6]}})
    study = Study(
        tiny.name, tiny.title, tiny.paper, tiny.summary, tiny.folder, (wrong,), tiny.claims, ()
    )
    with pytest.raises(ValueError, match="axis 'buffer' has no value '6'"):
        designs(study, quick=True)


def test_names_are_those_of_the_papers_and_of_the_lessons() -> None:
    assert studies() == (
        "bbr-beside-loss",
        "bbr-latency",
        "congestion-based",
        "cos-slow-start",
        "lessons",
        "sizing-buffers",
        "small-buffers",
        "tcp-criteria",
    )
