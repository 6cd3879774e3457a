"""A trusted file of a net, run in a process of its own on tensors without numbers -> the same analysis as reading gives."""

from clearhead.tracing.child_process import trace

__all__ = ["trace"]
