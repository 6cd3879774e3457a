"""A vocabulary read back from its file."""

import json
from pathlib import Path

from clearhead.corpora.vocabularies.byte_pairs import BytePairVocabulary, import_tokenizers
from clearhead.corpora.vocabularies.characters import CharacterVocabulary
from clearhead.corpora.vocabularies.class_names import LabelVocabulary
from clearhead.corpora.vocabularies.other_tokenizers import OtherVocabulary
from clearhead.corpora.vocabularies.vocabulary import MASK, MASK_CHARACTER, PAD, PAD_CHARACTER, Vocabulary
from clearhead.errors import InputError, MissingExtraError


def load_vocabulary(path: Path) -> Vocabulary:
    """Read a vocabulary from its file, or from the run folder that holds it as `tokenizer.json`."""
    file = path / "tokenizer.json" if path.is_dir() else path
    try:
        text = file.read_text(encoding="utf-8")
        tree = json.loads(text)
    except (OSError, ValueError) as error:
        raise InputError(f"{file}: a vocabulary in JSON was expected; {error}.") from error
    if isinstance(tree, dict) and tree.get("kind") == "characters" and isinstance(tree.get("characters"), str):
        return CharacterVocabulary(tree["characters"])
    if isinstance(tree, dict) and tree.get("kind") == "words" and isinstance(tree.get("words"), list):
        from clearhead.corpora.vocabularies.words import WordVocabulary  # which reads files by what stands here

        return WordVocabulary([str(word) for word in tree["words"]])
    if isinstance(tree, dict) and tree.get("kind") == "labels" and isinstance(tree.get("names"), list):
        return LabelVocabulary([str(name) for name in tree["names"]])
    if isinstance(tree, dict) and "model" in tree:
        try:
            tokenizer = import_tokenizers().Tokenizer.from_str(text)
        except MissingExtraError:
            raise
        except Exception as error:  # the library raises bare Exception for a file it cannot use
            raise InputError(f"{file}: not a tokenizer that can be read; {error}.") from error
        ours = [tokenizer.token_to_id(mark) for mark in (PAD_CHARACTER, MASK_CHARACTER)] == [PAD, MASK]
        return BytePairVocabulary(tokenizer) if ours else OtherVocabulary(tokenizer)
    raise InputError(f"{file}: neither a character vocabulary nor a tokenizer; train again, or restore the file.")
