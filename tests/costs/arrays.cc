/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of Armadillo, netCDF and OpenCV, and their repaired twins, which print
 * the same.
 */
#define ARMA_DONT_PRINT_ERRORS
#include <armadillo>
#include <netcdf.h>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <unistd.h>

#include "plants.h"

/* ---- Armadillo -------------------------------------------------------------------------- */

static long join_planted(long rounds)
{
    arma::mat all;

    for (long i = 0; i < rounds; i++)
        all = arma::join_cols(all, arma::mat(1, 50, arma::fill::ones));
    return all.n_rows;
}

static long join_repaired(long rounds)
{
    arma::mat all(rounds, 50);

    for (long i = 0; i < rounds; i++)
        all.row(i).ones();
    return all.n_rows;
}

static long sparse_planted(long rounds)
{
    arma::sp_mat matrix(rounds, rounds);

    for (long i = 0; i < rounds; i++) {
        matrix(i, i) = 2.0;
        matrix(i, i * 7919 % rounds) += 1.0;
        matrix.col(i % 10).is_zero();
        if (matrix.n_nonzero == 0)
            return 0;
    }
    return matrix.n_rows;
}

static long sparse_repaired(long rounds)
{
    arma::umat places(2, 2 * rounds);
    arma::vec values(2 * rounds);

    for (long i = 0; i < rounds; i++) {
        places(0, 2 * i) = places(1, 2 * i) = places(0, 2 * i + 1) = i;
        places(1, 2 * i + 1) = i * 7919 % rounds;
        values(2 * i) = 2.0;
        values(2 * i + 1) = 1.0;
    }

    const arma::sp_mat matrix(true, places, values, rounds, rounds);

    return matrix.n_rows;
}

/* ---- netCDF ----------------------------------------------------------------------------- */

static char path[] = "/tmp/tprof-arrays-XXXXXX";

static int make_file(int *variable)
{
    int file, dimensions[2];

    close(mkstemp(path));
    nc_create(path, NC_CLOBBER, &file);
    nc_def_dim(file, "y", 500, &dimensions[0]);
    nc_def_dim(file, "x", 500, &dimensions[1]);
    nc_def_var(file, "level", NC_DOUBLE, 2, dimensions, variable);
    nc_enddef(file);
    return file;
}

static long elements_planted(long rounds)
{
    int variable;
    const int file = make_file(&variable);

    for (long i = 0; i < rounds; i++)
        for (size_t y = 0; y < 500; y++)
            for (size_t x = 0; x < 500; x++) {
                const size_t place[] = {y, x};
                const double value = x;

                nc_put_var1_double(file, variable, place, &value);
            }
    nc_close(file);
    unlink(path);
    return rounds;
}

static long elements_repaired(long rounds)
{
    static double values[500 * 500];
    int variable;
    const int file = make_file(&variable);

    for (long i = 0; i < rounds; i++) {
        for (size_t y = 0; y < 500; y++)
            for (size_t x = 0; x < 500; x++)
                values[y * 500 + x] = x;
        nc_put_var_double(file, variable, values);
    }
    nc_close(file);
    unlink(path);
    return rounds;
}

static long attributes_planted(long rounds)
{
    int variable;
    const int file = make_file(&variable);
    static double values[500 * 500];

    nc_put_var_double(file, variable, values);
    for (long i = 0; i < rounds; i++) {
        const std::string name = "attribute" + std::to_string(i);

        nc_redef(file);
        nc_put_att_text(file, variable, name.c_str(), 100, std::string(100, 'x').c_str());
        nc_enddef(file);
    }
    nc_close(file);
    unlink(path);
    return rounds;
}

static long attributes_repaired(long rounds)
{
    int variable;
    const int file = make_file(&variable);
    static double values[500 * 500];

    nc_redef(file);
    for (long i = 0; i < rounds; i++) {
        const std::string name = "attribute" + std::to_string(i);

        nc_put_att_text(file, variable, name.c_str(), 100, std::string(100, 'x').c_str());
    }
    nc_enddef(file);
    nc_put_var_double(file, variable, values);
    nc_close(file);
    unlink(path);
    return rounds;
}

/* ---- OpenCV ----------------------------------------------------------------------------- */

static long vconcat_planted(long rounds)
{
    cv::Mat all, line = cv::Mat::ones(1, 300, CV_64F);

    for (long i = 0; i < rounds; i++)
        if (all.empty())
            all = line.clone();
        else
            cv::vconcat(all, line, all);
    return all.rows;
}

static long vconcat_repaired(long rounds)
{
    cv::Mat all(static_cast<int>(rounds), 300, CV_64F), line = cv::Mat::ones(1, 300, CV_64F);

    for (int i = 0; i < rounds; i++)
        line.copyTo(all.row(i));
    return all.rows;
}

static long bilateral_planted(long rounds)
{
    const cv::Mat picture(200, 200, CV_8UC3, cv::Scalar(10, 20, 30));
    cv::Mat smooth;

    cv::setNumThreads(1);
    for (long i = 0; i < rounds; i++)
        cv::bilateralFilter(picture, smooth, 25, 80, 80);
    return smooth.rows;
}

static long bilateral_repaired(long rounds)
{
    const cv::Mat picture(200, 200, CV_8UC3, cv::Scalar(10, 20, 30));
    cv::Mat smooth;

    cv::setNumThreads(1);
    for (long i = 0; i < rounds; i++)
        cv::GaussianBlur(picture, smooth, cv::Size(9, 9), 0);
    return smooth.rows;
}

static long filter_planted(long rounds)
{
    const cv::Mat picture(300, 300, CV_32F, cv::Scalar(10));
    const cv::Mat part = cv::getGaussianKernel(9, 2, CV_32F), kernel = part * part.t();
    cv::Mat smooth;

    cv::setNumThreads(1);
    for (long i = 0; i < rounds; i++)
        cv::filter2D(picture, smooth, -1, kernel);
    return smooth.rows;
}

static long filter_repaired(long rounds)
{
    const cv::Mat picture(300, 300, CV_32F, cv::Scalar(10));
    const cv::Mat part = cv::getGaussianKernel(9, 2, CV_32F);
    cv::Mat smooth;

    cv::setNumThreads(1);
    for (long i = 0; i < rounds; i++)
        cv::sepFilter2D(picture, smooth, -1, part, part);
    return smooth.rows;
}

static const struct plant plants[] = {PLANT(join),       PLANT(sparse),  PLANT(elements),
                                      PLANT(attributes), PLANT(vconcat), PLANT(bilateral),
                                      PLANT(filter)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
