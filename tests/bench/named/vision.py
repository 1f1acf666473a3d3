# Image filters, features, and a small network that is given as text.
import cv2
import numpy

generator = numpy.random.default_rng(1)
image = generator.integers(0, 255, (720, 1280, 3), dtype=numpy.uint8)
for turn in range(6):
    grey = cv2.cvtColor(cv2.GaussianBlur(image, (9, 9), 2), cv2.COLOR_BGR2GRAY)
    edges = cv2.Canny(cv2.bilateralFilter(grey, 7, 50, 50), 50, 150)
    small = cv2.resize(cv2.medianBlur(image, 7), (640, 360), interpolation=cv2.INTER_CUBIC)
    points = cv2.ORB_create(500).detect(grey)
layers = ['name: "net" input: "data" input_dim: 1 input_dim: 3 input_dim: 224 input_dim: 224']
below = "data"
for index, channels in enumerate([32, 64, 64, 128]):
    layers.append('layer { name: "c%d" type: "Convolution" bottom: "%s" top: "c%d" convolution_param'
                  ' { num_output: %d kernel_size: 3 pad: 1 } }' % (index, below, index, channels))
    layers.append('layer { name: "r%d" type: "ReLU" bottom: "c%d" top: "r%d" }' % (index, index, index))
    layers.append('layer { name: "p%d" type: "Pooling" bottom: "r%d" top: "p%d" pooling_param'
                  ' { pool: MAX kernel_size: 2 stride: 2 } }' % (index, index, index))
    below = "p%d" % index
with open("net.prototxt", "w") as file:
    file.write("\n".join(layers))
try:
    net = cv2.dnn.readNetFromCaffe("net.prototxt")
    for turn in range(40):
        net.setInput(cv2.dnn.blobFromImage(image, 1 / 255, (224, 224)))
        result = net.forward()
    print(edges.sum(), small.sum(), len(points), result.shape)
except cv2.error as error:
    print(error)
