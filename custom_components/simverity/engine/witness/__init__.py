"""How a witness earns the right to testify, and what its samples prove."""
