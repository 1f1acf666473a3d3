// SPDX-License-Identifier: GPL-3.0-or-later
//
// Exceptions thrown through kernels, also through several at once.
#include <cstdio>
#include <stdexcept>

extern "C" {
int odd_call(int n, void (*function)(void *), void *argument);
}

enum { ROUNDS = 100, LEVELS = 5 };

static int calls, left;

struct guard {
    ~guard() { left++; }
};

static void descend(void *levels)
{
    int rest = *static_cast<int *>(levels) - 1;
    guard leaves;

    if (rest < 0)
        throw std::runtime_error("out of a kernel");
    calls++;
    odd_call(rest, descend, &rest);
}

int main()
{
    int caught = 0;

    for (int i = 0; i < ROUNDS; i++)
        try {
            int levels = i % LEVELS;

            descend(&levels);
        } catch (const std::exception &) {
            caught++;
        }
    std::printf("caught %d left %d\ntruth: calls %d\n", caught, left, calls);
    return 0;
}
