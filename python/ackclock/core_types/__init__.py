"""Types of what crosses the border between Python and the compiled core.

`plan` holds the types of a plan, `rows` those of a run's rows and tables. ``python tools/border``
writes both from the core's own definitions.
"""
