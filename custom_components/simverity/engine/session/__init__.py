"""One session: its frozen manifest, its plan, its validity, its pairs and its card."""
