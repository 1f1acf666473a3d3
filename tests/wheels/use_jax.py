# SPDX-License-Identifier: GPL-3.0-or-later
"""Products that XLA compiles, and a factor of LAPACK."""
import jax
import jax.numpy as jnp

from truth import tell

n, times = 512, 60
a = jax.random.normal(jax.random.key(1), (n, n))


@jax.jit
def step(x):
    return jnp.tanh(a @ x / n**0.5)


x = a
for _ in range(times):
    x = step(x)
low = jnp.linalg.cholesky(a @ a.T + n * jnp.eye(n))
print(f"{abs(x).sum():.3e} {low.sum():.4g}")
tell(products=(times + 1) * 2 * n**3 + n**3 / 3 + n * n / 2 + n / 6)
