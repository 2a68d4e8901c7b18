"""Random scripts, played on the real kernel's socket and on the simulator's sender, and compared step by step."""
