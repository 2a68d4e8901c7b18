"""First files for a user's own work, which run as they are: an algorithm, in Python or in Rust.

`filling` writes files from templates, for studies too; `algorithm` and `in_rust` have the templates
of a congestion control.
"""

from ackclock.templates.algorithm import KINDS, write_algorithm
from ackclock.templates.filling import SkeletonError, check_name, template, write_new
from ackclock.templates.in_rust import RUST_KINDS, write_in_rust

__all__ = [
    "KINDS",
    "RUST_KINDS",
    "SkeletonError",
    "check_name",
    "template",
    "write_algorithm",
    "write_in_rust",
    "write_new",
]
