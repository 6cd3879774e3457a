"""A run, a Hugging Face folder or plain weights, and a text, to the attention that was paid, and what mattered."""

from clearhead.lens.look import Look
from clearhead.lens.looking import Wanted, look
from clearhead.lens.looks import LayerLook, Seen

__all__ = ["LayerLook", "Look", "Seen", "Wanted", "look"]
