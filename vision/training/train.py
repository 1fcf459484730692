"""Train one of the networks; checkpoints go to WORK/NAME, or where --out says.

python -m vision.training.train --model finder --work WORK --init vision/models/card_finder.onnx
"""

from __future__ import annotations

import argparse
import copy
import itertools
import json
import math
import os
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import torch
from torch import multiprocessing, nn

from vision.training.bones.tasks import TASKS as BONES
from vision.training.cards.tasks import TASKS as CARDS
from vision.training.common.task import Batch
from vision.training.common.weights import take_weights

TASKS = CARDS | BONES


def size(text: str) -> tuple[int, int]:
    """Parse a size such as 384x288."""
    width, _, height = text.partition("x")
    return int(width), int(height)


def parser(description: str | None = __doc__) -> argparse.ArgumentParser:
    """The options of the trainer, and of what works with its networks."""
    options = argparse.ArgumentParser(description=description)
    options.add_argument("--model", choices=TASKS, required=True)
    options.add_argument("--work", type=Path, required=True, help="folder of the gathered art")
    options.add_argument("--out", type=Path, help="folder of the checkpoints; WORK/NAME")
    options.add_argument("--init", type=Path, help="begin with these weights: .onnx or .pt")
    options.add_argument("--steps", type=int, default=20_000)
    options.add_argument("--minutes", type=float, default=math.inf, help="end after so many")
    options.add_argument("--workers", type=int, default=0, help="processes that draw; 0: this one")
    options.add_argument("--batch", type=int, default=16)
    options.add_argument("--rate", type=float, default=2e-3)
    options.add_argument("--warm-up", type=int, default=300, help="steps until the full rate")
    options.add_argument("--ema", type=float, default=0.999, help="how long the mean remembers")
    options.add_argument("--size", type=size, default=(384, 288), help="of the finder's scenes")
    options.add_argument("--again", type=int, default=4, help="photographs of one drawn scene")
    options.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--save-minutes", type=float, default=5.0)
    options.add_argument("--judge-steps", type=int, default=1000)
    options.add_argument("--judge-count", type=int, default=320)
    options.add_argument("--pace", type=int, help="draw so many batches, and tell how fast")
    options.set_defaults(share=(0, 1))
    return options


WAITING = 4
"""Batches that each process draws ahead."""


def _draw(args: argparse.Namespace, seed: list[int], queue: multiprocessing.Queue) -> None:
    """Draw batches for ever, in a process of its own."""
    prepare(args)
    for batch in TASKS[args.model].batches(args, [*seed, args.share[0]]):
        # Through the memory that processes share, not the accelerator's: that works everywhere.
        queue.put(tuple(each.cpu() for each in batch))


def drawn(args: argparse.Namespace, seed: list[int]) -> Iterator[Batch]:
    """Yield batches to train on, out of ``args.workers`` processes or out of this one."""
    if not args.workers:
        yield from TASKS[args.model].batches(args, seed)
    context = multiprocessing.get_context("spawn")
    queue = context.Queue(WAITING * args.workers)
    drawing = []
    for number in range(args.workers):
        own = argparse.Namespace(**vars(args) | {"share": (number, args.workers)})
        drawing.append(context.Process(target=_draw, args=(own, seed, queue), daemon=True))
        drawing[-1].start()
    try:
        while True:
            batch = queue.get(timeout=600)
            yield tuple(each.to(args.device, non_blocking=True) for each in batch)
    finally:
        for each in drawing:
            each.kill()


def prepare(args: argparse.Namespace) -> None:
    """Set up a process that draws or trains."""
    torch.set_num_threads(args.threads)
    torch.set_flush_denormal(True)  # bumps and shadows fade into numbers that take ages
    cv2.setNumThreads(1)
    torch.backends.cudnn.benchmark = True


