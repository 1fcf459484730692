"""What is wrong with the camera's picture, in calm words and in the language of the house."""

from __future__ import annotations

from collections.abc import Mapping

from device.runtime.observer import ReadingObserver
from display import Prompt, PromptKind
from display.i18n.translate import N_, _
from vision.image_quality import IssueKind, QualityIssue

WORDS: Mapping[IssueKind, tuple[str, str]] = {
    IssueKind.DARK: (N_("There is too little light."), N_("Add a lamp beside the table.")),
    IssueKind.GLARE: (
        N_("A lamp is mirrored on the mat."),
        N_("Move the lamp, or turn it to the ceiling."),
    ),
    IssueKind.BLURRED: (
        N_("The picture is blurred."),
        N_("Clean the lens, and set the camera sharp on the mat."),
    ),
    IssueKind.NO_MAT: (
        N_("The mat is not in the picture."),
        N_("Show all of it, its four corners uncovered."),
    ),
    IssueKind.MAT_CUT: (
        N_("A part of the mat is outside the picture."),
        N_("Move the camera higher, or the mat."),
    ),
    IssueKind.FAR: (N_("The camera is too far away."), N_("Bring it nearer to the mat.")),
    IssueKind.STEEP: (
        N_("The camera looks from too far aside."),
        N_("Hang it above the middle of the mat."),
    ),
    IssueKind.FLICKER: (
        N_("The light flickers."),
        N_("Use another lamp, or set the camera to 50 or 60 hertz."),
    ),
}
"""Each flaw: what is wrong, and what to do."""


def words_for(remark: QualityIssue) -> str:
    """Return what is wrong and what to do, as two sentences."""
    wrong, cure = WORDS[remark.kind]
    return f"{_(wrong)} {_(cure)}"


def trouble_of(remark: QualityIssue) -> tuple[str, str]:
    """Return what is wrong, and what to do about it."""
    wrong, cure = WORDS[remark.kind]
    return _(wrong), _(cure)


def explained(prompt: Prompt, looking: ReadingObserver) -> Prompt:
    """Say why the mat is not seen, where the picture tells; else *prompt* as it is."""
    blind = looking.last is None or looking.last.reading.seats is None
    if not blind or not looking.remarks:
        return prompt
    # That the mat is not found is what comes of everything else: the cause is worth more.
    worst = next((r for r in looking.remarks if r.kind is not IssueKind.NO_MAT), looking.remarks[0])
    wrong, cure = trouble_of(worst)
    return Prompt(wrong, f"{cure} {_('The game waits.')}", kind=PromptKind.TROUBLE)
