"""Write files and folders so that a kill, a full disk or a failing disk loses nothing.

Files are written into a temporary folder beside their place (`ackclock.atomic_io.staging`), flushed
to the disk, and moved into place in one step. A killed process leaves the temporary folder; the
next process that writes there finishes or removes it.
"""

from ackclock.atomic_io.beneath import (
    entries_of,
    files_of,
    has_file,
    is_file,
    is_folder,
    make_folders,
    make_place,
    open_file,
    read_bytes,
    read_json,
    read_table,
    read_text,
    remove_file,
    without_links,
)
from ackclock.atomic_io.chosen import chosen, refuse_links
from ackclock.atomic_io.contents import CONTENTS, Kind, foreign_file
from ackclock.atomic_io.errors import LinkError, WriteError, reason_of
from ackclock.atomic_io.file import check_file, whole_file, write_bytes, write_text
from ackclock.atomic_io.folder import check_folder, recover, whole_files, whole_folder
from ackclock.atomic_io.parquet import write_parquet
from ackclock.atomic_io.staging import scratch

__all__ = [
    "CONTENTS",
    "Kind",
    "LinkError",
    "WriteError",
    "check_file",
    "check_folder",
    "chosen",
    "entries_of",
    "files_of",
    "foreign_file",
    "has_file",
    "is_file",
    "is_folder",
    "make_folders",
    "make_place",
    "open_file",
    "read_bytes",
    "read_json",
    "read_table",
    "read_text",
    "reason_of",
    "recover",
    "refuse_links",
    "remove_file",
    "scratch",
    "whole_file",
    "whole_files",
    "whole_folder",
    "without_links",
    "write_bytes",
    "write_parquet",
    "write_text",
]
