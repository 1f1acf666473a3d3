# SPDX-License-Identifier: GPL-3.0-or-later
#
# Difficult cases for a profiler of PyTorch's ops, in one run.  It prints what it computed.
import subprocess
import sys

import torch
from torch import nn

torch.manual_seed(1)
torch.set_num_threads(1)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(8, 8)

    def forward(self, x):
        return self.out(x) + x


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Attention()

    def forward(self, x):
        return self.self_attn(x)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Block() for i in range(3)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.parts = nn.ModuleDict({"head": nn.Sequential(nn.Linear(8, 2), nn.ReLU())})

    def forward(self, x):
        return self.parts["head"](self.encoder(x))


class Strange(nn.Module):
    def __init__(self):
        super().__init__()
        self.add_module("tab\tline\n\x1b[31m\x7f", nn.Linear(3, 3))

    def forward(self, x):
        for layer in self.children():
            x = layer(x)
        return x


class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 3)

    def forward(self, x, levels=150):
        return self(x, levels - 1) if levels else self.inner(x)


class Numbers(torch.utils.data.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.full((3,), float(index))


def nested_modules():
    model = Model()
    for step in range(2):
        result = model(torch.ones(4, 8)).sum()
    return result.item()


def strange_attributes():
    return Strange()(torch.ones(1, 3)).sum().item()


def recursion():
    return Deep()(torch.ones(1, 3)).sum().item()


def long_names():
    with torch.autograd.profiler.record_function("long " + "x" * 65536):
        with torch.autograd.profiler.record_function("tab\tline\n\x1b[31m\x7f"):
            return (torch.ones(3) + 1).sum().item()


def strange_classes():
    names = ["tab\tline\n\x1b[31m", "\u00e9\u4e16", "x" * 5000, "Model/head#1"]
    classes = [type(name, (nn.ReLU,), {}) for name in names]
    return [layer()(torch.ones(2)).sum().item() for layer in classes]


def dispatch_mode():
    try:
        from torch.utils._python_dispatch import TorchDispatchMode
    except ImportError:
        return "none"

    class Mode(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            return function(*args, **(kwargs or {}))

    with Mode():
        torch.ones(3) @ torch.ones(3)
    return "passed"


def tensors_without_sizes():
    nested = torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)])
    nn.functional.relu(nested)
    meta = torch.empty(10, 20, device="meta")
    sparse = torch.eye(50).to_sparse()
    try:
        from torch._subclasses import FakeTensorMode

        with FakeTensorMode():
            torch.randn(5, 5) @ torch.randn(5, 5)
    except ImportError:
        pass
    return [tuple((meta @ meta.t()).shape), (sparse @ torch.ones(50, 5)).sum().item()]


def failing_ops():
    failed = 0
    for i in range(100):
        try:
            torch.mm(torch.ones(3, 4), torch.ones(5, 6))
        except RuntimeError:
            failed += 1
    return failed


def many_modules():
    return sum(nn.Linear(1, 1)(torch.ones(1, 1)).shape[0] for i in range(500))


class Product(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.weights = [weights]

    def forward(self, x):
        (x @ self.weights[0]).sum().backward()


# Each model reuses the memory of the one before the last.
def models_in_turn():
    total = 0
    for size in range(1, 21):
        weights = torch.ones(8, size, requires_grad=True)
        model = type(f"Product{size}", (Product,), {})(weights)
        model(torch.ones(16, 8))
        total += weights.grad.sum().item()
    return total


def low_precision():
    layer, x = nn.Linear(4, 4), torch.ones(2, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = layer(x)
    with torch.no_grad():
        z = torch.tanh(layer(x))
    return [str(y.dtype), z.requires_grad]


def workers():
    loader = torch.utils.data.DataLoader(Numbers(), num_workers=2, batch_size=2,
                                         multiprocessing_context="fork")
    return sum(batch.sum().item() for batch in loader)


def another_process():
    code = "import torch; print(torch.ones(3).sum().item())"
    return subprocess.run([sys.executable, "-c", code], capture_output=True).stdout


for part in (nested_modules, strange_attributes, recursion, long_names, strange_classes,
             dispatch_mode, tensors_without_sizes, failing_ops, many_modules, models_in_turn,
             low_precision, workers, another_process):
    print(part.__name__, part(), flush=True)
