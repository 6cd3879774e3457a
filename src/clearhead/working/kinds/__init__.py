"""The table of problem kinds: one file each, read when asked for."""

from clearhead.working.kinds.kind import KINDS, Kind, kind_named

__all__ = ["KINDS", "Kind", "kind_named"]
