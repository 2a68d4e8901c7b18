"""P2: Huang, Zhu & Wang, a BBR that queues less."""

from pathlib import Path

from ackclock.studies.outside import Outside
from ackclock.studies.study import Figure, TableOf
from ackclock_papers.bbr_latency import against, extra, figures, ns3, operating
from ackclock_papers.bbr_latency.claims import CLAIMS
from ackclock_papers.bbr_latency.items import ITEMS
from ackclock_papers.bbr_latency.known import KNOWN
from ackclock_papers.bbr_latency.questions import QUESTIONS
from ackclock_papers.bbr_latency.readings import CHOICES, READINGS
from ackclock_papers.bbr_latency.rules import FILTER_VARIANTS
from ackclock_papers.bbr_latency.variants import CURVES, LONG_CURVES, RISE_CURVES
from ackclock_papers.builders import experiment, recording, study

EXPERIMENTS = (
    experiment("operating"),
    experiment("points"),
    experiment("loss", replications=4),
    experiment(
        "several", replications=4, axes={"rate": ["10 Mbit/s"], "flow_count": [1, 2, 5, 12]}
    ),
    experiment("acks", replications=3, axes={"delayed_ack": [2, 4]}),
    experiment("one", replications=4),
    experiment("creep"),
    experiment("short-path", replications=4, axes={"rtt_ms": [4, 8]}),
    experiment("ns3", replications=4, axes={"rtt_ms": [4, 8, 20]}),
    experiment("two", replications=6),
    experiment("leave", replications=6),
    experiment("alone-again", replications=6),
    experiment("five", replications=8),
    experiment("ns3-five", replications=4),
    experiment("long-path", replications=4),
    experiment("rise", replications=6),
    experiment("settings", replications=4),
    experiment("settings-leave", replications=4),
    experiment("giving", replications=4),
    experiment("rtt-fairness", replications=4, axes={"far_rtt": [10, 50, 200]}),
    experiment("against", replications=4, axes={"buffer": [0.25, 1, 4, 16]}),
)

RECORDINGS = (
    recording("filters", FILTER_VARIANTS),
    recording("one-curve", CURVES),
    recording("short-curve", ns3.CURVES),
    recording("two-curve", CURVES),
    recording("five-curve", CURVES),
    recording("long-curve", LONG_CURVES),
    recording("rise-curve", RISE_CURVES),
)

_MEANS = "Means over seeds with 95 % intervals."
_FAR = ("copa", "copa, ACK each")
_CENSORED = "A seed in which they never do counts as 60 s."

