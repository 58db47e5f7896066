"""Tables, columns and their domains."""
