/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs in C++ and C, and their repaired twins, which print the same.
 *
 * usage: streams NAME planted|repaired ROUNDS
 */
#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <fstream>
#include <netdb.h>
#include <random>
#include <regex.h>
#include <regex>
#include <semaphore.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <vector>

static const char line[] = "error in alpha.beta at line 4711";
static char numbers[1 << 14];

/* Filled at run time: the compiler must not compute anything here. */
static void fill_numbers()
{
    for (size_t i = 0; i + 8 < sizeof numbers; i += 6)
        memcpy(numbers + i, "12345 ", 6);
}

static __attribute__((noinline)) long regex_planted()
{
    std::regex pattern("(\\w+)\\.(\\w+) at line (\\d+)");

    return std::regex_search(line, pattern);
}

static __attribute__((noinline)) long regex_repaired()
{
    static const std::regex pattern("beta at");

    return std::regex_search("beta at", pattern);
}

static __attribute__((noinline)) long regcomp_planted()
{
    regex_t pattern;
    int found;

    regcomp(&pattern, "([a-z]+)[.]([a-z]+) at line ([0-9]+)", REG_EXTENDED);
    found = regexec(&pattern, line, 0, nullptr, 0) == 0;
    regfree(&pattern);
    return found;
}

static __attribute__((noinline)) long regcomp_repaired()
{
    static regex_t pattern;
    static bool is_compiled;

    if (!is_compiled)
        regcomp(&pattern, "([a-z]+)[.]([a-z]+) at line ([0-9]+)", REG_EXTENDED);
    is_compiled = true;
    return regexec(&pattern, line, 0, nullptr, 0) == 0;
}

static __attribute__((noinline)) long stream_planted()
{
    std::ostringstream stream;

    return stream.tellp() >= 0;
}

static __attribute__((noinline)) long stream_repaired()
{
    char text[16];

    return std::to_chars(text, text + sizeof text, 4711).ptr > text;
}

static __attribute__((noinline)) void refuse()
{
    throw std::runtime_error("no");
}

static __attribute__((noinline)) long exception_planted()
{
    try {
        refuse();
    } catch (const std::runtime_error &) {
        return 1;
    }
    return 0;
}

static __attribute__((noinline)) long exception_repaired()
{
    return line[0] == 'e';
}

static __attribute__((noinline)) long scanf_planted()
{
    int number = 0;

    return sscanf(numbers, "%d", &number) == 1;
}

static __attribute__((noinline)) long scanf_repaired()
{
    return strtol(numbers, nullptr, 10) == 12345;
}

static __attribute__((noinline)) long growth_planted()
{
    std::vector<std::string> all;

    for (int i = 0; i < 33; i++)
        all.emplace_back("some text that is not short");
    return all.size() == 33;
}

static __attribute__((noinline)) long growth_repaired()
{
    std::vector<int> all(33);

    return all.size() == 33;
}

static __attribute__((noinline)) long match_planted()
{
    static const std::regex pattern("(\\w+)\\.(\\w+) at line (\\d+)");

    return std::regex_search(line, pattern);
}

static __attribute__((noinline)) long match_repaired()
{
    return strstr(line, " at line ") != nullptr;
}

static __attribute__((noinline)) long extraction_planted()
{
    static std::istringstream stream;
    int number = 0;

    stream.clear();
    stream.str("4711 42 17");
    stream >> number >> number >> number;
    return number == 17;
}

static __attribute__((noinline)) long extraction_repaired()
{
    int number = 0;

    std::from_chars(numbers, numbers + 5, number);
    return number == 12345;
}

static __attribute__((noinline)) long rehash_planted()
{
    std::unordered_map<int, int> all;

    for (int i = 0; i < 2000; i++)
        all[i] = i;
    return all.size() == 2000;
}

static __attribute__((noinline)) long rehash_repaired()
{
    static std::unordered_map<int, int> all(2000);

    for (int i = 0; i < 2000; i++)
        all[i] = i;
    return all.size() == 2000;
}

static __attribute__((noinline)) long device_planted()
{
    static std::random_device device;

    return device() != 1;
}

static __attribute__((noinline)) long device_repaired()
{
    static std::mt19937 generator;

    return generator() != 1;
}

static __attribute__((noinline)) long local_planted()
{
    static time_t now = 1795934387;
    struct tm parts;

    now += 3600;
    return localtime_r(&now, &parts) && mktime(&parts) != 0;
}

static __attribute__((noinline)) long local_repaired()
{
    static time_t now = 1795934387;
    struct tm parts;

    now += 3600;
    return gmtime_r(&now, &parts) != nullptr;
}

static int compare(const void *left, const void *right)
{
    return *static_cast<const int *>(left) - *static_cast<const int *>(right);
}

static std::vector<int> mix()
{
    std::vector<int> all(500);
    unsigned number = 1;

    for (int &each : all)
        each = static_cast<int>((number = number * 1664525 + 1013904223) >> 8);
    return all;
}

static __attribute__((noinline)) long sort_planted()
{
    std::vector<int> all = mix();

    qsort(all.data(), all.size(), sizeof(int), compare);
    return all[0] <= all[1];
}

static __attribute__((noinline)) long sort_repaired()
{
    std::vector<int> all = mix();

    std::sort(all.begin(), all.end());
    return all[0] <= all[1];
}

static __attribute__((noinline)) long append_planted()
{
    static char text[1 << 14];

    if (strlen(text) + 8 > sizeof text)
        text[0] = 0;
    strcat(text, "some");
    return text[0] == 's';
}

