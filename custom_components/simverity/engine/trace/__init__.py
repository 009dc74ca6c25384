"""What was observed of a trial, and its alignment to the six stages."""
