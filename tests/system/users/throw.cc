// SPDX-License-Identifier: GPL-3.0-or-later
//
// Exceptions through a function that is a user's kernel.
#include <cstdio>
#include <stdexcept>

extern "C" void call_back(void (*function)(void *), void *argument);

static void fail(void *argument)
{
    if (*static_cast<int *>(argument) % 2 == 0)
        throw std::runtime_error("even");
}

int main()
{
    int caught = 0;

    for (int i = 0; i < 10; i++) {
        try {
            call_back(fail, &i);
        } catch (const std::exception &) {
            caught++;
        }
    }
    std::printf("caught %d\n", caught);
}
