"""Claims of Huang, Zhu & Wang, sentence by sentence."""

import math

from ackclock.studies.claim import Criterion
from ackclock.studies.criteria import Change, Level, Quantile, Ratio, greater, less, within
from ackclock_papers.bbr_latency import operating, rules
from ackclock_papers.bbr_latency.variants import BASES
from ackclock_papers.builders import across, claim, every

_LINK = 10e6
_PAYLOAD = 1448 / 1500
_WITH = {"bbr": "against plain BBR", "patched": "against BBR with both patches"}
_DELAYED = {"delayed_ack": 2}
_SHORT = [4, 8]
_BOTH = (
    "The paper's “BBR” is read as BBR with both published patches, and as plain BBR; both are "
    "judged."
)
_FAIR = (
    "Fair: all goodputs over a second within 20 % of their mean, for 5 s in a row; roughly fair: "
    "over three seconds within 30 %, for 3 s. The paper does not say; both are judged, by the "
    "median over seeds and by the mean, in which a run that never gets there counts as its 60 s."
)
_TIMES = (("fair", "time to fair shares"), ("roughly fair", "time to roughly fair shares"))
_STAYS = "rate of the one that stays"
_VARIATION = "variation of goodput"
_SINCE_MENDED = (
    "The release's BBR is plain, and has its faults: rate samples that are too low by the time "
    "between two ACKs (until 3.40), the last sample counted again, no 1 % below the estimate "
    "(until 3.41), the smoothed RTT (until 3.42), full samples of PROBE_RTT's dip (until 3.44). "
    "P2-Q12 tells which of them makes the collapse."
)


def _fair_within(cc: str, lowest: float, highest: float) -> dict[str, Criterion]:
    """Times until shares are fair, by both definitions, as mean and median."""
    return across(
        _TIMES,
        lambda name, when: {
            f"{cc}, {name}, median": Quantile(
                "five", when, 0.5, lowest, highest, {"cc": cc}, censored_at=rules.FIVE_S
            ),
            f"{cc}, {name}, mean": Level(
                "five", when, lowest, highest, {"cc": cc}, censored_at=rules.FIVE_S
            ),
        },
    )


