"""Game state in, pixels out."""

from display.prompt import Prompt, PromptKind
from display.prompts import bone_prompt, payment_lines, prompt_for
from display.table import TableScreen
from display.theme import Theme
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
