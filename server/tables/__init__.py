"""Tables: the entries of a log, the table folded from them, the decisions about it, and who is shown what.

A `Room` is one table on this node; everything else here serves rooms or lists them.
"""
