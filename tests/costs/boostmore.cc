// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plants of well-known costs of Boost, nlohmann-json, simdjson, ICU and the standard library,
// and their repaired twins, which print the same.
#include <boost/container/flat_map.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/interprocess/managed_shared_memory.hpp>
#include <boost/log/core.hpp>
#include <boost/log/sinks/sync_frontend.hpp>
#include <boost/log/sinks/text_ostream_backend.hpp>
#include <boost/log/trivial.hpp>
#include <boost/log/utility/setup/file.hpp>
#include <boost/log/expressions.hpp>
#include <boost/pool/pool_alloc.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <boost/spirit/include/qi.hpp>
#include <boost/spirit/include/support_istream_iterator.hpp>
#include <nlohmann/json.hpp>
#include <simdjson.h>
#include <unicode/coll.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <future>
#include <list>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "plants.h"

// ---- JSON ------------------------------------------------------------------------------------

static long ordered_planted(long rounds)
{
    nlohmann::ordered_json object;

    for (long i = 0; i < rounds; i++)
        object[std::to_string(i)] = i;
    return (long)object.size();
}

static long ordered_repaired(long rounds)
{
    nlohmann::json object;

    for (long i = 0; i < rounds; i++)
        object[std::to_string(i)] = i;
    return (long)object.size();
}

static const char record[] = R"({"name": "a", "size": 17, "place": {"x": 1, "y": 2}, "kind": 3})";

static long parsers_planted(long rounds)
{
    const simdjson::padded_string text(record, sizeof record - 1);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        simdjson::dom::parser parser;
        const simdjson::dom::element element = parser.parse(text);

        sum += (long)(int64_t)element["size"];
    }
    return sum;
}

static long parsers_repaired(long rounds)
{
    const simdjson::padded_string text(record, sizeof record - 1);
    simdjson::dom::parser parser;
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        const simdjson::dom::element element = parser.parse(text);

        sum += (long)(int64_t)element["size"];
    }
    return sum;
}

// ---- texts -----------------------------------------------------------------------------------

static long joined_planted(long rounds)
{
    const std::vector<std::string> words((size_t)rounds, "word of a text");

    return (long)std::accumulate(words.begin(), words.end(), std::string()).size();
}

static long joined_repaired(long rounds)
{
    const std::vector<std::string> words((size_t)rounds, "word of a text");
    std::string all;

    for (const std::string &word : words)
        all += word;
    return (long)all.size();
}

static std::string make_list(long count)
{
    std::string text = "0";

    for (long i = 0; i < count; i++)
        text += ',' + std::to_string(i);
    return text;
}

static long passes_planted(long rounds)
{
    namespace qi = boost::spirit::qi;

    std::istringstream stream(make_list(rounds));
    boost::spirit::istream_iterator begin(stream >> std::noskipws), end;
    std::vector<int> numbers;

    qi::parse(begin, end, qi::int_ % ',', numbers);
    return (long)numbers.size();
}

static long passes_repaired(long rounds)
{
    namespace qi = boost::spirit::qi;

    const std::string text = make_list(rounds);
    const char *begin = text.data(), *end = begin + text.size();
    std::vector<int> numbers;

    qi::parse(begin, end, qi::int_ % ',', numbers);
    return (long)numbers.size();
}

// ---- Boost -----------------------------------------------------------------------------------

static void make_log()
{
    boost::log::add_file_log(boost::log::keywords::file_name = "/dev/null",
                             boost::log::keywords::format = "%Message%");
}

static long log_planted(long rounds)
{
    make_log();
    for (long i = 0; i < rounds; i++)
        BOOST_LOG_TRIVIAL(info) << "line " << i;
    return rounds;
}

static long log_repaired(long rounds)
{
    FILE *file = fopen("/dev/null", "w");

    for (long i = 0; i < rounds; i++)
        fprintf(file, "line %ld\n", i);
    fclose(file);
    return rounds;
}

struct shape : boost::intrusive_ref_counter<shape> {
    long size = 1;
};

[[gnu::noinline]] static long size_of(const boost::intrusive_ptr<shape> &shape)
{
    const boost::intrusive_ptr<struct shape> mine(shape);

    return mine->size;
}

[[gnu::noinline]] static long size_of_reference(const shape &shape)
{
    return shape.size;
}

static long counted_planted(long rounds)
{
    const boost::intrusive_ptr<shape> shape(new struct shape);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += size_of(shape);
    return sum;
}

static long counted_repaired(long rounds)
{
    const boost::intrusive_ptr<shape> shape(new struct shape);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += size_of_reference(*shape);
    return sum;
}

static long flat_planted(long rounds)
{
    boost::container::flat_map<long, long> map;

    for (long i = 0; i < rounds; i++)
        map[i * 7919 % rounds] = i;
    return (long)map.size();
}

static long flat_repaired(long rounds)
{
    std::vector<std::pair<long, long>> pairs;

    for (long i = 0; i < rounds; i++)
        pairs.emplace_back(i * 7919 % rounds, i);
    return (long)boost::container::flat_map<long, long>(pairs.begin(), pairs.end()).size();
}

static long pool_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        std::list<long, boost::fast_pool_allocator<long>> list;

        for (long j = 0; j < 100; j++)
            list.push_back(j);
        sum += list.back();
    }
    return sum;
}

static long pool_repaired(long rounds)
{
    std::vector<long> list;
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        list.clear();
        for (long j = 0; j < 100; j++)
            list.push_back(j);
        sum += list.back();
    }
    return sum;
}

