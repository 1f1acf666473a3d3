/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * More plants of well-known costs of Boost, and their repaired twins, which print the same.
 */
#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/asio.hpp>
#include <boost/date_time/posix_time/posix_time.hpp>
#include <boost/filesystem.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/multiprecision/cpp_dec_float.hpp>
#include <boost/multiprecision/gmp.hpp>
#include <boost/pool/object_pool.hpp>
#include <boost/regex.hpp>
#include <boost/serialization/shared_ptr.hpp>
#include <boost/serialization/vector.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "plants.h"

/* ---- pools ------------------------------------------------------------------------------ */

struct item {
    long size;
    explicit item(long given) : size(given)
    {
    }
};

static long pool_planted(long rounds)
{
    boost::object_pool<item> pool;
    std::vector<item *> items;
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        items.push_back(pool.construct(i));
    for (item *each : items) {
        sum += each->size;
        pool.destroy(each);
    }
    return sum;
}

static long pool_repaired(long rounds)
{
    boost::object_pool<item> pool;
    std::vector<item *> items;
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        items.push_back(pool.construct(i));
    for (item *each : items)
        sum += each->size;
    return sum;
}

/* ---- texts ------------------------------------------------------------------------------ */

static const std::string row = "error in alpha.beta at line 4711";

static long regex_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        boost::regex pattern("(\\w+)\\.(\\w+) at line (\\d+)");

        sum += boost::regex_search(row, pattern);
    }
    return sum;
}

static long regex_repaired(long rounds)
{
    static const boost::regex pattern("(\\w+)\\.(\\w+) at line (\\d+)");
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += boost::regex_search(row, pattern);
    return sum;
}

static long times_planted(long rounds)
{
    const std::string text = "2024-03-17 10:20:30";
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += boost::posix_time::time_from_string(text).time_of_day().total_seconds();
    return sum;
}

static long times_repaired(long rounds)
{
    const std::string text = "2024-03-17 10:20:30";
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        const char *start = text.data();
        const auto number = [start](int at) {
            return (start[at] - '0') * 10 + start[at + 1] - '0';
        };
        const boost::posix_time::ptime time(
            boost::gregorian::date(number(0) * 100 + number(2), number(5), number(8)),
            boost::posix_time::time_duration(number(11), number(14), number(17)));

        sum += time.time_of_day().total_seconds();
    }
    return sum;
}

/* ---- numbers ---------------------------------------------------------------------------- */

template <typename number> static long sum_up(long rounds)
{
    number sum = 0;

    for (long i = 1; i <= rounds; i++)
        sum += number(1) / number(i);
    return static_cast<long>(sum * 1000);
}

static long digits_planted(long rounds)
{
    return sum_up<boost::multiprecision::cpp_dec_float_50>(rounds);
}

static long digits_repaired(long rounds)
{
    return sum_up<boost::multiprecision::mpf_float_50>(rounds);
}

/* ---- events ----------------------------------------------------------------------------- */

static long posts_planted(long rounds)
{
    boost::asio::io_context context;
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        boost::asio::post(context, [&sum, i] { sum += i; });
    context.run();
    return sum;
}

static long posts_repaired(long rounds)
{
    boost::asio::io_context context;
    long sum = 0;

    for (long start = 0; start < rounds; start += 1000)
        boost::asio::post(context, [&sum, start, rounds] {
            for (long i = start; i < rounds && i < start + 1000; i++)
                sum += i;
        });
    context.run();
    return sum;
}

static long polls_planted(long rounds)
{
    boost::asio::io_context context;
    boost::asio::steady_timer timer(context, std::chrono::milliseconds(rounds));
    long done = 0;

    timer.async_wait([&done](boost::system::error_code) { done = 1; });
    while (done == 0)
        context.poll();
    return done;
}

static long polls_repaired(long rounds)
{
    boost::asio::io_context context;
    boost::asio::steady_timer timer(context, std::chrono::milliseconds(rounds));
    long done = 0;

    timer.async_wait([&done](boost::system::error_code) { done = 1; });
    context.run();
    return done;
}

/* ---- graphs, files, archives ------------------------------------------------------------ */

typedef boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> graph;

static graph make_graph(long vertices)
{
    graph made(vertices);

    for (long i = 0; i < vertices; i++) {
        boost::add_edge(i, (i + 1) % vertices, made);
        boost::add_edge(i, (i * 7919 + 1) % vertices, made);
    }
    return made;
}

static long vertices_planted(long rounds)
{
    graph pruned = make_graph(rounds);

    for (long i = rounds - 2; i > 0; i -= 2) {
        boost::clear_vertex(i, pruned);
        boost::remove_vertex(i, pruned);
    }
    return boost::num_vertices(pruned);
}

static long vertices_repaired(long rounds)
{
    graph pruned = make_graph(rounds);
    long left = rounds;

    for (long i = rounds - 2; i > 0; i -= 2) {
        boost::clear_vertex(i, pruned);
        left--;
    }
    return left;
}

static long exists_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += boost::filesystem::exists("/usr/share");
    return sum;
}

static long exists_repaired(long rounds)
{
    const bool is_there = boost::filesystem::exists("/usr/share");
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += is_there;
    return sum;
}

struct point {
    double x, y;
    template <class archive> void serialize(archive &all, unsigned)
    {
        all &x &y;
    }
};

struct light_point {
    double x, y;
    template <class archive> void serialize(archive &all, unsigned)
    {
        all &x &y;
    }
};
BOOST_CLASS_IMPLEMENTATION(light_point, boost::serialization::object_serializable)
BOOST_CLASS_TRACKING(light_point, boost::serialization::track_never)

template <typename each> static long save(long rounds)
{
    std::vector<each> points(1000);
    long size = 0;

    for (long i = 0; i < rounds; i++) {
        std::ostringstream stream;
        boost::archive::binary_oarchive archive(stream);

        for (const each &point : points)
            archive << point;
        size += stream.tellp() > 0;
    }
    return size;
}

static long tracking_planted(long rounds)
{
    return save<point>(rounds);
}

static long tracking_repaired(long rounds)
{
    return save<light_point>(rounds);
}

static const struct plant plants[] = {PLANT(pool),     PLANT(regex),  PLANT(times),
                                      PLANT(digits),   PLANT(posts),  PLANT(polls),
                                      PLANT(vertices), PLANT(exists), PLANT(tracking)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
