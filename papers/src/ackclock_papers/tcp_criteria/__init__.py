"""P4: Phạm & Lê 2005, criteria for congestion controls on fast, long paths."""

from pathlib import Path

from ackclock.studies.study import Experiment, Recording, Study
from ackclock_papers.tcp_criteria import recovery, signals, throughput
from ackclock_papers.tcp_criteria.claims import CLAIMS
from ackclock_papers.tcp_criteria.figures import FIGURES, TABLES
from ackclock_papers.tcp_criteria.items import ITEMS
from ackclock_papers.tcp_criteria.outside import OUTSIDE
from ackclock_papers.tcp_criteria.questions import QUESTIONS
from ackclock_papers.tcp_criteria.readings import CHOICES, KNOWN, READINGS

_SLOWER = {"network.bottleneck.rate": "240Mbit/s"}

EXPERIMENTS = (
    Experiment(
        "response",
        "response.toml",
        quick={"replications": 3, "axes": {"loss": [1e-4, 1e-3]}, "duration": "60s"},
    ),
    Experiment(
        "steps",
        "steps.toml",
        quick={
            "replications": 3,
            "duration": "45s",
            "network.bottleneck.rate": {
                "schedule": [["0s", "240Mbit/s"], ["20s", "60Mbit/s"], ["25s", "240Mbit/s"]]
            },
        },
    ),
    Experiment(
        "variation-chance",
        "variation-chance.toml",
        quick={"replications": 3, "duration": "60s", "flows.count": 2},
    ),
    Experiment("variation-queue", "variation-queue.toml", quick={"replications": 4, **_SLOWER}),
    Experiment(
        "repeated-real",
        "repeated-real.toml",
        quick={"axes": {"cc": ["reno", "scalable"]}, "duration": "60s"},
    ),
    Experiment(
        "web-real",
        "web-real.toml",
        quick={"axes": {"transfers": ["none", "reno", "scalable"]}, **_SLOWER},
    ),
    Experiment("repeated", "repeated.toml", quick={"replications": 3, "axes": {"buffer": [0.1]}}),
    Experiment("web", "web.toml", quick={"replications": 4}),
    Experiment(
        "web-users",
        "web-users.toml",
        quick={"replications": 4, "axes": {"transfers": ["none", "reno", "scalable"]}},
    ),
    Experiment("beside", "beside.toml", quick={"replications": 3}),
    Experiment("convergence", "convergence.toml", quick={"replications": 4}),
    Experiment(
        "stability",
        "stability.toml",
        quick={
            "replications": 3,
            "axes": {
                "cc": ["reno", "scalable", "vegas", "cubic", "bbr"],
                "rtt": [20, 300],
                "rate": [120],
            },
        },
    ),
    Experiment(
        "by-rtt",
        "by-rtt.toml",
        quick={"replications": 3, "axes": {"rtt": [40, 160], "cc": ["reno", "scalable"]}},
    ),
    Experiment("by-rate", "by-rate.toml", quick={"replications": 4}),
    Experiment(
        "equal",
        "equal.toml",
        quick={"replications": 3, "axes": {"cc": ["reno", "8 x reno", "vegas", "scalable", "bbr"]}},
    ),
    Experiment("number", "number.toml", quick={"replications": 3}),
    Experiment(
        "vegas-queues",
        "vegas-queues.toml",
        quick={"replications": 3, "axes": {"cc": ["vegas", "reno"]}},
    ),
    Experiment("vegas-timers", "vegas-timers.toml", quick={"replications": 3}),
    Experiment(
        "vegas-beside", "vegas-beside.toml", quick={"replications": 3, "axes": {"cc": ["vegas"]}}
    ),
    Experiment(
        "small-buffers",
        "small-buffers.toml",
        quick={
            "replications": 3,
            "axes": {"law": ["0.5, 0.04", "0.125, 0.01"], "buffer": [10, 40], "rtt": [20, 300]},
        },
    ),
    Experiment(
        "small-buffers-lot",
        "small-buffers-lot.toml",
        quick={"replications": 3, "axes": {"law": ["0.5, 0.04"], "buffer": [10]}},
    ),
)

RECORDINGS = (
    Recording("receive-window", "receive-window.toml", throughput.VARIANTS),
    Recording("one-loss", "recovery.toml", recovery.VARIANTS, quick=recovery.QUICK),
    Recording("signals", "signals.toml", signals.VARIANTS),
)

BIBTEX = """@misc{pham2005improving,
  author = {Phạm, H. and Lê, L.},
  title = {Improving the performance of {TCP}},
  year = {2005},
  note = {Simulated with ns-2}
}"""

STUDY = Study(
    name="tcp-criteria",
    title="P4 · Criteria for TCP on fast, long paths",
    paper="Phạm & Lê, “Improving the performance of TCP”, 2005; simulated there with ns-2.",
    summary="Four criteria for a congestion control (response curve, rate variation, speed of "
    "convergence, stability) and two test benches (repeated transfers; web traffic beside "
    "transfers), worked out for Scalable TCP against the classic one.",
    folder=Path(__file__).parent,
    experiments=EXPERIMENTS,
    recordings=RECORDINGS,
    claims=CLAIMS,
    questions=QUESTIONS,
    figures=FIGURES,
    tables=TABLES,
    known=KNOWN,
    readings=READINGS,
    choices=CHOICES,
    items=ITEMS,
    outside=OUTSIDE,
    bibtex=BIBTEX,
)
