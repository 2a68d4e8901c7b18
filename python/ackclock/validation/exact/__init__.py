"""The simulator beside a kernel in virtual time, packet by packet."""
