/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of the standard library of C++, and their repaired twins, which print
 * the same.
 */
#include <algorithm>
#include <deque>
#include <fstream>
#include <iostream>
#include <queue>
#include <random>
#include <string>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "plants.h"

/* ---- streams ---------------------------------------------------------------------------- */

static char path[] = "/tmp/tprof-stdlib-XXXXXX";

static void make_file(long lines)
{
    const int descriptor = mkstemp(path);
    std::ofstream file(path);

    close(descriptor);
    for (long i = 0; i < lines; i++)
        file << 100000000 + i << '\n';
}

static long seek_planted(long rounds)
{
    char record[10];
    long sum = 0;

    make_file(20000);
    std::ifstream file(path, std::ios::binary);
    for (long i = 0; i < rounds; i++) {
        file.seekg(i % 20000 * 10);
        file.read(record, sizeof record);
        sum += record[8];
    }
    unlink(path);
    return sum;
}

static long seek_repaired(long rounds)
{
    std::vector<char> all(20000 * 10);
    long sum = 0;

    make_file(20000);
    std::ifstream file(path, std::ios::binary);
    file.read(all.data(), all.size());
    for (long i = 0; i < rounds; i++)
        sum += all[i % 20000 * 10 + 8];
    unlink(path);
    return sum;
}

static long messages_planted(long rounds)
{
    if (!freopen("/dev/null", "w", stderr))
        return 0;
    for (long i = 0; i < rounds; i++)
        std::cerr << "item " << i << " has size " << i % 7 << "\n";
    return rounds;
}

static long messages_repaired(long rounds)
{
    std::string text;

    if (!freopen("/dev/null", "w", stderr))
        return 0;
    for (long i = 0; i < rounds; i++) {
        text += "item ";
        text += std::to_string(i);
        text += " has size ";
        text += std::to_string(i % 7);
        text += '\n';
    }
    std::cerr << text;
    return rounds;
}

static long answer_numbers()
{
    long number, sum = 0;

    while (std::cin >> number) {
        std::cout << number + 1 << '\n';
        sum += number;
    }
    std::cout.flush();
    unlink(path);
    return sum;
}

static long tied_planted(long rounds)
{
    make_file(rounds);
    if (!freopen(path, "r", stdin))
        return 0;
    std::ios::sync_with_stdio(false);
    return answer_numbers();
}

static long tied_repaired(long rounds)
{
    make_file(rounds);
    if (!freopen(path, "r", stdin))
        return 0;
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    return answer_numbers();
}

/* ---- containers ------------------------------------------------------------------------- */

static long reserve_planted(long rounds)
{
    std::vector<long> all;

    for (long i = 0; i < rounds; i++) {
        all.reserve(all.size() + 1);
        all.push_back(i);
    }
    return all.back();
}

static long reserve_repaired(long rounds)
{
    std::vector<long> all;

    for (long i = 0; i < rounds * 20; i++)
        all.push_back(i % rounds);
    return all.back();
}

static std::string make_page(long size)
{
    std::string text;

    for (long i = 0; i < size; i++)
        text += i % 8 ? 'x' : '&';
    return text;
}

static long replace_planted(long rounds)
{
    std::string text = make_page(rounds);
    size_t place = 0;

    while ((place = text.find('&', place)) != std::string::npos) {
        text.replace(place, 1, "&amp;");
        place += 5;
    }
    return text.size();
}

static long replace_repaired(long rounds)
{
    const std::string text = make_page(rounds);
    std::string result;

    for (const char each : text)
        if (each == '&')
            result += "&amp;";
        else
            result += each;
    return result.size();
}

static std::vector<std::string> make_keys(size_t count)
{
    std::vector<std::string> keys;

    for (size_t i = 0; i < count; i++)
        keys.push_back("https://example.org/" + std::string(400, 'a') + std::to_string(i));
    return keys;
}

static long hash_planted(long rounds)
{
    const auto keys = make_keys(100);
    std::unordered_map<std::string, long> sums;

    for (long i = 0; i < rounds; i++)
        for (long part = 0; part < 10; part++)
            sums[keys[i % 100]] += part;
    return sums[keys[1]];
}

static long hash_repaired(long rounds)
{
    const auto keys = make_keys(100);
    std::unordered_map<std::string, long> sums;

    for (long i = 0; i < rounds; i++) {
        long &sum = sums[keys[i % 100]];

        for (long part = 0; part < 10; part++)
            sum += part;
    }
    return sums[keys[1]];
}

static long rotate_planted(long rounds)
{
    std::vector<int> window(4000);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        std::rotate(window.begin(), window.begin() + 1, window.end());
        window.back() = i;
        sum += window.front();
    }
    return sum;
}

static long rotate_repaired(long rounds)
{
    std::deque<int> window(4000);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        window.pop_front();
        window.push_back(i);
        sum += window.front();
    }
    return sum;
}

static long linear_planted(long rounds)
{
    std::vector<long> seen;

    for (long i = 0; i < rounds; i++) {
        const long number = i * 7919 % 10007;

        if (std::find(seen.begin(), seen.end(), number) == seen.end())
            seen.push_back(number);
    }
    return seen.size();
}

static long linear_repaired(long rounds)
{
    std::unordered_set<long> seen;

    for (long i = 0; i < rounds; i++)
        seen.insert(i * 7919 % 10007);
    return seen.size();
}

static long smallest_planted(long rounds)
{
    std::vector<long> queue(5000);
    long sum = 0;

    for (size_t i = 0; i < queue.size(); i++)
        queue[i] = i * 7919 % 10007;
    for (long i = 0; i < rounds; i++) {
        const auto next = std::min_element(queue.begin(), queue.end());

        sum += *next;
        *next += 100;
    }
    return sum;
}

static long smallest_repaired(long rounds)
{
    std::priority_queue<long, std::vector<long>, std::greater<long>> queue;
    long sum = 0;

    for (size_t i = 0; i < 5000; i++)
        queue.push(i * 7919 % 10007);
    for (long i = 0; i < rounds; i++) {
        const long next = queue.top();

        sum += next;
        queue.pop();
        queue.push(next + 100);
    }
    return sum;
}

static long poisson_planted(long rounds)
{
    std::mt19937 engine;
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        std::poisson_distribution<int> arrivals(50.0);

        sum += arrivals(engine) > 0;
    }
    return sum;
}

static long poisson_repaired(long rounds)
{
    std::mt19937 engine;
    std::poisson_distribution<int> arrivals(50.0);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += arrivals(engine) > 0;
    return sum;
}

static const struct plant plants[] = {
    PLANT(seek), PLANT(messages), PLANT(tied),   PLANT(reserve),  PLANT(replace),
    PLANT(hash), PLANT(rotate),   PLANT(linear), PLANT(smallest), PLANT(poisson)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
