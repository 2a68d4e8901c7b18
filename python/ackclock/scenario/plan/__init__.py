"""The plan of a scenario: quantities in base units, and routes as lists of links.

The plan is the JSON border to the engine; ``crates/sim/src/plan.rs`` defines the keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.plan.bounds import check_link_steps, check_round_trips
from ackclock.scenario.plan.entries import draw_entries, flow_names
from ackclock.scenario.plan.flows import traffic_plans
from ackclock.scenario.plan.links import crossings_by_link, link_plan
from ackclock.scenario.plan.record import record_plan, sample_period_ps
from ackclock.scenario.plan.routes import bottlenecks, bottlenecks_first
from ackclock.scenario.quantities import LONGEST_PS, PS_PER_S, time_ps
from ackclock.scenario.topology import Router, directed_links

if TYPE_CHECKING:
    from ackclock.core_types.plan import Plan
    from ackclock.scenario.base import ScenarioTables

__all__ = ["bottlenecks", "flow_names", "make_plan", "sample_period_ps"]


def make_plan(scenario: ScenarioTables) -> Plan:
    """The plan of a scenario.

    Raises
    ------
    ScenarioError
        If the flows cannot reach each other, a time is beyond the engine's clock, a queue holds no
        packet, a name in `record` does not exist, or no flow ever starts.
    """
    links = bottlenecks_first(scenario, directed_links(scenario.network))
    entries = list(draw_entries(scenario, links, Router(links)))
    duration = time_ps(scenario.duration)
    if duration > LONGEST_PS:
        raise ScenarioError(
            f"'{scenario.duration}' is too long: at most 480h",
            key="duration",
            value=scenario.duration,
        )
    check_round_trips(entries)
    for link in links:
        check_link_steps(link, duration, scenario.folder)
    for entry in entries:
        late = next((flow for flow in entry.flows if flow.start_ps > LONGEST_PS), None)
        if late is not None:
            raise ScenarioError(
                f"'{entry.spec.start}': {late.name} starts at {late.start_ps / PS_PER_S:g} s, and "
                "the longest run is of 480h",
                key=f"{entry.key}.start",
                value=entry.spec.start,
            )
    first = min((flow.start_ps, flow.name) for entry in entries for flow in entry.flows)
    if first[0] >= duration:
        raise ScenarioError(
            f"'{scenario.duration}': impossible run: no flow starts before the end; the first, "
            f"{first[1]}, starts at {first[0] / PS_PER_S:g} s",
            key="duration",
            value=scenario.duration,
        )
    crossings = crossings_by_link(entries, len(links))
    link_plans = [
        link_plan(link, crossing, scenario.folder)
        for link, crossing in zip(links, crossings, strict=True)
    ]
    traffic = traffic_plans(scenario, entries, link_plans)
    return {
        "seed": scenario.seed,
        "draws_start_order": scenario.profile == "linux",
        "duration_ps": duration,
        "warmup_ps": time_ps(scenario.warmup),
        "links": link_plans,
        "flows": traffic.flows,
        "streams": traffic.streams,
        "sessions": traffic.sessions,
        "record": record_plan(scenario, entries, link_plans),
    }
