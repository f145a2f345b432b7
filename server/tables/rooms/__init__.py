"""The tables that run on this node: a `Room` for each, its viewers, the lobby, presence, and the service's clock."""
