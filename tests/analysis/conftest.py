"""Hypothesis without deadlines: how fast a busy machine is says nothing about the analysis."""

from hypothesis import settings

settings.register_profile("analysis", deadline=None, max_examples=50)
settings.load_profile("analysis")
