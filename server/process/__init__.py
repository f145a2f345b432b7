"""Processes: supervisor and children, embedded store, web server of a node, analyst and adviser.

Their settings, logs and metrics, and the command line with the operator's commands for backups, moderation, repairs and
replays are here too.
"""