static long named_planted(long rounds)
{
    namespace ipc = boost::interprocess;

    ipc::shared_memory_object::remove("tprof-plant");
    ipc::managed_shared_memory memory(ipc::create_only, "tprof-plant", 65536);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += ++*memory.find_or_construct<int>("counter")(0) > 0;
    ipc::shared_memory_object::remove("tprof-plant");
    return sum;
}

static long named_repaired(long rounds)
{
    namespace ipc = boost::interprocess;

    ipc::shared_memory_object::remove("tprof-plant");
    ipc::managed_shared_memory memory(ipc::create_only, "tprof-plant", 65536);
    int *counter = memory.find_or_construct<int>("counter")(0);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += ++*counter > 0;
    ipc::shared_memory_object::remove("tprof-plant");
    return sum;
}

using network =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                          boost::property<boost::edge_weight_t, int>>;

static network make_network(int count)
{
    network made((size_t)count);

    for (int i = 0; i < count; i++)
        for (int j = 1; j <= 4; j++)
            boost::add_edge((size_t)i, (size_t)(i * j + j) % (size_t)count, j, made);
    return made;
}

static long routes_planted(long rounds)
{
    const network graph = make_network(3000);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        std::vector<int> distance(3000);

        boost::dijkstra_shortest_paths(graph, 5, boost::distance_map(distance.data()));
        sum += distance[(size_t)i] > 0;
    }
    return sum;
}

static long routes_repaired(long rounds)
{
    const network graph = make_network(3000);
    std::vector<int> distance(3000);
    long sum = 0;

    boost::dijkstra_shortest_paths(graph, 5, boost::distance_map(distance.data()));
    for (long i = 0; i < rounds; i++)
        sum += distance[(size_t)i] > 0;
    return sum;
}

static long edges_planted(long rounds)
{
    network graph(2000);
    long sum = 0;

    for (size_t i = 0; i < 2000; i++)
        boost::add_edge(0, i, 1, graph);
    for (long i = 0; i < rounds; i++)
        sum += boost::edge(0, (size_t)(i % 2000), graph).second;
    return sum;
}

static long edges_repaired(long rounds)
{
    boost::adjacency_list<boost::hash_setS, boost::vecS, boost::directedS> graph(2000);
    long sum = 0;

    for (size_t i = 0; i < 2000; i++)
        boost::add_edge(0, i, graph);
    for (long i = 0; i < rounds; i++)
        sum += boost::edge(0, (size_t)(i % 2000), graph).second;
    return sum;
}

// ---- the standard library -----------------------------------------------------------------------

static long middle_planted(long rounds)
{
    std::deque<long> tasks((size_t)rounds, 1);
    long sum = 0;

    while (tasks.size() > 1) {
        auto middle = tasks.begin() + (long)tasks.size() / 2;

        sum += *middle;
        tasks.erase(middle);
    }
    return sum;
}

static long middle_repaired(long rounds)
{
    std::deque<long> tasks((size_t)rounds, 1);
    long sum = 0;

    while (tasks.size() > 1) {
        sum += tasks.back();
        tasks.pop_back();
    }
    return sum;
}

static long heap_planted(long rounds)
{
    std::vector<long> times;
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        times.push_back(i * 7919 % rounds);
        std::make_heap(times.begin(), times.end());
        sum += times.front() >= 0;
    }
    return sum;
}

static long heap_repaired(long rounds)
{
    std::vector<long> times;
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        times.push_back(i * 7919 % rounds);
        std::push_heap(times.begin(), times.end());
        sum += times.front() >= 0;
    }
    return sum;
}

static long sorted_planted(long rounds)
{
    std::vector<long> values;

    for (long i = 0; i < rounds; i++) {
        values.push_back(i);
        if (!std::is_sorted(values.begin(), values.end()))
            std::sort(values.begin(), values.end());
    }
    return (long)values.size();
}

static long sorted_repaired(long rounds)
{
    std::vector<long> values;

    for (long i = 0; i < rounds; i++)
        if (values.empty() || values.back() <= i)
            values.push_back(i);
    return (long)values.size();
}

static long future_planted(long rounds)
{
    auto result = std::async(std::launch::async, [rounds] {
        std::this_thread::sleep_for(std::chrono::milliseconds(rounds));
        return rounds;
    });

    while (result.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        continue;
    return result.get();
}

static long future_repaired(long rounds)
{
    auto result = std::async(std::launch::async, [rounds] {
        std::this_thread::sleep_for(std::chrono::milliseconds(rounds));
        return rounds;
    });

    return result.get();
}

static long bessel_planted(long rounds)
{
    double sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += std::cyl_bessel_j(0, 1 + (double)(i % 1000) / 1000);
    return sum > 0;
}

static long bessel_repaired(long rounds)
{
    static double table[1000];
    double sum = 0;

    for (long i = 0; i < 1000; i++)
        table[i] = std::cyl_bessel_j(0, 1 + (double)i / 1000);
    for (long i = 0; i < rounds; i++)
        sum += table[i % 1000];
    return sum > 0;
}

static const struct plant plants[] = {PLANT(ordered), PLANT(parsers), PLANT(joined), PLANT(passes),
                                      PLANT(log),     PLANT(counted), PLANT(flat),   PLANT(pool),
                                      PLANT(named),   PLANT(routes),  PLANT(edges),  PLANT(middle),
                                      PLANT(heap),    PLANT(sorted),  PLANT(future), PLANT(bessel)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
