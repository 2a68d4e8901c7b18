"""Random scripts, played on the kernel's socket and the simulator's sender, compared by step."""
