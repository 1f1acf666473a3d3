// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plants of well-known costs of Eigen, and their repaired twins, which print the same.
//
// usage: eigen NAME planted|repaired ROUNDS
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

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

/* ---- sparse matrices, solvers ----------------------------------------------------------- */

enum { CELLS = 3000 };

/* Elements of a matrix, in no order. */
static std::vector<Eigen::Triplet<double>> make_elements()
{
    std::vector<Eigen::Triplet<double>> elements;

    for (int i = 0; i < 8 * CELLS; i++)
        elements.emplace_back(i * 7919 % CELLS, i * 1009 % 2999, 1 + i % 7);
    return elements;
}

static long elements_planted(long rounds)
{
    const auto elements = make_elements();
    double sum = 0;

    for (long i = 0; i < rounds; i++) {
        Eigen::SparseMatrix<double> matrix(CELLS, CELLS);

        for (const auto &element : elements)
            matrix.coeffRef(element.row(), element.col()) += element.value();
        sum += matrix.sum();
    }
    return static_cast<long>(sum);
}

static long elements_repaired(long rounds)
{
    const auto elements = make_elements();
    double sum = 0;

    for (long i = 0; i < rounds; i++) {
        Eigen::SparseMatrix<double> matrix(CELLS, CELLS);

        matrix.setFromTriplets(elements.begin(), elements.end());
        sum += matrix.sum();
    }
    return static_cast<long>(sum);
}

static Eigen::SparseMatrix<double> make_grid(int side)
{
    Eigen::SparseMatrix<double> grid(side * side, side * side);
    std::vector<Eigen::Triplet<double>> elements;

    for (int i = 0; i < side * side; i++) {
        elements.emplace_back(i, i, 5);
        if (i % side > 0) {
            elements.emplace_back(i, i - 1, -1);
            elements.emplace_back(i - 1, i, -1);
        }
        if (i >= side) {
            elements.emplace_back(i, i - side, -1);
            elements.emplace_back(i - side, i, -1);
        }
    }
    grid.setFromTriplets(elements.begin(), elements.end());
    return grid;
}

static long order_planted(long rounds)
{
    const Eigen::SparseMatrix<double> grid = make_grid(30);
    const Eigen::VectorXd right = Eigen::VectorXd::Ones(grid.rows());
    double sum = 0;

    for (long i = 0; i < rounds; i++) {
        Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> solver(grid);

        sum += solver.solve(right)(0) > 0;
    }
    return static_cast<long>(sum);
}

static long order_repaired(long rounds)
{
    const Eigen::SparseMatrix<double> grid = make_grid(30);
    const Eigen::VectorXd right = Eigen::VectorXd::Ones(grid.rows());
    Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> solver;
    double sum = 0;

    solver.analyzePattern(grid);
    for (long i = 0; i < rounds; i++) {
        solver.factorize(grid);
        sum += solver.solve(right)(0) > 0;
    }
    return static_cast<long>(sum);
}

static Eigen::MatrixXd make_square(int side)
{
    Eigen::MatrixXd square = Eigen::MatrixXd::Constant(side, side, 0.5);

    square.diagonal().array() += Eigen::ArrayXd::LinSpaced(side, side, 2 * side);
    return square;
}

static long values_planted(long rounds)
{
    const Eigen::MatrixXd square = make_square(80);
    double sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += Eigen::JacobiSVD<Eigen::MatrixXd>(square).singularValues()(0) > 0;
    return static_cast<long>(sum);
}

static long values_repaired(long rounds)
{
    const Eigen::MatrixXd square = make_square(80);
    double sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(square, Eigen::EigenvaluesOnly)
                   .eigenvalues()(79) > 0;
    return static_cast<long>(sum);
}

static long pivots_planted(long rounds)
{
    const Eigen::MatrixXd square = make_square(100);
    const Eigen::VectorXd right = Eigen::VectorXd::Ones(100);
    double sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += square.fullPivLu().solve(right)(0) > 0;
    return static_cast<long>(sum);
}

static long pivots_repaired(long rounds)
{
    const Eigen::MatrixXd square = make_square(100);
    const Eigen::VectorXd right = Eigen::VectorXd::Ones(100);
    double sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += square.partialPivLu().solve(right)(0) > 0;
    return static_cast<long>(sum);
}

static long growth_planted(long rounds)
{
    Eigen::MatrixXd values(0, 40);

    for (long i = 0; i < rounds; i++) {
        values.conservativeResize(i + 1, Eigen::NoChange);
        values.row(i).setOnes();
    }
    return static_cast<long>(values.sum());
}

static long growth_repaired(long rounds)
{
    Eigen::MatrixXd values(rounds, 40);

    for (long i = 0; i < rounds; i++)
        values.row(i).setOnes();
    return static_cast<long>(values.sum());
}

static const struct {
    const char *name;
    long (*planted)(long), (*repaired)(long);
} costs[] = {{"sizes", sum_products<Eigen::MatrixXd>,
              sum_products<Eigen::Matrix<double, Eigen::Dynamic, 3>>},
             {"product", product_planted, product_repaired},
             {"mean", mean_planted, mean_repaired},
             {"elements", elements_planted, elements_repaired},
             {"order", order_planted, order_repaired},
             {"values", values_planted, values_repaired},
             {"pivots", pivots_planted, pivots_repaired},
             {"growth", growth_planted, growth_repaired}};

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
