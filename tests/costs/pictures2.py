# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs of plots, pictures, maps and graphs, and their repaired twins.
#
# usage: pictures2.py NAME planted|repaired ROUNDS
#
# Each plant imports what it needs, so that no plant pays for another.
import sys


def named_ticks_planted(rounds):
    import io
    from matplotlib.figure import Figure
    axes = Figure().add_subplot()
    axes.plot([str(i) for i in range(rounds)], range(rounds))
    file = io.BytesIO()
    axes.figure.savefig(file)
    return file.tell() > 0


def named_ticks_repaired(rounds):
    import io
    from matplotlib.figure import Figure
    axes = Figure().add_subplot()
    axes.plot([float(str(i)) for i in range(rounds)], range(rounds))
    file = io.BytesIO()
    axes.figure.savefig(file)
    return file.tell() > 0


def vectors_planted(rounds):
    import io
    import numpy as np
    from matplotlib.figure import Figure
    x, y = np.random.default_rng(1).random((2, rounds))
    axes = Figure().add_subplot()
    axes.scatter(x, y, s=x)
    axes.figure.savefig(io.BytesIO(), format="svg")
    return len(axes.collections)


def vectors_repaired(rounds):
    import io
    import numpy as np
    from matplotlib.figure import Figure
    x, y = np.random.default_rng(1).random((2, rounds))
    axes = Figure().add_subplot()
    axes.scatter(x, y, s=x, rasterized=True)
    axes.figure.savefig(io.BytesIO(), format="svg")
    return len(axes.collections)


def live_planted(rounds):
    import numpy as np
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    figure = Figure()
    canvas, axes = FigureCanvasAgg(figure), figure.add_subplot()
    line, = axes.plot(np.zeros(100))
    for i in range(rounds):
        line.set_ydata(np.full(100, i / rounds))
        canvas.draw()
    return rounds


def live_repaired(rounds):
    import numpy as np
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    figure = Figure()
    canvas, axes = FigureCanvasAgg(figure), figure.add_subplot()
    line, = axes.plot(np.zeros(100), animated=True)
    canvas.draw()
    background = canvas.copy_from_bbox(axes.bbox)
    for i in range(rounds):
        line.set_ydata(np.full(100, i / rounds))
        canvas.restore_region(background)
        axes.draw_artist(line)
    return rounds


