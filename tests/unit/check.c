/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The suites of the analyzer in one program, which is linked once.  It runs the suite with the name
 * that it was called by: links to it are named check_heap and so on.
 */
#include <stdio.h>
#include <string.h>

#include "suite.h"

static const struct {
    const char *name;
    int (*run)(void);
} suites[] = {
#define SUITE(name) {"check_" #name, check_##name},
#include "suites.def"
#undef SUITE
};

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

int main(int argc, char **argv)
{
    const char *name = last_part(argc > 1 ? argv[1] : argv[0]);

    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
        if (strcmp(suites[i].name, name) == 0)
            return suites[i].run();
    fprintf(stderr, "check: there is no suite %s; call it as `check check_heap`\n", name);
    return 1;
}
