"""Claims and open questions of Appenzeller, Keslassy & McKeown."""

from ackclock.studies.criteria import Curve, Effect, Level, Ratio, greater, less, no_more
from ackclock_papers.builders import claim, question
from ackclock_papers.sizing_buffers import laws, rules

_ALL_ROWS = list(laws.FIGURE_15)
_ONCE = [name for name, row in laws.FIGURE_15.items() if row["multiple"] == 1]
_MANY = [name for name, row in laws.FIGURE_15.items() if row["flows"] >= 300]


def _column(name: str, tolerance: float, rows: list[str] | None = None) -> Curve:
    law = {row: float(laws.FIGURE_15[row][name]) for row in rows or _ALL_ROWS}
    return Curve("router", "utilisation", "row", law, tolerance, name=f"the column “{name}”")


_RATES = {"40 Mbit/s": 40e6, "80 Mbit/s": 80e6, "200 Mbit/s": 200e6}


def _waits(rate: float) -> dict[int, float]:
    """Return the M/G/1 formula's mean wait by the length of the flows, s.

    By Little's law it is E[Q] over the rate of packets.
    """
    return {
        length: laws.mean_short_queue(length) / (laws.SHORT_LOAD * rate / 12_000)
        for length in laws.LENGTHS
    }


CLAIMS = (
    claim(
        "SB-F4a",
        "With a buffer of RTT × C one long connection keeps the link busy.",
        paper="Section 2, Figure 4: the queue almost reaches zero once per loss and never stays "
        "there; B ≥ 2 Tp × C.",
        reading="Busy: for 99.5 % of the time at least, as the buffer is the very least that "
        "suffices.",
        criterion=Level("one", "utilisation", lowest=0.995, at={"buffer": 1}),
        figures=("SB-F4", "SB-one"),
    ),
    claim(
        "SB-F4b",
        "The sawtooth of that connection has a period of 30.2 s.",
        paper="Appendix B: T = 1.5 · 142² / 1000 = 30.2 s, “which fits the observed value” of "
        "Figure 4.",
        reading="1000 packets/s and 142 ms, as the formula's numbers say; packets of 1000 bytes, "
        "one of the two sizes.",
        criterion=rules.period,
        why="The fluid has no packets: the window must grow to one more than fits, and the loss is "
        "noticed a round trip later.",
        figures=("SB-F4",),
    ),
    claim(
        "SB-eq9",
        "Between two losses the window grows as a square root, not as a line.",
        paper="Equation 9: W(t) = √(2 C t + (2 Tp C)²).",
        reading="Within 3 %, from the cut on, at which the model has an empty queue.",
        criterion=rules.sawtooth,
        figures=("SB-F4",),
    ),
    claim(
        "SB-F5",
        "With less than RTT × C the link goes idle and throughput is lost.",
        paper="Section 2, Figure 5: an underbuffered router goes empty while the sender pauses.",
        criterion={
            "half of it": less("one", "utilisation", "buffer", 0.5, 1),
            "a quarter of it": less("one", "utilisation", "buffer", 0.25, 1),
        },
        figures=("SB-F4", "SB-one"),
    ),
    claim(
        "SB-F6",
        "With more than RTT × C the buffer never empties; all that grows is the delay.",
        paper="Section 2, Figure 6: an overbuffered flow uses the link fully, and its queue does "
        "not drain.",
        reading="Twice RTT × C; for 95 % of the time at least a tenth of RTT × C waits.",
        criterion={
            "link": Level("one", "utilisation", lowest=0.995, at={"buffer": 2}),
            "queue": Level("one", "queue p5", lowest=14.2, at={"buffer": 2}, unit="packets"),
        },
        figures=("SB-F4", "SB-one"),
    ),
    claim(
        "SB-S31",
        "Connections lose in step where they are few, and hardly where they are many.",
        paper="Section 3.2: in-phase synchronisation is common below 100 connections and very rare "
        "above 500.",
        reading="The share of the connections that lose a packet within one episode of loss is at "
        "most half as large with 500 as with 50. The buffer is RTT × C / √n.",
        criterion=less("in-step", "share that loses at once", "long_flows", 500, 50, by=0.5),
        why="An episode ends where nothing is lost for 40 ms. Behind 500 connections the link "
        "loses nearly all the time, so that an episode hardly ends, and takes most connections in.",
        figures=("SB-in-step",),
    ),
    claim(
        "SB-F8a",
        "The sum of many windows is normally distributed.",
        paper="Section 3.2, Figure 8: the distribution converges to a Gaussian process.",
        reading="250 connections, where section 5.1.1 has the model hold; the figure's own number "
        "is not printed.",
        criterion=rules.normal,
        figures=("SB-F8", "SB-F9"),
    ),
    claim(
        "SB-F8b",
        "That sum varies no more than independent sawtooths would.",
        paper="Section 3.2: the standard deviation is at most (2 Tp C + B) / (3 √3 √n).",
        reading="As SB-F8a.",
        criterion=rules.deviation,
        why="Windows of four packets are no sawtooths: one loss halves them, the next is a "
        "timeout. And connections that lose in the same episode fall together (SB-in-step), which "
        "a sum of independent ones does not know.",
        figures=("SB-F8", "SB-F9"),
    ),
    claim(
        "SB-eq6",
        "For 10,000 connections, equation 6 gives 98.99 %, 99.99988 % and 99.99997 %.",
        paper="Section 3.2: the lower bounds at 1, 1.5 and 2 times 2 Tp C / √n.",
        reading="The lost shares are compared, within 20 %, as the last digit of the last number "
        "allows.",
        criterion=rules.examples,
        why="At 1.5 times the formula has 99.988 %; the printed number has three nines more than "
        "it.",
        figures=("SB-eq6-table",),
    ),
    claim(
        "SB-F15-model",
        "The column “Model” of Figure 15 is the bound of equation 6.",
        paper="Section 5.2.1: Model is the lower bound on the utilisation that the model predicts; "
        "96.9 % to 100 %.",
        reading="Within 0.1 % of utilisation, which the paper gives as its accuracy.",
        criterion=rules.model_column,
        why="At a buffer of 0.5 RTT C / √n equation 6 has about 79 % at any number of connections; "
        "the column rises with it. It must come from another form of the model, which the text "
        "does not print.",
        figures=("SB-F15-table",),
    ),
    claim(
        "SB-F15a",
        "RTT × C / √n fills an OC3 for 100 to 400 connections.",
        paper="Figure 15, rows 1 x: 99.2 % to 99.8 % in ns-2, 98.1 % to 100 % on a Cisco GSR.",
        reading="98 % at least, for which section 5.1.1 has this buffer.",
        criterion=Level("router", "utilisation", lowest=0.98, at={"row": _ONCE}),
        differs="Four seeds of ns-2 with SACK leave the rows of 100 and 200 connections open; no "
        "row speaks against the claim.",
        why="Reno's timeouts cause a part of the loss: with SACK the same buffers do more "
        "(SB-F15). ns-2, which the paper used, has no more than ackclock in a network made from "
        "the paper's text (table of readings): the authors' further settings are not known.",
        figures=("SB-F15", "SB-F15-table"),
    ),
    claim(
        "SB-F15b",
        "Utilisation equals ns-2's in Figure 15, row by row.",
        paper="Figure 15, column Sim.: 94.7 % to 100 % over sixteen rows.",
        reading="Within 1 %.",
        criterion=_column("Sim.", 0.01),
        figures=("SB-F15", "SB-F15-table"),
    ),
    claim(
        "SB-F15c",
        "Utilisation equals the router's in Figure 15, row by row.",
        paper="Figure 15, column Exp.: 94.9 % to 100 % on a Cisco GSR 12410.",
        reading="Within 1 %.",
        criterion=_column("Exp.", 0.01),
        figures=("SB-F15", "SB-F15-table"),
    ),
    claim(
        "SB-F15d",
        "From 300 connections on the model predicts the utilisation to about 0.1 %.",
        paper="Section 5.2.1: above 200 flows the model is right within the measurement accuracy "
        "of about 0.1 %.",
        reading="The printed column “Model”, within 0.1 % of utilisation.",
        criterion=_column("Model", 0.001, _MANY),
        figures=("SB-F15", "SB-F15-table"),
    ),
    claim(
        "SB-F11a",
        "From 250 connections on RTT × C / √n suffices for 98 %.",
        paper="Section 5.1.1, Figure 11: when the number of flows exceeds 250, the model holds "
        "well.",
        criterion={
            "250": Level(
                "minimum", "utilisation", lowest=0.98, at={"connections": 250, "buffer": 65}
            ),
            "500": Level(
                "minimum", "utilisation", lowest=0.98, at={"connections": 500, "buffer": 46}
            ),
        },
        figures=("SB-F11", "SB-F11-utilisation"),
    ),
    claim(
        "SB-F11b",
        "Twice RTT × C / √n suffices for 99.9 %.",
        paper="Section 5.1.1: for 99.9 % utilisation buffers twice as big were needed, as the "
        "model predicts.",
        criterion={
            "250": Level(
                "minimum", "utilisation", lowest=0.999, at={"connections": 250, "buffer": 131}
            ),
            "500": Level(
                "minimum", "utilisation", lowest=0.999, at={"connections": 500, "buffer": 92}
            ),
        },
        differs="Three seeds of ns-2 leave it open: the means are on the claim's side, the "
        "intervals reach across its bound.",
        figures=("SB-F11", "SB-F11-utilisation"),
    ),
    claim(
        "SB-F11c",
        "For few connections RTT × C / √n does not suffice.",
        paper="Section 5.1.1: when the flows are few they are partly synchronised, and the result "
        "does not hold.",
        reading="25 connections: below 98 %.",
        criterion=Level(
            "minimum", "utilisation", highest=0.98, at={"connections": 25, "buffer": 207}
        ),
        figures=("SB-F11", "SB-F11-utilisation"),
    ),
    claim(
        "SB-S511",
        "The loss rate is 0.76 / w², with windows that sum up to RTT × C + B.",
        paper="Section 5.1.1: l = 0.76 / w²; from it a very small buffer makes losses up to four "
        "times as many.",
        reading="Within a quarter, at every buffer that was run; 25 to 250 connections, whose mean "
        "windows are above four packets.",
        criterion={
            f"{n} connections": Curve(
                "minimum",
                "loss_rate",
                "buffer",
                {buffer: laws.losses(buffer, laws.OC3_PACKETS, n) for buffer in laws.BUFFERS},
                0.25,
                {"connections": n},
                "0.76 / w²",
            )
            for n in (25, 100, 250)
        },
        why="0.76 belongs to receivers that acknowledge each second packet. With an ACK for each, "
        "as ns-2's sink sends them, the window grows twice as fast, and the square-root law has "
        "1.5. The rest is that a full queue takes several packets of one window at once.",
        figures=("SB-loss",),
    ),
    claim(
        "SB-F10a",
        "The mean queue of short flows follows the M/G/1 formula for bursts.",
        paper="Section 4, Figure 10: at a load of 0.8 the model predicts the mean queue over the "
        "flow length very closely.",
        reading="Within 20 % at each length from 2 to 62 packets and each of three rates; the "
        "paper calls the model an upper bound for slower access links, and the study's are "
        "infinitely fast.",
        criterion={
            name: Curve(
                "short",
                "mean wait",
                "length",
                _waits(rate),
                0.2,
                {"rate": name},
                "the M/G/1 formula",
            )
            for name, rate in _RATES.items()
        },
        why="The study's flows open with a handshake through that queue, as ns-2's have since "
        "2001. The model has no handshake, and without one ns-2's shortest flows have the model's "
        "queue. Small handshake packets that wait together leave together, and the data that "
        "follows them comes in bursts: the shorter the flow, the more of its packets follow a "
        "handshake. Long flows make more of a queue than independent bursts, as one flow's bursts "
        "are not independent of each other.",
        figures=("SB-F10",),
    ),
    claim(
        "SB-F10b",
        "The bandwidth has no effect on that queue.",
        paper="Section 4, Figure 10: the queues at 40, 80 and 200 Mb/s are almost identical.",
        reading="The wait is within 10 % of that at 40 Mbit/s, scaled: at twice and five times the "
        "rate as many packets wait half and a fifth as long.",
        criterion={
            name: Ratio(
                "short",
                "mean wait",
                "rate",
                name,
                "40 Mbit/s",
                lowest=0.9 * share,
                highest=1.1 * share,
            )
            for name, share in (("80 Mbit/s", 0.5), ("200 Mbit/s", 0.2))
        },
        differs="Four seeds of ns-2 leave each length open; the ratios are near ackclock's.",
        figures=("SB-F10",),
    ),
    claim(
        "SB-F10c",
        "Flows of 14 packets make a longer queue than flows of 16.",
        paper="Section 4: bursts of 2, 4 and 8 packets have larger ones in the mean than those of "
        "a flow of 16 packets.",
        reading="The paper prints the bursts of 16 packets as 2, 4, 8 and 4, which are 18; the "
        "rest is 2.",
        criterion=greater("short", "mean wait", "length", 14, 16),
        figures=("SB-F10",),
    ),
    claim(
        "SB-F12",
        "The model's buffer makes short flows at most 12.5 % slower than an endless one.",
        paper="Section 5.1.2, Figure 12: the buffer with P(Q > B) = 0.025 against that for 12.5 % "
        "more completion time, at a load of 0.8 and 40, 80 and 200 Mb/s.",
        reading="Flows of 14 packets, for which the model has 44 packets.",
        why="A flow of 14 packets that loses one of its last has no three duplicate ACKs, and "
        "waits for its timer.",
        criterion=no_more(
            "completion", "completion time", "buffer", "44 packets", "unlimited", margin=0.125
        ),
        figures=("SB-F12",),
    ),
    claim(
        "SB-F13",
        "Beside short flows too, RTT × C / √n is enough for 95 %.",
        paper="Section 5.1.3, Figure 13: 400 Mb/s, a fifth of it short flows; with more than 200 "
        "long flows 95 % need about this buffer.",
        criterion={
            "200": Level("mix", "utilisation", lowest=0.95, at={"long_flows": 200, "buffer": 189}),
            "500": Level("mix", "utilisation", lowest=0.95, at={"long_flows": 500, "buffer": 119}),
        },
        figures=("SB-F14",),
    ),
    claim(
        "SB-F14",
        "Short flows finish sooner with the small buffer than with RTT × C.",
        paper="Section 5.1.3, Figure 14: the completion time is much shorter with RTT × C / √n.",
        reading="Much: by a fifth at least.",
        criterion={
            "200": less(
                "mix", "completion time", "buffer", 189, 2667, by=0.2, at={"long_flows": 200}
            ),
            "500": less(
                "mix", "completion time", "buffer", 119, 2667, by=0.2, at={"long_flows": 500}
            ),
        },
        figures=("SB-F14",),
    ),
    claim(
        "SB-abstract",
        "10,000 connections can do without 99 % of the buffer; 50,000 at 10 Gbit/s need 10 Mbit.",
        paper="Abstract: 2.5 Gb/s with 10,000 flows, 99 % less; 10 Gb/s with 50,000 flows, 10 "
        "Mbits in place of 2.5 Gbits.",
        reading="RTT × C / √n at 250 ms, within 15 % of the printed round numbers.",
        criterion=rules.abstract,
    ),
)

QUESTIONS = (
    question(
        "SB-Q1",
        "What does it cost in lost packets to halve the buffer of Figure 15?",
        Effect("router", "loss_rate", "row", "400, 0.5x", "400, 1x"),
        paper="Section 5.1.1: losses rise when buffers shrink; the number is not printed.",
        figures=("SB-loss",),
    ),
    question(
        "SB-Q2",
        "How much shorter is the wait at 400 connections with once RTT × C / √n than with three "
        "times that?",
        Effect("router", "queue_delay.mean", "row", "400, 1x", "400, 3x"),
        figures=("SB-F15-table",),
    ),
)
