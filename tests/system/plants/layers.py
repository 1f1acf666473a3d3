# SPDX-License-Identifier: GPL-3.0-or-later
"""Models whose FLOPs are known: an encoder, attention by hand, and what is no attention."""
import math
import sys

import torch
from torch import nn

STEPS, ITEMS, TOKENS, WIDTH, HEADS, INNER = 3, 8, 32, 64, 4, 256


class Net(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.embed = nn.Linear(16, WIDTH)
        self.encoder = encoder
        self.head = nn.Linear(WIDTH, 10)

    def forward(self, x):
        return self.head(self.encoder(self.embed(x)))


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inputs = nn.Linear(WIDTH, 3 * WIDTH)
        self.softmax = nn.Softmax(dim=-1)
        self.down = nn.Linear(WIDTH, 8, bias=False)
        self.up = nn.Linear(8, WIDTH, bias=False)
        self.outputs = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        q, k, v = (
            part.view(ITEMS, TOKENS, HEADS, WIDTH // HEADS).transpose(1, 2)
            for part in self.inputs(x).chunk(3, dim=-1)
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(WIDTH // HEADS)
        x = (self.softmax(scores) @ v).transpose(1, 2).reshape(ITEMS, TOKENS, WIDTH)
        return self.outputs(x) + self.up(self.down(x))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.mixer = Mixer()
        self.widen = nn.Linear(WIDTH, INNER)
        self.narrow = nn.Linear(INNER, WIDTH)

    def forward(self, x):
        x = x + self.mixer(x)
        return x + self.narrow(self.widen(x).relu())


class Nothing(nn.Module):
    """Convolutions, products of batches, and a softmax that is between none of them."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 32, 3, padding=1)
        self.second = nn.Conv2d(32, 32, 3, padding=1)
        self.wide = nn.Linear(32, 128)
        self.narrow = nn.Linear(128, 32)

    def forward(self, x):
        x = self.second(self.first(x).relu()).mean(dim=-1)
        x = torch.bmm(x, x.transpose(1, 2)).relu()
        x = torch.bmm(x, x)
        return self.narrow(self.wide(x).relu()).softmax(dim=-1)


def train(net, x):
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    for _ in range(STEPS):
        optimizer.zero_grad()
        net(x).square().mean().backward()
        optimizer.step()


def main(way):
    torch.manual_seed(1)
    torch.set_num_threads(1)
    if way == "nothing":
        train(Nothing(), torch.randn(4, 3, 32, 32))
        return
    if way == "own":
        encoder = nn.Sequential(Block(), Block())
    else:
        layer = nn.TransformerEncoderLayer(WIDTH, HEADS, INNER, dropout=0.0, batch_first=True)
        encoder = nn.TransformerEncoder(layer, 2)
    net = Net(encoder)
    x = torch.randn(ITEMS, TOKENS, 16)
    if way == "infer":
        net.eval()
        with torch.no_grad():
            for _ in range(STEPS):
                net(x)
        return
    train(net, x)


if __name__ == "__main__":
    main(sys.argv[1])
