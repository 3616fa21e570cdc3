"""What all results are made of: records, tables, numbers as text, distributions."""
