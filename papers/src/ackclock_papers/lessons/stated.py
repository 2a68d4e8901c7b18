"""Every number that the lessons state, with its words there and its measure in a run."""

from itertools import pairwise
from math import acos, ceil, cos, floor, inf, log, log2, pi
from statistics import mean

from ackclock_papers.lessons.measures import (
    PACKET_AT_10,
    PACKET_AT_50,
    Run,
    alone,
    burst,
    call,
    changes_of_window,
    counter,
    cut_time,
    cuts,
    delay_at,
    dropped,
    first_drop,
    full_at,
    internal,
    lost,
    lost_before,
    lost_share,
    mbit,
    most,
    most_in_flight,
    pacing_rate,
    peak,
    periods,
    phase_end,
    phase_length,
    probes_per_second,
    queue_delay,
    rtt,
    share,
    shared_losses,
    shrinking,
    slow_start_end,
    slow_start_window,
    ssthresh,
    waiting,
    window,
)
from ackclock_papers.lessons.number import (
    BASE,
    COUNT,
    DELAY,
    GROWTH,
    LOSS,
    LOSS_RATE,
    MBIT,
    MS,
    PACKETS,
    RATE,
    ROUND_DELAY,
    RTT,
    SCORE,
    SECONDS,
    SHARE,
    SHARE_OF_20,
    SHORT_TIME,
    TIME,
    TIMES,
    TRY_1,
    TRY_2,
    TRY_3,
    WINDOW,
    Kind,
    Number,
    formula,
    measured,
    nth,
)

# Lesson 1, slow start.
_CUBIC = measured("CUBIC")
_PATH = 0.060 / PACKET_AT_10
"""Packets that the path holds."""
_FIRST_ROUNDS = (
    "ns-3 delays ACKs from the first packet on, so windows of the first round trips are some "
    "packets smaller."
)

SLOW_START = (
    Number("initial window", "begins with {} packets", BASE(window, "reno", 0.1), PACKETS),
    Number("window at 0.17 s", "then {} at # s", BASE(window, "reno", 0.17), WINDOW),
    Number(
        "window at 0.23 s",
        "{} at # s and #",
        BASE(window, "reno", 0.23),
        WINDOW,
        differs=_FIRST_ROUNDS,
    ),
    Number("window at 0.31 s", "and {} at # s.", BASE(window, "reno", 0.31), WINDOW),
    Number("path by its rate and RTT", "path holds {} packets", formula(_PATH), PACKETS),
    Number("the queue is full", "full at {} s", BASE(full_at, 49), SHORT_TIME, 0.011),
    Number(
        "from the full queue to the first drop",
        "dropped {a moment later}",
        BASE(first_drop) - BASE(full_at, 49),
        SECONDS,
        lies=(0, 0.02),
    ),
    Number(
        "from the drop until the sender learns of it",
        "takes {} ms",
        (BASE(cut_time, "reno") - BASE(first_drop)) / formula(1e-3),
        Kind("ms", "20", 0.05, 20),
        20,
    ),
    Number(
        "window before the first cut", "once more, to {} packets", BASE(peak, "reno"), WINDOW, 1
    ),
    # RFC 5681, section 3.1: a window doubles in a round trip. A drop is learned of one round trip
    # after the window has filled the path and a queue of 50 packets.
    Number(
        "window before the first cut, by RFC 5681",
        "once more, to {} packets",
        formula(2 * (_PATH + 50)),
        PACKETS,
    ),
    Number("packets lost in the burst", "Therefore {} packets", BASE(burst), LOSS),
    Number(
        "ssthresh after it",
        "recovery then {halves} the window",
        BASE(ssthresh, "reno"),
        WINDOW,
        lies=(100, 102),
    ),
    Number(
        "growth of the window from 8 s to 9 s, about ten round trips",
        "adds {only one packet per round trip}",
        BASE(window, "reno", 9) - BASE(window, "reno", 8),
        GROWTH,
        lies=(8, 16),
    ),
    Number("doublings, by their factor", "log2(#) = {} doublings", formula(log2(10 / 2))),
    Number(
        "try 1: the first loss comes later by",
        "comes {} s later",
        TRY_1(cut_time, "reno") - BASE(cut_time, "reno"),
        SHORT_TIME,
        0.011,
        differs=_FIRST_ROUNDS,
    ),
    Number("try 1: packets lost in the burst", "", TRY_1(burst), LOSS),
    Number(
        "try 1: packets lost more than before",
        "{As many packets} are lost",
        TRY_1(lost, "reno") - BASE(lost, "reno"),
        lies=(0, 0),
    ),
    Number(
        "try 2: slow start goes on until",
        "goes on until {} s",
        TRY_2(cut_time, "reno"),
        SHORT_TIME,
        0.011,
    ),
    Number("try 2: window then", "a window of {} packets", TRY_2(peak, "reno"), WINDOW, 1),
    Number(
        "try 2: window then, by RFC 5681",
        "a window of {} packets",
        formula(2 * (_PATH + 200)),
        PACKETS,
    ),
    Number("try 2: largest RTT", "rises to {} ms", TRY_2(rtt, "reno", "max"), RTT, 5),
    Number(
        "try 2: largest RTT, of path and full queue",
        "rises to {} ms",
        formula(60 + 200 * 1e3 * PACKET_AT_10),
        MS,
    ),
    Number("try 2: packets lost", "and {} packets are lost", TRY_2(burst, 0.6), LOSS),
    Number(
        "try 3: HyStart ends slow start at",
        "slow start at {} s",
        TRY_3(slow_start_end, "reno"),
        SHORT_TIME,
    ),
    Number(
        "try 3: window then",
        "s and {} packets, because",
        TRY_3(slow_start_window, "reno"),
        WINDOW,
        1,
    ),
    Number(
        "try 3: packets lost in two seconds",
        "{} packets are lost in the first two",
        TRY_3(lost_before, "reno", 2),
        LOSS,
    ),
    Number(
        "try 3 with CUBIC behind HyStart: slow start ends at",
        "",
        _CUBIC(slow_start_end, "reno"),
        SHORT_TIME,
    ),
    Number(
        "try 3 with CUBIC behind HyStart: window then",
        "",
        _CUBIC(slow_start_window, "reno"),
        WINDOW,
    ),
)

