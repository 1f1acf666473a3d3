# Sparse products, an ODE, an optimum, a tree of neighbours, filters, a Fourier transform.
import numpy
from scipy import fft, integrate, ndimage, optimize, signal, sparse, spatial, stats
from scipy.sparse import linalg

generator = numpy.random.default_rng(1)
grid = sparse.diags([-1, -1, 4.01, -1, -1], [-300, -1, 0, 1, 300], shape=(90000, 90000), format="csr")
for turn in range(3):
    solution, _ = linalg.cg(grid, generator.random(90000), tol=1e-8)
factors = linalg.splu(grid[:20000, :20000].tocsc())
path = integrate.solve_ivp(lambda t, y: [y[1], (1 - y[0] ** 2) * 5 * y[1] - y[0]], (0, 120), [2, 0])
best = optimize.minimize(optimize.rosen, numpy.full(30, 1.3), method="BFGS")
tree = spatial.cKDTree(generator.random((60000, 3)))
near, _ = tree.query(generator.random((60000, 3)), k=5)
image = ndimage.gaussian_filter(ndimage.median_filter(generator.random((700, 700)), 5), 3)
wave = signal.lfilter(*signal.butter(6, 0.1), generator.random(2000000))
spectrum = fft.rfft(generator.random((200, 16384)))
density = stats.gaussian_kde(generator.random(1500))(numpy.linspace(0, 1, 3000))
print(solution[0], factors.nnz, len(path.t), best.fun, near.sum(), image.sum(), wave[-1], abs(spectrum).sum(), density[0])
