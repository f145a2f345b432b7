"""Attacks on a running service, each with its figures and bounds (`make attack`), and a fuzzer (`make fuzz`).

docs/security.md describes what is attacked and how. The attacks use only what the protocol tells a stranger.
"""
