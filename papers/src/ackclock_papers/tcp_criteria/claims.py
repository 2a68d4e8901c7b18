"""Claims of Phạm & Lê, sentence by sentence."""

from ackclock.studies.criteria import Level, greater, less
from ackclock.studies.rules import All
from ackclock_papers.builders import claim, every
from ackclock_papers.tcp_criteria import (
    number,
    rank,
    recovery,
    response,
    robust,
    signals,
    stability,
    throughput,
    times,
    vegas,
)
from ackclock_papers.tcp_criteria.power import Power

_SCALABLE = ("cc", "scalable", "reno")
_OTHERS = [
    "8 x reno",
    "multcp(n=8)",
    "vegas",
    "stabilised-vegas",
    "scalable",
    "highspeed",
    "cubic",
    "bbr",
]
_EQUAL = 0.95
"""Jain's index; for example, it is 0.98 if one of eight flows has half of each other's rate."""
_SHUT_OUT = 0.1


def _equal(controls: list[str] | str) -> All:
    """Return a criterion: equal rates, and no flow shut out."""
    at = {"cc": controls}
    return every(
        {
            "equal rates": Level("equal", "jain_index", lowest=_EQUAL, at=at),
            "none is shut out": Level("equal", "min_max_ratio", lowest=_SHUT_OUT, at=at),
        }
    )


_RECOVERY = (
    claim(
        "P4-T1a",
        "After one loss classic TCP needs from 1.7 s at 1 Mbit/s to 4 h 43 min at 10 Gbit/s, at a "
        "round-trip time of 200 ms.",
        paper="Table 1: RTT 200 ms, 1500 bytes; 1 Mbit/s 17 packets 1.7 s; 10 Mbit/s 170, 17 s; "
        "100 Mbit/s 1700, 2 min 50 s; 1 Gbit/s 17,000, 28 min; 10 Gbit/s 170,000, 4 h 43 min.",
        reading="Windows are printed to two digits: 166,667 is 170,000.",
        criterion={"formula": recovery.formula, "run": recovery.classic},
        why="A run takes a few round trips more than the formula at each rate, because the formula "
        "leaves out that the loss must be noticed and repaired. They count most where the window "
        "is smallest.",
        figures=("P4-T1", "P4-T1-rtt"),
    ),
    claim(
        "P4-T1b",
        "Scalable TCP's recovery takes the same time at every rate.",
        paper="log(1 − b)/log(1 + a) round trips: 13.4 of them, 2.7 s at 200 ms.",
        reading="From 10 Mbit/s on; at 1 Mbit/s the window is at the limit below which Scalable "
        "TCP follows Reno's rules.",
        criterion={"equal at every rate": recovery.same, "as the formula": recovery.SCALABLE},
        why="The formula leaves out that the loss must be noticed and repaired, and that windows "
        "are whole packets.",
        differs="The paper rounds the cut up to whole packets, and so do ackclock's runs; "
        "fractions of a packet are forgotten. ns-2's binomial control keeps fractions of packets. "
        "The two recover alike where the window is large; where it is small, ackclock has a packet "
        "or two more to win back.",
        figures=("P4-T1", "P4-T1-rtt"),
    ),
    claim(
        "P4-T1c",
        "The time grows with the square of the round-trip time and in proportion to the rate; "
        "Scalable TCP's grows with the round-trip time alone.",
        paper="Table 1 has one round-trip time, 200 ms, and five rates, over which the time grows "
        "in proportion. The argument for it is W RTT / 2 with W = rate × RTT.",
        reading="Runs at four round-trip times and three rates; exponents by least squares in "
        "logarithms.",
        criterion={
            "each time": recovery.by_rtt,
            "RTT, classic": recovery.SQUARE,
            "rate, classic": recovery.linear,
            "RTT, Scalable": recovery.SCALABLE_LINEAR,
        },
        why="Noticing and repairing the loss takes a few round trips at any window. Where the "
        "window is small they are a good part of the whole, so the time grows a little slower than "
        "in the formula.",
        figures=("P4-T1-rtt", "P4-T1"),
    ),
)

