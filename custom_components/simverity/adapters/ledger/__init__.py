"""The evidence ledger on disk."""
