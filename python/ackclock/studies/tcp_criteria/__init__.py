"""P4: Phạm & Lê 2005, what a congestion control for fast, long paths should be judged by."""

from __future__ import annotations

from pathlib import Path

from ackclock.studies.study import Experiment, Figure, Recording, Study, TableOf
from ackclock.studies.tcp_criteria import bench, recovery, response, signals, stability, times
from ackclock.studies.tcp_criteria.claims import CLAIMS
from ackclock.studies.tcp_criteria.questions import QUESTIONS

__all__ = ["STUDY"]

_SLOWER = {"network.bottleneck.rate": "240Mbit/s"}

EXPERIMENTS = (
    Experiment("response", "response.toml", quick={"replications": 3, "axes": {"loss": [1e-4, 1e-3, 1e-2]}, "duration": "100s"}),
    Experiment(
        "steps",
        "steps.toml",
        quick={
            "replications": 3,
            "duration": "45s",
            "network.bottleneck.rate": {"schedule": [["0s", "240Mbit/s"], ["20s", "60Mbit/s"], ["25s", "240Mbit/s"]]},
        },
    ),
    Experiment("variation-chance", "variation-chance.toml", quick={"replications": 3, "duration": "150s", "flows.count": 2}),
    Experiment("variation-queue", "variation-queue.toml", quick={"replications": 4, **_SLOWER}),
    Experiment("repeated", "repeated.toml", quick={"replications": 3, "axes": {"buffer": [0.1]}}),
    Experiment("web", "web.toml", quick={"replications": 4}),
    Experiment("beside", "beside.toml", quick={"replications": 3}),
    Experiment("convergence", "convergence.toml", quick={"replications": 4}),
    Experiment("stability", "stability.toml", quick={"replications": 3, "axes": {"rtt": [20, 300], "rate": [36, 120]}}),
)

RECORDINGS = (
    Recording("one-loss", "recovery.toml", recovery.VARIANTS, quick=recovery.QUICK),
    Recording("signals", "signals.toml", signals.VARIANTS),
)

FIGURES = (
    Figure(
        "P4-F1",
        "Response curves",
        "Lines: formulas for losses by chance. Marks: runs, means over seeds with 95 % intervals, over the loss rate that they had. Grey: "
        "the window that fills the path.",
        response.draw,
        ("response",),
    ),
    Figure(
        "P4-variation",
        "Rate variation under losses by chance",
        "Standard deviation over mean of the goodput in intervals of one second; 95 % intervals over seeds.",
        lambda results: results.sweeps["response"].plot("rate_variation", x="loss", by="cc"),
        ("response",),
    ),
    Figure(
        "P4-T2",
        "T½, T2 and rate variation of Scalable TCP",
        "Open marks: the paper. Lines: formulas. Filled marks: runs with 95 % intervals over seeds.",
        times.draw,
        ("steps", "variation-chance", "variation-queue"),
    ),
    Figure(
        "P4-sync",
        "Share of the flows that lose in a congestion epoch, six flows at a queue",
        "1: all lose at once. Drops less than two round trips apart are one epoch.",
        lambda results: results.sweeps["variation-queue"].plot("loss_synchronisation", x="law"),
        ("variation-queue",),
    ),
    Figure(
        "P4-B1",
        "Repeated transfers: files finished within 200 s",
        "The paper's score. Eight connections to a file count as one. 95 % intervals over seeds.",
        bench.draw_score,
        ("repeated",),
    ),
    Figure(
        "P4-B1-queue",
        "Repeated transfers: queueing delay",
        "What the score is paid for with; 95 % intervals over seeds.",
        lambda results: results.sweeps["repeated"].plot("queue_delay", x="cc", by="buffer"),
        ("repeated",),
    ),
    Figure(
        "P4-B2",
        "Web throughput beside eight transfers",
        "“None”: without them. 95 % intervals over seeds.",
        lambda results: results.sweeps["web"].plot("web_goodput", x="transfers"),
        ("web",),
    ),
    Figure(
        "P4-B2-pages",
        "Page load time beside eight transfers",
        "Of the pages that finished; 95 % intervals over seeds.",
        lambda results: results.sweeps["web"].plot("page_load_time", x="transfers"),
        ("web",),
    ),
    Figure(
        "P4-beside",
        "What one flow of Reno has beside one of another control",
        "An equal share is 48 Mbit/s of payload. 95 % intervals over seeds.",
        lambda results: results.sweeps["beside"].plot("reno_goodput", x="beside"),
        ("beside",),
    ),
    Figure(
        "P4-convergence",
        "Goodput of the slower of two flows over that of the faster, in the minute after the second joined",
        "1: an equal share. 95 % intervals over seeds.",
        lambda results: results.sweeps["convergence"].plot("equality", x="cc"),
        ("convergence",),
    ),
    Figure(
        "P4-convergence-time",
        "Time until the two are within 20 % of their mean, over five seconds",
        "Of the runs in which they came so near. 95 % intervals over seeds.",
        lambda results: results.sweeps["convergence"].plot("convergence_time", x="cc"),
        ("convergence",),
    ),
    Figure(
        "P4-stability-map",
        "Where twenty flows behind RED come to rest",
        "Lines of no phase margin by the linearised fluid; unstable beyond, at long round trips and high rates. MulTCP has a "
        "second line: below "
        "it its loss rate is beyond RED's max_p, where the share dropped rises steeply.",
        stability.draw_map,
    ),
    Figure(
        "P4-stability",
        "The queue's swing against the phase margin",
        "A mark for each setting: 95th less 5th percentile of the queue, over its mean, with its 95 % interval over seeds. "
        "The rule has every "
        "mark left of 0 above the grey line, and every mark right of it below.",
        stability.draw_swing,
        ("stability",),
    ),
)

