"""The engines of cards in a row: pure functions and small records, nothing public."""
