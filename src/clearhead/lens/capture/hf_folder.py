"""A Hugging Face folder or model and a text to a look.

Nothing is fetched, and no code of a folder is ever run: a folder that needs its own code is refused.
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import torch
from torch import Tensor

from clearhead.errors import InputError, MissingExtraError
from clearhead.lens.capture.hf_attention import layers_of_calls, layers_of_outputs, passed_through
from clearhead.lens.capture.hf_guesses import hf_guesses
from clearhead.lens.capture.token_names import named_by
from clearhead.lens.looks import LayerLook, Seen

TOKENIZERS = ("tokenizer.json", "vocab.json", "vocab.txt", "tokenizer.model", "spiece.model", "sentencepiece.bpe.model")
MOST_BLANK = 50_000_000  # weights of a model that is made anew, blank, to compare with
Named: TypeAlias = Callable[[Sequence[int]], list[str]]
SAID = 8  # tokens that a decoder of its own says where nobody says what


def look_at_hf_folder(folder: Path, text: str | Sequence[Any], target: str = "", controls: int = 0) -> Seen:
    """A folder with config.json: the model and its tokenizer, from there and nowhere else."""
    transformers = import_transformers()
    config = read_config(folder)
    if config.get("auto_map"):
        raise InputError(f"{folder} needs code of its own (auto_map in its config.json), and no folder's code is run here.")
    kind = "AutoModelForSeq2SeqLM" if config.get("is_encoder_decoder") else "AutoModel"
    if any(name.endswith(("LMHeadModel", "ForCausalLM")) for name in config.get("architectures") or []):
        kind = "AutoModelForCausalLM"
    require_something(text)
    try:
        with quietly(transformers):
            model = getattr(transformers, kind).from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:  # whatever transformers makes of a folder that is not whole
        raise InputError(f"{folder} cannot be opened as a Hugging Face model: {first_line(error)}") from None
    return look_at_model(model, tokenizer_of(transformers, folder, text), text, target, str(folder), controls)


@contextmanager
def quietly(transformers: Any) -> Iterator[None]:
    """While this is open, transformers says nothing but errors, and draws no bars."""
    logging = transformers.utils.logging
    before, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(before)
        if bars:
            logging.enable_progress_bar()


def require_something(text: str | Sequence[Any]) -> None:
    """Refuse an empty text before anything is opened for it."""
    if len(text) == 0 or (isinstance(text, str) and not text.strip()):
        raise InputError("the text is empty; give a sentence.")


def import_transformers() -> Any:
    """The optional library, or one sentence that says how to get it."""
    try:
        import transformers
    except ImportError as error:
        raise MissingExtraError("Hugging Face folders need transformers; install it: pip install 'clearhead[hf]'.") from error
    return transformers


def read_config(folder: Path) -> dict[str, Any]:
    """config.json as it stands."""
    try:
        tree = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{folder}/config.json cannot be read: {error}.") from None
    if not isinstance(tree, dict) or "model_type" not in tree:
        raise InputError(f"{folder}/config.json names no model_type: it is not a Hugging Face model.")
    return tree


def tokenizer_of(transformers: Any, folder: Path, text: str | Sequence[Any]) -> Any:
    """The folder's tokenizer; not needed where ids are given."""
    if not isinstance(text, str):
        return None
    none = InputError(
        f"{folder} has no tokenizer that can be opened; add its tokenizer files, or give token ids in place of the text."
    )
    if not any((folder / name).exists() for name in TOKENIZERS):
        raise none  # transformers would make an empty one without a word
    try:
        with quietly(transformers):
            return transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception:
        raise none from None


def look_at_model(
    model: Any, tokenizer: Any, text: str | Sequence[Any], target: Any = "", source: str = "", controls: int = 0
) -> Seen:
    """A transformers model and a text, or the ids of its tokens; `controls` blank models and shuffled texts beside it."""
    model.eval()
    require_something(text)
    notes: list[str] = []
    ids = ids_of(tokenizer, text)
    most = getattr(model.config, "max_position_embeddings", None) or getattr(model.config, "n_positions", None)
    if most and len(ids) > most:
        notes.append(f"the text has {len(ids)} tokens and the model sees {most}: the last {most} are looked at")
        ids = ids[-most:]
    named = partial(names_of_ids, tokenizer)
    said = said_ids(model, tokenizer, torch.tensor([ids]), target) if getattr(model.config, "is_encoder_decoder", False) else []
    layers = layers_read(model, ids, said, named)
    if any(layer.q is None for layer in layers):
        notes.append("this model works with more than q and k: its weights are shown, and no head can be worked by hand")
    written = text if isinstance(text, str) else " ".join(named(ids))
    seen = Seen(source or type(model).__name__, written, layers, tuple(notes), guesses=hf_guesses(model, ids, named))
    if not controls:
        return seen
    beside: dict[str, Sequence[Seen]] = {"shuffled": shuffled_texts(model, seen, ids, said, named, controls)}
    if sum(weight.numel() for weight in model.parameters()) <= MOST_BLANK:
        beside["blank"] = blank_models(model, seen, ids, said, named, controls)
    else:
        seen = replace(seen, notes=(*seen.notes, "no blank models beside it: this one is too large to be made anew"))
    return replace(seen, controls=beside)