# Lesson 2, AIMD and fairness.
_WITHOUT = measured("without ssthresh")
_LOSSES = "At # s they are # and # packets, at # s # and #, at # s # and #, and at # s # and #."
_ALONE = Kind("s", "10 %", 0.1, digits=1)
_VEGAS = (
    "Where Vegas comes to rest depends on each ACK of the slow start before; the lesson claims "
    "that the shares stay, and not which flow has more."
)


def _shared(run: Run, loss: int, flow: int, part: int) -> float:
    """Return of a shared loss the time (0) or the window (1) of a flow."""
    return shared_losses(run)[loss][flow][part]


def _halved(run: Run, loss: int, flow: int) -> float:
    """Return the window at a loss by arithmetic: both halve, and grow by as much until each."""
    first, *later = ([cut[1] for cut in both] for both in shared_losses(run)[: loss + 1])
    windows = first
    for measured_then in later:
        growth = (sum(measured_then) - sum(windows) / 2) / 2
        windows = [window / 2 + growth for window in windows]
    return windows[flow]


AIMD = (
    *(
        Number(
            f"loss {loss + 1}: window of the {('first', 'second')[part - 1]} flow"
            if part
            else f"shared loss {loss + 1}",
            nth(_LOSSES, 3 * loss + part),
            BASE(_shared, loss, max(0, part - 1), min(1, part)),
            WINDOW if part else TIME,
            within=None if part else 0.1,
        )
        for loss in range(4)
        for part in range(3)
    ),
    *(
        Number(
            f"loss {loss + 1}: window of the {name} flow, by arithmetic",
            nth(_LOSSES, 3 * loss + flow + 1),
            BASE(_halved, loss, flow),
            PACKETS,
            1.5,
        )
        for loss in range(1, 4)
        for flow, name in enumerate(("first", "second"))
    ),
    Number(
        "rate of the first flow from 20 s to 25 s",
        "flows get {} and #",
        BASE(share, "first", 20, 25),
        SHARE_OF_20,
        0.06,
    ),
    Number(
        "rate of the second",
        "flows get # and {} Mbit/s",
        BASE(share, "second", 20, 25),
        SHARE_OF_20,
        0.06,
    ),
    Number("a loss hits one flow alone", "here {} s", BASE(alone), _ALONE, (2.5, 0.5)),
    Number(
        "try 1: cuts are as rare as",
        "cuts are {four times} as rare",
        BASE(counter, "first", "recoveries") / TRY_1(counter, "first", "recoveries"),
        TIMES,
        lies=(3, 4.5),
    ),
    Number(
        "try 1: rate of the first flow from 20 s to 25 s",
        "are still {} and #",
        TRY_1(share, "first", 20, 25),
        SHARE_OF_20,
        0.06,
    ),
    Number(
        "try 1: rate of the second",
        "are still # and {} Mbit/s",
        TRY_1(share, "second", 20, 25),
        SHARE_OF_20,
        0.06,
    ),
    *(
        Number(
            f"{before}: rate of the {name} flow from 20 s to 25 s",
            "",
            measured(variant)(share, name, 20, 25),
            SHARE_OF_20,
        )
        for variant, before in (
            ("without ssthresh", "no ssthresh of the second"),
            ("try 1 without ssthresh", "try 1, no ssthresh of the second"),
        )
        for name in ("first", "second")
    ),
    Number("no ssthresh of the second: a loss hits one flow alone", "", _WITHOUT(alone), _ALONE),
    Number(
        "no ssthresh of the second: from loss to loss the difference shrinks to",
        "halving both windows {halves} the difference",
        _WITHOUT(shrinking),
        Kind("%", "10", 0, 10),
        lies=(40, 60),
    ),
    Number("mean queue delay", "on average in place of {} ms", BASE(queue_delay), ROUND_DELAY),
    Number(
        "try 2: cuts are as frequent as",
        "{more than three times} as frequent",
        TRY_2(counter, "first", "recoveries") / BASE(counter, "first", "recoveries"),
        TIMES,
        lies=(3, inf),
    ),
    Number(
        "try 2: mean queue delay in place of 22 ms",
        "fuller: {} ms",
        TRY_2(queue_delay),
        ROUND_DELAY,
    ),
    Number("try 3: mean queue delay", "shrinks to {} ms", TRY_3(queue_delay), ROUND_DELAY),
    Number(
        "try 3: rate of the first flow from 40 s to 50 s",
        "here at {} and #",
        TRY_3(share, "first", 40, 50),
        SHARE_OF_20,
        0.06,
        differs=_VEGAS,
    ),
    Number(
        "try 3: change of the first flow's rate in the next 10 s",
        "{stay where they came to rest}",
        TRY_3(share, "first", 50, 60) - TRY_3(share, "first", 40, 50),
        Kind("Mbit/s", "0.1", 0, 0.1, 1),
        lies=(-0.1, 0.1),
    ),
    Number(
        "try 3: packets lost",
        "{Nothing is lost}",
        TRY_3(dropped, 60) - TRY_3(dropped, 9),
        Kind("", "0"),
        lies=(0, 0),
    ),
    Number(
        "try 3: rate of the second",
        "here at # and {} Mbit/s",
        TRY_3(share, "second", 40, 50),
        SHARE_OF_20,
        0.06,
        differs=_VEGAS,
    ),
    *(
        Number(
            f"try 3: rate of the {name} flow from {begin} s to {begin + 10} s, too",
            words,
            TRY_3(share, name, begin, begin + 10),
            MBIT,
            0.06,
        )
        for name, words in (("first", "here at {} and #"), ("second", "here at # and {} Mbit/s"))
        for begin in (20, 50)
    ),
    *(
        Number(
            f"try 3: packets that the {name} flow lost",
            "{Nothing is lost}",
            TRY_3(lost, name),
            lies=(0, 0),
        )
        for name in ("first", "second")
    ),
)

