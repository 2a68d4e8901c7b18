"""Packetdrill scripts on the simulator's sender and receiver, and our own transcripts on a kernel.

`language` reads a script; `host` and `player` play it on ``ackclock._core.Bench``; `suite` runs many and knows what was expected
(`expectations`). `transcript` reads our own tests, `export` writes them as scripts, and `kernel` asks this machine's kernel about them.
"""
