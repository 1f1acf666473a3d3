# SPDX-License-Identifier: GPL-3.0-or-later
"""What this module knows of models: how to call one, and how many parameters it has."""

from __future__ import annotations

import sys
from typing import Any, Callable

from ._hint import UNKNOWN


def forward_of(model: Any) -> Callable[..., Any]:
    """The function that computes a model: itself, or its ``forward``."""
    forward: Callable[..., Any] = model if callable(model) else model.forward
    return forward


def count_parameters(model: Any) -> float:
    """The numbers in ``model.parameters()``: tensors of PyTorch, or arrays.  NaN: unknown."""
    parameters = getattr(model, "parameters", None)
    if not callable(parameters):
        return UNKNOWN
    return _sum(parameters())


def _sum(tensors: Any) -> float:
    """Each tensor once, however many layers share it."""
    distinct = {id(tensor): tensor for tensor in tensors}
    return sum(_size(tensor) for tensor in distinct.values())


def _size(tensor: Any) -> int:
    return int(tensor.numel()) if hasattr(tensor, "numel") else int(tensor.size)


class UsedParameters:
    """The parameters of the PyTorch modules that compute between :meth:`begin` and :meth:`end`."""

    def __init__(self) -> None:
        self._tensors: dict[int, Any] = {}
        self._handle: Any = None

    def begin(self) -> None:
        module = sys.modules.get("torch.nn.modules.module")
        if module is not None:
            self._handle = module.register_module_forward_pre_hook(self._note)

    def _note(self, module: Any, inputs: Any) -> None:
        for tensor in module.parameters(recurse=False):
            self._tensors[id(tensor)] = tensor

    def end(self) -> float:
        """Their count; NaN where none was seen."""
        if self._handle is not None:
            self._handle.remove()
        count = _sum(self._tensors.values()) if self._tensors else UNKNOWN
        self._handle, self._tensors = None, {}
        return count