CLAIMS = (
    claim(
        "P2-F1a",
        "Up to a bandwidth-delay product in flight the rate grows and the RTT stays; from there "
        "(point A) until the buffer is full (point B) the RTT grows and the rate stays.",
        paper="Figure 1: Kleinrock's operating point A, and B, where loss-based algorithms work.",
        reading="A window that never changes, of 12 to 290 packets; a product is 51 packets, the "
        "buffer holds 250. Goodput and median RTT within 3 % of the two lines.",
        criterion=operating.LINES,
        figures=("P2-F1",),
    ),
    claim(
        "P2-F1b",
        "Packets are lost beyond B, and none before it.",
        paper="Figure 1.",
        reading="Windows of 350 and 400 packets lose more than one packet in 100,000, windows of "
        "up to 290 none.",
        criterion=operating.LOSSES,
        figures=("P2-F1",),
    ),
    claim(
        "P2-F1c",
        "A loss-based algorithm works near B, BBR near A.",
        paper="Figure 1 and the text on it.",
        reading="Near A: a median RTT of at most 1.5 times the path's; near B: of at least two "
        "thirds of B's, which Reno's saw reaches at its top only. One flow, a buffer of five "
        "products.",
        criterion={
            "BBR near A": Level(
                "points", "rtt.p50", highest=1.5 * rules.RTT_S, at={"cc": list(BASES)}
            ),
            "loss-based near B": Level(
                "points", "rtt.p50", lowest=operating.RTT_AT_B * 2 / 3, at={"cc": ["reno", "cubic"]}
            ),
        },
        figures=("P2-F1",),
    ),
    claim(
        "P2-cliff",
        "BBR tolerates random loss of up to 20 % and collapses beyond it.",
        paper="Section on BBR: the loss cliff at 20 %, which is 1 − 1/1.25.",
        reading="Tolerates: at up to 15 % at least four fifths of what the link can deliver after "
        "the loss. Collapses: at 25 % and more at most three tenths of it. BBR as it was "
        "published, without Linux's search for policers, and with it.",
        criterion=across(
            (("as published", "no policers"), ("as in Linux", "bbr")),
            lambda name, cc: {
                f"{name}, up to 15 %": every(
                    {
                        f"{100 * loss:g} %": Level(
                            "loss",
                            "goodput",
                            lowest=0.8 * _PAYLOAD * _LINK * (1 - loss),
                            at={"cc": cc, "loss": loss},
                        )
                        for loss in (0.01, 0.05, 0.1, 0.15)
                    }
                ),
                f"{name}, from 25 %": Level(
                    "loss",
                    "goodput",
                    highest=0.3 * _PAYLOAD * _LINK * 0.7,
                    at={"cc": cc, "loss": [0.25, 0.3]},
                ),
            },
        ),
        why="Above 20 % a probe at 5/4 measures less than the estimate that it is made with. "
        "Linux's search for policers takes 50 lost of 256 delivered for one, which is 16.3 % of "
        "what is sent, and on short stretches chance makes it less.",
        figures=("P2-cliff",),
    ),
    claim(
        "P2-several",
        "Several BBR flows queue 1 to 1.5 round-trip times.",
        paper="Section on related work, its reference 12.",
        reading="Mean queueing delay of 2 to 12 plain flows, of the path's 60 ms; at 10 Mbit/s, "
        "and at 50.",
        criterion=Level(
            "several",
            "queue_delay.mean",
            lowest=0.060,
            highest=0.090,
            at={"cc": "bbr", "flow_count": [2, 3, 5, 8, 12]},
        ),
        why="The windows are two products of each flow's estimates: since the sum of the filters "
        "exceeds the link, the queue exceeds one product. At 10 Mbit/s every flow adds its bursts "
        "of two packets, and more of them more.",
        figures=("P2-several",),
    ),
    claim(
        "P2-drain",
        "Draining to the target lowers the queueing time by 40 % or more.",
        paper="Section on BBR's improvements: Google's patch of 2018.",
        reading="Mean queueing delay of two flows and of five, drain to target against plain BBR; "
        "a single flow hardly queues.",
        criterion={
            f"{name} flows": less(experiment, "queue_delay.mean", "cc", "drain", "bbr", by=0.4)
            for name, experiment in (("two", "two"), ("five", "five"))
        },
        figures=("P2-patches",),
    ),
    claim(
        "P2-early",
        "Leaving the probe early lowers the queueing time by about a further 10 %.",
        paper="Section on BBR's improvements, its reference 17.",
        reading="Both patches against drain to target alone, 5 to 15 % less: of the queue that "
        "drain to target leaves, or of plain BBR's, as the 40 % are; both are judged.",
        criterion=across(
            (("two", "two"), ("five", "five")),
            lambda name, experiment: {
                f"{name} flows, of the remainder": Change(
                    experiment,
                    "queue_delay.mean",
                    "cc",
                    "patched",
                    "drain",
                    lowest=-0.15,
                    highest=-0.05,
                ),
                f"{name} flows, of plain BBR's": rules.FurtherChange(
                    experiment,
                    "queue_delay.mean",
                    "cc",
                    "patched",
                    "bbr",
                    lowest=-0.15,
                    highest=-0.05,
                    before="drain",
                ),
            },
        ),
        figures=("P2-patches",),
    ),
    claim(
        "P2-acks",
        "A window of one product bears receivers that send an ACK for every four packets.",
        paper="Section on cwnd_gain = 1: an ACK for every four packets.",
        reading="Bears: the link is busy for at least 95 % of the time, at RTTs of 20 and 60 ms; "
        "the gains alone, and all improvements.",
        criterion={
            name: Level("acks", "utilisation", lowest=0.95, at={"cc": cc, "delayed_ack": 4})
            for name, cc in (("gains alone", "gains"), ("all", "lowlat"))
        },
        figures=("P2-acks",),
    ),
    claim(
        "P2-F3",
        "The RTT of one BBR flow with both published patches swings between 60 and 80 ms.",
        paper="Figure 3: RTT between 60 and 80 ms over a path of 60 ms.",
        reading="After the first PROBE_RTT: the smallest RTT, that with the queue at its 5th "
        "percentile, and the 95th percentile, each within 5 % of the printed edge. The smallest "
        "alone would be PROBE_RTT's.",
        criterion={
            "smallest": within(
                "one", "rtt.min", 0.060, tolerance=0.05, at={"cc": "patched", **_DELAYED}
            ),
            "5th percentile": rules.RoundTrip(
                "one",
                "queue p5",
                0.95 * 0.060,
                1.05 * 0.060,
                {"cc": "patched", **_DELAYED},
                "packets",
            ),
            "95th percentile": within(
                "one", "rtt.p95", 0.080, tolerance=0.05, at={"cc": "patched", **_DELAYED}
            ),
        },
        why="Between two PROBE_RTTs the queue does not empty: the smallest RTT that the flow knows "
        "is longer than the path's (P2-F4), and so is the product that a phase at 3/4 drains to.",
        figures=("P2-F3",),
    ),
    claim(
        "P2-F4",
        "After its first expiry, at 10 s, the smallest RTT that BBR knows is longer than the "
        "path's, and it creeps up with each further one.",
        paper="Figures 3 and 4: min_rtt creeps up after 10 s.",
        reading="The smallest RTT sampled from 12 s on is at least 1 ms above the path's 60 ms; "
        "and that of the ten seconds from 50 s on is longer than that of the ten from 10 s on.",
        criterion={
            "longer": Level("one", "rtt.min", lowest=0.061, at={"cc": "patched", **_DELAYED}),
            "creeps up": greater("creep", "rtt.min", "since", 50, 10, at={"cc": "patched"}),
        },
        why="The first smallest RTT is the handshake's, whose packets are short. In PROBE_RTT four "
        "segments are out; a full segment needs 1.2 ms on the link, and an ACK waits for a second "
        "one. Four segments are four at each expiry, so that nothing grows further. P2-Q1 "
        "acknowledges each segment.",
        figures=("P2-F3", "P2-F4"),
    ),
    claim(
        "P2-F6a",
        "The filters of two flows that probe in turn settle at 0.5556 of the link each, 1.111 "
        "together; their rates alternate between 0.4444 and 0.5556.",
        paper="Section on theory and figure 6: m = g / (g + N − 1) with N = 2 and g = 1.25.",
        criterion=rules.fixed_point,
        figures=("P2-F6",),
    ),
    claim(
        "P2-F6b",
        "From any division of the link the two-flow map converges in about 34 probes.",
        paper="Figure 6: scatter of rates and filters; 34 probes.",
        reading="Converged: both filters within 10 % of where they settle. The paper does not say.",
        criterion=rules.settles,
        why="A pair of probes leaves 0.856 of a small deviation, so that an uneven start needs "
        "more pairs than an even one.",
        figures=("P2-F6",),
    ),
    claim(
        "P2-F6c",
        "The filters of N flows settle at m = g / (g + N − 1), and their sum exceeds the link.",
        paper="The formula; no run with more than two flows is shown for it.",
        reading="Filters within 10 %, and what their sum has above the link within 25 %; on 100 "
        "Mbit/s and 60 ms, of 1 to 8 flows: behind half a bandwidth-delay product, where windows "
        "do not limit, and behind ten, as in the paper's experiments.",
        criterion=across(
            ("half a BDP", "ten BDP"),
            lambda buffer: {
                f"{buffer}, filters": rules.filters_in(buffer),
                f"{buffer}, excess": rules.excess_in(buffer),
            },
        ),
        why="The filters are a few per cent low, and what their sum has above the link is a small "
        "difference of large figures. In a deep buffer the queue grows until windows of two "
        "products hold it; a probe of one smallest RTT is then only half of a rate sample.",
        figures=("P2-F6-runs",),
    ),
    claim(
        "P2-bound",
        "At RTTs of 22.2 ms and more PROBE_RTT is too short to expire the bandwidth filter of ten "
        "rounds.",
        paper="200 ms / RTT + 1 ≤ 10.",
        criterion=rules.bound,
    ),
    claim(
        "P2-F7",
        "At an RTT of 8 ms BBR's throughput collapses after 10 s.",
        paper="Figure 7: the rate, and the filter with it, falls to nearly nothing.",
        reading="Goodput from 12 s on at most a tenth of the link, for plain BBR and with both "
        "patches.",
        criterion=Level(
            "short-path", "goodput", highest=0.1 * _LINK, at={"cc": list(BASES), "rtt_ms": 8}
        ),
        why="The collapse belongs to the paper's simulator: P2-F7b uses the inputs of ns-3.35's "
        "BBR, and P2-Q12 finds those that matter.",
        differs=_SINCE_MENDED,
        figures=("P2-F12",),
    ),
    claim(
        "P2-F12a",
        "At an RTT of 4 ms BBR's throughput is close to nothing after 10 s.",
        paper="Figure 12.",
        reading="As P2-F7.",
        criterion=Level(
            "short-path", "goodput", highest=0.1 * _LINK, at={"cc": list(BASES), "rtt_ms": 4}
        ),
        why="As P2-F7.",
        differs=_SINCE_MENDED,
        figures=("P2-F12",),
    ),
    claim(
        "P2-F7b",
        "With the inputs that ns-3.35, the paper's simulator, gave its BBR, throughput collapses "
        "at RTTs of 8 and 4 ms.",
        paper="Figures 7 and 12.",
        reading="BBR with the faults of ns-3.35 (quirks=ns3.35), plain and with both patches; "
        "goodput from 12 s on at most a tenth of the link.",
        criterion=Level(
            "ns3",
            "goodput",
            highest=0.1 * _LINK,
            at={"inputs": ["ns-3.35", "patched in ns-3.35"], "rtt_ms": _SHORT},
        ),
        why="Up to 3.40 ns-3's rate samples are too low by the time between two ACKs. Where that "
        "is more than a quarter of an RTT, a probe at 5/4 does not make up for it: the estimate "
        "falls, and the time between ACKs grows. A queue hides it until PROBE_RTT takes the queue "
        "away, for longer than the filter of ten rounds looks back.",
        figures=("P2-ns3-delivered", "P2-ns3", "P2-F12"),
    ),
    claim(
        "P2-F12b",
        "The improved BBR keeps the link full at RTTs of 4 and 8 ms.",
        paper="Figure 12: the full rate throughout.",
        reading="Full: busy for at least 95 % of the time from 12 s on, PROBE_RTT's 2 % included.",
        criterion=Level(
            "short-path", "utilisation", lowest=0.95, at={"cc": "lowlat", "rtt_ms": _SHORT}
        ),
        figures=("P2-short", "P2-F12"),
    ),
    claim(
        "P2-F12c",
        "With the inputs of ns-3.35 the improved BBR keeps the link full, too.",
        paper="Figure 12: the full rate throughout.",
        reading="As P2-F12b, with the faults of ns-3.35.",
        criterion=Level(
            "ns3", "utilisation", lowest=0.95, at={"inputs": "lowlat in ns-3.35", "rtt_ms": _SHORT}
        ),
        why="Carrying the bandwidth estimate through PROBE_RTT is enough (P2-Q12): then PROBE_RTT "
        "does not bring the rate to where samples lose more than a probe gains. Without the faults "
        "it changes nothing (P2-Q4).",
        figures=("P2-ns3", "P2-F12"),
    ),
    claim(
        "P2-F9a",
        "Two BBR flows have an RTT of 70 to 90 ms.",
        paper="Figure 9: within [70, 90] ms over a path of 60 ms.",
        reading=f"From the queue's 5th percentile to the 95th of the RTT, and the median. {_BOTH}",
        criterion=across(
            BASES,
            lambda base: {
                f"{base}, median": Level(
                    "two", "rtt.p50", lowest=0.070, highest=0.090, at={"cc": base}
                ),
                f"{base}, 95th percentile": Level("two", "rtt.p95", highest=0.090, at={"cc": base}),
                f"{base}, 5th percentile": rules.RoundTrip(
                    "two", "queue p5", lowest=0.070, at={"cc": base}, unit="packets"
                ),
            },
        ),
        why="Without drain to target the queue of two flows is a whole product long; the figure is "
        "of BBR with the patches. Their RTT swings with the probes to somewhat above 90 ms, and "
        "further after each PROBE_RTT.",
        differs="ns-3 does not differ where it has runs: plain BBR of the paper's release has as "
        "long a queue. {_SINCE_MENDED}",
        figures=("P2-F9-curve", "P2-F9"),
    ),
    claim(
        "P2-F9b",
        "Two improved flows have an RTT of about 72 ms.",
        paper="Figure 9.",
        reading="The median, within 5 %.",
        criterion=within("two", "rtt.p50", 0.072, tolerance=0.05, at={"cc": "lowlat"}),
        why="Where nothing is given back, the shrink grows whenever a delay passes the bound and "
        "keeps the queue below it afterwards. Given back slowly, it holds the delay at the bound; "
        "at once, it has to be built up again after each phase without delay.",
        figures=("P2-F9-curve", "P2-F9"),
    ),
    claim(
        "P2-F9c",
        "The RTT of two improved flows is steadier than BBR's.",
        paper="Figure 9: a nearly flat line.",
        reading=f"The queue's 95th percentile less its 5th. {_BOTH}",
        criterion={
            _WITH[base]: rules.SpreadChange("two", "queue p95", "cc", "lowlat", base, highest=0.0)
            for base in BASES
        },
        figures=("P2-F9-curve", "P2-F9-spread"),
    ),
    claim(
        "P2-F9d",
        "Two improved flows share more fairly than BBR's.",
        paper="Figure 9, in words.",
        reading=f"Jain's index of the goodputs from 5 s to 60 s. {_BOTH}",
        criterion={
            _WITH[base]: greater("two", "jain_index", "cc", "lowlat", base) for base in BASES
        },
        why="A shrink that is never given back stays with its flow: the flow that shrank first is "
        "left with less. Given back, shares are nearly equal, as BBR's are without the "
        "improvements.",
        figures=("P2-F9-fair",),
    ),
    claim(
        "P2-F9e",
        "The goodput of two improved flows is steadier than BBR's.",
        paper="Figure 9, in words.",
        reading="Standard deviation over mean of a flow's goodput by the second, from 5 s to 60 s. "
        f"{_BOTH}",
        criterion={_WITH[base]: less("two", _VARIATION, "cc", "lowlat", base) for base in BASES},
        figures=("P2-steady",),
    ),
    claim(
        "P2-F10",
        "When one of two flows leaves, the other takes the freed bandwidth at least as fast with "
        "the improvements as without.",
        paper="Figure 10: the second flow stops at 27 s.",
        reading="Goodput of the flow that stays, in the three seconds after; at most 1 % less. "
        f"{_BOTH}",
        criterion={
            _WITH[base]: Change("leave", _STAYS, "cc", "lowlat", base, lowest=-0.01)
            for base in BASES
        },
        why="The shrink: alone it costs speed, a window of one product alone does not (P2-Q3). "
        "What it took for two flows stays until it is given back.",
        figures=("P2-F10-curve", "P2-F10"),
    ),
    claim(
        "P2-F10b",
        "The reason: a probing phase of the improved flow lasts longer.",
        paper="The text on figure 10.",
        reading="Mean length of the spans with a pacing gain above 1 in the three seconds after "
        f"the departure. {_BOTH}",
        criterion={
            _WITH[base]: greater("leave", "length of a probe", "cc", "lowlat", base)
            for base in BASES
        },
        why="A window of one product and the hosts' share is full before 6/5 of a product are out, "
        "so that such a probe lasts a smallest RTT; that of BBR lasts until 5/4 are out, which "
        "takes more than a smallest RTT where the bandwidth has grown.",
        figures=("P2-F10-probes",),
    ),
    claim(
        "P2-F10c",
        "Before and after the departure the improved flows' goodput and RTT are steadier.",
        paper="Figure 10, in words.",
        reading="Before: two flows from 5 s on (P2-F9c and F9e have the same runs). After: the "
        "flow that stays, from three seconds after the departure on. The queue's 95th less its 5th "
        f"percentile; variation of goodput by the second. {_BOTH}",
        criterion=across(
            BASES,
            lambda base: {
                f"before, RTT, {_WITH[base]}": rules.SpreadChange(
                    "two", "queue p95", "cc", "lowlat", base, highest=0.0
                ),
                f"before, goodput, {_WITH[base]}": less("two", _VARIATION, "cc", "lowlat", base),
                f"after, RTT, {_WITH[base]}": rules.SpreadChange(
                    "alone-again", "queue p95", "cc", "lowlat", base, highest=0.0
                ),
                f"after, goodput, {_WITH[base]}": less(
                    "alone-again", _VARIATION, "cc", "lowlat", base
                ),
            },
        ),
        figures=("P2-steady", "P2-F10-curve"),
    ),
    claim(
        "P2-F11a",
        "Five improved flows reach fair shares in about 3 s.",
        paper="Figure 11: about 3 s.",
        reading=f"About: at most 4.5 s. {_FAIR}",
        criterion=_fair_within("lowlat", -math.inf, 4.5),
        why="Their shares swing, or stay unequal. The shrink does it: alone it keeps plain BBR "
        "from fair shares, while the gains alone bring them sooner (P2-Q5).",
        figures=("P2-F11-curve", "P2-F11", "P2-F11-roughly"),
    ),
    claim(
        "P2-F11b",
        "Five BBR flows reach fair shares in about 42 s.",
        paper="Figure 11: about 42 s.",
        reading=f"About: 21 to 63 s, which includes a run that never does. {_FAIR} {_BOTH}",
        criterion=across(BASES, lambda base: _fair_within(base, 21.0, 63.0)),
        why="The patches make shares fair later (P2-Q5); plain BBR is soon fair. The faults of "
        "ns-3.35 do not explain the paper's times (P2-Q13).",
        differs=_SINCE_MENDED,
        figures=("P2-F11-curve", "P2-F11", "P2-F11-roughly"),
    ),
    claim(
        "P2-F11e",
        "Five BBR flows take 13 times as long as improved ones until shares are fair.",
        paper="Figure 11: about 42 s against about 3 s.",
        reading=f"Ratio of the means, within 30 % of 13. {_FAIR} {_BOTH}",
        criterion={
            f"{base}, {name}": Ratio(
                "five",
                when,
                "cc",
                base,
                "lowlat",
                lowest=0.7 * 13,
                highest=1.3 * 13,
                censored_at=rules.FIVE_S,
            )
            for name, when in _TIMES
            for base in BASES
        },
        why="As P2-F11a and F11b.",
        figures=("P2-F11", "P2-F11-roughly"),
    ),
    claim(
        "P2-F11c",
        "The RTT of five improved flows is near the lower edge of BBR's.",
        paper="Figure 11.",
        reading="Or below it: the improved flows' median RTT is at most 10 % above BBR's with its "
        "queue at the 5th percentile. " + _BOTH,
        criterion={
            _WITH[base]: rules.EdgeChange("five", "queue p50", "cc", "lowlat", base, highest=0.1)
            for base in BASES
        },
        figures=("P2-F11-queue",),
    ),
    claim(
        "P2-F11d",
        "Goodput and RTT of five improved flows are steadier than BBR's.",
        paper="Figure 11, in words.",
        reading=f"As P2-F9c and F9e, over the whole minute. {_BOTH}",
        criterion=across(
            BASES,
            lambda base: {
                f"RTT, {_WITH[base]}": rules.SpreadChange(
                    "five", "queue p95", "cc", "lowlat", base, highest=0.0
                ),
                f"goodput, {_WITH[base]}": less("five", _VARIATION, "cc", "lowlat", base),
            },
        ),
        figures=("P2-steady", "P2-F11-curve"),
    ),
    claim(
        "P2-F13a",
        "At an RTT of 240 ms the improved BBR probes upward more often.",
        paper="Figure 13: 43 against 24 probes in the same time.",
        reading=f"MaxStableDuration 400 ms; 60 s. {_BOTH}",
        criterion={
            _WITH[base]: greater("long-path", "upward probes", "cc", "lowlat", base)
            for base in BASES
        },
        figures=("P2-F13-curve", "P2-F13"),
    ),
    claim(
        "P2-F13b",
        "At an RTT of 240 ms the improved BBR probes 43 / 24 = 1.8 times as often.",
        paper="Figure 13.",
        reading="The time is not printed, so that only the ratio can be judged: 1.8 within 20 %. "
        "The shorter cycle alone is judged too, and both bases.",
        criterion={
            f"{value}, {_WITH[base]}": Ratio(
                "long-path",
                "upward probes",
                "cc",
                value,
                base,
                lowest=0.8 * 43 / 24,
                highest=1.2 * 43 / 24,
            )
            for value in ("lowlat", "400 ms alone")
            for base in BASES
        },
        why="A cycle of plain BBR is eight RTTs. Looked at where a phase ends, 400 ms leave two "
        "phases at gain 1 in place of six; cut at any ACK, 1.7. The gains alone add a little more, "
        "and the patches alone nothing (P2-Q11).",
        figures=("P2-F13-curve", "P2-F13"),
    ),
    claim(
        "P2-F13c",
        "The purpose of more probes: a rise of the link's rate is found and used earlier.",
        paper="The text on figure 13.",
        reading="RTT 240 ms; the link goes from 10 to 20 Mbit/s. Goodput in the ten seconds after. "
        f"The shorter cycle alone is judged too. {_BOTH}",
        criterion={
            f"{value}, {_WITH[base]}": greater("rise", "goodput", "cc", value, base)
            for value in ("lowlat", "400 ms alone")
            for base in BASES
        },
        why="More probes find it sooner, but a probe at 6/5 finds less of it than one at 5/4, and "
        "a window of one product less its shrink carries less.",
        figures=("P2-rise",),
    ),
    claim(
        "P2-lower",
        "A lower delay_lower_bound and a lower cwnd_pace lower the delay further and make the rate "
        "less steady.",
        paper="Section on the parameters: 10 ms and 30 by default.",
        reading="Two flows; a bound of 2 and 5 ms, a pace of 5 and 10 round trips, each against "
        "the default. Median RTT, and variation of goodput by the second.",
        criterion=across(
            ("bound 2 ms", "bound 5 ms", "pace 5", "pace 10"),
            lambda label: {
                f"{label}, delay": less("settings", "rtt.p50", "variant", label, "default"),
                f"{label}, steadiness": greater(
                    "settings", _VARIATION, "variant", label, "default"
                ),
            },
        ),
        figures=("P2-settings",),
    ),
)