FIGURES = (
    Figure(
        "P2-F1",
        "Rate and RTT over what is in flight",
        "Grey: theory. Dots: a window that never changes. Marks: where algorithms come to stand, "
        "by their mean rate times their mean RTT. The buffer holds five bandwidth-delay products.",
        operating.draw,
        ("operating", "points"),
        printed="Figure 1: the RTT is flat and the rate rises until A, one bandwidth-delay "
        "product; then the rate is flat and the RTT rises until B, where the buffer is full. BBR "
        "aims at A, loss-based algorithms work at B.",
    ),
    Figure(
        "P2-cliff",
        "Goodput over random loss",
        f"{_MEANS} As a share of what the link can deliver after the loss. Grey: 20 %.",
        extra.cliff,
        ("loss",),
        printed="In words: BBR tolerates a loss of up to 20 %.",
    ),
    Figure(
        "P2-several",
        "Mean queueing delay of several flows",
        f"{_MEANS} In round-trip times of the path, 60 ms.",
        extra.several,
        ("several",),
        printed="In words, from its reference 12: several flows queue 1 to 1.5 RTT (grey).",
    ),
    Figure(
        "P2-patches",
        "Effect of the two published patches on the queue",
        f"{_MEANS} Crosses: the paper's percentages, of our means.",
        extra.patches,
        ("two", "five"),
        printed="In words: drain to target lowers the queueing time by 40 % or more, early probe "
        "exit by about a further 10 %.",
    ),
    Figure(
        "P2-acks",
        "Utilisation of the link with few ACKs",
        f"{_MEANS} One flow; gains: a window of one product and gains of 6/5 and 4/5.",
        extra.acks,
        ("acks",),
        printed="In words: a window of one product is enough with an ACK for every four packets "
        "(grey).",
    ),
    Figure(
        "P2-F3",
        "RTT of one flow, and the smallest that it knows",
        "One run each.",
        figures.one_curve,
        ("one-curve",),
        printed="Figure 3: with both patches the RTT swings between 60 and 80 ms (grey band), and "
        "the smallest RTT creeps up after 10 s.",
    ),
    Figure(
        "P2-F4",
        "The smallest RTT of each ten seconds",
        f"{_MEANS} PROBE_RTT comes in the first two seconds of each. Grey: the path.",
        extra.creep,
        ("creep",),
        printed="Figure 4: the smallest RTT that BBR knows rises from expiry to expiry.",
    ),
    Figure(
        "P2-F6",
        "The two-flow map",
        "From first shares of 0.05, 0.3 and 0.9. Left: both filters. Right: the first flow's "
        "filter (lines) and rate (dots).",
        figures.two_flow_map,
        printed="Figure 6: filters settle at 0.5556 each (cross), after about 34 probes (grey "
        "line).",
    ),
    Figure(
        "P2-F6-runs",
        "Filters of N flows, in sum",
        "100 Mbit/s and 60 ms; one run each, from 3 s on.",
        figures.filters,
        ("filters",),
    ),
    Figure(
        "P2-short",
        "Goodput at an RTT of 8 ms, by improvement",
        f"{_MEANS} From 12 s on. Without the faults of ns-3.35 the improvements do not matter "
        "there.",
        figures.rows("short-path", "goodput", "Goodput (Mbit/s)", scale=1e-6, at={"rtt_ms": 8}),
        ("short-path",),
    ),
    Figure(
        "P2-F12",
        "Goodput and bandwidth filter over time on short paths",
        "One run each, goodput over half a second. “ns-3.35's inputs”: with the faults of that "
        "release, which the paper used (quirks=ns3.35).",
        ns3.draw_curves,
        ("short-curve",),
        printed="Figures 7 and 12: BBR's rate, and its filter, fall to almost nothing at 10 s; "
        "improved BBR keeps the full rate.",
    ),
    Figure(
        "P2-ns3",
        "Goodput on short paths by BBR's inputs",
        "From 12 s on. Dots: means; strokes: single runs. Linux: no faults. By release: the faults "
        "that are left in it. Then faults alone, and what the paper adds, with all faults of "
        "ns-3.35.",
        ns3.draw_inputs,
        ("ns3",),
    ),
    Figure(
        "P2-F9-curve",
        "RTT of two flows",
        "One run each.",
        figures.two_curve,
        ("two-curve",),
        printed="Figure 9: BBR's RTT is within 70 to 90 ms (grey band), the improved flows' about "
        "72 ms (line) and nearly flat.",
    ),
    Figure(
        "P2-F9",
        "Median RTT of two flows",
        _MEANS,
        figures.rows(
            "two",
            "rtt.p50",
            "Median RTT (ms)",
            scale=1e3,
            left=60,
            beyond=_FAR,
            printed=(72, 70, 90),
            readings=True,
        ),
        ("two",),
        printed="Figure 9: 70 to 90 ms, and about 72 ms (grey lines).",
    ),
    Figure(
        "P2-F9-spread",
        "Swing of the queue of two flows",
        "Means over seeds.",
        figures.spread,
        ("two",),
    ),
    Figure(
        "P2-F9-fair",
        "Jain's index of two flows",
        _MEANS,
        figures.rows("two", "jain_index", "Jain's index", left=0.5, readings=True),
        ("two",),
    ),
    Figure(
        "P2-steady",
        "Variation of goodput and RTT",
        f"{_MEANS} Standard deviation over mean of a flow's goodput by the second; RTT from the "
        "queue's 5th percentile to its 95th.",
        extra.steady,
        ("two", "alone-again", "five"),
        printed="Figures 9 to 11, in words: goodput and RTT of the improved flows are steadier.",
    ),
    Figure(
        "P2-F10-curve",
        "Goodput and RTT of one flow when the other leaves",
        "One run each; goodput over a quarter of a second.",
        figures.leave_curve,
        ("two-curve",),
        printed="Figure 10: the second flow stops at 27 s (grey line), and the improved flow has "
        "its bandwidth at least as fast as BBR.",
    ),
    Figure(
        "P2-F10",
        "Goodput of the flow that stays, in the three seconds after",
        _MEANS,
        figures.rows(
            "leave", "rate of the one that stays", "Goodput (Mbit/s)", scale=1e-6, readings=True
        ),
        ("leave",),
    ),
    Figure("P2-F10-probes", "Length of its probes then", _MEANS, extra.probes, ("leave",)),
    Figure(
        "P2-F11-curve",
        "Goodputs and RTT of five flows",
        "One run each; goodputs over a second. Dotted: the fair share.",
        figures.five_curve,
        ("five-curve",),
        printed="Figure 11: improved flows share fairly after about 3 s, BBR's after about 42 s "
        "(grey lines); the improved RTT is near the lower edge of BBR's.",
    ),
    Figure(
        "P2-F11",
        "Time until five flows share fairly",
        f"{_MEANS} {_CENSORED}",
        figures.rows(
            "five",
            "time to fair shares",
            "Time (s)",
            fair_time=True,
            printed=(3, 42),
            readings=True,
        ),
        ("five",),
        printed="Figure 11: about 3 s improved, about 42 s BBR (grey lines).",
    ),
    Figure(
        "P2-F11-roughly",
        "Time until five flows share roughly fairly",
        f"{_MEANS} {_CENSORED}",
        figures.rows(
            "five",
            "time to roughly fair shares",
            "Time (s)",
            fair_time=True,
            printed=(3, 42),
            readings=True,
        ),
        ("five",),
        printed="As Figure 11.",
    ),
    Figure(
        "P2-F11-queue",
        "Median RTT of five flows",
        _MEANS,
        figures.rows(
            "five", "rtt.p50", "Median RTT (ms)", scale=1e3, left=60, beyond=_FAR, readings=True
        ),
        ("five",),
    ),
    Figure(
        "P2-ns3-five",
        "Time until five flows share roughly fairly, with ns-3.35's inputs and without",
        f"{_MEANS} {_CENSORED}",
        figures.rows("ns3-five", "time to roughly fair shares", "Time (s)", fair_time=True),
        ("ns3-five",),
    ),
    Figure(
        "P2-ns3-five-fair",
        "Jain's index of five flows, with ns-3.35's inputs and without",
        f"{_MEANS} Over 60 s; 0.2 is one flow alone.",
        figures.rows("ns3-five", "jain_index", "Jain's index", left=0.2),
        ("ns3-five",),
    ),
    Figure(
        "P2-F13-curve",
        "Pacing gain over time at an RTT of 240 ms",
        "One run each.",
        extra.probe_curve,
        ("long-curve",),
        printed="Figure 13: 43 upward probes with MaxStableDuration in the time in which BBR has "
        "24.",
    ),
    Figure(
        "P2-F13",
        "Upward probes in 60 s at an RTT of 240 ms",
        _MEANS,
        figures.rows("long-path", "upward probes", "Upward probes in 60 s", readings=True),
        ("long-path",),
        printed="Figure 13: 43 against 24, in a time that is not printed.",
    ),
    Figure(
        "P2-rise",
        "Goodput after the link's rate has doubled",
        "One run each, over a quarter of a second; RTT 240 ms.",
        extra.rise_curve,
        ("rise-curve",),
        printed="In words, on Figure 13: with more probes a rise is found and used earlier.",
    ),
    Figure(
        "P2-settings",
        "Median RTT of two flows of bbr-lowlat, by its settings",
        _MEANS,
        figures.rows("settings", "rtt.p50", "Median RTT (ms)", scale=1e3, left=60),
        ("settings",),
    ),
    Figure(
        "P2-settings-varied",
        "Variation of goodput of two flows of bbr-lowlat, by its settings",
        f"{_MEANS} Standard deviation over mean of a flow's goodput by the second.",
        figures.rows("settings", "variation of goodput", "Variation of goodput (%)", scale=100),
        ("settings",),
    ),
    Figure(
        "P2-settings-leave",
        "Goodput of the flow that stays, by its settings",
        _MEANS,
        figures.rows(
            "settings-leave", "rate of the one that stays", "Goodput (Mbit/s)", scale=1e-6
        ),
        ("settings-leave",),
    ),
    Figure(
        "P2-giving",
        "Median RTT of two flows, by how the shrink is given back",
        _MEANS,
        figures.rows("giving", "rtt.p50", "Median RTT (ms)", scale=1e3, left=60, printed=(72,)),
        ("giving",),
        printed="Figure 9: about 72 ms (grey line).",
    ),
    Figure(
        "P2-Q7",
        "Share of the longer flow beside one of 10 ms",
        _MEANS,
        against.draw_far,
        ("rtt-fairness",),
    ),
    Figure(
        "P2-Q8",
        "Share beside one loss-based flow",
        f"{_MEANS} Dotted: Ware et al.'s model of BBR.",
        against.draw_against,
        ("against",),
    ),
)

