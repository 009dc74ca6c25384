"""Append-only, hash-chained evidence. The writer and the verifier share no code."""
