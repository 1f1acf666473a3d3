# SPDX-License-Identifier: GPL-3.0-or-later
"""A convolutional network forward, and a perceptron that learns."""
import torch
import torchvision

from truth import tell

RESNET18 = 1_814_073_344  # multiply-adds of an image of 224 x 224, as published
torch.manual_seed(1)
torch.set_num_threads(2)
network = torchvision.models.resnet18().eval()
images = 4
with torch.no_grad():
    found = [network(torch.randn(1, 3, 224, 224)).abs().sum().item() for _ in range(images)]
batch, wide, inner, out, steps = 128, 784, 512, 10, 60
model = torch.nn.Sequential(torch.nn.Linear(wide, inner), torch.nn.ReLU(), torch.nn.Linear(inner, out))
learning = torch.optim.SGD(model.parameters(), lr=0.01)
x, y = torch.randn(batch, wide), torch.randint(out, (batch,))
for _ in range(steps):
    learning.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(x), y)
    loss.backward()
    learning.step()
print(f"{sum(found):.3e} {loss.item():.3f}")
# The first layer needs no gradient of its input.
step = 2 * batch * (wide * inner * 2 + inner * out * 3)
tell(products=images * 2 * RESNET18 + steps * step)
