"""Run the networks: with ONNX Runtime where it is installed, else with OpenCV.

ONNX Runtime takes two fifths of OpenCV's time for the smallest network and two thirds for the
largest (docs/why/performance.md); the results are the same to five digits.
"""

from __future__ import annotations

import logging
import os
import resource
import sys
from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.geometry import Image
from vision.models import read_network
from vision.runtime_probe import fast_runtime

log = logging.getLogger(__name__)

Blob = NDArray[np.float32]
"""float32, shape (n, 3, height, width), BGR, 0.0-1.0."""


class Network:
    """One of the networks of ``vision/models``.

    Attributes:
        runtime: what runs it: ``"onnxruntime"`` or ``"opencv"``.
    """

    def __init__(self, name: str, *, trusted: bool | None = None) -> None:
        """Load a network, such as ``"reader.onnx"``.

        *trusted* says whether ONNX Runtime may be imported; by default what
        :mod:`vision.runtime_probe` found out.

        Raises:
            ModelError: it is missing or damaged, or nothing here can run it.
        """
        data = read_network(name)
        if trusted is None:
            # What is imported already does not have to be tried.
            trusted = "onnxruntime" in sys.modules or fast_runtime().works
        found = _by_onnxruntime(name, data) if trusted else None
        self.runtime = "opencv" if found is None else "onnxruntime"
        self._forward = found or _by_opencv(name, data)

    def run(self, pictures: Sequence[Image], batch: int = 16) -> NDArray[np.float32]:
        """Run it over pictures of one shape, at least one.

        *batch* is how many go through at once: more only need more memory.

        Returns:
            float32, shape (len(pictures), ...): the output for each.
        """
        outs = [
            self._forward(
                np.asarray(
                    cv2.dnn.blobFromImages(pictures[start : start + batch], 1 / 255.0), np.float32
                )
            )
            for start in range(0, len(pictures), batch)
        ]
        return outs[0] if len(outs) == 1 else np.concatenate(outs)

    def run_resized(
        self, image: Image, scale: float, size: tuple[int, int] | None = None
    ) -> NDArray[np.float32]:
        """Run it over one picture resized by *scale*, in the top left of a black one.

        *size* is the width and height of that, multiples of 32; by default as large as is needed.

        Returns:
            float32, shape (maps, rows, columns).
        """
        height, width = (max(round(side * scale), 1) for side in image.shape[:2])
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        wide, tall = size or (padded_to_32(width), padded_to_32(height))
        canvas = np.zeros((tall, wide, 3), np.uint8)
        canvas[:height, :width] = cv2.resize(image, (width, height), interpolation=way)
        return np.asarray(self.run([canvas])[0], np.float32)


def padded_to_32(length: float) -> int:
    """Round a length up to a multiple of 32, which the detectors' halvings need."""
    return max(-(-round(length) // 32) * 32, 32)


def peaks(scores: NDArray[np.float32], threshold: float) -> list[tuple[int, int]]:
    """Return the rows and columns of the local maxima of a map of shape (rows, columns)."""
    highest = cv2.dilate(scores, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((scores >= threshold) & (scores == highest))
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _by_opencv(name: str, data: bytes) -> Callable[[Blob], NDArray[np.float32]]:
    try:
        net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
    except cv2.error as problem:
        if problem.code == cv2.Error.StsNoMem:
            raise MemoryError from problem
        raise ModelError(
            f"OpenCV {cv2.__version__} cannot load vision/models/{name}; install boneace again, "
            "with the OpenCV that it asks for"
        ) from problem

    def forward(blob: Blob) -> NDArray[np.float32]:
        net.setInput(blob)
        # OpenCV may give its own memory, which the next run overwrites.
        return np.array(net.forward(), np.float32)

    return forward


def _by_onnxruntime(name: str, data: bytes) -> Callable[[Blob], NDArray[np.float32]] | None:
    """Load with ONNX Runtime; ``None`` where it is not installed or refuses the file."""
    # It reads this when it is imported: from 1.29 on it sends usage data to its maker, and a call
    # after the import comes too late (docs/reference/dependencies.md). Nothing else may import it.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    try:
        import onnxruntime
    except ImportError:
        return None
    options: Any = onnxruntime.SessionOptions()
    options.intra_op_num_threads = max(cv2.getNumThreads(), 1)
    options.inter_op_num_threads = 1
    # Threads that spin would take the display's time.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Its arena keeps for ever what the largest picture took; without it hardly more time is spent.
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 4  # what it raises is told by us
    try:
        session: Any = onnxruntime.InferenceSession(
            data, options, providers=["CPUExecutionProvider"]
        )
    except Exception as problem:  # its errors share no class of their own but Exception
        if "bad_alloc" in str(problem) or "annot allocate memory" in str(problem):
            raise MemoryError from problem
        log.info("ONNX Runtime cannot load %s (%s); OpenCV runs it", name, problem)
        return None
    given = session.get_inputs()[0].name

    def forward(blob: Blob) -> NDArray[np.float32]:
        return np.asarray(session.run(None, {given: blob})[0], np.float32)

    return forward


def compare_runtimes() -> str | None:
    """Run one picture through one network with both; return what is wrong, or ``None``.

    The trial of :mod:`vision.runtime_probe`, which runs it in a child.
    """
    # A core file of the child would help nobody.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    picture = np.random.default_rng(1).integers(0, 256, (60, 40, 3), np.uint8)
    fast, slow = (Network("corner_reader.onnx", trusted=each) for each in (True, False))
    if fast.runtime == slow.runtime:
        return "it cannot be imported, or refuses the network"
    if np.abs(fast.run([picture]) - slow.run([picture])).max() > 1e-3:
        return "its answers are wrong"
    return None
