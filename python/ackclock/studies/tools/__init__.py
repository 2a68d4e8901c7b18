"""Tools for studies: find, check, begin, export, pack, verify, compare."""
