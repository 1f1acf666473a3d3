/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A C++ program on PyTorch, without Python: X[32×64] W[64×128], learned for STEPS steps, and one
 * convolution of 4×8×8 outputs with 3×3×3 weights each.
 */
#include <ATen/ATen.h>

#include <cstdio>

enum { STEPS = 20 };

int main()
{
    at::Tensor weights = at::ones({64, 128}).div_(64).set_requires_grad(true);
    at::Tensor x = at::ones({32, 64});

    for (int step = 0; step < STEPS; step++)
        at::matmul(x, weights).square().sum().backward();
    at::Tensor y = at::conv2d(at::ones({1, 3, 10, 10}), at::ones({4, 3, 3, 3}));
    std::printf("%.3f %.3f\n", weights.grad().sum().item<float>(), y.sum().item<float>());
}