# Lesson 3, CUBIC.
_CONVEX = "carries it on: # packets at # s, # at # s, # at # s"
_OVERSHOOT = (
    "With ns-3 the overshoot is 903 packets, and more are lost; Reno has no HyStart either, and "
    "its overshoot on the kernel is 958 to 960 packets."
)


def _kept(run: Run) -> float:
    """Return the share of its window that the loss at 16.8 s costs, %."""
    return 100 * (1 - ssthresh(run, "cubic", 16.8) / peak(run, "cubic", 16.8))


def _beta(run: Run) -> float:
    """Return the window after the loss at 16.8 s by RFC 9438, section 4.6, packets."""
    return 0.7 * peak(run, "cubic", 16.8)


def _greatest(run: Run) -> float:
    """Return W_max after the loss at 22.1 s by RFC 9438, section 4.7, packets."""
    return peak(run, "cubic", 22.1) * (1 + 0.7) / 2


def _curve(run: Run, time: float) -> float:
    """Return the window after it by RFC 9438, sections 4.1.2 (C = 0.4), 4.2 (K), 4.6, packets."""
    k: float = ((_greatest(run) - 0.7 * peak(run, "cubic", 22.1)) / 0.4) ** (1 / 3)
    # Congestion avoidance begins at 22.2 s, when the recovery of a round trip is over; half a
    # tenth of a second is 6 packets at 38 s.
    return _greatest(run) + 0.4 * float(time - 22.2 - k) ** 3


