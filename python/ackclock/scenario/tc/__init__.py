"""The links of a scenario as commands of Linux's tc.

`commands_of` translates a link, for a script that a person runs and for the kernel's own links in
virtual time. A setting that tc cannot express becomes a note beside the commands.
"""

from __future__ import annotations

from ackclock.scenario.qdisc.tc_words import TcQdisc, limit_of
from ackclock.scenario.tc.link import LinkCommands, commands_of, discipline_of

__all__ = ["LinkCommands", "TcQdisc", "commands_of", "discipline_of", "limit_of"]
