"""Runs to folders that others open, and back: safetensors, a config, a tokenizer and a model card."""
