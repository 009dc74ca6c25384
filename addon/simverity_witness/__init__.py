"""The camera witness: says when the light of a lamp really changed, from a camera's stream, and keeps no picture."""

API_VERSION = 1
"""Version of the messages (contracts/README.md)."""
APP_VERSION = "0.1.0"
