# SPDX-License-Identifier: GPL-3.0-or-later
"""A model of torchvision with random weights: one image forward, and two that it learns from.

train.py MODEL prints a hash of what was computed.  The file truth has the multiply-adds by the
sizes of the layers: a row for each convolution, with those of its gradients.
"""
import hashlib
import json
import sys
import warnings

import torch
import torchvision

BATCH = 2
convolutions = []
first = {}


def count(layer, inputs, output):
    """A layer whose input needs no gradient has one product less in its backward pass."""
    weights = layer.weight
    macs = output.numel() * weights[0].numel()
    if not torch.is_grad_enabled():
        return
    needs = inputs[0].requires_grad
    if not needs:
        first[id(layer)] = macs
    if isinstance(layer, torch.nn.Conv2d):
        convolutions.append({"output": list(output.shape), "input": list(inputs[0].shape),
                             "weights": list(weights.shape), "forward": macs,
                             "backward": macs * (1 + needs)})


def say(tensor):
    print(hashlib.sha256(tensor.detach().numpy().tobytes()).hexdigest())


warnings.simplefilter("ignore")
torch.manual_seed(1)
torch.set_num_threads(1)
make = getattr(torchvision.models, sys.argv[1])
model = make(weights=None).eval()
with torch.no_grad():
    say(model(torch.randn(1, 3, 224, 224)))
for layer in model.train().modules():
    if isinstance(layer, (torch.nn.Conv2d, torch.nn.Linear)):
        layer.register_forward_hook(count)
found = model(torch.randn(BATCH, 3, 224, 224))
found.square().sum().backward()
say(found)
for weights in model.parameters():
    if weights.grad is not None:
        say(weights.grad)
with open("truth", "w") as file:
    json.dump({"batch": BATCH, "first": sum(first.values()), "convolutions": convolutions}, file)
