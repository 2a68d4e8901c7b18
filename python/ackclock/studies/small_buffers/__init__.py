"""P3: Wang, Lan & Li 2008, real-time video through small buffers."""

from __future__ import annotations

from pathlib import Path

from ackclock.studies.small_buffers import figures, readings
from ackclock.studies.small_buffers.claims import CLAIMS
from ackclock.studies.small_buffers.questions import QUESTIONS
from ackclock.studies.study import Experiment, Figure, Recording, Study, TableOf

__all__ = ["STUDY"]

EXPERIMENTS = (
    Experiment("buffers", "buffers.toml", quick={"replications": 3}),
    Experiment("rtt", "rtt.toml", quick={"replications": 3}),
    Experiment("queues", "queues.toml", quick={"replications": 3, "axes": {"connections": [18, 36, 144]}}),
    Experiment(
        "rules",
        "rules.toml",
        quick={"replications": 2, "axes": {"connections": [1, 10, 100, 1000], "buffer": [16, 64, 256, 417]}},
    ),
)

RECORDINGS = (Recording("curve", "curve.toml", figures.VARIANTS),)

_MEANS = "Means with 95 % intervals over seeds."
_BANDS = f"{_MEANS} Lines of RED and DropTail lie on each other."
_BESIDE = f"{_BANDS} Crosses: what the paper prints."
_OVER_BUFFER = ("buffers", "rtt")

FIGURES = (
    Figure("P3-F2", "The film's delay over the buffer", _BESIDE, figures.over_buffer("delay of the film"), _OVER_BUFFER),
    Figure(
        "P3-F2-curve",
        "The film's delay, packet by packet",
        "One run each, 24.4 Mbit/s, RED, film spread. Grey: the paper's limit of 400 ms.",
        figures.delay_curve,
        ("curve",),
    ),
    Figure("P3-F2-longest", "The film's longest delay", _BANDS, figures.over_buffer("longest delay of the film"), _OVER_BUFFER),
    Figure("P3-F3", "The film's jitter", _BESIDE, figures.over_buffer("jitter of the film"), _OVER_BUFFER),
    Figure("P3-F4", "Throughput of all TCP connections", _BESIDE, figures.over_buffer("throughput of TCP"), _OVER_BUFFER),
    Figure(
        "P3-F4-curve",
        "Throughput of all TCP connections over time",
        "One run each, in intervals of two seconds; 24.4 Mbit/s, RED, film in bursts.",
        figures.throughput_curve,
        ("curve",),
    ),
    Figure("P3-F5", "Loss of TCP", _BESIDE, figures.over_buffer("loss of TCP"), _OVER_BUFFER),
    Figure("P3-F5-film", "Loss of the film", _BANDS, figures.over_buffer("loss of the film"), _OVER_BUFFER),
    Figure("P3-F5-frames", "Frames that can be decoded", _BANDS, figures.over_buffer("decodable frames"), _OVER_BUFFER),
    Figure("P3-queue", "Queueing delay, 99th percentile", _BANDS, figures.over_buffer("queue_delay.p99"), _OVER_BUFFER),
    Figure(
        "P3-rules",
        "The smallest buffer for 99 % utilisation, and the three rules",
        "Marks: measured, means with 95 % intervals over seeds, interpolated between the buffers that were run; arrow: or less; no mark "
        "where 1,024 packets did not suffice in every seed. Grey: the rules for 50 Mbit/s and 100 ms. That of O(log W) (Enachescu et al.) "
        "asks for a link that is not full; it is drawn for windows that would fill 90 %.",
        figures.rules,
        ("rules",),
    ),
    Figure("P3-rules-utilisation", "Utilisation over the buffer", _MEANS, figures.utilisation, ("rules",)),
    Figure("P3-queues-loss", "Loss of the film beside many connections", _MEANS, figures.queues("loss of the film"), ("queues",)),
    Figure("P3-queues-frames", "Frames that can be decoded", _MEANS, figures.queues("decodable frames"), ("queues",)),
    Figure("P3-queues-tcp", "Throughput of all TCP connections", _MEANS, figures.queues("throughput of TCP"), ("queues",)),
    Figure(
        "P3-frames",
        "Frames against packets",
        "Means over seeds: a mark for each queue and number of connections at which the film loses packets.",
        figures.frames,
        ("queues",),
    ),
)