def _repeated(lengths: list[float]) -> float:
    """Return how often two long or two short periods follow one another."""
    return sum((before > 8) == (after > 8) for before, after in pairwise(lengths))


CUBIC = (
    Number(
        "window before the cut at 16.8 s", "goes from {} packets", BASE(peak, "cubic", 16.8), WINDOW
    ),
    Number("window after it", "packets to {}.", BASE(ssthresh, "cubic", 16.8), PACKETS),
    Number("window after it, by RFC 9438", "packets to {}.", BASE(_beta), PACKETS, 1),
    Number(
        "share of its window that a loss costs",
        "only {} % of its window",
        BASE(_kept),
        Kind("%", "0.5", 0, 0.5),
    ),
    Number("next loss", "full again at {} s", BASE(cut_time, "cubic", 22.1), TIME),
    Number("window then", "s, at {} packets.", BASE(peak, "cubic", 22.1), WINDOW),
    Number(
        "plateau after it, at 28 s",
        "aims lower, at {} packets",
        BASE(window, "cubic", 28),
        WINDOW,
        1,
    ),
    Number("plateau, by RFC 9438", "aims lower, at {} packets", BASE(_greatest), PACKETS),
    Number(
        "change of the window from 25 s to 30 s",
        "changes by {} packets",
        BASE(changes_of_window, "cubic", 25, 30),
        GROWTH,
    ),
    Number(
        "loss that ends the convex part",
        "until the loss at {} s",
        BASE(cut_time, "cubic", 33.8),
        TIME,
    ),
    Number(
        "peak then, above the last one by",
        "peak is {higher} than the last",
        BASE(peak, "cubic", 33.8) - BASE(peak, "cubic", 22.1),
        PACKETS,
        lies=(0.5, inf),
    ),
    Number("long period", "periods of {} s and # s", BASE(periods, "cubic", max), TIME),
    Number("short period", "periods of # s and {} s", BASE(periods, "cubic", min), TIME),
    Number(
        "periods like the one before",
        "s {alternate}",
        BASE(periods, "cubic", _repeated),
        lies=(0, 0),
    ),
    Number("goodput", "instead of {} Mbit/s", BASE(mbit, "cubic"), RATE),
    Number("packets lost in all", "in all, instead of {}.", BASE(lost, "cubic"), LOSS),
    Number("try 1: Reno's loss", "After the loss at {} s", TRY_1(cut_time, "cubic", 2.9), TIME),
    Number("try 1: window after it", "falls to {} packets", TRY_1(ssthresh, "cubic", 2.9), WINDOW),
    Number(
        "try 1: time to be back",
        "needs {} s",
        TRY_1(cut_time, "cubic", 27) - TRY_1(cut_time, "cubic", 2.9),
        TIME,
    ),
    # One packet per round trip, 80 ms while the window fits the path and longer with a queue.
    Number(
        "try 1: time to be back, by arithmetic",
        "needs {} s",
        formula(sum(max(0.080, packets * PACKET_AT_50) for packets in range(251, 502))),
        SECONDS,
        1.2,
    ),
    Number("try 1: goodput", "flow gets {} instead", TRY_1(mbit, "cubic"), RATE),
    *(
        Number(
            f"try 2: window at {time} s",
            nth(_CONVEX, at),
            TRY_2(window, "cubic", time),
            WINDOW,
            1.5,
        )
        for at, time in ((0, 30), (2, 35), (4, 38))
    ),
    *(
        Number(
            f"try 2: window at {time} s, by RFC 9438",
            nth(_CONVEX, at),
            BASE(_curve, time),
            PACKETS,
            6,
        )
        for at, time in ((0, 30), (2, 35), (4, 38))
    ),
    Number(
        "try 3: window of the overshoot",
        "overshoots to {} packets",
        TRY_3(peak, "cubic"),
        WINDOW,
        1,
        differs=_OVERSHOOT,
    ),
    Number(
        "try 3: packets lost in the burst",
        "loses {hundreds}",
        TRY_3(burst),
        LOSS,
        lies=(200, 999),
        differs=_OVERSHOOT,
    ),
    Number(
        "try 1: window of the overshoot, where Reno has no HyStart either",
        "",
        TRY_1(peak, "cubic"),
        WINDOW,
    ),
    Number("try 1: packets lost in that burst", "", TRY_1(burst), LOSS),
    Number(
        "try 3: packets lost in all",
        "hundreds: {} packets in all",
        TRY_3(lost, "cubic"),
        LOSS,
        differs=_OVERSHOOT,
    ),
)

