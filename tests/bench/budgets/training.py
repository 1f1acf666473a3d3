# Steps of a small training, 4 ms each: its kernels are short.
import sys

import torch

torch.manual_seed(1)
layer = torch.nn.TransformerEncoderLayer(64, 4, 128, batch_first=True)
model = torch.nn.Sequential(
    torch.nn.Embedding(500, 64), torch.nn.TransformerEncoder(layer, 2), torch.nn.Linear(64, 500)
)
optimizer = torch.optim.SGD(model.parameters(), 0.01)
tokens = torch.randint(0, 500, (4, 16))
for step in range(int(sys.argv[1])):
    loss = torch.nn.functional.cross_entropy(model(tokens).flatten(0, 1), tokens.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
