"""What Phạm & Lê claim, sentence by sentence."""

from __future__ import annotations

from ackclock.studies.claim import Claim
from ackclock.studies.criteria import greater, less
from ackclock.studies.rules import All
from ackclock.studies.tcp_criteria import recovery, response, signals, stability, times

__all__ = ["CLAIMS"]

_SCALABLE = ("cc", "scalable", "reno")


def _varies(name: str, experiment: str, response: str) -> tuple[tuple[str, times.ByRow], ...]:
    """A run's variation against print and against the formula."""
    return tuple(
        (f"{name}, against {source}", times.ByRow(experiment, response, "variation", 0.1, formula=formula, words="variation"))
        for source, formula in (("print", False), ("the formula", True))
    )


CLAIMS = (
    Claim(
        "P4-T1a",
        "After one loss classic TCP needs a time that grows with the square of the round-trip time and with the rate: from 1.7 s to 4 h "
        "43 min.",
        paper="Table 1: RTT 200 ms, 1500 bytes; 1 Mbit/s 17 packets 1.7 s; 10 Mbit/s 170, 17 s; 100 Mbit/s 1700, 2 min 50 s; 1 Gbit/s "
        "17,000, 28 min; 10 Gbit/s 170,000, 4 h 43 min.",
        reading="Windows are printed to two digits: 166,667 is 170,000.",
        criterion=All((("formula", recovery.FORMULA), ("run", recovery.CLASSIC))),
        why="A run takes 0.7 s, three to four round trips, more than the formula at each rate, which leaves out that the loss must be "
        "noticed and repaired: less than 1 % at 100 Mbit/s, nearly a third of the whole at 1 Mbit/s.",
        figures=("P4-T1",),
    ),
    Claim(
        "P4-T1b",
        "Scalable TCP's recovery takes the same time at every rate.",
        paper="log(1 − b)/log(1 + a) round trips: 13.4 of them, 2.7 s at 200 ms.",
        reading="From 10 Mbit/s on; at 1 Mbit/s the window is at the limit below which Scalable TCP follows Reno's rules.",
        criterion=All((("the same at every rate", recovery.SAME), ("as the formula", recovery.SCALABLE))),
        why="The formula leaves out that the loss must be noticed and repaired: one round trip at 1 Gbit/s, with rounding to whole "
        "packets two at 10 Mbit/s.",
        figures=("P4-T1",),
    ),
    Claim(
        "P4-F1a",
        "The classic response curve falls as the square root of the loss rate, Scalable TCP's as the loss rate itself.",
        paper="Figure 1: window against signalling rate, classic and Scalable, in logarithms.",
        reading="Losses by chance, on a path that the window does not fill.",
        criterion=All((("classic", response.slope("reno", -0.5, 0.05)), ("Scalable", response.slope("scalable", -1.0, 0.1)))),
        figures=("P4-F1",),
    ),
    Claim(
        "P4-F1b",
        "Windows of runs follow the formulas of the response curves.",
        paper="Figure 1 is drawn from the formulas.",
        reading="Of the other controls the formulas are those of their own specifications, for losses by chance. Vegas and BBR have "
        "none: their windows are drawn from runs alone.",
        criterion=All(tuple((cc, response.follows(cc, 0.15)) for cc in response.FORMULAS)),
        why="Scalable TCP counts in whole packets: its cut is rounded up, and growth short of a packet is forgotten at a loss, together "
        "one of the eight packets that a cut takes at p = 0.1 %. HighSpeed's formula is that of losses at even distances.",
        figures=("P4-F1",),
    ),
    Claim(
        "P4-F1c",
        "Bandwidth divides by the response curves: beside Scalable TCP a classic flow has less than beside another classic one.",
        paper="Figure 1: where losses are rare, Scalable's curve lies above the classic one.",
        reading="One flow of each over 100 Mbit/s and 100 ms, half a bandwidth-delay product of buffer. An interval that ends below −100 "
        "% has the spread of the classic pair's own shares in it.",
        criterion=less("beside", "reno_goodput", "beside", "scalable", "reno"),
        figures=("P4-beside",),
    ),
    Claim(
        "P4-T2a",
        "T½, T2 and the rate variation of Scalable TCP follow from a and b alone, as in table 2.",
        paper="Table 2, 120 ms, for b = 0.5, 0.25, 0.125, 0.0625 (a = 0.04 ... 0.005): T½ 0.12, 0.2892, 0.6228, 1.2084; T2 2.124, 4.2, "
        "8.364, 16.68; variation 0.72, 0.502, 0.354, 0.257.",
        reading="T½ = RTT ln ½ / ln(1 − b), T2 = RTT ln 2 / ln(1 + a), printed as ms and meant as s. The variation is held against that "
        "of Scalable's window under independent losses, √(−ln(1 − b)/b − 1); the paper gives no formula.",
        criterion=All(
            (
                ("T½", times.printed("halving", "T½ by formula", 0.02)),
                ("T2", times.printed("doubling", "T2 by formula", 0.02)),
                ("variation", times.printed("variation", "variation by formula", 0.1)),
            )
        ),
        why="The last T½ is printed with two digits exchanged: 1.2084 for 1.2888. The variation is printed as about √b, √2 more than one "
        "flow has; it is what the difference of two independent flows has over the mean of one.",
        figures=("P4-T2", "P4-T2-table"),
    ),
    Claim(
        "P4-T2b",
        "In a run, when congestion begins, six Scalable flows halve their windows within T½.",
        paper="Table 2, six servers, 2.4 Gbit/s, 120 ms: T½ 0.12 to 1.2 s.",
        reading="Congestion begins as three quarters of the rate go; from there to half the window, mean over the flows.",
        criterion=All(
            (
                ("one flow, a loss in each round trip", signals.HALVING),
                ("six flows, a fall of the rate", times.ByRow("steps", "halving_time", "halving", 0.1, formula=True, words="T½")),
            )
        ),
        why="The formula supposes that each flow loses once in each round trip, and holds where it does. After a fall of the rate T½ is "
        "about half a second or more whatever b (P4-T2-table): a queue fills first and a loss is noticed a round trip later. With the "
        "smallest b its mean is below the formula's, though not clearly: while losses are repaired, a window is held to what still "
        "arrives, a quarter, which is less than cuts of 6 % make of it.",
        figures=("P4-T2", "P4-T2-table"),
    ),
    Claim(
        "P4-T2c",
        "When congestion ends, they double their windows within T2.",
        paper="Table 2: T2 2.124 to 16.68 s.",
        reading="Congestion ends as the rate is back.",
        criterion=times.ByRow("steps", "doubling_time", "doubling", 0.1, formula=True, words="T2"),
        figures=("P4-T2", "P4-T2-table"),
    ),
    Claim(
        "P4-T2d",
        "The rate of a Scalable flow varies as table 2 says, less for smaller b.",
        paper="Table 2: 0.72, 0.502, 0.354, 0.257.",
        reading="Goodput in intervals of one round-trip time. Losses by chance are what a formula can be of; at a queue flows lose "
        "together.",
        criterion=All(
            (
                *_varies("window, losses by chance", "variation-chance", "window_variation"),
                *_varies("goodput, losses by chance", "variation-chance", "rate_variation"),
                *_varies("goodput, at a queue", "variation-queue", "rate_variation"),
            )
        ),
        why="Losses by chance: the window varies as the formula of one flow has it, √2 less than printed. Its goodput varies more, the "
        "more so the smaller b: a loss stops it for a round trip and gives it back in the next. At a queue, where all flows lose in each "
        "epoch (P4-sync), it varies by 0.37 to 0.40 whatever b: agreement with a printed figure there is where two curves cross.",
        figures=("P4-T2", "P4-T2-table", "P4-sync"),
    ),
    Claim(
        "P4-B1",
        "Scalable TCP finishes more of the repeated transfers than classic TCP, where buffers are small beside the path.",
        paper="The bench is set with its score, the transfers finished within T; no results are restated here.",
        reading="The direction is what Table 1 argues for: a loss costs classic TCP half the path for long. Both sizes at 120 ms with a "
        "tenth of the bandwidth-delay product of buffer, T = 200 s.",
        criterion=All(
            (
                ("2.4 Gbit/s", greater("repeated-real", "files", *_SCALABLE)),
                ("50 Mbit/s", greater("repeated", "files", *_SCALABLE, at={"buffer": 0.1})),
            )
        ),
        why="What the bench is for shows on the paper's own path: a flow's share is 4,000 packets, of which classic TCP wins half back "
        "in 4 min, longer than T. There HighSpeed and CUBIC finish nearly twice as many files too (P4-Q1); at 50 Mbit/s, with windows of "
        "83 packets, HighSpeed is Reno. With a bandwidth-delay product of buffer there nobody but MulTCP gains. The price is a longer "
        "queue (P4-B1-queue).",
        figures=("P4-B1", "P4-B1-queue"),
    ),
    Claim(
        "P4-B2",
        "Eight transfers at once leave web traffic less when they are Scalable's than when they are classic TCP's.",
        paper="The bench is set with its score, the change of web throughput; no results are restated here.",
        reading="The direction is that of the response curves. Page load times beside throughput. Web traffic in two ways: pages that "
        "come whatever the network does, and users who ask for the next page 5 s after they have the last.",
        criterion=All(
            (
                *(
                    (f"{path}, {what}", criterion)
                    for path, experiment in (("2.4 Gbit/s", "web-real"), ("50 Mbit/s", "web"), ("50 Mbit/s, users", "web-users"))
                    for what, criterion in (
                        ("throughput", less(experiment, "web_goodput", "transfers", "scalable", "reno")),
                        ("page load time", greater(experiment, "page_load_time", "transfers", "scalable", "reno")),
                    )
                ),
            )
        ),
        why="Pages that come whatever the network does are all sent sooner or later: no clear change of their throughput is above a "
        "quarter of a per cent (P4-Q3). Users ask for less when they wait longer. What transfers take from web traffic shows in load "
        "times, most with BBR, MulTCP and eight connections at 50 Mbit/s, where the buffer is a bandwidth-delay product (P4-B2-pages).",
        figures=("P4-B2", "P4-B2-pages"),
    ),
    Claim(
        "P4-stability",
        "Control theory tells where a control is stable and where it oscillates.",
        paper="The fourth criterion: stability around the equilibrium, by control theory, over round-trip times and topologies.",
        reading="A linearised fluid of twenty equal flows behind RED (100 and 500 packets, max_p 0.1, weight 0.002), for each control "
        "that has one; Scalable TCP without its region of Reno's rules, which the model lacks. Oscillation in a run is a queue whose "
        "swing is larger than its mean.",
        criterion=All((("stable", stability.STABLE), ("unstable", stability.UNSTABLE))),
        why="On long, fast paths Reno, HighSpeed, MulTCP, eight connections and Scalable TCP swing as the model has it, Scalable TCP but "
        "for two paths near its line. Below their second line the model puts the queue of MulTCP and of eight connections beyond RED's "
        "upper threshold of 500 packets, where the share dropped rises steeply; in runs it rests below (P4-stability-table), where it "
        "rises gently. Stabilised Vegas does not oscillate at 300 ms and 120 Mbit/s: its queue is still on the way to its rest, 23 of 60 "
        "packets in the mean.",
        figures=("P4-stability-map", "P4-stability-table", "P4-stability"),
    ),
)