class Trainer:
    """Trains a network; a run that is started again goes on from its last checkpoint."""

    def __init__(self, args: argparse.Namespace) -> None:
        """Build or load everything."""
        self.began = time.monotonic()
        torch.manual_seed(args.seed)
        prepare(args)
        self.args, self.task = args, TASKS[args.model]
        self.out = args.out or args.work / args.model
        self.out.mkdir(parents=True, exist_ok=True)
        (self.out / "pid").write_text(f"{os.getpid()}\n", encoding="ascii")
        self.net = self.task.net().to(args.device, memory_format=torch.channels_last)
        self.checkpoint = self.out / "last.pt"
        self.step = 0
        kept = None
        if self.checkpoint.exists():
            kept = torch.load(self.checkpoint, map_location=args.device, weights_only=True)
            self.step = kept["step"]
            self.net.load_state_dict(kept["net"])
        # A run that goes on must not see the same samples again.
        self.batches = drawn(args, [args.seed, self.step])
        self.held: list[Batch] = []
        if kept is None and args.init is not None:
            self._begin_with(args.init)
        self.mean = copy.deepcopy(self.net)
        self.optimizer = torch.optim.AdamW(
            self.net.parameters(), args.rate, weight_decay=0.02, fused=args.device != "cpu"
        )
        if kept is not None:
            self.mean.load_state_dict(kept["mean"])
            self.optimizer.load_state_dict(kept["optimizer"])

    def _begin_with(self, file: Path) -> None:
        if file.suffix == ".onnx":
            pictures = next(self.batches)[0].float() / 255
            take_weights(self.net, file, pictures.to(memory_format=torch.channels_last))
        else:
            kept = torch.load(file, map_location=self.args.device, weights_only=True)
            self.net.load_state_dict(kept["mean"])

    def _done(self) -> float:
        """Return how much of the training is done, 0 to 1, by steps or by the clock."""
        passed = (time.monotonic() - self.began) / 60 / max(self.args.minutes, 1e-9)
        return min(max(self.step / self.args.steps, passed), 1.0)

    def _rate(self) -> float:
        warm = min(1.0, (self.step + 1) / max(self.args.warm_up, 1))
        return self.args.rate * warm * max(0.5 * (1 + math.cos(math.pi * self._done())), 0.01)

    def learn(self) -> dict[str, torch.Tensor]:
        """Take one step; return the parts of the loss."""
        for group in self.optimizer.param_groups:
            group["lr"] = self._rate()
        pictures, *wanted = next(self.batches)
        # Batches may be made in inference mode: what is learned from must not be.
        pictures = (pictures.float() / 255).to(memory_format=torch.channels_last).clone()
        wanted = [each.clone() for each in wanted]
        self.net.train()
        with torch.autocast(self.args.device.split(":")[0], dtype=torch.bfloat16):
            out = self.net(pictures)
        parts = self.task.losses(out.float(), *wanted)
        self.optimizer.zero_grad()
        sum(parts.values()).backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimizer.step()
        self.step += 1
        keep = min(self.args.ema, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            means, nows = (list(each.state_dict().values()) for each in (self.mean, self.net))
            real = [mean.dtype.is_floating_point for mean in means]
            torch._foreach_lerp_(
                list(itertools.compress(means, real)),
                list(itertools.compress(nows, real)),
                1 - keep,
            )
            for mean, now, number in zip(means, nows, real, strict=True):
                if not number:
                    mean.copy_(now)
        return {name: value.detach() for name, value in parts.items()}

    def judge(self) -> dict[str, float]:
        """Score the mean of the weights on designs held out, always on the same samples."""
        source = self.task.batches(self.args, 98, held_out=True) if not self.held else ()
        while sum(len(batch[0]) for batch in self.held) < self.args.judge_count:
            self.held.append(next(source))
        self.mean.eval()
        return self.task.judge(self.mean, iter(self.held), self.args.judge_count)

    def save(self) -> None:
        """Write the checkpoint, whole or not at all."""
        partly = self.checkpoint.with_suffix(".part")
        torch.save(
            {
                "model": self.args.model,
                "step": self.step,
                "net": self.net.state_dict(),
                "mean": self.mean.state_dict(),
                "optimizer": self.optimizer.state_dict(),
            },
            partly,
        )
        partly.replace(self.checkpoint)

    def _tell(self, **what: object) -> None:
        line = json.dumps({"step": self.step, "time": round(time.time()), **what})
        with (self.out / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(line + "\n")
        print(line, flush=True)

    def run(self) -> None:
        """Train until the last step."""
        running: dict[str, torch.Tensor] = {}
        saved = began = time.monotonic()
        first = self.step
        if first == 0:
            self._tell(judged=self.judge())
        last = self.step >= self.args.steps
        while not last:
            for name, value in self.learn().items():
                running[name] = torch.lerp(running.get(name, value), value, 0.02)
            last = self._done() >= 1
            if last or time.monotonic() - saved > self.args.save_minutes * 60:
                self.save()
                saved = time.monotonic()
            if last or self.step % 50 == 0:
                pace = (time.monotonic() - began) / (self.step - first)
                told = {name: round(float(value), 4) for name, value in running.items()}
                self._tell(loss=told, seconds=round(pace, 3), rate=self._rate())
            if last or self.step % self.args.judge_steps == 0:
                self._tell(judged=self.judge())


def pace(args: argparse.Namespace) -> str:
    """Draw ``args.pace`` batches, and say how many samples that makes in a second."""
    prepare(args)
    batches = drawn(args, [args.seed])
    next(batches)
    began, used = time.monotonic(), time.process_time()
    count = sum(len(next(batches)[0]) for _ in range(args.pace))
    passed, used = time.monotonic() - began, time.process_time() - used
    return f"{count / passed:.0f} a second, {count / used:.0f} a second of a processor"


def main() -> None:
    """Train, or tell how fast samples are drawn."""
    args = parser().parse_args()
    if args.pace:
        print(pace(args))
    else:
        Trainer(args).run()


if __name__ == "__main__":
    main()
