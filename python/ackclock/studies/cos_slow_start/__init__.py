"""P1: Ru & Liu 2007, a cosine in place of slow start's doubling."""

from __future__ import annotations

from pathlib import Path

from ackclock.studies.claim import Claim, Question
from ackclock.studies.cos_slow_start import curves, figures, recovery
from ackclock.studies.criteria import Agreement, All, Effect, Growth, Rule, less, no_more
from ackclock.studies.study import Experiment, Figure, Recording, Study, TableOf

__all__ = ["STUDY"]

_CLASSIC, _TODAY = {"transport": "classic"}, {"transport": "linux"}
_COS = ("cc", "cos+reno", "reno")

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
    Recording("recovery", "recovery.toml", recovery.VARIANTS, quick=("7.2 Mbit/s", "72 Mbit/s")),
)

CLAIMS = (
    Claim(
        "P1-F6a",
        "With COS-Slow-Start fewer packets are lost, whatever the number of connections.",
        paper="Figure 6: lost packets against the number of connections behind DropTail; the curve of COS lies below that of Reno.",
        reading="1 to 100 connections; each starts within the first second, since exactly together they would march in step.",
        criterion=less("lost-packets", "lost_packets", *_COS, at=_CLASSIC),
        why="With few connections COS loses less of its first slow start. With many, most slow starts follow a timeout, with ssthresh at 2 or "
        "3 packets; there P1's own exit rule, ssthresh − cwnd ≤ 2, ends slow start at a window of one, and linear growth from one packet means "
        "windows too small for three duplicate ACKs: timeout follows timeout. P1-Q2 takes the rule away.",
        figures=("P1-F6", "P1-F6-change"),
    ),
    Claim(
        "P1-F6b",
        "Losses grow slower with the number of connections with COS-Slow-Start than without.",
        paper="Figure 6: the gap between the curves widens with the number of connections.",
        criterion=Growth("lost-packets", "lost_packets", *_COS, at=_CLASSIC, along="connections"),
        why="As P1-F6a: from some number of connections on it is timeouts that count.",
        figures=("P1-F6",),
    ),
    Claim(
        "P1-F7a",
        "Behind RED the queue is shorter in the mean while connections are in slow start.",
        paper="Figure 7: the instantaneous queue during slow start is smaller with COS.",
        reading="The paper gives neither RED's parameters nor the number of connections: ns-2's defaults (5 and 15 packets, weight 0.002, max_p "
        "0.1, not gentle), 1 to 20 connections, and the first second, which holds log2(20) = 4.3 round trips.",
        criterion=less("red-queue", "queue_packets.mean", *_COS),
        why="COS's windows are the larger ones in every round trip but the last, so its queue builds up earlier; and it leaves slow start two "
        "packets below ssthresh, so the queue is shorter afterwards. With many connections the earlier queue overflows earlier: what then "
        "makes the mean shorter is packets that are lost (P1-Q8).",
        figures=("P1-F7-curve", "P1-F7"),
    ),
    Claim(
        "P1-F7b",
        "Behind RED the longest queue during slow start is shorter.",
        paper="Figure 7, read as the peak of the instantaneous queue.",
        reading="As P1-F7a.",
        criterion=less("red-queue", "queue_packets.max", *_COS),
        why="From a few connections on both fill the buffer of 20 packets: the peak is the buffer.",
        figures=("P1-F7-curve", "P1-F7"),
    ),
    Claim(
        "P1-Ta",
        "Transfers take no longer with COS-Slow-Start.",
        paper="Effective transfer time, sending and transmission: no worse with COS.",
        reading="Time from SYN to the last byte acknowledged, mean over the connections; no worse: at most 1 % more.",
        criterion=no_more("lost-packets", "fct.mean", *_COS, margin=0.01, at=_CLASSIC),
        why="What is lost in needless timeouts at many connections (P1-F6a) is waited for.",
        figures=("P1-T", "P1-T-change"),
    ),
    Claim(
        "P1-Tb",
        "Retransmissions after needless timeouts are avoided: there are fewer timeouts, and fewer retransmissions.",
        paper="Given as the reason for the shorter transfers.",
        criterion=All(
            (
                ("timeouts", less("lost-packets", "timeouts", *_COS, at=_CLASSIC)),
                ("retransmissions", less("lost-packets", "retransmitted_packets", *_COS, at=_CLASSIC)),
            )
        ),
        why="As P1-F6a. A single connection has no timeout to avoid.",
        figures=("P1-T-timeouts",),
    ),
    Claim(
        "P1-F2",
        "The windows of both slow starts follow their formulas, round trip by round trip.",
        paper="Figure 2: −(s/2) cos(πx/L) + s/2 + 1, rounded down in the first half and up in the second, against 2^x.",
        reading="The curve ends at s + 1; a sender stops at s. The exit rule sigma is set to 0, so that all of the curve is seen.",
        criterion=Agreement(
            "cwnd after each round trip of a run against the formula, ended at ssthresh", curves.windows, 1e-6, ("growth",), "packets"
        ),
        figures=("P1-F2",),
    ),
    Claim(
        "P1-F2b",
        "COS-Slow-Start needs as many round trips to ssthresh as doubling.",
        paper="Both need L = log2(ssthresh).",
        criterion=Agreement("round trips of COS until ssthresh against those of doubling, in runs", curves.rounds, 0.0, ("growth",)),
        figures=("P1-F2",),
    ),
    Claim(
        "P1-F3",
        "Doubling grows fastest at its very end, COS-Slow-Start half way, and ever slower from there.",
        paper="Figures 3 and 4: w_b' = ln 2 · 2^x, w_a' = (s/2)(π/L) sin(πx/L).",
        criterion=Rule(
            "in runs with ssthresh a power of two from 64 on: doubling's largest growth per round trip is in its last, COS's within one round "
            "trip of L/2, and COS's last is below a quarter of doubling's last",
            curves.judge_growth,
            ("growth",),
        ),
        figures=("P1-F3",),
    ),
    Claim(
        "P1-eta",
        "COS-Slow-Start is the more efficient: it sends more on the way to ssthresh, in as many round trips.",
        paper="η = Σ w(x_i) / (N · ssthresh); η_cos > η_exp.",
        reading="Which rounds the sum runs over is printed in two ways: 1 to N (w(x_0) set to 0), 0 to N − 1 (what is sent), or the area "
        "under the curves. All three are computed.",
        criterion=All(
            (
                (
                    "formula",
                    Rule("η_cos > η_exp at every whole ssthresh from 4 to 10,000, under all three readings", curves.judge_efficiency),
                ),
                ("run", Rule("η_cos > η_exp at every ssthresh that was run, from 4 to 10,000", curves.judge_measured, ("growth",))),
            )
        ),
        figures=("P1-eta", "P1-eta-table"),
    ),
    Claim(
        "P1-AIMD",
        "At 7.2 Gbit/s and 100 ms, one loss costs Reno 40,000 round trips, or 70 minutes.",
        paper="Peak window 80,000 packets of 1500 bytes; 40,000 round trips, about 70 minutes, until it is back.",
        reading="The path alone holds 60,000 packets, not 80,000; with a buffer of a third of it both are true. Both are computed; the run is "
        "congestion avoidance from half of the path's window to all of it at a thousandth to a tenth of the rate, for the time is proportional.",
        criterion=All(
            (
                ("from the printed 80,000", recovery.from_peak(80_000)),
                ("from the path's 60,000", recovery.from_peak(60_000)),
                ("half a window of round trips, in runs", recovery.IN_RUNS),
            )
        ),
        figures=("P1-AIMD-table",),
    ),
)

