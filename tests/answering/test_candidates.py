"""The likeliest whole answers, against a search through all of them."""

import itertools
import math

import pytest
import torch

from clearhead.answering.candidates import candidates, log_share_of
from clearhead.corpora import CharacterVocabulary
from clearhead.models import GPT, GPTConfig, build_model
from clearhead.models.reach import fill_randomly

VOCABULARY = CharacterVocabulary("ab")  # four ids: pad, mask, a, b


def model_of(seed: int) -> GPT:
    torch.manual_seed(0)
    model = GPT(GPTConfig(vocab=4, context=10, layers=1, heads=1, width=8, style="modern"))
    fill_randomly(model, seed)
    return model.eval()


def share_by_hand(model: GPT, prompt: list[int], ids: list[int]) -> float:
    """ln of the product of the shares, one whole pass a token."""
    total, so_far = 0.0, list(prompt)
    for token in [*ids, VOCABULARY.mask]:
        total += float(model(torch.tensor([so_far]))[0, -1].log_softmax(-1)[token])
        so_far.append(token)
    return total


@torch.no_grad()
@pytest.mark.parametrize("seed", range(4))
def test_a_wide_beam_finds_what_a_search_through_all_finds(seed: int) -> None:
    model, prompts = model_of(seed), [[2, 3, 1], [3, 1], [2, 2, 3, 3, 2, 1]]
    found = candidates(model, VOCABULARY, prompts, beams=3)
    for prompt, (best, *_) in zip(prompts, candidates(model, VOCABULARY, prompts, beams=81), strict=True):
        everything = [list(ids) for size in range(4) for ids in itertools.product((0, 2, 3), repeat=size)]
        shares = {VOCABULARY.decode(ids): share_by_hand(model, prompt, ids) for ids in everything if ids}
        likeliest = max(shares, key=shares.__getitem__)
        if len(best.answer) <= 3:
            assert (best.answer, best.log_share) == (likeliest, pytest.approx(shares[likeliest], abs=1e-4))
        else:
            assert best.log_share > shares[likeliest]
    for each in found:
        assert [one.log_share for one in each] == sorted((one.log_share for one in each), reverse=True)
        assert sum(math.exp(one.log_share) for one in each) <= 1 + 1e-5


@torch.no_grad()
def test_the_share_of_a_given_answer_is_the_product_of_its_tokens() -> None:
    model, prompts, answers = model_of(7), [[2, 3, 1], [3, 1], [2, 1]], ["ab", "bba", "a"]
    got = log_share_of(model, VOCABULARY, prompts, answers, batch=2)
    wanted = [share_by_hand(model, prompt, VOCABULARY.encode(answer)) for prompt, answer in zip(prompts, answers, strict=True)]
    assert got == pytest.approx(wanted, abs=1e-4)
    assert log_share_of(model, VOCABULARY, prompts, answers[::-1]) != pytest.approx(wanted, abs=1e-2)


@torch.no_grad()
@pytest.mark.parametrize("batch", [1, 2, 64])
def test_shares_do_not_depend_on_what_is_asked_beside(batch: int) -> None:
    """Prompts and answers that fit into the context each, but not the longest prompt with the longest answer."""
    model, prompts = model_of(3), [[2, 1], [2, 3, 2, 3, 2, 2, 3, 1], [2, 1], [2, 3, 1], [3, 3, 2, 3, 2, 2, 1]]
    answers = ["abbabaab", "a", "ab", "abab", "bab"]
    wanted = [share_by_hand(model, prompt, VOCABULARY.encode(answer)) for prompt, answer in zip(prompts, answers, strict=True)]
    assert log_share_of(model, VOCABULARY, prompts, answers, batch=batch) == pytest.approx(wanted, abs=1e-4)


@torch.no_grad()
@pytest.mark.parametrize("seed", range(4))
def test_an_answer_does_not_depend_on_the_questions_beside_it(seed: int) -> None:
    model, prompts = model_of(seed), [[2, 3, 1], [3, 1, 1], [2, 2, 1], [3, 3, 1]]
    together = candidates(model, VOCABULARY, prompts, beams=3, longest=6)
    for prompt, found in zip(prompts, together, strict=True):
        (alone,) = candidates(model, VOCABULARY, [prompt], beams=3, longest=6)
        assert [each.answer for each in found] == [each.answer for each in alone]
        assert [each.log_share for each in found] == pytest.approx([each.log_share for each in alone], abs=1e-5)


def test_a_model_that_never_ends_an_answer_still_says_something() -> None:
    model = model_of(1)
    with torch.no_grad():
        model.head.weight.zero_()
        model.head.weight[2] += 10 * model.final(torch.tensor([[2, 1]]))[0, -1].sign()
    (said,) = candidates(model, VOCABULARY, [[2, 1]], beams=2)
    assert said[0].answer


@torch.no_grad()
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("settings", [{"kind": "gpt"}, {"variant": "perceiver"}, {"variant": "perceiver-causal"}])
def test_a_search_with_a_cache_gives_the_shares_of_whole_passes(settings: dict[str, str], seed: int) -> None:
    """Beams are reordered, prompts are of unequal length, and latents are written over: nothing of that may show."""
    sizes = {"context": 24, "layers": 3, "heads": 2, "width": 8, "style": "modern"}
    waist = {"kind": "perceiver", "bottleneck": 6} if "variant" in settings else {}
    model = build_model(sizes | waist | settings, VOCABULARY.size)
    fill_randomly(model, seed)
    model.eval()
    prompts = [[2, 3, 1], [3, 3, 2, 3, 2, 2, 3, 1], [2, 1]]
    for prompt, found in zip(prompts, candidates(model, VOCABULARY, prompts, beams=4), strict=True):
        short = [each for each in found if len(each.answer) < 12]  # ended by itself, not cut at the context
        again = log_share_of(model, VOCABULARY, [prompt] * len(short), [each.answer for each in short])
        assert [each.log_share for each in short] == pytest.approx(again, abs=1e-3)
        assert short
