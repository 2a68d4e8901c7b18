"""The queues of a scenario as a shell script of Linux's tc commands."""

from __future__ import annotations

from ackclock.tools.tc.script import script_of

__all__ = ["script_of"]
