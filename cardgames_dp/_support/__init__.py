"""What knows nothing of games: arguments, doors, bars and limits, workers, files."""