_THROUGHPUT = (
    claim(
        "P4-R1",
        "Throughput falls as one over the round-trip time.",
        paper="Section III: one of the three things that move throughput.",
        reading="Losses by chance, 0.1 %, on a path that the window does not fill; the law is "
        "W(p)/RTT.",
        criterion={
            "classic, power": throughput.inverse_rtt("reno"),
            "classic, W(p)/RTT": throughput.by_rtt("reno"),
            "Scalable, power": throughput.inverse_rtt("scalable"),
            "Scalable, W(p)/RTT": throughput.by_rtt("scalable"),
        },
        why="ACKs clock the window: its size depends on the share of packets lost and not on their "
        "travel time.",
        figures=("P4-R",),
    ),
    claim(
        "P4-R2",
        "Throughput of classic TCP falls as one over the square root of the probability of loss or "
        "error.",
        paper="Section III: one of the three things that move throughput.",
        reading="Losses by chance at 100 ms; an error is a loss to TCP.",
        criterion={"power": throughput.INVERSE_ROOT, "W(p)/RTT": throughput.BY_LOSS},
        figures=("P4-R", "P4-F1"),
    ),
    claim(
        "P4-R3",
        "Throughput grows with the bandwidth end to end up to what losses and the round-trip time "
        "allow, and no further.",
        paper="Section III: one of the three things that move throughput.",
        reading="Rates four times and more below or above the rate that losses allow; near it both "
        "limit.",
        criterion=throughput.BY_RATE,
        figures=("P4-R",),
    ),
    claim(
        "P4-R4",
        "A sender has min(cwnd, rwnd) in flight.",
        paper="Section II: the smaller of the congestion window and the receiver's.",
        reading="One flow, receive windows of 16, 64 and 256 packets over a path of 83, and losses "
        "that keep cwnd below 64. Time averages.",
        criterion=throughput.in_flight,
        figures=(),
    ),
    claim(
        "P4-E1",
        "Flows of classic TCP with equal round-trip times get equal rates, and none is shut out.",
        paper="The text says so of TCP.",
        reading="Eight flows over 100 s: Jain's index 0.95 at least, and at least a tenth of the "
        "fastest flow's rate for the slowest.",
        criterion=_equal("reno"),
        figures=("P4-equal",),
    ),
    claim(
        "P4-E2",
        "Flows of each other control also get equal rates, and none is shut out.",
        paper="A variant must keep this property.",
        reading="As for P4-E1.",
        criterion=_equal(_OTHERS),
        why="Vegas and stabilised Vegas take the first round-trip times that they see for those of "
        "the empty path. A flow that comes later sees a queue in them and keeps more packets "
        "queued than those that were there. Scalable TCP keeps the ratio of two windows when both "
        "lose, and so does not bring them together.",
        differs="In ns-2 a MulTCP flow may get nothing after its first slow start: retransmissions "
        "that are lost again cost one timeout after the other, each twice as long as the one "
        "before. ackclock notices such losses by RACK.",
        figures=("P4-equal",),
    ),
)

_CURVES = (
    claim(
        "P4-F1a",
        "The classic response curve falls as the square root of the loss rate, Scalable TCP's as "
        "the loss rate itself.",
        paper="Figure 1: window against signalling rate, classic and Scalable, in logarithms.",
        reading="Losses by chance, on a path that the window does not fill.",
        criterion={
            name: Power(
                "response",
                "window.mean",
                "loss",
                power,
                tolerance,
                {"cc": cc, "loss": response.SMALL_LOSSES},
            )
            for name, cc, power, tolerance in (
                ("classic", "reno", -0.5, 0.05),
                ("Scalable", "scalable", -1.0, 0.1),
            )
        },
        figures=("P4-F1",),
    ),
    claim(
        "P4-F1b",
        "Windows of runs follow the formulas of the response curves.",
        paper="Figure 1 is drawn from the formulas.",
        reading="The formulas of the other controls are those of their own specifications, for "
        "losses by chance. Vegas and BBR have none: their windows are drawn from runs alone.",
        criterion={cc: response.follows(cc, 0.15) for cc in response.FORMULAS},
        why="Scalable TCP counts in whole packets: its cut is rounded up, and growth short of a "
        "packet is forgotten at a loss. HighSpeed's formula is for losses at even distances.",
        figures=("P4-F1",),
    ),
    claim(
        "P4-F1c",
        "Bandwidth divides by the response curves: beside Scalable TCP a classic flow has less "
        "than beside another classic one.",
        paper="Figure 1: where losses are rare, Scalable's curve lies above the classic one.",
        reading="One flow of each over 100 Mbit/s and 100 ms, half a bandwidth-delay product of "
        "buffer.",
        criterion=less("beside", "reno_goodput", "beside", "scalable", "reno"),
        figures=("P4-beside",),
    ),
    claim(
        "P4-F1d",
        "The higher a response curve lies, the more such a connection gets beside others.",
        paper="Said of response curves in general.",
        reading="Rank correlation over controls between the height of the curve at a loss rate of "
        "0.01 % and the goodput of one flow beside one of Reno.",
        criterion={
            "controls that have a response curve": rank.LAWFUL,
            "Vegas and BBR too": rank.EVERY,
        },
        why="Vegas and BBR do not answer to losses alone, so that losses do not determine their "
        "goodput.",
        differs="ns-2 has no BBR, so that its second correlation has one control less than "
        "ackclock's.",
        figures=("P4-rank", "P4-F1", "P4-beside"),
    ),
)

