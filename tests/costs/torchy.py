# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs of torch, and their repaired twins.
#
# usage: torchy.py NAME planted|repaired ROUNDS
import functools
import io
import os
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, TensorDataset

torch.manual_seed(0)
torch.set_num_threads(1)

VECTOR = torch.randn(1000)
LARGE = torch.randn(300000)
MATRIX = torch.randn(200, 200)
ARRAYS = [np.random.rand(64).astype(np.float32) for _ in range(500)]


def elements_planted():
    total = 0.0
    for i in range(len(VECTOR)):
        total += VECTOR[i].item()
    return total


def elements_repaired():
    return sum(VECTOR.tolist())


def iteration_planted():
    for value in VECTOR:
        pass


def iteration_repaired():
    for value in VECTOR.tolist():
        pass


def contains_planted():
    return sum(value in VECTOR for value in range(100))


VALUES = set(VECTOR.tolist())


def contains_repaired():
    return sum(value in VALUES for value in range(100))


def construction_planted():
    return torch.tensor(ARRAYS)


def construction_repaired():
    return torch.from_numpy(np.stack(ARRAYS))


SAMPLES = TensorDataset(torch.randn(4000, 8), torch.randn(4000))


def loader_planted():
    return sum(1 for _ in DataLoader(SAMPLES, batch_size=64, shuffle=True))


def loader_repaired():
    batches = BatchSampler(RandomSampler(SAMPLES), 64, False)
    return sum(1 for _ in DataLoader(SAMPLES, batch_size=None, sampler=batches))


DEEP = nn.Sequential(*[nn.Sequential(nn.Linear(8, 8), nn.ReLU()) for _ in range(100)])
BEST = [parameter.detach().clone() for parameter in DEEP.parameters()]
WEIGHTS = list(DEEP.parameters())


def state_planted():
    return DEEP.state_dict()


STATE = DEEP.state_dict()


def state_repaired():
    return STATE


def save_planted():
    for _ in range(20):
        torch.save(DEEP, io.BytesIO())


def save_repaired():
    torch.save(DEEP, io.BytesIO())


for parameter in WEIGHTS:
    parameter.grad = torch.ones_like(parameter)


def clip_planted():
    return nn.utils.clip_grad_norm_(WEIGHTS, 1.0)


def clip_repaired():
    gradients = [parameter.grad for parameter in WEIGHTS]
    norm = torch.stack(torch._foreach_norm(gradients)).norm()
    torch._foreach_mul_(gradients, min(1.0, 1.0 / float(norm)))
    return norm


def optimizer_planted(optimizer=torch.optim.Adam(WEIGHTS, foreach=False)):
    optimizer.step()


def optimizer_repaired(optimizer=torch.optim.Adam(WEIGHTS, foreach=True)):
    optimizer.step()


WIDE = nn.Linear(1000, 1000)


def zeros_planted(optimizer=torch.optim.SGD(WIDE.parameters(), lr=0.1)):
    WIDE.weight.grad = WIDE.weight.detach() if WIDE.weight.grad is None else WIDE.weight.grad
    optimizer.zero_grad(set_to_none=False)


def zeros_repaired(optimizer=torch.optim.SGD(WIDE.parameters(), lr=0.1)):
    WIDE.weight.grad = WIDE.weight.detach() if WIDE.weight.grad is None else WIDE.weight.grad
    optimizer.zero_grad(set_to_none=True)


SMALL = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64))
BATCH = torch.randn(16, 64)


def anomaly_planted():
    with torch.autograd.set_detect_anomaly(True):
        SMALL(BATCH).sum().backward()


def anomaly_repaired():
    SMALL(BATCH).sum().backward()


def jacobian_planted():
    return torch.autograd.functional.jacobian(SMALL, BATCH[0])


IDENTITY = torch.eye(64)


def jacobian_repaired():
    point = BATCH[0].clone().requires_grad_()
    return torch.autograd.grad(SMALL(point), point, IDENTITY, is_grads_batched=True)


def checkpoint_planted():
    batch = BATCH.clone().requires_grad_()
    checkpoint(SMALL, batch).sum().backward()


def checkpoint_repaired():
    batch = BATCH.clone().requires_grad_()
    SMALL(batch).sum().backward()


CLASSES = torch.randint(0, 5000, (64,))


MEDIUM = torch.randn(100000)
ZERO = torch.zeros(())


def mask_planted():
    return MEDIUM[MEDIUM > 0].sum()


def mask_repaired():
    return torch.where(MEDIUM > 0, MEDIUM, ZERO).sum()


def permutation_planted():
    return torch.randperm(100000)[:32]


def permutation_repaired():
    return torch.randint(0, 100000, (32,))


CHANCES = torch.rand(10000)


