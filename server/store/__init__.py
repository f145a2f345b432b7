"""What a node shares with the other nodes: the connection to Valkey or Redis, the keys, the logs and the channels.

Nothing here knows what an entry, a table or a client is: entries are bytes, tables are ids.
"""
