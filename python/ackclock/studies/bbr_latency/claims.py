"""What Huang, Zhu & Wang claim, sentence by sentence."""

from __future__ import annotations

from ackclock.studies.bbr_latency import rules
from ackclock.studies.bbr_latency.variants import BASES
from ackclock.studies.claim import Claim
from ackclock.studies.criteria import Change, Level, greater, within
from ackclock.studies.rules import All

__all__ = ["CLAIMS"]

_LINK = 10e6
_WITH = {"bbr": "against plain BBR", "patched": "against BBR with both patches"}
_DELAYED = {"delayed_ack": 2}
_SHORT = [4, 8]
_BOTH = "The paper's “BBR” is read as BBR with both published patches, and as plain BBR; both are judged."
_TIMES = (("fair", "time to fair shares"), ("roughly fair", "time to roughly fair shares"))
_FAIR = (
    "Fair: all goodputs over a second within 20 % of their mean, for 5 s in a row; roughly fair: over three seconds within 30 %, for 3 s. "
    "The paper does not say; both are judged."
)

CLAIMS = (
    Claim(
        "P2-F3",
        "The RTT of one BBR flow with both published patches swings between 60 and 80 ms.",
        paper="Figure 3: RTT between 60 and 80 ms over a path of 60 ms.",
        reading="Smallest and 95th percentile of the RTT after the first PROBE_RTT, each within 5 % of the printed edge.",
        criterion=All(
            (
                ("lower edge", within("one", "rtt.min", 0.060, tolerance=0.05, at={"cc": "patched", **_DELAYED})),
                ("upper edge", within("one", "rtt.p95", 0.080, tolerance=0.05, at={"cc": "patched", **_DELAYED})),
            )
        ),
        figures=("P2-F3",),
    ),
    Claim(
        "P2-F4",
        "After its first expiry, at 10 s, the smallest RTT that BBR knows is longer than the path's.",
        paper="Figures 3 and 4: min_rtt creeps up after 10 s.",
        reading="The smallest RTT sampled from 12 s on is at least 1 ms above the path's 60 ms.",
        criterion=Level("one", "rtt.min", lowest=0.061, at={"cc": "patched", **_DELAYED}),
        why="The first smallest RTT is the handshake's, whose packets are short. In PROBE_RTT four segments are out; a full segment needs "
        "1.2 ms on the link, and an ACK waits for a second one. P2-Q1 acknowledges each segment.",
        figures=("P2-F3",),
    ),
    Claim(
        "P2-F6a",
        "The filters of two flows that probe in turn settle at 0.5556 of the link each, 1.111 together; their rates alternate between "
        "0.4444 and 0.5556.",
        paper="Section on theory and figure 6: m = g / (g + N − 1) with N = 2 and g = 1.25.",
        criterion=rules.FIXED_POINT,
        figures=("P2-F6",),
    ),
    Claim(
        "P2-F6b",
        "From any division of the link the two-flow map converges in about 34 probes.",
        paper="Figure 6: scatter of rates and filters; 34 probes.",
        reading="Converged: both filters within 10 % of where they settle. The paper does not say.",
        criterion=rules.SETTLES,
        why="A pair of probes leaves 0.856 of a small deviation, so that an uneven start needs more pairs than an even one.",
        figures=("P2-F6",),
    ),
    Claim(
        "P2-F6c",
        "The filters of N flows settle at m = g / (g + N − 1), and their sum exceeds the link.",
        paper="The formula; no run with more than two flows is shown for it.",
        reading="Filters within 10 %, on 100 Mbit/s and 60 ms, of 1 to 8 flows: behind half a bandwidth-delay product, where windows do "
        "not limit, and behind ten, as in the paper's experiments.",
        criterion=All((("half a BDP", rules.filters_in("half a BDP")), ("ten BDP", rules.filters_in("ten BDP")))),
        why="In a deep buffer the queue grows until windows of two products hold it; a probe of one smallest RTT is then only half of a "
        "rate sample.",
        figures=("P2-F6-runs",),
    ),
    Claim(
        "P2-bound",
        "At RTTs of 22.2 ms and more PROBE_RTT is too short to expire the bandwidth filter of ten rounds.",
        paper="200 ms / RTT + 1 ≤ 10.",
        criterion=rules.BOUND,
    ),
    Claim(
        "P2-F7",
        "At an RTT of 8 ms BBR's throughput collapses after 10 s.",
        paper="Figure 7: the rate, and the filter with it, falls to nearly nothing.",
        reading="Goodput from 12 s on at most a tenth of the link, for plain BBR and with both patches.",
        criterion=Level("short-path", "goodput", highest=0.1 * _LINK, at={"cc": list(BASES), "rtt_ms": 8}),
        why="The collapse belongs to the paper's simulator: P2-F7b has what ns-3.35 told its BBR, P2-Q12 what of it matters.",
        figures=("P2-F12",),
    ),
    Claim(
        "P2-F12a",
        "At an RTT of 4 ms BBR's throughput is close to nothing after 10 s.",
        paper="Figure 12.",
        reading="As P2-F7.",
        criterion=Level("short-path", "goodput", highest=0.1 * _LINK, at={"cc": list(BASES), "rtt_ms": 4}),
        why="As P2-F7.",
        figures=("P2-F12",),
    ),
    Claim(
        "P2-F7b",
        "With what ns-3.35, the paper's simulator, told its BBR, throughput collapses at RTTs of 8 and 4 ms.",
        paper="Figures 7 and 12.",
        reading="BBR with the faults of ns-3.35 (quirks=ns3.35), plain and with both patches; goodput from 12 s on at most a tenth of "
        "the link.",
        criterion=Level("ns3", "goodput", highest=0.1 * _LINK, at={"inputs": ["ns-3.35", "patched in ns-3.35"], "rtt_ms": _SHORT}),
        why="Up to 3.40 ns-3's rate samples are too low by the time between two ACKs. Where that is more than a quarter of an RTT, a "
        "probe at 5/4 does not make up for it: the estimate falls, and the time between ACKs grows. A queue hides it until PROBE_RTT "
        "takes the queue away, for longer than the filter of ten rounds looks back.",
        figures=("P2-ns3-delivered", "P2-ns3", "P2-F12"),
    ),
    Claim(
        "P2-F12b",
        "The improved BBR keeps the link full at RTTs of 4 and 8 ms.",
        paper="Figure 12: the full rate throughout.",
        reading="Full: busy for at least 95 % of the time from 12 s on, PROBE_RTT's 2 % included.",
        criterion=Level("short-path", "utilisation", lowest=0.95, at={"cc": "lowlat", "rtt_ms": _SHORT}),
        figures=("P2-short", "P2-F12"),
    ),
    Claim(
        "P2-F12c",
        "With what ns-3.35 told its BBR the improved BBR keeps the link full, too.",
        paper="Figure 12: the full rate throughout.",
        reading="As P2-F12b, with the faults of ns-3.35.",
        criterion=Level("ns3", "utilisation", lowest=0.95, at={"inputs": "lowlat in ns-3.35", "rtt_ms": _SHORT}),
        why="Carrying the bandwidth estimate through PROBE_RTT is enough (P2-Q12): then PROBE_RTT does not bring the rate to where samples "
        "lose more than a probe gains. Without the faults it changes nothing (P2-Q4).",
        figures=("P2-ns3", "P2-F12"),
    ),
    Claim(
        "P2-F9a",
        "Two BBR flows have an RTT of 70 to 90 ms.",
        paper="Figure 9: within [70, 90] ms over a path of 60 ms.",
        reading="BBR with both patches. Median within, and 95th percentile at most 90 ms.",
        criterion=All(
            (
                ("median", Level("two", "rtt.p50", lowest=0.070, highest=0.090, at={"cc": "patched"})),
                ("95th percentile", Level("two", "rtt.p95", highest=0.090, at={"cc": "patched"})),
                ("5th percentile of the queue", Level("two", "queue p5", lowest=6.0, at={"cc": "patched"})),
            )
        ),
        why="The RTT swings with the probes to somewhat above 90 ms, and further after each PROBE_RTT.",
        figures=("P2-F9-curve", "P2-F9"),
    ),
    Claim(
        "P2-F9b",
        "Two improved flows have an RTT of about 72 ms.",
        paper="Figure 9.",
        reading="The median, within 5 %.",
        criterion=within("two", "rtt.p50", 0.072, tolerance=0.05, at={"cc": "lowlat"}),
        figures=("P2-F9-curve", "P2-F9"),
    ),
    Claim(
        "P2-F9c",
        "Their RTT is steadier than BBR's.",
        paper="Figure 9: a nearly flat line.",
        reading=f"The queue's 95th less its 5th percentile. {_BOTH}",
        criterion=All(tuple((_WITH[base], rules.SpreadChange("two", "queue p95", "cc", "lowlat", base, highest=0.0)) for base in BASES)),
        figures=("P2-F9-curve", "P2-F9-spread"),
    ),
    Claim(
        "P2-F9d",
        "They share more fairly than BBR's.",
        paper="Figure 9, in words.",
        reading=f"Jain's index of the goodputs from 5 s to 60 s. {_BOTH}",
        criterion=All(tuple((_WITH[base], greater("two", "jain_index", "cc", "lowlat", base)) for base in BASES)),
        why="The shares of two flows are all but equal with and without the improvements; the shrink alone makes them less so.",
        figures=("P2-F9-fair",),
    ),
    Claim(
        "P2-F10",
        "When one of two flows leaves, the other takes the freed bandwidth at least as fast with the improvements as without.",
        paper="Figure 10: the second flow stops at 27 s.",
        reading=f"Goodput of the flow that stays, in the three seconds after; at most 1 % less. {_BOTH}",
        criterion=All(
            tuple((_WITH[base], Change("leave", "rate of the one that stays", "cc", "lowlat", base, lowest=-0.01)) for base in BASES)
        ),
        why="The shrink: alone it costs speed, a window of one product alone does not (P2-Q3). What it took for two flows is given back "
        "in 30 round trips; given back at once, the flow is faster (P2-Q6).",
        figures=("P2-F10-curve", "P2-F10"),
    ),
    Claim(
        "P2-F11a",
        "Five improved flows reach fair shares in about 3 s.",
        paper="Figure 11: about 3 s.",
        reading=f"About: at most 4.5 s. {_FAIR}",
        criterion=All(tuple((name, rules.FairTime("five", when, highest=4.5, at={"cc": "lowlat"})) for name, when in _TIMES)),
        why="Their shares swing. The shrink does it: alone it keeps plain BBR from fair shares, while the gains alone bring them sooner "
        "(P2-Q5).",
        figures=("P2-F11-curve", "P2-F11", "P2-F11-roughly"),
    ),
    Claim(
        "P2-F11b",
        "Five BBR flows reach fair shares in about 42 s, 13 times as long.",
        paper="Figure 11: about 42 s against about 3 s.",
        reading=f"About: 21 to 63 s; and the improved ones in a fifth of the time or less. {_FAIR} {_BOTH}",
        criterion=All(
            tuple(
                part
                for name, when in _TIMES
                for base in BASES
                for part in (
                    (f"{base}, {name}", rules.FairTime("five", when, lowest=21.0, highest=63.0, at={"cc": base})),
                    (f"improved {_WITH[base]}, {name}", rules.FairTimeChange("five", when, "cc", "lowlat", base, highest=-0.8)),
                )
            )
        ),
        why="The patches make shares fair later (P2-Q5); plain BBR is soon fair. The faults of ns-3.35 do not explain the paper's times "
        "(P2-Q13).",
        figures=("P2-F11-curve", "P2-F11", "P2-F11-roughly"),
    ),
    Claim(
        "P2-F11c",
        "The RTT of five improved flows is near the lower edge of BBR's.",
        paper="Figure 11.",
        reading="The improved flows' median RTT within 10 % of BBR's with its queue at the 5th percentile. " + _BOTH,
        criterion=All(
            tuple((_WITH[base], rules.EdgeChange("five", "queue p50", "cc", "lowlat", base, lowest=-0.1, highest=0.1)) for base in BASES)
        ),
        why="It is well below that edge: the improvement is larger than claimed.",
        figures=("P2-F11-queue",),
    ),
    Claim(
        "P2-F13a",
        "At an RTT of 240 ms the improved BBR probes upward more often.",
        paper="Figure 13: 43 against 24 probes in the same time.",
        reading=f"MaxStableDuration 400 ms; 60 s. {_BOTH}",
        criterion=All(tuple((_WITH[base], greater("long-path", "upward probes", "cc", "lowlat", base)) for base in BASES)),
        figures=("P2-F13",),
    ),
    Claim(
        "P2-F13b",
        "It probes 43 / 24 = 1.8 times as often.",
        paper="Figure 13.",
        reading="The time is not printed, so that only the ratio can be held against it: 1.8 within 20 %. The shorter cycle alone is "
        "judged too, and both bases.",
        criterion=All(
            tuple(
                (
                    f"{value}, {_WITH[base]}",
                    Change("long-path", "upward probes", "cc", value, base, lowest=0.8 * 43 / 24 - 1, highest=1.2 * 43 / 24 - 1),
                )
                for value in ("lowlat", "short cycle")
                for base in BASES
            )
        ),
        why="A cycle of plain BBR is eight RTTs, of which 400 ms leave 1.7 in place of six. Of the rest the gains alone add "
        "a little and the patches alone nothing (P2-Q11); all together probe more often than the shorter cycle alone.",
        figures=("P2-F13",),
    ),
)
