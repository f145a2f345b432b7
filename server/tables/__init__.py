"""Tables: what a table is (`state/`), the tables that run on this node (`rooms/`), and finished games (`finished/`).

Each folder imports only from those named before it. Beside them are the check of due tables, tasks that nobody awaits,
and the wiring of this layer.
"""
