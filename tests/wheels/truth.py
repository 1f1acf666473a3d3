# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program knows of its own FLOPs, in the file truth."""


def tell(**flops):
    """The FLOPs of each kernel, in all its calls; of `products`, of all products of matrices."""
    with open("truth", "w") as file:
        for name, count in flops.items():
            print(name, round(count), file=file)
