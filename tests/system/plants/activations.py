# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: activations.py planted|repaired
#
# A training whose activations are most of its memory, and the same with checkpoints.  The program
# prints the same in both ways.
import sys

import torch
from torch.utils.checkpoint import checkpoint

planted = sys.argv[1] == "planted"
torch.manual_seed(1)
torch.set_num_threads(1)
blocks = [torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.Tanh(), torch.nn.Linear(64, 64))
          for i in range(8)]
x = torch.ones(2**16, 64, requires_grad=True)
for step in range(2):
    y = x
    for block in blocks:
        y = block(y) if planted else checkpoint(block, y)
    y.mean().backward()
print(blocks[0][0].weight.grad.sum().item())
