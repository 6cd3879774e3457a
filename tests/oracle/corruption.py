"""What a span-corruption example must be, checked from the course's words alone: on padded strings x and y."""

PAD, MASK = "□", "⁇"


def faults_of(document: str, block: int, edition: str, x: str, y: str) -> list[str]:
    """Everything that is wrong with an example of a document that holds neither □ nor ⁇."""
    faults = []
    if len(x) != block - 1 or len(y) != block - 1:
        faults.append(f"x and y must be {block - 1} long: {len(x)}, {len(y)}")
    if x[1:] != y[:-1]:
        faults.append("y must be x moved by one")
    whole = (x + y[-1:]).rstrip(PAD)
    if PAD in whole:
        faults.append("pads stand at the end only")
    marks = 3 if edition == "xcs224n" else 2
    if whole.count(MASK) != marks:
        return [*faults, f"there must be {marks} marks: {whole.count(MASK)}"]
    if marks == 3 and not whole.endswith(MASK):
        faults.append("the third mark comes last")
    prefix, suffix, masked = whole.split(MASK)[:3]
    kept = prefix + masked + suffix
    if not document.startswith(kept):
        faults.append("prefix, masked and suffix must be the start of the document")
    longest = block * 3 // 4 if edition == "xcs224n" else block * 7 // 8
    if len(document) >= 4 and not 4 <= len(kept) <= min(longest, len(document)):
        faults.append(f"the document is cut to 4 … {longest}: {len(kept)}")
    if len(document) < 4 and kept != document:
        faults.append("a document shorter than 4 stays whole")
    return faults


def sizes(x: str, y: str) -> tuple[int, int]:
    """How long the document was cut, and how much of that was masked."""
    prefix, suffix, masked = (x + y[-1:]).rstrip(PAD).split(MASK)[:3]
    return len(prefix + suffix + masked), len(masked)
