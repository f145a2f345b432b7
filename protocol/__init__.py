"""The wire: messages, their encoding, and the conversation as a state machine. docs/protocol.md is the contract.

The test vectors are in `vectors/`. Nothing here imports anything else of ours.
"""
