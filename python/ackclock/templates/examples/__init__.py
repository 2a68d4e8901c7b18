"""The example scenarios that come with ackclock: found, described and copied.

Examples
--------
>>> from ackclock.templates.examples import find
>>> find("reno-one-flow").command
'run'
"""

from ackclock.templates.examples.catalogue import (
    Example,
    MissingExamplesError,
    examples,
    files,
    find,
)
from ackclock.templates.examples.copying import copy

__all__ = ["Example", "MissingExamplesError", "copy", "examples", "files", "find"]
