"""P1: Ru & Liu 2007, a cosine in place of slow start's doubling."""

from __future__ import annotations

from pathlib import Path

from ackclock.studies.cos_slow_start import curves, figures, recovery
from ackclock.studies.cos_slow_start.claims import CLAIMS
from ackclock.studies.cos_slow_start.questions import QUESTIONS
from ackclock.studies.study import Experiment, Figure, Recording, Study, TableOf

__all__ = ["STUDY"]

EXPERIMENTS = (
    Experiment("lost-packets", "lost-packets.toml", quick={"replications": 5, "axes": {"connections": [1, 20, 60]}}),
    Experiment("red-queue", "red-queue.toml", quick={"replications": 6}),
    Experiment(
        "wrong-ssthresh",
        "wrong-ssthresh.toml",
        quick={"replications": 4, "axes": {"rate": ["10 Mbit/s", "100 Mbit/s"], "ssthresh": [0.25, 1, 2, 8]}},
    ),
    Experiment("acks", "acks.toml", quick={"replications": 4, "axes": {"rate": ["10 Mbit/s", "100 Mbit/s"]}}),
    Experiment("today", "today.toml", quick={"replications": 4, "axes": {"rate": ["10 Mbit/s", "100 Mbit/s"]}}),
)

RECORDINGS = (
    Recording("growth", "growth.toml", curves.VARIANTS),
    Recording(
        "red-curve",
        "red-curve.toml",
        {f"{cc}, {n} connection{'s' if n > 1 else ''}": {"flows.cc": cc, "flows.count": n} for n in (1, 5) for cc in ("reno", "cos+reno")},
    ),
    Recording("today-curve", "today-curve.toml", {"doubling, told": {}, "COS, told": {"flows.file.cc": "cos+cubic"}}),
    Recording("recovery", "recovery.toml", recovery.VARIANTS, quick=("7.2 Mbit/s", "72 Mbit/s")),
)

_ALONE = "At the link's rate, without a slow start, a file takes 0.8 s. 95 % intervals over seeds."

FIGURES = (
    Figure(
        "P1-F6",
        "Lost packets over the number of connections",
        "Means with 95 % intervals over seeds. The paper has COS below Reno throughout.",
        figures.lost,
        ("lost-packets",),
    ),
    Figure(
        "P1-F7-curve",
        "The queue behind RED in the first three seconds",
        "One run each, its first seed. The buffer holds 20 packets. Grey: the second that P1-F7 takes means over.",
        figures.red_curve,
        ("red-curve",),
    ),
    Figure(
        "P1-F7",
        "The queue behind RED in the first second, and what it lost",
        "Means over seeds with 95 % intervals.",
        figures.red,
        ("red-queue",),
    ),
    Figure(
        "P1-F6-change",
        "Change of lost packets against Reno",
        "Paired by seed; the intervals are those of the verdict, one for each setting. Above zero COS loses more.",
        figures.lost_change,
        ("lost-packets",),
    ),
    Figure(
        "P1-T-change",
        "Change of the mean transfer time against Reno",
        "Paired by seed; the verdict's intervals. Above zero COS takes longer.",
        figures.time_change,
        ("lost-packets",),
    ),
    Figure(
        "P1-T", "Transfer time of 1 MB", "Mean over the connections; 95 % intervals over seeds.", figures.transfer_time, ("lost-packets",)
    ),
    Figure("P1-T-timeouts", "Timeouts", "All connections together; 95 % intervals over seeds.", figures.timeouts, ("lost-packets",)),
    Figure(
        "P1-F2",
        "Windows of both slow starts, ssthresh 64",
        "Lines: formulas. Marks: a run, round trip by round trip.",
        curves.draw_windows,
        ("growth",),
    ),
    Figure(
        "P1-F3",
        "Growth per round trip, ssthresh 64",
        "The paper's Figures 3 and 4 in one. Lines: derivatives. Marks: what a round trip of a run added, at its middle.",
        curves.draw_growth,
        ("growth",),
    ),
    Figure(
        "P1-eta",
        "Efficiency of both slow starts",
        "Lines: formula, summed over rounds 1 to N; bands: from rounds 0 to N − 1 up to there. Marks: runs; COS's end at ssthresh, where "
        "its formula has a packet more.",
        curves.draw_efficiency,
        ("growth",),
    ),
    Figure(
        "P1-wrong-losses",
        "Lost packets with a wrong ssthresh",
        "95 % intervals over seeds.",
        figures.wrong_losses,
        ("wrong-ssthresh",),
    ),
    Figure("P1-wrong-time", "Transfer time with a wrong ssthresh", _ALONE, figures.wrong_time, ("wrong-ssthresh",)),
    Figure(
        "P1-acks",
        "Transfer time with delayed ACKs, from initial windows of 1 and 10 packets",
        f"ssthresh is right: 1 BDP. {_ALONE}",
        figures.acks,
        ("acks",),
    ),
    Figure(
        "P1-today-losses",
        "Lost packets of seven slow starts with CUBIC",
        "“Told”: ssthresh is the path's bandwidth-delay product. 95 % intervals over seeds.",
        figures.today_losses,
        ("today",),
    ),
    Figure(
        "P1-today-time",
        "Transfer time of seven slow starts with CUBIC",
        _ALONE,
        figures.today_time,
        ("today",),
    ),
    Figure(
        "P1-today-curve",
        "Windows at 10 Mbit/s and a buffer of a quarter of a BDP",
        "One run each, its first seed. ×: the first loss.",
        figures.today_curve,
        ("today-curve",),
    ),
)

