"""Readings of the settings that the paper leaves open."""

from ackclock.studies.reading import Reading
from ackclock_papers.builders import choices

_GIVING = "giving the shrink back"
_MOVED = ("bound 2 ms", "bound 5 ms", "bound 20 ms", "bound 40 ms", "pace 5", "pace 10", "pace 100")


def _in_place(variant: str, settings: str = "", cycle: str = "") -> dict[str, dict[str, str]]:
    """Return the axes on which a reading looks at other labels.

    They are `cc`, and the axes of the settings of the shrink and of the cycle alone.
    """
    swaps = {"cc": {"lowlat": f"lowlat, {variant}"}}
    if cycle:
        swaps["cc"]["400 ms alone"] = f"400 ms alone, {cycle}"
    if settings:
        swaps["variant"] = {
            "default": {"at once": "given back at once", "in 30": "given back in 30"}[settings],
            **{label: f"{label}, {settings}" for label in _MOVED},
        }
    return swaps


READINGS = (
    Reading(
        "as printed",
        "The shrink is never given back. The RTT is stable while its variance is at most 0.3 of "
        "its mean, both of times in ms. In DRAIN, on leaving it and in PROBE_RTT the shrink is "
        "left alone. MaxStableDuration is looked at where a phase ends.",
        "Only the printed text. The algorithm has a line that adds to the cumulative shrink and "
        "none that takes from it. A variance over a mean has a unit; all times of the paper are in "
        "ms, and in s the ratio would exclude nothing.",
        topic="the improved BBR",
    ),
    Reading(
        "at once",
        "While the queueing delay is below its bound, the whole shrink is given back at the next "
        "ACK.",
        "Lines are lost in print, so there may have been some; the shortest would set the shrink "
        "to zero.",
        _in_place("at once", "at once"),
        topic=_GIVING,
    ),
    Reading(
        "in 30",
        "While the queueing delay is below its bound, each round trip gives back 1/30 of the "
        "shrink.",
        "As slowly as it is taken: cwnd_pace is 30.",
        _in_place("in 30", "in 30"),
        topic=_GIVING,
    ),
    Reading(
        "any ACK",
        "MaxStableDuration is looked at by every ACK: a stable phase is cut short.",
        "“Duration” says that the stable phases last no longer. The paper's text judges where the "
        "next phase would begin.",
        _in_place("any ACK", cycle="any ACK"),
        topic="MaxStableDuration",
    ),
    Reading(
        "variance in s",
        "Stable: the variance over the mean is at most 0.3, both of times in s.",
        "The base unit. The ratio is then below 0.3 for any RTT that these experiments have: there "
        "is no such test.",
        _in_place("variance in s"),
        topic="stability",
    ),
    Reading(
        "deviation",
        "Stable: the standard deviation over the mean is at most 0.3.",
        "The only ratio of the two that has no unit, as a bare 0.3 suggests.",
        _in_place("deviation"),
        topic="stability",
    ),
    Reading(
        "reset",
        "DRAIN and PROBE_RTT set the shrink to zero, and in the last second before PROBE_RTT it is "
        "left alone.",
        "The window that the shrink is taken from does not apply there; “near PROBE_RTT” may mean "
        "before it, too.",
        _in_place("reset"),
        topic="DRAIN and PROBE_RTT",
    ),
    Reading(
        "all earlier",
        "Given back in 30 round trips, reset, judged by the deviation, and MaxStableDuration at "
        "any ACK.",
        "The choice of this study until it had readings.",
        _in_place("all ours", cycle="any ACK"),
        topic="all of these",
    ),
)

CHOICES = choices("""
    network | dumbbell, 10 Mbit/s, 60 ms unless said; an ACK for two segments.
    buffer | 1000 packets, 20 bandwidth-delay products, so that nothing is lost; 100 packets on
      short paths.
    transport | SACK, RACK and the rate samples of Linux (profile rfc).
    BBR's two patches | drain to target and early probe exit, options of bbr; “patched” in figures.
    the improvements | gains: window of one product, 6/5 and 4/5; shrink: cumulative_shrink;
      carry-over: carry_over_bw; short cycle: max_stable_duration 400 ms. Each alone is on top of
      plain BBR; lowlat is all four with both patches.
    PROBE_RTT “is left faster” | as Linux has it, when data comes again after a pause; a shorter
      PROBE_RTT would leave nothing for the carry-over to do.
    RTTs that stability is judged by | samples of the last 10 to 20 round trips, as far as the
      bandwidth filter looks back; the paper does not say.
    ns-3's inputs | quirks=ns3.35: the inputs of ns-3's BBR from release 3.35 to 3.40, as its
      history has them. intervals: the ACK interval of a rate sample begins where that of the sample
      before began (mended in 3.41). stale: where a sample is invalid, the last counts again (3.42).
      srtt: the smoothed RTT in place of the RTT (3.43). dips: samples of PROBE_RTT count in full
      (3.45). Everything else, hosts included, is ackclock's.
    starts | uniform over a tenth of a second: the paper says together.
""")
