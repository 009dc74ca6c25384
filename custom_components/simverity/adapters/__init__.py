"""The only code that touches the world: one file per boundary, none imports another."""
