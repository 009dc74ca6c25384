"""The measurement rules, pure: standard library only, no clock, no I/O, no randomness of its own."""
