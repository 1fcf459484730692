"""Game state in, pixels out."""

from display.drawing.theme import Theme
from display.prompts.moments import bone_prompt, payment_lines, prompt_for
from display.prompts.prompt import Prompt, PromptKind
from display.table.screen import TableScreen
from display.window import Window

__all__ = [
    "Prompt",
    "PromptKind",
    "TableScreen",
    "Theme",
    "Window",
    "bone_prompt",
    "payment_lines",
    "prompt_for",
]
