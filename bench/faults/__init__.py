"""Faults: a real service on a real store, clients in all games, and a check of what they saw and were promised."""
