"""Prediction of risk: fitting, evaluating once, and regenerating what was published."""
