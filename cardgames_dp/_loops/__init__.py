"""Games in which plays come back to a state: strong components, solved and proved."""
