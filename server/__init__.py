"""The service: nodes over one store. `app.py` wires a node; docs/architecture.md has a picture of the folders."""
