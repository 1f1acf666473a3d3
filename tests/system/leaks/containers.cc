/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Containers whose memory goes a known way, a millisecond a round, and are freed by their
 * destructors.  Prints what is true of each: whether it grows as long as it runs, and, where the
 * library's way to grow is known, what it holds at the end.
 *
 * usage: containers NAME ROUNDS
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

static size_t held_bytes; /* 0: not told */
static void *volatile kept;

static void go_on()
{
    usleep(1000);
}

static void vector(int rounds)
{
    std::vector<long> numbers;

    for (int i = 0; i < rounds; i++) {
        for (int j = 0; j < 500; j++)
            numbers.push_back(j);
        go_on();
    }
    held_bytes = numbers.capacity() * sizeof numbers[0];
}

static void deque(int rounds)
{
    std::deque<long> numbers;

    for (int i = 0; i < rounds; i++) {
        for (int j = 0; j < 500; j++)
            numbers.push_back(j);
        go_on();
    }
}

static void map(int rounds)
{
    std::map<int, int> numbers;

    for (int i = 0; i < 50 * rounds; i++) {
        numbers[i] = i;
        if (i % 50 == 0)
            go_on();
    }
}

static void list(int rounds)
{
    std::list<long> numbers;

    for (int i = 0; i < 50 * rounds; i++) {
        numbers.push_back(i);
        if (i % 50 == 0)
            go_on();
    }
}

static void text(int rounds)
{
    std::string text;

    for (int i = 0; i < rounds; i++) {
        text += std::string(100, 'x');
        go_on();
    }
}

static void strings(int rounds)
{
    std::vector<std::string> texts;

    for (int i = 0; i < rounds; i++) {
        texts.push_back(std::string(100 + i % 50, 'x'));
        go_on();
    }
}

static void leak(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        kept = malloc(1000);
        go_on();
    }
}

/* One of nine blocks is not freed. */
static void ninth(int rounds)
{
    for (int i = 0; i < 9 * rounds; i++) {
        kept = malloc(1000);
        if (i % 9 != 0)
            free(kept);
        else
            go_on();
    }
}

/* As many keys as there are. */
static void cache(int rounds)
{
    std::map<int, std::string> texts;
    unsigned state = 1;

    for (int i = 0; i < 20 * rounds; i++) {
        state = state * 1103515245 + 12345;
        texts[(int)(state >> 16) % 300] = std::string(200 + (state >> 8) % 100, 'x');
        if (i % 20 == 0)
            go_on();
    }
}

static void use_queue(int rounds, size_t most)
{
    std::deque<std::string> texts;

    for (int i = 0; i < rounds; i++) {
        texts.push_back(std::string(1000, 'x'));
        if (texts.size() > most)
            texts.pop_front();
        go_on();
    }
}

static void queue(int rounds)
{
    use_queue(rounds, (size_t)rounds / 10);
}

/* It is full after two fifths of the time. */
static void queue_that_fills(int rounds)
{
    use_queue(rounds, (size_t)rounds * 2 / 5);
}

/* What is loaded in a part of the time stays, and nothing more does. */
static void load(int rounds, int loading)
{
    std::vector<std::string> texts;

    for (int i = 0; i < rounds; i++) {
        std::string text(5000, 'x');

        if (i < loading)
            texts.push_back(text);
        go_on();
    }
}

static void loaded(int rounds)
{
    load(rounds, rounds / 6);
}

static void loading(int rounds)
{
    load(rounds, rounds * 2 / 5);
}

static void saw(int rounds)
{
    std::vector<std::string> texts;

    for (int i = 0; i < rounds; i++) {
        texts.push_back(std::string(5000, 'x'));
        if (texts.size() == 100)
            texts.clear();
        go_on();
    }
}

/* A vector that is emptied keeps its room. */
static void reset(int rounds)
{
    std::vector<long> numbers;

    for (int i = 0; i < rounds; i++) {
        for (int j = 0; j < 500; j++)
            numbers.push_back(j);
        if (i % 100 == 99)
            numbers.clear();
        go_on();
    }
}

static void step(int rounds)
{
    std::vector<char> table;

    for (int i = 0; i < rounds; i++) {
        std::string text(500, 'x');

        if (i == rounds * 3 / 5)
            table.resize(1 << 20);
        go_on();
    }
}

static void steady(int rounds)
{
    std::vector<char> arena(1 << 22);

    for (int i = 0; i < rounds; i++) {
        std::string text(500, 'x');

        arena[(size_t)i % arena.size()] = text[0];
        go_on();
    }
}

static const struct {
    const char *name;
    void (*run)(int rounds);
    bool grows;
} courses[] = {{"vector", vector, true},
               {"deque", deque, true},
               {"map", map, true},
               {"list", list, true},
               {"text", text, true},
               {"strings", strings, true},
               {"leak", leak, true},
               {"ninth", ninth, true},
               {"cache", cache, false},
               {"queue", queue, false},
               {"queue_that_fills", queue_that_fills, false},
               {"loaded", loaded, false},
               {"loading", loading, false},
               {"saw", saw, false},
               {"reset", reset, false},
               {"step", step, false},
               {"steady", steady, false}};

int main(int count, char **arguments)
{
    for (size_t i = 0; count == 3 && i < sizeof courses / sizeof *courses; i++) {
        if (strcmp(arguments[1], courses[i].name) != 0)
            continue;
        courses[i].run(atoi(arguments[2]));
        printf("truth: verdict %s\ntruth: held_bytes %zu\n",
               courses[i].grows ? "leak" : "no leak seen", held_bytes);
        return EXIT_SUCCESS;
    }
    return 2;
}
