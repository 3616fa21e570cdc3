"""The classic games beside programs that were written for one of them alone."""
