# SPDX-License-Identifier: GPL-3.0-or-later
"""The sample inputs that PyTorch's own tests give to each op: a hash of what each returns.

The first SAMPLES of each op, in float32; an op that refuses one says so.
"""
import hashlib
import sys
import warnings

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_leaves

SAMPLES = 3
# What these return is memory that nobody wrote to.
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


def run(op):
    digest = hashlib.sha256()
    count = 0
    try:
        for sample in op.sample_inputs("cpu", torch.float32):
            torch.manual_seed(1)
            add(digest, op(sample.input, *sample.args, **sample.kwargs))
            count += 1
            if count == SAMPLES:
                break
    except Exception as error:
        digest.update(type(error).__name__.encode())
    return count, digest.hexdigest()[:16]


for op in op_db:
    if op.name not in UNINITIALIZED and torch.float32 in op.dtypes:
        torch.manual_seed(1)
        print(op.full_name, *run(op))
        sys.stdout.flush()
