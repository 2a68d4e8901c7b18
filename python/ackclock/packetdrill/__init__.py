"""Packetdrill scripts on the simulator's hosts, and ackclock's transcripts on a kernel.

`language` reads a script; `host` and `player` play it on ``ackclock._core.Bench``; `suite` plays
many and compares them with `expectations`. `transcript` reads ackclock's tests, `export` writes
them as scripts, and `kernel` runs these on this machine's kernel.
"""
