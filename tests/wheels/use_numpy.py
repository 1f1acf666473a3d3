# SPDX-License-Identifier: GPL-3.0-or-later
"""Products, systems and what numpy computes itself."""
import numpy as np

from truth import tell

rng = np.random.default_rng(1)
n, times = 400, 20
a, b = rng.random((n, n)), rng.random((n, n))
single = a.astype(np.float32)
for _ in range(times):
    c = a @ b
    d = single @ single
    z = (a[:200, :200] + 1j * b[:200, :200]) @ (a[:200, :200] - 1j * b[:200, :200])
    x = np.linalg.solve(a + n * np.eye(n), b[:, :10])
    low = np.linalg.cholesky(a @ a.T + n * np.eye(n))
values = np.linalg.eigvalsh(low + low.T)
field = np.fft.fft2(rng.random((1024, 1024))).real
order = np.sort(rng.random(2_000_000))
sums = [c.sum(), d.sum(), z.sum().real, x.sum(), values[-1], field.sum(), order[1000]]
print(" ".join(f"{value:.5g}" for value in sums), np.einsum("ij,jk->ik", a[:90], b).sum().round(2))
tell(dgemm=times * 2 * n**3, sgemm=times * 2 * n**3, zgemm=times * 8 * 200**3,
     dsyrk=times * n * n * (n + 1),
     dgesv=times * (2 * n**3 / 3 - n * n / 2 + 5 * n / 6 + 10 * (2 * n * n - n)),
     dpotrf=times * (n**3 / 3 + n * n / 2 + n / 6))
