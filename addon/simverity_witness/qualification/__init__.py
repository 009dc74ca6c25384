"""Earning the right to testify (METHOD 4): from raw readings to a frozen record, or to refusals."""