def panels_planted(rounds):
    import io
    import numpy as np
    from matplotlib.figure import Figure
    figure, pictures = Figure(), np.random.default_rng(1).random((rounds, 16, 16))
    for i in range(rounds):
        figure.add_subplot(10, rounds // 10 + 1, i + 1).imshow(pictures[i])
    figure.savefig(io.BytesIO())
    return rounds


def panels_repaired(rounds):
    import io
    import numpy as np
    from matplotlib.figure import Figure
    figure, pictures = Figure(), np.random.default_rng(1).random((rounds, 16, 16))
    for i in range(rounds):
        axes = figure.add_subplot(10, rounds // 10 + 1, i + 1)
        axes.imshow(pictures[i])
        axes.set_axis_off()
    figure.savefig(io.BytesIO())
    return rounds


def notes_planted(rounds):
    import io
    from matplotlib.figure import Figure
    axes = Figure().add_subplot()
    axes.set_xlim(0, rounds)
    for i in range(rounds):
        axes.annotate("n%d" % i, (i, 0.5))
    axes.figure.savefig(io.BytesIO())
    return rounds


def notes_repaired(rounds):
    import io
    from matplotlib.figure import Figure
    axes = Figure().add_subplot()
    axes.set_xlim(0, rounds)
    axes.plot(range(rounds), [0.5] * rounds, ".")
    for i in range(0, rounds, 50):
        axes.annotate("n%d" % i, (i, 0.5))
    axes.figure.savefig(io.BytesIO())
    return rounds


def brightness_planted(rounds):
    from PIL import Image
    image, total = Image.new("RGB", (200, 200), (10, 20, 30)), 0
    for _ in range(rounds):
        pixels = image.load()
        for y in range(image.height):
            for x in range(image.width):
                total += pixels[x, y][0]
    return total


def brightness_repaired(rounds):
    import numpy as np
    from PIL import Image
    image, total = Image.new("RGB", (200, 200), (10, 20, 30)), 0
    for _ in range(rounds):
        total += int(np.asarray(image)[:, :, 0].sum())
    return total


def palette_planted(rounds):
    import numpy as np
    from PIL import Image
    image = Image.fromarray(np.random.default_rng(1).integers(0, 255, (100, 100, 3), dtype=np.uint8))
    return sum(image.quantize(64, method=Image.Quantize.MEDIANCUT, kmeans=2).width for _ in range(rounds))


def palette_repaired(rounds):
    import numpy as np
    from PIL import Image
    image = Image.fromarray(np.random.default_rng(1).integers(0, 255, (100, 100, 3), dtype=np.uint8))
    return sum(image.quantize(64, method=Image.Quantize.FASTOCTREE).width for _ in range(rounds))


def web_pictures_planted(rounds):
    import io
    import numpy as np
    from PIL import Image
    image = Image.fromarray(np.random.default_rng(1).integers(0, 255, (300, 300, 3), dtype=np.uint8))
    for _ in range(rounds):
        image.save(io.BytesIO(), "WEBP", lossless=True, method=6)
    return rounds


def web_pictures_repaired(rounds):
    import io
    import numpy as np
    from PIL import Image
    image = Image.fromarray(np.random.default_rng(1).integers(0, 255, (300, 300, 3), dtype=np.uint8))
    for _ in range(rounds):
        image.save(io.BytesIO(), "WEBP", method=0)
    return rounds


def lens_planted(rounds):
    import cv2
    import numpy as np
    image = np.zeros((480, 640, 3), np.uint8)
    camera, bend = np.array([[500.0, 0, 320], [0, 500, 240], [0, 0, 1]]), np.array([0.1, 0.01, 0, 0, 0.0])
    return sum(cv2.undistort(image, camera, bend).shape[0] for _ in range(rounds))


def lens_repaired(rounds):
    import cv2
    import numpy as np
    image = np.zeros((480, 640, 3), np.uint8)
    camera, bend = np.array([[500.0, 0, 320], [0, 500, 240], [0, 0, 1]]), np.array([0.1, 0.01, 0, 0, 0.0])
    first, second = cv2.initUndistortRectifyMap(camera, bend, None, camera, (640, 480), cv2.CV_16SC2)
    return sum(cv2.remap(image, first, second, cv2.INTER_LINEAR).shape[0] for _ in range(rounds))


def denoised_planted(rounds):
    import cv2
    import numpy as np
    image = np.random.default_rng(1).integers(0, 255, (150, 150), dtype=np.uint8)
    return sum(cv2.fastNlMeansDenoising(image, None, 10, 7, 21).shape[0] for _ in range(rounds))


def denoised_repaired(rounds):
    import cv2
    import numpy as np
    image = np.random.default_rng(1).integers(0, 255, (150, 150), dtype=np.uint8)
    return sum(cv2.medianBlur(image, 5).shape[0] for _ in range(rounds))


def features_planted(rounds):
    import cv2
    import numpy as np
    a = np.random.default_rng(1).random((2000, 128)).astype(np.float32)
    return sum(len(cv2.BFMatcher().knnMatch(a, a, k=2)) for _ in range(rounds))


def features_repaired(rounds):
    import cv2
    import numpy as np
    a = np.random.default_rng(1).random((2000, 128)).astype(np.float32)
    squares = (a * a).sum(axis=1)
    total = 0
    for _ in range(rounds):
        total += len(np.argpartition(squares[:, None] - 2 * (a @ a.T) + squares, 2, axis=1))
    return total


def flow_planted(rounds):
    import networkx as nx
    graph, total = nx.grid_2d_graph(12, 12).to_directed(), 0
    nx.set_edge_attributes(graph, 1, "capacity")
    for _ in range(rounds):
        total += nx.maximum_flow_value(graph, (0, 0), (11, 11))
    return total


def flow_repaired(rounds):
    import networkx as nx
    from scipy.sparse.csgraph import maximum_flow
    graph, total = nx.grid_2d_graph(12, 12).to_directed(), 0
    matrix = nx.to_scipy_sparse_array(graph, dtype="int32", format="csr")
    for _ in range(rounds):
        total += int(maximum_flow(matrix, 0, 143).flow_value)
    return total


def pairs_planted(rounds):
    import networkx as nx
    graph, total = nx.complete_bipartite_graph(30, 30), 0
    for a, b in graph.edges:
        graph.edges[a, b]["weight"] = (a * 7 + b) % 13
    for _ in range(rounds):
        total += len(nx.max_weight_matching(graph))
    return total


def pairs_repaired(rounds):
    import networkx as nx
    from scipy.optimize import linear_sum_assignment
    graph, total = nx.complete_bipartite_graph(30, 30), 0
    for a, b in graph.edges:
        graph.edges[a, b]["weight"] = (a * 7 + b) % 13
    weights = nx.to_numpy_array(graph)[:30, 30:]
    for _ in range(rounds):
        total += len(linear_sum_assignment(weights, maximize=True)[0])
    return total


def clustering_planted(rounds):
    import networkx as nx
    graph = nx.gnm_random_graph(300, 3000, seed=1)
    return sum(nx.average_clustering(graph) for _ in range(rounds))


def clustering_repaired(rounds):
    import networkx as nx
    import numpy as np
    graph, total = nx.gnm_random_graph(300, 3000, seed=1), 0.0
    for _ in range(rounds):
        a = nx.to_scipy_sparse_array(graph, dtype=float).toarray()
        degree = a.sum(axis=1)
        total += float(np.mean((a @ a * a).sum(axis=1) / np.maximum(degree * (degree - 1), 1)))
    return total


def shapes_planted(rounds):
    from shapely.geometry import mapping, shape
    record = {"type": "Polygon", "coordinates": [[(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]]}
    return sum(len(mapping(shape(record))["coordinates"]) for _ in range(rounds))


def shapes_repaired(rounds):
    import numpy as np
    import shapely
    record = {"type": "Polygon", "coordinates": [[(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]]}
    rings = shapely.linearrings(np.array([record["coordinates"][0]] * rounds, float))
    return len(shapely.get_coordinates(shapely.polygons(rings))) // 5


def corners_planted(rounds):
    import shapely
    line = shapely.LineString([(i, i) for i in range(300)])
    total = 0.0
    for _ in range(rounds):
        total += sum(x for x, _ in line.coords)
    return total


def corners_repaired(rounds):
    import shapely
    line = shapely.LineString([(i, i) for i in range(300)])
    total = 0.0
    for _ in range(rounds):
        total += shapely.get_coordinates(line)[:, 0].sum()
    return total


def overlaid_planted(rounds):
    import geopandas as gpd
    import shapely
    boxes = gpd.GeoDataFrame(geometry=[shapely.box(i, 0, i + 1.5, 1) for i in range(50)])
    total = 0
    for i in range(rounds):
        total += len(gpd.overlay(boxes, gpd.GeoDataFrame(geometry=[shapely.box(i % 50, 0, i % 50 + 1, 1)])))
    return total


def overlaid_repaired(rounds):
    import geopandas as gpd
    import shapely
    boxes = gpd.GeoDataFrame(geometry=[shapely.box(i, 0, i + 1.5, 1) for i in range(50)])
    asked = gpd.GeoDataFrame(geometry=[shapely.box(i % 50, 0, i % 50 + 1, 1) for i in range(rounds)])
    return len(gpd.overlay(boxes, asked))


if __name__ == "__main__":
    globals()["%s_%s" % (sys.argv[1], sys.argv[2])](int(sys.argv[3]))