_TABLE_2 = (
    claim(
        "P4-T2a",
        "T½, T2 and the rate variation of Scalable TCP follow from a and b alone, as in Table 2.",
        paper="Table 2, 120 ms, for b = 0.5, 0.25, 0.125, 0.0625 (a = 0.04 ... 0.005): T½ 0.12, "
        "0.2892, 0.6228, 1.2084; T2 2.124, 4.2, 8.364, 16.68; variation 0.72, 0.502, 0.354, 0.257.",
        reading="T½ = RTT ln ½ / ln(1 − b), T2 = RTT ln 2 / ln(1 + a), in seconds and in "
        "milliseconds. The variation is compared with that of Scalable's window under independent "
        "losses, √(−ln(1 − b)/b − 1), and with √b; the paper gives no formula.",
        criterion={
            "T½ in seconds": times.printed("halving", "T½ by formula, s", 0.02),
            "T½ in seconds, 1.2888 in the last row": times.MENDED,
            "T½ in milliseconds": times.printed("halving", "T½ by formula, ms", 0.02, unit=1e3),
            "T2 in seconds": times.printed("doubling", "T2 by formula, s", 0.02),
            "T2 in milliseconds": times.printed("doubling", "T2 by formula, ms", 0.02, unit=1e3),
            "variation of a window": times.printed("variation", "variation by formula", 0.1),
            "variation as √b": times.printed("root", "√b", 0.03),
        },
        why="The last T½ has two digits exchanged. The printed variation is about √b, which is √2 "
        "times that of one flow. The difference of two independent flows has √b over the mean of "
        "one.",
        figures=("P4-T2", "P4-T2-table"),
    ),
    claim(
        "P4-T2b",
        "In a run, when congestion begins, six Scalable flows halve their windows within T½.",
        paper="Table 2, six servers, 2.4 Gbit/s, 120 ms: T½ 0.12 to 1.2 s.",
        reading="Congestion begins as three quarters of the rate go; from there to half the "
        "window, mean over the flows.",
        criterion=times.by_row("steps", "halving_time_as_printed", "halving", formula=False),
        why="After a fall of the rate a queue fills first and a loss is noticed a round trip "
        "later, for any b. While losses are repaired, a window is held to the quarter that still "
        "arrives, which is less than after cuts by a small b. The formula has another premise "
        "(P4-T2f).",
        figures=("P4-T2", "P4-T2-table"),
    ),
    claim(
        "P4-T2c",
        "When congestion ends, six Scalable flows double their windows within T2.",
        paper="Table 2: T2 2.124 to 16.68 s.",
        reading="Congestion ends as the rate is back.",
        criterion=times.by_row("steps", "doubling_time_as_printed", "doubling", formula=False),
        figures=("P4-T2", "P4-T2-table"),
    ),
    claim(
        "P4-T2d",
        "At the queue of the paper's experiment the rate of a Scalable flow varies as Table 2 "
        "says, less for smaller b.",
        paper="Table 2: 0.72, 0.502, 0.354, 0.257.",
        reading="Six flows fill 2.4 Gbit/s; they lose where the queue is full.",
        criterion=times.by_row("variation-queue", "rate_variation", "variation", formula=False),
        why="At a queue all flows lose in each congestion epoch (P4-sync), so that their shares "
        "vary, unlike in a formula of independent losses. Where the curve of the runs crosses the "
        "printed one, the two agree by chance.",
        figures=("P4-T2", "P4-T2-table", "P4-sync"),
    ),
    claim(
        "P4-T2e",
        "Under independent losses the rate of a Scalable flow varies as Table 2 says.",
        paper="Table 2: 0.72, 0.502, 0.354, 0.257.",
        reading="Losses by chance on a path that is not full, to which a formula can apply.",
        criterion={
            "against print": times.by_row(
                "variation-chance", "rate_variation", "variation", formula=False
            ),
            "against the formula": times.by_row(
                "variation-chance", "rate_variation", "variation", formula=True
            ),
        },
        why="The window varies as in the formula of one flow, √2 less than printed. Goodput in "
        "short intervals varies more, the more so the smaller b: a loss stops it for a round trip "
        "and gives it back in the next.",
        figures=("P4-T2", "P4-T2-table"),
    ),
    claim(
        "P4-T2f",
        "A Scalable flow that loses once in each round trip halves its window within T½.",
        paper="T½ = RTT ln ½ / ln(1 − b): the premise of the formula.",
        reading="One flow, six losses a round trip apart.",
        criterion=signals.halving,
        differs="After a cut ns-2's Sack1 sends nothing until as much data has left the path as "
        "was cut. The larger the cut, the later comes the next loss of the list. Our runs go on "
        "sending "
        '(PRR); without it (`window_approach = "inflation"`) they take as long as ns-2\'s where '
        "half the window is cut.",
        figures=("P4-T2",),
    ),
)

