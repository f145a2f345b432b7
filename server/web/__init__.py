"""The network side of a node: HTTP routes, websockets, keepalive pings and the handover of sockets between nodes.

It turns bytes into messages for a connection, and knows nothing of tables.
"""