TABLES = (
    TableOf(
        "P3-printed",
        "The paper's numbers, and ours under each reading",
        "Means over seeds, behind RED.",
        readings.numbers,
        _OVER_BUFFER,
    ),
    TableOf(
        "P3-readings",
        "The claims, reading by reading",
        "Verdicts on the runs of one reading alone, behind RED.",
        readings.verdicts,
        _OVER_BUFFER,
    ),
)

KNOWN = (
    "That at 24.4 Mbit/s none of the film's packets was lost in one run, was known before anything of this study was written.",
    "Claims, questions, readings and margins were written before any run of its experiments was looked at.",
    (
        "After a look at pilots of 2 seeds the seeds were doubled for the film (20) and raised for the rules (8), the longest runs "
        "of the rules shortened, 256 packets took the place of 4 in P3-Q8. Also after it, P3-R2 and P3-R3 were corrected: a smallest "
        "buffer outside those that were run leaves them open, unless all seeds are above. No other criterion was changed."
    ),
    "P3-Q9 and its runs with a round-trip time of 80 ms were added after the pilots and before a look at the full runs.",
    (
        "After a look at the full runs, P3-Q2, P3-Q3, P3-Q5 and P3-Q6 tell shares in percentage points, for a share of no loss said "
        "nothing, and P3-Q2 asks for frames too. Explanations are of the full runs. No claim's criterion, setting or seed was changed then."
    ),
)

STUDY = Study(
    name="small-buffers",
    title="P3 · Small buffers and real-time video",
    paper="Wang, Lan & Li, “The impact of small buffers on real-time traffic”, 2008; simulated there with ns-2.",
    summary="A router's buffer of 5 to 50 packets, instead of a bandwidth-delay product: what becomes of a film that passes it beside TCP.",
    folder=Path(__file__).parent,
    experiments=EXPERIMENTS,
    recordings=RECORDINGS,
    claims=CLAIMS,
    questions=QUESTIONS,
    figures=FIGURES,
    tables=TABLES,
    known=KNOWN,
    choices=(
        (
            "a link of 52 Mbit/s at a load of 80 %",
            "18 connections of 1 Mbit/s and a film of 1.5 Mbit/s are 37.5 % of 52 Mbit/s; they are 80 % of 24.4 Mbit/s. Both are run.",
        ),
        (
            "video of 1.5 Mbit/s",
            "that of its access link, through which a film of 1.2 Mbit/s fits (“spread”); or the film's, over 100 Mbit/s (“in bursts”).",
        ),
        ("the film", "a clip of the project's own: H.264, 25 frames/s, up to two B frames between anchors, its sizes scaled to the rate."),
        ("access delays of 1 to 50 ms", "in all, half of it at either end; with 50 ms of the link the round-trip time is 102 to 200 ms."),
        (
            "an effective RTT of 80 ms",
            "in conflict with a link of 50 ms, which alone makes 100 ms of it. The claims are judged with 50 ms; P3-Q9 takes 14.5 ms too.",
        ),
        (
            "access queues",
            "unlimited: no packet is lost but at the link that is looked at. ns-2's largest window, 20 packets, bounds them.",
        ),
        ("RED", "ns-2's automatic thresholds, 5 and 15 packets at 24.4 Mbit/s, 11 and 33 at 52 Mbit/s; the buffer is its limit."),
        ("starts", "uniform over one second; the film begins anywhere in the clip."),
    ),
)
