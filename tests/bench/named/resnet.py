import torch
import torchvision

torch.manual_seed(1)
model = torchvision.models.resnet18(weights=None).eval()
with torch.no_grad():
    for turn in range(25):
        result = model(torch.randn(2, 3, 224, 224))
print(result.sum().item())
