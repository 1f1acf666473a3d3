import torch

torch.manual_seed(1)
layer = torch.nn.TransformerEncoderLayer(256, 4, 1024, batch_first=True)
model = torch.nn.Sequential(torch.nn.Embedding(1000, 256), torch.nn.TransformerEncoder(layer, 4),
                            torch.nn.Linear(256, 1000))
optimizer = torch.optim.AdamW(model.parameters())
for step in range(15):
    tokens = torch.randint(0, 1000, (8, 64))
    loss = torch.nn.functional.cross_entropy(model(tokens).flatten(0, 1), tokens.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
