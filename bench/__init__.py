"""Measurements: what a move costs, how that compares with others, and what faults and attacks do to a service."""
