"""Text to ids and back: characters, byte pairs, words, the names of classes."""
