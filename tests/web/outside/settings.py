"""A lesson's scenario, reduced to the settings that other simulators take."""

from typing import Any

from seen import Flow, Setting

PACKET = 1500


def setting(scenario: Any) -> Setting:
    """Read the resolved plan of a scenario."""
    plan = scenario.plan()
    bottleneck = next(link for link in plan["links"] if link["name"] == "bottleneck")
    qdisc = bottleneck["qdisc"]
    limit = qdisc.get("limit_packets") or int(qdisc.get("limit_bytes", 10**12)) // PACKET
    path = scenario.model_dump()["network"]["bottleneck"]
    rates = path["rate"] if isinstance(path["rate"], dict) else None
    steps = rates["schedule"] if rates else [["0s", path["rate"]]]
    return Setting(
        rate=bits(steps[0][1]),
        delay=seconds(path["delay"]),
        limit=limit,
        qdisc=qdisc["kind"],
        loss=path["loss"]["p"] if path.get("loss") else 0.0,
        later=(seconds(steps[1][0]), bits(steps[1][1])) if len(steps) > 1 else None,
        flows=tuple(_flow(scenario, flow) for flow in plan["flows"]),
        calls=bool(plan["streams"]),
        end=plan["duration_ps"] / 1e12,
        warmup=plan["warmup_ps"] / 1e12,
        period=plan["record"]["samples"]["period_ps"] / 1e12,
    )


def _flow(scenario: Any, flow: dict[str, Any]) -> Flow:
    given = next(entry for entry in scenario.model_dump()["flows"] if entry["name"] == flow["name"])
    transport = flow["transport"]
    threshold = transport["initial_ssthresh_bytes"]
    access = given.get("access") or {}
    return Flow(
        name=flow["name"],
        cc=flow["cc"],
        start=flow["start_ps"] / 1e12,
        extra=4 * seconds(access.get("delay", "0s")),
        ssthresh=round(threshold / transport["mss"]) if threshold else 0,
        window=transport["initial_window_bytes"] // transport["mss"],
    )


def bits(text: str) -> float:
    """A rate in Mbit/s, bit/s."""
    return float(text.removesuffix("Mbit/s")) * 1e6


def seconds(text: str) -> float:
    """A time in ms or s, s."""
    return (
        float(text.removesuffix("ms")) / 1e3
        if text.endswith("ms")
        else float(text.removesuffix("s"))
    )