# Lesson 4, bufferbloat and CoDel.
_GROWTH = "as here: # s at # s, # s at # s, # s at # s."
_HYSTART = "ns-3's CUBIC does not leave slow start by HyStart here, so the buffer fills sooner."

BUFFERBLOAT = (
    Number(
        "queue delay just before the download",
        "{for itself}",
        BASE(delay_at, 4.9),
        SECONDS,
        lies=(0, 0.006),
    ),
    *(
        Number(
            f"queue delay at {time} s",
            nth(_GROWTH, at),
            BASE(delay_at, time),
            SHORT_TIME,
            0.006,
            differs=differs,
        )
        for at, time, differs in ((0, 10, _HYSTART), (2, 15, _HYSTART), (4, 20, ""))
    ),
    Number(
        "first loss",
        "{nothing is lost before the buffer is full}",
        BASE(first_drop),
        SECONDS,
        lies=(19, inf),
    ),
    Number("score of the call", "opinion score of {},", BASE(call, "mos"), SCORE, 0.01),
    Number("goodput of the download", "of its {} Mbit/s", BASE(mbit, "download"), RATE),
    Number(
        "try 1: mean delay of the call's datagrams",
        "The call's datagrams take {} ms",
        TRY_1(call, "delay_mean"),
        DELAY,
    ),
    Number("try 1: score of the call", "its score is {} of", TRY_1(call, "mos"), SCORE),
    Number("try 1: goodput of the download", "keeps {} of", TRY_1(mbit, "download"), RATE),
    Number(
        "try 2: 95th percentile of the delay",
        "take less than {} ms",
        TRY_2(call, "delay_p95"),
        DELAY,
        (inf, 0),
    ),
    Number("try 2: least delay", "path alone takes {} ms", TRY_2(call, "delay_min"), MS),
    Number("try 3: longest queue delay, ms", "stays {} ms", TRY_3(queue_delay, "max"), DELAY),
    Number("try 3: goodput of the download", "", TRY_3(mbit, "download"), RATE),
    Number(
        "try 3: rate that the download loses",
        "{loses nothing of its rate}",
        BASE(mbit, "download") - TRY_3(mbit, "download"),
        MBIT,
        lies=(-0.02, 0.02),
    ),
    Number("try 3: datagrams lost, of 810", "call loses {} of", TRY_3(call, "lost_packets"), LOSS),
    Number("try 3: datagrams sent", "of {} datagrams", TRY_3(call, "sent_packets")),
)

# Lesson 5, BBR and its probes.
_RENO = measured("try 2 with Reno")

