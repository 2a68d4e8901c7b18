"""Suites: verdicts, counts, and what was expected."""

from pathlib import Path

import pytest

from ackclock.packetdrill.expectations import Expectations, Known
from ackclock.packetdrill.suite import SuiteError, find_scripts, run_suite
from packetdrill_scripts import RECEIVES, SENDS, suite

WRONG = SENDS.replace("== 10", "== 11")
KNOWN = Known("script", "it is ten")


def test_verdicts_and_counts(tmp_path: Path) -> None:
    folder = suite(
        tmp_path,
        sends=SENDS,
        receives=RECEIVES,
        wrong=WRONG,
        wrong_too=WRONG,
        other="0 epoll_create(1) = 4\n",
        broken="x\n",
    )
    expectations = Expectations(known={"topic/wrong.pkt": KNOWN, "topic/sends.pkt": KNOWN})
    outcome = run_suite(find_scripts([folder]), expectations)
    verdicts = {Path(result.name).stem: result.verdict for result in outcome.results}
    assert verdicts == {
        "broken": "not applicable",
        "other": "not applicable",
        "receives": "passed",
        "sends": "unexpected pass",
        "wrong": "known",
        "wrong_too": "failed",
    }
    assert outcome.counts() == {"scripts": 6, "applicable": 4, "passed": 2, "failed": 1, "known": 1}
    assert outcome.counts("topic") == outcome.counts()
    assert not outcome.is_expected
    reasons = {result.name: result.reason for result in outcome.results}
    assert reasons["topic/other.pkt"] == "epoll_create()"
    assert reasons["topic/wrong.pkt"].startswith("script right: it is ten (line ")
    assert reasons["topic/sends.pkt"] == "expected to fail: it is ten"


@pytest.mark.parametrize(
    ("scripts", "known", "expected"),
    [
        ({"sends": SENDS}, {}, True),
        ({"sends": SENDS, "wrong": WRONG}, {"topic/wrong.pkt": KNOWN}, True),
        ({"wrong": WRONG}, {}, False),
        ({"sends": SENDS}, {"topic/sends.pkt": KNOWN}, False),
        ({"sends": SENDS}, {"topic/gone.pkt": KNOWN}, False),
    ],
)
def test_all_as_expected_or_not(
    tmp_path: Path, scripts: dict[str, str], known: dict[str, Known], expected: bool
) -> None:
    folder = suite(tmp_path, **scripts)
    assert run_suite(find_scripts([folder]), Expectations(known=known)).is_expected is expected


def test_a_script_by_itself_has_the_name_that_expectations_know(tmp_path: Path) -> None:
    folder = suite(tmp_path, wrong=WRONG)
    expectations = Expectations(known={"topic/wrong.pkt": KNOWN, "topic/other.pkt": KNOWN})
    for path in (folder / "topic" / "wrong.pkt", folder / "topic"):
        outcome = run_suite(find_scripts([path]), expectations, is_whole=False)
        assert [(result.name, result.verdict) for result in outcome.results] == [
            ("topic/wrong.pkt", "known")
        ]
        assert outcome.is_expected


def test_the_expectations_settings_are_the_hosts(tmp_path: Path) -> None:
    probed = SENDS.replace("+.1 < . 1:1(0) ack 5001 win 1000", "+.202 > P. 4001:5001(1000) ack 1")
    scripts = find_scripts([suite(tmp_path, probed=probed)])
    assert run_suite(scripts, Expectations()).is_expected
    assert not run_suite(scripts, Expectations(settings=("tail_loss_probe=false",))).is_expected
    assert not run_suite(scripts, Expectations(), settings=["tail_loss_probe=false"]).is_expected


def test_nothing_to_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="no such file or folder"):
        find_scripts([tmp_path / "none"])
    with pytest.raises(SuiteError, match=r"no packetdrill script \(\*\.pkt\) is below it"):
        find_scripts([tmp_path])
