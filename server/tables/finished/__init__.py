"""Finished games: the archive, replay files, their playback, remarks and analyses, and the files of `/data/`."""
