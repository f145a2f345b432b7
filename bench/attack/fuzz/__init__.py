"""Random frames for a given time (`make fuzz`): to sessions, to connections of a node, and over real sockets."""
