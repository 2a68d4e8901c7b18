"""Papers on TCP congestion control, executed: a study for ackclock in each folder."""
