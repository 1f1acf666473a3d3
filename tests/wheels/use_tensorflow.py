# SPDX-License-Identifier: GPL-3.0-or-later
"""Products and a convolution in TensorFlow."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tensorflow as tf

from truth import tell

tf.random.set_seed(1)
n, times = 512, 60
a = tf.random.normal((n, n))
image, filters = tf.random.normal((1, 64, 64, 32)), tf.random.normal((3, 3, 32, 64))


@tf.function
def step(x):
    return tf.linalg.matmul(a, x) / n**0.5, tf.nn.relu(tf.nn.conv2d(image, filters, 1, "VALID"))


x = a
for _ in range(times):
    x, y = step(x)
print(f"{tf.reduce_sum(tf.abs(x)).numpy():.3e} {tf.reduce_sum(y).numpy():.3e}")
tell(products=times * (2 * n**3 + 2 * 62 * 62 * 64 * 3 * 3 * 32))