static __attribute__((noinline)) long append_repaired()
{
    static char text[1 << 14], *end = text;

    if (end + 8 > text + sizeof text)
        end = text;
    end = stpcpy(end, "some");
    return text[0] == 's';
}

static __attribute__((noinline)) long drawing_planted()
{
    return rand() >= 0;
}

static __attribute__((noinline)) long drawing_repaired()
{
    static unsigned state = 1;

    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state != 0;
}

static std::ofstream &lines()
{
    static std::ofstream file("lines.txt");

    return file;
}

static __attribute__((noinline)) long endl_planted()
{
    lines() << "line" << std::endl;
    return 1;
}

static __attribute__((noinline)) long endl_repaired()
{
    lines() << "line" << '\n';
    return 1;
}

static __attribute__((noinline)) long insertion_planted()
{
    static std::ostringstream text;
    static long number = 1 << 20;

    text.seekp(0);
    text << number++;
    return 1;
}

static __attribute__((noinline)) long insertion_repaired()
{
    static long number = 1 << 20;
    char text[24];

    return std::to_chars(text, text + sizeof text, number++).ptr != text;
}

static std::atomic<long> done;

static void do_task()
{
    done++;
}

static __attribute__((noinline)) long thread_planted()
{
    std::thread(do_task).join();
    return done > 0;
}

static __attribute__((noinline)) long thread_repaired()
{
    do_task();
    return done > 0;
}

enum { BLOCKS = 40, BLOCK_SIZE = 100000 };

static __attribute__((noinline)) long trim_planted()
{
    void *blocks[BLOCKS];

    for (void *&block : blocks)
        block = memset(malloc(BLOCK_SIZE), 1, BLOCK_SIZE);
    for (void *block : blocks)
        free(block);
    return 1;
}

static __attribute__((noinline)) long trim_repaired()
{
    static char blocks[BLOCKS][BLOCK_SIZE];

    for (char *block : blocks)
        memset(block, 1, BLOCK_SIZE);
    return blocks[0][0];
}

static __attribute__((noinline)) long symbol_planted()
{
    return dlsym(RTLD_DEFAULT, "strlen") != nullptr;
}

static __attribute__((noinline)) long symbol_repaired()
{
    static void *const symbol = dlsym(RTLD_DEFAULT, "strlen");

    return symbol != nullptr;
}

static __attribute__((noinline)) long fork_planted()
{
    static const std::vector<char> large(200 << 20, 1);
    int status = 0;
    const pid_t child = fork();

    if (child == 0)
        _exit(large[0]);
    return waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 1;
}

static __attribute__((noinline)) long fork_repaired()
{
    static const std::vector<char> large(200 << 20, 1);

    return large[0];
}

static __attribute__((noinline)) long host_planted()
{
    struct addrinfo *found = nullptr;
    const bool is_found = getaddrinfo("localhost", "80", nullptr, &found) == 0;

    if (is_found)
        freeaddrinfo(found);
    return is_found;
}

static __attribute__((noinline)) long host_repaired()
{
    static const long is_found = host_planted();

    return is_found;
}

static sem_t asked, answered;

static void answer()
{
    for (;;) {
        sem_wait(&asked);
        sem_post(&answered);
    }
}

static __attribute__((noinline)) long hand_over_planted()
{
    static const bool is_started = [] {
        sem_init(&asked, 0, 0);
        sem_init(&answered, 0, 0);
        std::thread(answer).detach();
        return true;
    }();

    sem_post(&asked);
    sem_wait(&answered);
    return is_started;
}

static __attribute__((noinline)) long hand_over_repaired()
{
    return ++done > 0;
}

static const struct {
    const char *name;
    long (*planted)();
    long (*repaired)();
} costs[] = {
    {"regex", regex_planted, regex_repaired},
    {"regcomp", regcomp_planted, regcomp_repaired},
    {"stream", stream_planted, stream_repaired},
    {"exception", exception_planted, exception_repaired},
    {"scanf", scanf_planted, scanf_repaired},
    {"growth", growth_planted, growth_repaired},
    {"match", match_planted, match_repaired},
    {"extraction", extraction_planted, extraction_repaired},
    {"rehash", rehash_planted, rehash_repaired},
    {"device", device_planted, device_repaired},
    {"local", local_planted, local_repaired},
    {"sort", sort_planted, sort_repaired},
    {"append", append_planted, append_repaired},
    {"drawing", drawing_planted, drawing_repaired},
    {"endl", endl_planted, endl_repaired},
    {"insertion", insertion_planted, insertion_repaired},
    {"thread", thread_planted, thread_repaired},
    {"trim", trim_planted, trim_repaired},
    {"symbol", symbol_planted, symbol_repaired},
    {"fork", fork_planted, fork_repaired},
    {"host", host_planted, host_repaired},
    {"hand_over", hand_over_planted, hand_over_repaired},
};

int main(int argc, char **argv)
{
    fill_numbers();
    for (const auto &cost : costs) {
        long sum = 0;

        if (argc != 4 || strcmp(cost.name, argv[1]) != 0)
            continue;
        for (long i = 0; i < atol(argv[3]); i++)
            sum += strcmp(argv[2], "planted") == 0 ? cost.planted() : cost.repaired();
        printf("%ld\n", sum);
        return EXIT_SUCCESS;
    }
    return 2;
}
