"""P4: Phạm & Lê 2005, what a congestion control for fast, long paths should be judged by."""

from __future__ import annotations

from pathlib import Path

from ackclock.studies.study import Experiment, Recording, Study
from ackclock.studies.tcp_criteria import recovery, signals
from ackclock.studies.tcp_criteria.claims import CLAIMS
from ackclock.studies.tcp_criteria.figures import FIGURES, TABLES
from ackclock.studies.tcp_criteria.questions import QUESTIONS
from ackclock.studies.tcp_criteria.readings import KNOWN, READINGS

__all__ = ["STUDY"]

_SLOWER = {"network.bottleneck.rate": "240Mbit/s"}

EXPERIMENTS = (
    Experiment("response", "response.toml", quick={"replications": 3, "axes": {"loss": [1e-4, 1e-3]}, "duration": "60s"}),
    Experiment(
        "steps",
        "steps.toml",
        quick={
            "replications": 3,
            "duration": "45s",
            "network.bottleneck.rate": {"schedule": [["0s", "240Mbit/s"], ["20s", "60Mbit/s"], ["25s", "240Mbit/s"]]},
        },
    ),
    Experiment("variation-chance", "variation-chance.toml", quick={"replications": 3, "duration": "100s", "flows.count": 2}),
    Experiment("variation-queue", "variation-queue.toml", quick={"replications": 4, **_SLOWER}),
    Experiment("repeated-real", "repeated-real.toml", quick={"axes": {"cc": ["reno", "scalable"]}, "duration": "60s"}),
    Experiment("web-real", "web-real.toml", quick={"axes": {"transfers": ["none", "reno", "scalable"]}, **_SLOWER}),
    Experiment("repeated", "repeated.toml", quick={"replications": 3, "axes": {"buffer": [0.1]}}),
    Experiment("web", "web.toml", quick={"replications": 4}),
    Experiment("web-users", "web-users.toml", quick={"replications": 4, "axes": {"transfers": ["none", "reno", "scalable"]}}),
    Experiment("beside", "beside.toml", quick={"replications": 3}),
    Experiment("convergence", "convergence.toml", quick={"replications": 4}),
    Experiment(
        "stability", "stability.toml", quick={"replications": 3, "axes": {"cc": ["reno", "scalable"], "rtt": [20, 300], "rate": [36, 120]}}
    ),
)

RECORDINGS = (
    Recording("one-loss", "recovery.toml", recovery.VARIANTS, quick=recovery.QUICK),
    Recording("signals", "signals.toml", signals.VARIANTS),
)

STUDY = Study(
    name="tcp-criteria",
    title="P4 · Criteria for TCP on fast, long paths",
    paper="Phạm & Lê, “Improving the performance of TCP”, 2005; simulated there with ns-2.",
    summary="Four criteria for a congestion control (response curve, rate variation, speed of convergence, stability) and two test benches "
    "(repeated transfers; web traffic beside transfers), worked out for Scalable TCP against the classic one.",
    folder=Path(__file__).parent,
    experiments=EXPERIMENTS,
    recordings=RECORDINGS,
    claims=CLAIMS,
    questions=QUESTIONS,
    figures=FIGURES,
    tables=TABLES,
    known=KNOWN,
    choices=READINGS,
)
