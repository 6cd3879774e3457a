"""A window pushed along a line of cells, one place after another: where it fits and what it touches."""


def starts(length: int, kernel: int, stride: int, padding: int, dilation: int) -> list[int]:
    """Every place of the padded line at which the whole window lies inside."""
    found, start = [], 0
    while start + dilation * (kernel - 1) < length + 2 * padding:
        found.append(start)
        start += stride
    return found


def unseen(length: int, kernel: int, stride: int, padding: int, dilation: int) -> int:
    """How many of the cells themselves, not the padding, no window touches."""
    touched = set()
    for start in starts(length, kernel, stride, padding, dilation):
        for tap in range(kernel):
            touched.add(start + tap * dilation - padding)
    return sum(cell not in touched for cell in range(length))
