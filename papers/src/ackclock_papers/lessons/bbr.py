"""Numbers of lesson 5, BBR and its probes."""

from math import inf
from statistics import mean

from ackclock_papers.lessons.measures import (
    mbit,
    most_in_flight,
    pacing_rate,
    phase_end,
    phase_length,
    probes_per_second,
    queue_delay,
    waiting,
    window,
)
from ackclock_papers.lessons.number import (
    BASE,
    DELAY,
    MBIT,
    RATE,
    SECONDS,
    SHORT_TIME,
    TRY_1,
    TRY_2,
    TRY_3,
    WINDOW,
    Kind,
    Number,
    formula,
    measured,
)

VARIANTS = {"try 2 with Reno": {"network.bottleneck.loss": "2%", "flows.bbr.cc": "reno"}}
_RENO = measured("try 2 with Reno")

NUMBERS = (
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
