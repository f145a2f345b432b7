"""Processes: the command line, the settings, the supervisor with its embedded store, and the web server of a node."""
