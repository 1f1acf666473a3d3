# SPDX-License-Identifier: GPL-3.0-or-later
"""A small network in ONNX Runtime; with PROFILE, its profile instead of its results."""
import os

import numpy as np
import onnxruntime

from onnx_model import two_products
from truth import tell

batch, wide, inner, runs = 64, 512, 1024, 200
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
options.enable_profiling = "PROFILE" in os.environ
session = onnxruntime.InferenceSession(two_products(batch, wide, inner), options)
x = np.random.default_rng(2).normal(size=(batch, wide)).astype(np.float32)
for _ in range(runs):
    (y,) = session.run(None, {"x": x})
if options.enable_profiling:
    with open(session.end_profiling()) as profile:
        print(profile.read())
else:
    print(f"{abs(y).sum():.4g}")
tell(products=runs * 2 * 2 * batch * wide * inner)
