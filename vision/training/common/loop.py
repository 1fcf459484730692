"""The training loop that both networks share: a time budget, a warm-up, a cosine decay."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

Sample = tuple[object, ...]


class Stream(IterableDataset):
    """An endless stream of samples, another one for each worker and each run."""

    def __init__(self, make: Callable[[np.random.Generator], Sample], seed: int) -> None:
        """Keep what makes a sample."""
        self.make, self.seed = make, seed

    def __iter__(self):
        """Draw for ever."""
        worker = get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        while True:
            yield self.make(rng)


def arguments(description: str | None) -> argparse.ArgumentParser:
    """The options that both training commands take."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--work", type=Path, required=True, help="folder of the gathered art")
    parser.add_argument("--textures", type=Path, nargs="*", default=[], help="folders of pictures")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    return parser


def train(
    net: nn.Module,
    make: Callable[[np.random.Generator], Sample],
    losses: Callable[..., dict[str, torch.Tensor]],
    judge: Callable[[nn.Module], str],
    checkpoint: Path,
    args: argparse.Namespace,
) -> None:
    """Train *net* for ``args.minutes``; *losses* gets its output and the rest of a batch."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    net.to(memory_format=torch.channels_last)
    if args.resume:
        net.load_state_dict(torch.load(checkpoint))
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.02)
    seed = args.seed + 1000 * args.resume  # a run that goes on must not see the same samples
    loader = iter(DataLoader(Stream(make, seed), args.batch, num_workers=1, prefetch_factor=6))
    began, step = time.monotonic(), 0
    running: dict[str, float] = {}
    while (part := (time.monotonic() - began) / (args.minutes * 60)) < 1:
        rate = args.rate * min(1, (step + 1) / 200) * 0.5 * (1 + np.cos(np.pi * part))
        for group in optimizer.param_groups:
            group["lr"] = rate
        pictures, *wanted = next(loader)
        pictures = (pictures.float() / 255).to(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = net(pictures)
        parts = losses(out.float(), *wanted)
        optimizer.zero_grad()
        sum(parts.values()).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        step += 1
        for name, value in parts.items():
            running[name] = 0.98 * running.get(name, value.item()) + 0.02 * value.item()
        if step % 100 == 0:
            told = " ".join(f"{k} {v:.3f}" for k, v in running.items())
            print(f"{(time.monotonic() - began) / 60:.1f} min step {step}: {told}", flush=True)
        if step % 500 == 0:
            torch.save(net.state_dict(), checkpoint)
            print(judge(net), flush=True)
    torch.save(net.state_dict(), checkpoint)
    print(judge(net), flush=True)
