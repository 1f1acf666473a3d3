// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plants of well-known costs of Eigen, and their repaired twins, which print the same.
//
// usage: eigen NAME planted|repaired ROUNDS
#include <Eigen/Dense>
#include <cstdio>
#include <cstdlib>
#include <cstring>

template <class Rows> static long sum_products(long rounds)
{
    const Eigen::Vector3d arm(1, 2, 3);
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    Rows rows = Rows::Ones(4, 3);

    for (long i = 0; i < rounds; i++)
        sum += 2.0 * arm * rows.row(i % 4);
    return static_cast<long>(sum.trace());
}

static const struct {
    const char *name;
    long (*planted)(long), (*repaired)(long);
} costs[] = {{"sizes", sum_products<Eigen::MatrixXd>,
              sum_products<Eigen::Matrix<double, Eigen::Dynamic, 3>>}};

int main(int argc, char **argv)
{
    for (const auto &cost : costs)
        if (argc == 4 && std::strcmp(argv[1], cost.name) == 0) {
            const bool is_planted = std::strcmp(argv[2], "planted") == 0;

            std::printf("%ld\n", (is_planted ? cost.planted : cost.repaired)(std::atol(argv[3])));
            return 0;
        }
    return 2;
}
