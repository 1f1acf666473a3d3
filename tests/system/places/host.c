/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A host that loads a library again and again, each time at another address, and calls it.
 *
 * usage: host ROUNDS LIBRARY [OTHER]   with OTHER, that file takes the library's path before
 *                                      the last round
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { USAGE = 2, PAGE = 4096 };

/* A mapping at the library's old place moves it. */
static void take_place(uintptr_t address)
{
    mmap((void *)(address & ~(uintptr_t)(PAGE - 1)), PAGE, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

static int call(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    void (*function)(void) =
        library ? (void (*)(void))dlsym(library,
                                        "allocate_from_three_places_of_a_function_with_a_long_name")
                : NULL;

    if (!function) {
        fprintf(stderr, "host: %s\n", dlerror());
        return EXIT_FAILURE;
    }
    function();
    dlclose(library);
    take_place((uintptr_t)function);
    return EXIT_SUCCESS;
}

int main(int count, char **arguments)
{
    int rounds = count > 2 ? atoi(arguments[1]) : 0;

    for (int i = 0; i < rounds; i++) {
        if (count > 3 && i == rounds - 1 && rename(arguments[3], arguments[2]) != 0)
            return EXIT_FAILURE;
        if (call(arguments[2]) != EXIT_SUCCESS)
            return EXIT_FAILURE;
    }
    return rounds > 0 ? EXIT_SUCCESS : USAGE;
}
