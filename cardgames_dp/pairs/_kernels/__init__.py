"""The engines of Pairs: no checks of arguments, nothing public."""
