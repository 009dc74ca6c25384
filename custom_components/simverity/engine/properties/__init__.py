"""The frozen monitors: one property, one file, one row in the table."""
