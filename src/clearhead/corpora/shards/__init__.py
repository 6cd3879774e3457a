"""Corpora larger than memory: files to tokenised shards, made side by side, and read back a window at a time."""
