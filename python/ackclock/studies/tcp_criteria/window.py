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
