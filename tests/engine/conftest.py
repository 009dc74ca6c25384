"""Hypothesis without deadlines: how fast a busy machine is says nothing about the rules."""

from hypothesis import settings

settings.register_profile("engine", deadline=None)
settings.load_profile("engine")
