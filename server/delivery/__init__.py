"""Bytes on their way out: frames, the outbox of each websocket, and fan-out to many of them.

Nothing here knows what a message means, who reads it or how it came to be sent.
"""