TABLES = (
    TableOf(
        "P2-ns3-delivered",
        "What one flow has delivered on short paths",
        "ackclock: one run each. ns-3.37 and ns-3.44: measured with these releases, a flow of 10 "
        "Mbit/s and a buffer of 100 packets; ns-3.37 has the faults of ns-3.35, ns-3.44 those of "
        "ns-3.43. Recorded Linux 6.18 has 9.61 Mbit/s at 4 ms and 9.56 at 8 ms throughout.",
        ns3.delivered,
        ("short-curve",),
    ),
)

_OUTSIDE = (
    ("short-path", "One flow of its TcpBbr over 10 Mbit/s and 4 to 40 ms, 100 packets of buffer."),
    ("two", "Two flows of its TcpBbr over 10 Mbit/s and 60 ms, 1000 packets of buffer."),
    ("five", "Five flows of its TcpBbr over 10 Mbit/s and 60 ms, 1000 packets of buffer."),
)

OUTSIDE = tuple(
    Outside(
        release,
        experiment,
        f"{release}-{experiment}.json",
        "tests/theory/ns3/record.py",
        f"{text} Plain BBR, without patches and improvements; an ACK for two segments, seeds "
        f"draw the starts. {which}",
    )
    for release, which in (
        ("ns-3.35", "The paper's own release."),
        ("ns-3.44", "A release with most of the faults mended."),
    )
    for experiment, text in _OUTSIDE
)
STUDY = study(
    [EXPERIMENTS, RECORDINGS, CLAIMS, QUESTIONS, FIGURES, TABLES, READINGS, ITEMS, OUTSIDE],
    name="bbr-latency",
    title="P2 · Reducing BBR's latency",
    paper="Huang, Zhu & Wang, “Reducing BBR's Latency”, about 2022; simulated there with ns-3.35.",
    summary="BBR with a window of one bandwidth-delay product that shrinks by the observed queue, "
    "gentler and more frequent probes, and a bandwidth estimate that does not expire in PROBE_RTT.",
    folder=Path(__file__).parent,
    known=KNOWN,
    choices=CHOICES,
    bibtex="""@misc{huang2022reducing,
  author = {Huang, S. and Zhu, Q. and Wang, J.},
  title  = {Reducing {BBR}'s Latency},
  year   = {2022},
  note   = {About 2022}
}""",
)
"""The study of Huang, Zhu & Wang's paper."""
