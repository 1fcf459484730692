"""Game state in, pixels out."""

from display.drawing.theme import Theme
from display.prompts.prompt import PromptText, bone_prompt, prompt_for
from display.table.screen import TableScreen
from display.window import Window
from engine.core.messages.prompt import PromptKind

__all__ = [
    "PromptKind",
    "PromptText",
    "TableScreen",
    "Theme",
    "Window",
    "bone_prompt",
    "prompt_for",
]
