"""The conformance kit: a simulated server that puts a bot into one situation after another."""
