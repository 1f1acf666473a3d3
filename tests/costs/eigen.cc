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

/* As auto does, the template keeps an expression that is not computed. */
template <class Rows> static long sum_rows(const Rows &rows, long rounds)
{
    double sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += rows.row(i % 40).norm();
    return static_cast<long>(sum);
}

static long product_planted(long rounds)
{
    const Eigen::MatrixXd left = Eigen::MatrixXd::Ones(40, 25), right = left.transpose();

    return sum_rows(left * right, rounds);
}

static long product_repaired(long rounds)
{
    const Eigen::MatrixXd left = Eigen::MatrixXd::Ones(40, 25), right = left.transpose();

    return sum_rows((left * right).eval(), rounds);
}

static Eigen::MatrixXd make_features()
{
    return Eigen::VectorXd::LinSpaced(40, 0, 39) * Eigen::RowVectorXd::LinSpaced(30, 1, 30);
}

static long mean_planted(long rounds)
{
    const Eigen::MatrixXd features = make_features();

    return sum_rows(features.rowwise() - features.colwise().mean(), rounds);
}

static long mean_repaired(long rounds)
{
    const Eigen::MatrixXd features = make_features();

    return sum_rows((features.rowwise() - features.colwise().mean()).eval(), rounds);
}

static const struct {
    const char *name;
    long (*planted)(long), (*repaired)(long);
} costs[] = {{"sizes", sum_products<Eigen::MatrixXd>,
              sum_products<Eigen::Matrix<double, Eigen::Dynamic, 3>>},
             {"product", product_planted, product_repaired},
             {"mean", mean_planted, mean_repaired}};

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
