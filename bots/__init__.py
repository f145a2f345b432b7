"""Bots: the SDK for authors, the house bots and their searches, the arena, analyses, and the conformance kit.

A bot sees what a person on its seat sees. Nothing here imports the server.
"""