def multinomial_planted():
    return [torch.multinomial(CHANCES, 1) for _ in range(50)]


def multinomial_repaired():
    return torch.multinomial(CHANCES, 50, replacement=True)


TARGETS = torch.randint(0, 1000, (100000,))
ROWS = torch.randn(20000, 16)


def scatter_planted():
    return torch.zeros(1000, 16).index_add_(0, TARGETS[:20000], ROWS)


def scatter_repaired():
    return torch.zeros(1000, 16).index_put_((TARGETS[:20000],), ROWS, accumulate=True)


DENSE = nn.Embedding(100000, 16)
SPARSE = nn.Embedding(100000, 16, sparse=True)


def embedding_planted():
    DENSE.weight.grad = None
    DENSE(CLASSES).sum().backward()


def embedding_repaired():
    SPARSE.weight.grad = None
    SPARSE(CLASSES).sum().backward()


BAG = nn.EmbeddingBag(100000, 16)
SPARSE_BAG = nn.EmbeddingBag(100000, 16, sparse=True)
BAGS = torch.arange(0, 64, 8)


def bags_planted():
    BAG.weight.grad = None
    BAG(CLASSES[:64], BAGS).sum().backward()


def bags_repaired():
    SPARSE_BAG.weight.grad = None
    SPARSE_BAG(CLASSES[:64], BAGS).sum().backward()


CELL = nn.LSTMCell(16, 16)
LAYER = nn.LSTM(16, 16)
SEQUENCE = torch.randn(100, 2, 16)


@torch.no_grad()
def cell_planted():
    hidden = memory = torch.zeros(2, 16)
    for step in SEQUENCE:
        hidden, memory = CELL(step, (hidden, memory))
    return hidden


@torch.no_grad()
def cell_repaired():
    return LAYER(SEQUENCE)


SHORT = torch.randn(10)


def print_planted():
    return str(SHORT)


def print_repaired():
    return str(SHORT.tolist())


def script_planted():
    return torch.jit.script(nn.Linear(4, 4))(BATCH[:, :4])


LINEAR = torch.jit.script(nn.Linear(4, 4))


def script_repaired():
    return LINEAR(BATCH[:, :4])


def parameters_planted():
    return sum(parameter.numel() for parameter in DEEP.parameters())


def parameters_repaired():
    return sum(parameter.numel() for parameter in WEIGHTS)


def distribution_planted():
    return torch.distributions.Normal(BATCH, 1.0).log_prob(BATCH)


def distribution_repaired():
    return torch.distributions.Normal(BATCH, 1.0, validate_args=False).log_prob(BATCH)


def inverse_planted():
    return torch.linalg.inv(MATRIX) @ MATRIX[0]


def inverse_repaired():
    return torch.linalg.solve(MATRIX, MATRIX[0])


def svd_planted():
    return torch.linalg.svd(MATRIX)[1][:5]


def svd_repaired():
    return torch.svd_lowrank(MATRIX, 5)[1]


def modules_planted():
    return nn.Linear(64, 64)(BATCH)


ONCE = nn.Linear(64, 64)


def modules_repaired():
    return ONCE(BATCH)


def causal_planted():
    return nn.Transformer.generate_square_subsequent_mask(256)


CAUSAL = nn.Transformer.generate_square_subsequent_mask(256)


def causal_repaired():
    return CAUSAL


def unique_planted():
    return torch.unique(TARGETS)


def unique_repaired():
    return torch.bincount(TARGETS).nonzero()


def quantile_planted():
    return torch.quantile(LARGE, 0.9)


def quantile_repaired():
    return LARGE.kthvalue(270000).values


def repeat_planted():
    return VECTOR[:300].repeat(100, 1).sum()


def repeat_repaired():
    return VECTOR[:300].expand(100, 300).sum()


NORMED = nn.utils.weight_norm(nn.Linear(512, 512))
PLAIN = nn.utils.remove_weight_norm(nn.utils.weight_norm(nn.Linear(512, 512)))


@torch.no_grad()
def weightnorm_planted():
    return NORMED(BATCH[:2].repeat(1, 8))


@torch.no_grad()
def weightnorm_repaired():
    return PLAIN(BATCH[:2].repeat(1, 8))


def nograd_planted():
    for _ in range(1000):
        with torch.no_grad():
            pass


@torch.no_grad()
def nograd_repaired():
    for _ in range(1000):
        pass


def profiler_planted():
    with torch.profiler.profile():
        for _ in range(20):
            SMALL(BATCH)


def profiler_repaired():
    for _ in range(20):
        SMALL(BATCH)


def apply_planted():
    return VECTOR.clone().apply_(abs)


def apply_repaired():
    return VECTOR.abs()


PAIRS = torch.randint(0, 1000, (2, 20000))
GRAPH = torch.sparse_coo_tensor(PAIRS, torch.ones(20000), (1000, 1000))
JOINED = GRAPH.coalesce()


