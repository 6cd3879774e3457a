"""Files and signs: documents to text, tables and matrices taken out of it."""
