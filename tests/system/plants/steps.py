# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs of PyTorch whose steps are known: steps.py WAY...  Each prints its number of steps.
import os
import sys

import torch
from torch import nn

torch.manual_seed(1)
torch.set_num_threads(1)


def mlp(width=32):
    return nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))


def encoder(layers):
    return nn.Sequential(*[nn.TransformerEncoderLayer(32, 4, 64, dropout=0, batch_first=True)
                           for _ in range(layers)])


def train(model, size, steps, gather=1):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        for _ in range(gather):
            model(torch.randn(size)).square().mean().backward()
        optimizer.step()
    print(steps)


# Two steps over 16 equal layers: kernels alone show 32 repeats.
def layers():
    train(encoder(16), (2, 8, 32), 2)


def plain():
    train(mlp(), (8, 32), 12)


def gather():
    train(mlp(), (8, 32), 12, gather=4)


# Two networks in turn, the first of them twice as often.
def adversaries():
    maker, judge = mlp(), mlp()
    makers = torch.optim.Adam(maker.parameters(), lr=0.01)
    judges = torch.optim.Adam(judge.parameters(), lr=0.01)
    for _ in range(10):
        for _ in range(2):
            judges.zero_grad()
            judge(maker(torch.randn(8, 32)).detach()).mean().backward()
            judges.step()
        makers.zero_grad()
        judge(maker(torch.randn(8, 32))).mean().backward()
        makers.step()
    print(10)


def infer():
    model = encoder(6).eval()
    x = torch.randn(2, 8, 32)
    with torch.no_grad():
        for _ in range(15):
            model(x)
    print(15)


# Three epochs of eight batches, with a test after each.
def epochs():
    batches = torch.utils.data.DataLoader(torch.randn(64, 32), batch_size=8)
    tests = torch.utils.data.DataLoader(torch.randn(16, 32), batch_size=8)
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(3):
        for batch in batches:
            optimizer.zero_grad()
            model(batch).square().mean().backward()
            optimizer.step()
        with torch.no_grad():
            for batch in tests:
                model(batch).square().mean()
    print(24)


# Each step also asks a teacher that does not learn.
def teacher():
    model, frozen = mlp(), mlp()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(9):
        x = torch.randn(8, 32)
        with torch.no_grad():
            y = frozen(x)
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    print(9)


# A network that calls itself for each item of a sequence is called once for all items.
class Looping(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(32, 32)
        self.head = nn.Linear(32, 8)

    def forward(self, x):
        state = torch.zeros(x.shape[1], 32)
        for item in x:
            state = self.cell(item, state)
        return self.head(state)


def looping():
    model = Looping()
    with torch.no_grad():
        for _ in range(11):
            model(torch.randn(7, 4, 32))
    print(11)


class Decoder(nn.Module):
    def __init__(self, layers=2, width=64):
        super().__init__()
        self.embed = nn.Embedding(100, width)
        self.query = nn.ModuleList([nn.Linear(width, 3 * width) for _ in range(layers)])
        self.mix = nn.ModuleList([nn.Linear(width, width) for _ in range(layers)])
        self.head = nn.Linear(width, 100)

    def forward(self, token, cache):
        x = self.embed(token)
        for i, (query, mix) in enumerate(zip(self.query, self.mix)):
            q, k, v = query(x).chunk(3, dim=-1)
            k, v = cache.add(i, k, v)
            x = x + mix(torch.softmax(q @ k.transpose(-1, -2), -1) @ v)
        return self.head(x)


class Joined:
    """Joins each key and value to those before it, in a new tensor."""

    def __init__(self, layers=2):
        self.keys, self.values = [None] * layers, [None] * layers

    def add(self, i, k, v):
        if self.keys[i] is not None:
            k, v = torch.cat([self.keys[i], k], 1), torch.cat([self.values[i], v], 1)
        self.keys[i], self.values[i] = k, v
        return k, v


class Prepared:
    """Has room for all from the begin."""

    def __init__(self, length, layers=2, width=64):
        self.keys = [torch.zeros(1, length, width) for _ in range(layers)]
        self.values = [torch.zeros(1, length, width) for _ in range(layers)]
        self.used = [0] * layers

    def add(self, i, k, v):
        at = self.used[i]
        self.keys[i][:, at], self.values[i][:, at] = k[:, 0], v[:, 0]
        self.used[i] += 1
        return self.keys[i][:, :at + 1], self.values[i][:, :at + 1]


TOKENS = 200
kept = []


def speak(model, cache):
    token = torch.tensor([[1]])
    with torch.no_grad():
        for _ in range(TOKENS):
            token = model(token, cache).argmax(-1)
    return int(token)


def generate(make_cache=Joined):
    model = Decoder().eval()
    speak(model, make_cache())
    print(TOKENS)


def prepared():
    generate(lambda: Prepared(TOKENS))


# A history grows like a cache, and stays for ever: that is a leak.
def leaking():
    model, cache = Decoder().eval(), Prepared(TOKENS)
    token = torch.tensor([[1]])
    with torch.no_grad():
        for _ in range(TOKENS):
            kept[:] = [torch.cat(kept + [torch.zeros(1, 16384)], 0)]
            token = model(token, cache).argmax(-1)
    print(TOKENS)
    sys.stdout.close()
    os.kill(os.getpid(), 15)


ways = (layers, plain, gather, adversaries, infer, epochs, teacher, looping, generate, prepared,
        leaking)

# Each in a separate process, which leaves its number in a file.
for way in ways:
    if way.__name__ not in sys.argv[1:]:
        continue
    if os.fork() == 0:
        with open(f"{way.__name__}.pid", "w") as file:
            file.write(str(os.getpid()))
        sys.stdout = open(f"{way.__name__}.out", "w")
        way()
        sys.exit()
    os.wait()
