"""Games with loops: strong components, solved and proved."""
