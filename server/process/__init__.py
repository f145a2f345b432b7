"""Processes: supervisor and children, embedded store, web server of a node, analyst; their settings, logs and metrics.

Also the command line, with the operator's commands for backups, moderation, repairs and replays.
"""