_BENCHES = (
    claim(
        "P4-B1",
        "Scalable TCP finishes more of the repeated transfers than classic TCP, where buffers are "
        "small beside the path.",
        paper="The bench is set with its score, the transfers finished within T; no results are "
        "restated here.",
        reading="The direction follows from Table 1: a loss costs classic TCP half the path for "
        "long. Both sizes at 120 ms with a tenth of the bandwidth-delay product of buffer, T = 200 "
        "s.",
        criterion={
            "2.4 Gbit/s": greater("repeated-real", "files", *_SCALABLE),
            "50 Mbit/s": greater("repeated", "files", *_SCALABLE, at={"buffer": 0.1}),
        },
        why="The purpose of the bench shows on the paper's own path: a flow's share is 4,000 "
        "packets, of which classic TCP wins half back in 4 min, longer than T. HighSpeed and CUBIC "
        "gain there too (P4-Q1); at 50 Mbit/s, with windows of 83 packets, HighSpeed is Reno. The "
        "price is a longer queue (P4-B1-queue).",
        figures=("P4-B1", "P4-B1-queue"),
    ),
    claim(
        "P4-B2",
        "Eight transfers at once leave web traffic less when they are Scalable's than when they "
        "are classic TCP's.",
        paper="The bench is set with its score, the change of web throughput; no results are "
        "restated here.",
        reading="The direction is that of the response curves. Page load times beside throughput. "
        "There is web traffic of two kinds: pages that come independently of the network, and "
        "users who ask for the next page 5 s after they have the last.",
        criterion={
            f"{path}, {what}": criterion
            for path, experiment in (
                ("2.4 Gbit/s", "web-real"),
                ("50 Mbit/s", "web"),
                ("50 Mbit/s, users", "web-users"),
            )
            for what, criterion in (
                ("throughput", less(experiment, "web_goodput", "transfers", "scalable", "reno")),
                (
                    "page load time",
                    greater(experiment, "page_load_time", "transfers", "scalable", "reno"),
                ),
            )
        },
        why="Pages that come independently of the network are all sent sooner or later, so their "
        "throughput hardly changes (P4-Q3). Users ask for less when they wait longer. The effect "
        "of transfers on web traffic shows in load times (P4-B2-pages).",
        figures=("P4-B2", "P4-B2-pages"),
    ),
)

_NUMBERS = (
    claim(
        "P4-N1",
        "The more connections a transfer has, the more it gets.",
        paper="Several TCP connections as one are the third system that the paper describes.",
        reading="Each doubling from 1 to 64 beside four flows of Reno, on a path that these fill, "
        "and on one that losses by chance keep empty.",
        criterion=number.GAIN,
        figures=("P4-N",),
    ),
    claim(
        "P4-N2",
        "On a path that is full every further connection is taken from existing traffic.",
        paper="Existing traffic is harmed.",
        reading="Harm: the others lose 5 % of their goodput or more.",
        criterion=number.HARM_FULL,
        figures=("P4-N",),
    ),
    claim(
        "P4-N3",
        "Choosing a number of connections without harm to existing traffic is hard: a number that "
        "is harmless on one path does harm on another.",
        paper="The objection to several connections.",
        reading="Four connections, which leave a third of the path with losses by chance unused, "
        "and 64.",
        criterion=number.NO_NUMBER_FITS,
        why="More connections do harm once the path is full, and a sender does not know how full "
        "it is.",
        figures=("P4-N",),
    ),
)

