"""The engines of played games: no checks of arguments, nothing public."""
