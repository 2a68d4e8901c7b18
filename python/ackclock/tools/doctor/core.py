"""The engine: its build, its speed, and whether it gives the recorded results."""

from __future__ import annotations

import hashlib
import json
import platform
import time
from typing import TYPE_CHECKING

from ackclock.tools.doctor.check import Check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ackclock.scenario import Scenario

__all__ = ["DIGEST", "core", "digest", "trial"]

_GROUP = "ackclock"

DIGEST = "3a5161c04e8492e182ef2ee059583731d079268f3dd603659ce411534014e237"
"""Digest of the trial run, on every machine. A change of results changes it, too."""

_COLUMNS = ("time", "cwnd", "srtt", "inflight", "delivered", "lost")
# Flows and seconds of the run that measures the speed: 85,000 packets, a tenth of a second.
_SPEED_RATE = "100Mbit/s"
_SPEED_SECONDS = 10


def trial() -> Scenario:
    """A short run with chance, loss and three algorithms."""
    from ackclock.scenario import Scenario

    return Scenario.model_validate(
        {
            "name": "trial",
            "duration": "5s",
            "network": {
                "kind": "dumbbell",
                "bottleneck": {
                    "rate": "10Mbit/s",
                    "delay": "20ms",
                    "limit": "1bdp",
                    "loss": {"kind": "bernoulli", "p": 0.001},
                },
            },
            "flows": [
                {"name": name, "cc": cc, "start": "uniform(0s, 500ms)"}
                for name, cc in (("a", "cubic"), ("b", "cos+reno"), ("c", "bbr"))
            ],
            "record": {"samples": "20ms"},
        }
    )


def digest(scenario: Scenario) -> str:
    """SHA-256 of the time series of a run: equal if each number is equal to the last bit."""
    from ackclock.engine.run import run

    samples = run(scenario).samples.flows.select(_COLUMNS)
    checksum = hashlib.sha256()
    for row in samples.iter_rows():
        checksum.update(json.dumps(row).encode())
    return checksum.hexdigest()


def core() -> Iterator[Check]:
    """Look at Python and the engine."""
    yield Check(
        _GROUP,
        "Python",
        "fine",
        f"{platform.python_version()}, {platform.system()} {platform.machine()}",
    )
    yield _build()
    try:
        same = digest(trial()) == DIGEST
    except Exception as error:  # a broken engine may raise anything
        yield Check(
            _GROUP,
            "deterministic",
            "broken",
            f"the trial run raised {type(error).__name__}: {error}",
            "install ackclock again, and report this",
        )
        return
    yield Check(
        _GROUP,
        "deterministic",
        "fine" if same else "broken",
        "yes: a trial run gives the recorded numbers"
        if same
        else "no: a trial run gives other numbers than on other machines",
        "" if same else "do not trust results of this machine, and report this",
    )
    yield Check(
        _GROUP, "speed", "fine", f"{_packets_per_second() / 1e6:.1f} million packets/s on one core"
    )


def _build() -> Check:
    from ackclock import _core

    facts = _core.build()
    if facts["has_assertions"]:
        return Check(
            _GROUP,
            "core",
            "limited",
            "build for tests, at about half the speed",
            "make setup puts the release build in its place",
        )
    trained = "trained with the example scenarios" if facts["is_trained"] else "not trained"
    remedy = "" if facts["is_trained"] else "make trained gives up to a fifth more speed"
    return Check(_GROUP, "core", "fine", f"release build, {trained}", remedy)


def _packets_per_second() -> float:
    """Simulated packets in a second of one core's time."""
    from ackclock.engine.run import run
    from ackclock.scenario import dumbbell, flow

    scenario = dumbbell(
        name="speed",
        rate=_SPEED_RATE,
        rtt="40ms",
        buffer="1bdp",
        flows=[flow("cubic")],
        duration=f"{_SPEED_SECONDS}s",
    )
    began = time.perf_counter()
    result = run(scenario.replace({"record.samples": "off"}))
    packets = float(result.flows["sent_packets"].sum())
    return packets / (time.perf_counter() - began)
