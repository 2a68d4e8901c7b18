"""Write files and folders so that a kill, a full disk or a failing disk loses nothing.

Files are written into a temporary folder beside their place (`ackclock.writing.staging`), flushed
to the disk, and moved into place in one step. A killed process leaves the temporary folder; the
next process that writes there finishes or removes it.
"""

from ackclock.writing.contents import CONTENTS, Kind, foreign_file
from ackclock.writing.errors import WriteError, reason_of
from ackclock.writing.file import check_file, whole_file, write_bytes, write_text
from ackclock.writing.folder import check_folder, recover, whole_files, whole_folder
from ackclock.writing.parquet import write_parquet
from ackclock.writing.staging import scratch

__all__ = [
    "CONTENTS",
    "Kind",
    "WriteError",
    "check_file",
    "check_folder",
    "foreign_file",
    "reason_of",
    "recover",
    "scratch",
    "whole_file",
    "whole_files",
    "whole_folder",
    "write_bytes",
    "write_parquet",
    "write_text",
]
