"""The limits of requests, and what counts them: by connection, user, network address and node.

It imports nothing else of `requests/`.
"""
