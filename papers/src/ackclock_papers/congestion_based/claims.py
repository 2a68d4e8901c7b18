"""Claims and open questions of Cardwell, Cheng, Gunn, Hassas Yeganeh & Jacobson."""

from ackclock.studies.criteria import Curve, Effect, Level, Ratio, less
from ackclock_papers.builders import across, claim, question
from ackclock_papers.congestion_based import rules

_LOW = [0.00001, 0.0001, 0.001, 0.01, 0.02, 0.05]
_ABOVE = [0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5]
_ROOMS = {"1 BDP": 1, "2 BDP": 2, "4 BDP": 4, "8 BDP": 8}

CLAIMS = (
    claim(
        "CB-F10a",
        "At 0.1 % random loss CUBIC has a tenth of its throughput left.",
        paper="Figure 10: 100 Mbps and 100 ms, 60 s; CUBIC's throughput decreases by 10 times at "
        "0.1 % loss.",
        reading="Compared with the throughput at 0.001 %; a tenth within a factor of two.",
        criterion=Ratio(
            "loss", "goodput", "loss", 0.001, 0.00001, {"cc": "CUBIC"}, lowest=0.05, highest=0.2
        ),
        figures=("CB-F10",),
    ),
    claim(
        "CB-F10b",
        "Above 1 % random loss CUBIC stalls.",
        paper="Figure 10: CUBIC totally stalls above 1 %.",
        reading="At most 2 % of the link, which nobody could tell from nothing in the figure.",
        criterion=Level("loss", "goodput", highest=2e6, at={"cc": "CUBIC", "loss": _ABOVE}),
        figures=("CB-F10",),
    ),
    claim(
        "CB-F10c",
        "Up to 5 % loss BBR delivers all that can be delivered.",
        paper="Figure 10: the limit is the link's rate times the fraction delivered; BBR meets it "
        "up to 5 % loss.",
        reading="Within 5 % of 96.5 Mbit/s, the payload's share of the link, times what is not "
        "lost.",
        why="What is missing at little loss is BBR's own: the second of startup, PROBE_RTT, and "
        "the 1 % below its estimate at which Linux paces.",
        differs="The kernel has run 1 % and 5 % alone. Most of its runs have the simulator's "
        "goodput, but in one of three at each rate BBR left STARTUP too early, at a few Mbit/s, "
        "and took seconds to find the rest. These two runs leave the claim open. Early exits also "
        "happen in the simulator, but less often (tests/studies/linux/early_exits.py): 5 of 44 "
        "starts at 1 % and 8 of 44 at 5 % on the kernel, 4 and 24 of 400 in the simulator. One "
        "cause is the receive window, as runs with equal losses show: while a hole waits for its "
        "retransmission, and when that fills it, the kernel's receiver enlarges its window less "
        "than the simulator's. With half of the first receive window, the simulator had 10 and 34 "
        "of 200. It is not known whether this is the only cause.",
        criterion=Curve(
            "loss", "goodput", "loss", rules.limit, 0.05, {"cc": "BBR", "loss": _LOW}, "the limit"
        ),
        figures=("CB-F10",),
    ),
    claim(
        "CB-F10d",
        "Up to 15 % loss BBR delivers nearly all that can be delivered.",
        paper="Figure 10: BBR is close to the limit up to 15 %.",
        reading="Within 20 % of it, at 10 % and 15 %.",
        criterion=Curve(
            "loss",
            "goodput",
            "loss",
            rules.limit,
            0.2,
            {"cc": "BBR", "loss": [0.1, 0.15]},
            "the limit",
        ),
        differs="The kernel has run only 15 %, which the simulator's runs leave open as well.",
        figures=("CB-F10",),
    ),
    claim(
        "CB-F10e",
        "Beyond the gain of its probes BBR's goodput drops sharply.",
        paper="Figure 10: as the loss rate approaches the peak gain of ProbeBW, the true bandwidth "
        "is hardly ever measured.",
        reading="From 15 % to 30 %, less than half is left; what can be delivered falls by 18 %.",
        criterion=less("loss", "goodput", "loss", 0.3, 0.15, by=0.5, at={"cc": "BBR"}),
        figures=("CB-F10",),
    ),
    claim(
        "CB-mathis",
        "At 10 Gbit/s and 100 ms a loss-based algorithm bears one loss in 30 million packets.",
        paper="Section “Google B4 WAN”: the loss rate must be below the inverse square of the "
        "bandwidth-delay product, less than one loss per 30 million packets for a 10Gbps/100ms "
        "path.",
        reading="Packets of 1500 bytes, within 20 %: by the inverse square as the sentence has it, "
        "and by CUBIC's response function.",
        criterion={"inverse square": rules.inverse_square, "CUBIC's response": rules.cubic_loss},
        why="The product is 83,333 packets, and its square seven thousand million. 30 million is "
        "what CUBIC's own law gives, RTT to the power of three quarters over the loss rate to the "
        "same power.",
    ),
    claim(
        "CB-buffer",
        "A receive buffer of 8 MB lets 335 Mbit/s through at 200 ms, and 2 Gbit/s are 133 times 15 "
        "Mbit/s.",
        paper="Section “Google B4 WAN”: 8MB/200ms is 335Mbps; 2Gbps against 15Mbps is 133 times.",
        criterion=rules.receive_buffer,
    ),
    claim(
        "CB-startup",
        "Startup finds the bandwidth in log2(BDP) round trips.",
        paper="Section on startup: it discovers the bandwidth in log2 BDP round trips.",
        reading="90 % of it, within one round trip more; packets of 1500 bytes.",
        criterion=rules.bandwidth_found,
        figures=("CB-F6", "CB-startup"),
    ),
    claim(
        "CB-excess",
        "On the way startup makes a queue of up to two bandwidth-delay products.",
        paper="The same sentence: it creates up to 2 BDP of excess queue.",
        reading="At most, behind buffers of four and eight products, which have room for more.",
        criterion=Level(
            "startup",
            "longest queue",
            highest=2 * rules.BDP,
            at={"cc": "BBR", "room": ["4 BDP", "8 BDP"]},
            unit="packets",
        ),
        figures=("CB-F6",),
    ),
    claim(
        "CB-drain",
        "BBR drains the queue of its startup, CUBIC cannot.",
        paper="Figure 6: BBR completely drains its startup queue while CUBIC can't.",
        criterion=rules.drained,
        figures=("CB-F6",),
    ),
    claim(
        "CB-F7a",
        "CUBIC fills the buffer and then goes between 70 % and 100 % of it.",
        paper="Figure 7: CUBIC fills the available buffer, then cycles from 70 % to 100 % full "
        "every few seconds.",
        reading="The longest queue is 95 % of the buffer at least, and the 5th percentile within "
        "10 % of 70 % of it. The buffer is not printed: one to eight bandwidth-delay products.",
        criterion=across(
            _ROOMS.items(),
            lambda name, size: {
                f"longest at {name}": Level(
                    "settled",
                    "longest queue",
                    0.95 * size * rules.BDP,
                    at={"cc": "CUBIC", "room": name},
                    unit="packets",
                ),
                f"5th percentile at {name}": Level(
                    "settled",
                    "queue p5",
                    0.63 * size * rules.BDP,
                    0.77 * size * rules.BDP,
                    {"cc": "CUBIC", "room": name},
                    "packets",
                ),
            },
        ),
        why="CUBIC keeps 70 % of its window, not of the queue: of a buffer of X products 0.7 − "
        "0.3/X is left, which comes near 70 % only where the buffer is many products.",
        figures=("CB-F7", "CB-queue"),
    ),
    claim(
        "CB-F7b",
        "After its startup BBR has hardly any queue.",
        paper="Figure 7: after startup, BBR runs with essentially no queue.",
        reading="A tenth of CUBIC's at most, in the mean.",
        criterion=less("settled", "mean queue", "cc", "BBR", "CUBIC", by=0.9),
        differs="CUBIC's queue is equal to a tenth of a packet on the kernel and in the simulator. "
        "BBR's is 7.4 to 8.8 packets on the kernel, from run to run, and 6.8 in the simulator; "
        "with two runs of each setting the intervals are too wide behind 2 to 8 BDP. It is not "
        "known why BBR's queue is a packet longer on the kernel.",
        figures=("CB-F7", "CB-queue"),
    ),
    claim(
        "CB-F4",
        "BBR has one bandwidth-delay product in flight most of the time.",
        paper="Figure 4 and its text: BBR spends most of its time with one BDP in flight.",
        reading="The median, within 10 %.",
        criterion=rules.inflight,
        figures=("CB-F4",),
    ),
    claim(
        "CB-states",
        "BBR spends 98 % of its time in ProbeBW and the rest in ProbeRTT.",
        paper="Appendix: about 98 percent in ProbeBW; 200 ms of every ten seconds, roughly 2 "
        "percent, in ProbeRTT.",
        reading="Within 1 % of the time, after ten seconds.",
        criterion=rules.STATES,
        figures=("CB-F4",),
    ),
    claim(
        "CB-F5",
        "BBR follows a doubled bandwidth exponentially fast.",
        paper="Figure 5: 10Mbps and 40 ms, doubled after 20 s; BBR converges to the new rate "
        "exponentially fast, by probes of 1.25.",
        reading="Within five gain cycles: the text prints no time.",
        criterion=rules.doubled,
        figures=("CB-F5",),
    ),
    claim(
        "CB-F8",
        "Several flows converge to a fair share.",
        paper="Figure 8: flows on 100Mbps and 10 ms converge to a fair share; fairly quickly, "
        "within a few ProbeBW cycles.",
        reading="Five flows, Jain's index of at least 0.95 from 40 s to 60 s. Neither their number "
        "nor their starts are in the text.",
        criterion=Level("sharing", "jain_index", lowest=0.95),
        why="In the run of CB-F8 shares come together once all flows are in PROBE_RTT at the same "
        "time, which takes half a minute where they start apart.",
        figures=("CB-F8", "CB-F8-jain"),
    ),
)

QUESTIONS = (
    question(
        "CB-Q1",
        "What does BBR leave of the link for its low delay?",
        Effect("settled", "utilisation", "cc", "BBR", "CUBIC", better="more"),
        paper="Appendix: ProbeRTT costs roughly 2 percent.",
        figures=("CB-queue",),
    ),
    question(
        "CB-Q2",
        "What does the search for policers cost at random loss?",
        Effect(
            "loss",
            "goodput",
            "cc",
            "BBR",
            "BBR, no policer",
            {"loss": [0.05, 0.1, 0.15, 0.2]},
            better="more",
        ),
        paper="Section on policers: policer detection was added to BBR later.",
        figures=("CB-F10",),
    ),
)
