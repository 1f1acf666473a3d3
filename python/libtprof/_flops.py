# SPDX-License-Identifier: GPL-3.0-or-later
"""FLOPCounter: floating-point operations, counted from kernels that ran or from sizes.

One multiply-add is two operations (FLOPs).
"""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence

from . import _analyzer, _spans
from ._hint import UNKNOWN


class FLOPCounter:
    """Counts FLOPs.

    ``with counter:`` counts the kernels that run in the block.  ``count_matmul``,
    ``count_attention`` and ``count_convolution`` count from sizes, as ``tprof flops calc`` does.
    Each operation counts once, so the shares of the report sum to 100 %.
    """

    def __init__(self) -> None:
        self.op_counts: dict[str, int] = {}
        """Known FLOPs by operation."""
        self.parts: list[dict[str, Any]] = []
        """What composite operations are made of, as rows of ``tprof flops calc``."""
        self.unknown_fraction = 0.0
        """The share of the kernel time of the latest block whose FLOPs are unknown."""
        self.is_known = True
        """False once a block was not recorded, or nothing in it could be counted."""
        self._span: Optional[_spans.Span] = None

    @property
    def total_flops(self) -> float:
        """The sum of all operations, a whole number; NaN: unknown."""
        return sum(self.op_counts.values()) if self.is_known else UNKNOWN

    def _add(self, operation: str, flops: int) -> int:
        self.op_counts[operation] = self.op_counts.get(operation, 0) + flops
        return flops

    def __enter__(self) -> "FLOPCounter":
        self._span = _spans.Span("FLOPCounter").begin()
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        span, self._span = self._span, None
        if span is None:
            return
        span.end()
        self.is_known = self.is_known and (span.report().get("compute") or {}).get("flops") is not None
        for row in span.ask("flops --by op").get("rows") or []:
            if row["flops"] is not None:
                self._add(row["name"], row["flops"])
        self.unknown_fraction = span.figure("compute", "unknown_flops_fraction")

    def count(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> float:
        """Call a function, and count the FLOPs of the kernels that it runs."""
        before = self.total_flops
        with self:
            function(*args, **kwargs)
        return self.total_flops - before

    def _calculate(self, operation: str, **sizes: object) -> int:
        told = _analyzer.calculate(operation, **sizes)
        self.parts += told["parts"]
        return self._add(operation, told["total"]["flops"])

    def count_matmul(self, A_shape: Sequence[int], B_shape: Sequence[int]) -> int:
        """FLOPs of ``A @ B`` for A of (m, k) and B of (k, n): 2mnk."""
        (m, k), (k2, n) = A_shape, B_shape
        if k != k2:
            raise ValueError(f"matmul: A has {k} columns, and B has {k2} rows")
        return self._calculate("matmul", m=m, n=n, k=k)

    def count_attention(self, batch: int = 1, seq_len: int = 0, d_model: int = 0,
                        num_heads: int = 1) -> int:
        """FLOPs of multi-head attention with its projections: 8bnd^2 + 4bn^2d."""
        return self._calculate("attention", batch=batch, seq=seq_len, d_model=d_model, heads=num_heads)

    def count_convolution(self, input_shape: Sequence[int], filters: int, kernel: Sequence[int],
                          stride: int = 1, padding: int = 0, groups: int = 1) -> int:
        """FLOPs of a convolution over images of (batch, channels, height, width)."""
        batch, channels, height, width = input_shape
        return self._calculate("conv2d", batch=batch, channels=channels, height=height, width=width,
                               filters=filters, kernel="x".join(map(str, kernel)), stride=stride,
                               padding=padding, groups=groups)

    def report(self) -> None:
        """Print the total and the share of each operation."""
        total = self.total_flops
        print(f"Total FLOPs: {total / 1e9:.2f} GFLOPs")
        print("\nBreakdown by operation:")
        for operation, flops in sorted(self.op_counts.items(), key=lambda item: -item[1]):
            share = f"{100 * flops / total:5.1f}%" if total else "    -"
            print(f"  {operation:20s}: {flops / 1e9:8.2f} GFLOPs ({share})")
        if self.unknown_fraction > 0:
            print(f"\n{100 * self.unknown_fraction:.1f}% of the kernel time has unknown FLOPs.")


def count_flops(model: Callable[..., Any], *inputs: Any) -> float:
    """Call a model once, and count the FLOPs of the kernels that it runs."""
    return FLOPCounter().count(model, *inputs)
