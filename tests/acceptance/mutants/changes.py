"""The small changes that a source file allows: one thing is different in each."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

SWAPS = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "*"), ast.Pow: ("**", "*"), ast.BitOr: ("|", "&"),
    ast.BitAnd: ("&", "|"), ast.And: ("and", "or"), ast.Or: ("or", "and"),
}  # fmt: skip
LOGS = re.compile(r"^(_?log|_?logger|logging|warnings)\.")
CONSTANTS = ("None", "True", "False")
"""What is returned of these and turned to None is found by nobody, or turned otherwise."""
ANY_ORDER = ("max", "min", "contextlib.suppress")
NOT_RUN = ("annotation", "returns", "decorator_list", "type_params")
"""Parts of a definition that say what it is, not what it does."""


@dataclass(frozen=True)
class Change:
    line: int
    kind: str
    names: tuple[str, ...]
    """The functions and classes around it: a test that names them is close."""
    span: tuple[int, int]
    new: str

    def text(self, source: str) -> str | None:
        """The whole text with the change, or None where it would be no Python."""
        start, end = self.span
        changed = source.encode()[:start] + self.new.encode() + source.encode()[end:]
        try:
            ast.parse(changed)
        except SyntaxError:
            return None
        return changed.decode()


def changes_of(source: str) -> list[Change]:
    """All changes of a file, without those of docstrings, annotations, imports and logging."""
    return list(_Finder(source).visit(ast.parse(source), ()))


class _Finder:
    def __init__(self, source: str) -> None:
        self.source = source.encode()
        self.starts = [0]
        for line in self.source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        assert isinstance(node, ast.expr | ast.stmt | ast.keyword)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self.starts[node.lineno - 1] + node.col_offset
        return start, self.starts[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.source[start:end].decode()

    def visit(self, node: ast.AST, names: tuple[str, ...]) -> Iterator[Change]:
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Assert | ast.JoinedStr):
            return
        if isinstance(node, ast.Expr) and (
            isinstance(node.value, ast.Constant) or LOGS.match(self.of(node.value))
        ):
            return
        if isinstance(node, ast.If) and re.search("TYPE_CHECKING|__name__", self.of(node.test)):
            return
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names = (*names, node.name)
        for kind, span, new in self.replacements(node):
            line = self.source.count(b"\n", 0, span[0]) + 1
            yield Change(line, kind, names, span, new)
        for field, value in ast.iter_fields(node):
            if field not in NOT_RUN:
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        yield from self.visit(child, names)

    def replacements(self, node: ast.AST) -> Iterator[tuple[str, tuple[int, int], str]]:
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                yield from self.between("comparison", left, op, right)
            case ast.BinOp(left=left, op=op, right=right):
                yield from self.between("arithmetic", left, op, right)
            case ast.BoolOp(op=op, values=[left, right, *_]):
                yield from self.between("boolean", left, op, right)
            case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
                yield "boolean", self.span(node), f"({self.of(operand)})"
            case ast.Constant(value=bool(value)):
                yield "boolean", self.span(node), str(not value)
            case ast.Constant(value=int(value) | float(value)):
                yield "constant", self.span(node), str(value + 1)
                yield "constant", self.span(node), f"({value - 1})"
            case ast.Constant(value=str(value)) if value:
                yield "string", self.span(node), repr(f"XX{value}")
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                yield "condition", self.span(test), f"(not ({self.of(test)}))"
            case ast.Return(value=ast.expr() as value) if self.of(value) not in CONSTANTS:
                yield "return value", self.span(value), "None"
            case ast.Expr(value=ast.Call()) | ast.Raise() | ast.AugAssign():
                yield "removed statement", self.span(node), "pass"
            case ast.Break() | ast.Continue():
                yield "removed statement", self.span(node), "pass"
            case ast.Call(args=[first, second, *_]) if self.of(node.func) not in ANY_ORDER:
                start, end = self.span(first)[0], self.span(second)[1]
                middle = self.source[self.span(first)[1] : self.span(second)[0]].decode()
                swapped = f"{self.of(second)}{middle}{self.of(first)}"
                yield "swapped arguments", (start, end), swapped
            case ast.Call(keywords=[*_, ast.keyword(arg=str()) as last]):
                yield "removed argument", self.span(last), ""
        if isinstance(node, ast.AugAssign):
            yield from self.between("arithmetic", node.target, node.op, node.value)

    def between(
        self, kind: str, left: ast.AST, op: ast.AST, right: ast.AST
    ) -> Iterator[tuple[str, tuple[int, int], str]]:
        old, new = SWAPS.get(type(op), ("", ""))
        start, end = self.span(left)[1], self.span(right)[0]
        middle = self.source[start:end].decode()
        if old and old in middle:
            yield kind, (start, end), middle.replace(old, new, 1)