BBR = (
    Number("STARTUP ends", "By then, at {} s", BASE(phase_end, "STARTUP"), SHORT_TIME, 0.011),
    Number(
        "most packets in flight by then",
        "s, {} packets are in flight",
        BASE(most_in_flight, 1),
        Kind("", WINDOW.bar, WINDOW.share, WINDOW.amount),
    ),
    Number("DRAIN ends", "gone, at {} s", BASE(phase_end, "DRAIN"), SHORT_TIME, 0.011),
    Number(
        "probes per second",
        "{three times per second}",
        BASE(probes_per_second),
        Kind("", "10 %", 0.1, digits=1),
        lies=(2.8, 3.2),
    ),
    # Cardwell et al. 2016: one of eight minimum RTTs probes; PROBE_RTT takes 200 ms and a round
    # trip.
    Number(
        "probes per second, by the RTT",
        "{three times per second}",
        formula(1 / (8 * 0.040)),
        lies=(2.8, 3.2),
    ),
    Number(
        "packets that wait on average, 2 s to 10 s",
        "and # s {} packets wait",
        BASE(waiting, 2, 10, mean),
        Kind("", "0.5", 0.1, 0.5, 1),
    ),
    Number("at most", "on average, {} at most", BASE(waiting, 2, 10, max), Kind("", "2", 0, 2)),
    Number("PROBE_RTT begins", "RTT, at {} s", BASE(phase_end, "PROBE_BW"), SHORT_TIME, 0.011),
    Number(
        "PROBE_RTT takes", "packets for {} s", BASE(phase_length, "PROBE_RTT"), SHORT_TIME, 0.022
    ),
    Number(
        "shortest PROBE_RTT, by its rule",
        "packets for {} s",
        formula(0.2 + 0.040),
        SECONDS,
        (inf, 0),
    ),
    Number(
        "longest PROBE_RTT, with half a round trip to begin",
        "packets for {} s",
        formula(0.2 + 0.060),
        SECONDS,
        (0, inf),
    ),
    Number(
        "window in it",
        "holds the window at {} packets",
        BASE(window, "bbr", 10.2),
        Kind("packets", "0.1", 0, 0.1),
        0.01,
    ),
    Number(
        "try 1: pacing rate at 15.5 s",
        "BBR paces at {} Mbit/s",
        TRY_1(pacing_rate, 15.5, 15.65, mean),
        Kind("Mbit/s", "5 %", 0.05, digits=1),
    ),
    *(
        Number(
            f"try 1: {name} pacing rate then",
            "BBR paces at {} Mbit/s",
            TRY_1(pacing_rate, 15.5, 15.65, extreme),
            MBIT,
            (0.1, 0.3),
        )
        for name, extreme in (("lowest", min), ("highest", max))
    ),
    Number("try 2: goodput with 2 % of losses", "still gets {} Mbit/s", TRY_2(mbit, "bbr"), RATE),
    Number(
        "try 2: Reno's goodput there",
        "Reno gets {} there",
        _RENO(mbit, "bbr"),
        Kind("Mbit/s", "10 %", 0.1, digits=1),
        differs="ns-3 has no RACK, so Reno waits for timeouts where 2 % of the packets are lost.",
    ),
    Number(
        "mean queue delay of one flow", "on average in place of {} ms", BASE(queue_delay), DELAY
    ),
    Number("try 3: mean queue delay of two flows", "alone bound: {} ms", TRY_3(queue_delay), DELAY),
)

# Lesson 6, BBR beside CUBIC.
_GOODPUTS = (
    ("", "BBR", "warm-up BBR gets {} Mbit/s", BASE, None),
    ("", "CUBIC", "Mbit/s and CUBIC {}.", BASE, None),
    ("2 BDP: ", "BBR", "At # BDP BBR has {} Mbit/s", measured("2 BDP"), None),
    ("4 BDP: ", "BBR", "at # BDP {}; on Linux", measured("4 BDP"), None),
    ("try 1, 8 BDP: ", "BBR", "and BBR {} Mbit/s (on", TRY_1, 0.06),
    ("try 1, 8 BDP: ", "CUBIC", "CUBIC gets {} and BBR", TRY_1, 0.06),
    ("try 2, BBRv3: ", "BBR", "It gets {} Mbit/s", TRY_2, 0.06),
    ("try 2, BBRv3: ", "CUBIC", "leaves {} to CUBIC", TRY_2, 0.06),
    ("try 3, FQ-CoDel: ", "BBR", "half, # and {} Mbit/s", TRY_3, 0.06),
    ("try 3, FQ-CoDel: ", "CUBIC", "half, {} and # Mbit/s", TRY_3, 0.06),
)


def _lesser_rtt(run: Run) -> float:
    """Return the mean RTT of the flow that has the lesser one, ms."""
    return min(rtt(run, "bbr"), rtt(run, "cubic"))


def _min_rtt(run: Run) -> float:
    """Return the least RTT that BBR takes for the path's after 12 s, ms."""
    rows = internal(run, "min_rtt")
    return -1e3 * most(-rows.filter(rows["time"] > 12)["value"])


