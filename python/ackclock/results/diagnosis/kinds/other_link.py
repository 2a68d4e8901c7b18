"""A link of the path that is not the scenario's bottleneck."""

from ackclock.results.diagnosis.facts import BUSY, FlowFacts, LinkFacts
from ackclock.results.diagnosis.limit import Kind, Limit
from ackclock.tables.quantities import quantity


def _is_intended(flow: FlowFacts, link: LinkFacts) -> bool:
    """Return whether the scenario names it a bottleneck, or names none and it is the slowest."""
    names = [link.name for link in flow.forward]
    called = [name for name in names if name.startswith("bottleneck")]
    if called:
        return link.name in called
    rates = [link.rate for link in flow.forward if link.rate is not None]
    return link.rate is not None and link.rate <= min(rates) * 1.001


def _find(flow: FlowFacts) -> Limit | None:
    """Find that the busiest link of the path, or the one that dropped, is not the bottleneck."""
    link = flow.link
    if link is None:
        return None
    dropping = flow.worst("dropped_forced")
    if flow.busy >= BUSY or (link.utilisation > 0.5 and (dropping is None or dropping is link)):
        if _is_intended(flow, link):
            return None
        share = flow.time.take("link", "forced", "early", "mark", "unreduced")
        what = (
            f"{link.name}, {quantity(link.rate, 'bit/s')}, was busy for {quantity(flow.busy, '%')} "
            "of its time"
        )
        bound = None if link.rate is None else link.rate * flow.payload_share
        limit = Limit(
            "other-link", "another link than the bottleneck", share, f"{what}; it gets "
                f"{quantity(flow.goodput, 'bit/s')}",
            link.rate_key, "raise it", bound, "the link's rate as payload",
        )  # fmt: skip
        return limit if share else None
    if (
        dropping is None
        or dropping is link
        or _is_intended(flow, dropping)
        or not flow.lost["forced"]
    ):
        return None
    share = flow.time.take("forced")
    if not share:
        return None
    sentence = (
        f"{dropping.row['dropped_forced']} packets were dropped on {dropping.name}, not on "
        f"{link.name}; {flow.of_link()}"
    )
    return Limit(
        "other-link",
        "another link than the bottleneck",
        share,
        sentence,
        dropping.limit_key,
        "raise it",
    )


KIND = Kind("other-link", "the other links of its path", _find)
