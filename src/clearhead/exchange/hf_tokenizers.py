"""Our vocabularies as tokenizer files that transformers opens: byte pairs as they are, characters and words one by one."""

import json
from typing import Any

from clearhead.corpora.vocabularies.byte_pairs import BytePairVocabulary
from clearhead.corpora.vocabularies.characters import CharacterVocabulary
from clearhead.corpora.vocabularies.vocabulary import MASK_CHARACTER, PAD_CHARACTER, Vocabulary
from clearhead.corpora.vocabularies.words import START, UNKNOWN, WordVocabulary


def tokenizer_files(vocabulary: Vocabulary, context: int) -> dict[str, str]:
    """tokenizer.json and tokenizer_config.json; none for a vocabulary that is no text's, such as the names of classes."""
    if isinstance(vocabulary, BytePairVocabulary):
        written, marks = vocabulary.written(), (PAD_CHARACTER, MASK_CHARACTER)
    elif isinstance(vocabulary, CharacterVocabulary):
        ids = {token: index for index, token in enumerate(vocabulary.itos)}
        written, marks = word_level(ids, PAD_CHARACTER, one_by_one()), (PAD_CHARACTER, MASK_CHARACTER)
    elif isinstance(vocabulary, WordVocabulary):
        written, marks = word_level(dict(vocabulary.ids), UNKNOWN, {"type": "WhitespaceSplit"}), (START, UNKNOWN)
    else:
        return {}
    config: dict[str, Any] = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "pad_token": marks[0],
        "mask_token": marks[1],
        "clean_up_tokenization_spaces": False,
    }
    if not isinstance(vocabulary, BytePairVocabulary):
        config["unk_token"] = UNKNOWN if isinstance(vocabulary, WordVocabulary) else PAD_CHARACTER
    if context:
        config["model_max_length"] = context
    return {"tokenizer.json": written, "tokenizer_config.json": json.dumps(config, indent=2, ensure_ascii=False) + "\n"}


def one_by_one() -> dict[str, Any]:
    """Every character a piece of its own, line ends too."""
    return {"type": "Split", "pattern": {"Regex": r"[\s\S]"}, "behavior": "Isolated", "invert": False}


def word_level(ids: dict[str, int], unknown: str, cut: dict[str, Any]) -> str:
    """A tokenizer that looks pieces up whole."""
    characters = cut["type"] == "Split"
    tree: dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None if characters else {"type": "Lowercase"},
        "pre_tokenizer": cut,
        "post_processor": None,
        "decoder": {"type": "Fuse"} if characters else None,
        "model": {"type": "WordLevel", "vocab": ids, "unk_token": unknown},
    }
    return json.dumps(tree, ensure_ascii=False)