_GOODPUT = [
    Number(f"{before}goodput of {name}", words, of(mbit, name.lower()), SHARE, within)
    for before, name, words, of, within in _GOODPUTS
]
BESIDE = (
    *_GOODPUT[:2],
    Number("packets that CUBIC loses", "CUBIC loses {} %", BASE(lost_share, "cubic"), LOSS_RATE),
    Number("packets that BBR loses", "packets, BBR {} %", BASE(lost_share, "bbr"), LOSS_RATE),
    *_GOODPUT[2:6],
    Number(
        "try 1: the lesser mean RTT", "mean RTT of both is {} ms", TRY_1(_lesser_rtt), RTT, (0, 10)
    ),
    Number(
        "try 1: least RTT that BBR measures",
        "{never sees an empty queue}",
        TRY_1(_min_rtt),
        MS,
        lies=(130, inf),
    ),
    *_GOODPUT[6:],
    Number("try 3: packets that BBR loses", "BBR loses {} %", TRY_3(lost_share, "bbr"), LOSS_RATE),
)


# Lesson 7, unequal RTTs.
def _power(run: Run) -> float:
    """Return the power of the RTT with which the shares fall."""
    goodputs, rtts = (log(of(run, "near") / of(run, "far")) for of in (mbit, rtt))
    return -goodputs / rtts


UNEQUAL = (
    *(
        Number(f"{before}{figure} of the {name} flow", words, of(function, name), kind)
        for before, figure, name, words, of, function, kind in (
            ("", "mean RTT", "near", "RTTs are {} and # ms", BASE, rtt, RTT),
            ("", "mean RTT", "far", "RTTs are # and {} ms", BASE, rtt, RTT),
            ("", "goodput", "near", "near flow gets {} Mbit/s", BASE, mbit, SHARE),
            ("", "goodput", "far", "the far one {}, three", BASE, mbit, SHARE),
        )
    ),
    Number(
        "goodput of the near flow, times that of the far one",
        "{three and a half times} less",
        BASE(mbit, "near") / BASE(mbit, "far"),
        TIMES,
        lies=(3.4, 3.6),
    ),
    Number(
        "recoveries of the near flow",
        "near flow has {} recoveries",
        BASE(counter, "near", "recoveries"),
        COUNT,
    ),
    Number(
        "recoveries of the far flow",
        "recoveries and the far one {}.",
        BASE(counter, "far", "recoveries"),
        COUNT,
    ),
    Number("power of the RTT", "the power is {},", BASE(_power)),
    *(
        Number(f"{before}{figure} of the {name} flow", words, of(function, name), kind)
        for before, figure, name, words, of, function, kind in (
            ("try 1: ", "mean RTT", "near", "are then {} and # ms", TRY_1, rtt, RTT),
            ("try 1: ", "mean RTT", "far", "are then # and {} ms", TRY_1, rtt, RTT),
            ("try 1: ", "goodput", "near", "closer: {} and # Mbit/s", TRY_1, mbit, SHARE),
            ("try 1: ", "goodput", "far", "closer: # and {} Mbit/s", TRY_1, mbit, SHARE),
            ("try 2, FQ-CoDel: ", "goodput", "far", "far flow gets {} Mbit/s", TRY_2, mbit, SHARE),
            ("try 3, BBR: ", "goodput", "near", "against {} Mbit/s, on", TRY_3, mbit, SHARE),
            ("try 3, BBR: ", "goodput", "far", "gets more: {} against", TRY_3, mbit, SHARE),
        )
    ),
)

# Lesson 8, COS-Slow-Start.
_WINDOWS = "window is # packets, then #, #, #, # and #:"
_LOST = "s; {} packets are lost, and the"


def _cosine(rounds: int) -> float:
    """Return the window of Ru and Liu 2007, rounded down in the first half and up in the second."""
    most = int(20e6 * 0.1 / 8 / 1500) + 1
    length, half = log2(most), most / 2
    at = length / pi * acos(1 - (10 - 1) / half) + rounds
    packets = half - half * cos(pi * at / length) + 1
    return floor(packets) if at <= length / 2 else ceil(packets)


def _losses(run: Run) -> float:
    return len(cuts(run, "flow"))


