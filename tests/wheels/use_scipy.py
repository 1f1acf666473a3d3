# SPDX-License-Identifier: GPL-3.0-or-later
"""LAPACK by scipy.linalg, sparse systems, FFT and optimization."""
import numpy as np
import scipy.fft
import scipy.linalg as la
import scipy.optimize
import scipy.sparse
import scipy.sparse.linalg

from truth import tell

rng = np.random.default_rng(1)
n, times = 300, 12
a = rng.random((n, n)) + n * np.eye(n)
for _ in range(times):
    factors = la.lu_factor(a)
    x = la.lu_solve(factors, a[:, :20])
    q, r = la.qr(a)
    c = la.blas.dgemm(1.0, a, a)
    values = la.eigh(a + a.T, eigvals_only=True)
    singular = la.svd(a[:120, :120], compute_uv=False)
mesh = scipy.sparse.diags_array([-1.0, 4.0, -1.0], offsets=[-200, 0, 200], shape=(40000, 40000)).tocsc()
y = scipy.sparse.linalg.spsolve(mesh, np.ones(40000))
found = scipy.optimize.minimize(scipy.optimize.rosen, np.full(40, 1.3), method="L-BFGS-B")
field = scipy.fft.dctn(rng.random((800, 800)))
sums = [x.sum(), abs(r).sum(), c.sum(), values[-1], singular[0], y.sum(), field[3, 4]]
print(" ".join(f"{value:.5g}" for value in sums), found.success)
tell(dgetrf=times * (2 * n**3 / 3 - n * n / 2 + 5 * n / 6), dgetrs=times * 20 * (2 * n * n - n),
     dgeqrf=times * (4 * n**3 / 3 + 2 * n * n + 14 * n / 3))