def layers_read(model: Any, ids: Sequence[int], said: Sequence[int], named: Named) -> tuple[LayerLook, ...]:
    """The attention of every layer over some ids; refused, in a line, where there is none or the model cannot read them."""
    given = {"input_ids": torch.tensor([list(ids)])} | ({"decoder_input_ids": torch.tensor([list(said)])} if said else {})
    try:
        calls, attentions = passed_through(model, given)
    except (IndexError, TypeError, ValueError, RuntimeError) as error:
        raise InputError(f"{type(model).__name__} cannot read these tokens: {first_line(error)}") from None
    layers = layers_of_calls(calls, named(ids), named(said)) if calls else layers_of_outputs(attentions, named(ids))
    if not layers:
        raise InputError(
            f"{type(model).__name__} shows no attention: neither through transformers' attention functions nor as "
            "output_attentions; there is nothing that could be looked at."
        )
    return tuple(layers)


def blank_models(model: Any, seen: Seen, ids: list[int], said: list[int], named: Named, count: int) -> list[Seen]:
    """The same tokens through models of the same config that have learned nothing."""
    found = []
    for seed in range(1, count + 1):
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            blank = type(model)(model.config).eval()
        found.append(replace(seen, layers=layers_read(blank, ids, said, named)))
    return found


def shuffled_texts(model: Any, seen: Seen, ids: list[int], said: list[int], named: Named, count: int) -> list[Seen]:
    """The same model on the same tokens in other orders."""
    orders = [random.Random(seed).sample(ids, len(ids)) for seed in range(count)]
    return [replace(seen, layers=layers_read(model, order, said, named)) for order in orders]


def ids_of(tokenizer: Any, text: str | Sequence[Any]) -> list[int]:
    """Text to ids, or ids as they are."""
    if isinstance(text, str):
        if tokenizer is None:
            raise InputError("a model without its tokenizer reads ids: give a list of whole numbers, or the folder of both.")
        ids = list(tokenizer(text)["input_ids"])
    else:
        try:
            ids = [int(each) for each in text]
        except (TypeError, ValueError):
            raise InputError("token ids must be whole numbers.") from None
    if not ids:
        raise InputError("the text has no tokens; give a sentence.")
    return ids


def names_of_ids(tokenizer: Any, ids: Sequence[int]) -> list[str]:
    """What each token is called; without a tokenizer, by its number."""
    if tokenizer is None:
        return [f"#{each}" for each in ids]
    words = tokenizer.convert_ids_to_tokens(list(ids))
    plain = named_by(lambda some: str(tokenizer.decode(list(some))), ids)
    alone = [str(tokenizer.decode([each])).strip() for each in ids]
    return [
        said if letters and "\ufffd" not in said else str(word) for said, letters, word in zip(plain, alone, words, strict=True)
    ]


@torch.no_grad()
def said_ids(model: Any, tokenizer: Any, ids: Tensor, target: Any) -> list[int]:
    """What the decoder has said: its start and the target, or what it says by itself, greedily."""
    start = getattr(model.config, "decoder_start_token_id", None)
    start = 0 if start is None else int(start)
    if target:
        return [start, *ids_of(tokenizer, target)]
    said = [start]
    for _ in range(SAID):
        out = model(input_ids=ids, decoder_input_ids=torch.tensor([said]))
        logits = getattr(out, "logits", None)
        if logits is None:
            break  # a model without a head says nothing: its start alone is looked at
        following = int(logits[0, -1].argmax())
        if following == getattr(model.config, "eos_token_id", None):
            break
        said.append(following)
    return said


def first_line(error: Exception) -> str:
    """What an error says, in a line that is not too long."""
    return " ".join(str(error).split())[:200] or type(error).__name__
