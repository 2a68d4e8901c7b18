"""The queues of a scenario as commands of Linux's tc.

`commands_of` translates the links of a scenario; `script_of` writes the commands as a shell script.
A setting that tc cannot express becomes a note beside the commands.
"""

from __future__ import annotations

from ackclock.scenario.qdisc.tc_words import TcQdisc, limit_of
from ackclock.tools.tc.link import LinkCommands, commands_of, discipline_of
from ackclock.tools.tc.script import script_of

__all__ = ["LinkCommands", "TcQdisc", "commands_of", "discipline_of", "limit_of", "script_of"]
