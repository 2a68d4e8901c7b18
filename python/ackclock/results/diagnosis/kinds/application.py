"""Lack of data: what the application writes, and when it has no connection open."""

from ackclock.results.diagnosis.facts import FlowFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity

_WAYS = {
    "on-off": ("its application pauses between bursts", "shorten its pauses"),
    "application-limited": ("its application writes {rate}", "raise its rate"),
    "writes": ("its application writes at the times that the scenario gives", "write more"),
    "file": ("nothing is left to send while the last packets are acknowledged", "send more"),
    "bulk": ("the application had stopped, or the connection was not open yet", ""),
    "web": ("it waits between pages and for answers", "shorten think times or raise sizes"),
    "request-response": (
        "it waits between requests and for answers",
        "shorten think times or raise sizes",
    ),
    "incast": (
        "it waits for the other servers and between rounds",
        "shorten its gap or raise sizes",
    ),
    "adaptive-video": (
        "the player's buffer is full, so it asks for nothing",
        "raise the encoded rates",
    ),
    "repeated": ("it waits between its files", "shorten its pauses"),
    "short-flows": ("nothing is there to move between arrivals", "raise its load"),
}


def _find(flow: FlowFacts) -> Limit | None:
    """Find the time with nothing to send, and a session's time without a connection."""
    session = flow.run.sessions.get(flow.name)
    if session is None and flow.plan["app"]["kind"] == "file" and flow.time["slow_start"]:
        # The last wait of a transfer that ends in slow start is a part of its few round
        # trips.
        flow.time.move("application", "slow_start")
    elif (
        session is None
        and flow.plan["app"]["kind"] == "file"
        and flow.main_reason
        and flow.time[flow.main_reason]
    ):
        # All data is sent, and its losses are repaired.
        flow.time.move("application", flow.main_reason)
    app = flow.plan["app"] if session is None else session["app"]
    share = (
        flow.time.take("application", "idle")
        if session is not None
        else flow.time.take("application")
    )
    if not share:
        return None
    why, advice = _WAYS.get(app["kind"], ("its application has nothing to send", "send more"))
    rate = app.get("rate_bps")
    why = why.format(rate="little" if rate is None else quantity(float(rate), "bit/s"))
    bound = float(rate) if rate is not None and app["kind"] == "application-limited" else None
    law = None if bound is None else "the application's rate"
    return Limit(
        "application",
        "lack of data",
        share,
        f"{why}; {flow.of_link()}",
        flow.key("app"),
        advice,
        bound,
        law,
    )


KIND = Kind("application", "the application", _find)
