"""Permission to run the user's code that a file names: ``python:MODULE:...``, studies.

A scenario, a file of golden cells, a result and an archive are data. A module that they name is
imported only if the user has asked for it: by trusting the folder, by `--allow-code`, or by typing
the module's name on the command line. `granting` decides; `folders` remembers trusted folders;
`locating` finds a module's files without importing anything.
"""

from ackclock.runtime.permission.folders import Trust, TrustError, trust, trust_new, trust_of_user
from ackclock.runtime.permission.granting import (
    NotTrustedError,
    Permission,
    Question,
    acting,
    admit,
    allow,
    announce,
    current,
    is_permitted,
    left_out,
    looking,
    modules_named,
    require,
    require_files,
    require_in,
    search_folders,
    seen,
    session,
    standing_for,
    what_was_left_out,
)
from ackclock.runtime.permission.locating import files_of, is_installed, stands_in

__all__ = [
    "NotTrustedError",
    "Permission",
    "Question",
    "Trust",
    "TrustError",
    "acting",
    "admit",
    "allow",
    "announce",
    "current",
    "files_of",
    "is_installed",
    "is_permitted",
    "left_out",
    "looking",
    "modules_named",
    "require",
    "require_files",
    "require_in",
    "search_folders",
    "seen",
    "session",
    "standing_for",
    "stands_in",
    "trust",
    "trust_new",
    "trust_of_user",
    "what_was_left_out",
]
