"""The variation of the window, which P4's figures are of; goodput has gaps at each repair besides."""

import numpy as np

import ackclock as ac


@ac.metric(unit="1", of="flows", over="mean", needs=["samples"], source="Pham & Le, Improving the performance of TCP, 2005, table 2")
def variation(result: ac.Result, flow: str) -> float | None:
    """Standard deviation over mean of a flow's cwnd over time, from the end of the warm-up."""
    samples = result.samples.flows
    one = samples.filter((samples["flow"].cast(str) == flow) & (samples["time"] >= result.warmup))
    cwnd = np.asarray(one["cwnd"].to_numpy(), float)
    return float(cwnd.std() / cwnd.mean()) if len(cwnd) > 1 and cwnd.mean() > 0 else None


@ac.metric(
    unit="1",
    of="run",
    needs=["samples"],
    source="variance of a sum: 1 for independent windows, sqrt(N) for N equal ones in step",
)
def in_step(result: ac.Result) -> float | None:
    """Standard deviation of the sum of the flows' windows over that of as many independent ones.

    The largest of the groups of flows (those of one `[[flows]]`), from the end of the warm-up.
    """
    samples = result.samples.flows
    late = samples.filter(samples["time"] >= result.warmup)
    groups: dict[str, list[np.ndarray]] = {}
    for flow in late["flow"].cast(str).unique().sort().to_list():
        one = late.filter(late["flow"].cast(str) == flow)
        name, _, number = flow.rpartition(".")
        group = name if number.isdigit() else flow
        groups.setdefault(group, []).append(np.asarray(one["cwnd"].to_numpy(), float))
    found = []
    for windows in groups.values():
        shortest = min(map(len, windows))
        each = np.stack([window[len(window) - shortest :] for window in windows])
        apart = float(np.sqrt(each.var(axis=1).sum()))
        if shortest > 1 and apart > 0:
            found.append(float(each.sum(axis=0).std()) / apart)
    return max(found, default=None)
