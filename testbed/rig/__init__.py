"""Puts the real things together: the emulated home, the witness and a running Home Assistant, each its own process.

It imports neither Home Assistant nor the witness nor the engine: it starts them and speaks to them as a person's
browser would. Instants are seconds on ``CLOCK_MONOTONIC``.
"""