QUESTIONS = (
    Question(
        "P1-Q1",
        "Does COS-Slow-Start lose fewer packets on today's transport?",
        Effect("lost-packets", "lost_packets", *_COS, at=_TODAY),
        reading="The same network; SACK, RACK, tail loss probes, an initial window of 10, delayed ACKs.",
        figures=("P1-F6",),
    ),
    Question(
        "P1-Q2",
        "Is it the exit rule that costs COS-Slow-Start its advantage with many connections?",
        All(
            (
                ("without the rule (sigma = 0)", Effect("lost-packets", "lost_packets", "cc", "cos(sigma=0)+reno", "reno", _CLASSIC)),
                ("with it (sigma = 2)", Effect("lost-packets", "lost_packets", *_COS, _CLASSIC)),
                ("timeouts, without it", Effect("lost-packets", "timeouts", "cc", "cos(sigma=0)+reno", "reno", _CLASSIC)),
            )
        ),
        figures=("P1-F6-change", "P1-T-timeouts"),
    ),
    Question(
        "P1-Q3",
        "And with delayed ACKs?",
        All(
            (
                ("ACKs counted", Effect("acks", "transfer_time", *_COS, {"acks": "delayed, ACKs counted"})),
                ("bytes counted", Effect("acks", "transfer_time", *_COS, {"acks": "delayed, bytes counted"})),
                ("each packet acknowledged", Effect("acks", "transfer_time", *_COS, {"acks": "each packet"})),
                ("losses", Effect("acks", "lost_packets", *_COS)),
            )
        ),
        reading="One ACK for two packets. Doubling then grows by half per round trip if it counts ACKs (ns-2's Reno), and doubles if it "
        "counts bytes (RFC 3465). COS's curve is one of round trips and does not depend on it.",
        figures=("P1-acks",),
    ),
    Question(
        "P1-Q4",
        "And from an initial window of ten?",
        All(
            tuple(
                (f"from {window}", Effect("acks", "transfer_time", *_COS, {"initial_window": window, "acks": "each packet"}))
                for window in (1, 10)
            )
        ),
        reading="COS enters its curve where the curve has ten packets.",
        figures=("P1-acks",),
    ),
    Question(
        "P1-Q5",
        "What if ssthresh is wrong, by 0.25 to 8 of the path's bandwidth-delay product?",
        All(
            (
                ("too small, time", Effect("wrong-ssthresh", "transfer_time", *_COS, {"ssthresh": [0.25, 0.5]})),
                ("right, time", Effect("wrong-ssthresh", "transfer_time", *_COS, {"ssthresh": 1})),
                ("too large, time", Effect("wrong-ssthresh", "transfer_time", *_COS, {"ssthresh": [2, 4, 8]})),
                ("too large, losses", Effect("wrong-ssthresh", "lost_packets", *_COS, {"ssthresh": [2, 4, 8]})),
            )
        ),
        reading="A file of 16 BDP, a buffer of half a BDP, the paper's transport; 10 Mbit/s to 1 Gbit/s.",
        figures=("P1-wrong-losses", "P1-wrong-time"),
    ),
    Question(
        "P1-Q6",
        "And with CUBIC on today's transport, where both know ssthresh?",
        All(
            tuple(
                (name, Effect("today", response, "slow_start", "COS, told", "doubling, told"))
                for name, response in (("losses", "lost_packets"), ("time", "transfer_time"))
            )
        ),
        reading="“Told”: ssthresh is set to the path's bandwidth-delay product, as the paper assumes.",
        figures=("P1-today-losses", "P1-today-time"),
    ),
    Question(
        "P1-Q7",
        "Is it better than slow starts that find out by themselves: HyStart, HyStart++, limited slow start, SEARCH?",
        All(
            tuple(
                (f"{other}, {name}", Effect("today", response, "slow_start", "COS, told", other))
                for other in ("HyStart", "HyStart++", "limited", "SEARCH")
                for name, response in (("losses", "lost_packets"), ("time", "transfer_time"))
            )
        ),
        reading="COS is told ssthresh, they are not: what it gains by this is in P1-Q6 and in “doubling, told”.",
        figures=("P1-today-losses", "P1-today-time"),
    ),
    Question(
        "P1-Q8",
        "What is lost behind RED while the queue of P1-F7 builds up?",
        Effect("red-queue", "lost_packets", *_COS),
        reading="In the first second, as P1-F7a.",
        figures=("P1-F7-lost",),
    ),
)

