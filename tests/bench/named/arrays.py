# Arrays that no kernel sees: ufuncs, sorts, sums by index, strings; and a loop of Python.
import numpy

generator = numpy.random.default_rng(1)
values = generator.random((400, 5000))
for turn in range(12):
    scaled = numpy.exp(-values) * numpy.sin(values + turn)
    ranked = numpy.sort(scaled, axis=1)
    products = ranked[:, :400] @ ranked[:, :400].T
    found = numpy.linalg.svd(products[:150, :150], compute_uv=False)
    cumulated = numpy.cumsum(scaled, axis=0).astype(numpy.float32)
    chosen = scaled[scaled > 0.5]
    parts = numpy.histogram(chosen, bins=64)[0]
words = numpy.array(["word%d" % (i * 7919 % 30011) for i in range(60000)])
unique, counts = numpy.unique(words, return_counts=True)
total = 0
for i in range(2000000):
    total += i * i % 7
print(found[0], cumulated.sum(), parts.sum(), len(unique), total)
