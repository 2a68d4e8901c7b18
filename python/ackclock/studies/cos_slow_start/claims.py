"""What Ru & Liu claim, sentence by sentence."""

from __future__ import annotations

from ackclock.studies.claim import Claim
from ackclock.studies.cos_slow_start import curves, recovery
from ackclock.studies.criteria import Growth, less, no_more
from ackclock.studies.rules import Agreement, All, Rule

__all__ = ["CLAIMS"]

_CLASSIC = {"transport": "classic"}
_COS = ("cc", "cos+reno", "reno")

CLAIMS = (
    Claim(
        "P1-F6a",
        "With COS-Slow-Start fewer packets are lost, whatever the number of connections.",
        paper="Figure 6: lost packets against the number of connections behind DropTail; the curve of COS lies below that of Reno.",
        reading="1 to 100 connections; each starts within the first second, since exactly together they would march in step.",
        criterion=less("lost-packets", "lost_packets", *_COS, at=_CLASSIC),
        why="Path and buffer hold 40 packets together: with many connections a window is a few packets, and most slow starts follow a "
        "timeout, which leaves ssthresh at 2 or 3 packets (P1-T-timeouts). On the way there is no room for a curve: the first ACK brings "
        "COS to 2 packets, as it does Reno. ns-2 finds no difference either, with COS as a plug-in (tests/theory/ns2).",
        figures=("P1-F6", "P1-F6-change"),
    ),
    Claim(
        "P1-F6b",
        "Losses grow slower with the number of connections with COS-Slow-Start than without.",
        paper="Figure 6: the gap between the curves widens with the number of connections.",
        criterion=Growth("lost-packets", "lost_packets", *_COS, at=_CLASSIC, along="connections"),
        why="As P1-F6a.",
        figures=("P1-F6",),
    ),
    Claim(
        "P1-F7a",
        "Behind RED the queue is shorter in the mean while connections are in slow start.",
        paper="Figure 7: the instantaneous queue during slow start is smaller with COS.",
        reading="The paper gives neither RED's parameters nor the number of connections: ns-2's defaults (5 and 15 packets, weight "
        "0.002, max_p 0.1, not gentle), 1 to 20 connections, and the first second, which holds log2(20) = 4.3 round trips.",
        criterion=less("red-queue", "mean queue", *_COS),
        why="COS's windows are the larger ones in every round trip but the last, so its queue builds up earlier; and it leaves slow "
        "start two packets below ssthresh, so the queue is shorter afterwards. With many connections the earlier queue overflows earlier: "
        "what then makes the mean shorter is packets that are lost (P1-Q8).",
        figures=("P1-F7-curve", "P1-F7"),
    ),
    Claim(
        "P1-F7b",
        "Behind RED the longest queue during slow start is shorter.",
        paper="Figure 7, read as the peak of the instantaneous queue.",
        reading="As P1-F7a.",
        criterion=less("red-queue", "longest queue", *_COS),
        why="A single connection's longest queue is eight packets with either; five and more fill the buffer of 20 packets with either: "
        "the peak is the buffer.",
        figures=("P1-F7-curve", "P1-F7"),
    ),
    Claim(
        "P1-Ta",
        "Transfers take no longer with COS-Slow-Start.",
        paper="Effective transfer time, sending and transmission: no worse with COS.",
        reading="Time from SYN to the last byte acknowledged, mean over the connections; no worse: at most 1 % more.",
        criterion=no_more("lost-packets", "transfer_time", *_COS, margin=0.01, at=_CLASSIC),
        why="As P1-F6a: most of a transfer is avoidance and timeouts, which are the same with both.",
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
            "in runs with ssthresh a power of two from 64 on: doubling's largest growth per round trip is in its last, COS's within one "
            "round "
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
        reading="Over rounds 1 to N, as the paper sets w(x_0) to 0. Two other readings are computed too: rounds 0 to N − 1, which is what "
        "is sent, and the area under the curves, which the paper's proof goes by.",
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
        reading="The path alone holds 60,000 packets, not 80,000; with a buffer of a third of it both are true. Both are computed; the "
        "run is "
        "congestion avoidance from half of the path's window to all of it at a thousandth to a tenth of the rate, for the time is "
        "proportional.",
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
