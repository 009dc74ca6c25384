"""Prediction of risk where nothing was measured: fitted on calibration sessions, frozen, tested once (METHOD 7)."""
