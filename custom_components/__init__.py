"""The folder from which Home Assistant loads custom integrations; HACS takes the one inside."""
