"""The example scenarios that come with ackclock: found, described and copied.

Examples
--------
>>> from ackclock.examples import find
>>> find("reno-one-flow").command
'run'
"""

from ackclock.examples.catalogue import Example, MissingExamplesError, examples, files, find
from ackclock.examples.copying import copy

__all__ = ["Example", "MissingExamplesError", "copy", "examples", "files", "find"]