@functools.cache
def orthogonal():
    return torch.nn.utils.parametrizations.orthogonal(torch.nn.Linear(32, 32, bias=False))


def orthogonal_planted():
    layer, x = orthogonal(), torch.ones(1, 32)
    for _ in range(8):
        x = layer(x)


def orthogonal_repaired():
    layer, x = orthogonal(), torch.ones(1, 32)
    with torch.nn.utils.parametrize.cached():
        for _ in range(8):
            x = layer(x)


def coalesce_planted():
    return torch.sparse_coo_tensor(PAIRS, ROWS[:, 0], (1000, 1000)).coalesce()


def coalesce_repaired():
    return JOINED


def grown_planted():
    grown = MATRIX[:1]
    for _ in range(25):
        grown = torch.cat((grown, MATRIX))
    return grown


def grown_repaired():
    return torch.cat([MATRIX] * 25)


@functools.cache
def workers(keep):
    dataset = TensorDataset(MATRIX)
    return DataLoader(dataset, batch_size=None, num_workers=2, persistent_workers=keep,
                      sampler=BatchSampler(RandomSampler(dataset), 50, False))


def epochs_planted():
    return sum(len(batch) for batch in workers(False))


def epochs_repaired():
    return sum(len(batch) for batch in workers(True))


TENSORS = [torch.randn(3) for _ in range(200)]


def to_numpy_planted():
    return np.array([np.asarray(tensor) for tensor in TENSORS])


def to_numpy_repaired():
    return torch.stack(TENSORS).numpy()


def patches_planted():
    return F.unfold(PICTURE, 5).sum()


PICTURE = torch.randn(1, 8, 64, 64)


def patches_repaired():
    return F.conv2d(PICTURE, torch.ones(1, 8, 5, 5)).sum()


SYMMETRIC = MATRIX + MATRIX.T


def spectrum_planted():
    return torch.linalg.eig(SYMMETRIC)


def spectrum_repaired():
    return torch.linalg.eigh(SYMMETRIC)


def best_planted():
    return torch.sort(LARGE, descending=True).values[:10]


def best_repaired():
    return torch.topk(LARGE, 10).values


SMALL_NUMBERS = torch.randint(0, 100, (30, 3000))


def most_planted():
    return torch.mode(SMALL_NUMBERS, 1).values


def most_repaired():
    return [torch.bincount(row).argmax() for row in SMALL_NUMBERS]


def file_planted():
    return torch.load(saved())["weight"][0, 0]


@functools.cache
def saved():
    torch.save(nn.Linear(300, 300).state_dict(), "torchy-saved.pt")
    return "torchy-saved.pt"


@functools.cache
def loaded():
    return torch.load(saved())


def file_repaired():
    return loaded()["weight"][0, 0]


def pairs_planted():
    return ((POINTS[:, None] - POINTS) ** 2).sum(2)[0, 0]


POINTS = torch.randn(1400, 20)


def pairs_repaired():
    return torch.cdist(POINTS, POINTS)[0, 0]


def made_planted():
    return torch.optim.Adam(network().parameters())


@functools.cache
def network():
    return nn.Sequential(*[nn.Linear(4, 4) for _ in range(20)])


@functools.cache
def made():
    return torch.optim.Adam(network().parameters())


def made_repaired():
    return made()


def wrapped_planted():
    from torchvision import transforms
    return [transforms.functional.adjust_hue(photo(), 0.1) for _ in range(2)]


@functools.cache
def photo():
    from PIL import Image
    return Image.fromarray((np.random.rand(200, 200, 3) * 255).astype(np.uint8))


def wrapped_repaired():
    from torchvision import transforms
    return [transforms.functional.adjust_brightness(photo(), 1.1) for _ in range(2)]


def toned_planted():
    from torchvision import transforms
    normalize = transforms.Normalize([0.5] * 3, [0.5] * 3)
    convert = transforms.Compose([transforms.ToTensor(), normalize])
    return torch.stack([convert(photo()) for _ in range(8)])


def toned_repaired():
    batch = torch.from_numpy(np.stack([np.asarray(photo()) for _ in range(8)]))
    return batch.permute(0, 3, 1, 2)


def triplets_planted():
    return torch.combinations(VECTOR[:300], 2).sum()


def triplets_repaired():
    return VECTOR[:300].sum() * 299


def products_planted():
    return torch.kron(torch.eye(20), MATRIX[:20, :20]) @ VECTOR[:400]


def products_repaired():
    return (VECTOR[:400].view(20, 20) @ MATRIX[:20, :20].T).flatten()


function = globals()[sys.argv[1] + "_" + sys.argv[2]]
for _ in range(int(sys.argv[3])):
    function()