FIGURES = (
    Figure(
        "P1-F6",
        "Lost packets over the number of connections",
        "Means with 95 % intervals over seeds. Left the paper's transport, right today's. The paper has COS below Reno throughout.",
        figures.lost,
        ("lost-packets",),
    ),
    Figure(
        "P1-F7-curve",
        "The queue behind RED in the first three seconds",
        "One run each. The buffer holds 20 packets. Grey: the second that P1-F7 takes means over.",
        figures.red_curve,
        ("red-curve",),
    ),
    Figure("P1-F7", "The queue behind RED in the first second", "Means over seeds with 95 % intervals.", figures.red_queue, ("red-queue",)),
    Figure(
        "P1-F7-lost",
        "Lost packets behind RED in the first second",
        "Means over seeds with 95 % intervals.",
        figures.red_lost,
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
        "Lines: derivatives. Marks: what a round trip of a run added, at its middle.",
        curves.draw_growth,
        ("growth",),
    ),
    Figure(
        "P1-eta",
        "Efficiency of both slow starts",
        "Lines: formula, summed over rounds 1 to N; bands: from rounds 0 to N − 1 up to there. Marks: runs.",
        curves.draw_efficiency,
        ("growth",),
    ),
    Figure(
        "P1-wrong-losses",
        "Lost packets with a wrong ssthresh",
        "Of the file alone; 95 % intervals over seeds.",
        figures.wrong_losses,
        ("wrong-ssthresh",),
    ),
    Figure("P1-wrong-time", "Transfer time with a wrong ssthresh", "95 % intervals over seeds.", figures.wrong_time, ("wrong-ssthresh",)),
    Figure("P1-acks", "Transfer time with delayed ACKs and initial windows", "ssthresh is right: 1 BDP.", figures.acks, ("acks",)),
    Figure(
        "P1-today-losses", "Lost packets of seven slow starts with CUBIC", "Buffers of 0.25 and 1 BDP.", figures.today_losses, ("today",)
    ),
    Figure("P1-today-time", "Transfer time of seven slow starts with CUBIC", "Buffers of 0.25 and 1 BDP.", figures.today_time, ("today",)),
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

STUDY = Study(
    name="cos-slow-start",
    title="P1 · COS-Slow-Start",
    paper="Ru & Liu, “COS-Slow-Start: a new strategy of TCP slow start”, 2007; simulated there with ns-2.28.",
    summary="The window rises to ssthresh on a cosine in place of doubling: in as many round trips, but gently where the path is nearly full.",
    folder=Path(__file__).parent,
    experiments=EXPERIMENTS,
    recordings=RECORDINGS,
    claims=CLAIMS,
    questions=QUESTIONS,
    figures=FIGURES,
    tables=TABLES,
    readings=(
        ("packets of “1Kb”", "1000 bytes of payload and 40 of headers, ns-2's packetSize_."),
        ("a file of “1Mb”", "1,000,000 bytes, a thousand packets."),
        ("ssthresh “close to the bandwidth of the path”", "the flow's own bandwidth-delay product, about 20 packets."),
        ("an infinite initial ssthresh", "COS is undefined; ours doubles until the first loss. No experiment of the paper's needs it."),
        ("router buffer", "20 packets; the one being transmitted does not count."),
        ("TCP Reno", "duplicate ACKs, fast recovery until the first new ACK, no SACK, an ACK per packet (profile classic)."),
        ("starts", "uniform over one second: the paper does not say."),
    ),
)
