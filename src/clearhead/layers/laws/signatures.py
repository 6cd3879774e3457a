"""Arguments bound by torch's own signatures, as its constructors bind them."""

import ast
from difflib import get_close_matches
from functools import cache
from typing import Any

from clearhead.layers.source.fixes import RenameArgument
from clearhead.layers.values.refusals import Refusal


@cache
def parameters(signature: str) -> tuple[tuple[str, ...], dict[str, Any], bool]:
    """Names in order, defaults, and whether anything else is taken too."""
    parsed = ast.parse(f"def layer({signature}): pass").body[0]
    assert isinstance(parsed, ast.FunctionDef)
    names = tuple(each.arg for each in parsed.args.args)
    values = [ast.literal_eval(each) for each in parsed.args.defaults]
    defaults = dict(zip(names[len(names) - len(values) :], values, strict=True))
    return names, defaults, parsed.args.vararg is not None


def fill(kind: str, signature: str, values: list[Any], named: dict[str, Any]) -> dict[str, Any]:
    """The value of every argument; refuses what torch's constructor would."""
    names, defaults, anything = parameters(signature)
    if anything:
        return {}
    shown = ", ".join(name for name in names if name not in ("device", "dtype"))
    if len(values) > len(names):
        raise Refusal(f"takes at most {len(names)} arguments ({shown}) and gets {len(values)}")
    found = dict(zip(names, values, strict=False))
    for name, value in named.items():
        if name not in names:
            free = [each for each in names if each not in found and each not in named]
            near = get_close_matches(name, free, n=1, cutoff=0.6)
            hint = f"; did you mean {near[0]}?" if near else f"; it has {shown}"
            raise Refusal(f"has no argument {name}{hint}", *((RenameArgument(name, near[0]),) if near else ()))
        if name == "proj_size" and kind in ("RNN", "GRU"):  # torch refuses the word itself, also with 0
            raise Refusal(f"proj_size is for LSTM only; this is {kind}")
        if name in found:
            raise Refusal(f"gets {name} twice")
        found[name] = value
    missing = [name for name in names if name not in found and name not in defaults]
    if missing:
        raise Refusal(f"needs {', '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not given")
    return {name: found[name] if name in found else defaults[name] for name in names}
