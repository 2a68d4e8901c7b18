"""Packs folders of results into archives, repeats their runs, and compares two of them.

A folder or an archive may come from anybody. It is data: nothing in it is run unasked, and it is
unpacked into a temporary folder alone.
"""
