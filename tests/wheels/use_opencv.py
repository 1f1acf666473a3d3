# SPDX-License-Identifier: GPL-3.0-or-later
"""Filters, products, and a network by OpenCV."""
import cv2
import numpy as np

from onnx_model import two_products

cv2.setNumThreads(2)
rng = np.random.default_rng(1)
image = rng.integers(0, 255, (1080, 1920, 3)).astype(np.uint8)
for _ in range(10):
    blurred = cv2.GaussianBlur(image, (21, 21), 3)
    edges = cv2.Canny(cv2.cvtColor(blurred, cv2.COLOR_BGR2GRAY), 20, 60)
    small = cv2.resize(image, (640, 360), interpolation=cv2.INTER_AREA)
a = rng.random((500, 500))
for _ in range(10):
    c = cv2.gemm(a, a, 1, a, 0)
network = cv2.dnn.readNetFromONNX(np.frombuffer(two_products(64, 512, 1024), np.uint8))
network.setInput(rng.normal(size=(64, 512)).astype(np.float32))
for _ in range(50):
    y = network.forward()
print(int(edges.sum()), int(small.sum()), f"{c.sum():.5g} {abs(y).sum():.4g}")
