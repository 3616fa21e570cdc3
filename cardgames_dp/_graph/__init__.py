"""Games as the backends see them: walked, laid out in arrays, diagonal by diagonal."""
