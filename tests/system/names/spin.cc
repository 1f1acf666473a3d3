// SPDX-License-Identifier: GPL-3.0-or-later
//
// A template and a function that is inlined into it take nearly all processor time, half a
// second.  Prints the line of the inlined one.
#include <cstdio>
#include <ctime>

namespace app {

static volatile unsigned number;

enum { ROUNDS = 100000, STEP_LINE = __LINE__ + 5 };

template <typename T>
static inline __attribute__((always_inline)) void step(T value)
{
    number = number * 7 + static_cast<unsigned>(value);
}

template <typename T, typename Longer>
__attribute__((noinline)) void burn(T least, const Longer&)
{
    for (T i = least; i < T(ROUNDS); i++)
        step(i);
}

} // namespace app

struct a_type_with_a_long_name {
};

int main()
{
    while (clock() < CLOCKS_PER_SEC / 2)
        app::burn(0L, a_type_with_a_long_name());
    printf("%d\n", app::STEP_LINE);
    return 0;
}
