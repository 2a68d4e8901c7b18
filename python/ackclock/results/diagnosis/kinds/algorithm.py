"""The algorithm's own choice of window or rate."""

from ackclock.results.diagnosis.facts import FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity, times


def _find(flow: FlowFacts) -> Limit | None:
    """Find cwnd or pacing below the link's capacity that answered no loss or mark."""
    share = flow.time.take(
        "unreduced", *(["forced", "early", "mark"] if flow.keeps_own_window else [])
    )
    if not share:
        return None
    is_paced = flow.row["limited_pacing"] > flow.row["limited_cwnd"]
    window = (
        ""
        if not flow.bdp
        else (
            f", {quantity(flow.window / flow.bdp / flow.payload_share, '%')} of the "
            "bandwidth-delay product"
        )
    )
    used = f"it kept {quantity(flow.window, 'bytes')} in flight on average{window}"
    if is_paced:
        why = (
            f"{flow.cc} paced below what the link could take: its estimate of the bandwidth was "
            "too low, or it probed and drained"
        )
        title, kind = "pacing by the algorithm", "pacing"
    elif flow.answers_delay:
        why = f"{flow.cc} answers delay, and its RTT went from {_rtts(flow)}"
        title, kind = "cwnd by a delay-based algorithm", "algorithm"
    elif flow.is_blind or flow.is_own:
        why = f"{flow.cc} chose this window"
        if flow.keeps_own_window and flow.main_reason is not None:
            why += f", though cwnd was reduced only {times(flow.events(flow.main_reason))}"
        title, kind = "cwnd by the algorithm", "algorithm"
    else:
        why = "cwnd was still growing, and no loss or mark had reduced it"
        title, kind = "cwnd that was still growing", "algorithm"
    if flow.lost["wire"]:
        why += (
            f"; {quantity(flow.loss_share('wire'), '%', 2)} of its packets were lost on the wire, "
            "for which theory has no closed form here"
        )
    return Limit(
        kind,
        title,
        share,
        f"{why}; {used}; {flow.of_link()}",
        flow.key("cc"),
        "use another, or other options of it",
    )


def _rtts(flow: FlowFacts) -> str:
    smallest, p95 = flow.row["rtt_min"], flow.row["rtt_p95"]
    return f"{quantity(smallest, 's')} to {quantity(p95, 's')} (p95)"


KIND = Kind("algorithm", "the algorithm's own window and pacing", _find)
