"""Torch as nets use it: layers made, tensors put through them, functions and methods on the way. Torch itself is not needed."""
