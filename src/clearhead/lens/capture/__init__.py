"""From a model and a text to the attention it paid: our own models, plain arrays, Hugging Face folders."""
