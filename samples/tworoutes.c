/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One name, two functions: opens two plugins that each bring a cblas_sgemm of
 * their own and runs both in turn.  A profiler must pass each call on to the
 * library that the caller is bound to, and count both.
 *
 * usage: tworoutes PLUGIN PLUGIN
 */
#include "plugin.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLUGINS = 2, ROUNDS = 2 };

/* The calls a round, different so that they cannot be mixed up. */
static const unsigned counts[PLUGINS] = {3, 5};

static plugin_run_function open_plugin(const char *path)
{
    void *library = dlopen(path, RTLD_LOCAL | RTLD_LAZY);
    void *symbol = library ? dlsym(library, "plugin_run") : NULL;
    plugin_run_function function = NULL;

    if (!symbol) {
        fprintf(stderr, "tworoutes: %s\n", dlerror());
        exit(EXIT_FAILURE);
    }
    /* C has no cast from an object pointer to a function; POSIX has the bits. */
    memcpy(&function, &symbol, sizeof function);
    return function;
}

int main(int count, char **arguments)
{
    plugin_run_function run[PLUGINS];
    struct plugin_report reports[PLUGINS];

    if (count != PLUGINS + 1) {
        fprintf(stderr, "usage: tworoutes PLUGIN PLUGIN\n");
        return 2;
    }
    for (int i = 0; i < PLUGINS; i++)
        run[i] = open_plugin(arguments[i + 1]);
    for (int i = 0; i < PLUGINS * ROUNDS; i++)
        reports[i % PLUGINS] = run[i % PLUGINS](counts[i % PLUGINS]);
    for (int i = 0; i < PLUGINS; i++) {
        printf("truth: plugin_%c_result %g\n", 'a' + i, (double)reports[i].result);
        printf("truth: plugin_%c_calls %" PRIu64 "\n", 'a' + i, reports[i].calls);
    }
    return 0;
}
