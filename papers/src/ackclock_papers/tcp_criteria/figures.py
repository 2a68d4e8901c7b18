"""Figures and tables of P4."""

from ackclock.studies.study import Figure, TableOf
from ackclock_papers.tcp_criteria import (
    number,
    rank,
    recovery,
    regions,
    response,
    robust,
    stability,
    throughput,
    times,
)
from ackclock_papers.tcp_criteria.controls import Panel, by_control

_LOSSES = {1e-4: "0.01 %", 1e-3: "0.1 %", 1e-2: "1 %"}
_REPEATED = (
    Panel("2.4 Gbit/s, buffer 0.1 BDP", "repeated-real", ""),
    Panel("50 Mbit/s, buffer 0.1 BDP", "repeated", "", {"buffer": 0.1}),
    Panel("50 Mbit/s, buffer 1 BDP", "repeated", "", {"buffer": 1}),
)
_WEB = (
    Panel("2.4 Gbit/s, web load 5 %", "web-real", ""),
    Panel("50 Mbit/s, web load 30 %", "web", ""),
    Panel("50 Mbit/s, 160 users", "web-users", ""),
)

FIGURES = (
    Figure(
        "P4-T1-rtt",
        "Recovery from one loss over the round-trip time",
        "Lines: W RTT / 2 at the five rates of Table 1, and 13.4 round trips of Scalable TCP. "
        "Crosses: Table 1. Open marks: runs.",
        recovery.draw,
        ("one-loss",),
        printed="Table 1, at 200 ms alone: 1.7 s, 17 s, 2 min 50 s, 28 min and 4 h 43 min.",
    ),
    Figure(
        "P4-R",
        "Goodput over round-trip time, losses and line rate, each alone",
        "Lines: W(p)/RTT, and the line rate's payload where that is less. Marks: runs, means with "
        "intervals over seeds.",
        throughput.draw,
        ("by-rtt", "response", "by-rate"),
    ),
    Figure(
        "P4-equal",
        "Eight flows of equal round-trip time",
        "Jain's index, and the goodput of the slowest over that of the fastest; 1 is an equal "
        "share. Line and grey mark: Reno; 95 % intervals over seeds.",
        by_control(
            "cc",
            [
                Panel("Jain's index", "equal", "jain_index"),
                Panel("Slowest over fastest", "equal", "min_max_ratio"),
            ],
            "Share",
            share_y=True,
        ),
        ("equal",),
    ),
    Figure(
        "P4-rank",
        "Goodput of a flow beside Reno over the height of its response curve",
        "A mark for each control, means over seeds. Open marks: controls that do not answer to "
        "losses alone.",
        rank.draw,
        ("response", "beside"),
    ),
    Figure(
        "P4-N",
        "A transfer over several connections beside four flows of Reno",
        "Means with intervals over seeds. Grey line: goodput of the others beside one connection.",
        number.draw,
        ("number",),
    ),
    Figure(
        "P4-V-queues",
        "Four flows of Vegas under six queue disciplines",
        "Means with 95 % intervals over seeds; 20 Mbit/s, 60 ms, two bandwidth-delay products of "
        "buffer.",
        by_control(
            "queue",
            [
                Panel("Vegas", "vegas-queues", "queue_delay", {"cc": "vegas"}),
                Panel(
                    "stabilised Vegas", "vegas-queues", "queue_delay", {"cc": "stabilised-vegas"}
                ),
                Panel("Reno", "vegas-queues", "queue_delay", {"cc": "reno"}),
            ],
            "Mean queueing delay",
            base="",
            share_y=True,
            log=True,
        ),
        ("vegas-queues",),
    ),
    Figure(
        "P4-V-timers",
        "Four flows of Vegas over the tick of the clock that tells round-trip times",
        "Line and grey mark: Reno. 95 % intervals over seeds; the path's round-trip time is 60 ms.",
        by_control("clock", [Panel("", "vegas-timers", "queue_delay")], "Mean queueing delay"),
        ("vegas-timers",),
    ),
    Figure(
        "P4-V-beside",
        "One flow of Vegas beside traffic that does not control delay",
        "Goodput of the flow of Vegas (two panels) or stabilised Vegas, over the buffer. Line and "
        "grey mark: beside another one of Vegas; 95 % intervals over seeds. A stream of UDP leaves "
        "9.7 and 1.9 Mbit/s of payload.",
        by_control(
            "beside",
            [
                Panel(f"{name}, {bdp:g} BDP", "vegas-beside", "goodput", {"cc": cc, "buffer": bdp})
                for cc, name in (("vegas", "Vegas"), ("stabilised-vegas", "stabilised"))
                for bdp in (0.5, 2)
            ],
            "Goodput",
            base="vegas",
            share_y=True,
            log=True,
        ),
        ("vegas-beside",),
    ),
    Figure(
        "P4-S",
        "Flows of Scalable TCP behind small buffers against Vinnicombe's condition",
        "A mark for each a and b of Table 2 and each buffer: mean over seeds, with the smallest "
        "and the largest. The condition has every mark left of the line at π/2 below the grey "
        "line.",
        robust.draw,
        ("small-buffers", "small-buffers-lot"),
    ),
    Figure(
        "P4-F1",
        "Response curves",
        "Lines: formulas for losses by chance. Marks: runs, means over seeds with 95 % intervals, "
        "over the loss rate that they had. Grey: the window that fills the path.",
        response.draw,
        ("response",),
        printed="Window over signalling rate in logarithms: the classic curve falls by a half "
        "decade a decade, Scalable's by a decade.",
    ),
    Figure(
        "P4-variation",
        "Rate variation under losses by chance",
        "Standard deviation over mean of the goodput in intervals of one second. Line and grey "
        "mark: Reno; 95 % intervals over seeds.",
        by_control(
            "cc",
            [
                Panel(f"{share} of packets lost", "response", "rate_variation", {"loss": p})
                for p, share in _LOSSES.items()
            ],
            "Rate variation",
            share_y=True,
        ),
        ("response",),
    ),
    Figure(
        "P4-T2",
        "T½, T2 and rate variation of Scalable TCP",
        "Open marks: the paper. Lines: formulas. Filled marks: runs with 95 % intervals over "
        "seeds.",
        times.draw,
        ("steps", "variation-chance", "variation-queue"),
        printed="Table 2: T½ 0.12 to 1.2084, T2 2.124 to 16.68, variation 0.72 to 0.257.",
    ),
    Figure(
        "P4-sync",
        "Share of the flows that lose in a congestion epoch, six flows at a queue",
        "1: all lose at once. Drops less than two round trips apart are one epoch.",
        by_control(
            "law",
            [Panel("", "variation-queue", "loss_synchronisation")],
            "Share of the flows that lose",
            base="",
            xlabel="b, a of Scalable TCP",
        ),
        ("variation-queue",),
    ),
    Figure(
        "P4-B1",
        "Repeated transfers: files finished within 200 s",
        "The paper's score. 2.4 Gbit/s: its own files of 2 GB (quick runs: within 60 s). 50 "
        "Mbit/s: files of 40 MB. A link that is always full carries 28.7 and 29.9. Six servers, "
        "120 ms; line and grey mark: Reno; 95 % intervals over seeds.",
        by_control(
            "cc", [panel._replace(response="files") for panel in _REPEATED], "Files finished"
        ),
        ("repeated-real", "repeated"),
    ),
    Figure(
        "P4-B1-queue",
        "Repeated transfers: queueing delay",
        "The price of the score. Line and grey mark: Reno; 95 % intervals over seeds.",
        by_control(
            "cc",
            [panel._replace(response="queue_delay") for panel in _REPEATED],
            "Mean queueing delay",
            log=True,
        ),
        ("repeated-real", "repeated"),
    ),
    Figure(
        "P4-B2",
        "Web throughput beside eight transfers",
        "Payload per second. Line and grey mark: without transfers; 95 % intervals over seeds. "
        "They are wider than the changes, which are of the same seeds (P4-Q3).",
        by_control(
            "transfers",
            [panel._replace(response="web_goodput") for panel in _WEB],
            "Web throughput",
            base="none",
        ),
        ("web-real", "web", "web-users"),
    ),
    Figure(
        "P4-B2-pages",
        "Page load time beside eight transfers",
        "Mean of the pages that finished. Line and grey mark: without transfers; 95 % intervals "
        "over seeds.",
        by_control(
            "transfers",
            [panel._replace(response="page_load_time") for panel in _WEB],
            "Page load time",
            base="none",
        ),
        ("web-real", "web", "web-users"),
    ),
    Figure(
        "P4-beside",
        "Goodput of one flow of Reno beside one of another control",
        "An equal share is 48 Mbit/s of payload. Line and grey mark: beside Reno; 95 % intervals "
        "over seeds.",
        by_control("beside", [Panel("", "beside", "reno_goodput")], "Goodput of Reno"),
        ("beside",),
    ),
    Figure(
        "P4-convergence",
        "Goodput of the slower of two flows over that of the faster, in the minute after the "
        "second joined",
        "1: an equal share. Line and grey mark: Reno; 95 % intervals over seeds.",
        by_control("cc", [Panel("", "convergence", "equality")], "Slower over faster"),
        ("convergence",),
    ),
    Figure(
        "P4-convergence-time",
        "Time until the two are within 20 % of their mean, over five seconds",
        "Mean of the runs in which they came so near, whose number is given unless it is all. Line "
        "and grey mark: Reno; 95 % intervals.",
        by_control("cc", [Panel("", "convergence", "convergence_time")], "Convergence time"),
        ("convergence",),
    ),
    Figure(
        "P4-stability-map",
        "Where twenty flows of each control behind RED come to rest",
        "Ground: the linearised fluid. Marks: runs; “swings”: the 95th less the 5th percentile of "
        "the queue is above its mean. “8 x reno”: 160 connections. MulTCP and eight connections "
        "have a second line: below it their loss rate is beyond RED's max_p, where the share "
        "dropped rises steeply. No model: none for the control, or for windows below two packets.",
        regions.draw_map,
        ("stability",),
    ),
    Figure(
        "P4-stability",
        "The queue's swing against the phase margin",
        "A mark for each setting: 95th less 5th percentile of the queue, over its mean, with its "
        "95 % interval over seeds. The rule has every mark left of the band above the grey line, "
        "and every mark right of it below. In the band the first order decides nothing. Settings "
        "whose gain is never 1 have no margin and are left out.",
        regions.draw_swing,
        ("stability",),
    ),
)

TABLES = (
    TableOf(
        "P4-T1",
        "Recovery from one loss at 200 ms",
        "Printed, computed, and from a run.",
        recovery.table,
        ("one-loss",),
    ),
    TableOf(
        "P4-T2-table",
        "Scalable TCP's T½, T2 and rate variation",
        "Printed / computed / from runs (means). Times in s.",
        times.table,
        ("steps", "variation-chance", "variation-queue"),
    ),
    TableOf(
        "P4-stability-table",
        "Model and runs of each control",
        "Number of paths where runs are steady, or swing, among those that the model has as "
        "stable, or unstable, by more than 10° of phase margin; mean queues (packets) from the "
        "least to the most; and the outcome of the runs of all nine paths. No model: Vegas answers "
        "the sign of a difference, which has no slope (stabilised-vegas is its form that has one); "
        "CUBIC's curve is flat at rest, so that the first order does not decide; BBR follows "
        "maxima and minima over time.",
        stability.table,
        ("stability",),
    ),
)
