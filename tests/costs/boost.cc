// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plants of well-known costs of Boost.
#include <boost/algorithm/string.hpp>
#include <boost/format.hpp>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/lexical_cast.hpp>
#include <boost/numeric/ublas/matrix.hpp>
#include <boost/property_tree/ptree.hpp>
#include <boost/signals2.hpp>
#include <boost/uuid/random_generator.hpp>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "plants.h"

namespace ublas = boost::numeric::ublas;

using point = boost::geometry::model::point<double, 2, boost::geometry::cs::cartesian>;
using tree = boost::geometry::index::rtree<point, boost::geometry::index::rstar<16>>;

static std::vector<point> make_points(long count)
{
    std::minstd_rand random;
    std::vector<point> points;

    points.reserve(static_cast<std::size_t>(count));
    for (long i = 0; i < count; i++)
        points.emplace_back(static_cast<double>(random() % 10000),
                            static_cast<double>(random() % 10000));
    return points;
}

static long rtree_planted(long rounds)
{
    const std::vector<point> points = make_points(rounds);
    tree tree;

    for (const point &point : points)
        tree.insert(point);
    return static_cast<long>(tree.size());
}

static long rtree_repaired(long rounds)
{
    const std::vector<point> points = make_points(rounds);
    const tree tree(points);

    return static_cast<long>(tree.size());
}

/* ---- numbers and texts ------------------------------------------------------------------ */

static long cast_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += static_cast<long>(
            boost::lexical_cast<std::string>(static_cast<double>(i) + 0.5).size());
    return sum > 0;
}

static long cast_repaired(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += static_cast<long>(std::to_string(i).size());
    return sum > 0;
}

static bool is_number(const std::string &text)
{
    try {
        boost::lexical_cast<int>(text);
    } catch (const boost::bad_lexical_cast &) {
        return false;
    }
    return true;
}

static long failing_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += is_number("none");
    return sum;
}

static long failing_repaired(long rounds)
{
    int number;
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += boost::conversion::try_lexical_convert(std::string("none"), number);
    return sum;
}

static long format_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += static_cast<long>((boost::format("item %1% of %2%") % i % rounds).str().size());
    return sum;
}

static long format_repaired(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += static_cast<long>(
            ("item " + std::to_string(i) + " of " + std::to_string(rounds)).size());
    return sum;
}

static const std::string line = "GET,/index.html,HTTP/1.1,200,5120,gzip,keep-alive,42";

static long split_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        std::vector<std::string> parts;

        boost::split(parts, line, boost::is_any_of(","));
        sum += static_cast<long>(parts.size());
    }
    return sum;
}

static long split_repaired(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        sum++;
        for (std::size_t at = line.find(','); at != line.npos; at = line.find(',', at + 1))
            sum++;
    }
    return sum;
}

static long letters_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += boost::algorithm::iequals(line, "get,/Index.html,http/1.1,200,5120,GZIP");
    return sum;
}

static bool is_same(const std::string &left, const char *right)
{
    for (char letter : left)
        if ((letter | 0x20) != (*right++ | 0x20))
            return false;
    return *right == 0;
}

static long letters_repaired(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += is_same(line, "get,/Index.html,http/1.1,200,5120,GZIP");
    return sum;
}

/* ---- trees, matrices, signals ------------------------------------------------------------- */

static boost::property_tree::ptree make_settings()
{
    boost::property_tree::ptree settings;

    for (int i = 0; i < 20; i++)
        settings.put("server.limits.size" + std::to_string(i), i);
    return settings;
}

static long settings_planted(long rounds)
{
    const boost::property_tree::ptree settings = make_settings();
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += settings.get<int>("server.limits.size17");
    return sum;
}

static long settings_repaired(long rounds)
{
    const boost::property_tree::ptree settings = make_settings();
    const int size = settings.get<int>("server.limits.size17");
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += size;
    return sum;
}

static long trees_planted(long rounds)
{
    const boost::property_tree::ptree settings = make_settings();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        const boost::property_tree::ptree server = settings.get_child("server");

        sum += static_cast<long>(server.size());
    }
    return sum;
}

static long trees_repaired(long rounds)
{
    const boost::property_tree::ptree settings = make_settings();
    const boost::property_tree::ptree &server = settings.get_child("server");
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += static_cast<long>(server.size());
    return sum;
}

static long product_planted(long rounds)
{
    const ublas::matrix<double> left = ublas::scalar_matrix<double>(60, 60, 1);
    const ublas::matrix<double> right = ublas::scalar_matrix<double>(60, 60, 2);
    ublas::matrix<double> result(60, 60);
    double sum = 0;

    for (long i = 0; i < rounds; i++) {
        result = ublas::prod(left, right);
        sum += result(0, 0);
    }
    return static_cast<long>(sum);
}

static long product_repaired(long rounds)
{
    const std::vector<double> left(3600, 1), right(3600, 2);
    std::vector<double> result(3600);
    double sum = 0;

    for (long i = 0; i < rounds; i++) {
        std::fill(result.begin(), result.end(), 0);
        for (int row = 0; row < 60; row++)
            for (int k = 0; k < 60; k++)
                for (int column = 0; column < 60; column++)
                    result[row * 60 + column] += left[row * 60 + k] * right[k * 60 + column];
        sum += result[0];
    }
    return static_cast<long>(sum);
}

static long signal_planted(long rounds)
{
    boost::signals2::signal<void(long)> changed;
    long sum = 0;

    changed.connect([&sum](long number) { sum += number; });
    for (long i = 0; i < rounds; i++)
        changed(i);
    return sum;
}

static long signal_repaired(long rounds)
{
    std::vector<std::function<void(long)>> changed;
    long sum = 0;

    changed.emplace_back([&sum](long number) { sum += number; });
    for (long i = 0; i < rounds; i++)
        for (const auto &call : changed)
            call(i);
    return sum;
}

static long uuid_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        boost::uuids::random_generator_mt19937 generator;

        sum += generator().is_nil();
    }
    return sum;
}

static long uuid_repaired(long rounds)
{
    boost::uuids::random_generator_mt19937 generator;
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += generator().is_nil();
    return sum;
}

static const struct plant plants[] = {
    PLANT(rtree),    PLANT(cast),  PLANT(failing), PLANT(format), PLANT(split), PLANT(letters),
    PLANT(settings), PLANT(trees), PLANT(product), PLANT(signal), PLANT(uuid)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
