"""Tables: what a table is (`state/`), the tables that run on this node (`rooms/`), and finished games (`finished/`).

Each folder imports only from those named before it. Here are what checks due tables of all kinds, and the wiring.
"""
