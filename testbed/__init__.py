"""An emulated home as its own process: MQTT devices with real delays, and a camera that films them.

It imports neither Home Assistant nor the witness nor the engine: it is the world that they are tested against.
All instants are seconds on ``CLOCK_MONOTONIC`` (``time.monotonic()``).
"""
