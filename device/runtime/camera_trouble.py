"""What is wrong with the camera's picture, in calm words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from device.runtime.observer import ReadingObserver
from engine.core.messages.message import Message, Value, sentences
from engine.core.messages.prompt import Prompt, PromptKind
from vision.image_quality import IssueKind, QualityIssue

WORDS: Mapping[IssueKind, tuple[Message, Message]] = {
    IssueKind.DARK: (
        Message("There is too little light."),
        Message("Add a lamp beside the table."),
    ),
    IssueKind.GLARE: (
        Message("A lamp is mirrored on the mat."),
        Message("Move the lamp, or turn it to the ceiling."),
    ),
    IssueKind.BLURRED: (
        Message("The picture is blurred."),
        Message("Clean the lens, and set the camera sharp on the mat."),
    ),
    IssueKind.NO_MAT: (
        Message("The mat is not in the picture."),
        Message("Show all of it, its four corners uncovered."),
    ),
    IssueKind.MAT_CUT: (
        Message("A part of the mat is outside the picture."),
        Message("Move the camera higher, or the mat."),
    ),
    IssueKind.FAR: (Message("The camera is too far away."), Message("Bring it nearer to the mat.")),
    IssueKind.STEEP: (
        Message("The camera looks from too far aside."),
        Message("Hang it above the middle of the mat."),
    ),
    IssueKind.FLICKER: (
        Message("The light flickers."),
        Message("Use another lamp, or set the camera to 50 or 60 hertz."),
    ),
}
"""Each flaw: what is wrong, and what to do."""


def words_for(issue: QualityIssue) -> Value:
    """Return what is wrong and what to do, as two sentences."""
    return sentences(*WORDS[issue.kind])


HIDES = (IssueKind.GLARE, IssueKind.DARK)
"""Flaws by which cards are overlooked on a mat that is seen."""


def explained(prompt: Prompt, observer: ReadingObserver, *, waits: bool) -> Prompt:
    """Return why the mat is not seen, where the picture tells; else *prompt*.

    Where the game *waits* for what people do, a hint says why the camera may not see it.
    """
    blind = observer.last is None or observer.last.reading.seats is None
    if not blind:
        hiding = (words_for(issue) for issue in observer.remarks if issue.kind in HIDES)
        hint = next(hiding, "") if waits else ""
        return replace(prompt, hint=prompt.hint or hint)
    if not observer.remarks:
        return prompt
    # That the mat is not found is what comes of everything else: the cause is worth more.
    found = [issue for issue in observer.remarks if issue.kind is not IssueKind.NO_MAT]
    wrong, cure = WORDS[(found or observer.remarks)[0].kind]
    return Prompt(wrong, sentences(cure, Message("The game waits.")), kind=PromptKind.TROUBLE)
