"""A metric of the user's: docs/metrics.md says all that it may do."""

import ackclock as ac


@ac.metric(unit="1", needs=["samples"])
def long_queue(result, *, above=20):
    """Share of the samples in which more than `above` packets wait at the bottleneck."""
    samples = result.samples.links.filter(result.samples.links["link"] == result.links["name"][0])
    return (samples["queue_packets"] > above).mean()
