"""How the least of equal flows fares."""

import numpy as np

import ackclock as ac


@ac.metric(
    unit="1",
    of="run",
    source="Pham & Le, Improving the performance of TCP, 2005, section III (no flow is shut out)",
)
def least(result: ac.Result) -> float | None:
    """Goodput of the slowest flow over the mean of all; 1 is an equal share, 0 is shut out."""
    flows = result.flows
    rows = flows.filter(flows["part_of"].is_null()) if flows["part_of"].is_not_null().any() else flows
    goodput = np.asarray(rows["goodput"].to_numpy(), float)
    return float(goodput.min() / goodput.mean()) if len(goodput) and goodput.mean() > 0 else None
