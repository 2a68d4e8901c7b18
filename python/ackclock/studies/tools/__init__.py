"""What one does with studies beside running them: find, check, begin, export, pack, verify, compare."""
