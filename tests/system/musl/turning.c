/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Computes in the program, in a library that it opens, and in the program again after it is closed.
 * OPENED: the library.
 */
#ifdef OPENED
double turn_library(int count);

double turn_library(int count)
{
    double sum = 0;

    for (int i = 1; i < count; i++)
        sum += 1.0 / i;
    return sum;
}
#else
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COUNT = 100000 };

static volatile double sum;

__attribute__((noinline)) static double turn_program(int count)
{
    double of = 0;

    for (int i = 1; i < count; i++)
        of += 2.0 / i;
    return of;
}

static void turn_for(double (*turn)(int), double seconds)
{
    clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

    while (clock() < end)
        sum += turn(COUNT);
}

int main(void)
{
    void *library;
    double (*turn)(int);

    turn_for(turn_program, 0.2);
    library = dlopen("./libturning.so", RTLD_NOW);
    if (!library)
        return EXIT_FAILURE;
    *(void **)&turn = dlsym(library, "turn_library");
    turn_for(turn, 0.4);
    dlclose(library);
    turn_for(turn_program, 0.2);
    puts("done");
    return EXIT_SUCCESS;
}
#endif
