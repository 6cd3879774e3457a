"""An autoencoder's narrow middle against principal components: what two numbers can keep of a digit."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import share
from clearhead.lab.nets.digits import digits
from clearhead.pictures import Plane, scatter

QUICK = "1,200 steps instead of 4,000"
PIXELS, HIDDEN, LATENT = 64, 64, 2


def bent() -> tuple[nn.Module, nn.Module]:
    """An encoder and a decoder with one hidden layer each."""
    encoder = nn.Sequential(
        nn.Linear(PIXELS, HIDDEN), nn.GELU(), nn.Linear(HIDDEN, HIDDEN), nn.GELU(), nn.Linear(HIDDEN, LATENT)
    )
    return encoder, nn.Sequential(
        nn.Linear(LATENT, HIDDEN), nn.GELU(), nn.Linear(HIDDEN, HIDDEN), nn.GELU(), nn.Linear(HIDDEN, PIXELS)
    )


def straight() -> tuple[nn.Module, nn.Module]:
    """The same without a bend: it can learn a projection and nothing else."""
    return nn.Linear(PIXELS, LATENT), nn.Linear(LATENT, PIXELS)


def experiment(
    trial: Trial,
    bent: Callable[[], tuple[nn.Module, nn.Module]] = bent,
    straight: Callable[[], tuple[nn.Module, nn.Module]] = straight,
    steps: int = 0,
) -> Finding:
    split = digits()
    x, held = (each[:, 0, ::4, ::4].flatten(1) for each in (split.x, split.held_x))  # (n, 64): 8×8 again
    centre = x.mean(0)
    x, held = x - centre, held - centre
    steps = steps or (1200 if trial.quick else 4000)
    basis = torch.linalg.svd(x, full_matrices=False).Vh[:LATENT].mT  # (64, 2)
    latents = {"PCA": held @ basis}
    errors = {"PCA": float((held - held @ basis @ basis.mT).pow(2).mean())}
    for name, build in (("straight", straight), ("bent", bent)):
        encoder, decoder = build()
        learn(encoder, decoder, x, steps)
        with torch.no_grad():
            latents[name] = encoder(held)
            errors[name] = float((decoder(latents[name]) - held).pow(2).mean())
    variance = float(held.pow(2).mean())
    found = {name: neighbours(points, split.held_y) for name, points in latents.items()}
    told = {name: f"{1 - errors[name] / variance:.0%} of the variance" for name in errors}
    titles = {"PCA": "PCA", "straight": "linear autoencoder", "bent": "autoencoder"}
    return Finding(
        {
            "numbers for a digit of 64 pixels": LATENT,
            "mean squared error on held-out digits: PCA, linear, with bends": list(errors.values()),
            "share of the variance kept": [1 - error / variance for error in errors.values()],
            "held-out digits whose nearest neighbour in the plane is of their class": [
                share(int(hits.sum()), len(hits)) for hits in found.values()
            ],
        },
        {
            "two numbers keep a good part of 64: over a fifth of the variance": errors["bent"] < 0.8 * variance,
            "without bends it comes to PCA, within 5 %": abs(errors["straight"] / errors["PCA"] - 1) < 0.05,
            "with bends it keeps more than PCA": errors["bent"] < 0.95 * errors["PCA"],
            "and lays the classes further apart": float(found["bent"].double().mean())
            > float(found["PCA"].double().mean()) + 0.05,
        },
        scatter(
            [
                Plane(f"{titles[name]}: {told[name]}", [(float(a), float(b)) for a, b in points], split.held_y.tolist())
                for name, points in latents.items()
            ],
            "Held-out digits by two numbers each",
        ),
    )


def learn(encoder: nn.Module, decoder: nn.Module, x: Tensor, steps: int) -> None:
    """Adam on the squared error, with a rate that falls to 0."""
    weights = [*encoder.parameters(), *decoder.parameters()]
    optimiser = torch.optim.Adam(weights, lr=5e-3)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.01, steps)
    for _ in range(steps):
        rows = torch.randint(len(x), (128,))
        loss = (decoder(encoder(x[rows])) - x[rows]).pow(2).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()


def neighbours(points: Tensor, classes: Tensor) -> Tensor:
    """Whether each point's nearest other point has its class: (n,) of booleans."""
    distances = torch.cdist(points.double(), points.double()).fill_diagonal_(float("inf"))
    return classes[distances.argmin(1)] == classes
