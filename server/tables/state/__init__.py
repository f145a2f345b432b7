"""What a table is: the entries of a log, the table folded from them, the decisions about it, and what may be shown.

All of it is computed from values: it reads no clock and no store.
"""
