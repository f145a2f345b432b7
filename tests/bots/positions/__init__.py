"""Positions with a known best move or a known bad one (tests/bots/test_positions.py)."""
