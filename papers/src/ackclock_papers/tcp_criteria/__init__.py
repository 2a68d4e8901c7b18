"""P4: Phạm & Lê 2005, criteria for congestion controls on fast, long paths."""

from pathlib import Path

from ackclock.studies.study import Recording
from ackclock_papers.builders import experiment, recording, study
from ackclock_papers.tcp_criteria import recovery, signals, throughput
from ackclock_papers.tcp_criteria.claims import CLAIMS
from ackclock_papers.tcp_criteria.figures import FIGURES, TABLES
from ackclock_papers.tcp_criteria.items import ITEMS
from ackclock_papers.tcp_criteria.outside import OUTSIDE
from ackclock_papers.tcp_criteria.questions import QUESTIONS
from ackclock_papers.tcp_criteria.readings import CHOICES, KNOWN, READINGS

_SLOWER = {"network.bottleneck.rate": "240Mbit/s"}

EXPERIMENTS = (
    experiment("response", replications=3, axes={"loss": [1e-4, 1e-3]}, duration="60s"),
    experiment(
        "steps",
        replications=3,
        duration="45s",
        **{
            "network.bottleneck.rate": {
                "schedule": [["0s", "240Mbit/s"], ["20s", "60Mbit/s"], ["25s", "240Mbit/s"]]
            }
        },
    ),
    experiment("variation-chance", replications=3, duration="60s", **{"flows.count": 2}),
    experiment("variation-queue", replications=4, **_SLOWER),
    experiment("repeated-real", axes={"cc": ["reno", "scalable"]}, duration="60s"),
    experiment("web-real", axes={"transfers": ["none", "reno", "scalable"]}, **_SLOWER),
    experiment("repeated", replications=3, axes={"buffer": [0.1]}),
    experiment("web", replications=4),
    experiment("web-users", replications=4, axes={"transfers": ["none", "reno", "scalable"]}),
    experiment("beside", replications=3),
    experiment("convergence", replications=4),
    experiment(
        "stability",
        replications=3,
        axes={"cc": ["reno", "scalable", "vegas", "cubic", "bbr"], "rtt": [20, 300], "rate": [120]},
    ),
    experiment("by-rtt", replications=3, axes={"rtt": [40, 160], "cc": ["reno", "scalable"]}),
    experiment("by-rate", replications=4),
    experiment(
        "equal", replications=3, axes={"cc": ["reno", "8 x reno", "vegas", "scalable", "bbr"]}
    ),
    experiment("number", replications=3),
    experiment("vegas-queues", replications=3, axes={"cc": ["vegas", "reno"]}),
    experiment("vegas-timers", replications=3),
    experiment("vegas-beside", replications=3, axes={"cc": ["vegas"]}),
    experiment(
        "small-buffers",
        replications=3,
        axes={"law": ["0.5, 0.04", "0.125, 0.01"], "buffer": [10, 40], "rtt": [20, 300]},
    ),
    experiment("small-buffers-lot", replications=3, axes={"law": ["0.5, 0.04"], "buffer": [10]}),
)

RECORDINGS = (
    recording("receive-window", throughput.VARIANTS),
    Recording("one-loss", "recovery.toml", recovery.VARIANTS, quick=recovery.QUICK),
    recording("signals", signals.VARIANTS),
)

BIBTEX = """@misc{pham2005improving,
  author = {Phạm, H. and Lê, L.},
  title = {Improving the performance of {TCP}},
  year = {2005},
  note = {Simulated with ns-2}
}"""

STUDY = study(
    [EXPERIMENTS, RECORDINGS, CLAIMS, QUESTIONS, FIGURES, TABLES, READINGS, ITEMS, OUTSIDE],
    name="tcp-criteria",
    title="P4 · Criteria for TCP on fast, long paths",
    paper="Phạm & Lê, “Improving the performance of TCP”, 2005; simulated there with ns-2.",
    summary="Four criteria for a congestion control (response curve, rate variation, speed of "
    "convergence, stability) and two test benches (repeated transfers; web traffic beside "
    "transfers), worked out for Scalable TCP against the classic one.",
    folder=Path(__file__).parent,
    known=KNOWN,
    choices=CHOICES,
    bibtex=BIBTEX,
)
