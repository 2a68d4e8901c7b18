"""Everything in HTML: runs, sweeps, live pages, the playground."""
