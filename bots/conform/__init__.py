"""The conformance kit: it plays the server to somebody's bot, one situation after another."""
