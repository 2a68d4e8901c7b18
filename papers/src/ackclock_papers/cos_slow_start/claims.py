"""Claims of Ru & Liu, sentence by sentence."""

from ackclock.studies.criteria import Growth, greater, less, no_more
from ackclock.studies.rules import Agreement, Rule
from ackclock_papers.builders import claim
from ackclock_papers.cos_slow_start import curves, recovery, short, theorem

_COS = ("cc", "cos+reno", "reno")
_OTHERS = ("0", "1", "3", "4", "8")
"""Values of sigma beside the paper's 2."""

_RESTARTS = (
    "With many connections a window is a few packets, and most slow starts follow a timeout, which "
    "leaves ssthresh at 2 or 3 packets (P1-T-timeouts). On the way there is no room for a curve: "
    "the first ACK brings COS to 2 packets, as it does Reno."
)
_TALL = (
    "In bits ssthresh is eight times as many packets as in bytes, and the buffer is still 20. "
    "Doubling's last round trip sends half of ssthresh more than the one before, COS's next to "
    "nothing (P1-F4): alone and with few connections doubling's burst is what overflows."
)
_DIFFERS = (
    "With 80 and 100 connections in bits COS loses some per cent fewer than Reno here, and some "
    "per cent more in ns-2. The reason is not known. It is none of these: windows with fractions "
    "of packets (P1-Q11), a first timeout as short as after a handshake in ns-2, and packets in "
    "place of ACKs along the curve of its plug-in. Where all connections are open before the first "
    "of them sends, no clear difference is left (P1-Q11): losses of handshakes contribute to it. "
    "But ns-2 has a handshake, too, a SYN that is answered by an ACK. Up to 20 connections, and in "
    "bytes, the two agree."
)

