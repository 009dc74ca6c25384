"""The boundary to the witness app: messages, the connection, and the client that everybody uses."""
