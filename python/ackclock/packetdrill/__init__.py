"""Packetdrill scripts on the simulator's hosts, and ackclock's transcripts on a kernel.

The compiled core parses, plays and exports scripts. `script` gives it the `host` and runs the
code in a script with `asserting`; `suite` plays many and compares them with `expectations`;
`kernel` exports a `transcript` and runs it on this machine's kernel.
"""
