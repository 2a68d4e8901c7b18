"""Questions that Huang, Zhu & Wang leave open."""

from ackclock.studies.criteria import Effect
from ackclock.studies.rules import All
from ackclock_papers.bbr_latency import against, ns3
from ackclock_papers.bbr_latency.rules import FIVE_S
from ackclock_papers.bbr_latency.variants import ALONE
from ackclock_papers.builders import every, question

_RTT = "rtt.p50"
_STAYS = "rate of the one that stays"
_GIVEN = ("given back at once", "given back in 10", "given back in 30", "given back in 100")
_MODERN = ("bbr3", "copa", "copa, ACK each")


def _alone(experiment: str, response: str, better: str = "less") -> All:
    """Effects of each improvement by itself, and of all together."""
    return every(
        {
            value: Effect(experiment, response, "cc", value, "bbr", better=better)
            for value in ("patched", *ALONE, "lowlat")
        }
    )


QUESTIONS = (
    question(
        "P2-Q1",
        "Does the smallest RTT creep up because ACKs are delayed?",
        Effect("one", "rtt.min", "delayed_ack", 1, 2),
        reading="The run of P2-F4 with an ACK for each segment. The remainder above 60 ms is a "
        "segment's own transmission, 1.2 ms.",
        figures=("P2-F3",),
    ),
    question(
        "P2-Q2",
        "Which of the improvements shortens the RTT of two flows?",
        _alone("two", _RTT),
        reading="Median RTT; each alone on top of plain BBR.",
        figures=("P2-F9",),
    ),
    question(
        "P2-Q3",
        "Which of the improvements slows down the flow that stays when another leaves?",
        _alone("leave", _STAYS, "more"),
        figures=("P2-F10",),
    ),
    question(
        "P2-Q4",
        "Which of the improvements matters on short paths?",
        _alone("short-path", "goodput", "more"),
        reading="Goodput from 12 s on, RTTs of 4 to 40 ms.",
        figures=("P2-short",),
    ),
    question(
        "P2-Q5",
        "Which of the improvements makes five flows fair sooner?",
        {
            f"{value}, {name}": Effect("five", when, "cc", value, "bbr", censored_at=FIVE_S)
            for value in ("patched", *ALONE, "lowlat")
            for name, when in (
                ("fair", "time to fair shares"),
                ("roughly fair", "time to roughly fair shares"),
            )
        },
        reading="As P2-F11a; a seed in which shares never become fair counts as 60 s.",
        figures=("P2-F11", "P2-F11-roughly"),
    ),
    question(
        "P2-Q6",
        "How much do delay_lower_bound and cwnd_pace decide?",
        {
            f"{name}, {what}": Effect(experiment, response, axis, name, "default", better=better)
            for what, experiment, response, axis, better in (
                ("RTT", "settings", _RTT, "variant", "less"),
                ("rate after another left", "settings-leave", _STAYS, "changed", "more"),
            )
            for name in ("bound 2 ms", "bound 40 ms", "pace 5", "pace 100")
        },
        reading="Default: 10 ms and 30 round trips.",
        figures=("P2-settings", "P2-settings-leave"),
    ),
    question(
        "P2-Q14",
        "How much does the way of giving the shrink back decide?",
        {
            **{
                f"{name}, {what}": Effect(
                    "giving", response, "give_back", name, "never", better=better
                )
                for what, response, better in (
                    ("RTT", _RTT, "less"),
                    ("Jain's index", "jain_index", "more"),
                    ("variation of goodput", "variation of goodput", "less"),
                )
                for name in _GIVEN
            },
            **{
                f"{name}, rate after another left": Effect(
                    "settings-leave", _STAYS, "changed", name, "default", better="more"
                )
                for name in _GIVEN
            },
        },
        reading="At once, or over 10 to 100 round trips while the delay is below its bound, "
        "against never, as printed.",
        figures=("P2-giving", "P2-settings-leave"),
    ),
    question(
        "P2-Q7",
        "How do flows of different RTTs share?",
        against.far_shares,
        reading="A flow of 10 ms beside one of 10 to 200 ms, a buffer of 200 ms; the longer flow's "
        "share of both, from 20 s to 60 s.",
        figures=("P2-Q7",),
    ),
    question(
        "P2-Q8",
        "What share do variants of BBR get beside CUBIC or Reno?",
        {
            f"{value} beside {other}": Effect(
                "against", "rate of ours", "cc", value, "bbr", {"beside": other}, better="more"
            )
            for other in ("cubic", "reno")
            for value in ("patched", "bbr-lowlat", "bbr3", "copa")
        },
        reading="One flow beside one, 60 ms, buffers of 0.25 to 16 BDP; goodput from 20 s to 120 s "
        "against that of plain BBR.",
        figures=("P2-Q8",),
    ),
    question(
        "P2-Q9",
        "Does the model of Ware et al. predict BBR's share?",
        against.WARE,
        reading="Plain BBR, buffers of 1 BDP and more; the paper's own median error is 5 % against "
        "CUBIC and 8 % against Reno.",
        figures=("P2-Q8",),
    ),
    question(
        "P2-Q10",
        "How does the improved BBR compare with bbr3 and Copa?",
        {
            f"{name}, against {other}": Effect(
                experiment, response, "cc", "lowlat", other, better=better
            )
            for name, experiment, response, better in (
                ("RTT of two flows", "two", _RTT, "less"),
                ("rate after another left", "leave", _STAYS, "more"),
                ("Jain's index of five", "five", "jain_index", "more"),
                ("RTT of five flows", "five", _RTT, "less"),
                ("utilisation by five", "five", "utilisation", "more"),
            )
            for other in _MODERN
        },
        reading="Receivers delay ACKs, as everywhere here. That hides from Copa how short its "
        "queue is, so that it is run with an ACK for each packet, too.",
        figures=("P2-F9", "P2-F10", "P2-F11-queue"),
    ),
    question(
        "P2-Q11",
        "Which of the improvements makes a flow probe more often on a long path?",
        {
            value: Effect("long-path", "upward probes", "cc", value, "bbr", better="more")
            for value in ("patched", "gains", "shrink", "carry-over", "400 ms alone", "lowlat")
        },
        figures=("P2-F13",),
    ),
    question(
        "P2-Q12",
        "Where does the collapse on short paths come from?",
        ns3.collapses,
        reading="BBR with the faults that each release of ns-3 has, with single ones of ns-3.35's, "
        "and with all of these and what the paper adds; RTTs of 4 to 40 ms. 200 ms of PROBE_RTT "
        "are more than ten rounds below 22.2 ms (P2-bound).",
        why="It goes with release 3.41, which mended the intervals of rate samples. Two segments, "
        "for which an ACK is sent, last 2.4 ms on this link: more than a quarter of 4 ms, so that "
        "there this fault does nearly all of it. At 8 ms the rate has to fall first, and does "
        "where the samples of PROBE_RTT count too.",
        figures=("P2-ns3", "P2-ns3-delivered"),
        paper="BBR's filter expires in PROBE_RTT where an RTT is short; the paper takes this for a "
        "property of BBR.",
    ),
    question(
        "P2-Q13",
        "Do the same faults explain what the paper shows for five flows?",
        {
            f"{value}, {name}": effect
            for value in ("bbr", "patched", "lowlat")
            for name, effect in (
                (
                    "time to roughly fair shares",
                    Effect(
                        "ns3-five",
                        "time to roughly fair shares",
                        "inputs",
                        f"{value} in ns-3.35",
                        value,
                        censored_at=FIVE_S,
                    ),
                ),
                ("median RTT", Effect("ns3-five", _RTT, "inputs", f"{value} in ns-3.35", value)),
                (
                    "Jain's index",
                    Effect(
                        "ns3-five",
                        "jain_index",
                        "inputs",
                        f"{value} in ns-3.35",
                        value,
                        better="more",
                    ),
                ),
            )
        },
        reading="With the faults of ns-3.35 against without, 60 ms. The paper: BBR fair after 42 "
        "s, improved after 3 s.",
        why="No: with them BBR shares roughly fairly no later than without, and the improved flows "
        "share far less fairly over the whole minute.",
        figures=("P2-ns3-five", "P2-ns3-five-fair"),
    ),
)