TABLES = (
    TableOf("P4-T1", "Recovery from one loss at 200 ms", "Printed, computed, and from a run.", recovery.table, ("one-loss",)),
    TableOf(
        "P4-T2-table",
        "Scalable TCP's T½, T2 and rate variation",
        "Printed / computed / from runs (means). Times in s.",
        times.table,
        ("steps", "variation-chance", "variation-queue"),
    ),
)

KNOWN = (
    (
        "That the printed variation is about √b, √2 above what a flow of Scalable TCP has under independent losses, was derived before "
        "this study (theory/variation.py); the last printed T½ was known as a misprint."
    ),
    (
        "That T½ after a fall of the rate is 1.5 to 1.9 times the paper's, and loss synchronisation 0.71 at such a queue, was "
        "known from earlier runs."
    ),
    (
        "Which settings of the stability experiment lie on which side of the line was computed before it ran, so that both sides have "
        "some; no run of it had been looked at."
    ),
    (
        "The recordings of Table 1 were looked at once. They showed Scalable TCP's recovery a round trip longer than its formula; that the "
        "times at several rates are held against each other was added then, the formula was kept."
    ),
    (
        "After a first quick run: the runs of the response curves were made four times as long in full, for their intervals "
        "decided nothing, and those of the variation under losses by chance more than three times, for windows forget in 1/a round trips; "
        "T½ was held against a run with one loss in each round trip too; the window's variation was added to the goodput's, which has gaps "
        "at each repair; quick runs of P4-B2, P4-F1c and T½ were given a seed less, for time; "
        "and quick runs of the stability experiment were given other paths, most of them away from the line. Parts were "
        "added to P4-T2b and "
        "P4-T2d, no margin was changed. P4-T2b went from does not hold to in part by its added part; P4-B2 in quick runs "
        "from in part to cannot "
        "be judged by the seed less."
    ),
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
    readings=(
        ("T½ and T2, “ms”", "seconds: the formulas give the printed figures in seconds."),
        ("when congestion begins and ends", "the rate falls to a quarter at 20 s and is back at 25 s; the paper does not say."),
        ("buffers", "a tenth of the bandwidth-delay product at 2.4 Gbit/s; the paper gives none."),
        ("2.4 Gbit/s in quick runs", "240 Mbit/s for T½, T2 and the variation at a queue; none of Scalable's figures depends on the rate."),
        ("benches", "50 Mbit/s in place of 2.4 Gbit/s, files of as many bandwidth-delay products as 2 GB are; web traffic at 40 ms."),
        ("parallel connections", "eight of Reno for each transfer; MulTCP stands for eight."),
    ),
)