_VEGAS = (
    claim(
        "P4-V1",
        "Vegas holds under other queue disciplines.",
        paper="Named as something that Vegas must hold under.",
        reading="Four flows under six disciplines. It holds where the link is busy for nine tenths "
        "of the time, packets wait less than with Reno, and no flow has less than a tenth of the "
        "fastest's.",
        criterion=vegas.QUEUES,
        why="Under a discipline that drops early the queue is short with any control. Under one "
        "with a queue for each flow, a flow sees its own packets alone.",
        figures=("P4-V-queues",),
    ),
    claim(
        "P4-V2",
        "Vegas holds where an operating system's timers are coarse.",
        paper="Named as something that Vegas must hold under.",
        reading="Ticks of 1 to 500 ms at a round-trip time of 60 ms. It holds where the link is "
        "busy and packets wait less than with Reno.",
        criterion=vegas.TIMERS,
        why="Vegas compares round-trip times that differ by a queue of some milliseconds. With a "
        "tick longer than the round-trip time it sees no queue and grows until packets are lost, "
        "as Reno does.",
        figures=("P4-V-timers",),
    ),
    claim(
        "P4-V3",
        "Vegas holds beside traffic that does not control delay, TCP and UDP.",
        paper="Named as something that Vegas must hold under.",
        reading="One flow beside one of Reno or CUBIC: half of an equal share. Beside a UDP "
        "stream: nine tenths of the rate that the stream leaves. Buffers of half and of two "
        "bandwidth-delay products.",
        criterion=vegas.BESIDE,
        why="TCP that answers to losses fills the buffer. Vegas takes that queue for its own and "
        "gives way, the more the longer the buffer. UDP of a constant rate leaves no queue, so "
        "Vegas takes the rest.",
        figures=("P4-V-beside",),
    ),
)

_STABILITY = (
    claim(
        "P4-stability",
        "Control theory tells where a control is stable and where it oscillates.",
        paper="The fourth criterion: stability around the equilibrium, by control theory, over "
        "round-trip times and topologies.",
        reading="A linearised fluid of twenty equal flows behind RED (100 and 500 packets, max_p "
        "0.1, weight 0.002), for each control that has one; Scalable TCP without its region of "
        "Reno's rules, which the model lacks. Oscillation in a run is a queue whose swing is "
        "larger than its mean.",
        criterion={"stable": stability.STABLE, "unstable": stability.UNSTABLE},
        why="On long, fast paths controls that answer to losses swing as in the model. Below their "
        "second line the model puts the queue of MulTCP and of eight connections beyond RED's "
        "upper threshold, where the share dropped rises steeply; in runs it rests below "
        "(P4-stability-table), where it rises gently. Stabilised Vegas does not oscillate where it "
        "is still on the way to its rest.",
        differs="MulTCP swings in ns-2 on two paths on which ackclock's is steady. Many "
        "retransmissions are lost again there, and in ns-2 each costs a timeout. With "
        '`loss_detection = "sack"`, which does not notice such losses either, MulTCP in ackclock '
        "swings as far. ns-2 has not run stabilised Vegas.",
        figures=("P4-stability-map", "P4-stability-table", "P4-stability"),
    ),
    claim(
        "P4-S1",
        "Parameters that fulfil Vinnicombe's condition are stable at every round-trip time.",
        paper="Parameters must keep stability for all round-trip times and topologies (its "
        "reference 8).",
        reading="Scalable TCP with the a and b of Table 2 behind small buffers: a times the "
        "elasticity of the loss rate is below π/2. Stable: forty flows do not move together.",
        criterion=robust.ONE_LINK,
        why="A small buffer drops by the present arrival rate. The elasticity supposes Poisson "
        "arrivals, which ACK-clocked ones are not, so that flows may move together somewhat below "
        "π/2.",
        differs="With the largest a and b behind ten packets, flows are in step in ns-2 and not in "
        "ackclock. After a cut of a half ns-2's Sack1 sends nothing for half a round trip, so that "
        "a window stays clumped and overruns so small a buffer. Without PRR "
        '(`window_approach = "inflation"`) flows in ackclock are in step, too, and lose as much.',
        figures=("P4-S",),
    ),
    claim(
        "P4-S2",
        "Parameters that fulfil Vinnicombe's condition are stable on every topology.",
        paper="As for P4-S1.",
        reading="Three small buffers in a row, forty flows, round-trip times of 30 to 90 ms; a "
        "flow's elasticity is the mean of those of its links, weighted by their losses.",
        criterion=robust.IN_A_ROW,
        figures=("P4-S",),
    ),
    claim(
        "P4-S3",
        "The stability of such parameters does not depend on the round-trip time.",
        paper="As for P4-S1.",
        reading="The same windows at 20, 100 and 300 ms: how far flows move together differs by a "
        "quarter at most.",
        criterion=robust.ANY_RTT,
        why="The round-trip time is in both the delay and the pace of the answer, and drops out of "
        "the gain.",
        figures=("P4-S",),
    ),
)

CLAIMS = (*_RECOVERY, *_THROUGHPUT, *_CURVES, *_TABLE_2, *_BENCHES, *_NUMBERS, *_VEGAS, *_STABILITY)
