"""What several models are built of: caches, a memory of phrases, rotary places, a window of attention."""
