"""Who makes the runs: threads, processes, Dask's workers, or any executor."""
