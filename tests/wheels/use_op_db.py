# SPDX-License-Identifier: GPL-3.0-or-later
"""The sample inputs that PyTorch's own tests give to each op: hashes of results and gradients.

In float32.  A line has the op, the samples, those with gradients, and the hash; an op that refuses a
sample ends there, and its hash has the name of the error.
"""
import hashlib
import sys
import warnings

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_leaves

# These return memory that nobody wrote to.
UNINITIALIZED = {"empty", "empty_like", "empty_permuted", "empty_strided", "new_empty",
                 "new_empty_strided", "resize_", "resize_as_"}
warnings.simplefilter("ignore")
torch.set_num_threads(1)


def add(digest, result):
    for leaf in tree_leaves(result):
        if isinstance(leaf, torch.Tensor) and leaf.layout == torch.strided:
            leaf = leaf.detach().resolve_conj().resolve_neg().contiguous()
            digest.update(leaf.flatten().view(torch.uint8).numpy().tobytes())
        else:
            digest.update(type(leaf).__name__.encode())


def needs_gradient(tree):
    return [leaf for leaf in tree_leaves(tree)
            if isinstance(leaf, torch.Tensor) and leaf.requires_grad]


def add_gradients(digest, result, inputs):
    outputs, inputs = needs_gradient(result), needs_gradient(inputs)
    if not outputs or not inputs:
        return 0
    ones = [torch.ones_like(output) for output in outputs]
    add(digest, torch.autograd.grad(outputs, inputs, ones, allow_unused=True))
    return 1


def run(op):
    digest = hashlib.sha256()
    count = with_gradients = 0
    try:
        for sample in op.sample_inputs("cpu", torch.float32, requires_grad=op.supports_autograd):
            torch.manual_seed(1)
            inputs = sample.input, sample.args, sample.kwargs
            result = op(sample.input, *sample.args, **sample.kwargs)
            add(digest, result)
            count += 1
            with_gradients += add_gradients(digest, result, inputs)
    except Exception as error:
        digest.update(type(error).__name__.encode())
    return count, with_gradients, digest.hexdigest()[:16]


for op in op_db:
    if op.name not in UNINITIALIZED and torch.float32 in op.dtypes:
        torch.manual_seed(1)
        print(op.full_name, *run(op))
        sys.stdout.flush()
