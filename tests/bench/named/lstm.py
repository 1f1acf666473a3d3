import torch

torch.manual_seed(1)
model = torch.nn.LSTM(128, 256, num_layers=2, batch_first=True)
head = torch.nn.Linear(256, 10)
optimizer = torch.optim.SGD([*model.parameters(), *head.parameters()], lr=0.01)
for step in range(12):
    outputs, _ = model(torch.randn(16, 80, 128))
    loss = torch.nn.functional.cross_entropy(head(outputs[:, -1]), torch.randint(0, 10, (16,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
