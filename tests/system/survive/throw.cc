// SPDX-License-Identifier: GPL-3.0-or-later
//
// Exceptions thrown over the frames that allocate, from new, and through
// objects that free as they are left.
#include <cstdio>
#include <new>
#include <stdexcept>
#include <vector>

#include <tprof.h>

enum { ROUNDS = 500, LEVELS = 12 };

static unsigned long long caught, refused;

__attribute__((noinline)) static int descend(int levels)
{
    std::vector<int> block(static_cast<std::size_t>(10 + levels));

    if (levels == 0)
        throw std::runtime_error("out of the depths");
    return descend(levels - 1) + block[0];
}

static void refuse()
{
    volatile std::size_t much = static_cast<std::size_t>(-1) / 4;

    try {
        ::operator delete(::operator new(much));
    } catch (const std::bad_alloc &) {
        refused++;
    }
}

int main()
{
    for (int i = 0; i < ROUNDS; i++) {
        tprof::region work("work");

        try {
            descend(i % LEVELS);
        } catch (const std::exception &) {
            caught++;
        }
        if (i % 10 == 0)
            refuse();
    }
    std::printf("truth: caught %llu\ntruth: refused %llu\n", caught, refused);
    return 0;
}
