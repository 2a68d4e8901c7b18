"""Results in a folder: each result's kind, age, figures and size; and its removal.

`kinds` recognises a result by its files, `figures` reads its key figures, `listing` walks through a
folder, `pruning` removes results and never a file of the user.
"""

from ackclock.tools.runs.entry import Entry
from ackclock.tools.runs.listing import entries, find, latest
from ackclock.tools.runs.pruning import Refusal, prune, refusal_of

__all__ = ["Entry", "Refusal", "entries", "find", "latest", "prune", "refusal_of"]