TABLES = (
    TableOf(
        "P1-eta-table",
        "Efficiency η",
        "Rounds 1 to N; the run's last window is ssthresh, where COS's formula has one more.",
        curves.efficiency_table,
        ("growth",),
    ),
    TableOf("P1-AIMD-table", "Recovery from one loss", "Computed, and measured in congestion avoidance.", recovery.table, ("recovery",)),
)

KNOWN = (
    (
        "Until results version 4 this simulator had a defect: the ACK that ends slow start grew nothing. COS then lost 16 % fewer packets "
        "than Reno with 20 connections and 71 % more with 100, which was known before the criteria were written. With it mended, and with "
        "ns-2's timing and loss rules in profile classic, the difference is gone, as it is in ns-2 itself."
    ),
    (
        "Pilots of 2 seeds (3 of the lost packets) of all five sweeps, a few single runs of the windows and one of the recovery were "
        "looked at before the criteria were written. The directions are the paper's; the margins (1 % of transfer time, a quarter of the "
        "last growth, 3 % and 5 % of the recovery) are ours."
    ),
    (
        "After a first full run the lost packets and the queue behind RED were given 20 seeds in place of 12. No claim's verdict "
        "changed by that; of P1-Tb the part about timeouts went from in part to does not hold, and in P1-Q1 and P1-Q2 one setting of "
        "eight more became clear."
    ),
    "P1-Q8, and the explanations given for P1-F6a and P1-F7a, were written or changed after the first full run had been looked at.",
    (
        "All experiments were run again on later versions of the simulator, the last time in full; no claim's verdict changed. "
        "The explanations of P1-F6a, P1-F7b, P1-Ta, P1-Q6 and P1-Q7, the reading of P1-eta, and the figure P1-today-curve, were written or "
        "changed after that."
    ),
)

STUDY = Study(
    name="cos-slow-start",
    title="P1 · COS-Slow-Start",
    paper="Ru & Liu, “COS-Slow-Start: a new strategy of TCP slow start”, 2007; simulated there with ns-2.28.",
    summary="The window rises to ssthresh on a cosine in place of doubling: in as many round trips, but gently where the path is nearly "
    "full.",
    folder=Path(__file__).parent,
    experiments=EXPERIMENTS,
    recordings=RECORDINGS,
    claims=CLAIMS,
    questions=QUESTIONS,
    figures=FIGURES,
    tables=TABLES,
    known=KNOWN,
    choices=(
        ("packets of “1Kb”", "1000 bytes of payload and 40 of headers, ns-2's packetSize_."),
        ("a file of “1Mb”", "1,000,000 bytes, a thousand packets."),
        ("ssthresh “close to the bandwidth of the path”", "the flow's own bandwidth-delay product, about 20 packets."),
        ("an infinite initial ssthresh", "COS is undefined; ours doubles until the first loss. No experiment of the paper's needs it."),
        ("router buffer", "20 packets; the one being transmitted does not count."),
        ("TCP Reno", "duplicate ACKs, fast recovery until the first new ACK, no SACK, an ACK per packet (profile classic)."),
        ("starts", "uniform over one second: the paper does not say."),
    ),
)
