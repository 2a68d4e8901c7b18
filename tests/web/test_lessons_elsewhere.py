"""The lessons' figures beside the kernel's: recordings, and some seconds on this machine."""

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from ackclock.engine.linux import run_on_linux
from lesson_claims import CASES, CLAIMS, Claim
from linux_machine import needs_namespaces

OUTSIDE = Path(__file__).parent / "outside"

EXPLAINED = {
    ("slow-start", "window at 0.23 s", "ns3"),
    ("slow-start", "try 1: the first loss comes later by", "ns3"),
    ("aimd-fairness", "try 3: rate of the first flow from 40 s to 50 s", "ns2"),
    ("aimd-fairness", "try 3: rate of the second", "ns2"),
    ("cubic", "try 3: window of the overshoot", "ns3"),
    ("cubic", "try 3: packets lost in the burst", "ns3"),
    ("cubic", "try 3: packets lost in all", "ns3"),
    ("bufferbloat-codel", "queue delay at 10 s", "ns3"),
    ("bufferbloat-codel", "queue delay at 15 s", "ns3"),
    ("bbr-probes", "try 2: Reno's goodput there", "ns3"),
}
"""Figures with another value elsewhere, each with its reason in docs/lessons.md."""

# Seconds of a lesson on this machine's kernel, and the figures that these show.
BRIEF = {
    "slow-start": (
        "1s",
        (
            "window at 0.17 s",
            "window at 0.31 s",
            "window before the first cut",
            "packets lost in the burst",
            "ssthresh after it",
        ),
    ),
    "bbr-probes": (
        "11s",
        (
            "STARTUP ends",
            "most packets in flight by then",
            "DRAIN ends",
            "probes per second",
            "PROBE_RTT begins",
            "PROBE_RTT takes",
            "window in it",
        ),
    ),
}


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    """The module that writes docs/lessons.md."""
    sys.path.insert(0, str(OUTSIDE))
    import page as module

    yield module
    sys.path.remove(str(OUTSIDE))
    del sys.modules["page"]


def test_the_page_shows_the_recordings(page: Any) -> None:
    assert page.PAGE.read_text(encoding="utf-8") == page.text(), (
        "PYTHONPATH=tests python tests/web/outside/page.py"
    )


def test_recordings_are_of_present_claims(page: Any) -> None:
    known = {(claim.lesson, claim.text) for claim in CLAIMS}
    assert len(known) == len(CLAIMS)
    for name in ("ours", *page.JUDGES):
        assert page.read(name)["values"].keys() <= known


def test_differences_are_those_that_the_page_explains(page: Any) -> None:
    recordings = {name: page.read(name) for name in ("ours", *page.JUDGES)}
    found = {
        (claim.lesson, claim.text, judge)
        for claim in CLAIMS
        for judge in page.JUDGES
        if (values := recordings[judge]["values"].get((claim.lesson, claim.text)))
        and not page.agrees(
            claim,
            [claim.ours, *recordings["ours"]["values"].get((claim.lesson, claim.text), [])],
            values,
        )
    }
    assert found == EXPLAINED


@cache
def brief(lesson: str, name: str, attempt: int) -> Any:
    """The first seconds of a case on this machine's kernel, once more for each attempt."""
    duration, _ = BRIEF[lesson]
    changes = {"duration": duration, "seed": attempt + 1}
    return run_on_linux(CASES[lesson][name].scenario(lesson).replace(changes))


@needs_namespaces
@pytest.mark.kernel
@pytest.mark.parametrize(
    "claim",
    [claim for claim in CLAIMS if claim.text in BRIEF.get(claim.lesson, ("", ()))[1]],
    ids=lambda claim: f"{claim.lesson}: {claim.text}",
)
def test_this_kernel_gives_the_figure(claim: Claim) -> None:
    # The bars are those of the page: docs/lessons.md says why they are as wide as they are.
    def on_kernel(attempt: int) -> float:
        return claim.measure(lambda name: brief(claim.lesson, name, attempt))

    there = on_kernel(0)
    if not claim.bar.holds(claim.ours, there, there):
        # A busy machine hands single packets over late: then the median of three runs counts.
        there = median([there, on_kernel(1), on_kernel(2)])
    assert claim.bar.holds(claim.ours, there, there), (claim.ours, there, claim.bar.text)