CLAIMS = (
    claim(
        "P1-F6a",
        "With COS-Slow-Start fewer packets are lost, at any number of connections.",
        paper="Figure 6: lost packets against the number of connections behind DropTail; the curve "
        "of COS lies below that of Reno.",
        reading="1 to 100 connections; each starts within the first second, since exactly together "
        "they would march in step. Where neither loses more than one packet there is nothing to "
        "judge.",
        criterion=less("lost-packets", "lost_packets", *_COS, floor=1),
        why=f"{_TALL} {_RESTARTS}",
        differs=_DIFFERS,
        figures=("P1-F6", "P1-F6-20", "P1-F6-change"),
    ),
    claim(
        "P1-F6b",
        "Losses grow slower with the number of connections with COS-Slow-Start than without.",
        paper="Figure 6: the gap between the curves widens with the number of connections.",
        criterion=Growth("lost-packets", "lost_packets", *_COS, along="connections"),
        why="As P1-F6a. Over few connections the slope is steeper because COS loses fewer where "
        "there are fewest; over a hundred the last points decide.",
        differs=_DIFFERS,
        figures=("P1-F6", "P1-F6-20"),
    ),
    claim(
        "P1-F7a",
        "Behind RED the queue is shorter in the mean while connections are in slow start.",
        paper="Figure 7: the instantaneous queue during slow start is smaller with COS.",
        reading="The paper gives neither RED's parameters nor the number of connections: both of "
        "RED's defaults, of ns-2.28 and of ns-2 before 2001, 1 to 20 connections, and as many "
        "round trips as slow start has.",
        criterion=less("red-queue", "mean queue", *_COS),
        why="COS's windows are the larger ones in every round trip but the last, so its queue "
        "builds up earlier; and it leaves slow start two packets below ssthresh, so the queue is "
        "shorter afterwards. The net effect depends on the overflow, since lost packets do not "
        "wait (P1-Q8).",
        figures=("P1-F7-curve", "P1-F7"),
    ),
    claim(
        "P1-F7b",
        "Behind RED the longest queue during slow start is shorter.",
        paper="Figure 7, read as the peak of the instantaneous queue.",
        reading="As P1-F7a.",
        criterion=less("red-queue", "longest queue", *_COS),
        why="Where either fills the buffer of 20 packets the peak is the buffer (P1-F7).",
        figures=("P1-F7-curve", "P1-F7"),
    ),
    claim(
        "P1-Ta",
        "Transfers take no longer with COS-Slow-Start.",
        paper="Effective transfer time, sending and transmission: no worse with COS.",
        reading="Time from SYN to the last byte acknowledged, mean over the connections; no worse: "
        "at most 1 % more.",
        criterion=no_more("lost-packets", "transfer_time", *_COS, margin=0.01),
        why="Most of a transfer is avoidance and timeouts, which are the same with both. Alone in "
        "bits COS's first large step meets the buffer a round trip before doubling's would: the "
        "cut meets the smaller window, and avoidance takes long to fill the path from there. With "
        "room for one packet more it does not (“bits, 20 wait”).",
        differs="Where one simulator says that transfers take as long and the other leaves it "
        "open, these seeds are too few for intervals of 1 %. For a single connection, where the "
        "claim is refuted, they agree.",
        figures=("P1-T", "P1-T-change"),
    ),
    claim(
        "P1-Tb",
        "Retransmissions after needless timeouts are avoided: there are fewer timeouts, and fewer "
        "retransmissions.",
        paper="Given as the reason for the shorter transfers.",
        reading="Where neither has more than one in any run there is nothing to judge.",
        criterion={
            "timeouts": less("lost-packets", "timeouts", *_COS, floor=1),
            "retransmissions": less("lost-packets", "retransmitted_packets", *_COS, floor=1),
        },
        why="As P1-F6a.",
        differs=_DIFFERS,
        figures=("P1-T-timeouts",),
    ),
    claim(
        "P1-U",
        "The link is used better with COS-Slow-Start.",
        paper="Utilisation rises: named among what COS improves, without a figure.",
        reading="Share of the time until the last file is there for which the bottleneck "
        "transmits.",
        criterion=greater("lost-packets", "utilisation", *_COS),
        why="Lost packets are sent twice, which keeps the link as busy: utilisation counts lost "
        "time, not lost packets. The time in which a timeout leaves the link idle decides "
        "(P1-T-timeouts).",
        differs="For a single connection, one packet more or less that is lost from the first "
        "burst decides; with ns-2's buffer, where both simulators lose the same packets, they "
        "agree. With many connections the time until the last file is there decides, and it "
        "spreads widely.",
        figures=("P1-U",),
    ),
    claim(
        "P1-U1",
        "In the first half of slow start the link is used better.",
        paper="The purpose of the curve's first half: bandwidth that doubling leaves unused at its "
        "beginning.",
        reading="Utilisation from the handshake to L/2 round trips, of 1 to 20 connections.",
        criterion=greater("first-half", "utilisation", *_COS),
        why="The cosine rises above doubling from the second round trip on (P1-F2).",
        figures=("P1-halves",),
    ),
    claim(
        "P1-B",
        "In the second half of slow start bursts are smaller, and so is their impact on the queue.",
        paper="The purpose of the curve's second half: its growth slows down where doubling's is "
        "largest.",
        reading="At the sender a burst is the growth of its window within a round trip. At the "
        "bottleneck, whose queue has no limit here, it is the depth of the token bucket, filled at "
        "the link's rate, that passes all packets from L/2 to L round trips; its impact is the "
        "longest queue.",
        criterion={
            "at the sender": Rule(
                "the largest growth of the window within a round trip from L/2 on is "
                "smaller than doubling's, in runs at every ssthresh",
                curves.judge_bursts,
                ("growth",),
            ),
            "at the bottleneck": less("second-half", "burst", *_COS),
            "longest queue": less("second-half", "longest queue", *_COS),
        },
        why="A window's growth is a burst, and COS's is the smaller one at its end. But packets in "
        "excess of the path wait, even if they come slowly: both windows end at ssthresh, and a "
        "queue without limit is as long with either. With several connections all windows together "
        "exceed the path before the second half ends, and COS's are the larger ones throughout.",
        figures=("P1-F4", "P1-halves"),
    ),
    claim(
        "P1-S1",
        "A short transfer that ends in the first half takes fewer round trips with COS-Slow-Start.",
        paper="The stated purpose: connections that live for a short time use the bandwidth "
        "better.",
        reading="Transfers from 2 packets up to the number that COS sends within the first L/2 "
        "round trips; never more round trips, and fewer in the mean over these sizes.",
        criterion={
            "formula": Rule(
                "at each ssthresh that is a power of two from 16 to 8,192 packets, no size "
                "takes more round trips and the mean over sizes is smaller",
                short.judge_rounds,
            ),
            "runs": Agreement(
                "round trips of transfers in runs against the formula",
                short.measured,
                0.0,
                ("growth",),
            ),
        },
        why="From a window of one packet the single ACK of the first round trip brings all of "
        "w(1), which is more than two packets.",
        figures=("P1-S1",),
    ),
    claim(
        "P1-S2",
        "Short transfers are faster with COS-Slow-Start.",
        paper="As P1-S1: short-lived connections, of which the web has most, use the bandwidth "
        "better.",
        reading="Transfers of 2 to 32 kB that arrive at random and offer a tenth or half of the "
        "link's rate; time from SYN to the last byte acknowledged.",
        criterion=less("short-flows", "transfer_time", *_COS),
        why="A round trip less, where nothing is lost (P1-S1). A transfer of two packets takes two "
        "round trips with both. Where COS is slower, the larger steps of its curve overflow the "
        "buffer (P1-Q12).",
        figures=("P1-S2",),
    ),
    claim(
        "P1-S3",
        "Web pages load faster with COS-Slow-Start.",
        paper="As P1-S2.",
        reading="3GPP2's model of pages, each object over a connection of its own, that offers a "
        "tenth or half of the link's rate.",
        criterion=less("web", "page_load_time", *_COS),
        why="As P1-S2: most objects are a few kB.",
        figures=("P1-S2",),
    ),
    claim(
        "P1-G",
        "COS-Slow-Start causes less global synchronisation.",
        paper="Named among the effects of slow start's bursts that COS avoids; without a figure.",
        reading="Mean share of the connections that lose a packet in a congestion epoch, in the "
        "first ten seconds of 5, 20 and 60 connections.",
        criterion=less("synchronisation", "synchronisation", *_COS),
        figures=("P1-G",),
    ),
    claim(
        "P1-J",
        "COS-Slow-Start causes less jitter of load and delay.",
        paper="Named with the global synchronisation; without a figure.",
        reading="Load: standard deviation over mean of the bytes that come to the bottleneck in "
        "100 ms. Delay: standard deviation of the wait in its queue. Runs as P1-G.",
        criterion={
            "load": less("synchronisation", "load_jitter", *_COS),
            "delay": less("synchronisation", "delay_jitter", *_COS),
        },
        figures=("P1-G",),
    ),
    claim(
        "P1-sigma",
        "A sigma of 2 packets is the best one.",
        paper="Sigma is set to 2 “by experiment”; smaller is smoother in theory.",
        reading="Neither lost packets nor transfer times are worse than with a sigma of 0, 1, 3, 4 "
        "or 8 packets: at most 1 % more.",
        criterion={
            f"{name}, beside {other}": no_more("sigma", response, "sigma", "2", other, margin=0.01)
            for name, response in (("losses", "lost_packets"), ("time", "transfer_time"))
            for other in _OTHERS
        },
        why="Avoidance adds the last sigma packets up to ssthresh at a packet per round trip: the "
        "larger sigma, the longer that takes.",
        figures=("P1-sigma",),
    ),
    claim(
        "P1-sigma-flat",
        "With too small a sigma the curve is too flat at its end.",
        paper="Given as the reason why sigma is not smaller.",
        reading="Growth per round trip where sigma ends the curve: smaller with 0 than with 2, and "
        "too small if below avoidance's packet per round trip.",
        criterion={
            "flatter": Rule(
                "w_a' at ssthresh − sigma is smaller for sigma = 0 than for sigma = 2 at "
                "every ssthresh from 8 to 10,000 packets",
                theorem.judge_flatter,
            ),
            "too flat": Rule(
                "w_a' at ssthresh − sigma is below 1 packet per round trip for sigma = 0 "
                "at every ssthresh from 8 to 10,000 packets",
                theorem.judge_too_flat,
            ),
        },
        why="The printed curve ends a packet above ssthresh, so that ssthresh itself is reached "
        "before the slope is 0.",
        figures=("P1-sigma",),
    ),
    claim(
        "P1-F2",
        "The windows of both slow starts follow their formulas, round trip by round trip.",
        paper="Figure 2: −(s/2) cos(πx/L) + s/2 + 1, rounded down in the first half and up in the "
        "second, against 2^x.",
        reading="The curve ends at s + 1; a sender stops at s. The exit rule sigma is set to 0, so "
        "that all of the curve is seen.",
        criterion=Agreement(
            "cwnd after each round trip of a run against the formula, ended at ssthresh",
            curves.windows,
            1e-6,
            ("growth",),
            "packets",
        ),
        figures=("P1-F2",),
    ),
    claim(
        "P1-F2b",
        "COS-Slow-Start needs as many round trips to ssthresh as doubling.",
        paper="Both need L = log2(ssthresh).",
        criterion=Agreement(
            "round trips of COS until ssthresh against those of doubling, in runs",
            curves.rounds,
            0.0,
            ("growth",),
        ),
        figures=("P1-F2",),
    ),
    claim(
        "P1-F3",
        "The straight line w_c lies between: COS is below it in the first half and as far above it "
        "in the second; doubling is below it throughout.",
        paper="Figure 3: the windows w_a and w_b with the line w_c = (2AB/π) x + 1, whose area "
        "equals w_a's.",
        reading="All three begin at 1; w_a and w_c end at s + 1, w_b at s.",
        criterion=Rule(
            "at each ssthresh that is a power of two from 8 to 8,192 packets, at 99 points of the "
            "curves: w_a < w_c before L/2 and w_a(x) + w_a(L − x) = 2 w_c(L/2) to 1e-9, w_b < w_c",
            theorem.judge_line,
        ),
        figures=("P1-F3",),
    ),
    claim(
        "P1-F4",
        "Doubling grows fastest at its very end, COS-Slow-Start half way, and ever slower from "
        "there.",
        paper="Figure 4: the growth rates w_b' = ln 2 · 2^x and w_a' = (s/2)(π/L) sin(πx/L).",
        criterion=Rule(
            "in runs with ssthresh a power of two from 64 on: doubling's largest growth per round "
            "trip is in its last, COS's within one round trip of L/2, and COS's last is below a "
            "quarter of doubling's last",
            curves.judge_growth,
            ("growth",),
        ),
        figures=("P1-F4",),
    ),
    claim(
        "P1-eta",
        "COS-Slow-Start is the more efficient: it sends more on the way to ssthresh, in as many "
        "round trips.",
        paper="η = Σ w(x_i) / (N · ssthresh); η_cos > η_exp.",
        reading="Over rounds 1 to N, as the paper sets w(x_0) to 0. Two other readings are "
        "computed too: rounds 0 to N − 1, which counts the packets sent, and the area under the "
        "curves, which the paper's proof uses.",
        criterion={
            "formula": Rule(
                "η_cos > η_exp at every whole ssthresh from 4 to 10,000, under all three readings",
                curves.judge_efficiency,
            ),
            "run": Rule(
                "η_cos > η_exp at every ssthresh that was run, from 4 to 10,000",
                curves.judge_measured,
                ("growth",),
            ),
        },
        figures=("P1-eta", "P1-eta-table"),
    ),
    claim(
        "P1-eta-c",
        "COS-Slow-Start is as efficient as the straight line w_c.",
        paper="η_c = η_a, by equal areas.",
        reading="As areas, integrated numerically, and as the sums over rounds 1 to N by which η "
        "is defined: exactly where N = log2(ssthresh) is whole, and within 1 % elsewhere, where "
        "the last round is cut short.",
        criterion={
            "areas": Rule(
                "equal to 1e-6 at 60 ssthreshes from 4 to 10,000 packets", theorem.judge_areas
            ),
            "sums, powers of two": Rule(
                "equal to 1e-9 at every power of two from 4 to 8,192 packets, w_a rounded and not",
                theorem.judge_sums_of_powers,
            ),
            "sums": Rule(
                "within 1 % at every whole ssthresh from 4 to 10,000 packets", theorem.judge_sums
            ),
        },
        why="Rounds x and L − x of the curve and of the line both add up to s + 2, and one is "
        "rounded up by as much as the other is rounded down. Where the last round is cut short, "
        "they have no such partners.",
        figures=("P1-F3", "P1-H"),
    ),
    claim(
        "P1-H",
        "Of two slow starts between the same ends, the one with the smaller second derivative is "
        "the more efficient.",
        paper="The general statement, proved by H(x), the difference of the two windows.",
        reading="Smaller throughout. The paper applies it to the line w_c and doubling, and η_c = "
        "η_a does the rest: COS's own second derivative is larger than doubling's at first, and "
        "smaller only later.",
        criterion={
            "pairs": Rule(
                "of 1,000 random pairs with ordered second derivatives, each has its "
                "efficiencies in the reverse order",
                theorem.judge_pairs,
            ),
            "line and doubling": Rule(
                "H = w_c − w_b > 0 inside, H'' < 0, and η_c > η_b at every whole ssthresh "
                "from 4 to 10,000 packets, under all three readings of η",
                theorem.judge_line_and_doubling,
            ),
        },
        why="H begins at 0, does not end below 0 and is concave: it is positive in between, and so "
        "is its sum over the rounds.",
        figures=("P1-H",),
    ),
    claim(
        "P1-AIMD",
        "At 7.2 Gbit/s and 100 ms, one loss costs Reno 40,000 round trips, or 70 minutes.",
        paper="Peak window 80,000 packets of 1500 bytes; 40,000 round trips, about 70 minutes, "
        "until it is back.",
        reading="The path alone holds 60,000 packets, not 80,000; with a buffer of a third of it "
        "both are true. Both are computed; the run is congestion avoidance from half of the path's "
        "window to all of it at a thousandth to a tenth of the rate, for the time is proportional.",
        criterion={
            "from the printed 80,000": recovery.from_peak(80_000),
            "from the path's 60,000": recovery.from_peak(60_000),
            "half a window of round trips, in runs": recovery.IN_RUNS,
        },
        figures=("P1-AIMD-table",),
    ),
)
