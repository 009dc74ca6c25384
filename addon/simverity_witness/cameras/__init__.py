"""Receiving a camera's stream, and decoding it while somebody measures."""
