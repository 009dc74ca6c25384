"""The imperative shells: passive trials, qualification, sessions and standing, over the adapters and the engine."""