COS = (
    Number("initial window", "initial window of {} enters", BASE(window, "flow", 0.2), PACKETS),
    *(
        Number(
            f"window after {rounds} round trip{'s' if rounds > 1 else ''}",
            nth(_WINDOWS, rounds - 1),
            BASE(window, "flow", 0.2 + rounds / 10),
            WINDOW,
        )
        for rounds in range(1, 7)
    ),
    *(
        Number(
            f"window after {rounds} round trip{'s' if rounds > 1 else ''}, by the formula",
            nth(_WINDOWS, rounds - 1),
            formula(_cosine(rounds)),
            PACKETS,
            0,
        )
        for rounds in range(1, 6)
    ),
    Number(
        "time that the receiver's window limits",
        "After one round trip {the window is}",
        BASE(counter, "flow", "limited_receive_window"),
        SECONDS,
        lies=(0, 0),
    ),
    Number(
        "longest queue of the first 1.5 s",
        "queue has {} at its longest",
        BASE(waiting, 0, 1.4999, max),
        Kind("packets", "1", 0, 1),
    ),
    Number("first loss", "loss comes at {} s", BASE(cut_time, "flow"), TIME),
    Number("losses", "the {first loss} comes", BASE(_losses), lies=(1, 1)),
    Number("goodput", "instead of {} Mbit/s", BASE(mbit, "flow"), RATE, 0.06),
    Number(
        "try 1, doubling: the buffer overflows",
        "{} s; # packets are lost, and the flow",
        TRY_1(first_drop),
        SHORT_TIME,
        0.006,
    ),
    Number("try 1: packets lost", f"{_LOST} flow", TRY_1(burst), LOSS),
    Number("try 1: packets lost in all", f"{_LOST} flow", TRY_1(lost, "flow")),
    Number("try 1: goodput", "flow gets {} instead", TRY_1(mbit, "flow"), RATE, 0.06),
    Number(
        "try 2: the buffer overflows",
        "steeper and overflows the buffer at {} s",
        TRY_2(first_drop),
        SECONDS,
        0.006,
    ),
    Number("try 2: packets lost", f"{_LOST} goodput", TRY_2(burst), LOSS),
    Number("try 2: packets lost in all", f"{_LOST} goodput", TRY_2(lost, "flow")),
    Number("try 2: goodput", "goodput is {} Mbit/s", TRY_2(mbit, "flow"), RATE),
    Number(
        "try 3: slow start ends", "slow start ends at {} s", TRY_3(cut_time, "flow"), SHORT_TIME
    ),
    Number(
        "try 3: slow start ends, by the flow",
        "slow start ends at {} s",
        TRY_3(counter, "flow", "slow_start_end_time"),
        SECONDS,
        0.006,
    ),
    Number("try 3: packets lost", "with {} packets lost", TRY_3(burst), LOSS),
    Number("try 3: packets lost in all", "with {} packets lost", TRY_3(lost, "flow")),
    Number("try 3: goodput", "flow gets {} Mbit/s, about", TRY_3(mbit, "flow"), MBIT),
)

NUMBERS = {
    "slow-start": SLOW_START,
    "aimd-fairness": AIMD,
    "cubic": CUBIC,
    "bufferbloat-codel": BUFFERBLOAT,
    "bbr-probes": BBR,
    "bbr-beside-cubic": BESIDE,
    "unequal-rtts": UNEQUAL,
    "cos-slow-start": COS,
}
"""By the lesson's name, in its order."""

VARIANTS: dict[str, dict[str, dict[str, str]]] = {
    # The kernel has HyStart in CUBIC alone, and its decision comes before the avoidance.
    "slow-start": {"CUBIC": {"flows.reno.cc": "cubic"}},
    # A connection of the kernel cannot begin with a threshold.
    "aimd-fairness": {
        "without ssthresh": {"flows.second.ssthresh": "unlimited"},
        "try 1 without ssthresh": {
            "network.bottleneck.delay": "40ms",
            "flows.second.ssthresh": "unlimited",
        },
    },
    "bbr-probes": {"try 2 with Reno": {"network.bottleneck.loss": "2%", "flows.bbr.cc": "reno"}},
    "bbr-beside-cubic": {
        f"{products} BDP": {"network.bottleneck.limit": f"{products}bdp"} for products in (2, 4)
    },
}
"""Runs of a lesson beside its own and its three things to try: what each changes."""
