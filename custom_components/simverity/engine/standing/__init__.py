"""The disposition that stands between sessions: anytime-valid, since people look all the time (METHOD, section 6)."""
