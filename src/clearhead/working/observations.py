"""What can be said about an attention map, each sentence computed from the weights and literally true of them."""

from clearhead.working.steps import Working


def observe_maps(working: Working) -> list[str]:
    """Observations on every attention map of a working."""
    return []
