"""Arguments, progress bars, limits of memory, workers, files: nothing about games."""
