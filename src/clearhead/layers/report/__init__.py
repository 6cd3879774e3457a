"""What was found, as a table, as JSON and as a picture."""
