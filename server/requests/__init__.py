"""What clients ask for: one handler for each request of docs/protocol.md, and the connection that dispatches to them.

A handler answers every request exactly once, with `Ok`, its own answer or an error.
"""
