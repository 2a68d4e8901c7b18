"""P4-B1's score: whole files, in any number of parts."""

import ackclock as ac


@ac.metric(
    unit="1",
    of="run",
    needs=["transfers"],
    source="Pham & Le, Improving the performance of TCP, 2005, test bench (score)",
    limits=(0.0, float("inf")),
)
def files(result: ac.Result) -> float:
    """Files that finished before the run ended.

    A file is a transfer over one connection, or the page that holds its parts.
    """
    rows = result.transfers
    return float((rows["kind"].is_in(["file", "page"]) & rows["finish_time"].is_not_null()).sum())
