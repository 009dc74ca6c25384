"""Fail unless the witness answers: what Docker's health check runs."""

import sys
import urllib.request

URL = "http://127.0.0.1:8127/v1/health"
PATIENCE = 5.0

if __name__ == "__main__":
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        opener.open(URL, timeout=PATIENCE).close()
    except OSError as error:  # a refusal by its status is one, too
        sys.exit(f"the witness does not answer: {error}")
