"""A working on paper and on screen: one renderer a file, all of them saying what `page` says."""

from clearhead.working.render.renderers import RENDERERS, form_for, render

__all__ = ["RENDERERS", "form_for", "render"]
