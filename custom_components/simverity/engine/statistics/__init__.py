"""Rates with their exact intervals; never a number without its evidence."""
