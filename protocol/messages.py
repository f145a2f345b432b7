"""Every message of the protocol, in two closed unions named by the sender. docs/protocol.md is the contract.

They are defined in client_messages.py and server_messages.py. Everything is imported from here.
"""

# ruff: noqa: F403, F405

from protocol.base import *
from protocol.client_messages import *
from protocol.server_messages import *

ClientMessage = (
    Hello
    | Ping
    | Rename
    | Lobby
    | Create
    | PlayOn
    | Remark
    | ViewFile
    | Open
    | Close
    | History
    | Sit
    | Leave
    | Back
    | Bot
    | Start
    | Move
    | Advise
    | Say
    | Rematch
    | Token
    | Tokens
    | Revoke
    | Bots
    | Invite
    | Decline
    | Practice
    | Dismiss
    | Readmit
    | Configure
    | Consent
    | Appoint
    | Change
    | Swap
    | CloseTable
    | Block
    | Unblock
    | Blocks
    | Report
    | Rotate
    | Forget
    | Kept
)

ServerMessage = Welcome | Ok | Advice | Error | Table | Update | Tables | Chat | Seated | Invited | Dismissed | Bye
