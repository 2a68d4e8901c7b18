"""`make bench`'s script runs a workload by the engine alone and says what that cost."""

import json
import subprocess
import sys

import pytest

from scripts import ROOT

pytestmark = pytest.mark.slow


def said(*options: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "bench/engine.py", *options], cwd=ROOT, capture_output=True, text=True
    )


# What `make test` runs before has built the engine with this profile; without it, cargo needs
# minutes.
@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_workload_runs_and_its_figures_are_json() -> None:
    ran = said("--rounds", "2", "--only", "w7", "--seconds", "60", "--profile", "fast", "--json")
    assert ran.returncode == 0, ran.stderr
    by_workload = json.loads(ran.stdout)
    assert set(by_workload) == {"w7-heavy-loss"}
    figures = by_workload["w7-heavy-loss"]
    assert figures["packets_per_second"] > 0
    # Each packet arrives at the link's end and brings an ACK there, or is one of two that share
    # one.
    assert 1.5 < figures["events_per_second"] / figures["packets_per_second"] < 10
    assert figures["peak_bytes"] > 0
    assert 500 < figures["bytes_per_idle_flow"] < 50_000


def test_a_part_is_not_recorded() -> None:
    ran = said("--only", "w7", "--record")
    assert ran.returncode != 0
    assert "leave out --only" in ran.stderr


def test_a_trained_build_is_not_held_against_one_that_is_no_release() -> None:
    ran = said("--trained", "--profile", "fast")
    assert ran.returncode != 0
    assert "leave out --profile" in ran.stderr


def test_a_workload_that_does_not_exist_is_not_passed_over() -> None:
    ran = said("--only", "nothere")
    assert ran.returncode != 0
    assert "w7-heavy-loss" in ran.stderr


@pytest.mark.long
def test_an_impossible_option_is_refused_in_a_line() -> None:
    for option, value in (("--rounds", "0"), ("--seconds", "-1"), ("--core", "100000")):
        ran = said(option, value)
        assert ran.returncode == 2
        assert option in ran.stderr.splitlines()[-1]
        assert value in ran.stderr
